"""The real vLLM engine, on a CPU: the same verdicts, likelihoods and rankings as the `hf` backend."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.models import small_model
from tests.shared import shared_path

ROOT = Path(__file__).resolve().parents[2]
NAMES = "clear_popqa_task3,sword_en,fiber_original_langs_of_books_it"
# What the engine's environment lacks of our requirements; the rest comes with the harness.
NEEDED = ("typer", "rich", "orjson", "msgspec", "pydantic", "httpx", "tenacity", "pyyaml", "jinja2")


def _environment() -> Path:
    """Return the Python of an environment with the engine, the harness and this checkout; the first call builds it."""
    home = Path(os.environ.get("CROSSFACT_VLLM_ENV", ROOT / ".cache" / "vllm"))
    python = home / "bin" / "python"
    if not python.exists():
        subprocess.run(["bash", str(shared_path("tools", "vllm_cpu.sh")), str(home)], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "-q", *NEEDED], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", str(ROOT)], check=True)
    return python


def _run(python: Path | str, out: Path, model: str, model_args: str, *options: str) -> dict[str, list[dict[str, Any]]]:
    command = [
        *(str(python), "-m", "lm_eval", "run", "--tasks", NAMES, "--limit", "2", "--model", model),
        *("--model_args", f"pretrained={small_model('smollm2')},dtype=float32,{model_args}"),
        *("--gen_kwargs", "max_gen_toks=8", "--metadata", json.dumps({"evidence_languages": ["en", "de"]})),
        *("--output_path", str(out), "--log_samples", *options),
    ]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "VLLM_CPU_KVCACHE_SPACE": "2"}
    done = subprocess.run(
        command, cwd=out.parent, env=environment, capture_output=True, text=True, timeout=1500, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return {
        path.name.removeprefix("samples_").rsplit("_", 1)[0]: [json.loads(line) for line in path.open()]
        for path in sorted(out.rglob("samples_*.jsonl"))
    }


@pytest.mark.slow
def test_vllm_agrees_with_hf(tmp_path: Path) -> None:
    engine = _environment()
    theirs = _run(engine, tmp_path / "vllm", "vllm", "max_model_len=2048,enforce_eager=True", "--batch_size", "auto")
    tasks = ("--include_path", str(ROOT / "lm_eval_tasks"))
    ours = _run(
        sys.executable, tmp_path / "hf", "hf", "max_length=2048", "--batch_size", "8", "--device", "cpu", *tasks
    )

    assert set(theirs) == set(ours)
    assert len(theirs) == 12  # ten languages, one task of SWORD and one of FIBER
    for task, samples in ours.items():
        for sample, other in zip(samples, theirs[task], strict=True):
            assert sample["doc"]["id"] == other["doc"]["id"]
            assert sample["arguments"] == other["arguments"]
            if task.startswith("fiber"):
                pairs = zip(sample["resps"], other["resps"], strict=True)
                gaps = [abs(float(one[0][0]) - float(two[0][0])) for one, two in pairs]
                assert max(gaps) < 2e-2
                assert sample["map"] == other["map"]
            else:
                assert sample["filtered_resps"] == other["filtered_resps"], task
