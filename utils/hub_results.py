"""`crossfact export-hub`: results as the files that a model's repository on the Hub holds in `.eval_results/`.

The format is the Hub's: a list of entries with the benchmark's dataset, a task of it, a value, and notes. The Hub shows
them on the model's page and gathers them in the leaderboard of the dataset, whose `eval.yaml` names the tasks.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from math import isnan
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from crossfact.utils.errors import UserError
from crossfact.utils.results_table import Row, read_rows, results_files


def export_hub(
    results: Annotated[list[Path], typer.Argument(help="Results files of lm_eval, or folders that hold some.")],
    out: Annotated[Path, typer.Option(help="The folder to write to; in it one per model, to be uploaded to its repo.")],
    dataset: Annotated[str, typer.Option(help="The benchmark's dataset on the Hub, such as org/sword.")],
    metric: Annotated[list[str], typer.Option(help="What to export, such as balanced, map or acc,exact; repeatable.")],
) -> None:
    """Write results as `.eval_results` files of model repositories on the Hub."""
    for file in write_eval_results(results, out, dataset, metric):
        typer.echo(f"written: {file}")


def write_eval_results(results: Iterable[Path], out: Path, dataset: str, metrics: list[str]) -> list[Path]:
    """Write one file per results file, `<model>/.eval_results/crossfact_<date>.yaml`.

    Args:
        results: Results files, or folders that hold some.
        out: Where to.
        dataset: The dataset's id.
        metrics: `metric`, or `metric,filter` where several filters have it.

    Returns:
        The files that were written.

    Raises:
        UserError: There are no results, or none has one of the metrics.
    """
    if dataset.count("/") != 1:
        raise UserError(f"--dataset {dataset!r} is no dataset of the Hub: give owner/name")
    written = []
    for file in results_files(results):
        rows = [row for row in read_rows(file) if _wanted(row, metrics) and not isnan(row.value)]
        if not rows:
            continue
        _check_ids(rows, file)
        name = f"crossfact_{file.stem.removeprefix('results_')}.yaml"
        target = out / rows[0].model.strip("/") / ".eval_results" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        entries = [eval_result(row, dataset) for row in rows]
        target.write_text(yaml.safe_dump(entries, sort_keys=False, allow_unicode=True), encoding="utf-8")
        written.append(target)
    if not written:
        raise UserError(f"no results with {' or '.join(metrics)}: see the metrics in the harness's table")
    return written


def eval_result(row: Row, dataset: str) -> dict[str, Any]:
    """Return one entry; its task is `<task>_<metric>`."""
    notes = [
        f"source {row.source} ({row.fingerprint})" if row.source else "several sources",
        f"task version {row.version}" if row.version else "",
        f"{row.documents} documents",
        f"{row.shots} examples in the prompt",
        f"filter {row.filter}",
        f"standard error {row.stderr:.4f}" if not isnan(row.stderr) else "",
        f"crossfact {version('crossfact')}, lm-eval {row.harness}",
    ]
    return {
        "dataset": {"id": dataset, "task_id": f"{row.task}_{row.metric}"},
        "value": row.value,
        "date": row.date,
        "notes": "; ".join(filter(None, notes)),
    }


def _wanted(row: Row, metrics: Iterable[str]) -> bool:
    return row.metric in metrics or f"{row.metric},{row.filter}" in metrics


def _check_ids(rows: Iterable[Row], file: Path) -> None:
    seen: dict[tuple[str, str], str] = {}
    for row in rows:
        if (other := seen.setdefault((row.task, row.metric), row.filter)) != row.filter:
            raise UserError(
                f"{file}: {row.task} has {row.metric} with the filters {other} and {row.filter}: "
                f"choose one, such as --metric {row.metric},{other}"
            )
