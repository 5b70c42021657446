"""One forward pass that scores many pairs, as a trie or as a padded batch, and how large it may be.

The memory rule: what a pass needs beyond the model's own activations is the logits (rows × vocabulary) and the
attention mask or scores (nodes²). Both have a fixed budget, whatever the task: :data:`LOGITS_BYTES` and
:data:`ATTENTION_BYTES`. One pair alone is always tried, as any backend must; when memory still runs out, passes halve.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

import torch
from accelerate.utils.memory import clear_device_cache, should_reduce_batch_size

from crossfact.utils.head_slicing import Score
from crossfact.utils.tree_mask import tree_inputs
from crossfact.utils.trie import Limits, Pair, take_pack

logger = logging.getLogger(__name__)

# A CPU is fastest when it reads the weights once for some hundred tokens; an accelerator needs more work per launch.
PACK_TOKENS = {"cpu": 256}
PACK_TOKENS_ACCELERATOR = 2048
LOGITS_BYTES = 512 * 2**20
ATTENTION_BYTES = 512 * 2**20


@dataclass(frozen=True)
class ForwardPass:
    """What one call of the model needs and what is read from its logits.

    Attributes:
        items: how many items of the plan this pass serves (pairs of a trie, paths of a batch).
        pairs: the index of each pair scored.
        inputs: keyword arguments of the model.
        batch: for each row of logits that is needed, its sequence.
        position: for each row of logits that is needed, its position in the sequence.
        edges: for each pair, one ``(row, token)`` per token of its continuation.
    """

    items: int
    pairs: list[int]
    inputs: dict[str, Any]
    batch: list[int]
    position: list[int]
    edges: list[list[tuple[int, int]]]

    @property
    def tokens(self) -> int:
        """How many tokens are fed, padding included."""
        return int(self.inputs["input_ids"].numel())


Take = Callable[[int, Limits], ForwardPass]


def pack_limits(model: Any, device: torch.device, pack_tokens: int | None) -> Limits:
    """Returns the size of a pass for a model on a device.

    Args:
        model: a causal language model of transformers.
        device: where it takes its inputs.
        pack_tokens: the size in tokens that a user asks for; None for the device's default.
    """
    config = model.config.get_text_config()
    width = model.dtype.itemsize
    # SDPA holds the mask and may make a floating copy of it; eager attention holds the scores of all heads, twice.
    heads = getattr(config, "num_attention_heads", 1)  # a state space model has none
    entry = 1 + width if config._attn_implementation == "sdpa" else 2 * width * heads
    ceiling = isqrt(ATTENTION_BYTES // entry)
    tokens = pack_tokens or PACK_TOKENS.get(device.type, PACK_TOKENS_ACCELERATOR)
    return Limits(min(tokens, ceiling), ceiling, max(1, LOGITS_BYTES // (config.vocab_size * width)))


def tree_passes(model: Any, device: torch.device, pairs: Sequence[Pair], order: Sequence[int]) -> Take:
    """Plans passes over tries: item ``i`` is the pair ``order[i]``."""

    def take(start: int, limits: Limits) -> ForwardPass:
        pack = take_pack(pairs, order, start, limits)
        nodes = sorted({node for edges in pack.edges for node, _ in edges})
        row = {node: at for at, node in enumerate(nodes)}
        inputs = {**tree_inputs(model, pack, device), "use_cache": False}
        edges = [[(row[node], token) for node, token in pair] for pair in pack.edges]
        return ForwardPass(len(pack.pairs), pack.pairs, inputs, [0] * len(nodes), nodes, edges)

    return take


def sliced_passes(
    device: torch.device, pairs: Sequence[Pair], leaves: Sequence[tuple[tuple[int, ...], list[int]]]
) -> Take:
    """Plans right-padded batches, which any causal model takes: item ``i`` is the path ``leaves[i]``."""

    def take(start: int, limits: Limits) -> ForwardPass:
        width = len(leaves[start][0])  # paths come longest first
        chosen, asked = 0, 0
        row: dict[tuple[int, int], int] = {}
        edges, members = [], []
        for at in range(start, len(leaves)):
            path, indices = leaves[at]
            asked += max(len(path) + 1 - len(pairs[index][0]) for index in indices)
            if chosen and ((chosen + 1) * width > limits.tokens or asked > limits.rows):
                break
            for index in indices:
                context, continuation = pairs[index]
                first = len(context) - 1
                edges.append(
                    [
                        (row.setdefault((chosen, first + step), len(row)), token)
                        for step, token in enumerate(continuation)
                    ]
                )
            members += indices
            chosen += 1
        fed = torch.zeros((chosen, width), dtype=torch.long)
        for at, (path, _) in enumerate(leaves[start : start + chosen]):
            fed[at, : len(path)] = torch.tensor(path)
        batch, position = [at for at, _ in row], [at for _, at in row]
        return ForwardPass(chosen, members, {"input_ids": fed.to(device)}, batch, position, edges)

    return take


def run_passes(
    take: Take,
    items: int,
    limits: Limits,
    score: Callable[[ForwardPass], list[Score]],
    done: Callable[[ForwardPass, list[Score]], None],
) -> tuple[list[int], Limits]:
    """Runs all passes of a plan; when memory runs out, halves them and goes on.

    Args:
        take: the plan.
        items: how many items it has.
        limits: the size of a pass to begin with.
        score: runs one pass.
        done: receives each pass and its scores.

    Returns:
        The pairs that do not fit in memory even alone, and the limits that the run ended with.
    """
    at, too_large = 0, []
    while at < items:
        step = take(at, limits)
        try:
            scores = score(step)
        except RuntimeError as error:
            if not should_reduce_batch_size(error):
                raise
            scores = None  # the error keeps the pass's tensors alive: memory is freed outside this block
        if scores is not None:
            done(step, scores)
            at += step.items
            continue
        clear_device_cache(garbage_collection=True)
        if step.items == 1:
            too_large += step.pairs
            at += 1
        else:
            limits = limits.halved(step.tokens, len(step.position))
            logger.warning("Out of memory with %d tokens in a pass; going on with %d.", step.tokens, limits.tokens)
    return too_large, limits
