"""A candidate's tokens after its prompt, and nothing else.

The harness splits the tokens of prompt + candidate after as many tokens as the prompt has alone. Where the tokenizer
merges characters across the boundary (`İzmir'` + `nin` with a token `'n`) the prompt's tokens are no prefix of the
whole, and an empty or a different string would be scored; white space at the end of a chat template's prompt would be
scored as well. Here the prompt's tokens stay as they are. Where they are no prefix, the candidate's tokens are found
apart from them; they are right if both together still spell prompt + candidate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from types import MethodType

from lm_eval.api.model import LM, TemplateLM

from crossfact.utils.pair_encoding import batch_encoder

Pair = tuple[list[int], list[int]]


class ExactPairs:
    """Encodes pairs of a FIBER prompt and a candidate for one model; other pairs are left to the harness.

    Attributes:
        apart: By prompt, how many of its candidates were tokenized apart from it because of a merge.
        wrong: By prompt, how many of those the tokenizer cannot spell that way, so that their score is not exact.
    """

    def __init__(self, model: TemplateLM) -> None:
        """Take the place of the model's `_encode_pair`, through which all the harness's tokenizing backends go.

        `hf-tree` encodes many pairs at once, in `_encode_pairs`; that is replaced as well.
        """
        self.apart: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self._model = model
        self._prompts: set[str] = set()
        # The candidates of a prompt follow one another; the harness would tokenize the prompt anew for each.
        self._encode_prompt = lru_cache(maxsize=64)(lambda prompt: tuple(model.tok_encode(prompt)))
        self._harness_encode = model._encode_pair
        model._encode_pair = self.encode
        if isinstance(many := getattr(model, "_encode_pairs", None), MethodType):
            self._harness_encode_many = many
            model._encode_pairs = self.encode_many

    def add_prompts(self, prompts: Iterable[str]) -> None:
        """Name prompts whose candidates are to be encoded here."""
        self._prompts.update(prompts)

    def encode(self, prompt: str, candidate: str) -> Pair:
        """Return the tokens of the prompt, and those of the candidate after it."""
        if prompt not in self._prompts:
            return self._harness_encode(prompt, candidate)
        return self._split(prompt, candidate, self._encode_prompt(prompt), self._model.tok_encode(prompt + candidate))

    def encode_many(self, texts: Sequence[tuple[str, str]]) -> list[Pair]:
        """Return the same for many pairs of prompt and candidate, tokenized in batches."""
        if not all(prompt in self._prompts for prompt, _ in texts):
            others = [text for text in texts if text[0] not in self._prompts]
            found = iter(self._harness_encode_many(others))
            return [self.encode(*text) if text[0] in self._prompts else next(found) for text in texts]
        model = self._model
        encode = batch_encoder(model.tokenizer, model.add_bos_token, model.tokenizer.decode(model.prefix_token_id))
        prompts = list(dict.fromkeys(prompt for prompt, _ in texts))
        before = dict(zip(prompts, map(tuple, encode(prompts)), strict=True))
        wholes = encode([prompt + candidate for prompt, candidate in texts])
        return [self._split(*text, before[text[0]], whole) for text, whole in zip(texts, wholes, strict=True)]

    def _split(self, prompt: str, candidate: str, before: tuple[int, ...], whole: Sequence[int]) -> Pair:
        after = list(whole[len(before) :])
        if not after or tuple(whole[: len(before)]) != before:
            self.apart[prompt] += 1
            after = self._encode_apart(list(before), prompt, candidate)
        return list(before), after

    def _encode_apart(self, before: list[int], prompt: str, candidate: str) -> list[int]:
        # A tokenizer may put a space of its own before every text; then the candidate without its space is right.
        texts = (candidate, candidate[1:]) if candidate[:1] == " " else (candidate,)
        ways = [list(self._model.tok_encode(text, add_special_tokens=False)) for text in texts]
        for tokens in ways:
            if tokens and self._spell(before + tokens) == self._spell(before) + candidate:
                return tokens
        self.wrong[prompt] += 1
        return ways[0]

    def _spell(self, tokens: list[int]) -> str:
        tokenizer = self._model.tokenizer
        if hasattr(tokenizer, "clean_up_tokenization_spaces"):
            return tokenizer.decode(tokens, clean_up_tokenization_spaces=False)
        return tokenizer.decode(tokens)


def encode_exactly(model: LM, prompts: Iterable[str]) -> ExactPairs | None:
    """Let the candidates of these prompts be encoded exactly, whichever backend scores them.

    Returns:
        The model's encoder, installed once; None for a backend that does not tokenize, or that reads the prompt apart
        from what follows (encoder-decoder models).
    """
    if not isinstance(model, TemplateLM) or model.tokenizer is None or getattr(model, "backend", "causal") != "causal":
        return None
    owner = getattr(model._encode_pair, "__self__", None)
    pairs = owner if isinstance(owner, ExactPairs) else ExactPairs(model)
    pairs.add_prompts(prompts)
    return pairs
