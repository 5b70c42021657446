"""Metrics over one ranking of candidates, ties averaged over all their orders.

A tokenizer or a protocol can give several candidates the same score. Their order in a file, or in a hash table, must
not decide a metric: each metric here is its exact mean over all orders of the candidates that are tied, in closed
form.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby


def average_precision(scores: Sequence[float], gold: Collection[int]) -> float:
    """Return the average precision of a ranking by falling score (section 4.1.1 of the paper).

    Args:
        scores: The score of each candidate.
        gold: The indices of the right candidates.

    Returns:
        (1/|G|) times the sum, over the ranks k of right candidates, of the share of right ones among the first k;
        NaN where there is no gold.
    """
    if not gold:
        return math.nan
    right = set(gold)
    total, before, right_before = 0.0, 0, 0
    for group in _tied_groups(scores):
        right_here = len(right.intersection(group))
        total += _precision_in_group(before, right_before, len(group), right_here)
        before += len(group)
        right_before += right_here
    return total / len(right)


def random_average_precision(candidates: int, gold: int) -> float:
    """Return the expected average precision of a random ranking; exact, not sampled.

    Args:
        candidates: The size of the surface set.
        gold: The number of right candidates in it.

    Returns:
        A number in (0, 1]; NaN where there is no gold.
    """
    return _precision_in_group(0, 0, candidates, gold) / gold if gold else math.nan


def precision_at_1(scores: Sequence[float], gold: Collection[int]) -> float:
    """Return the probability that the candidate with the highest score is right; NaN where there is no gold."""
    if not gold:
        return math.nan
    best = next(_tied_groups(scores))
    return len(set(gold).intersection(best)) / len(best)


def inference_bias(scores: Sequence[float], gold: Collection[int], biased: Collection[int], n: int) -> float:
    """Return the factual inference bias of one prompt at rank `n`.

    Args:
        scores: The score of each candidate.
        gold: The indices of R, the right candidates.
        biased: The indices of Q, those that belong to the country of the prompt's language.
        n: How many of the best candidates to look at; it may be larger than their number.

    Returns:
        |top-n ∩ (Q∖R)| / |Q∖R|, where candidates tied across the cut count by their expected share; NaN where Q∖R is
        empty.
    """
    wrong = set(biased).difference(gold)
    if not wrong:
        return math.nan
    found, left = 0.0, n
    for group in _tied_groups(scores):
        taken = min(len(group), left)
        found += len(wrong.intersection(group)) * taken / len(group)
        left -= taken
        if not left:
            break
    return found / len(wrong)


def _tied_groups(scores: Sequence[float]) -> Iterator[list[int]]:
    """Yield the indices of equal scores together, the highest score first."""
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    for _, group in groupby(order, key=lambda index: scores[index]):
        yield list(group)


def _precision_in_group(before: int, right_before: int, size: int, right: int) -> float:
    """Return the expected sum of precisions at the ranks of right candidates within one tied group.

    In a random order of `size` candidates, place j holds a right one with probability right/size, and then
    (j - 1)(right - 1)/(size - 1) right ones are expected at the places before it.
    """
    if not right:
        return 0.0
    ahead = (right - 1) / (size - 1) if size > 1 else 0.0
    precisions = ((right_before + 1 + place * ahead) / (before + 1 + place) for place in range(size))
    return right / size * math.fsum(precisions)
