"""SWORD's scores of one document: a triple's five statements (the paper's section 4; PROTOCOLS)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crossfact.sword.distortions import KINDS
from crossfact.sword.verdicts import FALSE, INVALID, TRUE, UNFINISHED, UNSURE
from crossfact.utils.exact import exact

METRICS = (
    *(f"acc_{kind}" for kind in KINDS),
    "rejection",
    "balanced",
    "strict",
    "false_rate",
    "unsure_rate",
    "invalid_rate",
    "unfinished",
)
"""All metrics, in the order of the result table."""


def process(doc: Mapping[str, Any], verdicts: Sequence[str]) -> dict[str, float]:
    """Score one document.

    Args:
        doc: The document; its probes tell which kind each statement is.
        verdicts: One per probe, in their order.

    Returns:
        Every metric; none is ever NaN. `acc_<kind>` is 1 if the verdict is right: `true` for the original, `false` for
        a distortion; `rejection` is the mean over the four distortions, `balanced` that of it and `acc_org`, `strict`
        is 1 if all five are right; the rates are shares of the five statements, and so is `unfinished`, a part of
        `invalid_rate`.
    """
    right = {
        probe["kind"]: float(verdict == probe["target"].lower())
        for probe, verdict in zip(doc["probes"], verdicts, strict=True)
    }
    rejection = sum(right[kind] for kind in KINDS[1:]) / len(KINDS[1:])
    scores = {f"acc_{kind}": right[kind] for kind in KINDS}
    return scores | {
        "rejection": rejection,
        "balanced": (right["org"] + rejection) / 2,
        "strict": float(all(right.values())),
        "false_rate": _share(verdicts, FALSE),
        "unsure_rate": _share(verdicts, UNSURE),
        "invalid_rate": _share(verdicts, INVALID, UNFINISHED),
        "unfinished": _share(verdicts, UNFINISHED),
    }


def target(kind: str) -> str:
    """Return the right answer to a statement of a kind."""
    return (TRUE if kind == "org" else FALSE).capitalize()


def _share(verdicts: Sequence[str], *counted: str) -> float:
    return exact(sum(given in counted for given in verdicts) / len(verdicts))
