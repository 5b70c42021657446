"""SR, PR and closed-book accuracy by how popular an item's subject is (the paper's section 3.2, Task 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crossfact.clear.report_outcomes import Answers, Outcomes
from crossfact.clear.report_rates import memory, persuaded, pool, stubborn
from crossfact.utils.report import charts, figures
from crossfact.utils.report.sections import Cell, Column, Figure, Table
from crossfact.utils.report.statistics import Estimate, Floats, estimates

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

QUANTILES = 4
"""How many equal parts the items are split into."""

RATES = {
    "memory": ("What the model knows", lambda outcomes, _: memory(outcomes)),
    "sr": ("Stubborn rate", stubborn),
    "pr": ("Persuasion rate", persuaded),
}


def quantile_edges(popularity: Floats) -> list[float]:
    """Return the lower and upper bounds of the quantiles of what is known: one more than there are quantiles.

    Equal values stay together; with few different values there are fewer quantiles. Empty if nothing is known.
    """
    known = popularity[~np.isnan(popularity)]
    if not len(known):
        return []
    return sorted({float(edge) for edge in np.quantile(known, np.linspace(0, 1, QUANTILES + 1))})


def quantile_of(popularity: Floats, edges: list[float]) -> Floats:
    """Return the number of each item's quantile, from 0; NaN where popularity is unknown."""
    last = max(len(edges) - 2, 0)
    places = np.minimum(np.searchsorted(edges, popularity, side="right") - 1, last).astype(float)
    return np.where(np.isnan(popularity), np.nan, places)


def by_popularity(answers: Answers) -> tuple[Figure | None, tuple[str, ...]]:
    """Draw the rates by quantile; a note says how many items lack popularity."""
    tasks = [task for key, found in answers.outcomes.items() if key[1:3] == ("popqa", 2) for task in found.values()]
    known = {item: value for task in tasks for item, value in zip(task.items, task.popularity, strict=True)}
    edges = quantile_edges(np.array(list(known.values())))
    lacking = sum(np.isnan(value) for value in known.values())
    notes = (f"{lacking} of {len(known)} PopQA items have no popularity and are in no quantile.",) if lacking else ()
    if len(edges) < 3:
        return None, (*notes, "Rates by popularity need items of different popularity; there are too few.")
    return _figure(answers, edges), notes


def _figure(answers: Answers, edges: list[float]) -> Figure:
    quantiles = range(len(edges) - 1)
    ranges = [f"{edges[q]:,.0f} – {edges[q + 1]:,.0f}" for q in quantiles]
    models = [model for model in answers.models if _tasks(answers, model)]
    found = {(model, rate): _estimates(answers, model, rate, edges) for model in models for rate in RATES}
    rows: list[tuple[Cell, ...]] = [
        (model, f"{quantile + 1}", ranges[quantile], *(found[model, rate][quantile] for rate in RATES))
        for model in models
        for quantile in quantiles
    ]

    def draw() -> Drawing:
        drawing, panels = figures.panels(1, len(RATES), width=2.4, height=2.3)
        for axes, (rate, (title, _)) in zip(panels.flat, RATES.items(), strict=True):
            charts.lines(axes, [q + 1 for q in quantiles], {model: found[model, rate] for model in models})
            charts.percent_axis(axes.yaxis)
            axes.set(title=title, ylim=(-0.02, 1.02), xlabel="popularity quantile")
            axes.set_xticks([q + 1 for q in quantiles])
        panels[0, 0].set_ylabel("%")
        figures.legend(drawing, panels[0, 0])
        return drawing

    columns = (Column("model", "text"), Column("quantile", "text"), Column("page views a month", "text"))
    data = Table(
        "clear_popularity_data",
        "Knowledge, stubbornness and persuasion by popularity",
        (*columns, Column("memory"), Column("SR"), Column("PR")),
        tuple(rows),
        "Task 2 of PopQA, pooled over the languages that a model was asked in.",
    )
    return Figure(
        "clear_popularity",
        "Knowledge, stubbornness and persuasion by popularity",
        draw,
        data,
        "PopQA with evidence in the language of the question, pooled over languages, by quantile of the subject's page "
        "views (1: least popular). Bands: 95 % intervals. A gap is a rate whose condition never held.",
    )


def _tasks(answers: Answers, model: str) -> list[Outcomes]:
    found = [answers.get(model, "popqa", 2, lang) for lang in answers.languages]
    return [outcomes for outcomes in found if outcomes is not None]


def _estimates(answers: Answers, model: str, rate: str, edges: list[float]) -> list[Estimate | None]:
    score = RATES[rate][1]
    sets = []
    for quantile in range(len(edges) - 1):
        parts = []
        for outcomes in _tasks(answers, model):
            (lang,) = outcomes.languages("counter")
            inside = quantile_of(outcomes.popularity, edges) == quantile
            parts.append((outcomes, np.where(inside, score(outcomes, lang), np.nan)))
        sets.append(pool(parts))
    return list(estimates([one for one in sets if one is not None]))
