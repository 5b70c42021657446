"""SWORD's figures of which statements are answered wrongly: overlap of errors, statement by statement, densities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from crossfact.sword.answers import GAP, NO_ANSWER, NOT_SURE, RIGHT, WRONG, Answers, Floats
from crossfact.sword.distortions import KINDS
from crossfact.sword.report_scores import OS, POS, PROPERTY_BASED, PSS, SS, document_scores, jaccard, pooled
from crossfact.utils.report import charts, figures
from crossfact.utils.report.sections import Cell, Column, Figure, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

LABELS = tuple(kind.upper() for kind in KINDS)
_RIGHT_COLOURS = ("#0072b2", "#e69f00", "#cc79a7", "#d55e00", "#009e73")
_WRONG_COLOUR, _UNSURE_COLOUR = "#151515", "#f4f4f4"


def errors_between_languages(answers: Answers) -> Figure | None:
    """Draw how alike a model's errors are in each pair of languages (Figure 4); None with a single language."""
    if len(answers.languages) < 2:
        return None
    found = {
        (label, LABELS[kind]): jaccard(_errors(answers)[model, :, :, kind])
        for model, label in enumerate(answers.models)
        for kind in range(len(KINDS))
    }
    return _heat_maps(
        "sword_errors_languages",
        "Overlap of errors between languages",
        ("model", "kind"),
        answers.languages,
        (answers.models, LABELS),
        found,
        "Jaccard similarity (%) of the sets of wrongly answered statements of two languages, for each model (rows) and "
        "kind of statement (columns). Blocks of similar languages show where knowledge is shared. Hatched: no error "
        "in either, or not run. After the paper's Figure 4.",
    )


def errors_between_models(answers: Answers) -> Figure | None:
    """Draw how alike two models' errors are, in each language (Figure 5); None with a single model."""
    if len(answers.models) < 2:
        return None
    found = {
        (LABELS[kind], lang): jaccard(_errors(answers)[:, place, :, kind])
        for kind in range(len(KINDS))
        for place, lang in enumerate(answers.languages)
    }
    return _heat_maps(
        "sword_errors_models",
        "Overlap of errors between models",
        ("kind", "language"),
        answers.models,
        (LABELS, answers.languages),
        found,
        "Jaccard similarity (%) of the sets of wrongly answered statements of two models, for each kind of statement "
        "(rows) and language (columns). Hatched: no error in either, or not run. After the paper's Figure 5.",
    )


def statement_strips(answers: Answers) -> Figure:
    """Draw every answer to every statement (Figure 6)."""
    rows: list[tuple[Cell, ...]] = []
    for model, label in enumerate(answers.models):
        for kind, name in enumerate(LABELS):
            for place, lang in enumerate(answers.languages):
                codes = answers.codes[model, place, :, kind]
                meant = (codes == RIGHT, codes == WRONG, codes == NOT_SURE, codes >= NO_ANSWER)
                number = [int(chosen.sum()) for chosen in meant]
                rows.append((label, name, lang, *(number if any(number) else [None] * 4)))

    def draw() -> Drawing:
        height = 0.062 * len(KINDS) * len(answers.languages) + 0.35
        drawing, panels = figures.panels(len(answers.models), 1, width=7, height=height, shared=False)
        for model, axes in enumerate(panels[:, 0]):
            codes, palette = strip_codes(answers, model)
            names = [lang for _ in KINDS for lang in answers.languages]
            charts.strips(axes, codes, names, palette, groups=LABELS)
            axes.set_title(answers.models[model])
        meanings = {**dict(zip(LABELS, _RIGHT_COLOURS, strict=True)), "wrong": _WRONG_COLOUR}
        charts.key(drawing, {**meanings, "unsure or invalid": _UNSURE_COLOUR}, {})
        return drawing

    headings = ("right", "wrong", "unsure", "invalid")
    columns = (
        *(Column(name, "text") for name in ("model", "kind", "language")),
        *(Column(h, "count") for h in headings),
    )
    return Figure(
        "sword_strips",
        "Statement by statement",
        draw,
        Table("sword_strips_data", "Answers by model, kind and language", columns, tuple(rows)),
        "Each row is a kind of statement in a language, each column a triple; triples are ordered by the number of "
        "languages in which the model accepts the true statement. Coloured: right; black: wrong; white: unsure or "
        "invalid. After the paper's Figure 6.",
    )


