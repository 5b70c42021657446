"""The wheel in a clean environment: found by the plain command, gone after `pip uninstall`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.models import small_model

ROOT = Path(__file__).resolve().parents[2]
TORCH = "torch==2.13.0"


@pytest.mark.slow
def test_wheel_runs_by_the_plain_command_and_uninstalls_whole(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    _run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(wheels), str(ROOT))
    (wheel,) = wheels.glob("crossfact-*.whl")
    environment = tmp_path / "env"
    _run(sys.executable, "-m", "venv", str(environment))
    python = environment / "bin" / "python"
    _run(str(python), "-m", "pip", "install", "-q", TORCH, "lm-eval[hf]>=0.4.13")
    _run(str(python), "-m", "pip", "install", "-q", f"{wheel}[hf]")
    _run(str(python), "-m", "pip", "uninstall", "-q", "-y", "crossfact")
    before = _files(environment)
    _run(str(python), "-m", "pip", "install", "-q", "--no-deps", str(wheel))

    out = tmp_path / "out"
    _run(
        *(str(environment / "bin" / "lm_eval"), "--tasks", "fiber_capital_cities_it", "--model", "hf"),
        *("--model_args", f"pretrained={small_model('smollm2')},dtype=float32", "--limit", "2"),
        *("--output_path", str(out)),
        cwd=tmp_path,
    )
    (results,) = out.rglob("results_*.json")
    scores = json.loads(results.read_text())["results"]["fiber_capital_cities_it"]
    assert scores["alias"] == "fiber_capital_cities_it [embedded]"
    assert 0 <= scores["map,none"] <= 1

    call = 'import lm_eval; assert lm_eval.simple_evaluate(model="dummy", tasks=["sword_ll_en"], limit=1)["results"]'
    _run(str(python), "-c", call, cwd=tmp_path)

    _run(str(python), "-m", "pip", "uninstall", "-q", "-y", "crossfact")
    assert _files(environment) == before


def _run(*command: str, cwd: Path | None = None) -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        command, cwd=cwd, env={**environment, "HF_HUB_OFFLINE": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"


def _files(environment: Path) -> set[str]:
    """Return everything in the environment's site-packages but what Python compiled as it ran."""
    return {str(path.relative_to(environment)) for path in environment.rglob("*") if "__pycache__" not in path.parts}
