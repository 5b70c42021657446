"""Paired differences between models and between languages."""

from __future__ import annotations

from itertools import combinations

from crossfact.fiber.report_rankings import Rankings
from crossfact.fiber.topics import ENTITY_QUERIES
from crossfact.utils.report.comparisons import Comparison, comparison_table
from crossfact.utils.report.sections import Table
from crossfact.utils.report.statistics import Clustered

_METRICS = {"map": "MAP", "p_at_1": "P@1", "fib": "FIB@10"}
_FAMILIES = "of the same score. Each task, or topic, weighs the same"
_Task = tuple[str, str]
"""Topic and language."""


def models_table(rankings: Rankings) -> Table | None:
    """Return the differences between models over the tasks that both were run on; None for one model."""
    comparisons = []
    for metric, heading in _METRICS.items():
        for one, two in combinations(rankings.models, 2):
            scores = [_scores(rankings, model, metric) for model in (one, two)]
            sides = [(scores[0][task], scores[1][task]) for task in scores[0] if task in scores[1]]
            if sides:
                comparisons.append(Comparison((one, two, heading, f"{len(sides)} tasks"), (heading,), sides))
    return comparison_table(
        "fiber_models", "Differences between models", ("model", "less", "score", "mean over"), comparisons, _FAMILIES
    )


def languages_table(rankings: Rankings) -> Table | None:
    """Return the differences between languages over the topics that a model was run on in both."""
    comparisons = []
    for metric, heading in _METRICS.items():
        for model in rankings.models:
            scores = _scores(rankings, model, metric)
            for one, two in combinations(rankings.languages, 2):
                both = [topic for topic in rankings.topics if (topic, one) in scores and (topic, two) in scores]
                sides = [(scores[topic, one], scores[topic, two]) for topic in both]
                if sides:
                    labels = (model, one, two, heading, f"{len(sides)} topics")
                    comparisons.append(Comparison(labels, (heading,), sides))
    return comparison_table(
        "fiber_languages",
        "Differences between languages",
        ("model", "language", "less", "score", "mean over"),
        comparisons,
        _FAMILIES,
    )


def _scores(rankings: Rankings, model: str, metric: str) -> dict[_Task, Clustered]:
    """Return the metric in all tasks of a model in which it is defined."""
    found = {}
    for topic in rankings.topics:
        for lang in rankings.languages:
            scores = rankings.scores(model, topic, lang, metric, ENTITY_QUERIES)
            if scores is not None and not rankings.undefined(topic, lang, metric, ENTITY_QUERIES):
                found[topic, lang] = scores
    return found
