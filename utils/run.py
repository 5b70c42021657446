"""The harness's own command, with our tasks and backends registered."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from crossfact.utils.errors import UserError


def run_harness(arguments: list[str]) -> None:
    """Run `lm_eval run` with `arguments`.

    Installed from a wheel our tasks lie beside the harness's own; in an editable install they lie in the checkout and
    are named with `--include_path`.

    Raises:
        UserError: There is no task of a given name.
    """
    from lm_eval.__main__ import cli_evaluate

    from crossfact.utils.backends import register_backends
    from crossfact.utils.older_harness import let_yaml_name_our_functions

    register_backends()
    let_yaml_name_our_functions()
    # before 0.4.10 the harness had one command, without sub-commands
    command = ["run"] if find_spec("lm_eval._cli") else []
    sys.argv = ["lm_eval", *command, *_with_our_tasks(arguments)]
    try:
        cli_evaluate()
    except ValueError as error:
        if not str(error).startswith("Tasks not found"):
            raise
        said = " ".join(str(error).split())
        raise UserError(
            f"{said} (`lm_eval ls tasks` lists all; in a checkout with --include_path lm_eval_tasks)"
        ) from None


def _with_our_tasks(arguments: list[str]) -> list[str]:
    if "--include_path" in arguments or _installed_beside_the_harness():
        return arguments
    tasks = Path(__file__).resolve().parent.parent / "lm_eval_tasks"
    return [*arguments, "--include_path", str(tasks)] if tasks.is_dir() else arguments


def _installed_beside_the_harness() -> bool:
    harness = find_spec("lm_eval")
    roots = (harness.submodule_search_locations or []) if harness else []
    return any((Path(root) / "tasks" / "crossfact").is_dir() for root in roots)
