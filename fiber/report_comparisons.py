"""Paired differences between models and between languages, and the consistency of rankings across languages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from crossfact.fiber.report_bias import measured
from crossfact.fiber.report_consistency import consistency, language_pairs, random_consistency
from crossfact.fiber.report_rankings import Rankings
from crossfact.fiber.topics import ENTITY_QUERIES
from crossfact.utils.report import charts, figures
from crossfact.utils.report.means import Strata, mean_differences, mean_estimates
from crossfact.utils.report.sections import Cell, Column, Figure, Table
from crossfact.utils.report.statistics import Clustered, common_items, estimates, holm

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_METRICS = {"map": "MAP", "p_at_1": "P@1", "fib": "FIB@10"}
_NOTE = (
    "In percentage points, paired by item, with 95 % intervals (bootstrap over items); each topic weighs the same. p: "
    "swapping the two sides item by item; p (Holm): corrected for all comparisons of this table."
)
_Pairs = list[tuple[Strata, Strata]]


def models_table(rankings: Rankings) -> Table | None:
    """Return the differences between models over the tasks that both were run on; None for one model."""
    labels: list[tuple[str, ...]] = []
    pairs: _Pairs = []
    for metric, heading in _METRICS.items():
        for one, two in combinations(rankings.models, 2):
            tasks = _tasks(rankings, one) & _tasks(rankings, two)
            shared = [task for task in _ordered(rankings, tasks) if _defined(rankings, metric, task)]
            sides = [(_scores(rankings, one, metric, task), _scores(rankings, two, metric, task)) for task in shared]
            if sides:
                labels.append((one, two, heading, f"{len(sides)} tasks"))
                pairs.append(_paired(sides))
    return _compared("fiber_models", "Differences between models", ("model", "less", "score", "over"), labels, pairs)


def languages_table(rankings: Rankings) -> Table | None:
    """Return the differences between languages over the topics that a model was run on in both."""
    labels: list[tuple[str, ...]] = []
    pairs: _Pairs = []
    for metric, heading in _METRICS.items():
        for model in rankings.models:
            for one, two in combinations(rankings.languages, 2):
                topics = [
                    topic
                    for topic in rankings.topics
                    if {(topic, one), (topic, two)} <= _tasks(rankings, model)
                    and all(_defined(rankings, metric, (topic, lang)) for lang in (one, two))
                ]
                sides = [
                    (_scores(rankings, model, metric, (t, one)), _scores(rankings, model, metric, (t, two)))
                    for t in topics
                ]
                if sides:
                    labels.append((model, f"{one} − {two}", heading, f"{len(sides)} topics"))
                    pairs.append(_paired(sides))
    return _compared(
        "fiber_languages", "Differences between languages", ("model", "languages", "score", "over"), labels, pairs
    )


def consistency_parts(rankings: Rankings) -> tuple[tuple[Table | Figure, ...], tuple[str, ...]]:
    """Return RankC by topic, model and pair of languages as a figure with its numbers, and why some are missing."""
    pairs = language_pairs(rankings)
    sets: dict[tuple[str, str, str], Clustered] = {}
    notes: dict[str, list[str]] = {}
    for model in rankings.models:
        for topic in rankings.topics:
            for pair in pairs:
                scores, why = consistency(rankings, model, topic, pair)
                if scores is not None:
                    sets[model, topic, "–".join(pair)] = scores
                elif why:
                    notes.setdefault(why, []).append(f"{topic} {'–'.join(pair)}")
    lines = tuple(f"No RankC of {', '.join(dict.fromkeys(where))}: {why}." for why, where in notes.items())
    return (_consistency_figure(rankings, sets),) if sets else (), lines


def _consistency_figure(rankings: Rankings, sets: dict[tuple[str, str, str], Clustered]) -> Figure:
    names = ["–".join(pair) for pair in language_pairs(rankings)]
    models = [model for model in rankings.models if any(key[0] == model for key in sets)]
    topics = [topic for topic in rankings.topics if any(key[1] == topic for key in sets)]
    found = dict(zip(sets, estimates(list(sets.values())), strict=True))
    columns = [[sets.get((model, topic, name)) for topic in topics] for model in models for name in names]
    whole = [[one for one in column if one is not None] for column in columns]
    means = mean_estimates([known if len(known) == len(topics) else [] for known in whole])
    random = [_random(rankings, topic) for topic in topics]

    def draw() -> Drawing:
        height = 0.23 * (len(topics) + 1) + 0.6
        drawing, panels = figures.panels(1, len(models), width=max(1.7, 0.55 * len(names) + 0.7), height=height)
        for place, (axes, model) in enumerate(zip(panels.flat, models, strict=True)):
            averages = means[place * len(names) : (place + 1) * len(names)]
            cells = [[getattr(found.get((model, topic, name)), "value", np.nan) for name in names] for topic in topics]
            values = np.array([*cells, [one.value for one in averages]])
            scale = charts.heat_map(axes, values, [*topics, "mean"], names)
            axes.set_title(model, fontsize=7.5)
            axes.tick_params(axis="x", labelrotation=0)
        charts.colour_bar(drawing, scale, panels, "RankC, %")
        return drawing

    rows: list[tuple[Cell, ...]] = [
        (model, topic, *(found.get((model, topic, name)) for name in names), random[place])
        for model in models
        for place, topic in enumerate(topics)
    ]
    for place, model in enumerate(models):
        averages = means[place * len(names) : (place + 1) * len(names)]
        rows.append((model, "mean over topics", *averages, float(np.mean(random))))
    title = "Consistency of rankings across languages (RankC)"
    headings = (Column("model", "text"), Column("topic", "text"), *(Column(name) for name in names), Column("random"))
    return Figure(
        "fiber_consistency",
        title,
        draw,
        Table("fiber_consistency_data", title, headings, tuple(rows), "In percent, with 95 % intervals."),
        "RankC (Qi et al. 2023) in percent: 100 where both languages rank the candidates alike; the first ranks weigh "
        "most. Candidates are aligned by the items that they answer. A random pair of rankings has "
        f"{100 * min(random):.1f} to {100 * max(random):.1f}, by topic.",
    )


def _random(rankings: Rankings, topic: str) -> float:
    sizes = [rankings.candidates(key) for key in rankings.prompts if key[1] == topic]
    return random_consistency(min(sizes))


def _tasks(rankings: Rankings, model: str) -> set[tuple[str, str]]:
    return {(topic, lang) for known, topic, lang in rankings.prompts if known == model}


def _ordered(rankings: Rankings, tasks: set[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(topic, lang) for topic in rankings.topics for lang in rankings.languages if (topic, lang) in tasks]


def _defined(rankings: Rankings, metric: str, task: tuple[str, str]) -> bool:
    return metric != "fib" or (task[0] in measured(rankings).topics and task[1] in measured(rankings).languages)


def _scores(rankings: Rankings, model: str, metric: str, task: tuple[str, str]) -> Clustered:
    scores = rankings.scores(model, *task, metric, ENTITY_QUERIES)
    if scores is None:
        raise ValueError(f"{model} has no task {task}")
    return scores


def _paired(sides: Sequence[tuple[Clustered, Clustered]]) -> tuple[Strata, Strata]:
    shared = [common_items(one, two) for one, two in sides]
    return [one for one, _ in shared], [two for _, two in shared]


def _compared(
    name: str, title: str, headings: Sequence[str], labels: Sequence[tuple[str, ...]], pairs: _Pairs
) -> Table | None:
    if not pairs:
        return None
    found = mean_differences(pairs)
    corrected = holm([difference.p for difference in found])
    rows: list[tuple[Cell, ...]] = [
        (*known, difference, difference.p, p) for known, difference, p in zip(labels, found, corrected, strict=True)
    ]
    tested = (Column("difference", "points"), Column("p", "p"), Column("p (Holm)", "p"))
    return Table(name, title, (*(Column(heading, "text") for heading in headings), *tested), tuple(rows), _NOTE)
