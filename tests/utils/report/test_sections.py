from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure as Drawing

from crossfact.utils.report import charts, figures
from crossfact.utils.report.comparable import Model, group_comparable
from crossfact.utils.report.logs import find_runs, read_task
from crossfact.utils.report.sections import Column, Figure, Section, Table, show
from crossfact.utils.report.statistics import Difference, Estimate, cluster, estimate
from tests.utils.report.logged import write_run

# --- a whole family in miniature: how clear/report.py, fiber/report.py and sword/report.py are made ------------------

LANGUAGES = ("en", "tr")


def _read(samples: Iterator[dict[str, Any]]) -> tuple[list[str], list[float]]:
    """Keep what the report needs of a stream of samples: nothing else stays in memory."""
    items, right = [], []
    for sample in samples:
        items.append(sample["doc"]["id"])
        right.append(sample["acc"])
    return items, right


def _accuracy(model: Model, lang: str, notes: list[str]) -> Estimate | None:
    log = model.tasks.get(f"toy_{lang}")
    if log is None:
        return None  # not run: a gap, never a zero
    found, problem = read_task(log, _read)
    if found is None:
        notes.append(problem)
        return None
    return estimate(cluster(found[1], found[0]))


def toy_sections(models: Sequence[Model]) -> list[Section]:
    """Return the family's sections; declared as the entry point `toy` of the group `crossfact.report`."""
    notes: list[str] = []
    found = {model.label: [_accuracy(model, lang, notes) for lang in LANGUAGES] for model in models}
    table = Table(
        name="toy_accuracy",
        title="Accuracy by model and language",
        columns=(Column("model", "text"), *(Column(lang) for lang in LANGUAGES)),
        rows=tuple((label, *estimates) for label, estimates in found.items()),
    )
    figure = Figure("toy_bars", "Accuracy", partial(_draw, found), table, "Bars are means.")
    return [Section("toy", "Toy", (table, figure), notes=tuple(notes))]


def _draw(found: dict[str, list[Estimate | None]]) -> Drawing:
    drawing, panels = figures.panels(1, 1, width=4)
    charts.grouped_bars(panels[0, 0], LANGUAGES, found)
    charts.baseline(panels[0, 0], 0.5)
    charts.percent_axis(panels[0, 0].yaxis)
    figures.legend(drawing, panels[0, 0])
    return drawing


def test_a_family_in_miniature(tmp_path: Path) -> None:
    samples = [{"doc": {"id": f"item{place}"}, "acc": float(place < 3)} for place in range(4)]
    write_run(tmp_path / "a", "lab/alpha", {"toy_en": samples, "toy_tr": samples[2:]})
    write_run(tmp_path / "b", "lab/beta", {"toy_en": samples})
    runs, problems = find_runs([tmp_path])
    assert problems == []
    (comparable,) = group_comparable(runs, "toy")
    (section,) = toy_sections(comparable.models)
    table, figure = section.parts
    assert isinstance(table, Table)
    assert isinstance(figure, Figure)
    assert [row[0] for row in table.rows] == ["alpha", "beta"]
    shown = [[show(cell, column.format) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows]
    assert shown == [["alpha", "75.0 [25.0, 100.0]", "50.0 [0.0, 100.0]"], ["beta", "75.0 [25.0, 100.0]", "–"]]
    with figures.style():
        svg = figures.as_svg(figure.draw())
    assert svg.count("<path") > 4


# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "how", "expected"),
    [
        ("en", "percent", "en"),
        (0.1234, "percent", "12.3"),
        (0.0512, "points", "+5.1"),
        (-0.0512, "points", "−5.1"),
        (2_000, "count", "2000"),
        (0.25, "score", "0.250"),
        (0.0001, "p", "<0.001"),
        (0.04, "p", "0.040"),
        (None, "percent", "–"),
        (math.nan, "score", "–"),
        (Estimate(0.5, 0.4, 0.6, 10), "percent", "50.0 [40.0, 60.0]"),
        (Estimate(0.5, math.nan, math.nan, 1), "percent", "50.0"),
        (Difference(-0.1, -0.2, 0.0, 0.03), "points", "−10.0 [−20.0, 0.0]"),
        (-0.0001, "points", "0.0"),
    ],
)
def test_cells_as_they_are_printed(cell: Any, how: Any, expected: str) -> None:
    assert show(cell, how) == expected


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cells under 2"):
        Table("t", "T", (Column("a"), Column("b")), ((1.0,),))
