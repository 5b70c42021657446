"""Batched tokenization gives the harness's own ids."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lm_eval.models.huggingface import HFLM

from crossfact.utils import pair_encoding
from crossfact.utils.pair_encoding import batch_encoder, encode_pairs, split_spaces
from tests.utils.tiny_models import tiny_model, tiny_tokenizer

texts = st.text(alphabet="Theis Rom|é日", max_size=12)
TOKENIZER = tiny_tokenizer()


@functools.cache
def harness_model(add_bos_token: bool | None) -> HFLM:
    return HFLM(tiny_model("Llama"), tokenizer=TOKENIZER, add_bos_token=add_bos_token)


def encode(add_bos_token: bool | None = None) -> pair_encoding.Encode:
    return batch_encoder(TOKENIZER, add_bos_token, "<s>")


def test_trailing_spaces_move_to_the_continuation() -> None:
    assert split_spaces("is  ", "Rome") == ("is", "  Rome")
    assert split_spaces("is", " Rome") == ("is", " Rome")


def test_merges_across_the_boundary_are_respected() -> None:
    ((context, continuation),) = encode_pairs([("The capital of Italy is", " Rome")], encode())
    whole = tuple(TOKENIZER("The capital of Italy is Rome")["input_ids"])
    apart = tuple(TOKENIZER(" Rome", add_special_tokens=False)["input_ids"])
    assert continuation == whole[len(context) :]
    assert continuation != apart  # the case is a real one: tokenized apart it would be scored differently


@pytest.mark.parametrize("add_bos_token", [None, True, False])
@settings(deadline=None)
@given(pairs=st.lists(st.tuples(texts.filter(bool), texts), min_size=1, max_size=6))
def test_ids_are_those_of_the_harness(add_bos_token: bool | None, pairs: list[tuple[str, str]]) -> None:
    harness = harness_model(add_bos_token)
    pairs += [("<s>" + context, continuation) for context, continuation in pairs]
    expected = [tuple(map(tuple, harness._encode_pair(*pair))) for pair in pairs]
    assert encode_pairs(pairs, encode(add_bos_token)) == expected


def test_equal_contexts_are_encoded_once() -> None:
    asked: list[str] = []

    def count(batch: Sequence[str]) -> list[list[int]]:
        asked.extend(batch)
        return encode()(batch)

    first, second, third = encode_pairs([("is", " Rome"), ("is", " Paris"), ("of", " Rome")], count)
    assert sorted(asked) == sorted(["is", "of", "is Rome", "is Paris", "of Rome"])
    assert first[0] is second[0]
    assert third[0] != first[0]


def test_long_lists_are_encoded_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = [f"is {'Rome' * n}" for n in range(7)]
    whole = encode()(batch)
    monkeypatch.setattr(pair_encoding, "BATCH", 3)
    assert encode()(batch) == whole
