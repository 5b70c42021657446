"""Random requests, and the two backends that answer them."""

from __future__ import annotations

import random
from typing import Any

import torch
from lm_eval.models.huggingface import HFLM

from crossfact.utils.hf_tree import TreeLM
from tests.utils.tiny_models import VOCABULARY, tiny_tokenizer

Request = tuple[Any, list[int], list[int]]


def requests(lengths: tuple[int, ...] = (3, 9, 17), per_context: int = 12) -> list[Request]:
    """Random contexts, one a prefix of another, with continuations that share prefixes."""
    draw = random.Random("hf-tree")
    contexts = [[draw.randrange(2, VOCABULARY) for _ in range(length)] for length in lengths]
    contexts.append([*contexts[-1][:-2], 5, 6])
    return [
        (None, context, [draw.randrange(2, 9) for _ in range(draw.randrange(1, 5))])
        for context in contexts
        for _ in range(per_context)
    ]


@torch.no_grad()
def greedy(model: Any, context: list[int]) -> Request:
    """A context with the two tokens that greedy decoding would give."""
    tokens: list[int] = []
    for _ in range(2):
        tokens.append(int(model(torch.tensor([context + tokens])).logits[0, -1].argmax()))
    return (None, context, tokens)


def tree(model: Any, **kwargs: Any) -> TreeLM:
    return TreeLM(model, tokenizer=tiny_tokenizer(), **{"pack_tokens": 40, **kwargs})


def harness(model: Any, **kwargs: Any) -> HFLM:
    return HFLM(model, tokenizer=tiny_tokenizer(), **{"batch_size": 4, **kwargs})


def assert_equal(mine: list[tuple[float, bool]], theirs: list[tuple[float, bool]], within: float = 1e-3) -> None:
    assert max(abs(a - b) for (a, _), (b, _) in zip(mine, theirs, strict=True)) < within
    assert [flag for _, flag in mine] == [flag for _, flag in theirs]
