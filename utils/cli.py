"""The command `crossfact`: small, each sub-command calls one function."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated

import typer

from crossfact.utils.errors import UserError

app = typer.Typer(
    help="CLEAR, FIBER and SWORD: multilingual factuality benchmarks for lm-evaluation-harness.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
build = typer.Typer(help="Build a benchmark's data.", no_args_is_help=True)
app.add_typer(build, name="build")


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True}, add_help_option=False)
def run(context: typer.Context) -> None:
    """Run the harness's own `lm_eval run`, with our tasks and backends registered. Takes its options."""
    from crossfact.utils.run import run_harness

    run_harness(context.args)


@app.command()
def tasks(
    out: Annotated[Path, typer.Option(help="The folder of all families' tasks.")] = Path("lm_eval_tasks"),
) -> None:
    """Write every task's YAML anew (for contributors, in a checkout)."""
    if not out.is_dir():
        raise UserError(f"{out} is not a folder: run this at the top of a checkout, or name the folder with --out")
    for point in sorted(entry_points(group="crossfact.tasks"), key=lambda point: point.name):
        point.load()(out / point.name)


def main() -> None:
    """Run the command; a `UserError` ends it with one line and status 2."""
    for group, parent in (("crossfact.build", build), ("crossfact.commands", app)):
        # `utils` imports no benchmark: each one declares its commands as entry points.
        for point in sorted(entry_points(group=group), key=lambda point: point.name):
            parent.command(name=point.name)(point.load())
    try:
        app()
    except UserError as error:
        print(f"crossfact: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
