"""RankC, and the alignment of candidates across languages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from crossfact.fiber.official_files import read_official
from crossfact.fiber.report_consistency import align, random_consistency, rank_consistency
from crossfact.fiber.report_rankings import Prompt
from crossfact.fiber.topics import TOPICS
from tests.shared import shared_path


def test_rank_consistency_by_hand() -> None:
    weights = np.exp([0, -1, -2]) / np.exp([0, -1, -2]).sum()
    falling, rising, tied = np.array([3.0, 2, 1]), np.array([1.0, 2, 3]), np.array([1.0, 1, 1])
    assert rank_consistency(falling, falling) == pytest.approx(1)
    assert rank_consistency(falling, rising) == pytest.approx(weights @ [0, 1 / 2, 1])
    assert rank_consistency(falling, tied) == pytest.approx(weights @ [1 / 3, 2 / 3, 1])
    assert random_consistency(3) == pytest.approx(weights @ [1 / 3, 2 / 3, 1])


def prompts(golds: Sequence[Sequence[int]]) -> dict[str, Prompt]:
    return {f"i{n}": Prompt(f"i{n}", "sc", tuple(gold), np.zeros(4), {}) for n, gold in enumerate(golds)}


def test_candidates_are_aligned_by_what_they_answer() -> None:
    # another order of the candidates; 0 and 1 answer the same item and keep their order
    assert align(prompts([[0, 1], [2], [3]]), prompts([[2, 3], [1], [0]])) == ([0, 1, 2, 3], [2, 3, 1, 0])
    # two candidates of one item have one name in the other language: they cannot be told apart and are left out
    assert align(prompts([[0, 1], [2]]), prompts([[0], [1]])) == ([2], [1])


def test_the_official_data_can_be_aligned_and_keep_their_order() -> None:
    root = shared_path("data/fiber_official")
    for name in ("atomic_numbers", "car_brands", "locations_of_sites", "polyglot_celebs"):
        by_lang = {
            lang: [d for d in read_official(root, TOPICS[name], lang) if d["query"] == "qa"] for lang in ("en", "it")
        }
        sides = [
            {d["item"]: Prompt(d["item"], "qa", tuple(d["gold"]), np.zeros(0), {}) for d in found}
            for found in by_lang.values()
        ]
        places = align(*sides)
        choices = [found[0]["choices"] for found in by_lang.values()]
        assert len(places[0]) >= 0.9 * min(map(len, choices))
        if name in ("atomic_numbers", "car_brands"):  # whose names are the same in both languages
            same = [choices[0][a].strip() == choices[1][b].strip() for a, b in zip(*places, strict=True)]
            assert sum(same) > 0.95 * len(same)
