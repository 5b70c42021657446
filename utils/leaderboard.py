"""`crossfact leaderboard`: a list of models through the harness, one table of results.

Each model has a folder: the options it is run with, what the harness printed, its results and samples, and a marker
that is written last. What has a marker is not run again; so a pipeline that was killed goes on where it was, and a
model that failed is tried again the next time. The table is made from all finished models, never patched.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated, Any

import typer
import yaml

from crossfact.utils.errors import UserError
from crossfact.utils.model_list import Entry, read_models
from crossfact.utils.results_table import read_rows, results_files, write_table

TABLE = "leaderboard.csv"

_CONFIG, _LOG, _RESULTS, _DONE, _LOCK = "config.yaml", "log.txt", "results", "done.json", ".lock"


def leaderboard(
    models: Annotated[Path, typer.Argument(help="A YAML file with the models; see docs/leaderboards.md.")],
    out: Annotated[Path, typer.Option(help="The folder of all runs and of the table, leaderboard.csv.")],
) -> None:
    """Run every model of a list that is not finished, and write all results to one table."""
    run_leaderboard(models, out)


def run_leaderboard(models: Path, out: Path) -> None:
    """Run every model that is not finished, one after the other, and write the table after each.

    Raises:
        UserError: The list is wrong; the folder holds a run of one of these names with other options; or, once all
            were tried, some model failed.
    """
    entries = read_models(models)
    finished = {entry.name: _finished(out / entry.name, entry) for entry in entries}
    problems = []
    for entry in entries:
        if finished[entry.name]:
            typer.echo(f"{entry.name}: finished before")
            continue
        typer.echo(f"{entry.name}: running, see {out / entry.name / _LOG}")
        if problem := _run(out / entry.name, entry):
            typer.echo(f"{entry.name}: {problem}")
            problems.append(f"{entry.name}: {problem}")
        else:
            finished[entry.name] = True
        _write_table(out, entries)
    _write_table(out, entries)
    typer.echo(f"written: {out / TABLE} ({sum(finished.values())} of {len(entries)} models)")
    if problems:
        raise UserError(f"{len(problems)} of {len(entries)} models did not finish; {'; '.join(problems)}")


def _finished(folder: Path, entry: Entry) -> bool:
    if not (folder / _DONE).exists():
        return False
    if json.loads((folder / _DONE).read_bytes())["settings"] != _as_json(entry.settings):
        raise UserError(
            f"{folder} holds results of {entry.name} with other options: give the model another name, or remove the "
            "folder to run it anew"
        )
    return True


def _run(folder: Path, entry: Entry) -> str:
    """Run one model; return why it did not finish, or nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder / _LOCK) as lock:
        if lock is None:
            return f"another process is running it (it holds {folder / _LOCK}): wait for that to end"
        shutil.rmtree(folder / _RESULTS, ignore_errors=True)  # what a killed run left
        settings = {**entry.settings, "output_path": str(folder / _RESULTS), "log_samples": True}
        (folder / _CONFIG).write_text(yaml.safe_dump(settings, allow_unicode=True), encoding="utf-8")
        command = [sys.executable, "-m", "crossfact.utils.cli", "run", "--config", str(folder / _CONFIG)]
        with (folder / _LOG).open("wb") as log:
            # The child holds the lock as well: if this process is killed, it can go on alone. Unbuffered, what it
            # prints last stands last in the log, and that is the error.
            unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}
            done = subprocess.run(
                command, stdout=log, stderr=log, pass_fds=[lock.fileno()], env=unbuffered, check=False
            )
        if done.returncode:
            return f"failed with status {done.returncode} ({_last_line(folder / _LOG)})"
        if not list((folder / _RESULTS).rglob("results_*.json")):
            return f"wrote no results ({_last_line(folder / _LOG)})"
        part = folder / f"{_DONE}.part"
        part.write_text(json.dumps({"settings": _as_json(entry.settings)}), encoding="utf-8")
        part.replace(folder / _DONE)
    return ""


@contextmanager
def _locked(file: Path) -> Iterator[IO[str] | None]:
    """Hold a file's lock; give None if another process holds it."""
    import fcntl

    with file.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
        else:
            yield lock


def _write_table(out: Path, entries: list[Entry]) -> None:
    """Write the rows of all finished models, those of an earlier list included."""
    order = {entry.name: place for place, entry in enumerate(entries)}
    folders = [marker.parent for marker in out.glob(f"*/{_DONE}")]
    folders.sort(key=lambda folder: (order.get(folder.name, len(order)), folder.name))
    rows = [
        row for folder in folders for file in results_files([folder / _RESULTS]) for row in read_rows(file, folder.name)
    ]
    out.mkdir(parents=True, exist_ok=True)
    write_table(out / TABLE, rows)


def _last_line(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines()]
    return textwrap.shorten(next(filter(None, reversed(lines)), "nothing was printed"), 200, placeholder=" …")


def _as_json(settings: dict[str, Any]) -> Any:
    return json.loads(json.dumps(settings, default=str))
