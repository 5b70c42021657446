"""SWORD's figures in the report, after the paper's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crossfact.sword.answers import EAST_ASIAN, WESTERN, Answers
from crossfact.sword.distortions import KINDS
from crossfact.sword.report_scores import (
    GROUPS,
    ORG,
    OS,
    POS,
    PROPERTY_BASED,
    PSS,
    SS,
    difficulty,
    document_scores,
    means,
    pooled,
)
from crossfact.utils.report import charts, figures
from crossfact.utils.report.sections import GAP, Cell, Column, Figure, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

LABELS = tuple(kind.upper() for kind in KINDS)
"""The kinds of statements as the paper writes them."""

_GROUP_COLOURS = dict(zip(GROUPS, figures.PALETTE, strict=False))
_LANGUAGE_COLOURS = {
    **dict(zip(WESTERN, ("#56b4e9", "#0072b2", "#8073ac", "#009e73", "#7fbf7b", "#8a8d91"), strict=True)),
    **dict(zip(EAST_ASIAN, ("#d55e00", "#e69f00"), strict=True)),
}


def bars(answers: Answers) -> Figure:
    """Draw accuracy on true and on false statements by language."""
    found = means(answers, ("acc_org", "rejection"))
    titles = {"acc_org": "True statements accepted (ORG)", "rejection": "False statements rejected"}
    rows = [
        (label, lang, *(found.get((label, lang, name)) for name in titles))
        for label in answers.models
        for lang in answers.languages
    ]

    def draw() -> Drawing:
        drawing, panels = figures.panels(2, 1, width=7, height=1.7)
        for axes, (name, title) in zip(panels.flat, titles.items(), strict=True):
            series = {label: [found.get((label, lang, name)) for lang in answers.languages] for label in answers.models}
            charts.grouped_bars(axes, answers.languages, series)
            charts.baseline(axes, 0.5)
            charts.percent_axis(axes.yaxis)
            axes.set(title=title, ylim=(0, 1), ylabel="% right")
        figures.legend(drawing, panels[0, 0])
        return drawing

    columns = (Column("model", "text"), Column("language", "text"), Column("ORG"), Column("rejection"))
    data = Table("sword_bars_data", "Accuracy on true and false statements", columns, tuple(rows))
    return Figure(
        "sword_bars",
        "Accuracy on true and on false statements by language",
        draw,
        data,
        "Bars: share of right answers, with 95 % intervals. Dotted: answers at random.",
    )


def property_scatter(answers: Answers) -> Figure:
    """Draw property-based against random distortions (Figure 2a)."""
    sides = {f"Replaced {side}": pair for side, pair in PROPERTY_BASED.items()}
    return _scatter(
        answers,
        "sword_property_scatter",
        "Property-based against random distortions",
        {title: (random, near) for title, (near, random) in sides.items()},
        "One point per model and language. Above the diagonal, false statements that are plausible are rejected more "
        "often than nonsensical ones. Dotted: answers at random. After the paper's Figure 2a.",
    )


def original_scatter(answers: Answers) -> Figure:
    """Draw the rejection of each distortion against the acceptance of true statements (Figure 2b)."""
    return _scatter(
        answers,
        "sword_original_scatter",
        "Distorted against original statements",
        {LABELS[kind]: (ORG, kind) for kind in (SS, OS, PSS, POS)},
        "One point per model and language. Languages that lie side by side in ORG can lie far apart in the rejection "
        "of false statements. Dotted: answers at random. After the paper's Figure 2b.",
    )


def by_difficulty(answers: Answers) -> Figure | None:
    """Draw accuracy by difficulty, language and kind of statement (Figure 3); None without three languages."""
    found = {
        (model, kind): difficulty(answers, model, kind) for model in range(len(answers.models)) for kind in range(5)
    }
    rows: list[tuple[Cell, ...]] = [
        (answers.models[model], LABELS[kind], level, lang, share, count)
        for (model, kind), levels in found.items()
        for level, shares in levels.items()
        for lang, (share, count) in zip(answers.languages, shares, strict=True)
    ]

    if not rows:
        return None

    def draw() -> Drawing:
        alike = len({tuple(levels) for levels in found.values()}) == 1
        drawing, panels = figures.panels(len(answers.models), len(KINDS), width=1.5, height=1.35, shared=alike)
        for (model, kind), levels in found.items():
            axes = panels[model, kind]
            for place, lang in enumerate(answers.languages):
                shares = [level[place][0] for level in levels.values()]
                axes.plot(shares, color=_LANGUAGE_COLOURS[lang], linewidth=1.1, label=lang, marker="o", markersize=2)
            expected = [_share_of(level) for level in levels]
            axes.plot(expected, color=figures.INK, linestyle=(0, (1, 2)), linewidth=1, label="all languages alike")
            if levels:
                axes.set_xticks(range(len(levels)), [level.partition("/")[0] for level in levels])
            else:
                axes.text(0.5, 0.5, GAP, ha="center", color=figures.MUTED, transform=axes.transAxes)
            axes.set_ylim(-0.03, 1.03)
            charts.percent_axis(axes.yaxis, 0.5)
            figures.grid(axes, "y")
            if model == 0:
                axes.set_title(LABELS[kind])
            if kind == 0:
                axes.set_ylabel(f"{figures.wrap(answers.models[model])}\n% right")
        panels[-1, len(KINDS) // 2].set_xlabel("number of languages in which the statement is judged rightly")
        figures.legend(drawing, next(panels[place] for place, levels in found.items() if levels))
        return drawing

    columns = ("model", "kind", "difficulty", "language")
    data = Table(
        "sword_difficulty_data",
        "Accuracy by difficulty",
        (*(Column(name, "text") for name in columns), Column("accuracy"), Column("statements", "count")),
        tuple(rows),
    )
    return Figure(
        "sword_difficulty",
        "Accuracy by difficulty, language and kind of statement",
        draw,
        data,
        "A statement's difficulty is the number of languages in which the model judges it rightly (8 is easiest; two "
        "or fewer are one level). Orange: East Asian languages; all others are Western. Dotted: what each language "
        "would have if none were easier than another. After the paper's Figure 3.",
    )


def _share_of(level: str) -> float:
    known, _, number = level.removeprefix("≤").partition("/")
    return int(known) / int(number) if "≤" not in level else np.nan


def _scatter(answers: Answers, name: str, title: str, sides: dict[str, tuple[int, int]], caption: str) -> Figure:
    scores = document_scores(answers)
    rows: list[tuple[Cell, ...]] = []
    points: dict[str, dict[tuple[str, str], list[tuple[float, float]]]] = {side: {} for side in sides}
    for side, kinds in sides.items():
        for place, label in enumerate(answers.models):
            for lang in answers.languages:
                x, y = (pooled(answers, scores[f"acc_{KINDS[kind]}"], place, [lang]) for kind in kinds)
                if x is not None and y is not None:
                    group = next(group for group, known in GROUPS.items() if lang in known)
                    points[side].setdefault((group, label), []).append((x.mean, y.mean))
                    rows.append((*(LABELS[kind] for kind in kinds), label, lang, x.mean, y.mean))

    def draw() -> Drawing:
        drawing, panels = figures.panels(
            1, len(sides), width=2.0 if len(sides) > 2 else 3.2, height=2.6 if len(sides) > 2 else 3.4, square=True
        )
        shapes = figures.markers(answers.models)
        for axes, (side, kinds) in zip(panels.flat, sides.items(), strict=True):
            charts.diagonal(axes)
            charts.baseline(axes, 0.5)
            charts.baseline(axes, 0.5, vertical=True)
            charts.scatter(axes, points[side], _GROUP_COLOURS, shapes)
            axes.set(title=side, xlabel=f"{LABELS[kinds[0]]}, % right", ylabel=f"{LABELS[kinds[1]]}, % right")
        charts.key(drawing, _GROUP_COLOURS, shapes)
        return drawing

    columns = ("x", "y", "model", "language")
    data = Table(
        f"{name}_data",
        title,
        (*(Column(n, "text") for n in columns), Column("x value"), Column("y value")),
        tuple(rows),
    )
    return Figure(name, title, draw, data, caption)
