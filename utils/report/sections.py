"""What a family puts into the report: sections of tables and figures.

A family's `report.py` has one function, `sections(models: Sequence[Model]) -> list[Section]`, declared in setup.cfg as
the entry point of its name in the group `crossfact.report`. It is given models that may be compared
(`utils/report/comparable.py`) and reads their samples with `read_task`. It returns numbers and drawings; files, page
and layout are made here. What is missing is None or NaN, and is shown as a gap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from crossfact.utils.report.statistics import Difference, Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

    from crossfact.utils.report.comparable import Model

Cell = str | int | float | Estimate | Difference | None
"""A text, a number, or a number with its interval; None and NaN are gaps."""

Format = Literal["text", "percent", "points", "score", "count", "p"]
"""How a column is printed.

`percent` shows a share in [0, 1] as 12.3; `points` a difference of shares as +1.2 (percentage points); `score` three
decimals; `count` whole numbers; `p` a p-value. Files of comma-separated values hold the unrounded numbers.
"""

GAP = "–"


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading, and how its cells are printed."""

    heading: str
    format: Format = "percent"


@dataclass(frozen=True)
class Table:
    """Numbers in rows.

    Attributes:
        name: The name of its files, unique in the report and beginning with the family's: `sword_accuracy`.
        title: One line.
        columns: The columns; those of format `text` are what the page filters by.
        rows: One cell per column.
        note: What a reader must know to read it: what is counted, which interval, what a gap means.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        """Refuse rows of another length.

        Raises:
            ValueError: A row does not have one cell per column.
        """
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name}: a row of {len(row)} cells under {len(self.columns)} columns")


@dataclass(frozen=True)
class Figure:
    """A drawing and the numbers behind it.

    Attributes:
        name: The name of its files, unique in the report and beginning with the family's.
        title: One line; the page's heading for it, not drawn.
        draw: Makes the drawing, with the helpers of `utils/report/figures.py`; called once, in the report's style.
        data: The numbers that it shows, for the file beside it, for tests, and for those who cannot see it.
        caption: What the axes, colours and marks mean, and what the paper's figure it follows is.
    """

    name: str
    title: str
    draw: Callable[[], Drawing]
    data: Table
    caption: str = ""


@dataclass(frozen=True)
class Section:
    """Tables and figures on one question.

    Attributes:
        name: Its anchor on the page, unique in the report and beginning with the family's name.
        title: Its heading.
        parts: Tables and figures, in reading order.
        text: A few plain sentences before them.
        notes: Warnings: what was left out and why, what cannot be concluded.
    """

    name: str
    title: str
    parts: tuple[Table | Figure, ...]
    text: str = ""
    notes: tuple[str, ...] = ()


Sections = Callable[[Sequence["Model"]], list[Section]]
"""The type of a family's function."""


def number(cell: Cell) -> float:
    """Return a cell's number, without its interval; NaN for a gap.

    Raises:
        TypeError: The cell is a text.
    """
    if isinstance(cell, str):
        raise TypeError(f"{cell!r} is not a number")
    if isinstance(cell, Estimate | Difference):
        return cell.value
    return math.nan if cell is None else float(cell)


def show(cell: Cell, how: Format) -> str:
    """Return a cell as it is printed, with its interval in square brackets; `GAP` for what is missing."""
    if isinstance(cell, str):
        return cell
    value = number(cell)
    if math.isnan(value):
        return GAP
    shown = _shown(value, how)
    if isinstance(cell, Estimate | Difference) and not math.isnan(cell.low):
        shown += f" [{_shown(cell.low, how)}, {_shown(cell.high, how)}]"
    return shown


def _shown(value: float, how: Format) -> str:
    if how == "percent":
        return f"{100 * value:.1f}"
    if how == "points":
        return "0.0" if abs(value) < 0.0005 else f"{100 * value:+.1f}".replace("-", "−")
    if how == "count":
        return f"{value:.0f}"
    if how == "p":
        return "<0.001" if value < 0.001 else f"{value:.3f}"
    return f"{value:.3f}".replace("-", "−")
