"""FIBER's part of the report agrees with the harness's own table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from crossfact.fiber.report import sections
from crossfact.utils.report.sections import number
from tests.utils.report.logged import write_run
from tests.utils.report.reading import grouped, part, row

YAML = Path(__file__).resolve().parents[2] / "lm_eval_tasks"


class Shortest(LM):
    """Likes short candidates."""

    def loglikelihood(self, requests: list[Instance], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        return [(-float(len(request.args[1])), False) for request in requests]

    def generate_until(self, requests: Any, disable_tqdm: bool = False) -> Any:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: Any, disable_tqdm: bool = False) -> Any:
        raise NotImplementedError


def test_the_report_agrees_with_the_harness(tmp_path: Path) -> None:
    names = ["fiber_original_langs_of_books_it", "fiber_original_langs_of_books_en"]
    manager = TaskManager(include_path=str(YAML), include_defaults=False)
    run = simple_evaluate(model=Shortest(), tasks=names, task_manager=manager, bootstrap_iters=0)
    assert run is not None
    samples = {
        name: [
            {**sample, "filtered_resps": [list(map(str, one)) for one in sample["filtered_resps"]]} for sample in found
        ]
        for name, found in run["samples"].items()
    }
    write_run(tmp_path, "m", samples)
    found = sections(grouped(tmp_path, "fiber"))
    expected = run["results"][names[0]]
    table = part(found, "fiber_map")
    assert number(row(table, "m", "all", "sc + qa")["it"]) == pytest.approx(expected["map,none"])
    assert number(row(table, "m", "single", "qa")["it"]) == pytest.approx(expected["map_qa,none"])
    bias = row(part(found, "fiber_bias"), "original_langs_of_books", "m")
    assert number(bias["it, FIB@10"]) == pytest.approx(expected["fib,none"])
    assert number(row(part(found, "fiber_topics"), "original_langs_of_books", "it")["P@1"]) == pytest.approx(
        expected["p_at_1,none"]
    )
