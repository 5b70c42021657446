"""Everything of one part of the report as files, and ready for the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from crossfact.utils.report.comparable import Comparable
from crossfact.utils.report.figures import arrange, as_pdf, as_svg, for_page, style
from crossfact.utils.report.page import Item, PageSection, Part
from crossfact.utils.report.sections import Figure, Section, Table
from crossfact.utils.report.tables import as_csv, as_latex, as_markdown


def write_part(
    out: Path,
    family: str,
    place: int,
    parts: int,
    comparable: Comparable,
    sections: Sequence[Section],
    warnings: tuple[str, ...],
) -> Part:
    """Write a family's sections on one group of comparable runs.

    Args:
        out: The report's folder; the files go into a folder of their own in it.
        family: The family's name.
        place: Which of its groups this is, from 0.
        parts: How many there are.
        comparable: The group.
        sections: Its sections.
        warnings: Why the others stand apart.
    """
    key = family if place == 0 else f"{family}-{place + 1}"
    folder = out / key
    folder.mkdir(parents=True, exist_ok=True)
    shown = []
    for section in sections:
        items = tuple(_item(folder, part) for part in section.parts)
        shown.append(PageSection(section.name, section.title, section.text, section.notes, items))
    return Part(
        key=key,
        title=family.upper(),
        number=place + 1 if parts > 1 else 0,
        setting=f"{comparable.setting}; data {comparable.data or 'unknown'}",
        models=tuple(model.label for model in comparable.models),
        warnings=warnings,
        sections=tuple(shown),
    )


def _item(folder: Path, part: Table | Figure) -> Item:
    key = f"{folder.name}-{part.name}"
    if isinstance(part, Table):
        return Item(key, part.title, part, _write_table(folder, part))
    with style():
        drawing = part.draw()
        box = arrange(drawing)
        svg, pdf = as_svg(drawing, box), as_pdf(drawing, box)
    (folder / f"{part.name}.svg").write_text(svg, encoding="utf-8")
    (folder / f"{part.name}.pdf").write_bytes(pdf)
    names = tuple(f"{folder.name}/{part.name}.{kind}" for kind in ("svg", "pdf"))
    (folder / f"{part.data.name}.csv").write_text(as_csv(part.data), encoding="utf-8")
    names = (*names, f"{folder.name}/{part.data.name}.csv")
    return Item(key, part.title, part.data, names, for_page(svg, key, part.title), part.caption)


def _write_table(folder: Path, table: Table) -> tuple[str, ...]:
    kinds = {"csv": as_csv(table), "md": as_markdown(table), "tex": as_latex(table)}
    for kind, text in kinds.items():
        (folder / f"{table.name}.{kind}").write_text(text, encoding="utf-8")
    return tuple(f"{folder.name}/{table.name}.{kind}" for kind in kinds)
