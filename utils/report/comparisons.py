"""Tables of paired differences, with Holm's correction within each family of comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crossfact.utils.report.means import mean_differences
from crossfact.utils.report.sections import Cell, Column, Table
from crossfact.utils.report.statistics import Clustered, common_items, holm


@dataclass(frozen=True)
class Comparison:
    """Two sides whose means are compared.

    Attributes:
        labels: The texts of its row.
        family: What it is corrected together with.
        sides: The scores of either side for each language or topic; the difference is that of the means over these.
    """

    labels: tuple[str, ...]
    family: tuple[str, ...]
    sides: Sequence[tuple[Clustered, Clustered]]


def comparison_table(
    name: str, title: str, headings: Sequence[str], comparisons: Sequence[Comparison], families: str
) -> Table | None:
    """Return a table of differences over the items that both sides have; None without any comparison.

    Args:
        name: The table's name.
        title: Its title.
        headings: What stands above the labels.
        comparisons: Its rows.
        families: Ends the note: which comparisons are corrected together.
    """
    if not comparisons:
        return None
    shared = [[common_items(one, two) for one, two in comparison.sides] for comparison in comparisons]
    found = mean_differences([([one for one, _ in sides], [two for _, two in sides]) for sides in shared])
    corrected: dict[int, float] = {}
    for family in dict.fromkeys(comparison.family for comparison in comparisons):
        places = [place for place, comparison in enumerate(comparisons) if comparison.family == family]
        corrected |= zip(places, holm([found[place].p for place in places]), strict=True)
    rows: list[tuple[Cell, ...]] = [
        (*comparison.labels, found[place], found[place].p, corrected[place])
        for place, comparison in enumerate(comparisons)
    ]
    tested = (Column("difference", "points"), Column("p", "p"), Column("p (Holm)", "p"))
    note = (
        "In percentage points, paired by item, with 95 % intervals (bootstrap over items). p: swapping the two sides "
        f"item by item; p (Holm): corrected for all comparisons {families}."
    )
    return Table(name, title, (*(Column(heading, "text") for heading in headings), *tested), tuple(rows), note)
