from __future__ import annotations

import pytest

from crossfact.sword.distortions import KINDS
from crossfact.sword.metrics import METRICS, process, target

DOC = {"probes": [{"kind": kind, "target": target(kind)} for kind in KINDS]}


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (  # all right
            ["true", "false", "false", "false", "false"],
            [1, 1, 1, 1, 1, 1.0, 1.0, 1, 0.8, 0.0, 0.0, 0.0],
        ),
        (  # always False: balanced stays at one half
            ["false"] * 5,
            [0, 1, 1, 1, 1, 1.0, 0.5, 0, 1.0, 0.0, 0.0, 0.0],
        ),
        (
            ["true"] * 5,
            [1, 0, 0, 0, 0, 0.0, 0.5, 0, 0.0, 0.0, 0.0, 0.0],
        ),
        (  # one of each: only SS and POS are rejected
            ["true", "false", "unsure", "invalid", "false"],
            [1, 1, 0, 0, 1, 0.5, 0.75, 0, 0.4, 0.2, 0.2, 0.0],
        ),
        (
            ["invalid", "unsure", "invalid", "unfinished", "true"],
            [0, 0, 0, 0, 0, 0.0, 0.0, 0, 0.0, 0.2, 0.6, 0.2],
        ),
    ],
)
def test_scores(verdicts: list[str], expected: list[float]) -> None:
    scores = process(DOC, verdicts)
    assert tuple(scores) == METRICS
    assert list(scores.values()) == pytest.approx(expected)


def test_a_verdict_too_few_is_an_error() -> None:
    with pytest.raises(ValueError, match="shorter"):
        process(DOC, ["true"] * 4)
