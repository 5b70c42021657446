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
_BLOCK = 500_000  # drawn items held in memory at once: they should fit in the processor's cache


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
    return estimates([clustered], draws, seed)[0]


def estimates(sets: Sequence[Clustered], draws: int = DRAWS, seed: int = SEED) -> list[Estimate]:
    """Return `estimate` of each set of scores; sets of the same items share the draws, which is much faster."""
    found: dict[int, Estimate] = {}
    for items, places in _same_items(sets).items():
        means = bootstrap_means([sets[place] for place in places], draws, seed)
        for place, drawn in zip(places, means, strict=True):
            low, high = _interval(drawn, len(items))
            found[place] = Estimate(sets[place].mean, low, high, int(sets[place].counts.sum()))
    return [found[place] for place in range(len(sets))]


def bootstrap_means(sets: Sequence[Clustered], draws: int = DRAWS, seed: int = SEED) -> Floats:
    """Return the means of sets of the same items in `draws` resamples of these.

    Returns:
        Shape (sets, draws); NaN where a draw has no score.
    """
    sums, counts = _columns(sets)
    drawn = np.full((draws, len(sets)), np.nan)
    for rows, weights in _weights(len(sums), draws, seed):
        drawn[rows] = _ratio(weights @ sums, weights @ counts)
    return drawn.T


def difference(first: Clustered, second: Clustered, draws: int = DRAWS, seed: int = SEED) -> Difference:
    """Compare two sets of scores of the same items: two models, or two languages.

    The interval resamples items for both sets at once. The p-value swaps the two sets' scores item by item, which
    needs no assumption on their distribution and also holds for rates that are defined on different documents.

    Raises:
        ValueError: The two sets do not have the same items; see `common_items`.
    """
    return differences([(first, second)], draws, seed)[0]


def differences(pairs: Sequence[tuple[Clustered, Clustered]], draws: int = DRAWS, seed: int = SEED) -> list[Difference]:
    """Return `difference` of each pair; pairs of the same items share the draws, which is much faster.

    Raises:
        ValueError: The two sets of a pair do not have the same items; see `common_items`.
    """
    if any(first.items != second.items for first, second in pairs):
        raise ValueError("a paired comparison needs the same items on both sides")
    found: dict[int, Difference] = {}
    for items, places in _same_items([first for first, _ in pairs]).items():
        left, right = ([pairs[place][side] for place in places] for side in (0, 1))
        means = bootstrap_means([*left, *right], draws, seed)
        resampled = means[: len(left)] - means[len(left) :]
        p_values = _swap_tests(left, right, draws, seed)
        for place, drawn, p_value in zip(places, resampled, p_values, strict=True):
            low, high = _interval(drawn, len(items))
            found[place] = Difference(pairs[place][0].mean - pairs[place][1].mean, low, high, p_value)
    return [found[place] for place in range(len(pairs))]


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


def _swap_tests(left: Sequence[Clustered], right: Sequence[Clustered], draws: int, seed: int) -> list[float]:
    """Return the two-sided p-value of each pair of sets, all of the same items; NaN where a mean is not defined."""
    (left_sums, left_counts), (right_sums, right_counts) = _columns(left), _columns(right)
    observed = _ratio(left_sums.sum(0), left_counts.sum(0)) - _ratio(right_sums.sum(0), right_counts.sum(0))
    sums, counts = (left_sums + right_sums).sum(0), (left_counts + right_counts).sum(0)
    extreme = np.zeros(len(left), dtype=np.int64)
    rng = np.random.default_rng(seed)
    for rows in _blocks(draws, len(left_sums)):
        keep = rng.integers(0, 2, size=(len(rows), len(left_sums)), dtype=np.int8).astype(np.float64)
        # kept items stay where they are, the others change sides
        kept_sums = keep @ (left_sums - right_sums) + right_sums.sum(0)
        kept_counts = keep @ (left_counts - right_counts) + right_counts.sum(0)
        swapped = _ratio(kept_sums, kept_counts) - _ratio(sums - kept_sums, counts - kept_counts)
        extreme += (np.abs(swapped) >= np.abs(observed) - 1e-12).sum(0)
    return np.where(np.isnan(observed), np.nan, (1 + extreme) / (1 + draws)).tolist()


def _weights(items: int, draws: int, seed: int) -> Iterator[tuple[range, Floats]]:
    """Yield blocks of draws, and how often each item (columns) is in each of these draws (rows)."""
    rng = np.random.default_rng(seed)
    for rows in _blocks(draws, items) if items else []:
        picked = rng.integers(0, items, size=(len(rows), items)) + items * np.arange(len(rows))[:, None]
        yield rows, np.bincount(picked.ravel(), minlength=picked.size).reshape(picked.shape).astype(np.float64)


def _blocks(draws: int, items: int) -> list[range]:
    size = max(1, _BLOCK // max(items, 1))
    return [range(start, min(start + size, draws)) for start in range(0, draws, size)]


def _columns(sets: Sequence[Clustered]) -> tuple[Floats, Floats]:
    """Return sums and counts of sets of the same items, each of shape (items, sets)."""
    return np.stack([one.sums for one in sets], axis=1), np.stack([one.counts for one in sets], axis=1)


def _same_items(sets: Sequence[Clustered]) -> dict[tuple[Hashable, ...], list[int]]:
    """Return the places of the sets by the items that they have."""
    places: dict[tuple[Hashable, ...], list[int]] = {}
    for place, one in enumerate(sets):
        places.setdefault(one.items, []).append(place)
    return places


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
