"""The reference protocol: how the authors' own script scores a candidate, which differs from the paper's text.

The script divides the logits by 0.1 at every step, drops the last character of every candidate, adds no BOS token, and
tokenizes prompt and candidate apart. With it, numbers that were published from the script can be checked.

Candidates that differ only in their last character are tied. The script ranks those in the order of a Python set of
strings, which changes from run to run; here, as everywhere, ties count by their mean over all orders.
"""

from __future__ import annotations

from typing import Any

from lm_eval.api.registry import register_model

from crossfact.fiber.loading import REFERENCE
from crossfact.utils.hf_tree import TreeLM


@register_model("fiber-reference")
class ReferenceLM(TreeLM):
    """The backend `hf-tree`, with the log-likelihoods of the authors' script."""

    fiber_protocol = REFERENCE

    def __init__(self, pretrained: Any, **kwargs: Any) -> None:
        """Load the model; takes the arguments of `hf-tree`."""
        super().__init__(pretrained, **{"softmax_dtype": "float64", **kwargs, "temperature": 0.1})

    def _encode_pair(self, context: str, continuation: str) -> tuple[list[int], list[int]]:
        return (
            self.tok_encode(context, add_special_tokens=False),
            self.tok_encode(continuation[:-1], add_special_tokens=False),
        )
