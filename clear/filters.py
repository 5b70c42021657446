"""The harness's filters: every way of matching, over all probes of a task.

The result table shows the filters side by side. The gap between `any_language` and `exact` is the share of answers
that are right but in another language than the one asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from crossfact.clear import verdicts
from crossfact.clear.verdicts import Asked, Verdict

Responses = Iterable[Sequence[str]]


def exact(responses: Responses, asked: Iterable[Asked]) -> list[str]:
    """Return each probe's verdict by equality."""
    return _verdicts(verdicts.exact, responses, asked)


def contains(responses: Responses, asked: Iterable[Asked]) -> list[str]:
    """Return each probe's verdict by occurrence."""
    return _verdicts(verdicts.contains, responses, asked)


def any_language(responses: Responses, asked: Iterable[Asked]) -> list[str]:
    """Return each probe's verdict by equality in any language (popqa)."""
    return _verdicts(verdicts.any_language, responses, asked)


def _verdicts(
    decide: Callable[[Asked, Sequence[str]], Verdict], responses: Responses, asked: Iterable[Asked]
) -> list[str]:
    return [decide(probe, said).dumps() for said, probe in zip(responses, asked, strict=True)]
