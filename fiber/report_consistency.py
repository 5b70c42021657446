"""Do rankings agree across languages? RankC (Qi et al. 2023), on candidates that are aligned by what they answer.

Candidates are only strings, other ones in each language. They are aligned by the items that they are right answers
to: what answers the same items in two languages is the same candidate. Where several candidates answer the same items
(two car brands of one country) they are told apart by their order among the candidates, which is the same in all
languages of the embedded and of the official data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product

import numpy as np

from crossfact.fiber.report_rankings import Key, Prompt, Rankings
from crossfact.fiber.topics import ENTITY_QUERIES
from crossfact.utils.report.statistics import Clustered, Floats, cluster

DEPTH = 40
"""Ranks after this one weigh less than 1e-17."""

LEAST = 0.9
"""Rankings of which a smaller share can be aligned are not compared."""

Pair = tuple[str, str]


def consistency(rankings: Rankings, model: str, topic: str, pair: Pair) -> tuple[Clustered | None, str]:
    """Return how consistent a model's rankings of a topic are in two languages, by item.

    Each prompt in one language is compared with each about the same item and of the same kind in the other; Turkish
    has two ways to complete a sentence.

    Returns:
        RankC, or None and one line that says why there is none ("" if the task was not run).
    """
    keys = [(model, topic, lang) for lang in pair]
    if any(key not in rankings.prompts for key in keys):
        return None, ""
    if any(key in rankings.limited for key in keys):
        return None, "a limited run names the items of some candidates only, which cannot be aligned then"
    scores, items = [], []
    for query in ENTITY_QUERIES:
        sides = [list(_forms(rankings, key, query)) for key in keys]
        for one, two in product(*sides):
            places = align(one, two)
            whole = max(rankings.candidates(key) for key in keys)
            if len(places[0]) < LEAST * whole:
                return None, f"only {len(places[0])} of {whole} candidates can be aligned by what they answer"
            for item in filter(two.__contains__, one):
                scores.append(rank_consistency(one[item].scores[places[0]], two[item].scores[places[1]]))
                items.append(item)
    return (cluster(scores, items), "") if items else (None, "no item was asked about in both languages")


def language_pairs(rankings: Rankings) -> list[Pair]:
    """Return the pairs of languages that can be compared."""
    return list(combinations(rankings.languages, 2))


def align(one: Mapping[str, Prompt], two: Mapping[str, Prompt]) -> tuple[list[int], list[int]]:
    """Return the places of the same candidates in two lists of them.

    Args:
        one: Item → the prompt about it, all prompts of one form in a language.
        two: The same in another language.
    """
    first, second = _by_items_answered(one), _by_items_answered(two)
    places: tuple[list[int], list[int]] = ([], [])
    for items, candidates in first.items():
        others = second.get(items, [])
        if len(others) == len(candidates):
            places[0].extend(candidates)
            places[1].extend(others)
    return places


def rank_consistency(one: Floats, two: Floats) -> float:
    """Return RankC of two rankings of the same candidates by falling score: 1 if they are the same.

    RankC = Σ_j w_j |top-j ∩ top-j'| / j, with weights w_j proportional to e^(−j): the first ranks decide. Candidates
    tied across a cut count by their expected share, in both rankings independently.
    """
    depth = min(DEPTH, len(one))
    weights = _weights(len(one))[:depth]
    shared = (_in_top(one, depth) * _in_top(two, depth)).sum(axis=0)
    return float((weights * shared / np.arange(1, depth + 1)).sum())


def random_consistency(candidates: int) -> float:
    """Return the expected RankC of two random rankings."""
    return float((_weights(candidates) * np.arange(1, candidates + 1) / candidates).sum())


def _weights(candidates: int) -> Floats:
    weights = np.exp(-np.arange(candidates, dtype=np.float64))
    return weights / weights.sum()


def _in_top(scores: Floats, depth: int) -> Floats:
    """Return the probability that each candidate is among the first j; shape (candidates, depth)."""
    ahead = (scores[:, None] < scores[None, :]).sum(axis=1)
    tied = (scores[:, None] == scores[None, :]).sum(axis=1)
    return np.clip((np.arange(1, depth + 1)[None, :] - ahead[:, None]) / tied[:, None], 0, 1)


def _by_items_answered(prompts: Mapping[str, Prompt]) -> dict[frozenset[str], list[int]]:
    items: dict[int, set[str]] = {}
    for item, prompt in prompts.items():
        for candidate in prompt.gold:
            items.setdefault(candidate, set()).add(item)
    found: dict[frozenset[str], list[int]] = {}
    for candidate in sorted(items):
        found.setdefault(frozenset(items[candidate]), []).append(candidate)
    return found


def _forms(rankings: Rankings, key: Key, query: str) -> Iterator[dict[str, Prompt]]:
    """Yield the prompts of a kind of query by item, for each of its forms (Turkish has two for sentences)."""
    by_item: dict[str, list[Prompt]] = {}
    for prompt in rankings.prompts[key]:
        if prompt.query == query:
            by_item.setdefault(prompt.item, []).append(prompt)
    for form in range(min(map(len, by_item.values()), default=0)):
        yield {item: prompts[form] for item, prompts in by_item.items()}
