"""What the harness has logged: `results_*.json`, and beside it one `samples_<task>_*.jsonl` per task.

A results file and the judged one beside it (`results_*_judge.json`, by `crossfact judge`) are one run. Samples are
read as a stream, because those of ranking tasks repeat the prompt for every candidate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import orjson

from crossfact.utils.errors import UserError

_PREFIX, _JUDGED = "results_", "_judge"
_NOT_READ = (OSError, ValueError, KeyError, TypeError, msgspec.DecodeError)
_OURS = frozenset({"version", "source", "fingerprint", "config_source"})

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True)
class Score:
    """One number of the harness's result table; `error` is its standard error, NaN where the harness gives none."""

    value: float
    error: float


@dataclass(frozen=True)
class TaskLog:
    """One task of one run.

    Attributes:
        name: The task, such as `sword_de`.
        version: `metadata.version` of its YAML.
        source: The name of its source.
        fingerprint: Tells two versions of the source apart.
        limit: The run's `--limit` (a number of documents, or a share of them); None if it took them all.
        documents: How many documents were scored.
        shots: How many examples stood in the prompt.
        options: Our own options of the run's `--metadata`, as one text.
        scores: `"<metric>,<filter>"` → score; those of a judge have the filter `judge`.
        samples: The files of logged samples: none, the harness's, and then the judge's.
    """

    name: str
    version: str
    source: str
    fingerprint: str
    limit: float | None
    documents: int
    shots: int
    options: str
    scores: Mapping[str, Score]
    samples: tuple[Path, ...]


@dataclass(frozen=True)
class Run:
    """One results file.

    Attributes:
        path: The file.
        date: When the run was, as in the file's name.
        model: The model's name or folder, as the run's arguments have it.
        arguments: Everything else about how the model was run that can change its answers: backend, its arguments,
            and `--gen_kwargs`.
        chat: Whether the model's chat template was used.
        system: The system prompt, "" if there was none.
        tasks: Its tasks by name.
    """

    path: Path
    date: str
    model: str
    arguments: Mapping[str, str]
    chat: bool
    system: str
    tasks: Mapping[str, TaskLog]


def find_runs(paths: Iterable[Path]) -> tuple[list[Run], list[str]]:
    """Return the runs at or below `paths`, in the order of their dates, and one line for each file that is none.

    Raises:
        UserError: A path does not exist, or nothing can be read.
    """
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise UserError(f"{path} does not exist: name results files of lm_eval, or folders that hold some")
        files += sorted(path.rglob(f"{_PREFIX}*.json")) if path.is_dir() else [path]
    plain = {_original(file).resolve(): _original(file) for file in files}
    runs, problems = [], []
    for file in plain.values():
        try:
            run, missing = _read_run(file)
            runs.append(run)
            problems += missing
        except (*_NOT_READ, AttributeError) as error:
            problems.append(f"{file}: no results file of lm_eval ({_reason(error)})")
    if not runs:
        shown = " ".join(map(str, paths))
        raise UserError(f"no results of lm_eval in {shown}" + "".join(f"; {line}" for line in problems))
    return sorted(runs, key=lambda run: (run.date, str(run.path))), problems


def read_samples(task: TaskLog, decode: Callable[[bytes], S] = orjson.loads) -> Iterator[S]:
    """Yield the logged samples of a task, one at a time: one per document and filter.

    Args:
        task: The task.
        decode: Makes a sample of a line, in which NaN has become null. A `msgspec.json.Decoder(Struct).decode` that
            names only the needed fields is several times faster than the default where prompts are long.

    Raises:
        DamagedLogError: A line is not JSON, or not what `decode` expects.
    """
    for path in task.samples:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.isspace():
                    continue
                try:
                    yield decode(_without_nan(line))
                except _NOT_READ as error:
                    raise DamagedLogError(f"{path}, line {number}: no logged sample ({_reason(error)})") from error


class DamagedLogError(Exception):
    """A file of samples cannot be read; the message names it in one line."""


