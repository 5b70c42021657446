"""Counts of how requests were scored, kept by each process and summed for the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any

from crossfact.utils.self_check import Check


@dataclass
class Tally:
    """How a backend served its requests.

    Attributes:
        requests: number of requests by rung (tree, sliced, parent).
        reasons: number of requests handed to the next rung, by reason.
        work: forward passes, tokens fed (padding included) and rows of logits in the fast rungs.
        checks: the self-checks that were made.
    """

    requests: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    work: Counter[str] = field(default_factory=Counter)
    checks: list[Check] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Returns the tally as plain data, for the results file; JSON has no NaN, so an unknown difference is None."""
        checks = [asdict(check) for check in self.checks]
        for check in checks:
            if not isfinite(check["largest_difference"]):
                check["largest_difference"] = None
        return {
            "requests": dict(self.requests),
            "reasons": dict(self.reasons),
            "work": dict(self.work),
            "checks": checks,
        }


def total(tallies: Iterable[Tally]) -> Tally:
    """Sums the tallies of several processes."""
    result = Tally()
    for tally in tallies:
        result.requests.update(tally.requests)
        result.reasons.update(tally.reasons)
        result.work.update(tally.work)
        result.checks.extend(tally.checks)
    return result
