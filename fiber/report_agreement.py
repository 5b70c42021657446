"""RankC by topic, model and pair of languages, as a figure with its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crossfact.fiber.report_consistency import consistency, language_pairs, random_consistency
from crossfact.fiber.report_rankings import Rankings
from crossfact.utils.report import charts, figures
from crossfact.utils.report.means import mean_estimates
from crossfact.utils.report.sections import Cell, Column, Figure, Table
from crossfact.utils.report.statistics import Clustered, estimates

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


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
        height = 0.23 * (len(topics) + 1) + 0.1
        width = max(1.7, 0.55 * len(names) + 0.7, 0.08 * max(map(len, models)))
        drawing, panels = figures.panels(1, len(models), width=width, height=height)
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