def read_task(
    task: TaskLog, read: Callable[[Iterator[S]], T], decode: Callable[[bytes], S] = orjson.loads
) -> tuple[T | None, str]:
    """Reduce a task's samples to what a report needs of them.

    Args:
        task: The task.
        read: Reduces the stream of samples; may raise `KeyError`, `TypeError` or `ValueError` on one that it does not
            understand.
        decode: See `read_samples`.

    Returns:
        What `read` made and "", or None and one line that says why there is nothing: the whole task is a gap then,
        because half of its documents would be another, smaller benchmark.
    """
    if not task.samples:
        return None, f"{task.name}: no samples were logged; run lm_eval with --log_samples"
    try:
        return read(read_samples(task, decode)), ""
    except DamagedLogError as error:
        return None, f"{error}; {task.name} is left out"
    except _NOT_READ as error:
        return None, f"{task.samples[-1]}: samples not as expected ({_reason(error)}); {task.name} is left out"


def _original(file: Path) -> Path:
    """Return the results file that a judged one belongs to, if it is there."""
    if file.stem.endswith(_JUDGED):
        original = file.with_name(f"{file.stem.removesuffix(_JUDGED)}.json")
        return original if original.exists() else file
    return file


def _read_run(file: Path) -> tuple[Run, list[str]]:
    content = orjson.loads(_without_nan(file.read_bytes()))
    config = content["config"]
    arguments = _arguments(config.get("model_args"))
    judged_file = file.with_name(f"{file.stem}{_JUDGED}.json")
    judged, problems = {}, []
    if judged_file.exists():
        try:
            judged = orjson.loads(_without_nan(judged_file.read_bytes()))["results"]
        except _NOT_READ as error:
            problems.append(f"{judged_file}: no judged results ({_reason(error)})")
    tasks = {
        name: _task(name, file, content, content["results"][name], judged.get(name, {}), arguments)
        for name in content["configs"]
        if name in content["results"]
    }
    model = content.get("model_name") or config["model"]
    others = {key: value for key, value in arguments.items() if value != model}
    others |= {"backend": str(config["model"])}
    if config.get("gen_kwargs"):
        others["gen_kwargs"] = _as_text(config["gen_kwargs"])
    run = Run(
        path=file,
        date=file.stem.removeprefix(_PREFIX).removesuffix(_JUDGED),
        model=str(model),
        arguments=others,
        chat=bool(content.get("chat_template")),
        system=str(content.get("system_instruction") or ""),
        tasks=tasks,
    )
    return run, problems


def _task(
    name: str,
    file: Path,
    content: Mapping[str, Any],
    results: Mapping[str, Any],
    judged: Mapping[str, Any],
    arguments: Mapping[str, str],
) -> TaskLog:
    about = content["configs"][name].get("metadata") or {}
    counts = content["n-samples"][name]
    limited = counts["effective"] < counts["original"]
    stem = file.stem.removeprefix(_PREFIX)
    candidates = [
        file.with_name(f"samples_{name}_{stem}.jsonl"),
        file.with_name(f"samples_{name}_{stem}{_JUDGED}.jsonl"),
    ]
    options = {key: value for key, value in about.items() if key not in _OURS and key not in arguments}
    return TaskLog(
        name=name,
        version=str(about.get("version", "")),
        source=str(about.get("source", "")),
        fingerprint=str(about.get("fingerprint", "")),
        limit=(content["config"].get("limit") or counts["effective"]) if limited else None,
        documents=counts["effective"],
        shots=int(content["n-shot"].get(name) or 0),
        options=_as_text(options) if options else "",
        scores={**_scores(results), **_scores(judged)},
        samples=tuple(path for path in candidates if path.exists()),
    )


def _scores(results: Mapping[str, Any]) -> dict[str, Score]:
    return {
        key: Score(_number(value), _number(results.get(key.replace(",", "_stderr,", 1))))
        for key, value in results.items()
        if "," in key and "_stderr," not in key
    }


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _arguments(given: Any) -> dict[str, str]:
    """Return a backend's arguments, which the harness writes as a mapping or as the text of its command line."""
    if isinstance(given, Mapping):
        return {key: _as_text(value) for key, value in given.items()}
    pairs = (part.partition("=") for part in str(given or "").split(",") if "=" in part)
    return {key.strip(): value.strip() for key, _, value in pairs}


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def _without_nan(content: bytes) -> bytes:
    """Return strict JSON: the harness writes undefined scores as bare `NaN`."""
    return content.replace(b'": NaN', b'": null') if b"NaN" in content else content


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]
