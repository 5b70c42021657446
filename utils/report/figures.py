"""The look of all figures: colours, fonts, panels, and how a drawing becomes a file.

Drawings use `matplotlib.figure.Figure` directly, never pyplot, so that there is no state between them. Languages are
labelled with their BCP-47 codes, which every font has; for anything else (a model's name in Chinese or Bengali) the
Noto fonts of `FONTS` are used where they are installed.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.transforms import Bbox

INK, MUTED, GRID, SURFACE = "#1a1d21", "#5b6270", "#d8dce3", "#fdfdfe"
"""Text and axes, secondary text, grid lines, background. Nothing else has these colours: the page exchanges them for
those of its light or dark theme."""

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#8a8d91")
"""Okabe and Ito's colours, without black and yellow, which vanish on one of the two backgrounds."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""Go with `PALETTE`, so that no figure depends on colour alone."""

SEQUENTIAL, DIVERGING = "YlGnBu", "PuOr_r"
"""Colour maps that readers with any kind of colour vision can order."""

FONTS = ("DejaVu Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans CJK KR", "Noto Sans Bengali", "Noto Sans")

_SIZE = 8.5
_ROOM = 0.6  # inches for a title above all panels, and labels and a legend below them
_THEMED = {INK: "var(--ink)", MUTED: "var(--muted)", GRID: "var(--grid)", SURFACE: "var(--surface)"}


def colours(labels: Sequence[str]) -> dict[str, str]:
    """Return a colour for each label, by its place; the same models have the same colours in all figures."""
    return {label: PALETTE[place % len(PALETTE)] for place, label in enumerate(labels)}


def markers(labels: Sequence[str]) -> dict[str, str]:
    """Return a marker for each label, by its place."""
    return {label: MARKERS[place % len(MARKERS)] for place, label in enumerate(labels)}


@contextmanager
def style() -> Iterator[None]:
    """Apply the report's style to whatever is drawn inside."""
    installed = {font.name for font in font_manager.fontManager.ttflist}
    with mpl.rc_context(
        {
            "font.family": [name for name in FONTS if name in installed],
            "font.size": _SIZE,
            "axes.titlesize": _SIZE + 0.5,
            "axes.titleweight": "bold",
            "axes.titlelocation": "left",
            "axes.labelsize": _SIZE,
            "xtick.labelsize": _SIZE - 0.5,
            "ytick.labelsize": _SIZE - 0.5,
            "legend.fontsize": _SIZE - 0.5,
            "legend.frameon": False,
            "figure.facecolor": SURFACE,
            "axes.facecolor": SURFACE,
            "savefig.facecolor": SURFACE,
            "text.color": INK,
            "axes.edgecolor": MUTED,
            "axes.labelcolor": INK,
            "xtick.color": MUTED,
            "ytick.color": MUTED,
            "xtick.labelcolor": INK,
            "ytick.labelcolor": INK,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.linewidth": 0.7,
            "axes.grid": False,
            "grid.color": GRID,
            "grid.linewidth": 0.6,
            "axes.axisbelow": True,
            "lines.linewidth": 1.4,
            "hatch.linewidth": 0.5,
            "svg.fonttype": "path",  # the same picture with or without our fonts
            "svg.hashsalt": "crossfact",  # the same ids each time
            "pdf.fonttype": 42,
            "image.interpolation": "nearest",
        }
    ):
        yield


def panels(
    rows: int, columns: int, *, width: float = 2.4, height: float = 2.2, shared: bool = True, square: bool = False
) -> tuple[Drawing, npt.NDArray[Any]]:
    """Return a drawing and its panels.

    Args:
        rows: Rows of panels.
        columns: Panels in a row.
        width: Of one panel, in inches.
        height: Of one panel, in inches.
        shared: All panels have the same scales, and only the outer ones are labelled.
        square: The panels will have a fixed shape (`axes.set_aspect("equal")`): no gaps between them.

    Returns:
        The drawing and an array of axes, shape (rows, columns).
    """
    layout: Literal["compressed", "constrained"] = "compressed" if square else "constrained"
    drawing = Drawing(figsize=(max(columns * width, 2.8), rows * height + _ROOM), layout=layout)
    share: Any = "all" if shared else False
    return drawing, drawing.subplots(rows, columns, squeeze=False, sharex=share, sharey=share)


