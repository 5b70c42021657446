"""The page: one file that needs no network, works from the file system, and holds every table and figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from crossfact.utils.languages import ENGLISH_NAMES
from crossfact.utils.report.sections import GAP, Cell, Format, Table, number, show

FILTER_FROM = 6
"""Tables with more rows can be filtered."""

MOST_ROWS = 300
"""Numbers behind a figure with more rows stand in its file only."""

_DATA = files("crossfact.utils.report") / "data"


@dataclass(frozen=True)
class Item:
    """A table or figure on the page.

    Attributes:
        key: Its id.
        title: One line.
        table: The table, or the numbers behind the figure.
        files: Its files, relative to the page.
        svg: The figure as an element; "" for a table.
        caption: The figure's caption.
    """

    key: str
    title: str
    table: Table
    files: tuple[str, ...]
    svg: str = ""
    caption: str = ""


@dataclass(frozen=True)
class PageSection:
    """A section whose tables and figures are ready for the page."""

    name: str
    title: str
    text: str
    notes: tuple[str, ...]
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Part:
    """What is said of one family and one group of comparable runs.

    Attributes:
        key: Its id, and the folder of its files.
        title: The family's name.
        number: Which of several groups it is; 0 if there is only one.
        setting: What its runs share.
        models: Their labels.
        warnings: Why other runs stand apart.
        sections: Its sections.
    """

    key: str
    title: str
    number: int
    setting: str
    models: tuple[str, ...]
    warnings: tuple[str, ...]
    sections: tuple[PageSection, ...]


def render(parts: Sequence[Part], problems: Sequence[str], languages: Sequence[str]) -> str:
    """Return the page.

    Args:
        parts: What to show.
        problems: One line for each file that was not read.
        languages: The codes of the languages that occur, which are explained at the top.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=False)
    template = environment.from_string((_DATA / "page.html.j2").read_text(encoding="utf-8"))
    return template.render(
        title="Factuality in several languages: " + ", ".join(dict.fromkeys(part.title for part in parts)),
        parts=parts,
        problems=problems,
        languages=", ".join(f"{code} {ENGLISH_NAMES[code]}" for code in languages),
        cell_of=_cell,
        filter_from=FILTER_FROM,
        most_rows=MOST_ROWS,
        css=(_DATA / "page.css").read_text(encoding="utf-8"),
        js=(_DATA / "page.js").read_text(encoding="utf-8"),
        version=version("crossfact"),
    )


def _cell(cell: Cell, how: Format, heads_row: bool) -> Markup:
    """Return a cell's element; `data-value` is what its column is sorted by, empty for a gap."""
    shown = show(cell, how)
    if isinstance(cell, str):
        element = Markup('<th scope="row" class="text">{}</th>' if heads_row else '<td class="text">{}</td>')
        return element.format(shown)
    value = number(cell)
    if math.isnan(value):
        return Markup('<td data-value=""><span aria-label="not measured">{}</span></td>').format(GAP)
    main, _, interval = shown.partition(" ")
    inner = escape(main) + (Markup('<span class="interval">{}</span>').format(interval) if interval else "")
    return Markup('<td data-value="{}">{}</td>').format(repr(value), inner)
