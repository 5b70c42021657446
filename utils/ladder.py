"""Two fast ways of scoring, tried in turn, each trusted only after a self-check.

1. ``tree``: token tries under a tree attention mask;
2. ``sliced``: a plain padded batch without duplicates, the head on the needed rows only (any causal model).

What neither can serve is handed back to the caller, and every request that goes down a rung is counted with its reason.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from crossfact.utils.forward_pass import ForwardPass, pack_limits, run_passes, sliced_passes, tree_passes
from crossfact.utils.head_slicing import Score, logits_at, score_edges
from crossfact.utils.self_check import Check, compare, sample, tolerance
from crossfact.utils.tally import Tally
from crossfact.utils.tree_mask import longest_path, why_no_tree
from crossfact.utils.trie import Pair, leaf_paths, preorder

logger = logging.getLogger(__name__)


def shorten(pair: Pair, max_length: int) -> Pair:
    """Drops the first tokens of a context that does not fit, as the harness does.

    Args:
        pair: a context and a continuation of at most ``max_length`` tokens.
        max_length: the longest path that the model takes.
    """
    context, continuation = pair
    excess = len(context) + len(continuation) - (max_length + 1)
    return (context[excess:], continuation) if excess > 0 else pair


class Ladder:
    """Scores pairs with the fastest way that a model allows.

    Attributes:
        tally: how many pairs took which rung, and why.
    """

    def __init__(
        self,
        model: Any,
        device: torch.device,
        forward: Callable[[dict[str, Any]], torch.Tensor],
        reference: Callable[[list[Pair]], list[Score]],
        *,
        dtypes: Sequence[torch.dtype],
        softmax_dtype: torch.dtype,
        temperature: float,
        pack_tokens: int | None,
    ) -> None:
        """Looks at the model's configuration; nothing is run yet.

        Args:
            model: a causal language model of transformers.
            device: where it takes its inputs.
            forward: runs the model on keyword arguments and returns its logits.
            reference: scores pairs slowly and surely, for the self-check.
            dtypes: the types that the reference and the fast ways compute in.
            softmax_dtype: the type that the softmax is computed in.
            temperature: logits are divided by it before every softmax.
            pack_tokens: tokens in one pass; None for the device's default.
        """
        self.tally = Tally()
        self._model, self._device, self._forward, self._reference = model, device, forward, reference
        self._softmax_dtype, self._temperature = softmax_dtype, temperature
        self._tolerance = tolerance(dtypes, temperature)
        self._limits = pack_limits(model, device, pack_tokens)
        self._longest = min(self._limits.ceiling, longest_path(model) or self._limits.ceiling)
        self._why = {"tree": why_no_tree(model), "sliced": None}
        self._checked = {"tree": 0, "sliced": 0}  # the longest path that each rung was checked on
        if self._why["tree"]:
            logger.warning("hf-tree: this model's prompts are not packed as tries, because %s.", self._why["tree"])

    def score(self, pairs: Sequence[Pair], max_length: int, progress: Callable[[int], object]) -> dict[int, Score]:
        """Scores pairs.

        Args:
            pairs: contexts and continuations.
            max_length: the longest path that the model takes; longer contexts lose their first tokens.
            progress: called with the number of pairs done.

        Returns:
            The scores by index of the pair; a pair that no rung can serve is missing.
        """
        pairs = [shorten(pair, max_length) if len(pair[1]) <= max_length else pair for pair in pairs]
        scores: dict[int, Score] = {}
        todo = preorder(pairs)
        for rung in ("tree", "sliced"):
            able = [index for index in todo if not self._refused(rung, pairs[index], max_length)]
            if able and self._trusted(rung, pairs, able):
                self._run(rung, pairs, able, scores, progress)
            todo = [index for index in todo if index not in scores]
        return scores

    def _refused(self, rung: str, pair: Pair, max_length: int) -> bool:
        reason = self._why[rung]
        length = len(pair[0]) + len(pair[1]) - 1
        if not pair[0] or not pair[1] or len(pair[1]) > max_length:
            reason = "empty, or a continuation longer than the model takes"
        elif reason is None and rung == "tree" and length > self._longest:
            reason = f"more than {self._longest} tokens"
        if reason is not None:
            self.tally.reasons[f"{rung}: {reason}"] += 1
        return reason is not None

    def _trusted(self, rung: str, pairs: Sequence[Pair], able: list[int]) -> bool:
        """Checks a rung on its first pairs, and again when longer paths come: a window shows only beyond its size."""

        def depth(some: Iterable[Pair]) -> int:
            return max(len(context) + len(continuation) - 1 for context, continuation in some)

        if depth(pairs[index] for index in able) <= self._checked[rung]:
            return True
        chosen = [pairs[index] for index in sample(pairs, able)]
        mine: dict[int, Score] = {}
        try:
            self._plan_and_run(
                rung, chosen, preorder(chosen), lambda step, values: mine.update(zip(step.pairs, values, strict=True))
            )
            fitting = [chosen[index] for index in sorted(mine)]
            if not fitting:  # says nothing about the scores: the rung may be tried again
                self.tally.reasons[f"{rung}: out of memory in the self-check"] += len(able)
                return False
            lengths = [len(continuation) for _, continuation in fitting]
            scores = [mine[index] for index in sorted(mine)]
            check = compare(rung, scores, self._reference(fitting), lengths, self._tolerance)
        except Exception as error:  # whatever a model does with inputs that it was not made for
            check = Check(rung, False, len(chosen), float("nan"), self._tolerance, f"{type(error).__name__}: {error}")
        self.tally.checks.append(check)
        if check.passed:
            self._checked[rung] = depth(fitting)
        else:
            self._why[rung] = f"the self-check failed: {check.reason}"
            self.tally.reasons[f"{rung}: self-check failed"] += len(able)
            logger.warning("hf-tree: the rung '%s' is given up, %s.", rung, self._why[rung])
        return check.passed

    def _run(
        self,
        rung: str,
        pairs: Sequence[Pair],
        able: list[int],
        scores: dict[int, Score],
        progress: Callable[[int], object],
    ) -> None:
        def done(step: ForwardPass, values: list[Score]) -> None:
            scores.update(zip(step.pairs, values, strict=True))
            self.tally.requests[rung] += len(step.pairs)
            self.tally.work.update(passes=1, tokens=step.tokens, rows=len(step.position))
            progress(len(step.pairs))

        if too_large := self._plan_and_run(rung, pairs, able, done):
            self.tally.reasons[f"{rung}: out of memory"] += len(too_large)

    def _plan_and_run(
        self,
        rung: str,
        pairs: Sequence[Pair],
        order: list[int],
        done: Callable[[ForwardPass, list[Score]], None],
    ) -> list[int]:
        """Returns the pairs that do not fit in memory."""
        if rung == "tree":
            items, take = len(order), tree_passes(self._model, self._device, pairs, order)
        else:
            leaves = sorted(leaf_paths(pairs, order), key=lambda leaf: -len(leaf[0]))
            items, take = len(leaves), sliced_passes(self._device, pairs, leaves)
        too_large, self._limits = run_passes(take, items, self._limits, self._score_pass, done)
        return too_large

    def _score_pass(self, step: ForwardPass) -> list[Score]:
        logits = logits_at(self._model, lambda: self._forward(step.inputs), step.batch, step.position)
        return score_edges(logits, step.edges, self._temperature, self._softmax_dtype)
