"""How large a pass may be, what it holds, and what happens when memory runs out."""

from __future__ import annotations

import pytest
import torch

from crossfact.utils import forward_pass
from crossfact.utils.forward_pass import ForwardPass, pack_limits, run_passes, sliced_passes, tree_passes
from crossfact.utils.head_slicing import Score
from crossfact.utils.trie import Limits, Pair, leaf_paths, preorder
from tests.utils.tiny_models import VOCABULARY, tiny_model

CPU = torch.device("cpu")
WIDE = Limits(1000, 1000, 1000)
PAIRS: list[Pair] = [((1, 2), (3, 4)), ((1, 2), (3, 5)), ((1, 2), (6,)), ((7, 8, 9), (1,))]
OUT_OF_MEMORY = "CUDA out of memory. Tried to allocate 20 MiB"


def test_the_memory_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward_pass, "LOGITS_BYTES", 10 * VOCABULARY * 4)
    monkeypatch.setattr(forward_pass, "ATTENTION_BYTES", 100 * 100 * (1 + 4))
    model = tiny_model("Llama")
    assert pack_limits(model, CPU, None) == Limits(100, 100, 10)  # 100 nodes: a boolean and a float32 mask
    assert pack_limits(model, CPU, 64) == Limits(64, 100, 10)
    # eager attention keeps the float32 scores of four heads, twice
    assert pack_limits(tiny_model("Llama", "eager"), CPU, 64).ceiling == 39


def test_pack_size_follows_the_device() -> None:
    model = tiny_model("Llama")
    assert pack_limits(model, CPU, None).tokens == forward_pass.PACK_TOKENS["cpu"]
    assert pack_limits(model, torch.device("cuda"), None).tokens == forward_pass.PACK_TOKENS_ACCELERATOR


def test_a_tree_pass_asks_for_the_nodes_that_predict() -> None:
    step = tree_passes(tiny_model("Llama"), CPU, PAIRS, preorder(PAIRS))(0, WIDE)
    assert step.inputs["input_ids"].tolist() == [[1, 2, 3, 7, 8, 9]]
    assert (step.batch, step.position) == ([0, 0, 0], [1, 2, 5])
    assert dict(zip(step.pairs, step.edges, strict=True)) == {
        0: [(0, 3), (1, 4)],
        1: [(0, 3), (1, 5)],
        2: [(0, 6)],
        3: [(2, 1)],
    }
    assert step.tokens == 6


def test_a_sliced_pass_is_a_padded_batch_without_duplicates() -> None:
    leaves = sorted(leaf_paths(PAIRS, preorder(PAIRS)), key=lambda leaf: -len(leaf[0]))
    step = sliced_passes(CPU, PAIRS, leaves)(0, WIDE)
    assert step.inputs["input_ids"].tolist() == [[1, 2, 3], [7, 8, 9]]
    rows = list(zip(step.batch, step.position, strict=True))
    assert sorted(rows) == [(0, 1), (0, 2), (1, 2)]
    assert [rows[row] for row, _ in step.edges[step.pairs.index(1)]] == [(0, 1), (0, 2)]


def test_sliced_passes_keep_their_limits() -> None:
    pairs: list[Pair] = [((n, n + 1, n + 2), (1, 2)) for n in range(0, 40, 4)]
    leaves = leaf_paths(pairs, preorder(pairs))
    take = sliced_passes(CPU, pairs, leaves)
    assert take(0, Limits(12, 100, 100)).items == 3
    assert take(0, Limits(100, 100, 5)).items == 2
    assert take(9, Limits(1, 1, 1)).items == 1


def collect(
    pairs: list[Pair], limits: Limits, largest: int, message: str = OUT_OF_MEMORY
) -> tuple[list[int], Limits, dict[int, Score], list[int]]:
    """Runs tree passes on a machine that holds at most `largest` tokens; each pair's score is its own index."""
    sizes: list[int] = []

    def score(step: ForwardPass) -> list[Score]:
        sizes.append(step.tokens)
        if step.tokens > largest:
            raise RuntimeError(message)
        return [(float(index), True) for index in step.pairs]

    scores: dict[int, Score] = {}
    order = preorder(pairs)
    left, ended = run_passes(
        tree_passes(tiny_model("Llama"), CPU, pairs, order),
        len(order),
        limits,
        score,
        lambda step, values: scores.update(zip(step.pairs, values, strict=True)),
    )
    return left, ended, scores, sizes


def test_out_of_memory_halves_the_pass_and_goes_on() -> None:
    pairs: list[Pair] = [((1, 2), (10 + n, 3)) for n in range(60)]
    left, ended, scores, sizes = collect(pairs, Limits(64, 64, 64), largest=20)
    assert left == []
    assert scores == {index: (float(index), True) for index in range(60)}
    assert sizes[:3] == [62, 30, 14]
    assert max(sizes[2:]) <= 20
    assert ended.tokens == 15


def test_a_stretched_pass_is_halved_too() -> None:
    pairs: list[Pair] = [(tuple(range(30)), (40 + n, 3)) for n in range(20)]
    left, _, scores, sizes = collect(pairs, Limits(8, 100, 100), largest=40)
    assert (left, len(scores)) == ([], 20)
    assert sizes[0] == 50


def test_a_pair_that_does_not_fit_alone_is_handed_back() -> None:
    pairs: list[Pair] = [((1,), (2,)), (tuple(range(50)), (2,)), ((3,), (2,))]
    left, _, scores, _ = collect(pairs, Limits(64, 64, 64), largest=20)
    assert left == [1]
    assert sorted(scores) == [0, 2]


def test_other_errors_are_not_hidden() -> None:
    with pytest.raises(RuntimeError, match="shapes"):
        collect(PAIRS, WIDE, largest=0, message="shapes do not match")
