"""The committed YAML is what the generator writes."""

from __future__ import annotations

from pathlib import Path

import yaml

from crossfact.fiber.generate import task_files, write_tasks

FOLDER = Path(__file__).parents[2] / "lm_eval_tasks" / "fiber"


def test_regeneration_finds_no_difference(tmp_path: Path) -> None:
    write_tasks(tmp_path)
    written = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    committed = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.iterdir() if file.name != "README.md"}
    assert written == committed


def test_stale_files_go_and_the_readme_stays(tmp_path: Path) -> None:
    for name in ("README.md", "fiber_gone_it.yaml", "_fiber_gone"):
        (tmp_path / name).write_text("x")
    write_tasks(tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {*task_files(), "README.md"}


def test_leaves_are_short_and_number_48_and_48_for_lists() -> None:
    leaves = {
        name: text for name, text in task_files().items() if text.startswith("include") and name.endswith(".yaml")
    }
    assert len(leaves) == 48 + 48
    assert all(len(text.splitlines()) <= 5 for text in leaves.values())


def test_groups_hold_their_leaves() -> None:
    groups = {name: yaml.safe_load(text) for name, text in task_files().items() if text.startswith("group")}
    sizes = {group["group"]: len(group["task"]) for group in groups.values()}
    lists = {group: sizes.pop(group) for group in list(sizes) if group.startswith("fiber_list")}
    assert lists == {"fiber_list": 48, "fiber_list_en": 16, "fiber_list_it": 16, "fiber_list_tr": 16}
    assert sizes == {"fiber": 2, "fiber_single": 24, "fiber_multi": 24, "fiber_en": 16, "fiber_it": 16, "fiber_tr": 16}
    english = [metric["metric"] for metric in groups["fiber_en.yaml"]["aggregate_metric_list"]]
    assert "fib" not in english
