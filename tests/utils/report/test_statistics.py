from __future__ import annotations

import math
import time
from dataclasses import astuple
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossfact.utils.report.statistics import cluster, common_items, difference, differences, estimate, estimates, holm

NAN = float("nan")


def test_cluster_sums_up_defined_scores_by_item() -> None:
    got = cluster([1.0, 0.0, NAN, 1.0], ["b", "a", "a", "b"])
    assert got.items == ("a", "b")
    assert got.sums.tolist() == [0.0, 2.0]
    assert got.counts.tolist() == [1.0, 2.0]
    assert got.mean == pytest.approx(2 / 3)


def test_mean_of_nothing_is_nan() -> None:
    for empty in (cluster([], []), cluster([NAN, NAN], ["a", "b"])):
        got = estimate(empty, draws=100)
        assert math.isnan(got.value)
        assert math.isnan(got.low)
        assert got.count == 0


def test_interval_matches_the_exact_bootstrap_distribution() -> None:
    # Three items with means 0, 1/2, 1: all 27 resamples are equally likely.
    clustered = cluster([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], ["a", "a", "b", "b", "c", "c"])
    exact = sorted(np.mean(draw) for draw in product([0, 0.5, 1], repeat=3))
    low, high = np.percentile(exact, [2.5, 97.5])
    got = estimate(clustered, draws=20_000)
    assert got.low == pytest.approx(low, abs=0.17)
    assert got.high == pytest.approx(high, abs=0.17)
    assert got.low <= got.value <= got.high


def test_interval_of_many_independent_items_is_the_normal_one() -> None:
    rng = np.random.default_rng(1)
    scores = (rng.random(2_000) < 0.3).astype(float)
    got = estimate(cluster(scores, range(2_000)))
    error = math.sqrt(got.value * (1 - got.value) / 2_000)
    assert got.low == pytest.approx(got.value - 1.96 * error, abs=0.003)
    assert got.high == pytest.approx(got.value + 1.96 * error, abs=0.003)


def test_copies_of_an_item_do_not_narrow_the_interval() -> None:
    rng = np.random.default_rng(2)
    scores = (rng.random(100) < 0.5).astype(float)
    once = estimate(cluster(scores, range(100)))
    eight = estimate(cluster(np.tile(scores, 8), list(range(100)) * 8))
    assert (eight.low, eight.high) == (once.low, once.high)


def test_equal_sets_do_not_differ() -> None:
    scores = [1.0, 0.0, 1.0, 1.0]
    got = difference(cluster(scores, "abcd"), cluster(scores, "abcd"))
    assert (got.value, got.low, got.high, got.p) == (0, 0, 0, 1)


def test_swap_test_agrees_with_all_swaps_by_hand() -> None:
    # Eight items, all better in the first set: only the two unmixed of 256 assignments are as extreme.
    first, second = cluster([1.0] * 8, "abcdefgh"), cluster([0.0] * 8, "abcdefgh")
    got = difference(first, second, draws=50_000)
    assert got.value == 1
    assert got.p == pytest.approx(2 / 256, abs=0.002)


def test_rates_on_different_documents_are_compared() -> None:
    got = difference(cluster([1.0, NAN, 0.0], "abc"), cluster([NAN, 0.0, 0.0], "abc"), draws=500)
    assert got.value == 0.5
    assert 0 < got.p <= 1


def test_comparison_needs_the_same_items() -> None:
    first, second = cluster([1.0, 1.0], "ab"), cluster([0.0, 0.0], "bc")
    with pytest.raises(ValueError, match="same items"):
        difference(first, second)
    shared = common_items(first, second)
    assert [part.items for part in shared] == [("b",), ("b",)]


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, NAN]) == pytest.approx([0.03, 0.06, 0.06, NAN], nan_ok=True)
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0, 1)), min_size=1, max_size=30), st.randoms())
def test_order_of_scores_does_not_matter(scored: list[tuple[int, float]], random) -> None:
    shuffled = random.sample(scored, len(scored))
    one = cluster([s for _, s in scored], [i for i, _ in scored])
    other = cluster([s for _, s in shuffled], [i for i, _ in shuffled])
    assert one.items == other.items
    assert one.sums == pytest.approx(other.sums)


@pytest.mark.slow
def test_ten_thousand_draws_over_twenty_thousand_statements_take_seconds() -> None:
    scores = cluster((np.random.default_rng(3).random(20_000) < 0.5).astype(float), range(20_000))
    start = time.process_time()
    estimate(scores, draws=10_000)
    assert time.process_time() - start < 5


def test_many_sets_at_once_are_as_one_by_one() -> None:
    rng = np.random.default_rng(4)
    sets = [cluster(rng.random(n), range(n)) for n in (30, 20, 30)]
    for together, alone in zip(estimates(sets, draws=500), sets, strict=True):
        assert astuple(together) == pytest.approx(astuple(estimate(alone, draws=500)))
    pairs = [(sets[0], sets[2]), (sets[1], sets[1])]
    for compared, pair in zip(differences(pairs, draws=500), pairs, strict=True):
        assert astuple(compared) == pytest.approx(astuple(difference(*pair, draws=500)))
    assert estimates([]) == []
    assert differences([]) == []
