"""`crossfact report`: tables, figures and a page from the harness's logs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from crossfact.utils.errors import UserError
from crossfact.utils.languages import ENGLISH_NAMES
from crossfact.utils.report.comparable import Comparable, group_comparable, why_apart
from crossfact.utils.report.logs import Run, find_runs
from crossfact.utils.report.sections import Sections


def report(
    results: Annotated[list[Path], typer.Argument(help="Results files of lm_eval, or folders that hold some.")],
    out: Annotated[Path, typer.Option(help="The folder to write to.")],
) -> None:
    """Write tables, figures and one self-contained page (index.html) from logged runs of one model or several."""
    if find_spec("matplotlib") is None:
        raise UserError("a report needs matplotlib: pip install 'crossfact[report]'")
    families: dict[str, Sections] = {
        # `utils` imports no benchmark: each one declares its part as an entry point.
        point.name: point.load()
        for point in sorted(entry_points(group="crossfact.report"), key=lambda point: point.name)
    }
    for line in write_report(results, out, families):
        typer.echo(line)


def write_report(results: Iterable[Path], out: Path, families: Mapping[str, Sections]) -> list[str]:
    """Write the report of all runs at or below some paths.

    Args:
        results: Results files, or folders that hold some.
        out: Where to.
        families: The families' names, with which the names of their tasks begin, and what makes their sections.

    Returns:
        What the user should know, line by line: what was not read, what cannot be compared, what was written.

    Raises:
        UserError: There is nothing to report.
    """
    from crossfact.utils.report.files import write_part
    from crossfact.utils.report.page import render

    runs, problems = find_runs(results)
    problems += _not_ours(runs, families)
    parts, warnings, notes = [], [], []
    for family, sections in families.items():
        groups = group_comparable(runs, family)
        for place, group in enumerate(groups):
            apart = _apart(groups, place)
            parts.append(write_part(out, family, place, len(groups), group, sections(group.models), apart))
            warnings += [f"{family.upper()} ({place + 1}): {line}" for line in apart[:1] if place]
            notes += [f"{family.upper()}: {note}" for section in parts[-1].sections for note in section.notes]
    if not parts:
        raise UserError(f"no results of {', '.join(families) or 'any benchmark'} among {len(runs)} results files")
    page = out / "index.html"
    page.write_text(render(parts, problems, _languages(runs)), encoding="utf-8")
    items = [item for part in parts for section in part.sections for item in section.items]
    figures = sum(bool(item.svg) for item in items)
    written = f"written: {page} ({len(runs)} runs, {len(items) - figures} tables, {figures} figures)"
    return [*problems, *warnings, *dict.fromkeys(notes), written]


def _apart(groups: Sequence[Comparable], place: int) -> tuple[str, ...]:
    here = groups[place]
    return tuple(
        f"shown apart from part {other + 1} ({', '.join(model.label for model in group.models)}) and never averaged "
        f"with it: {why_apart(here, group)}"
        for other, group in enumerate(groups)
        if other != place
    )


def _not_ours(runs: Iterable[Run], families: Iterable[str]) -> list[str]:
    known = tuple(f"{family}_" for family in families)
    found = sorted({name for run in runs for name in run.tasks if not name.startswith(known)})
    return [f"not reported, because no benchmark here knows them: {', '.join(found)}"] if found else []


def _languages(runs: Iterable[Run]) -> list[str]:
    used = {name.rpartition("_")[2] for run in runs for name in run.tasks}
    return [code for code in ENGLISH_NAMES if code in used]
