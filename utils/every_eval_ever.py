"""`crossfact export-eee`: results in the schema of Every Eval Ever, by that project's own converter.

The converter (the package every-eval-ever, Python 3.12 or later) reads the harness's results files, but neither
undefined scores nor a folder as the name of a model. So it is given copies without the first, and with a name.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from crossfact.utils.errors import UserError
from crossfact.utils.results_table import results_files

CONVERTER = "every_eval_ever"


def export_eee(
    results: Annotated[list[Path], typer.Argument(help="Results files of lm_eval, or folders that hold some.")],
    out: Annotated[Path, typer.Option(help="The folder to write to.")],
    organization: Annotated[str, typer.Option(help="Who ran the evaluation.")],
    model: Annotated[
        str | None, typer.Option(help="The model's name, owner/name, if it was run from a folder.")
    ] = None,
) -> None:
    """Write results in the schema of Every Eval Ever; its converter must be installed."""
    typer.echo(convert(results, out, organization, model))


def convert(results: list[Path], out: Path, organization: str, model: str | None = None) -> str:
    """Convert results files and return what the converter printed.

    Raises:
        UserError: There are no results, a model's name is a folder, the converter is not installed, or it failed.
    """
    files = results_files(results)
    if shutil.which(CONVERTER) is None:
        raise UserError(
            f"the converter {CONVERTER} is not installed: pip install every-eval-ever, in any environment with Python "
            "3.12 or later, and put its command on the PATH"
        )
    with TemporaryDirectory() as folder:
        for number, file in enumerate(files):
            content = convertible(json.loads(file.read_bytes()), model)
            if Path(content["model_name"]).is_absolute():
                raise UserError(f"{file}: the model is called by its folder: give its name with --model owner/name")
            copy = Path(folder) / str(number) / file.name
            copy.parent.mkdir()
            copy.write_text(json.dumps(content, allow_nan=False), encoding="utf-8")
        command = [CONVERTER, "convert", "lm_eval", "--log_path", folder, "--output_dir", str(out)]
        command += ["--source_organization_name", organization]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "it printed nothing").splitlines()[-1]
        raise UserError(f"{CONVERTER} failed with status {done.returncode}: {last}")
    return done.stdout.strip()


def convertible(content: Mapping[str, Any], model: str | None = None) -> dict[str, Any]:
    """Return a results file without scores and standard errors that are undefined, and with a model's given name."""
    changed = {
        **content,
        "results": {name: _defined(scores) for name, scores in content["results"].items()},
        "groups": {name: _defined(scores) for name, scores in content.get("groups", {}).items()},
    }
    if model:
        config = dict(content["config"])
        arguments = config.get("model_args")
        config["model_args"] = {**(arguments if isinstance(arguments, dict) else {}), "pretrained": model}
        changed |= {"model_name": model, "config": config}
    return changed


def _defined(scores: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in scores.items()
        if not _undefined(value) and not _undefined(scores.get(key.replace("_stderr,", ",")))
    }


def _undefined(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)
