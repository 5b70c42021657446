"""The backend against the harness's own: every architecture, temperature, precision, texts, what is the parent's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from lm_eval.api.instance import Instance
from lm_eval.api.registry import get_model

from crossfact.utils.errors import UserError
from crossfact.utils.hf_tree import TreeLM
from tests.utils.scoring import assert_equal, greedy, harness, requests, tree
from tests.utils.tiny_models import BASE, SLICED, TREE, VOCABULARY, tiny_model, tiny_tokenizer


@pytest.mark.parametrize("name", [*TREE, *SLICED])
def test_scores_and_flags_are_the_harness_own(name: str) -> None:
    model, asked = tiny_model(name), requests()
    asked += [greedy(model, context) for _, context, _ in asked[::12]]
    mine = tree(model)
    scores = mine._loglikelihood_tokens(asked, disable_tqdm=True)
    assert all(flag for _, flag in scores[-4:])
    assert_equal(scores, harness(model)._loglikelihood_tokens(asked, disable_tqdm=True))
    assert mine.tally.requests == {"tree" if name in TREE else "sliced": len(asked)}
    assert all(check.passed for check in mine.tally.checks)


@pytest.mark.parametrize("name", ["Llama", "Mistral", "Gemma3Text"])
def test_eager_attention_takes_tries_too(name: str) -> None:
    model, asked = tiny_model(name, "eager"), requests()
    mine = tree(model)
    assert_equal(
        mine._loglikelihood_tokens(asked, disable_tqdm=True), harness(model)._loglikelihood_tokens(asked, True)
    )
    assert mine.tally.requests == {"tree": len(asked)}


def test_the_temperature_is_exact_on_every_rung() -> None:
    asked = requests()
    for name in ("Llama", "Mamba"):
        model = tiny_model(name)
        expected = []
        for _, context, continuation in asked:
            with torch.no_grad():
                logits = model(torch.tensor([context + continuation[:-1]])).logits[0, len(context) - 1 :]
            steps = (logits / 0.1).log_softmax(-1)
            score = sum(float(steps[step, token]) for step, token in enumerate(continuation))
            expected.append((score, logits.argmax(-1).tolist() == continuation))
        mine = tree(model, temperature=0.1)
        assert_equal(mine._loglikelihood_tokens(asked, True), expected)
        assert_equal(mine._ask_parent(asked, True, None), expected)


def test_mixed_precision_is_kept() -> None:
    model, asked = tiny_model("Llama"), requests()
    mine = tree(model, mixed_precision_dtype="bfloat16")
    theirs = harness(model, mixed_precision_dtype="bfloat16", softmax_dtype="float32")
    assert mine._forward({"input_ids": torch.tensor([[3, 4]])}).dtype == torch.bfloat16
    scores = mine._loglikelihood_tokens(asked, True)
    differences = [abs(a - b) for (a, _), (b, _) in zip(scores, theirs._loglikelihood_tokens(asked, True), strict=True)]
    assert max(differences) < 1
    assert mine.tally.requests == {"tree": len(asked)}


def test_bfloat16_scores_agree_within_the_stated_tolerance() -> None:
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**BASE)).bfloat16().eval()
    mine = tree(model)
    mine._loglikelihood_tokens(requests(), disable_tqdm=True)
    assert mine.tally.requests == {"tree": 48}
    assert mine.softmax_dtype == torch.float32


def test_rolling_likelihoods_and_generation_are_the_parents() -> None:
    model = tiny_model("Llama")
    mine, theirs = tree(model), harness(model)
    rolling = [Instance("loglikelihood_rolling", {}, ("The capital of Italy is Rome",), 0)]
    assert mine.loglikelihood_rolling(rolling) == pytest.approx(theirs.loglikelihood_rolling(rolling), abs=1e-3)
    assert mine.tally.requests == {"parent": 1}
    assert mine.tally.reasons == {"rolling likelihood": 1}
    asked = [Instance("generate_until", {}, ("The capital", {"until": ["."], "max_gen_toks": 5}), 0)]
    assert mine.generate_until(asked) == theirs.generate_until(asked)


def test_an_encoder_decoder_is_the_parents() -> None:
    torch.manual_seed(0)
    config = transformers.T5Config(vocab_size=VOCABULARY, d_model=32, d_kv=8, d_ff=64, num_layers=1, num_heads=4)
    config.decoder_start_token_id = 0
    model = transformers.T5ForConditionalGeneration(config).eval()
    asked = [Instance("loglikelihood", {}, ("The capital", " is Rome"), 0)]
    mine = tree(model)
    assert_equal(mine.loglikelihood(asked), harness(model).loglikelihood(asked))
    assert mine.tally.reasons == {"encoder-decoder": 1}


def test_texts_with_and_without_context() -> None:
    model = tiny_model("Llama")
    texts = [("The capital of Italy is ", "Rome"), ("", "The capital"), ("", "<s> is"), ("is", " Paris")] * 2
    asked = [Instance("loglikelihood", {}, text, index) for index, text in enumerate(texts)]
    assert_equal(tree(model).loglikelihood(asked), harness(model).loglikelihood(asked))


def test_a_subclass_tokenizes_in_its_own_way() -> None:
    class Apart(TreeLM):
        def _encode_pair(self, context: str, continuation: str) -> tuple[list[int], list[int]]:
            return tuple(
                self.tokenizer(part, add_special_tokens=False)["input_ids"] for part in (context, continuation)
            )

    mine = Apart(tiny_model("Llama"), tokenizer=tiny_tokenizer())
    asked = [("The capital of Italy is", " Rome"), ("The capital of Italy is", " Paris")]
    expected = [(None, *mine._encode_pair(*text)) for text in asked]
    assert_equal(
        mine.loglikelihood([Instance("loglikelihood", {}, text, 0) for text in asked]),
        harness(tiny_model("Llama"))._loglikelihood_tokens(expected, disable_tqdm=True),
    )


def test_scores_reach_the_cache() -> None:
    kept = {}
    mine = tree(tiny_model("Llama"))
    mine.cache_hook = type(
        "Hook", (), {"add_partial": lambda _, kind, text, score: kept.update({(kind, text): score})}
    )()
    asked = [Instance("loglikelihood", {}, ("is", text), 0) for text in (" Rome", " Paris")]
    scores = mine.loglikelihood(asked)
    assert kept == {("loglikelihood", ("is", " Rome")): scores[0], ("loglikelihood", ("is", " Paris")): scores[1]}


def test_the_results_tell_how_requests_were_served() -> None:
    mine = tree(tiny_model("Llama"))
    mine._loglikelihood_tokens(requests(), disable_tqdm=True)
    told = mine.get_model_info()["hf_tree"]
    assert told["requests"] == {"tree": 48}
    assert told["work"]["passes"] > 1
    assert told["checks"][0]["passed"] is True
    assert told["checks"][0]["tolerance"] == 1e-3


def test_nothing_asked_is_nothing_scored() -> None:
    assert tree(tiny_model("Llama")).loglikelihood([]) == []


def test_a_loaded_adapter_is_scored_as_by_the_parent() -> None:
    peft = pytest.importorskip("peft", reason="peft is not installed")
    torch.manual_seed(0)
    base = transformers.LlamaForCausalLM(transformers.LlamaConfig(**BASE))
    adapter = peft.LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    model, asked = peft.get_peft_model(base, adapter).eval(), requests()
    mine = tree(model)
    assert_equal(mine._loglikelihood_tokens(asked, True), harness(model)._loglikelihood_tokens(asked, True))
    assert mine.tally.requests == {"tree": len(asked)}


@pytest.mark.parametrize("name", ["Llama", "Gemma3Text"])
def test_a_model_spread_by_a_device_map_gives_the_same_scores(name: str, tmp_path: Path) -> None:
    model, asked = tiny_model(name), requests()
    model.save_pretrained(tmp_path)
    tiny_tokenizer().save_pretrained(tmp_path)
    # Without a GPU the map puts every layer on the disk: hooks bring weights and inputs to where a layer runs.
    offload = str(tmp_path / "offload")
    mine = TreeLM(str(tmp_path), parallelize=True, device="cpu", offload_folder=offload, pack_tokens=40)
    assert mine.model.hf_device_map
    assert_equal(mine._loglikelihood_tokens(asked, True), harness(model)._loglikelihood_tokens(asked, True))
    assert mine.tally.requests == {"tree": len(asked)}


@pytest.mark.parametrize("wrong", [{"temperature": 0}, {"temperature": "cold"}, {"pack_tokens": -1}])
def test_wrong_arguments_are_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=next(iter(wrong))):
        tree(tiny_model("Llama"), **wrong)


def test_the_harness_knows_the_backend() -> None:
    assert get_model("hf-tree") is TreeLM
