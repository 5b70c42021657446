"""How much our tasks slow `lm_eval ls tasks`: whole commands with and without them, in alternation.

python -m crossfact.utils.bench_listing [--rounds 5]
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

OURS = Path(__file__).resolve().parent.parent / "lm_eval_tasks"


def bench_listing(rounds: Annotated[int, typer.Option(min=1, help="Pairs of runs.")] = 5) -> None:
    """Print the processor seconds of the command without and with our tasks, and the ratio of the medians."""
    if not OURS.is_dir():
        raise SystemExit(
            "run this in a checkout, installed with `pip install -e .`: it lists our tasks by their folder"
        )
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(rounds):
        for ours in (False, True):
            seconds[ours].append(_list(ours))
    without, with_ours = (statistics.median(seconds[ours]) for ours in (False, True))
    print(f"without {without:.2f} s, with {with_ours:.2f} s, ratio {with_ours / without:.3f} (median of {rounds})")


def _list(ours: bool) -> float:
    """Return the processor time of one listing; wall time would also count what else the machine does."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "lm_eval", "ls", "tasks", *(["--include_path", str(OURS)] if ours else [])]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "HF_HUB_OFFLINE": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    typer.run(bench_listing)
