"""Scores of one document from its verdicts, and how they are pooled (the paper's section 3.3 and Table 3).

Every function takes a document and one verdict per probe and gives every metric of its task a value for every
document: NaN outside a rate's condition. Values that are not 0 or 1 are rounded to a grid on which sums are exact, so
that scores do not depend on the order in which processes deliver documents. A verdict that a judge left open
(`right` is None) is left out of every rate.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from crossfact.clear.verdicts import Verdict
from crossfact.utils.exact import exact

Document = Mapping[str, Any]
QUADRANTS = ("tt", "tf", "ft", "ff")
"""Whether memory is right in the language of the support evidence, then in that of the counter evidence."""


def closed_book(document: Document, verdicts: Sequence[str]) -> dict[str, float]:
    """Score Task 1: `acc`, whether the majority answer is right."""
    found = _by_role(document, verdicts)
    return {"acc": share(verdict.right for _, verdict in found["memory"]), **_without_answer(found)}


def one_source(document: Document, verdicts: Sequence[str]) -> dict[str, float]:
    """Score tasks 2 and 3, averaged over the languages of evidence.

    `memory`: the closed-book answer is right. `sr`: where it is, the share still right under counter evidence.
    `pr`: where it is not, the share right under support evidence. `acc`: sr or pr, whichever is defined. `adopt`: the
    share that gives the counter answer under counter evidence.
    """
    found = _by_role(document, verdicts)
    memory = found["memory"][0][1].right
    stubborn = share(verdict.right for _, verdict in found["counter"])
    persuaded = share(verdict.right for _, verdict in found["support"])
    return {
        "acc": math.nan if memory is None else stubborn if memory else persuaded,
        "sr": stubborn if memory is True else math.nan,
        "pr": persuaded if memory is False else math.nan,
        "adopt": share(verdict.adopted for _, verdict in found["counter"]),
        "memory": share([memory]),
        **_without_answer(found),
    }


def two_sources(document: Document, verdicts: Sequence[str]) -> dict[str, Any]:
    """Score Task 4.

    `acc_pos` and `acc_neg` are shares over the other languages. The quadrants are pairs (right answers, cases) that
    `pooled` divides over all documents, since a document has more cases in one quadrant than in another; likewise
    `tf_minus_ft_*`, two such pairs in one.
    """
    found = _by_role(document, verdicts)
    memory = {probe["lang"]: verdict.right for probe, verdict in found["memory"]}
    scores: dict[str, Any] = {}
    for role in ("pos", "neg"):
        scores[f"acc_{role}"] = share(verdict.right for _, verdict in found[role])
        counts = {quadrant: [0, 0] for quadrant in QUADRANTS}
        for probe, verdict in found[role]:
            languages = (probe["lang"], probe["evidence"])
            beliefs = [memory[lang] for lang in (languages if role == "pos" else reversed(languages))]
            if None in (verdict.right, *beliefs):
                continue
            count = counts["".join("t" if belief else "f" for belief in beliefs)]
            count[0] += verdict.right is True
            count[1] += 1
        scores |= {f"{role}_{quadrant}": count for quadrant, count in counts.items()}
        scores[f"tf_minus_ft_{role}"] = [*counts["tf"], *counts["ft"]]
    return {**scores, "memory": share([memory[document["query"]]]), **_without_answer(found)}


def pooled(counts: Sequence[Sequence[int]]) -> float:
    """Return the share of right answers over all (right, cases) pairs; NaN without a case."""
    cases = sum(count[1] for count in counts)
    return sum(count[0] for count in counts) / cases if cases else math.nan


def pooled_difference(counts: Sequence[Sequence[int]]) -> float:
    """Return the difference of two pooled shares over (right, cases, right, cases); NaN if one has no case."""
    return pooled([count[:2] for count in counts]) - pooled([count[2:] for count in counts])


def share(values: Iterable[bool | None]) -> float:
    """Return the share of true among the values that are not None, on the grid of exact sums; NaN without any."""
    known = [value for value in values if value is not None]
    return exact(sum(known) / len(known)) if known else math.nan


def _by_role(document: Document, verdicts: Sequence[str]) -> dict[str, list[tuple[Mapping[str, Any], Verdict]]]:
    found: dict[str, list[tuple[Mapping[str, Any], Verdict]]] = {}
    for probe, line in zip(document["probes"], verdicts, strict=True):
        found.setdefault(probe["role"], []).append((probe, Verdict.loads(line)))
    return found


def _without_answer(found: Mapping[str, Sequence[tuple[Mapping[str, Any], Verdict]]]) -> dict[str, float]:
    """Return the share of probes that have no answer, and of these the share whose thinking never ended."""
    given = [verdict for pairs in found.values() for _, verdict in pairs]
    return {
        "no_answer": share(not verdict.answer for verdict in given),
        "unfinished": share(verdict.unfinished for verdict in given),
    }
