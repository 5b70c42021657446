"""Means over languages or topics, and tables of differences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from crossfact.utils.report.comparisons import Comparison, comparison_table
from crossfact.utils.report.means import gaps, mean_differences, mean_estimates
from crossfact.utils.report.statistics import Clustered, Difference, cluster, difference, estimate

ITEMS = [f"item {number}" for number in range(40)]


def scored(scores: list[float], items: list[str] = ITEMS) -> Clustered:
    return cluster(scores, items)


def test_every_stratum_weighs_the_same() -> None:
    small, large = cluster([1.0, 1.0], ["a", "b"]), cluster([0.0] * 8, list("cdefghij"))
    (found,) = mean_estimates([[small, large]])
    assert found.value == 0.5
    assert found.count == 10


def test_a_mean_over_one_stratum_is_the_plain_mean() -> None:
    one = scored([float(place % 3 == 0) for place in range(40)])
    assert mean_estimates([[one]])[0] == estimate(one)
    two = scored([float(place % 4 == 0) for place in range(40)])
    plain, mean = difference(one, two), mean_differences([([one], [two])])[0]
    assert mean.value == pytest.approx(plain.value)
    assert mean.p == pytest.approx(plain.p, abs=0.02)
    assert (mean.low, mean.high) == pytest.approx((plain.low, plain.high))


def test_an_undefined_or_missing_stratum_makes_a_gap() -> None:
    known, unknown = scored([1.0] * 40), scored([math.nan] * 40)
    for group in ([known, unknown], []):
        (found,) = mean_estimates([group])
        assert math.isnan(found.value)
        assert math.isnan(found.low)
    assert math.isnan(mean_differences([([known, unknown], [known, known])])[0].p)


def test_the_mean_of_independent_topics_is_surer_than_one_topic() -> None:
    rng = np.random.default_rng(1)
    topics = [cluster(rng.integers(0, 2, 100).astype(float), [f"{t}:{i}" for i in range(100)]) for t in range(4)]
    one, four = mean_estimates([topics[:1], topics])
    # of n topics, the interval is √n times narrower
    assert (four.high - four.low) == pytest.approx((one.high - one.low) / 2, rel=0.1)


def test_languages_of_the_same_items_are_resampled_together() -> None:
    scores = scored([float(place % 2) for place in range(40)])
    one, same_twice = mean_estimates([[scores], [scores, scores]])
    assert (one.low, one.high) == pytest.approx((same_twice.low, same_twice.high))
    # so two languages that always agree have no difference, and no doubt about it
    assert mean_differences([([scores, scores], [scores, scores])])[0] == Difference(0.0, 0.0, 0.0, 1.0)


def test_the_swap_test_over_strata_by_hand() -> None:
    # one item in each of two topics, 1 against 0: of the four ways to swap, two are as extreme as ±1
    pairs = [(cluster([1.0], [name]), cluster([0.0], [name])) for name in ("a", "b")]
    found = mean_differences([([one for one, _ in pairs], [two for _, two in pairs])])[0]
    assert found.value == 1
    assert found.p == pytest.approx(0.5, abs=0.03)
    assert math.isnan(found.low)  # one item cannot be resampled


def test_both_sides_need_the_same_items() -> None:
    with pytest.raises(ValueError, match="same items"):
        mean_differences([([cluster([1.0], ["a"])], [cluster([1.0], ["b"])])])


def test_a_gap_between_unrelated_items_has_an_interval_and_no_p() -> None:
    left = cluster([1.0, 1.0, 0.0, 1.0], list("abcd"))
    right = cluster([0.0, 0.0, 0.0, 1.0], list("efgh"))
    (found,) = gaps([(left, right)])
    assert found.value == 0.5
    assert found.low < 0.5 < found.high
    assert math.isnan(found.p)
    # resampled independently: the variances add up, 2 · (3/16)/4, and the interval is that of their sum
    assert found.high - found.low == pytest.approx(2 * 1.96 * math.sqrt(2 * 3 / 64), abs=0.3)


def test_holm_corrects_within_a_family_only() -> None:
    ones, zeros = scored([1.0] * 40), scored([0.0] * 40)
    comparisons = [
        Comparison(("a",), ("first",), [(ones, zeros)]),
        Comparison(("b",), ("first",), [(ones, zeros)]),
        Comparison(("c",), ("second",), [(ones, zeros)]),
    ]
    table = comparison_table("x", "X", ("what",), comparisons, "of the same kind")
    assert table is not None
    p_values = [row[2] for row in table.rows]
    assert [row[3] for row in table.rows] == pytest.approx([2 * p_values[0], 2 * p_values[1], p_values[2]])  # type: ignore[operator]
    assert comparison_table("x", "X", ("what",), [], "") is None


def test_a_comparison_is_over_the_items_of_both_sides() -> None:
    left = cluster([1.0, 1.0, 0.0], ["a", "b", "only here"])
    right = cluster([0.0, 1.0], ["a", "b"])
    table = comparison_table("x", "X", ("what",), [Comparison(("a",), ("f",), [(left, right)])], "")
    assert table is not None
    assert isinstance(found := table.rows[0][1], Difference)
    assert found.value == 0.5
