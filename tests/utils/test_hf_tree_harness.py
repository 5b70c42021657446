"""`hf-tree` through the harness: two of its own tasks, the command, and two processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import lm_eval
import lm_eval.tasks
import pytest
import yaml
from lm_eval.tasks import TaskManager

from crossfact.utils.hf_tree import TreeLM
from tests.utils.scoring import harness, tree
from tests.utils.tiny_models import tiny_model, tiny_tokenizer

HARNESS_TASKS = Path(lm_eval.tasks.__file__).parent
CITIES = {"Italy": "Rome", "France": "Paris", "Spain": "Madrid"}
ARC = [
    {
        "id": f"{country}{number}",
        "question": f"The capital of {country} is{' the' * number}",
        "choices": {"text": list(CITIES.values()), "label": ["A", "B", "C"]},
        "answerKey": "ABC"[list(CITIES).index(country)],
    }
    for number in range(3)
    for country in CITIES
]
LAMBADA = [{"text": f"The capital of {country} is {city}"} for country, city in CITIES.items()]


@pytest.fixture(scope="module")
def task_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The harness's own ARC (multiple choice) and LAMBADA (log-likelihood), with a few lines of data of ours."""
    folder = tmp_path_factory.mktemp("tasks")
    for source, rows in (("arc/arc_easy.yaml", ARC), ("lambada/lambada_openai.yaml", LAMBADA)):
        name = f"{Path(source).stem}_local"
        data = folder / f"{name}.jsonl"
        data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        task = {
            "include": str(HARNESS_TASKS / source),
            "task": name,
            "tag": None,
            "dataset_path": "json",
            "dataset_name": None,
            "dataset_kwargs": {"data_files": {"test": str(data)}},
            "training_split": None,
            "validation_split": None,
        }
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(task), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkpoint")
    tiny_model("Llama").save_pretrained(folder)
    tiny_tokenizer().save_pretrained(folder)
    return folder


def evaluate(model: Any, folder: Path) -> dict[str, Any]:
    results: dict[str, Any] = lm_eval.simple_evaluate(
        model,
        tasks=["arc_easy_local", "lambada_openai_local"],
        task_manager=TaskManager(include_path=str(folder)),
        bootstrap_iters=0,
    )
    return results


def numbers(results: dict[str, Any], task: str) -> dict[str, float]:
    """Metrics and counts; bootstrapped errors depend on the order of documents, which processes interleave."""
    values = results["results"][task].items()
    return {key: value for key, value in values if isinstance(value, int | float) and "stderr" not in key}


def test_the_harness_own_tasks_give_its_own_results(task_folder: Path) -> None:
    mine, theirs = tree(tiny_model("Llama")), harness(tiny_model("Llama"))
    got, expected = evaluate(mine, task_folder), evaluate(theirs, task_folder)
    for task in ("arc_easy_local", "lambada_openai_local"):
        assert numbers(got, task) == pytest.approx(numbers(expected, task), rel=1e-4)
        assert len(numbers(got, task)) > 1
        for one, other in zip(got["samples"][task], expected["samples"][task], strict=True):
            for (mine_score, mine_flag), (score, flag) in zip(
                one["filtered_resps"], other["filtered_resps"], strict=True
            ):
                assert float(mine_score) == pytest.approx(float(score), abs=1e-3)
                assert mine_flag == flag
    assert isinstance(mine, TreeLM)
    assert got["config"]["hf_tree"]["requests"] == {"tree": 3 * len(ARC) + len(LAMBADA)}


def command(launcher: list[str], checkpoint: Path, tasks: Path, out: Path) -> dict[str, Any]:
    """Runs `crossfact run` and returns the results, with the samples' responses under `responses`."""
    arguments = ["run", "--model", "hf-tree", "--model_args", f"pretrained={checkpoint}", "--device", "cpu"]
    arguments += ["--tasks", "arc_easy_local,lambada_openai_local", "--include_path", str(tasks)]
    arguments += ["--output_path", str(out), "--log_samples"]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "ACCELERATE_USE_CPU": "true"}
    done = subprocess.run(
        [sys.executable, "-m", *launcher, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    (path,) = out.rglob("results_*.json")
    results: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    results["responses"] = {}
    for samples in out.rglob("samples_*.jsonl"):
        for line in samples.read_text(encoding="utf-8").splitlines():
            sample = json.loads(line)
            results["responses"][samples.name.split("_local")[0], sample["doc_id"]] = sample["filtered_resps"]
    return results


@pytest.mark.slow
def test_two_processes_give_the_numbers_of_one(checkpoint: Path, task_folder: Path, tmp_path: Path) -> None:
    one = command(["crossfact.utils.cli"], checkpoint, task_folder, tmp_path / "one")
    # `accelerate launch --cpu` starts several processes through MPI only; torchrun needs none.
    launch = ["torch.distributed.run", "--nproc_per_node", "2", "-m", "crossfact.utils.cli"]
    two = command(launch, checkpoint, task_folder, tmp_path / "two")
    for task in ("arc_easy_local", "lambada_openai_local"):
        assert numbers(two, task) == pytest.approx(numbers(one, task), rel=1e-5)
    assert two["responses"].keys() == one["responses"].keys()
    for key, responses in one["responses"].items():
        for (score, flag), (other, other_flag) in zip(responses, two["responses"][key], strict=True):
            assert float(score) == pytest.approx(float(other), abs=1e-4)
            assert flag == other_flag
    served = two["config"]["hf_tree"]
    assert len(served["checks"]) == 2  # one in each process
    assert one["config"]["hf_tree"]["requests"] == {"tree": 3 * len(ARC) + len(LAMBADA)}
    # nine documents are five and four, three are two and one; the harness pads the second process with copies
    assert served["requests"] == {"tree": 2 * (3 * 5 + 2)}
