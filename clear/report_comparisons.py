"""Paired differences between models, and between a language and English."""

from __future__ import annotations

from itertools import combinations

from crossfact.clear.report_outcomes import DATASETS, Answers
from crossfact.clear.report_rates import task_scores
from crossfact.utils.report.comparisons import Comparison, comparison_table
from crossfact.utils.report.sections import Table

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

_FAMILIES = "of the same rate on the same dataset"


def models_table(answers: Answers) -> Table | None:
    """Return the differences between models in each metric, over the languages that both have; None for one model."""
    comparisons = []
    for dataset in answers.datasets:
        for (number, metric), heading in COMPARED.items():
            for one, two in combinations(answers.models, 2):
                sides = []
                for lang in answers.languages:
                    first, second = (task_scores(answers, model, dataset, number, lang, metric) for model in (one, two))
                    if first is not None and second is not None:
                        sides.append((first, second))
                if sides:
                    labels = (one, two, DATASETS[dataset], heading, f"{len(sides)} languages")
                    comparisons.append(Comparison(labels, (dataset, heading), sides))
    return comparison_table(
        "clear_models",
        "Differences between models",
        ("model", "less", "dataset", "rate", "mean over"),
        comparisons,
        _FAMILIES,
    )


def languages_table(answers: Answers) -> Table | None:
    """Return the difference of each language to English in each model and metric; None without English."""
    comparisons = []
    for dataset in answers.datasets:
        for (number, metric), heading in COMPARED.items():
            for model in answers.models:
                english = task_scores(answers, model, dataset, number, REFERENCE, metric)
                for lang in answers.languages:
                    scores = task_scores(answers, model, dataset, number, lang, metric)
                    if lang != REFERENCE and english is not None and scores is not None:
                        labels = (model, lang, DATASETS[dataset], heading)
                        comparisons.append(Comparison(labels, (dataset, heading), [(scores, english)]))
    return comparison_table(
        "clear_languages",
        "Each language less English",
        ("model", "language", "dataset", "rate"),
        comparisons,
        _FAMILIES,
    )
