"""Tables as files: comma-separated values with all digits, Markdown and LaTeX as they are printed."""

from __future__ import annotations

import csv
import io
import math
import re

from crossfact.utils.report.sections import GAP, Cell, Column, Table, number, show
from crossfact.utils.report.statistics import Difference, Estimate


def as_csv(table: Table) -> str:
    """Return a table with unrounded numbers; a gap is an empty field.

    A column with intervals becomes several: its value, `low` and `high`, and for estimates `n`, the count of scores.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    kinds = [_kind(table, place) for place in range(len(table.columns))]
    writer.writerow(
        heading for column, kind in zip(table.columns, kinds, strict=True) for heading in _headings(column, kind)
    )
    for row in table.rows:
        writer.writerow(field for cell, kind in zip(row, kinds, strict=True) for field in _fields(cell, kind))
    return file.getvalue()


def as_markdown(table: Table) -> str:
    """Return a table in GitHub's Markdown, with its title and note."""
    lines = [f"**{table.title}**", ""]
    lines.append(_markdown_row([column.heading for column in table.columns]))
    lines.append(_markdown_row(["---" if column.format == "text" else "---:" for column in table.columns]))
    lines += [_markdown_row(_shown(table, row)) for row in table.rows]
    return "\n".join([*lines, "", table.note]).rstrip() + "\n"


def as_latex(table: Table) -> str:
    """Return a table as a LaTeX float that needs the package `booktabs`."""
    alignment = "".join("l" if column.format == "text" else "r" for column in table.columns)
    lines = [
        r"\begin{table}",
        r"\centering\small",
        rf"\caption{{{_tex(table.title)}. {_tex(table.note)}}}".replace(". }", "}"),
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        _tex_row([column.heading for column in table.columns]),
        r"\midrule",
        *(_tex_row(_shown(table, row)) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _shown(table: Table, row: tuple[Cell, ...]) -> list[str]:
    return [show(cell, column.format) for cell, column in zip(row, table.columns, strict=True)]


def _kind(table: Table, place: int) -> type | None:
    kinds = {type(row[place]) for row in table.rows} & {Estimate, Difference}
    return next(iter(kinds), None)


def _headings(column: Column, kind: type | None) -> list[str]:
    if kind is None:
        return [column.heading]
    ends = [column.heading, f"{column.heading} low", f"{column.heading} high"]
    return [*ends, f"{column.heading} n"] if kind is Estimate else ends


def _fields(cell: Cell, kind: type | None) -> list[str]:
    if isinstance(cell, str):
        return [cell]
    fields = [_digits(number(cell))]
    if kind is not None:
        ends = (cell.low, cell.high) if isinstance(cell, Estimate | Difference) else (math.nan, math.nan)
        fields += map(_digits, ends)
    if kind is Estimate:
        fields.append(str(cell.count) if isinstance(cell, Estimate) else "")
    return fields


def _digits(value: float) -> str:
    if math.isnan(value):
        return ""
    return str(int(value)) if value == int(value) else repr(float(value))


def _markdown_row(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _tex_row(cells: list[str]) -> str:
    return " & ".join(_tex(cell) for cell in cells) + r" \\"


def _tex(text: str) -> str:
    escaped = re.sub(r"([&%$#_{}])", r"\\\1", text.replace("\\", "/"))
    signs = {"−": "$-$", GAP: "--", "<": "$<$", ">": "$>$", "≥": r"$\geq$", "≤": r"$\leq$", "~": r"\textasciitilde{}"}
    return re.sub("|".join(signs), lambda found: signs[found[0]], escaped).replace("^", r"\textasciicircum{}")
