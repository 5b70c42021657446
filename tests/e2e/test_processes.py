"""Several processes give the metrics of one, to the last digit; also with fewer documents than processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.models import small_model

TASKS = Path(__file__).resolve().parents[2] / "lm_eval_tasks"
NAMES = "fiber_capital_cities_it,sword_en,clear_strategyqa_task2_en"


def _run(out: Path, limit: int, processes: int) -> dict[str, dict[str, Any]]:
    # Without GPUs `hf` runs everything in every process; `hf-tree` splits it there, too. On CPUs accelerate starts
    # several processes through MPI only, torchrun needs none.
    launcher = [sys.executable, "-m"]
    if processes > 1:
        launcher += ["torch.distributed.run", "--nproc_per_node", str(processes), "-m"]
    command = [
        *launcher,
        *("crossfact.utils.cli", "run", "--include_path", str(TASKS), "--tasks", NAMES, "--limit", str(limit)),
        *(
            "--model",
            "hf-tree",
            "--model_args",
            f"pretrained={small_model('smollm2')},dtype=float32",
            "--device",
            "cpu",
        ),
        *("--apply_chat_template", "--gen_kwargs", "max_gen_toks=12", "--batch_size", "8"),
        *("--output_path", str(out), "--log_samples"),
    ]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "ACCELERATE_USE_CPU": "true"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    # the harness's own words on building each process's part; one without a document borrows the first process's
    parts = {f"on rank {min(rank, limit - 1)}..." for rank in range(processes)}
    assert all(part in done.stderr for part in parts)
    assert done.stderr.count("Building contexts for") == processes * len(NAMES.split(","))
    (results,) = out.rglob("results_*.json")
    scores: dict[str, dict[str, Any]] = json.loads(results.read_text())["results"]
    return {
        task: {name: value for name, value in metrics.items() if "stderr" not in name}
        for task, metrics in scores.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("limit", [3, 1], ids=["an odd number of documents", "fewer documents than processes"])
def test_two_processes_give_the_metrics_of_one(tmp_path: Path, limit: int) -> None:
    one, two = _run(tmp_path / "one", limit, 1), _run(tmp_path / "two", limit, 2)
    assert json.dumps(two, sort_keys=True) == json.dumps(one, sort_keys=True)  # NaN equals NaN there
    assert all(metrics["sample_len"] == limit for metrics in one.values())
    assert 0 < one["fiber_capital_cities_it"]["map,none"] <= 1
