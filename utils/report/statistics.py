"""Intervals and comparisons that respect what belongs together.

The same item stands in several languages, with several statements or several evidence languages. Its scores are not
independent, so all resampling draws whole items ("clusters"), never single scores.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

DRAWS = 10_000
SEED = 20_26
_BLOCK = 1_000  # draws held in memory at once


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval.

    Attributes:
        value: The mean of all defined scores; NaN if there is none.
        low: The lower end of the interval (2.5 % of the draws); NaN with fewer than two clusters.
        high: Its upper end.
        count: How many scores are defined.
    """

    value: float
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Difference:
    """The mean of one set of scores less that of another, over the same items.

    Attributes:
        value: The difference; NaN if either set is empty.
        low: The lower end of its 95 % interval.
        high: The upper end.
        p: The two-sided p-value of a test that swaps the two sets item by item; NaN if `value` is.
    """

    value: float
    low: float
    high: float
    p: float


@dataclass(frozen=True)
class Clustered:
    """Scores summed up by item.

    Attributes:
        sums: The sum of the defined scores of each item, in the order of `items`.
        counts: How many there are.
        items: The items' ids, sorted.
    """

    sums: Floats
    counts: Floats
    items: tuple[Hashable, ...]

    @property
    def mean(self) -> float:
        """The mean over all defined scores; NaN if there is none."""
        return float(_ratio(self.sums.sum(), self.counts.sum()))


def cluster(scores: Sequence[float] | Floats, items: Sequence[Hashable]) -> Clustered:
    """Sum up `scores` by the item that each belongs to; NaN scores are not defined and do not count."""
    values = np.asarray(scores, dtype=np.float64)
    if len(values) != len(items):
        raise ValueError(f"{len(values)} scores for {len(items)} items")
    names = sorted(set(items), key=str)
    place = {name: number for number, name in enumerate(names)}
    where = np.fromiter((place[item] for item in items), dtype=np.int64, count=len(items))
    defined = ~np.isnan(values)
    size = len(names)
    return Clustered(
        np.bincount(where[defined], values[defined], minlength=size).astype(np.float64),
        np.bincount(where[defined], minlength=size).astype(np.float64),
        tuple(names),
    )


def estimate(clustered: Clustered, draws: int = DRAWS, seed: int = SEED) -> Estimate:
    """Return the mean and its 95 % percentile interval by a bootstrap over items."""
    low, high = _interval(bootstrap_means(clustered, draws, seed), len(clustered.items))
    return Estimate(clustered.mean, low, high, int(clustered.counts.sum()))


def bootstrap_means(clustered: Clustered, draws: int = DRAWS, seed: int = SEED) -> Floats:
    """Return the mean in `draws` resamples of the items: an array of that length, NaN where a draw has no score."""
    blocks = _weights(len(clustered.items), draws, seed)
    return np.concatenate([np.zeros(0), *(_ratio(w @ clustered.sums, w @ clustered.counts) for w in blocks)])


def difference(first: Clustered, second: Clustered, draws: int = DRAWS, seed: int = SEED) -> Difference:
    """Compare two sets of scores of the same items: two models, or two languages.

    The interval resamples items for both sets at once. The p-value swaps the two sets' scores item by item, which
    needs no assumption on their distribution and also holds for rates that are defined on different documents.

    Raises:
        ValueError: The two sets do not have the same items; see `common_items`.
    """
    if first.items != second.items:
        raise ValueError("a paired comparison needs the same items on both sides")
    observed = first.mean - second.mean
    resampled = bootstrap_means(first, draws, seed) - bootstrap_means(second, draws, seed)
    low, high = _interval(resampled, len(first.items))
    return Difference(observed, low, high, _swap_test(first, second, observed, draws, seed))


def common_items(first: Clustered, second: Clustered) -> tuple[Clustered, Clustered]:
    """Return both sets restricted to the items that they share."""
    shared = sorted(set(first.items) & set(second.items), key=str)
    return _only(first, shared), _only(second, shared)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values of one family of comparisons after Holm's correction; NaN stays NaN and is not counted."""
    order = [i for i in np.argsort(p_values, kind="stable") if not np.isnan(p_values[i])]
    adjusted, so_far = [float("nan")] * len(p_values), 0.0
    for rank, i in enumerate(order):
        so_far = max(so_far, min(1.0, (len(order) - rank) * p_values[i]))
        adjusted[i] = so_far
    return adjusted


def _swap_test(first: Clustered, second: Clustered, observed: float, draws: int, seed: int) -> float:
    if np.isnan(observed):
        return float("nan")
    rng = np.random.default_rng(seed)
    sums, counts = first.sums + second.sums, first.counts + second.counts
    extreme = 0
    for size in _blocks(draws):
        keep = rng.integers(0, 2, size=(size, len(first.items))).astype(np.float64)
        # kept items stay where they are, the others change sides
        left_sums = keep @ (first.sums - second.sums) + second.sums.sum()
        left_counts = keep @ (first.counts - second.counts) + second.counts.sum()
        swapped = _ratio(left_sums, left_counts) - _ratio(sums.sum() - left_sums, counts.sum() - left_counts)
        extreme += int((np.abs(swapped) >= abs(observed) - 1e-12).sum())
    return (1 + extreme) / (1 + draws)


def _weights(items: int, draws: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of resampling weights: how often each item was drawn, one row a draw."""
    rng = np.random.default_rng(seed)
    for size in _blocks(draws) if items else []:
        yield rng.multinomial(items, np.full(items, 1 / items), size=size).astype(np.float64)


def _blocks(draws: int) -> list[int]:
    return [min(_BLOCK, draws - start) for start in range(0, draws, _BLOCK)]


def _interval(drawn: Floats, clusters: int) -> tuple[float, float]:
    defined = drawn[~np.isnan(drawn)]
    if clusters < 2 or not len(defined):
        return float("nan"), float("nan")
    low, high = np.percentile(defined, [2.5, 97.5])
    return float(low), float(high)


def _only(clustered: Clustered, items: Sequence[Hashable]) -> Clustered:
    place = {item: number for number, item in enumerate(clustered.items)}
    where = np.array([place[item] for item in items], dtype=np.int64)
    return Clustered(clustered.sums[where], clustered.counts[where], tuple(items))


def _ratio(sums: npt.ArrayLike, counts: npt.ArrayLike) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.divide(sums, counts), dtype=np.float64)
