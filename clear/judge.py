"""`crossfact judge`: popqa results again, with a model in the place of string comparison."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from crossfact.clear.judge_check import check_judge
from crossfact.clear.judging import BATCH, Pair, judge_pairs
from crossfact.clear.logged import JUDGED, Run, ask_again, find_runs
from crossfact.clear.rescore import aggregate, aggregate_group, gap, judged, pair_of, unjudged
from crossfact.utils.dataset_folder import public_model_name
from crossfact.utils.errors import UserError


def judge(
    results: Annotated[
        list[Path] | None, typer.Argument(help="Results files of lm_eval, or folders that hold some.")
    ] = None,
    model: Annotated[str, typer.Option(help="The judge: a backend of the harness, as for lm_eval.")] = "",
    model_args: Annotated[str, typer.Option("--model_args", help="Its arguments, as for lm_eval.")] = "",
    batch: Annotated[int, typer.Option(min=1, help="Pairs in one prompt.")] = BATCH,
    check: Annotated[bool, typer.Option("--check", help="Measure the judge on our labelled pairs instead.")] = False,
) -> None:
    """Let a model judge the logged answers to CLEAR's popqa tasks.

    Judged samples and results lie beside the originals afterwards, under the filter name `judge`. A second run asks
    nothing again.
    """
    if not model:
        raise UserError("which model is to judge? Name it with --model and --model_args, as for lm_eval")
    if bool(results) is check:
        raise UserError("name the results to judge, or give --check alone to measure the judge itself")
    if check:
        typer.echo(check_judge(model, model_args, batch))
        return
    for run in find_runs(results or []):
        typer.echo(judge_run(run, model, model_args, batch))


def judge_run(run: Run, model: str, model_args: str | Mapping[str, Any], batch: int = BATCH) -> str:
    """Judge one run, write its judged samples and results, and return a summary for the user.

    Raises:
        UserError: The model cannot be loaded, or its server is out of order.
    """
    pairs = _pairs(run)
    decided = judge_pairs(pairs, model, model_args, batch)
    scores: dict[str, dict[str, Any]] = {}
    gaps: dict[str, dict[str, Any]] = {}
    still_open: dict[str, int] = {}
    for task, samples in run.samples.items():
        again = [judged(sample, decided) for sample in samples]
        lines = [json.dumps(sample, ensure_ascii=False) + "\n" for sample in again]
        run.path.with_name(f"samples_{task}_{run.date}{JUDGED}.jsonl").write_text("".join(lines), encoding="utf-8")
        kept = {key: run.results["results"][task][key] for key in ("alias", "sample_len")}
        scores[task] = {**kept, **aggregate(again)}
        gaps[task] = gap(again, samples)
        still_open[task] = sum(map(unjudged, again))
    written = {
        **run.results,
        "results": {**scores, **_groups(run, scores)},
        "groups": _groups(run, scores),
        "judge": {
            "model": public_model_name(model, model_args),
            "batch": batch,
            "pairs": len(pairs),
            "decided": len(decided),
            "unjudged": still_open,
            "gap": gaps,
        },
    }
    path = run.path.with_name(f"{run.path.stem}{JUDGED}.json")
    path.write_text(json.dumps(written, ensure_ascii=False, indent=2), encoding="utf-8")
    return _summary(path, gaps, still_open)


def _pairs(run: Run) -> list[Pair]:
    found = dict.fromkeys(
        pair_of(asked, said)
        for samples in run.samples.values()
        for sample in samples
        for asked, said in ask_again(sample)
    )
    return [pair for pair in found if pair is not None]


def _groups(run: Run, scores: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        name: {"alias": name, **aggregate_group([scores[member] for member in members])}
        for name, members in run.results.get("group_subtasks", {}).items()
        if members and all(member in scores for member in members)
    }


def _summary(path: Path, gaps: Mapping[str, Mapping[str, Any]], still_open: Mapping[str, int]) -> str:
    rows = [f"{'task':32} {'judge':>7} {'exact':>7} {'gap':>6} {'documents':>10} {'unjudged':>9}"]
    for task, found in gaps.items():
        shares = f"{100 * found['judge']:7.1f} {100 * found['exact']:7.1f} {found['gap']:+6.1f}"
        rows.append(f"{task:32} {shares} {found['documents']:10} {still_open[task]:9}")
    return "\n".join([*rows, f"written: {path}"])
