"""CLEAR's rates from outcomes, for whole tasks and for one language of evidence (the paper's section 3.3).

Each function returns scores of shape (items,), NaN outside the rate's condition, as `metrics.py` has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from crossfact.clear.report_outcomes import ASKED_LANGUAGE, Answers, Outcomes
from crossfact.utils.report.statistics import Clustered, Floats, cluster

CHANCE = {"strategyqa": 0.5}
"""The share of right answers of a model that says true or false at random, whatever it is told."""


def memory(outcomes: Outcomes, evidence: str = ASKED_LANGUAGE) -> Floats:
    """Return whether the closed-book answer is right, in the query language or another one (Task 4)."""
    return outcomes.right["memory", evidence]


def stubborn(outcomes: Outcomes, evidence: str) -> Floats:
    """Return SR: where memory is right, whether the answer is still right under counter evidence."""
    return np.where(outcomes.memory == 1, outcomes.right["counter", evidence], np.nan)


def persuaded(outcomes: Outcomes, evidence: str) -> Floats:
    """Return PR: where memory is wrong, whether the answer is right under support evidence."""
    return np.where(outcomes.memory == 0, outcomes.right["support", evidence], np.nan)


def against_memory(outcomes: Outcomes, evidence: str) -> Floats:
    """Return whether the answer is right under the evidence that contradicts memory: SR or PR."""
    scores = stubborn(outcomes, evidence)
    return np.where(outcomes.memory == 0, persuaded(outcomes, evidence), scores)


def adopted(outcomes: Outcomes, evidence: str) -> Floats:
    """Return whether the counter answer was given under counter evidence."""
    return outcomes.adopted[evidence]


def two_sources(outcomes: Outcomes, role: str, evidence: str, quadrant: str = "") -> Floats:
    """Return whether the answer to two sources is right.

    Args:
        outcomes: Of Task 4.
        role: `pos` (the query has the language of the truthful source) or `neg` (of the false one).
        evidence: The language of the other source.
        quadrant: Only where memory is right or wrong (`t`, `f`) in the truthful and then in the false language.
    """
    scores = outcomes.right[role, evidence]
    if not quadrant:
        return scores
    beliefs = [memory(outcomes), memory(outcomes, evidence)]
    truthful, false = beliefs if role == "pos" else reversed(beliefs)
    held = (truthful == float(quadrant[0] == "t")) & (false == float(quadrant[1] == "t"))
    return np.where(held, scores, np.nan)


Rate = Callable[[Outcomes, str], Floats]

RATES: dict[str, Rate] = {"acc": against_memory, "sr": stubborn, "pr": persuaded, "adopt": adopted}
"""The rates of tasks 2 and 3, as the harness's table names them."""


def task_scores(answers: Answers, model: str, dataset: str, number: int, lang: str, metric: str) -> Clustered | None:
    """Return a metric of a task, pooled over the languages of evidence; None if the task was not run.

    Args:
        answers: All answers.
        model: Whose.
        dataset: `popqa` or `strategyqa`.
        number: The task.
        lang: The query language.
        metric: `acc` in Task 1, one of `RATES` in tasks 2 and 3, `acc_pos` or `acc_neg` in Task 4.
    """
    outcomes = answers.get(model, dataset, number, lang)
    if outcomes is None:
        return None
    if number == 1:
        return outcomes.by_item([memory(outcomes)])
    if number == 4:
        role = metric.removeprefix("acc_")
        return outcomes.by_item([two_sources(outcomes, role, evidence) for evidence in outcomes.languages(role)])
    return outcomes.by_item([RATES[metric](outcomes, evidence) for evidence in outcomes.languages("counter")])


def pool(parts: Iterable[tuple[Outcomes, Floats]]) -> Clustered | None:
    """Sum up scores by item over several tasks of one dataset; None without any."""
    known = list(parts)
    if not known:
        return None
    return cluster(
        np.concatenate([scores for _, scores in known]), [item for outcomes, _ in known for item in outcomes.items]
    )
