"""The reference protocol: how the authors' own script scores a candidate, which differs from the paper's text.

The script divides the logits by 0.1 at every step, drops the last character of every candidate, adds no BOS token, and
tokenizes prompt and candidate apart. With it, numbers that were published from the script can be checked.
"""

from __future__ import annotations

from typing import Any

import torch
from lm_eval.api.registry import register_model
from lm_eval.models.huggingface import HFLM

from crossfact.fiber.loading import REFERENCE

TEMPERATURE = 0.1

_Request = tuple[tuple[str, str], list[int], list[int]]


@register_model("fiber-reference")
class ReferenceLM(HFLM):
    """The harness's `hf` backend, with the log-likelihoods of the authors' script."""

    fiber_protocol = REFERENCE

    def _encode_pair(self, context: str, continuation: str) -> tuple[list[int], list[int]]:
        return (
            self.tok_encode(context, add_special_tokens=False),
            self.tok_encode(continuation[:-1], add_special_tokens=False),
        )

    def _model_call(self, *args: Any, **kwargs: Any) -> torch.Tensor:
        return super()._model_call(*args, **kwargs).to(torch.float64) / TEMPERATURE

    def _loglikelihood_tokens(
        self, requests: list[_Request], disable_tqdm: bool = False, override_bs: int | None = None
    ) -> list[tuple[float, bool]]:
        """Score each distinct pair of prompt and shortened candidate once.

        Candidates that differ only in their last character are tied, which rounding must not undo. One of which
        nothing is left has a log-likelihood of 0, as in the script.
        """
        first: dict[tuple[tuple[int, ...], tuple[int, ...]], _Request] = {}
        for request in requests:
            first.setdefault((tuple(request[1]), tuple(request[2])), request)
        pairs = [pair for pair in first if pair[1]]
        scored = super()._loglikelihood_tokens([first[pair] for pair in pairs], disable_tqdm, override_bs)
        found = dict(zip(pairs, scored, strict=True))
        return [found.get((tuple(context), tuple(rest)), (0.0, True)) for _, context, rest in requests]
