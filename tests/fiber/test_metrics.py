"""Metrics against values worked by hand, against all orders of ties, and under shuffling."""

from __future__ import annotations

import math
from itertools import permutations
from random import Random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossfact.fiber.metrics import average_precision, inference_bias, precision_at_1, random_average_precision


def plain_average_precision(order: list[int], gold: set[int]) -> float:
    """The paper's formula for one order without ties."""
    hits, total = 0, 0.0
    for rank, candidate in enumerate(order, start=1):
        if candidate in gold:
            hits += 1
            total += hits / rank
    return total / len(gold)


def all_orders(scores: list[float]) -> list[list[int]]:
    """All orders of the candidates by falling score."""
    orders = permutations(range(len(scores)))
    return [list(order) for order in orders if [scores[i] for i in order] == sorted(scores, reverse=True)]


@pytest.mark.parametrize(
    ("scores", "gold", "expected"),
    [
        pytest.param([4, 3, 2, 1], [0, 2], (1 / 1 + 2 / 3) / 2, id="golds at ranks 1 and 3"),
        pytest.param([1, 2, 3, 4], [0], 1 / 4, id="the only gold is last"),
        pytest.param([4, 3, 2, 1], [0, 1, 2, 3], 1.0, id="all are gold"),
        pytest.param([5, 5, 1], [0], (1 + 1 / 2) / 2, id="the gold ties with a wrong one for rank 1"),
        pytest.param([7, 7, 7], [0, 1], ((1 + 1) + (1 + 2 / 3) + (1 / 2 + 2 / 3)) / 3 / 2, id="everything ties"),
        pytest.param([9, 5, 5, 1], [0, 1, 3], (1 + (1 + 2 / 3) / 2 + 3 / 4) / 3, id="a tie in the middle"),
        pytest.param([0.0], [0], 1.0, id="one candidate"),
    ],
)
def test_average_precision_by_hand(scores: list[float], gold: list[int], expected: float) -> None:
    assert average_precision(scores, gold) == pytest.approx(expected)


def test_no_gold_is_nan() -> None:
    assert math.isnan(average_precision([1.0, 2.0], []))
    assert math.isnan(precision_at_1([1.0, 2.0], []))
    assert math.isnan(random_average_precision(5, 0))


def test_precision_at_1_is_the_share_of_golds_among_the_best() -> None:
    assert precision_at_1([1, 9, 3], [1]) == 1
    assert precision_at_1([1, 9, 3], [0, 2]) == 0
    assert precision_at_1([9, 9, 9, 1], [0, 3]) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("scores", "gold", "biased", "n", "expected"),
    [
        pytest.param([9, 8, 7, 6], [0], [1, 3], 2, 1 / 2, id="one of two biased entities in the top 2"),
        pytest.param([9, 8, 7, 6], [1], [1, 3], 2, 0.0, id="what is right is not bias"),
        pytest.param([9, 8, 7, 6], [0], [1, 3], 10, 1.0, id="n is larger than the surface set"),
        pytest.param([9, 5, 5, 5], [0], [1], 2, 1 / 3, id="a tie across the cut counts by its expected share"),
        pytest.param([5, 5, 5, 5], [0], [1, 2], 1, 1 / 4, id="everything ties"),
    ],
)
def test_inference_bias_by_hand(
    scores: list[float], gold: list[int], biased: list[int], n: int, expected: float
) -> None:
    assert inference_bias(scores, gold, biased, n) == pytest.approx(expected)


def test_inference_bias_without_a_wrong_biased_entity_is_nan() -> None:
    assert math.isnan(inference_bias([3, 2, 1], [0, 1], [1], 10))
    assert math.isnan(inference_bias([3, 2, 1], [0], [], 10))


def test_random_average_precision_is_the_mean_over_all_orders() -> None:
    for size in range(1, 6):
        for gold in range(1, size + 1):
            orders = [plain_average_precision(list(order), set(range(gold))) for order in permutations(range(size))]
            assert random_average_precision(size, gold) == pytest.approx(mean(orders))


# few different scores, so that ties are common
rankings = st.lists(st.integers(0, 3).map(float), min_size=1, max_size=6).flatmap(
    lambda scores: st.tuples(
        st.just(scores),
        st.sets(st.integers(0, len(scores) - 1), min_size=1),
        st.sets(st.integers(0, len(scores) - 1)),
        st.integers(1, 8),
    )
)


@given(rankings)
def test_ties_are_the_mean_over_all_their_orders(ranking: tuple[list[float], set[int], set[int], int]) -> None:
    scores, gold, biased, n = ranking
    orders = all_orders(scores)
    assert average_precision(scores, gold) == pytest.approx(mean(plain_average_precision(o, gold) for o in orders))
    assert precision_at_1(scores, gold) == pytest.approx(mean(order[0] in gold for order in orders))
    if wrong := biased - gold:
        expected = mean(len(wrong.intersection(order[:n])) / len(wrong) for order in orders)
        assert inference_bias(scores, gold, biased, n) == pytest.approx(expected)


@given(rankings, st.randoms(use_true_random=False))
def test_the_order_of_candidates_changes_nothing(
    ranking: tuple[list[float], set[int], set[int], int], random: Random
) -> None:
    scores, gold, biased, n = ranking
    places = list(range(len(scores)))
    random.shuffle(places)
    shuffled = [scores[place] for place in places]

    def moved(indices: set[int]) -> set[int]:
        return {places.index(index) for index in indices}

    assert average_precision(shuffled, moved(gold)) == pytest.approx(average_precision(scores, gold))
    assert precision_at_1(shuffled, moved(gold)) == pytest.approx(precision_at_1(scores, gold))
    before = inference_bias(scores, gold, biased, n)
    assert inference_bias(shuffled, moved(gold), moved(biased), n) == pytest.approx(before, nan_ok=True)


@given(rankings)
def test_metrics_stay_between_0_and_1(ranking: tuple[list[float], set[int], set[int], int]) -> None:
    scores, gold, biased, n = ranking
    values = [average_precision(scores, gold), precision_at_1(scores, gold), inference_bias(scores, gold, biased, n)]
    assert all(0 <= value <= 1 + 1e-12 for value in values if not math.isnan(value))
