"""What the harness has logged of CLEAR runs: `results_*.json`, and beside it one `samples_*.jsonl` per task."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crossfact.clear.verdicts import Asked
from crossfact.utils.errors import UserError

JUDGED = "_judge"
"""Ends the names of files that a judge wrote."""


@dataclass(frozen=True)
class Run:
    """One results file and the logged samples of its popqa tasks, one per document.

    Attributes:
        path: The results file.
        results: Its content.
        samples: Task name → the samples that the harness logged for the filter `exact`.
    """

    path: Path
    results: dict[str, Any]
    samples: dict[str, list[dict[str, Any]]]

    @property
    def date(self) -> str:
        """What the names of this run's files end with."""
        return self.path.stem.removeprefix("results_")


def find_runs(paths: Iterable[Path]) -> list[Run]:
    """Return the runs with popqa tasks that lie at or below `paths`.

    Raises:
        UserError: There is none, or a file is missing or not as the harness writes it.
    """
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise UserError(f"{path} does not exist: name results files of lm_eval, or folders that hold some")
        found = [path] if path.is_file() else sorted(path.rglob("results_*.json"))
        files += [file for file in found if not file.stem.endswith(JUDGED)]
    runs = [run for file in dict.fromkeys(files) if (run := _read_run(file)).samples]
    if not runs:
        shown = " ".join(map(str, paths))
        raise UserError(f"no results of clear_popqa tasks in {shown}: a judge is for entity answers alone")
    return runs


def ask_again(sample: dict[str, Any]) -> list[tuple[Asked, list[str]]]:
    """Return each probe of a logged document, as filters see it, with the responses to it."""
    document = sample["doc"]
    shared = {key: value for key, value in document.items() if key != "probes"}
    return [({**shared, **probe}, said) for probe, said in zip(document["probes"], sample["resps"], strict=True)]


def _read_run(path: Path) -> Run:
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
        tasks = [name for name in results["configs"] if name.startswith("clear_popqa_")]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is no results file of lm_eval ({type(error).__name__}: {error})") from error
    date = path.stem.removeprefix("results_")
    return Run(path, results, {task: _read_samples(path.with_name(f"samples_{task}_{date}.jsonl")) for task in tasks})


def _read_samples(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        raise UserError(f"{path} is missing: run lm_eval with --log_samples")
    samples = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            sample = json.loads(line)
            wanted = sample["filter"] == "exact"
            if wanted and len(sample["doc"]["probes"]) != len(sample["resps"]):
                raise ValueError("not one response per probe")
        except (ValueError, KeyError, TypeError) as error:
            raise UserError(
                f"{path}, line {number}: no logged CLEAR sample ({type(error).__name__}: {error})"
            ) from error
        if wanted:
            samples.append(sample)
    return samples
