"""Paired differences between models, and between a language and English."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from crossfact.clear.report_outcomes import DATASETS, Answers
from crossfact.clear.report_rates import task_scores
from crossfact.utils.report.means import Strata, mean_differences
from crossfact.utils.report.sections import Cell, Column, Table
from crossfact.utils.report.statistics import common_items, holm

REFERENCE = "en"

COMPARED = {
    (1, "acc"): "closed-book accuracy",
    (2, "sr"): "SR, same language",
    (2, "pr"): "PR, same language",
    (3, "sr"): "SR, other languages",
    (3, "pr"): "PR, other languages",
    (4, "acc_pos"): "two sources, Q=Pos",
    (4, "acc_neg"): "two sources, Q=Neg",
}
"""Task and metric → their name in the tables."""

_NOTE = (
    "In percentage points, paired by item, with 95 % intervals (bootstrap over items). p: swapping the two sides item "
    "by item; p (Holm): corrected for all comparisons of this table."
)


def models_table(answers: Answers) -> Table | None:
    """Return the differences between models in each metric, over the languages that both have; None for one model."""
    labels, pairs = [], []
    for dataset in answers.datasets:
        for (number, metric), heading in COMPARED.items():
            for one, two in combinations(answers.models, 2):
                left, right = [], []
                for lang in answers.languages:
                    first, second = (task_scores(answers, model, dataset, number, lang, metric) for model in (one, two))
                    if first is not None and second is not None:
                        shared = common_items(first, second)
                        left.append(shared[0])
                        right.append(shared[1])
                if left:
                    labels.append((one, two, DATASETS[dataset], heading, f"{len(left)} languages"))
                    pairs.append((left, right))
    return _compared(
        "clear_models", "Differences between models", ("model", "less", "dataset", "rate", "mean over"), labels, pairs
    )


def languages_table(answers: Answers) -> Table | None:
    """Return the difference of each language to English in each model and metric; None without English."""
    labels, pairs = [], []
    for dataset in answers.datasets:
        for (number, metric), heading in COMPARED.items():
            for model in answers.models:
                english = task_scores(answers, model, dataset, number, REFERENCE, metric)
                for lang in answers.languages:
                    scores = task_scores(answers, model, dataset, number, lang, metric)
                    if lang != REFERENCE and english is not None and scores is not None:
                        one, two = common_items(scores, english)
                        labels.append((model, lang, DATASETS[dataset], heading))
                        pairs.append(([one], [two]))
    return _compared(
        "clear_languages", "Each language less English", ("model", "language", "dataset", "rate"), labels, pairs
    )


def _compared(
    name: str,
    title: str,
    headings: Sequence[str],
    labels: Sequence[tuple[str, ...]],
    pairs: Sequence[tuple[Strata, Strata]],
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
