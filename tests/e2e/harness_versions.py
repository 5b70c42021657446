"""Run by nox in an environment with one release of the harness: a scripted model's metrics must be the known ones."""

from __future__ import annotations

import sys
from importlib.metadata import version

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from crossfact.utils.older_harness import let_yaml_name_our_functions

KNOWN = {
    ("sword_en", "acc_org,answer"): 1.0,
    ("sword_en", "rejection,answer"): 0.0,
    ("sword_en", "balanced,answer"): 0.5,
    # it says true to everything and every second question is rightly answered so; never in one word
    ("clear_strategyqa_task1_en", "acc,exact"): 0.0,
    ("clear_popqa_task4_en", "acc_pos,exact"): 0.0,
}


class SaysTrue(LM):
    """Says True to everything, and likes short candidates."""

    def loglikelihood(self, requests: list) -> list[tuple[float, bool]]:
        return [(-float(len(request.args[1])), False) for request in requests]

    def loglikelihood_rolling(self, requests: list) -> list[float]:
        raise NotImplementedError

    def generate_until(self, requests: list) -> list[str]:
        return ["<answer>True</answer>" for _ in requests]


def main(wanted: str) -> None:
    assert version("lm_eval") == wanted, f"this is lm-eval {version('lm_eval')}, not {wanted}"
    let_yaml_name_our_functions()
    names = ["fiber_capital_cities_it", *dict.fromkeys(task for task, _ in KNOWN)]
    results = simple_evaluate(
        model=SaysTrue(), tasks=names, task_manager=TaskManager(), limit=8, bootstrap_iters=100, log_samples=False
    )
    scores = results["results"]
    for (task, metric), value in KNOWN.items():
        assert scores[task][metric] == value, (task, metric, scores[task][metric])
    assert 0 < scores["fiber_capital_cities_it"]["map,none"] < 1
    assert all(scores[name]["alias"] == f"{name} [embedded]" for name in names), scores
    print(f"lm-eval {wanted}: {len(names)} tasks, {len(KNOWN)} known metrics")


if __name__ == "__main__":
    main(sys.argv[1])
