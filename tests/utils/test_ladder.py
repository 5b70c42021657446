"""The ways down the ladder: windows, failed self-checks, memory, long paths."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import torch
import transformers

from crossfact.utils import ladder, tree_mask
from crossfact.utils.hf_tree import TreeLM
from tests.utils.scoring import assert_equal, harness, requests, tree
from tests.utils.tiny_models import BASE, WINDOW, tiny_model

OUT_OF_MEMORY = "CUDA out of memory. Tried to allocate 20 MiB"


@pytest.mark.parametrize("name", ["Mistral", "Phi3", "Gemma2", "Gemma3Text", "Qwen3", "GptOss"])
def test_a_window_shorter_than_the_context_matters(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The trap: a 4D mask replaces the model's own window. Without ours the scores are wrong, and the check says so."""
    model = tiny_model(name)
    assert min(len(context) for _, context, _ in requests((9, 17))) > WINDOW
    whole = tree_mask.visible
    monkeypatch.setattr(tree_mask, "visible", lambda ends, depths, window: whole(ends, depths, None))
    mine = tree(model)
    mine._loglikelihood_tokens(requests((9, 17)), disable_tqdm=True)
    assert mine.tally.requests == {"sliced": 48 - 12}
    assert mine.tally.checks[0].largest_difference > 0.05


def test_a_window_that_the_configuration_hides_is_found_when_paths_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny_model("Mistral")
    whole = tree_mask.visible
    monkeypatch.setattr(tree_mask, "visible", lambda ends, depths, window: whole(ends, depths, None))
    short = [(None, [7, 8], [n]) for n in range(5)]
    mine = tree(model)
    mine._loglikelihood_tokens(short, disable_tqdm=True)
    assert mine.tally.requests == {"tree": 5}  # nothing is wrong below the window
    asked = requests()
    assert_equal(mine._loglikelihood_tokens(asked, True), harness(model)._loglikelihood_tokens(asked, True))
    assert [(check.rung, check.passed) for check in mine.tally.checks] == [
        ("tree", True),
        ("tree", False),
        ("sliced", True),
    ]


def test_the_check_is_not_repeated_for_paths_no_longer_than_those_checked() -> None:
    mine = tree(tiny_model("Llama"))
    for _ in range(3):
        mine._loglikelihood_tokens(requests(), disable_tqdm=True)
    assert len(mine.tally.checks) == 1


def test_a_model_that_fails_both_checks_goes_to_the_parent(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = ladder.score_edges
    monkeypatch.setattr(ladder, "score_edges", lambda *given: [(score - 0.01, flag) for score, flag in real(*given)])
    model, asked = tiny_model("Llama"), requests()
    mine = tree(model)
    for _ in range(2):
        assert_equal(mine._loglikelihood_tokens(asked, True), harness(model)._loglikelihood_tokens(asked, True))
    assert mine.tally.requests == {"parent": 2 * len(asked)}
    assert mine.tally.reasons["tree: self-check failed"] == len(asked)
    assert len(mine.tally.checks) == 2
    assert sum("given up" in record.message for record in caplog.records) == 2  # each rung once, not once per call


def test_an_error_in_the_check_is_a_failed_check(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> dict[str, Any]:
        raise TypeError("unexpected keyword")

    monkeypatch.setattr("crossfact.utils.forward_pass.tree_inputs", refuse)
    mine = tree(tiny_model("Llama"))
    mine._loglikelihood_tokens(requests(), disable_tqdm=True)
    assert mine.tally.requests == {"sliced": 48}
    assert mine.tally.checks[0].reason == "TypeError: unexpected keyword"


def test_the_reason_of_a_fallback_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        mine = tree(tiny_model("Mamba"))
        for _ in range(2):
            mine._loglikelihood_tokens(requests(), disable_tqdm=True)
    assert sum("position_ids" in record.message for record in caplog.records) == 1


def test_out_of_memory_is_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    model, asked = tiny_model("Llama"), requests()
    forward, sizes = TreeLM._forward, []

    def small_machine(self: TreeLM, inputs: dict[str, Any]) -> torch.Tensor:
        sizes.append(inputs["input_ids"].numel())
        if sizes[-1] > 30:
            raise RuntimeError(OUT_OF_MEMORY)
        return forward(self, inputs)

    monkeypatch.setattr(TreeLM, "_forward", small_machine)
    mine = tree(model, pack_tokens=200)
    assert_equal(mine._loglikelihood_tokens(asked, True), harness(model)._loglikelihood_tokens(asked, True))
    assert mine.tally.requests == {"tree": len(asked)}
    assert max(sizes) > 30 >= sizes[-1]


def test_what_never_fits_goes_to_the_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    model, asked = tiny_model("Llama"), requests()
    mine = tree(model)
    mine._loglikelihood_tokens(asked, disable_tqdm=True)  # checked while memory was plenty

    def smaller_machine(inputs: dict[str, Any]) -> torch.Tensor:
        if inputs["input_ids"].numel() > 12:
            raise RuntimeError(OUT_OF_MEMORY)
        return mine._forward(inputs)

    monkeypatch.setattr(mine._ladder, "_forward", smaller_machine)
    assert_equal(mine._loglikelihood_tokens(asked, True), harness(model)._loglikelihood_tokens(asked, True))
    assert mine.tally.requests == {"tree": 48 + 24, "parent": 24}
    assert mine.tally.reasons == {"tree: out of memory": 24, "sliced: out of memory in the self-check": 24}


def test_paths_beyond_a_length_dependent_rope_take_the_second_rung() -> None:
    config = transformers.Phi3Config(
        **BASE,
        original_max_position_embeddings=16,
        rope_parameters={
            "rope_type": "longrope",
            "rope_theta": 10000.0,
            "short_factor": [1.0] * 4,
            "long_factor": [3.0] * 4,
        },
    )
    torch.manual_seed(0)
    model, asked = transformers.Phi3ForCausalLM(config).eval(), requests((3, 9, 30))
    mine = tree(model)
    # One request at a time: in a batch the harness's own scores depend on the longest neighbour.
    theirs = harness(model, batch_size=1, logits_cache=False)._loglikelihood_tokens(asked, True)
    assert_equal(mine._loglikelihood_tokens(asked, True)[:24], theirs[:24])
    assert mine.tally.requests == {"tree": 24, "sliced": 24}
    assert mine.tally.reasons == {"tree: more than 16 tokens": 24}


def test_long_contexts_lose_their_first_tokens_as_in_the_parent() -> None:
    model, asked = tiny_model("Llama"), requests((3, 9, 40))
    mine = tree(model, max_length=20)
    theirs = harness(model, max_length=20)._loglikelihood_tokens(asked, True)
    assert_equal(mine._loglikelihood_tokens(asked, True), theirs)
    assert mine.tally.requests == {"tree": len(asked)}
    assert mine.tally.checks[0].largest_difference < 1e-4
