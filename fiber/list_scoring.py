"""Scores of one list against the gold set: what the YAML's `process_results` calls."""

from __future__ import annotations

import math
from collections.abc import Sequence

from crossfact.fiber.list_answers import Listed
from crossfact.fiber.listing import ListDocument
from crossfact.fiber.topics import Topic
from crossfact.utils.exact import exact

ALWAYS = ("recall", "f1", "answers", "no_answer", "unfinished")
"""The metrics that every document has; the others are NaN where there is no answer."""

HIGHER_IS_BETTER = ("precision", "recall", "f1")


def list_metric_names(topic: Topic, lang: str) -> list[str]:
    """Return the metrics that a task can have, in the order of its table."""
    bias = ["bias"] if topic.has_bias(lang) else []
    return ["precision", "recall", "f1", "outside", *bias, "answers", "no_answer", "unfinished"]


def score_list(doc: ListDocument, lines: Sequence[str]) -> dict[str, float]:
    """Return the scores of one response.

    Args:
        doc: The question.
        lines: The one response, as the filter `listed` gives it.

    Returns:
        `precision` and `recall` of the names listed against the gold set, and `f1`; `outside`, the share of the names
        that are not in the surface set; `bias`, where it is measured, the share of them that are in Q∖R: they belong to
        the country of the language and are wrong; `answers`, their number; `no_answer` and `unfinished`, 0 or 1.
        `precision`, `outside` and `bias` are NaN without any answer, and `bias` where Q∖R is empty.
    """
    said = Listed.loads(lines[0])
    number = len(said.answers)
    right = sum(entity in doc["gold"] for entity in said.entities)
    scores = {
        "precision": _share(right, number),
        "recall": right / len(doc["gold"]),
        "f1": 2 * right / (number + len(doc["gold"])),
        "outside": _share(said.entities.count(None), number),
    }
    if doc["biased"] is not None:
        wrong = set(doc["biased"]).difference(doc["gold"])
        scores["bias"] = _share(sum(entity in wrong for entity in said.entities), number) if wrong else math.nan
    scores |= {"answers": number, "no_answer": float(not number), "unfinished": float(said.unfinished)}
    return {name: exact(score) for name, score in scores.items()}


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
