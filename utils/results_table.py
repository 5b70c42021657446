"""The harness's results files as rows of one table: a line per model, task or group, metric and filter."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from crossfact.utils.errors import UserError


@dataclass(frozen=True)
class Row:
    """One score.

    Attributes:
        model: The model's name.
        task: The name of the task or group.
        metric: The metric.
        filter: The way in which responses were read.
        value: The score; NaN where it is undefined.
        stderr: Its standard error; NaN where the harness gives none.
        documents: How many documents were scored.
        shots: How many examples stood in the prompt.
        version: The version of the task.
        source: The name of its source; of a group's tasks, if they share one.
        fingerprint: Tells two versions of the source apart; of a group's tasks, if they share one.
        date: When the run began, in UTC.
        harness: The version of lm-eval.
    """

    model: str
    task: str
    metric: str
    filter: str
    value: float
    stderr: float
    documents: int
    shots: int
    version: str
    source: str
    fingerprint: str
    date: str
    harness: str


def results_files(paths: Iterable[Path]) -> list[Path]:
    """Return the harness's results files at or below some paths.

    Raises:
        UserError: A path does not exist, or there is none.
    """
    paths = list(paths)
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise UserError(f"{path} does not exist: name results files of lm_eval, or folders that hold some")
        files += sorted(path.rglob("results_*.json")) if path.is_dir() else [path]
    if not files:
        raise UserError(f"no results of lm_eval in {' '.join(map(str, paths))}")
    return files


def read_rows(file: Path, model: str | None = None) -> list[Row]:
    """Return the rows of one results file.

    Args:
        file: A file that the harness wrote.
        model: What to call the model; else what the harness calls it.

    Raises:
        UserError: The file cannot be read as one of the harness's.
    """
    try:
        content = json.loads(file.read_bytes())
        return [row for name in content["results"] for row in _rows(content, name, model)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{file}: no results file of lm_eval ({type(error).__name__}: {error})") from error


def write_table(file: Path, rows: Iterable[Row]) -> None:
    """Write rows as CSV, in one piece: a killed process leaves the old table or the new one."""
    part = file.with_name(f"{file.name}.part")
    with part.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(field.name for field in fields(Row))
        writer.writerows(map(astuple, rows))
    part.replace(file)


def _rows(content: Mapping[str, Any], name: str, model: str | None) -> Iterable[Row]:
    tasks = _leaves(content, name)
    about = [content["configs"][task].get("metadata") or {} for task in tasks]
    shots = {content["n-shot"].get(task) or 0 for task in tasks}
    scores = content["results"][name]
    for key, value in scores.items():
        metric, comma, pipeline = key.partition(",")
        if not comma or metric.endswith("_stderr"):
            continue
        yield Row(
            model=model or content["model_name"],
            task=name,
            metric=metric,
            filter=pipeline,
            value=_number(value),
            stderr=_number(scores.get(f"{metric}_stderr,{pipeline}")),
            documents=sum(content["n-samples"][task]["effective"] for task in tasks),
            shots=max(shots, default=0),
            version=str(content["versions"].get(name, "")),
            source=_shared(about, "source"),
            fingerprint=_shared(about, "fingerprint"),
            date=datetime.fromtimestamp(content["date"], timezone.utc).isoformat(timespec="seconds"),
            harness=content.get("lm_eval_version", ""),
        )


def _leaves(content: Mapping[str, Any], name: str) -> list[str]:
    """Return the tasks of a group, or the task itself."""
    if name in content["configs"]:
        return [name]
    return [leaf for member in content["group_subtasks"].get(name, ()) for leaf in _leaves(content, member)]


def _shared(about: Iterable[Mapping[str, Any]], key: str) -> str:
    values = {str(metadata.get(key, "")) for metadata in about}
    return values.pop() if len(values) == 1 else ""


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else math.nan
