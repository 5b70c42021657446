"""The output head on the needed rows only, and scores from its logits with bounded memory.

With a vocabulary of 262,144 the head costs more than a small model's layers. It is not called by hand: models scale or
cap its output afterwards, which a hand-made call would skip without changing a single greedy token. A hook cuts the
head's input instead, so that everything the model does to its logits still happens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

# Size in bytes of the temporary copy of the logits that the softmax works on: a CPU's cache, or worth a launch.
SOFTMAX_BYTES = {"cpu": 4 * 2**20}
SOFTMAX_BYTES_ACCELERATOR = 256 * 2**20

Score = tuple[float, bool]


def logits_at(
    model: Any,
    call: Callable[[], torch.Tensor],
    batch: Sequence[int],
    position: Sequence[int],
) -> torch.Tensor:
    """Runs a forward pass whose head sees only the rows ``(batch[i], position[i])``.

    Args:
        model: the model whose head is cut.
        call: runs the model and returns its logits.
        batch: the sequence of each wanted row.
        position: the position of each wanted row in its sequence.

    Returns:
        Logits of shape [rows, vocabulary].
    """
    cut = False

    def keep(_module: torch.nn.Module, args: tuple[Any, ...]) -> tuple[Any, ...]:
        nonlocal cut
        cut = True
        # With a device map the head sits on another device than the model's inputs.
        where = [torch.tensor(index, device=args[0].device) for index in (batch, position)]
        return (args[0][where[0], where[1]][None], *args[1:])

    head = model.get_output_embeddings()
    handle = head.register_forward_pre_hook(keep) if head is not None else None
    try:
        logits = call()
    finally:
        if handle is not None:
            handle.remove()
    # A model that never calls its head as a module returns all rows.
    return logits[0] if cut else logits[list(batch), list(position)]


def score_edges(
    logits: torch.Tensor,
    edges: Sequence[Sequence[tuple[int, int]]],
    temperature: float,
    dtype: torch.dtype,
) -> list[Score]:
    """Sums the log-probabilities of each continuation.

    Args:
        logits: shape [rows, vocabulary].
        edges: for each pair, one ``(row, token)`` per token of its continuation.
        temperature: the logits are divided by it before the softmax of every step.
        dtype: the type that the softmax is computed in.

    Returns:
        For each pair the summed log-probability in nats, and whether every token is the most likely one.
    """
    rows = torch.tensor([row for pair in edges for row, _ in pair], device=logits.device)
    tokens = torch.tensor([token for pair in edges for _, token in pair], device=logits.device)
    norms, best = [], []
    room = SOFTMAX_BYTES.get(logits.device.type, SOFTMAX_BYTES_ACCELERATOR)
    step = max(1, room // (logits.shape[1] * dtype.itemsize))
    for chunk in logits.split(step):
        best.append(chunk.argmax(-1))
        norms.append((chunk.to(dtype) / temperature if temperature != 1 else chunk.to(dtype)).logsumexp(-1))
    picked = logits[rows, tokens].to(dtype) / temperature
    values = (picked - torch.cat(norms)[rows]).tolist()
    greedy = (torch.cat(best)[rows] == tokens).tolist()
    scores, at = [], 0
    for pair in edges:
        end = at + len(pair)
        scores.append((sum(values[at:end]), all(greedy[at:end])))
        at = end
    return scores
