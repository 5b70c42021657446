"""Does a fast way of scoring agree with the harness's own? Asked on real pairs before it is trusted.

Scores are compared, not greedy flags: a head that misses its scaling is 12 nats wrong with every flag equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import torch

from crossfact.utils.head_slicing import Score
from crossfact.utils.trie import Pair

# Largest difference allowed, in nats per token of a continuation at temperature 1. Half types round every layer's
# output, in another order in another shape of batch: scores of two batch sizes of the harness lie up to 0.1 apart in
# bfloat16, and as far from float32 as a trie's (0.2). A wrong mask is nats wrong.
TOLERANCE = {torch.float64: 1e-3, torch.float32: 1e-3, torch.float16: 0.1, torch.bfloat16: 0.5}
SIBLINGS = 10
DEEPEST = 2


@dataclass(frozen=True)
class Check:
    """The outcome of one self-check.

    Attributes:
        rung: the way of scoring that was checked.
        passed: whether every score was within the tolerance.
        pairs: how many pairs were compared.
        largest_difference: in nats per token; NaN when scoring failed.
        tolerance: in nats per token.
        reason: why it failed; empty when it passed.
    """

    rung: str
    passed: bool
    pairs: int
    largest_difference: float
    tolerance: float
    reason: str = ""


def sample(pairs: Sequence[Pair], order: Sequence[int]) -> list[int]:
    """Chooses pairs that would show a wrong mask: siblings of the bushiest context, and the longest paths.

    Args:
        pairs: all pairs.
        order: the indices to choose from, pairs of one context next to each other; not empty.

    Returns:
        At most ``SIBLINGS + DEEPEST`` indices in the order given.
    """
    bushiest = max((list(group) for _, group in groupby(order, key=lambda index: pairs[index][0])), key=len)
    step = max(1, len(bushiest) // SIBLINGS)
    deepest = sorted(order, key=lambda index: -sum(map(len, pairs[index])))[:DEEPEST]
    chosen = {*bushiest[::step][:SIBLINGS], *deepest}
    return [index for index in order if index in chosen]


def tolerance(dtypes: Sequence[torch.dtype], temperature: float) -> float:
    """Returns the difference allowed per token for the coarsest of the types that take part."""
    return max(TOLERANCE.get(dtype, TOLERANCE[torch.bfloat16]) for dtype in dtypes) / temperature


def compare(rung: str, mine: Sequence[Score], theirs: Sequence[Score], lengths: Sequence[int], allowed: float) -> Check:
    """Compares two lists of scores.

    Args:
        rung: the way of scoring that is checked.
        mine: its scores.
        theirs: the harness's scores of the same pairs.
        lengths: the number of tokens of each continuation.
        allowed: nats per token.
    """
    gaps = [
        0.0 if a == b else abs(a - b) / length for (a, _), (b, _), length in zip(mine, theirs, lengths, strict=True)
    ]  # equal infinities have no difference
    largest = max(gaps, key=lambda gap: float("inf") if gap != gap else gap)
    passed = largest <= allowed
    reason = "" if passed else f"its scores are {largest:.3g} nats per token off (tolerance {allowed:.3g})"
    return Check(rung, passed, len(gaps), largest, allowed, reason)
