"""Tokens on both sides of the boundary between prompt and candidate, with tokenizers that merge across it."""

from __future__ import annotations

import pytest
import torch
from lm_eval.api.instance import Instance
from lm_eval.models.dummy import DummyLM
from lm_eval.models.huggingface import HFLM
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

from crossfact.fiber.boundary import ExactPairs, encode_exactly
from crossfact.utils.hf_tree import TreeLM

LETTERS = sorted(set("İzmir'nıdBuaşke: .|"))
MERGES = [("'", "n"), ("'n", "i"), (":", " "), ("ı", "n")]
PROMPT = "İzmir'"


def tokenizer(dummy_prefix: bool = False) -> PreTrainedTokenizerFast:
    """A tokenizer of letters that merges `'n`, `'ni`, `: ` and `ın`; with `dummy_prefix` as SentencePiece does it."""
    vocabulary = ["<eos>", *LETTERS, "▁", *("".join(pair) for pair in MERGES)]
    made = Tokenizer(models.BPE({token: number for number, token in enumerate(vocabulary)}, MERGES))
    if dummy_prefix:
        made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
        made.decoder = decoders.Metaspace(prepend_scheme="always", split=False)
    else:
        made.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<eos>", pad_token="<eos>")


def backend(kind: type[HFLM], dummy_prefix: bool = False) -> HFLM:
    """A tiny model with random weights."""
    torch.manual_seed(1)
    words = tokenizer(dummy_prefix)
    config = GPT2Config(vocab_size=len(words), n_positions=64, n_embd=16, n_layer=1, n_head=2)
    return kind(pretrained=GPT2LMHeadModel(config).eval(), tokenizer=words, device="cpu", batch_size=4)


def request(prompt: str, candidate: str) -> Instance:
    return Instance(request_type="loglikelihood", doc={}, arguments=(prompt, candidate), idx=0)


def stepwise(model: HFLM, before: list[int], after: list[int], temperature: float = 1.0) -> float:
    """The summed log-probability of `after`, token by token."""
    total, ids = 0.0, list(before)
    for token in after:
        with torch.no_grad():
            logits = model.model(torch.tensor([ids])).logits[0, -1]
        total += torch.log_softmax(logits / temperature, -1)[token].item()
        ids.append(token)
    return total


def test_the_harness_alone_scores_nothing_here() -> None:
    """What this module is for: the candidate has vanished into the prompt's last token."""
    assert backend(HFLM)._encode_pair(PROMPT, "n") == (backend(HFLM).tok_encode(PROMPT), [])


@pytest.mark.parametrize("kind", [HFLM, TreeLM])
def test_merged_candidates_are_scored_after_their_prompt(kind: type[HFLM]) -> None:
    model = backend(kind)
    candidates = ["n", "nin", "de", "ni"]
    pairs = encode_exactly(model, [PROMPT])
    scores = [score for score, _ in model.loglikelihood([request(PROMPT, candidate) for candidate in candidates])]
    before = model.tok_encode(PROMPT)
    expected = [stepwise(model, before, model.tok_encode(candidate)) for candidate in candidates]
    assert scores == pytest.approx(expected, abs=1e-4)
    assert pairs is not None
    assert dict(pairs.apart) == {PROMPT: 3}
    assert not pairs.wrong


@pytest.mark.parametrize("kind", [HFLM, TreeLM])
def test_where_nothing_merges_the_scores_are_the_harness_s(kind: type[HFLM]) -> None:
    requests = [request("Bu şıkk", candidate) for candidate in ("a", "akş", "ne")]
    plain = [score for score, _ in backend(kind).loglikelihood(requests)]
    model = backend(kind)
    pairs = encode_exactly(model, ["Bu şıkk"])
    assert [score for score, _ in model.loglikelihood(requests)] == plain
    assert pairs is not None
    assert not pairs.apart


def test_spaces_at_the_end_of_the_prompt_stay_there() -> None:
    """A chat template may end in white space, which the harness would score with the candidate."""
    model = backend(HFLM)
    encode_exactly(model, ["Bu: "])
    before, after = model._encode_pair("Bu: ", "n")
    assert model.tokenizer.decode(before) == "Bu: "
    assert model.tokenizer.decode(after) == "n"


def test_a_tokenizer_that_adds_a_space_of_its_own() -> None:
    model = backend(HFLM, dummy_prefix=True)
    pairs = encode_exactly(model, ["Bu:"])
    assert pairs is not None
    before = model.tok_encode("Bu:")
    after = pairs._encode_apart(before, "Bu:", " nin")
    assert model.tokenizer.decode(before + after) == "Bu: nin"
    assert not pairs.wrong


def test_what_the_tokenizer_cannot_spell_is_counted() -> None:
    model = backend(HFLM, dummy_prefix=True)
    pairs = encode_exactly(model, [PROMPT])
    assert pairs is not None
    pairs._encode_apart(model.tok_encode(PROMPT), PROMPT, "nin")  # a space would come between them
    assert dict(pairs.wrong) == {PROMPT: 1}


def test_prompts_of_other_tasks_are_left_to_the_harness() -> None:
    model = backend(HFLM)
    encode_exactly(model, [PROMPT])
    assert model._encode_pair("'", "n") == (model.tok_encode("'"), [])
    tree = backend(TreeLM)
    encode_exactly(tree, [PROMPT])
    mixed = tree._encode_pairs([(PROMPT, "n"), ("Bu", "n")])
    assert [list(after) for _, after in mixed] == [tree.tok_encode("n")] * 2


def test_a_model_is_taken_over_once() -> None:
    model = backend(HFLM)
    first = encode_exactly(model, ["a"])
    assert isinstance(first, ExactPairs)
    assert encode_exactly(model, ["b"]) is first


def test_a_backend_that_does_not_tokenize_is_left_alone() -> None:
    assert encode_exactly(DummyLM(), [PROMPT]) is None
