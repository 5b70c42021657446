"""The head on the needed rows, and scores from its logits."""

from __future__ import annotations

import pytest
import torch

from crossfact.utils import head_slicing
from crossfact.utils.head_slicing import logits_at, score_edges
from tests.utils.tiny_models import SLICED, TREE, VOCABULARY, tiny_model

IDS = torch.tensor([[5, 9, 7, 3], [8, 2, 6, 0]])
BATCH, POSITION = [0, 1, 0], [3, 0, 1]


@torch.no_grad()
@pytest.mark.parametrize("name", [*TREE, *SLICED])
def test_rows_are_those_of_the_whole_output(name: str) -> None:
    model = tiny_model(name)
    rows = logits_at(model, lambda: model(IDS).logits, BATCH, POSITION)
    torch.testing.assert_close(rows, model(IDS).logits[BATCH, POSITION], atol=1e-4, rtol=1e-4)
    assert not model.get_output_embeddings()._forward_pre_hooks


@torch.no_grad()
@pytest.mark.parametrize("name", ["Granite", "Cohere", "Gemma2"])
def test_scaling_and_soft_caps_after_the_head_are_kept(name: str) -> None:
    model = tiny_model(name)
    hidden = []
    handle = model.get_output_embeddings().register_forward_pre_hook(lambda _, args: hidden.append(args[0]))
    rows = logits_at(model, lambda: model(IDS).logits, BATCH, POSITION)
    handle.remove()
    by_hand = model.get_output_embeddings()(hidden[0])[BATCH, POSITION]
    assert (by_hand.argmax(-1) == rows.argmax(-1)).all()  # greedy flags would not show the mistake
    assert (by_hand.log_softmax(-1) - rows.log_softmax(-1)).abs().max() > 1


@torch.no_grad()
def test_the_head_computes_no_other_row() -> None:
    model = tiny_model("Llama")
    shapes = []
    handle = model.get_output_embeddings().register_forward_hook(lambda _, __, out: shapes.append(tuple(out.shape)))
    logits_at(model, lambda: model(IDS).logits, BATCH, POSITION)
    handle.remove()
    assert shapes == [(1, 3, VOCABULARY)]


def test_a_model_without_a_head_module_gives_its_rows_afterwards() -> None:
    class Headless:
        def get_output_embeddings(self) -> None:
            return None

    logits = torch.arange(24.0).reshape(2, 3, 4)
    assert logits_at(Headless(), lambda: logits, [1, 0], [2, 0]).tolist() == [[20, 21, 22, 23], [0, 1, 2, 3]]


def test_rows_go_to_the_device_of_the_head() -> None:
    head = torch.nn.Linear(4, 5, device="meta")

    class Spread:
        def get_output_embeddings(self) -> torch.nn.Module:
            return head

    seen: list[str] = []
    index = torch.Tensor.__getitem__

    class Spy(torch.Tensor):
        def __getitem__(self, where: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:  # type: ignore[override]
            seen.extend(part.device.type for part in where)
            return index(self.as_subclass(torch.Tensor), where)

    hidden = torch.empty(2, 3, 4, device="meta").as_subclass(Spy)
    assert logits_at(Spread(), lambda: head(hidden), [1, 0], [2, 0]).shape == (2, 5)
    assert seen == ["meta", "meta"]


def test_the_hook_is_removed_after_an_error() -> None:
    model = tiny_model("Llama")

    def fail() -> torch.Tensor:
        raise RuntimeError("out of memory")

    with pytest.raises(RuntimeError, match="out of memory"):
        logits_at(model, fail, [0], [0])
    assert not model.get_output_embeddings()._forward_pre_hooks


def test_scores_by_hand() -> None:
    logits = torch.tensor([[0.0, 1.0, 2.0], [3.0, 3.0, 0.0]])
    (both, greedy), (single, other) = score_edges(logits, [[(0, 2), (1, 0)], [(1, 1)]], 1.0, torch.float32)
    first = 2 - torch.tensor([0.0, 1.0, 2.0]).logsumexp(0)
    second = 3 - torch.tensor([3.0, 3.0, 0.0]).logsumexp(0)
    assert both == pytest.approx(float(first + second), abs=1e-6)
    assert single == pytest.approx(float(second), abs=1e-6)
    assert (greedy, other) == (True, False)  # of two equal logits the first is the greedy one, as in the harness


@pytest.mark.parametrize("temperature", [0.1, 1.0, 2.0])
def test_the_temperature_divides_the_logits_of_every_step(temperature: float) -> None:
    logits = torch.randn(4, 50, generator=torch.Generator().manual_seed(0))
    expected = (logits / temperature).log_softmax(-1)
    ((score, _),) = score_edges(logits, [[(0, 7), (3, 9)]], temperature, torch.float32)
    assert score == pytest.approx(float(expected[0, 7] + expected[3, 9]), abs=1e-4)


def test_small_chunks_give_the_same_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    logits = torch.randn(9, 50, generator=torch.Generator().manual_seed(0))
    edges = [[(row, row)] for row in range(9)]
    whole = score_edges(logits, edges, 1.0, torch.float32)
    monkeypatch.setitem(head_slicing.SOFTMAX_BYTES, "cpu", 2 * 50 * 4)
    assert score_edges(logits, edges, 1.0, torch.float32) == whole


def test_a_float32_softmax_of_bfloat16_logits_makes_fewer_ties() -> None:
    logits = (torch.randn(1, 400, generator=torch.Generator().manual_seed(0)) * 3).bfloat16()
    edges = [[(0, token)] for token in range(400)]
    distinct = {
        dtype: len({score for score, _ in score_edges(logits, edges, 1.0, dtype)})
        for dtype in (torch.float32, torch.bfloat16)
    }
    assert distinct[torch.float32] == len(set(logits[0].tolist())) > distinct[torch.bfloat16]
