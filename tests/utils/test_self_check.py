"""The comparison of a fast way of scoring with the harness's own."""

from __future__ import annotations

import math

import pytest
import torch

from crossfact.utils.self_check import compare, sample, tolerance
from crossfact.utils.trie import Pair, preorder


def test_the_sample_holds_siblings_and_the_longest_paths() -> None:
    pairs: list[Pair] = [((1,), (n,)) for n in range(50)]
    pairs += [((2, 3, 4, 5), (6,)), ((2,), (3, 4, 5, 6, 7)), ((8,), (9,))]
    chosen = sample(pairs, preorder(pairs))
    assert {50, 51} <= set(chosen)
    assert len(chosen) == 12
    assert 52 not in chosen


def test_the_sample_of_few_pairs_is_all_of_them() -> None:
    pairs: list[Pair] = [((1,), (2,)), ((1,), (3,))]
    assert sample(pairs, [1, 0]) == [1, 0]


def test_scores_are_compared_per_token() -> None:
    check = compare("tree", [(-5.0, True), (-6.0, True)], [(-5.004, True), (-6.0, False)], [4, 1], 1.1e-3)
    assert check.passed  # flags are not compared
    assert check.largest_difference == pytest.approx(1e-3)
    assert (check.pairs, check.reason) == (2, "")


@pytest.mark.parametrize("score", [-5.1, math.nan, -math.inf])
def test_a_wrong_score_fails(score: float) -> None:
    check = compare("tree", [(-6.0, True), (score, True)], [(-6.0, True), (-5.0, True)], [1, 1], 1e-3)
    assert not check.passed
    assert "tolerance 0.001" in check.reason


def test_equal_infinities_agree() -> None:
    assert compare("tree", [(-math.inf, False)], [(-math.inf, False)], [1], 1e-3).passed


def test_the_coarsest_type_and_the_temperature_set_the_tolerance() -> None:
    assert tolerance([torch.float32, torch.float32], 1.0) == 1e-3
    assert tolerance([torch.float32, torch.bfloat16], 1.0) == tolerance([torch.bfloat16], 1.0) > 1e-2
    assert tolerance([torch.float32], 0.1) == pytest.approx(1e-2)
    assert tolerance([torch.float8_e4m3fn], 1.0) == tolerance([torch.bfloat16], 1.0)
