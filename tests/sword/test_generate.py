from __future__ import annotations

from pathlib import Path

import yaml

from crossfact.sword.generate import VERSION, write_tasks
from crossfact.sword.metrics import METRICS

TASKS = Path(__file__).parents[2] / "lm_eval_tasks" / "sword"


def test_the_committed_files_are_what_the_generator_writes(tmp_path: Path) -> None:
    write_tasks(tmp_path)
    written = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert written == {path.name: path.read_text() for path in TASKS.glob("*.yaml")}


def test_the_template_names_every_metric_and_the_version() -> None:
    text = (TASKS / "_sword_template").read_text()
    loaded = yaml.safe_load(text.replace("!function ", ""))
    assert tuple(row["metric"] for row in loaded["metric_list"]) == METRICS
    assert str(loaded["metadata"]["version"]) == VERSION
