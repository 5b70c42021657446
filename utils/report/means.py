"""Means over languages or topics that all weigh the same, however many scores each of them has.

The languages of an item are resampled together; the items of different topics are resampled independently.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from crossfact.utils.report.statistics import DRAWS, SEED, Clustered, Difference, Estimate, Floats, bootstrap_means

Strata = Sequence[Clustered]
"""Scores by language, or by topic."""

_MOST = 256  # sets of scores resampled at once: their drawn means fit into 20 MiB


def mean_estimates(groups: Sequence[Strata], draws: int = DRAWS, seed: int = SEED) -> list[Estimate]:
    """Return the mean of the strata's means for each group, with its 95 % bootstrap interval.

    `value` is NaN where a stratum has no score (or there is none): a mean over fewer languages or topics would be
    another number. `count` is the number of scores.
    """
    totals = [np.zeros(draws) for _ in groups]
    owned = [(owner, (stratum,)) for owner, group in enumerate(groups) for stratum in group]
    for owners, columns, own_seed in _by_items(owned, seed):
        drawn = bootstrap_means([one for (one,) in columns], draws, own_seed)
        for owner, means in zip(owners, drawn, strict=True):
            totals[owner] += means / len(groups[owner])
    return [_estimate(group, total) for group, total in zip(groups, totals, strict=True)]


def mean_differences(pairs: Sequence[tuple[Strata, Strata]], draws: int = DRAWS, seed: int = SEED) -> list[Difference]:
    """Compare two means of strata for each pair, stratum by stratum over the same items.

    The interval resamples items, for both sides at once. The p-value swaps the two sides item by item, in all strata
    that share the item at once.

    Raises:
        ValueError: The strata of the two sides do not match.
    """
    if any([one.items for one in left] != [one.items for one in right] for left, right in pairs):
        raise ValueError("a paired comparison needs the same items on both sides")
    resampled, swapped = ([np.zeros(draws) for _ in pairs] for _ in range(2))
    owned = [(owner, both) for owner, (left, right) in enumerate(pairs) for both in zip(left, right, strict=True)]
    for owners, columns, own_seed in _by_items(owned, seed):
        sides = [[both[side] for both in columns] for side in (0, 1)]
        means = bootstrap_means([*sides[0], *sides[1]], draws, own_seed)
        parts = means[: len(columns)] - means[len(columns) :], _swapped(sides[0], sides[1], draws, own_seed)
        for place, owner in enumerate(owners):
            weight = 1 / len(pairs[owner][0])
            resampled[owner] += parts[0][place] * weight
            swapped[owner] += parts[1][place] * weight
    return [_difference(*found) for found in zip(pairs, resampled, swapped, strict=True)]


def gaps(pairs: Sequence[tuple[Clustered, Clustered]], draws: int = DRAWS, seed: int = SEED) -> list[Difference]:
    """Return the difference of the means of two unrelated sets of items for each pair, without a p-value."""
    sides = [[(owner, (pair[side],)) for owner, pair in enumerate(pairs)] for side in (0, 1)]
    drawn = [np.full((len(pairs), draws), np.nan) for _ in sides]
    for side, owned in enumerate(sides):
        # another seed for the other side: the draws of unrelated items must not be related
        for owners, columns, own_seed in _by_items(owned, seed + side * 7919):
            drawn[side][owners] = bootstrap_means([one for (one,) in columns], draws, own_seed)
    found = []
    for (left, right), difference in zip(pairs, drawn[0] - drawn[1], strict=True):
        found.append(Difference(left.mean - right.mean, *interval(difference), float("nan")))
    return found


def interval(drawn: Floats) -> tuple[float, float]:
    """Return the middle 95 % of drawn values; NaN if none is defined, or all are the same for want of items."""
    defined = drawn[~np.isnan(drawn)]
    if not len(defined):
        return float("nan"), float("nan")
    low, high = np.percentile(defined, [2.5, 97.5])
    return float(low), float(high)


def _by_items(
    owned: Iterable[tuple[int, tuple[Clustered, ...]]], seed: int
) -> Iterable[tuple[list[int], list[tuple[Clustered, ...]], int]]:
    """Yield what shares its items, in blocks, with the seed of these items."""
    places: dict[tuple[Hashable, ...], list[tuple[int, tuple[Clustered, ...]]]] = {}
    for owner, columns in owned:
        places.setdefault(columns[0].items, []).append((owner, columns))
    for number, (items, known) in enumerate(places.items()):
        if not items:
            continue
        for start in range(0, len(known), _MOST):
            block = known[start : start + _MOST]
            yield [owner for owner, _ in block], [columns for _, columns in block], seed + number


def _swapped(left: Sequence[Clustered], right: Sequence[Clustered], draws: int, seed: int) -> Floats:
    """Return left − right after random swaps of whole items; shape (pairs, draws)."""
    sums, counts = (
        [np.stack([getattr(one, name) for one in side], axis=1) for side in (left, right)]
        for name in ("sums", "counts")
    )
    rng = np.random.default_rng(seed)
    found = np.empty((draws, len(left)))
    step = max(1, 500_000 // len(sums[0]))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        keep = rng.integers(0, 2, size=(size, len(sums[0])), dtype=np.int8).astype(np.float64)
        kept_sums = keep @ (sums[0] - sums[1]) + sums[1].sum(0)
        kept_counts = keep @ (counts[0] - counts[1]) + counts[1].sum(0)
        other_sums, other_counts = (sums[0] + sums[1]).sum(0) - kept_sums, (counts[0] + counts[1]).sum(0) - kept_counts
        with np.errstate(invalid="ignore", divide="ignore"):
            found[start : start + size] = kept_sums / kept_counts - other_sums / other_counts
    return found.T


def _mean(strata: Strata) -> float:
    return float(np.mean([one.mean for one in strata])) if strata else float("nan")


def _estimate(strata: Strata, drawn: Floats) -> Estimate:
    value, count = _mean(strata), sum(int(one.counts.sum()) for one in strata)
    return Estimate(value, *_known_interval(strata, value, drawn), count)


def _difference(pair: tuple[Strata, Strata], resampled: Floats, swapped: Floats) -> Difference:
    value = _mean(pair[0]) - _mean(pair[1])
    if np.isnan(value):
        return Difference(value, value, value, value)
    defined = swapped[~np.isnan(swapped)]
    p_value = (1 + int((np.abs(defined) >= abs(value) - 1e-12).sum())) / (1 + len(defined))
    return Difference(value, *_known_interval(pair[0], value, resampled), p_value)


def _known_interval(strata: Strata, value: float, drawn: Floats) -> tuple[float, float]:
    if np.isnan(value) or max(len(one.items) for one in strata) < 2:
        return float("nan"), float("nan")
    return interval(drawn)
