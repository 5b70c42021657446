"""Contexts and continuations to token ids, in batches, each context once.

The harness encodes one pair at a time, and the context again with every pair. The ids are the same here: the whole text
is tokenized, so merges across the boundary are respected, and what follows the context's own tokens is the
continuation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from crossfact.utils.trie import Pair

# Texts given to the tokenizer at once: enough for its own batching, few enough to keep its output small.
BATCH = 10_000

Encode = Callable[[Sequence[str]], list[list[int]]]


def split_spaces(context: str, continuation: str) -> tuple[str, str]:
    """Moves the trailing spaces of a context to the continuation, as the harness does."""
    stripped = context.rstrip()
    return stripped, context[len(stripped) :] + continuation


def batch_encoder(tokenizer: Any, add_bos_token: bool | None, bos: str) -> Encode:
    """Returns a function that encodes texts like the harness's ``tok_encode``, many at a time.

    Args:
        tokenizer: a tokenizer of transformers.
        add_bos_token: whether special tokens are added; None for the tokenizer's own habit.
        bos: the text of the token that stands for an empty context; a text that starts with it gets no second one.
    """
    usual = {} if add_bos_token is None else {"add_special_tokens": add_bos_token}

    def encode(texts: Sequence[str]) -> list[list[int]]:
        ids: list[list[int]] = [[]] * len(texts)
        marked = [text.startswith(bos) for text in texts]
        for flag, kwargs in ((False, usual), (True, {"add_special_tokens": False})):
            chosen = [at for at, mark in enumerate(marked) if mark is flag]
            for start in range(0, len(chosen), BATCH):
                part = chosen[start : start + BATCH]
                encoded = tokenizer([texts[at] for at in part], return_attention_mask=False, **kwargs)["input_ids"]
                for at, tokens in zip(part, encoded, strict=True):
                    ids[at] = tokens
        return ids

    return encode


def encode_pairs(texts: Sequence[tuple[str, str]], encode: Encode) -> list[Pair]:
    """Encodes pairs whose contexts are not empty.

    Args:
        texts: contexts and continuations.
        encode: a batch encoder.

    Returns:
        For each pair the ids of its context and of its continuation; equal contexts are one tuple.
    """
    pairs = [split_spaces(context, continuation) for context, continuation in texts]
    contexts = list(dict.fromkeys(context for context, _ in pairs))
    known = dict(zip(contexts, map(tuple, encode(contexts)), strict=True))
    wholes = encode([context + continuation for context, continuation in pairs])
    return [
        (known[context], tuple(whole[len(known[context]) :])) for (context, _), whole in zip(pairs, wholes, strict=True)
    ]