def arrange(drawing: Drawing) -> Bbox:
    """Lay a finished drawing out, once for all of its files: this takes as long as writing one.

    Returns:
        What is left of it, in inches, without empty margins.
    """
    drawing.draw_without_rendering()
    drawing.set_layout_engine("none")
    return drawing.get_tightbbox().padded(0.04)


def grid(axes: Axes, axis: Literal["both", "x", "y"] = "both") -> None:
    """Draw grid lines behind the data (`x`, `y` or `both`)."""
    axes.grid(visible=True, axis=axis)


def legend(drawing: Drawing, axes: Axes) -> None:
    """Put one legend for all panels below them, without doubles: what `axes` has labels for."""
    handles, labels = axes.get_legend_handles_labels()
    known = dict(zip(labels, handles, strict=True))
    put_legend(drawing, list(known.values()), list(known))


def put_legend(drawing: Drawing, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """Put a legend below all panels, in as many columns as fit."""
    if labels:
        widest = 0.45 + 0.075 * max(map(len, labels))
        fitting = max(1, int(drawing.get_figwidth() / widest))
        drawing.legend(handles, labels, loc="outside lower center", ncols=min(fitting, len(labels)))


def wrap(label: str, width: int = 18) -> str:
    """Break a long label (a model's name) into lines, after a separator where there is one."""
    parts = re.findall(rf".{{1,{width - 1}}}[-/ _]|.{{1,{width}}}", label)
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def as_pdf(drawing: Drawing, box: Bbox | None = None) -> bytes:
    """Return a drawing, or what of it lies in `box`, as a PDF file: the same bytes for the same drawing."""
    return _saved(drawing, box, "pdf", {"CreationDate": None, "Producer": None, "Creator": None})


def as_svg(drawing: Drawing, box: Bbox | None = None) -> str:
    """Return a drawing, or what of it lies in `box`, as an SVG file that needs no font."""
    return _saved(drawing, box, "svg", {"Date": None, "Creator": None}).decode()


def for_page(svg: str, name: str, title: str) -> str:
    """Return an SVG file as an element of the page.

    Its ids become its own (many figures share one page), and the neutral colours become those of the theme.
    """
    element = svg[svg.index("<svg") :]
    element = re.sub(r'\b(id="|xlink:href="#|href="#|url\(#)', rf"\g<1>{name}-", element)
    for colour, themed in _THEMED.items():
        element = re.sub(colour, themed, element, flags=re.IGNORECASE)
    width = re.search(r'<svg [^>]*?width="([\d.]+)pt"', element)
    size = float(width[1]) if width else 500.0
    # text of about 12 px where there is room, never under 8 px: narrow screens scroll
    limits = f"min-width:{0.95 * size:.0f}px;max-width:{1.6 * size:.0f}px"
    return element.replace("<svg ", f'<svg role="img" aria-label="{_escaped(title)}" style="{limits}" ', 1)


def _saved(drawing: Drawing, box: Bbox | None, kind: str, metadata: dict[str, None]) -> bytes:
    file = io.BytesIO()
    drawing.savefig(file, format=kind, metadata=metadata, dpi=200, bbox_inches=box)
    return file.getvalue()


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def reads_on(colour: Sequence[float]) -> str:
    """Return black or white, whichever is read better on a colour (red, green, blue in [0, 1])."""
    linear = np.where(np.array(colour[:3]) <= 0.04, np.array(colour[:3]) / 12.92, np.array(colour[:3]) ** 2.2)
    return "#111111" if float(linear @ [0.2126, 0.7152, 0.0722]) > 0.18 else "#ffffff"
