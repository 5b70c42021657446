from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossfact.clear import metrics
from crossfact.clear.verdicts import Verdict

R, W, A, N = (
    Verdict("gold", True, False).dumps(),
    Verdict("nice", False, False).dumps(),
    Verdict("other", False, True).dumps(),
    Verdict("", False, False).dumps(),
)
OPEN = Verdict("gold", None, False).dumps()


def probes(*kinds: str) -> dict[str, Any]:
    """Return a document; a kind is `role` or `role:language` or `role:language:evidence`."""
    parts = [(*kind.split(":"), "", "")[:3] for kind in kinds]
    return {"query": "en", "probes": [{"role": role, "lang": lang, "evidence": other} for role, lang, other in parts]}


def test_closed_book() -> None:
    assert metrics.closed_book(probes("memory"), [R]) == {"acc": 1, "no_answer": 0, "unfinished": 0}
    assert metrics.closed_book(probes("memory"), [N]) == {"acc": 0, "no_answer": 1, "unfinished": 0}


ONE = probes("memory", "counter", "support")


def test_thinking_that_never_ended_is_counted() -> None:
    cut_off = Verdict("", False, False, unfinished=True).dumps()
    scores = metrics.closed_book(probes("memory"), [cut_off])
    assert scores == {"acc": 0, "no_answer": 1, "unfinished": 1}


def test_memory_right() -> None:
    scores = metrics.one_source(ONE, [R, A, W])
    assert math.isnan(scores.pop("pr"))
    assert scores == {"acc": 0, "sr": 0, "adopt": 1, "memory": 1, "no_answer": 0, "unfinished": 0}
    assert metrics.one_source(ONE, [R, R, W])["sr"] == 1


def test_memory_wrong() -> None:
    scores = metrics.one_source(ONE, [W, A, R])
    assert math.isnan(scores.pop("sr"))
    assert scores == {"acc": 1, "pr": 1, "adopt": 1, "memory": 0, "no_answer": 0, "unfinished": 0}


def test_evidence_languages_are_averaged() -> None:
    document = probes("memory", *["counter", "support"] * 3)
    scores = metrics.one_source(document, [R, R, W, A, N, R, W])
    assert scores["sr"] == scores["acc"] == pytest.approx(2 / 3)
    assert scores["adopt"] == pytest.approx(1 / 3)
    assert scores["no_answer"] == pytest.approx(1 / 7)


def test_a_verdict_that_is_open_leaves_rates_alone() -> None:
    for verdicts in ([OPEN, A, R], [R, OPEN, R]):
        scores = metrics.one_source(ONE, verdicts)
        assert math.isnan(scores["acc"])
        assert math.isnan(scores["sr"])
        assert math.isnan(scores["pr"])
    assert metrics.one_source(ONE, [R, R, OPEN])["acc"] == 1
    assert math.isnan(metrics.closed_book(probes("memory"), [OPEN])["acc"])


TWO = probes("memory:en", "memory:de", "memory:tr", "pos:en:de", "neg:en:de", "pos:en:tr", "neg:en:tr")


def test_two_sources_by_quadrant() -> None:
    # English knows, German does not, Turkish does
    scores = metrics.two_sources(TWO, [R, W, R, R, A, A, R])
    assert scores["acc_pos"] == scores["acc_neg"] == 0.5
    assert scores["pos_tf"] == [1, 1]  # support in English (known), counter in German (not known)
    assert scores["neg_ft"] == [0, 1]  # support in German (not known), counter in English (known)
    assert scores["pos_tt"] == [0, 1]
    assert scores["neg_tt"] == [1, 1]
    for empty in ("pos_ft", "pos_ff", "neg_tf", "neg_ff"):
        assert scores[empty] == [0, 0]
    assert scores["tf_minus_ft_pos"] == [1, 1, 0, 0]
    assert scores["tf_minus_ft_neg"] == [0, 0, 0, 1]
    assert scores["memory"] == 1


def test_two_sources_leave_open_verdicts_out() -> None:
    scores = metrics.two_sources(TWO, [R, OPEN, R, R, A, OPEN, R])
    assert scores["pos_tt"] == [0, 0]
    assert scores["neg_tt"] == [1, 1]
    assert scores["pos_tf"] == [0, 0]
    assert scores["acc_pos"] == 1


def test_pooled_counts_cases_not_documents() -> None:
    assert metrics.pooled([[1, 1], [0, 3]]) == 0.25
    assert math.isnan(metrics.pooled([[0, 0]]))
    assert metrics.pooled_difference([[1, 1, 1, 4], [0, 1, 1, 4]]) == 1 / 2 - 2 / 8
    assert math.isnan(metrics.pooled_difference([[1, 1, 0, 0]]))


@given(st.lists(st.sampled_from([R, W, A, N]), min_size=7, max_size=7))
def test_every_document_has_every_key_and_pooled_shares_agree(verdicts: list[str]) -> None:
    scores = metrics.two_sources(TWO, verdicts)
    assert len(scores) == 15
    for role in ("pos", "neg"):
        counts = [scores[f"{role}_{quadrant}"] for quadrant in metrics.QUADRANTS]
        assert sum(count[1] for count in counts) == 2
        assert metrics.pooled(counts) == scores[f"acc_{role}"]


@given(st.lists(st.sampled_from([R, W, A, N]), min_size=3, max_size=3))
def test_acc_is_whichever_rate_is_defined(verdicts: list[str]) -> None:
    scores = metrics.one_source(ONE, verdicts)
    assert math.isnan(scores["sr"]) is not math.isnan(scores["pr"])
    assert scores["acc"] == (scores["pr"] if math.isnan(scores["sr"]) else scores["sr"])
    assert scores["sr"] != 1 or scores["adopt"] == 0
