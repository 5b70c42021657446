"""CLEAR by the commands that users type: a small real model, then a judge; and mistakes, each in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clear.scripted import TASKS, write_source
from tests.loopback import Loopback
from tests.models import small_model

BIN = Path(sys.executable).parent


@pytest.mark.slow
def test_a_real_model_runs_and_its_answers_are_judged(tmp_path: Path) -> None:
    model = f"pretrained={small_model('smollm2')},dtype=float32"
    tasks = "clear_popqa_task1_en,clear_popqa_task4_fr,clear_strategyqa_task3_de"
    done = _run(
        *("lm_eval", "run", "--include_path", str(TASKS), "--tasks", tasks, "--model", "hf", "--model_args", model),
        *("--limit", "2", "--apply_chat_template", "--output_path", str(tmp_path), "--log_samples"),
        *("--gen_kwargs", "max_gen_toks=8", "--batch_size", "8"),
        *("--metadata", '{"evidence_languages": ["en", "de"], "memory_votes": 3}'),
    )
    assert done.returncode == 0, done.stderr[-3000:]
    (path,) = tmp_path.rglob("results_*.json")
    results = json.loads(path.read_text())
    for name in tasks.split(","):
        assert results["results"][name]["alias"] == f"{name} [embedded]"
        assert results["configs"][name]["metadata"]["fingerprint"]
        assert results["results"][name]["sample_len"] == 2
    (samples,) = path.parent.glob("samples_clear_popqa_task4_fr_*.jsonl")
    sample = json.loads(samples.read_text().splitlines()[0])
    assert [len(said) for said in sample["resps"]] == [3, 3, 3, 1, 1, 1, 1]
    assert {probe["first"] for probe in sample["doc"]["probes"][3:]} == {"support", "counter"}

    def accept(prompt: str) -> str:
        ids = [line.split(":")[0] for line in prompt.splitlines() if ": GT: " in line]
        return json.dumps({"results": dict.fromkeys(ids, True)})

    with Loopback(accept) as server:
        arguments = ",".join(f"{key}={value}" for key, value in server.model_args().items())
        judge = ("crossfact", "judge", str(tmp_path), "--model", "local-chat-completions", "--model_args", arguments)
        done = _run(*judge, cache=tmp_path / "cache")
        assert done.returncode == 0, done.stderr[-3000:]
        asked = len(server.requests)
        assert asked > 0
        assert _run(*judge, cache=tmp_path / "cache").returncode == 0
        assert len(server.requests) == asked
    written = json.loads(path.with_name(f"{path.stem}_judge.json").read_text())
    assert (
        written["results"]["clear_popqa_task1_en"]["acc,judge"]
        == 1 - written["results"]["clear_popqa_task1_en"]["no_answer,judge"]
    )
    assert "clear_popqa_task4_fr" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metadata", "complaint"),
    [
        ({"memory_votes": 2}, "memory_votes must be an odd number"),
        ({"evidence_languages": ["xx"]}, "'xx' is none of en de"),
        ({"source": "broken"}, "items.jsonl, line 1: not JSON"),
    ],
)
def test_a_mistake_is_one_line(metadata: dict[str, object], complaint: str, tmp_path: Path) -> None:
    broken = write_source(tmp_path / "broken") / "items.jsonl"
    broken.write_text("{" + broken.read_text())
    done = _run(
        *("lm_eval", "run", "--include_path", str(TASKS), "--tasks", "clear_popqa_task4_fr", "--model", "dummy"),
        *("--metadata", json.dumps(metadata)),
        cwd=tmp_path,
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("crossfact: ")
    assert complaint in last


def _run(*command: str, cwd: Path | None = None, cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    if cache:
        environment["CROSSFACT_CACHE"] = str(cache)
    return subprocess.run(
        [str(BIN / command[0]), *command[1:]], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
