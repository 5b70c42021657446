from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from lm_eval.tasks._yaml_loader import load_yaml

from crossfact.clear.generate import write_tasks
from tests.clear.scripted import TASKS

FOLDER = TASKS / "clear"


def test_the_committed_files_are_the_generated_ones(tmp_path: Path) -> None:
    for template in FOLDER.glob("_*"):
        shutil.copy(template, tmp_path)
    written = write_tasks(tmp_path)
    committed = {path.relative_to(FOLDER) for path in FOLDER.rglob("*.yaml")}
    assert {path.relative_to(tmp_path) for path in written} == committed
    for path in written:
        assert path.read_bytes() == (FOLDER / path.relative_to(tmp_path)).read_bytes()


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_groups_print_every_metric_of_their_tasks(number: int) -> None:
    leaf = load_yaml(FOLDER / "popqa" / f"clear_popqa_task{number}_tr.yaml")
    group = load_yaml(FOLDER / "popqa" / f"clear_popqa_task{number}.yaml")
    assert [row["metric"] for row in group["aggregate_metric_list"]] == [row["metric"] for row in leaf["metric_list"]]
    assert all(row["aggregation"] == "mean" and not row["weight_by_size"] for row in group["aggregate_metric_list"])
