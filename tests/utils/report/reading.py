"""Finds numbers in a report's sections."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crossfact.utils.report.comparable import Model, group_comparable
from crossfact.utils.report.logs import find_runs
from crossfact.utils.report.sections import Cell, Section, Table, number


def grouped(folder: Path, family: str) -> tuple[Model, ...]:
    """The models of a folder of logs, all of which may be compared."""
    runs, problems = find_runs([folder])
    assert not problems
    (group,) = group_comparable(runs, family)
    return group.models


def part(report: list[Section], name: str) -> Any:
    """The table or figure of this name."""
    return next(part for section in report for part in section.parts if part.name == name)


def row(table: Table, *labels: str) -> dict[str, Cell]:
    """The only row that begins with these labels, by heading."""
    (found,) = (row for row in table.rows if row[: len(labels)] == labels)
    return {column.heading: cell for column, cell in zip(table.columns, found, strict=True)}


def values(row: dict[str, Cell], *headings: str) -> list[float]:
    """The numbers under some headings, without their intervals."""
    return [number(row[heading]) for heading in headings]