def proximity_density(answers: Answers) -> Figure | None:
    """Draw how near replacements lie to what they replace (Figure 1b); None where the documents do not say."""
    samples = {
        LABELS[kind]: values[~np.isnan(values)].tolist()
        for kind in (SS, OS, PSS, POS)
        for values in [answers.similarity[:, kind]]
    }
    if not any(samples.values()):
        return None

    def draw() -> Drawing:
        drawing, panels = figures.panels(1, 1, width=4.6, height=2.4)
        charts.density(panels[0, 0], samples, -0.5, 1.0)
        panels[0, 0].set(xlabel="cosine of the original and the replacing entity")
        figures.legend(drawing, panels[0, 0])
        return drawing

    rows = []
    for label, values in samples.items():
        x, y = charts.density_curve(values, -0.5, 1.0)
        mode = float(x[int(np.argmax(y))]) if not np.isnan(y).any() else None
        rows.append((label, len(values), float(np.mean(values)) if values else None, mode))
    columns = (Column("kind", "text"), Column("statements", "count"), Column("mean", "score"), Column("mode", "score"))
    return Figure(
        "sword_proximity",
        "Semantic proximity of the replacements",
        draw,
        Table("sword_proximity_data", "Cosine of original and replacing entity", columns, tuple(rows)),
        "Density of the cosine of node2vec vectors. Property-based replacements (PSS, POS) lie nearer than random ones "
        "(SS, OS). The paper's modes are 0.37 and 0.30 against 0.26 and 0.22. After the paper's Figure 1b.",
    )


def difference_density(answers: Answers) -> Figure | None:
    """Draw the density of PSS − SS and POS − OS over models and languages (Figure 1c); None with one pair only."""
    scores = document_scores(answers)
    rows: list[tuple[Cell, ...]] = []
    samples: dict[str, list[float]] = {}
    for side, (near, random) in PROPERTY_BASED.items():
        name = f"{LABELS[near]} − {LABELS[random]} ({side})"
        for place, label in enumerate(answers.models):
            for lang in answers.languages:
                one, other = (pooled(answers, scores[f"acc_{KINDS[kind]}"], place, [lang]) for kind in (near, random))
                if one is not None and other is not None:
                    samples.setdefault(name, []).append(one.mean - other.mean)
                    rows.append((label, lang, name, one.mean - other.mean))
    if max(map(len, samples.values()), default=0) < 2:
        return None
    reach = 1.4 * max(0.05, *(abs(value) for values in samples.values() for value in values))

    def draw() -> Drawing:
        drawing, panels = figures.panels(1, 1, width=4.6, height=2.4)
        charts.density(panels[0, 0], samples, -reach, reach)
        charts.baseline(panels[0, 0], 0.0, "no difference", vertical=True)
        charts.percent_axis(panels[0, 0].xaxis, _step(reach))
        panels[0, 0].set(xlabel="difference in accuracy, percentage points")
        figures.legend(drawing, panels[0, 0])
        return drawing

    columns = (*(Column(name, "text") for name in ("model", "language", "pair")), Column("difference", "points"))
    return Figure(
        "sword_differences",
        "Property-based minus random accuracy",
        draw,
        Table("sword_differences_data", "Differences by model and language", columns, tuple(rows)),
        "Density of the difference over models and languages, with a tick for each. Right of zero, plausible false "
        "statements are rejected more often than nonsensical ones. After the paper's Figure 1c.",
    )


def _errors(answers: Answers) -> Floats:
    return 1 - answers.right


def _heat_maps(
    name: str,
    title: str,
    outer: tuple[str, str],
    inner: Sequence[str],
    layout: tuple[Sequence[str], Sequence[str]],
    found: dict[tuple[str, str], Floats],
    caption: str,
) -> Figure:
    """Return a grid of symmetric heat maps, by row and column of `layout`."""
    rows: list[tuple[Cell, ...]] = [
        (*place, inner[one], inner[two], float(matrix[one, two]))
        for place, matrix in found.items()
        for one in range(len(inner))
        for two in range(one + 1, len(inner))
    ]

    def draw() -> Drawing:
        size = max(1.2, 0.22 * len(inner) + 0.15)
        drawing, panels = figures.panels(len(layout[0]), len(layout[1]), width=size, height=0.88 * size, square=True)
        for row, first in enumerate(layout[0]):
            for column, second in enumerate(layout[1]):
                axes = panels[row, column]
                scale = charts.heat_map(axes, found[first, second], inner, inner, diagonal=False)
                axes.set_aspect("equal")
                if row == 0:
                    axes.set_title(second)
                if column == 0:
                    axes.set_ylabel(figures.wrap(first))
        charts.colour_bar(drawing, scale, panels, "Jaccard similarity, %")
        return drawing

    columns = (*outer, "one", "other")
    data = Table(f"{name}_data", title, (*(Column(c, "text") for c in columns), Column("Jaccard")), tuple(rows))
    return Figure(name, title, draw, data, caption)


def strip_codes(answers: Answers, model: int) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return a model's answers as places in a palette, kinds one below the other, easiest triples first."""
    codes = answers.codes[model]
    right = codes == RIGHT
    order = np.lexsort((-right.sum(axis=(0, 2)), -right[:, :, 0].sum(axis=0)))
    shown = np.full((len(KINDS), *codes.shape[:2]), -1, dtype=np.int8)
    for kind in range(len(KINDS)):
        one = codes[:, order, kind]
        shown[kind] = np.select([one == RIGHT, one == WRONG, one == GAP], [kind, 5, -1], 6)
    return shown.reshape(-1, codes.shape[1]), (*_RIGHT_COLOURS, _WRONG_COLOUR, _UNSURE_COLOUR)


def _step(reach: float) -> float:
    return next(step for step in (0.02, 0.05, 0.1, 0.25, 0.5) if reach / step <= 5 or step == 0.5)
