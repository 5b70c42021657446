"""FIBER's figures in the report, after the paper's figures 2 to 7."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from crossfact.fiber.report_accuracy import MULTI, SINGLE, average, estimated, mean_answers, topics_of
from crossfact.fiber.report_bias import HIGH, Bias, strata
from crossfact.fiber.report_rankings import RANDOM, Rankings
from crossfact.fiber.topics import ENTITY_QUERIES
from crossfact.utils.report import charts, figures
from crossfact.utils.report.sections import Cell, Column, Figure, Table
from crossfact.utils.report.statistics import Clustered, Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

Select = Callable[[str, str, str], list[Clustered]]
"""(metric, group, series) → what a mean over topics is taken of."""

_QUERIES = {"sentence (sc)": ("sc",), "question (qa)": ("qa",)}
_CLASSES = {"single-entity": SINGLE, "multi-entity": MULTI}


def map_bars(rankings: Rankings) -> Figure:
    """Draw MAP by class, kind of query, model and language (figures 5 and 7)."""
    classes = {name: kind for name, kind in _CLASSES.items() if topics_of(rankings, kind)}
    models, langs = rankings.models, rankings.languages

    def of(metric: str, **chosen: object) -> list[Clustered]:
        return average(rankings, metric, **chosen)  # type: ignore[arg-type]

    panels: dict[str, tuple[Sequence[str], Sequence[str], Select]] = {
        "class and query": (
            list(classes),
            list(_QUERIES),
            lambda metric, group, one: of(metric, kind=classes[group], queries=_QUERIES[one]),
        ),
        "language and query": (
            langs,
            list(_QUERIES),
            lambda metric, group, one: of(metric, languages=[group], queries=_QUERIES[one]),
        ),
        "model and class": (
            models,
            list(classes),
            lambda metric, group, one: of(metric, models=[group], kind=classes[one]),
        ),
        "model and query": (
            models,
            list(_QUERIES),
            lambda metric, group, one: of(metric, models=[group], queries=_QUERIES[one]),
        ),
        "model and language": (
            models,
            langs,
            lambda metric, group, one: of(metric, models=[group], languages=[one]),
        ),
    }
    groups = {
        (panel, metric, group, one): select(metric, group, one)
        for panel, (heads, series, select) in panels.items()
        for metric in ("map", f"{RANDOM}map")
        for group in heads
        for one in series
    }
    found = estimated(groups)
    tops = [one.value if np.isnan(one.high) else one.high for one in found.values() if not np.isnan(one.value)]
    top = min(1.0, 0.1 * np.ceil(10 * max(tops, default=1.0) + 0.2))  # one scale for all panels

    def draw() -> Drawing:
        width = max(4.6, max(1.1, 0.075 * max(map(len, models))) * len(models))  # names stand side by side
        drawing, axes = figures.panels(len(panels), 1, width=width, height=1.75, shared=False)
        for one, (panel, (heads, series, _)) in zip(axes.flat, panels.items(), strict=True):
            shown = {name: [found.get((panel, "map", head, name)) for head in heads] for name in series}
            charts.grouped_bars(one, heads, shown)
            _random_ticks(one, [[found.get((panel, f"{RANDOM}map", h, name)) for name in series] for h in heads])
            charts.percent_axis(one.yaxis, 0.25 if top > 0.5 else 0.1)
            one.set(title=f"By {panel}", ylim=(0, top), ylabel="MAP, %")
            one.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return drawing

    rows: list[tuple[Cell, ...]] = [
        (
            panel,
            group,
            one,
            found.get((panel, "map", group, one)),
            _value(found.get((panel, f"{RANDOM}map", group, one))),
        )
        for panel, metric, group, one in groups
        if metric == "map"
    ]
    title = "Mean average precision by class, query, model and language"
    headings = (*(Column(name, "text") for name in ("panel", "group", "bars")), Column("MAP"), Column("random MAP"))
    return Figure(
        "fiber_map_bars",
        title,
        draw,
        Table("fiber_map_bars_data", title, headings, tuple(rows)),
        "MAP over entity queries, in percent, each topic (and model and language, where a panel does not split by "
        "them) weighing the same. Lines: 95 % intervals. Dotted: a random ranking. A dash: a topic that it needs was "
        "not run. After the paper's figures 5 and 7.",
    )


def by_answers(rankings: Rankings) -> Figure:
    """Draw the mean number of answers beside MAP, by topic (Figure 6)."""
    answers = {topic: mean_answers(rankings, topic) for topic in rankings.topics}
    topics = sorted(rankings.topics, key=lambda topic: -answers[topic])

    def of(topic: str, metric: str) -> list[Clustered]:
        return rankings.strata(
            metric, ENTITY_QUERIES, models=rankings.models, topics=[topic], languages=rankings.languages
        )

    found = estimated({(topic, metric): of(topic, metric) for topic in topics for metric in ("map", f"{RANDOM}map")})

    def draw() -> Drawing:
        drawing, panels = figures.panels(1, 2, width=3.2, height=max(1.0, 0.2 * len(topics) + 0.2), shared=False)
        left, right = panels[0]
        places = np.arange(len(topics))
        left.barh(places, [answers[topic] for topic in topics], 0.7, color=figures.MUTED)
        left.invert_xaxis()
        left.set(title="Mean number of answers", yticks=places, yticklabels=topics)
        _dots(right, {"MAP": [found.get((topic, "map")) for topic in topics]}, len(topics))
        _random_dots(right, [found.get((topic, f"{RANDOM}map")) for topic in topics])
        right.set(title="MAP, %", yticks=places, yticklabels=[])
        for axes in (left, right):
            axes.set_ylim(len(topics) - 0.5, -0.5)
            axes.tick_params(axis="y", length=0)
        figures.legend(drawing, right)
        return drawing

    rows: list[tuple[Cell, ...]] = [
        (topic, answers[topic], found.get((topic, "map")), _value(found.get((topic, f"{RANDOM}map"))))
        for topic in topics
    ]
    title = "Number of answers and mean average precision by topic"
    columns = (Column("topic", "text"), Column("answers", "score"), Column("MAP"), Column("random MAP"))
    return Figure(
        "fiber_answers",
        title,
        draw,
        Table("fiber_answers_data", title, columns, tuple(rows)),
        "Topics by their mean number of right answers, and MAP over entity queries, models and languages, with 95 % "
        "intervals. Diamonds: a random ranking. After the paper's Figure 6.",
    )


def bias_dots(rankings: Rankings, bias: Bias) -> Figure:
    """Draw factual inference bias by topic: over all models and languages, by model, by language (figures 2 to 4)."""
    models, langs = rankings.models, bias.languages
    views: dict[str, Mapping[str, tuple[Sequence[str], Sequence[str]]]] = {
        "Models and languages": {"mean": (models, langs)},
        **({"Models": {model: ([model], langs) for model in models}} if len(models) > 1 else {}),
        "Languages": {lang: (models, [lang]) for lang in langs},
    }
    found = estimated(
        {
            (view, name, metric, topic): strata(rankings, [topic], *chosen, metric)
            for view, series in views.items()
            for name, chosen in series.items()
            for metric in ("fib", f"{RANDOM}fib")
            for topic in bias.topics
        }
    )
    topics = sorted(
        bias.topics, key=lambda topic: -_value(found.get(("Models and languages", "mean", "fib", topic)), -1)
    )

    def draw() -> Drawing:
        tallest = max(len(series) for series in views.values())
        height = max(1.5, (0.13 + 0.09 * tallest) * len(topics) + 0.3) + 0.13 * tallest
        drawing, panels = figures.panels(1, len(views), width=2.9, height=height)
        for axes, (view, series) in zip(panels.flat, views.items(), strict=True):
            shown = {name: [found.get((view, name, "fib", topic)) for topic in topics] for name in series}
            _dots(axes, shown, len(topics))
            _random_dots(axes, [found.get(("Models and languages", "mean", f"{RANDOM}fib", topic)) for topic in topics])
            axes.axvline(HIGH, color=figures.MUTED, linewidth=0.8)
            axes.set(title=view, xlabel="FIB@10, %", yticks=range(len(topics)), yticklabels=topics)
            axes.set_ylim(len(topics) - 0.5, -0.5)
            axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.5 / height), ncols=1)
        return drawing

    rows: list[tuple[Cell, ...]] = [
        (view, name, topic, estimate) for (view, name, metric, topic), estimate in found.items() if metric == "fib"
    ]
    title = "Factual inference bias by topic"
    columns = (*(Column(heading, "text") for heading in ("panel", "series", "topic")), Column("FIB@10"))
    return Figure(
        "fiber_bias_dots",
        title,
        draw,
        Table("fiber_bias_dots_data", title, columns, tuple(rows)),
        "The share of the wrong candidates of the prompt language's country that are among the ten best, with 95 % "
        "intervals; means over what a panel does not split by. Line: 50 %. Diamonds: a random ranking. After the "
        "paper's figures 2, 3 and 4.",
    )


def _dots(axes: Axes, series: Mapping[str, Sequence[Estimate | None]], rows: int) -> None:
    """Draw a row of dots with intervals for each label, those of several series above one another."""
    chosen, shapes = figures.colours(list(series)), figures.markers(list(series))
    for place, (name, estimates) in enumerate(series.items()):
        offset = (place - (len(series) - 1) / 2) * min(0.8 / len(series), 0.28)
        known = [(y + offset, one) for y, one in enumerate(estimates) if one is not None and not np.isnan(one.value)]
        for y, one in known:
            axes.plot([one.low, one.high], [y, y], color=chosen[name], linewidth=1.1, solid_capstyle="butt")
        axes.plot(
            [one.value for _, one in known],
            [y for y, _ in known],
            linestyle="",
            marker=shapes[name],
            markersize=4,
            color=chosen[name],
            label=name,
            clip_on=not known,  # a dot at 0 or 100 is whole; an empty series must not stretch the figure
        )
    for row in range(rows):
        axes.axhline(row, color=figures.GRID, linewidth=0.5, zorder=0)
        if all(of_series[row] is None for of_series in series.values()):
            axes.text(0.01, row, "–", va="center", color=figures.MUTED)
    axes.set_xlim(0, 1)
    charts.percent_axis(axes.xaxis)


def _random_dots(axes: Axes, estimates: Sequence[Estimate | None]) -> None:
    places = [(one.value, row) for row, one in enumerate(estimates) if one is not None]
    x, y = zip(*places, strict=True) if places else ((), ())
    axes.plot(x, y, linestyle="", marker="d", markersize=3.5, color=figures.INK, fillstyle="none", label="random")


def _random_ticks(axes: Axes, groups: Sequence[Sequence[Estimate | None]]) -> None:
    """Draw what a random ranking gets across each bar of `charts.grouped_bars`."""
    label: str | None = "random"
    for group, estimates in enumerate(groups):
        width = 0.8 / max(len(estimates), 1)
        for place, one in enumerate(estimates):
            if one is not None:
                left = group - 0.4 + width * place
                axes.plot(
                    [left, left + width],
                    [one.value] * 2,
                    color=figures.INK,
                    linestyle=(0, (1, 1)),
                    linewidth=1,
                    label=label,
                )
                label = None


def _value(estimate: Estimate | None, missing: float = float("nan")) -> float:
    return missing if estimate is None else estimate.value
