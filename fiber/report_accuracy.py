"""Mean average precision by model, language, class and kind of query (the paper's Table 3, figures 5 to 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from crossfact.fiber.report_rankings import RANDOM, Rankings
from crossfact.fiber.topics import ENTITY_QUERIES, TOPICS
from crossfact.utils.report.means import mean_estimates
from crossfact.utils.report.sections import Cell, Column, Table
from crossfact.utils.report.statistics import Clustered, Estimate, estimates

SINGLE, MULTI = "single", "multi"
ALL_MODELS = "mean over models"

Key = TypeVar("Key", bound=tuple[str, ...])

_NUMBERS = ((MULTI, "sc_count", ("sc_count",)), (MULTI, "qa_count", ("qa_count",)))
_ROWS = (
    ("all", "sc + qa", ENTITY_QUERIES),
    *((kind, query, (query,)) for kind in (SINGLE, MULTI) for query in ENTITY_QUERIES),
    *_NUMBERS,
)


def topics_of(rankings: Rankings, kind: str) -> tuple[str, ...]:
    """Return the topics of a class: `single`, `multi` or `all`."""
    return tuple(topic for topic in rankings.topics if kind == "all" or TOPICS[topic].multi == (kind == MULTI))


def average(
    rankings: Rankings,
    metric: str = "map",
    *,
    queries: Sequence[str] = ENTITY_QUERIES,
    kind: str = "all",
    models: Sequence[str] = (),
    languages: Sequence[str] = (),
) -> list[Clustered]:
    """Return what a mean over topics is taken of; models and languages are all of them unless they are named."""
    return rankings.strata(
        metric,
        queries,
        models=models or rankings.models,
        topics=topics_of(rankings, kind),
        languages=languages or rankings.languages,
    )


def map_table(rankings: Rankings) -> Table:
    """Return MAP by model, class, kind of query and language (Table 3)."""
    rows = [row for row in _ROWS if topics_of(rankings, row[0])]
    models = [(model, [model]) for model in rankings.models]
    if len(models) > 1:
        models.append((ALL_MODELS, list(rankings.models)))
    columns = [*([lang] for lang in rankings.languages), list(rankings.languages)]
    labels: list[tuple[str, str, str]] = []
    groups: list[list[Clustered]] = []
    for metric, named in (("map", models), (f"{RANDOM}map", [("random", list(rankings.models))])):
        for label, chosen in named:
            for kind, query, queries in rows:
                labels.append((label, kind, query))
                groups += [_with_random(rankings, metric, queries, kind, chosen, langs) for langs in columns]
    found = iter(mean_estimates(groups))
    cells: list[tuple[Cell, ...]] = []
    for row in labels:
        means = [next(found) for _ in columns]
        cells.append((*row, *([one.value for one in means] if row[0] == "random" else means)))
    return Table(
        name="fiber_map",
        title="Mean average precision by model, class of topic, kind of query and language",
        columns=(
            *(Column(heading, "text") for heading in ("model", "class", "query")),
            *(Column(lang) for lang in rankings.languages),
            Column("mean"),
        ),
        rows=tuple(cells),
        note="MAP in percent, with 95 % intervals (bootstrap over items); each topic weighs the same. sc: sentence "
        "completion; qa: question; sc_count and qa_count ask for the number of answers and count in no other row. A "
        "row or column with a topic that was not run is a gap. random: the expectation of a random ranking. After the "
        "paper's Table 3.",
    )


def _with_random(
    rankings: Rankings, metric: str, queries: Sequence[str], kind: str, models: list[str], langs: list[str]
) -> list[Clustered]:
    if metric.startswith(RANDOM):
        # the expectation is the same for every model: take those that were run on everything
        models = [m for m in models if average(rankings, queries=queries, kind=kind, models=[m], languages=langs)][:1]
        if not models:
            return []
    return average(rankings, metric, queries=queries, kind=kind, models=models, languages=langs)


def topics_table(rankings: Rankings) -> Table:
    """Return MAP and P@1 by topic, language and model, with how many candidates and answers there are."""
    keys = sorted(rankings.prompts, key=lambda key: (rankings.topics.index(key[1]), rankings.languages.index(key[2])))
    metrics = ("map", "p_at_1", f"{RANDOM}map")
    sets = [rankings.scores(*key, metric, ENTITY_QUERIES) for key in keys for metric in metrics]
    found = iter(estimates([one for one in sets if one is not None]))
    rows: list[tuple[Cell, ...]] = []
    for model, topic, lang in keys:
        accuracy, first, random = (next(found) for _ in metrics)
        candidates = rankings.candidates((model, topic, lang))
        answers = mean_answers(rankings, topic, lang)
        rows.append((topic, lang, model, candidates, answers, accuracy, first, random.value))
    return Table(
        name="fiber_topics",
        title="Mean average precision by topic, language and model",
        columns=(
            *(Column(heading, "text") for heading in ("topic", "language", "model")),
            Column("candidates", "count"),
            Column("answers", "score"),
            Column("MAP"),
            Column("P@1"),
            Column("random MAP"),
        ),
        rows=tuple(rows),
        note="Entity queries (sc and qa), in percent, with 95 % intervals. answers: the mean number of right "
        "candidates. P@1: how often the best candidate is right.",
    )


def mean_answers(rankings: Rankings, topic: str, lang: str = "") -> float:
    """Return the mean number of right candidates of a topic's entity queries, over items, in one language or all."""
    prompts = [
        prompt
        for (_, known, spoken), found in rankings.prompts.items()
        for prompt in found
        if known == topic and lang in ("", spoken) and prompt.query in ENTITY_QUERIES
    ]
    return float(np.mean([len(prompt.gold) for prompt in prompts])) if prompts else float("nan")


def estimated(groups: Mapping[Key, list[Clustered]]) -> dict[Key, Estimate]:
    """Return the mean over topics of each group; what was not run is not in it."""
    known = {key: group for key, group in groups.items() if group}
    return dict(zip(known, mean_estimates(list(known.values())), strict=True))
