"""The kinds of charts, each drawn into given axes: heat map, scatter, bars, lines, density, strips.

Shares are drawn in percent of [0, 1] data. A gap (NaN) is drawn as a gap, never as zero.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.figure import Figure as Drawing
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MultipleLocator

from crossfact.utils.report.figures import (
    DIVERGING,
    GRID,
    INK,
    MUTED,
    SEQUENTIAL,
    SURFACE,
    colours,
    markers,
    put_legend,
    reads_on,
)
from crossfact.utils.report.sections import GAP, Format, show
from crossfact.utils.report.statistics import Estimate

Floats = npt.NDArray[np.float64]

_TICKS = 100
"""Samples of up to this size are also drawn value by value."""


def percent_axis(axis: Any, step: float = 0.25) -> None:
    """Let an axis of shares be read in percent, with a tick each `step`."""
    axis.set_major_locator(MultipleLocator(step))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f}".replace("-", "−")))


def heat_map(
    axes: Axes,
    values: Floats,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    low: float = 0.0,
    high: float = 1.0,
    how: Format = "percent",
    numbers: bool = True,
    diagonal: bool = True,
) -> ScalarMappable:
    """Draw a matrix, with its numbers in the cells; gaps are hatched.

    Args:
        axes: Where to.
        values: Shape (rows, columns).
        rows: Their labels.
        columns: Their labels.
        low: What the palest colour stands for. Give all panels of a figure the same; a negative one makes the colours
            diverge from zero.
        high: What the strongest colour stands for.
        how: How the numbers are printed: `percent` and `points` without decimals.
        numbers: Whether they are.
        diagonal: Whether it means something; if not, it is left blank.

    Returns:
        The colours' scale, for `colour_bar`.
    """
    norm = Normalize(low, high)
    scale = ScalarMappable(norm, DIVERGING if low < 0 else SEQUENTIAL)
    axes.set_facecolor(SURFACE)
    shown = values if diagonal else np.where(np.eye(*values.shape) == 1, np.nan, values)
    axes.pcolormesh(np.ma.masked_invalid(shown), cmap=scale.cmap, norm=norm, edgecolors=SURFACE, linewidth=0.8)
    for row, column in np.ndindex(values.shape):
        value = values[row, column]
        if row == column and not diagonal:
            continue
        if math.isnan(value):
            cell = axes.fill_between([column, column + 1], row, row + 1, facecolor="none", edgecolor=GRID, hatch="////")
            cell.set_linewidth(0)
            axes.text(column + 0.5, row + 0.5, GAP, ha="center", va="center", color=MUTED, fontsize=6.5)
        elif numbers:
            text = show(float(value), how) if how == "score" else _whole(100 * value, how)
            colour = reads_on(tuple(scale.to_rgba(value)))
            axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", color=colour, fontsize=6)
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns, rotation=0 if max(map(len, columns), default=0) < 5 else 90)
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows)
    axes.set_ylim(len(rows), 0)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return scale


def colour_bar(drawing: Drawing, scale: ScalarMappable, panels: npt.NDArray[Any], label: str) -> None:
    """Draw the scale that all heat maps of a figure share, beside them; shares are read in percent."""
    bar = drawing.colorbar(scale, ax=list(panels.flat), label=label, fraction=0.03, pad=0.015, aspect=30)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0)
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f}".replace("-", "−")))


def scatter(
    axes: Axes,
    points: Mapping[tuple[str, str], Sequence[tuple[float, float]]],
    colour: Mapping[str, str],
    marker: Mapping[str, str],
) -> None:
    """Draw points by two classes: the first one chooses the colour, the second one the marker (see `key`)."""
    for (first, second), pairs in points.items():
        x, y = zip(*pairs, strict=True) if pairs else ((), ())
        edge: dict[str, Any] = {"linewidths": 0.4, "edgecolors": SURFACE, "alpha": 0.85}
        axes.scatter(x, y, s=24, c=colour[first], marker=marker[second], **edge)


def key(drawing: Drawing, colour: Mapping[str, str], marker: Mapping[str, str]) -> None:
    """Put a legend below all panels: what the colours mean, and what the markers mean."""
    handles = [Patch(facecolor=code, edgecolor=MUTED, linewidth=0.4) for code in colour.values()]
    shapes = [Line2D([], [], color=MUTED, marker=shape, linestyle="", markersize=4.5) for shape in marker.values()]
    put_legend(drawing, [*handles, *shapes], [*colour, *marker])


def diagonal(axes: Axes, low: float = 0.0, high: float = 1.0) -> None:
    """Draw the line of equal shares, and give both axes the same scale."""
    axes.plot([low, high], [low, high], color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
    margin = 0.03 * (high - low)  # so that no point is cut in half
    axes.set(xlim=(low - margin, high + margin), ylim=(low - margin, high + margin), aspect="equal")
    percent_axis(axes.xaxis)
    percent_axis(axes.yaxis)


def baseline(axes: Axes, value: float, label: str = "random", *, vertical: bool = False) -> None:
    """Draw what a model that answers at random would get, as a dotted line with a place in the legend."""
    line = axes.axvline if vertical else axes.axhline
    line(value, color=INK, linewidth=1, linestyle=(0, (1, 2)), label=label, zorder=1)


def grouped_bars(axes: Axes, groups: Sequence[str], series: Mapping[str, Sequence[Estimate | None]]) -> None:
    """Draw bars of shares with their intervals, side by side in each group; a gap is marked on the axis.

    Args:
        axes: Where to.
        groups: Labels of the horizontal axis.
        series: Label → one estimate per group, None for a gap.
    """
    chosen, width = colours(list(series)), 0.8 / max(len(series), 1)
    for place, (label, estimates) in enumerate(series.items()):
        x = np.arange(len(groups)) - 0.4 + width * (place + 0.5)
        values, below, above = _whiskers(estimates)
        axes.bar(x, np.nan_to_num(values), width * 0.92, color=chosen[label], label=label)
        axes.errorbar(x, values, yerr=[below, above], fmt="none", ecolor=INK, elinewidth=0.8, capsize=0)
        for gap in x[np.isnan(values)]:
            axes.text(gap, 0, GAP, ha="center", va="bottom", color=MUTED, fontsize=7)
    axes.set_xticks(range(len(groups)), groups)
    axes.set_xlim(-0.5, len(groups) - 0.5)
    axes.tick_params(axis="x", length=0)
    axes.grid(visible=True, axis="y")


def lines(
    axes: Axes,
    x: Sequence[float],
    series: Mapping[str, Sequence[Estimate | None]],
    *,
    colour: Mapping[str, str] | None = None,
) -> None:
    """Draw lines of estimates with their intervals as bands; a gap interrupts the line."""
    chosen, shapes = colour or colours(list(series)), markers(list(series))
    for label, estimates in series.items():
        values, below, above = _whiskers(estimates)
        axes.plot(x, values, color=chosen[label], marker=shapes[label], markersize=3, linewidth=1.2, label=label)
        axes.fill_between(x, values - below, values + above, color=chosen[label], alpha=0.15, linewidth=0)
    axes.grid(visible=True, axis="y")


def density(axes: Axes, samples: Mapping[str, Sequence[float]], low: float, high: float) -> None:
    """Draw the distribution of each sample, smoothed; small samples also with a tick for each value."""
    chosen = colours(list(samples))
    for (label, values), dashes in zip(samples.items(), _dashes(len(samples)), strict=True):
        x, y = density_curve(values, low, high)
        axes.plot(x, y, color=chosen[label], linestyle=dashes, label=label)
        axes.fill_between(x, y, color=chosen[label], alpha=0.08, linewidth=0)
        if len(values) <= _TICKS:
            axes.plot(values, [0.02] * len(values), "|", color=chosen[label], transform=axes.get_xaxis_transform())
    axes.set_xlim(low, high)
    axes.set_ylim(bottom=0)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)


def density_curve(values: Sequence[float], low: float, high: float, points: int = 201) -> tuple[Floats, Floats]:
    """Return a Gaussian kernel density estimate on [low, high], with Silverman's bandwidth.

    Returns:
        Where, and how dense; NaN with fewer than two different values.
    """
    known = np.array([value for value in values if not math.isnan(value)])
    x = np.linspace(low, high, points)
    spread = known.std(ddof=1) if len(known) > 1 else 0.0
    if spread == 0:
        return x, np.full(points, math.nan)
    width = 1.06 * spread * len(known) ** -0.2
    kernels = np.exp(-0.5 * ((x[:, None] - known[None, :]) / width) ** 2)
    return x, kernels.sum(axis=1) / (len(known) * width * math.sqrt(2 * math.pi))


def strips(
    axes: Axes, codes: npt.NDArray[np.int8], rows: Sequence[str], palette: Sequence[str], groups: Sequence[str]
) -> None:
    """Draw rows of thin vertical strips, one strip a statement, coloured by its code.

    Args:
        axes: Where to.
        codes: Shape (rows, statements): places in `palette`; −1 is a gap.
        rows: Their labels.
        palette: Colours.
        groups: Labels of equally large groups of rows, which white lines divide.
    """
    shown, size = np.ma.masked_less(codes, 0), len(rows) // len(groups)
    axes.imshow(shown, cmap=ListedColormap(list(palette)), vmin=0, vmax=len(palette) - 1, aspect="auto")
    axes.set_yticks(range(len(rows)), rows, fontsize=4.2)
    axes.set_xticks([])
    for place, label in enumerate(groups):
        middle = (place + 0.5) * size - 0.5
        axes.text(
            -0.045, middle, label, transform=axes.get_yaxis_transform(), ha="right", va="center", fontweight="bold"
        )
        if place:
            axes.axhline(place * size - 0.5, color=SURFACE, linewidth=1.6)
    axes.tick_params(length=0, pad=1.5)
    axes.spines[:].set_visible(True)


def _whole(value: float, how: Format) -> str:
    return f"{value:+.0f}".replace("-", "−") if how == "points" else f"{value:.0f}"


def _whiskers(estimates: Sequence[Estimate | None]) -> tuple[Floats, Floats, Floats]:
    gap = Estimate(math.nan, math.nan, math.nan, 0)
    known = [estimate or gap for estimate in estimates]
    values = np.array([estimate.value for estimate in known])
    below = np.nan_to_num(values - np.array([estimate.low for estimate in known]))
    above = np.nan_to_num(np.array([estimate.high for estimate in known]) - values)
    return values, np.maximum(below, 0), np.maximum(above, 0)


def _dashes(count: int) -> list[Any]:
    known: list[Any] = ["-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 2, 1, 2))]
    return [known[place % len(known)] for place in range(count)]
