"""All metrics again, with a judge's decisions in the place of comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, stdev
from typing import Any

from crossfact.clear import metrics, verdicts
from crossfact.clear.judging import Pair
from crossfact.clear.logged import ask_again
from crossfact.clear.verdicts import Asked, Verdict
from crossfact.utils.answers import first_line

SCORERS: dict[int, Callable[[Mapping[str, Any], Sequence[str]], dict[str, Any]]] = {
    1: metrics.closed_book,
    2: metrics.one_source,
    3: metrics.one_source,
    4: metrics.two_sources,
}


def pair_of(asked: Asked, responses: Sequence[str]) -> Pair | None:
    """Return what a judge must decide about one probe; None if the model gave no answer."""
    said = first_line(verdicts.chosen(asked, responses), asked["lang"])
    return Pair(asked["lang"], tuple(asked["answers"][asked["lang"]]), said) if said else None


def judged(sample: Mapping[str, Any], decided: Mapping[Pair, bool]) -> dict[str, Any]:
    """Return a logged sample with a judge's verdicts and scores, under the filter name `judge`."""
    lines = []
    for asked, said in ask_again(dict(sample)):
        pair = pair_of(asked, said)
        right = False if pair is None else decided.get(pair)
        exact = verdicts.exact(asked, said)
        lines.append(replace(exact, right=right, adopted=exact.adopted and not right).dumps())
    scores = SCORERS[sample["doc"]["task"]](sample["doc"], lines)
    return {**sample, "filtered_resps": lines, "filter": "judge", "metrics": list(scores), **scores}


def unjudged(sample: Mapping[str, Any]) -> int:
    """Return how many verdicts of a judged sample are still open."""
    return sum(Verdict.loads(line).right is None for line in sample["filtered_resps"])


def aggregate(samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a task's scores over judged samples, with standard errors, in the harness's layout.

    A document for which a score is undefined, because of its condition or because the judge left it open, is left out
    of that score.
    """
    scores: dict[str, Any] = {}
    for metric in samples[0]["metrics"]:
        values = [sample[metric] for sample in samples]
        error: float | str = "N/A"
        if metric.startswith("tf_minus_ft"):
            score = metrics.pooled_difference(values)
        elif isinstance(values[0], list):
            score = metrics.pooled(values)
        else:
            known = [value for value in values if not math.isnan(value)]
            score = fmean(known) if known else math.nan
            error = stdev(known) / math.sqrt(len(known)) if len(known) > 1 else "N/A"
        scores |= {f"{metric},judge": score, f"{metric}_stderr,judge": error}
    return scores


def aggregate_group(members: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a group's scores: the plain means over its tasks, as in the task files."""
    scores: dict[str, Any] = {}
    for key in members[0]:
        if not key.endswith(",judge") or "_stderr," in key:
            continue
        error_key = key.replace(",", "_stderr,")
        errors = [member[error_key] for member in members]
        scores[key] = fmean(member[key] for member in members)
        known = all(isinstance(error, float) for error in errors)
        scores[error_key] = math.sqrt(sum(error**2 for error in errors)) / len(errors) if known else "N/A"
    return scores


def gap(samples: Sequence[Mapping[str, Any]], exact: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the gap between a judge and equality in accuracy (the paper's Table 4), over the judged documents.

    Returns:
        `judge` and `exact` (shares), `gap` (percentage points), `documents`. In Task 4 accuracy is `acc_pos`.
    """
    metric = "acc" if "acc" in samples[0]["metrics"] else "acc_pos"
    both = [
        (judge[metric], plain[metric])
        for judge, plain in zip(samples, exact, strict=True)
        if not math.isnan(judge[metric])
    ]
    by_judge, by_exact = (fmean(side) if side else math.nan for side in (tuple(zip(*both, strict=True)) or ((), ())))
    return {"judge": by_judge, "exact": by_exact, "gap": 100 * (by_judge - by_exact), "documents": len(both)}
