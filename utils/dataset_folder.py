"""What the folders that our builders write have in common: whole files, a card that the Hub reads, public names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file in one piece: a killed process leaves the old file or the new one, never a part."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.replace(path)


def size_category(documents: int) -> str:
    """Return the Hub's name for a dataset's size."""
    return next((name for limit, name in _SIZES if documents < limit), "n>1M")


def card(header: Mapping[str, Any], text: str) -> str:
    """Return a dataset card: the YAML header that the Hub reads, and the text below it."""
    return f"---\n{yaml.safe_dump(dict(header), sort_keys=False, allow_unicode=True)}---\n\n{text}"


def public_model_name(model: str, model_args: str | Mapping[str, Any]) -> str:
    """Return how a model is named in what we write: its backend and name, without addresses, folders and keys."""
    from lm_eval.utils import simple_parse_args_string

    arguments = simple_parse_args_string(model_args) if isinstance(model_args, str) else model_args
    name = arguments.get("pretrained") or arguments.get("model")
    return f"{model} ({Path(str(name)).name})" if name else model
