"""From the log-likelihoods of one prompt's candidates to its metrics: what the YAML's `process_results` calls."""

from __future__ import annotations

import math
from collections.abc import Sequence

from crossfact.fiber.documents import Document
from crossfact.fiber.metrics import average_precision, inference_bias, precision_at_1
from crossfact.fiber.topics import COUNT_QUERIES, ENTITY_QUERIES, QUESTION, SENTENCE, TOPICS, Topic
from crossfact.utils.errors import UserError
from crossfact.utils.exact import exact

BIAS_RANKS = {"fib": 10, "fib_at_1": 1, "fib_at_5": 5}
"""How many of the best candidates each metric of factual inference bias looks at."""


def metric_names(topic: Topic, lang: str) -> list[str]:
    """Return the metrics that a task can have, in the order of its table."""
    counts = ["map_count"] if topic.multi else []
    bias = list(BIAS_RANKS) if topic.has_bias(lang) else []
    return ["map", "map_sc", "map_qa", *counts, "p_at_1", *bias]


def score_document(doc: Document, results: Sequence[tuple[float, bool]]) -> dict[str, float]:
    """Return the metrics of one prompt, NaN for those that it has no part in.

    Args:
        doc: The prompt.
        results: For each of its choices the summed log-probability, and whether it is the greedy continuation.

    Raises:
        UserError: The model gave a log-likelihood that is not a number.
    """
    scores = [score for score, _ in results]
    if any(math.isnan(score) for score in scores):
        raise UserError(f"the model gave NaN as a log-likelihood in {doc['id']}: try another dtype, such as bfloat16")
    gold, query = doc["gold"], doc["query"]
    precision = math.nan if doc["fault"] else average_precision(scores, gold)

    def only_for(queries: Sequence[str], value: float) -> float:
        return value if query in queries else math.nan

    values = {
        "map": only_for(ENTITY_QUERIES, precision),
        "map_sc": only_for([SENTENCE], precision),
        "map_qa": only_for([QUESTION], precision),
        "p_at_1": only_for(ENTITY_QUERIES, precision_at_1(scores, gold)),
    }
    if TOPICS[doc["topic"]].multi:
        values["map_count"] = only_for(COUNT_QUERIES, precision)
    if (biased := doc["biased"]) is not None:
        values |= {name: inference_bias(scores, gold, biased, n) for name, n in BIAS_RANKS.items()}
    return {name: exact(value) for name, value in values.items()}
