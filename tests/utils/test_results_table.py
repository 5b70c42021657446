from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest

from crossfact.utils.errors import UserError
from crossfact.utils.results_table import read_rows, results_files, write_table
from tests.utils.results_files import write_results


def test_rows_of_tasks_and_groups(tmp_path: Path) -> None:
    rows = {(row.task, row.metric, row.filter): row for row in read_rows(write_results(tmp_path))}
    assert set(rows) == {
        ("sword", "balanced", "answer"),
        ("sword_en", "balanced", "answer"),
        ("sword_de", "balanced", "answer"),
        ("clear_popqa_task2_tr", "acc", "exact"),
        ("clear_popqa_task2_tr", "acc", "contains"),
        ("clear_popqa_task2_tr", "sr", "exact"),
    }
    group = rows["sword", "balanced", "answer"]
    assert (group.value, group.stderr, group.documents, group.source, group.fingerprint) == (
        0.75,
        0.1,
        6,
        "embedded",
        "",
    )
    english = rows["sword_en", "balanced", "answer"]
    assert (english.model, english.documents, english.fingerprint, english.version) == ("org/model", 4, "00ff", "1.0")
    assert (english.date, english.harness) == ("2027-01-15T08:00:00+00:00", "0.4.13")
    assert math.isnan(english.stderr)
    assert math.isnan(rows["clear_popqa_task2_tr", "sr", "exact"].value)


def test_the_table_is_plain_csv_with_nan_where_nothing_is_defined(tmp_path: Path) -> None:
    write_table(tmp_path / "table.csv", read_rows(write_results(tmp_path), model="mine"))
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["model"] for row in rows} == {"mine"}
    assert rows[0]["task"] == "sword"
    assert float(rows[0]["value"]) == 0.75
    assert rows[-1]["value"] == "nan"
    assert [path.name for path in tmp_path.glob("*.part")] == []


def test_files_are_found(tmp_path: Path) -> None:
    file = write_results(tmp_path / "a" / "b")
    assert results_files([tmp_path]) == results_files([file]) == [file]
    with pytest.raises(UserError, match="does not exist"):
        results_files([tmp_path / "none"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="no results of lm_eval in"):
        results_files([tmp_path / "empty"])


@pytest.mark.parametrize("content", ["{", "[]", '{"results": {"x": {"acc,none": 1}}}', '{"results": 3}'])
def test_other_files_are_named(content: str, tmp_path: Path) -> None:
    (tmp_path / "results_x.json").write_text(content)
    with pytest.raises(UserError, match=r"results_x\.json: no results file of lm_eval \("):
        read_rows(tmp_path / "results_x.json")
