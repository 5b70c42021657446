"""CLEAR's figures in the report: bars by language, and heat maps after the paper's figures 3, 4, 6 and 7."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from crossfact.clear.report_matrices import (
    ALL_MODELS,
    FAKE,
    TRUTH,
    Matrix,
    evidence_by_query,
    evidence_languages,
    persuasion_gaps,
    truth_by_fake,
)
from crossfact.clear.report_outcomes import DATASETS, Answers
from crossfact.clear.report_rates import CHANCE, task_scores
from crossfact.utils.report import charts, figures
from crossfact.utils.report.sections import Cell, Column, Figure, Table
from crossfact.utils.report.statistics import Estimate, Floats, estimates

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_CELL = 0.235  # inches for a cell of a heat map


def bars(answers: Answers, number: int, metrics: Mapping[str, str], name: str, title: str, caption: str) -> Figure:
    """Draw metrics of a task by query language and model: a row of panels per dataset and metric.

    Args:
        answers: All answers.
        number: The task.
        metrics: Name → heading of its panels.
        name: The figure's name.
        title: Its title.
        caption: Its caption.
    """
    sets = {
        (model, dataset, metric, lang): one
        for dataset in answers.datasets
        for metric in metrics
        for model in answers.models
        for lang in answers.languages
        if (one := task_scores(answers, model, dataset, number, lang, metric)) is not None
    }
    found: dict[tuple[str, ...], Estimate] = dict(zip(sets, estimates(list(sets.values())), strict=True))
    models = [model for model in answers.models if any(key[0] == model for key in found)]
    datasets = [dataset for dataset in answers.datasets if any(key[1] == dataset for key in found)]

    def draw() -> Drawing:
        rows = [(dataset, metric) for dataset in datasets for metric in metrics]
        drawing, panels = figures.panels(len(rows), 1, width=max(5.0, 0.75 * len(answers.languages)), height=1.6)
        for axes, (dataset, metric) in zip(panels.flat, rows, strict=True):
            series = {
                model: [found.get((model, dataset, metric, lang)) for lang in answers.languages] for model in models
            }
            charts.grouped_bars(axes, answers.languages, series)
            charts.percent_axis(axes.yaxis)
            if dataset in CHANCE:
                charts.baseline(axes, CHANCE[dataset])
            axes.set(title=f"{DATASETS[dataset]}: {metrics[metric]}", ylim=(0, 1), ylabel="%")
        figures.legend(drawing, panels[-1, 0])
        return drawing

    headings = ("model", "dataset", "rate", "language")
    rows: list[tuple[Cell, ...]] = [
        (model, DATASETS[dataset], metrics[metric], lang, one) for (model, dataset, metric, lang), one in found.items()
    ]
    columns = (*(Column(heading, "text") for heading in headings), Column("value"))
    return Figure(name, title, draw, Table(f"{name}_data", title, columns, tuple(rows)), caption)


def evidence_matrices(answers: Answers, rate: str, heading: str) -> Figure | None:
    """Draw SR or PR by the language of the evidence and of the question (Task 3); None if there is nothing to draw."""
    matrices = evidence_by_query(answers, rate)
    return _heat_maps(
        matrices,
        name=f"clear_{rate}_matrix",
        title=f"{heading} by the language of the evidence and of the question",
        languages=(evidence_languages(answers, 3), answers.languages),
        axes_labels=("language of the evidence", "language of the question"),
        caption=f"{heading} in percent. The diagonal, evidence in the question's own language, is Task 2's. Hatched: "
        "not measured, or a rate whose condition never held.",
    )


def source_matrices(answers: Answers) -> list[Figure]:
    """Draw accuracy by the languages of the truthful and of the false source (figures 4, 6 and 7; Task 4)."""
    languages = evidence_languages(answers, 4)
    matrices = truth_by_fake(answers)
    drawn = []
    for dataset in answers.datasets:
        figure = _heat_maps(
            [one for one in matrices if one.dataset == dataset],
            name=f"clear_{dataset}_sources",
            title=f"Accuracy by the languages of the truthful and of the false source, {DATASETS[dataset]}",
            languages=(languages, languages),
            axes_labels=("language of the false source", "language of the truthful source"),
            caption="Accuracy in percent. Left: the question has the language of the truthful source; right: of the "
            "false one. One scale for all panels. Hatched: not measured. "
            + ("True or false at random would be right in 50. " if dataset in CHANCE else "")
            + f"After the paper's figures 4 and {'7' if dataset == 'strategyqa' else '6'}.",
        )
        drawn += [figure] if figure else []
    return drawn


def gap_map(answers: Answers) -> Figure | None:
    """Draw PR on PopQA − PR on StrategyQA by model and language of the evidence (Figure 3); None without both."""
    found = persuasion_gaps(answers)
    models = [model for model in answers.models if any(known == model for known, _ in found)]
    languages = [lang for lang in evidence_languages(answers, 3) if any(known == lang for _, known in found)]
    if not models:
        return None
    values = np.array([[_value(found.get((model, lang))) for lang in languages] for model in models])
    largest = float(np.nanmax(np.abs(values))) if not np.isnan(values).all() else 0.0
    limit = max(0.1, math.ceil(largest * 10) / 10)

    def draw() -> Drawing:
        size = (max(3.2, 0.42 * len(languages) + 1.6), 0.28 * len(models) + 0.15)
        drawing, panels = figures.panels(1, 1, width=size[0], height=size[1])
        scale = charts.heat_map(panels[0, 0], values, models, languages, low=-limit, high=limit, how="points")
        panels[0, 0].set_xlabel("language of the evidence")
        charts.colour_bar(drawing, scale, panels, "points")
        return drawing

    rows: list[tuple[Cell, ...]] = [(model, lang, gap) for (model, lang), gap in found.items()]
    title = "Persuasion by evidence in other languages: PopQA less StrategyQA"
    columns = (Column("model", "text"), Column("language of the evidence", "text"), Column("PR gap", "points"))
    note = "Task 3, pooled over the query languages that both datasets have. Intervals resample each dataset's items."
    return Figure(
        "clear_pr_gap",
        title,
        draw,
        Table("clear_pr_gap_data", title, columns, tuple(rows), note),
        "PR on PopQA − PR on StrategyQA in percentage points, by model and language of the evidence. Negative: "
        "evidence in this language corrects reasoning more often than facts. After the paper's Figure 3.",
    )


def _heat_maps(
    matrices: Sequence[Matrix],
    *,
    name: str,
    title: str,
    languages: tuple[Sequence[str], Sequence[str]],
    axes_labels: tuple[str, str],
    caption: str,
) -> Figure | None:
    """Draw matrices: a row of panels per model, a column per dataset and condition."""
    if not matrices:
        return None
    models = list(dict.fromkeys(one.model for one in sorted(matrices, key=lambda one: one.model == ALL_MODELS)))
    beside = 2 if len(models) > 3 else 1  # models in a row
    kinds = list(dict.fromkeys((one.dataset, one.what) for one in matrices))
    placed = {(one.model, one.dataset, one.what): one for one in matrices}

    def draw() -> Drawing:
        size = [_CELL * len(side) + 0.55 for side in languages]
        rows = math.ceil(len(models) / beside)
        drawing, panels = figures.panels(rows, beside * len(kinds), width=max(size[1], 1.9), height=size[0])
        shown = panels.reshape(-1, len(kinds))
        for unused in shown[len(models) :].flat:
            unused.set_axis_off()
        for line, model in zip(shown[: len(models)], models, strict=True):
            for axes, kind in zip(line, kinds, strict=True):
                matrix = placed.get((model, *kind))
                scale = charts.heat_map(axes, _array(matrix, *languages), languages[0], languages[1])
                axes.set_title(_panel_title(model, kind), fontsize=7.5)
        for axes in panels[:, 0]:
            axes.set_ylabel(axes_labels[0])
        for axes in shown[len(models) - beside : len(models)].flat:  # the lowest of each column
            axes.set_xlabel(axes_labels[1])
            axes.tick_params(labelbottom=True)
        charts.colour_bar(drawing, scale, panels, "%")
        return drawing

    rows: list[tuple[Cell, ...]] = [
        (one.model, DATASETS[one.dataset], one.what, *pair, cell)
        for one in matrices
        for pair, cell in one.cells.items()
    ]
    headings = ("model", "dataset", "shown", *axes_labels)
    columns = (*(Column(heading, "text") for heading in headings), Column("value"))
    return Figure(name, title, draw, Table(f"{name}_data", title, columns, tuple(rows)), caption)


def _panel_title(model: str, kind: tuple[str, str]) -> str:
    dataset, what = kind
    return f"{model}\n{f'Q = {what} Lang' if what in (TRUTH, FAKE) else DATASETS[dataset]}"


def _array(matrix: Matrix | None, rows: Sequence[str], columns: Sequence[str]) -> Floats:
    cells = matrix.cells if matrix else {}
    return np.array([[_value(cells.get((row, column))) for column in columns] for row in rows])


def _value(found: object) -> float:
    return float(getattr(found, "value", math.nan))
