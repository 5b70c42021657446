"""Writes runs as the harness logs them, so that a test can say what a model scored."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DATE = "2026-01-01T00-00-00.000000"


def write_run(
    folder: Path,
    model: str,
    samples: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    results: Mapping[str, Mapping[str, Any]] | None = None,
    metadata: Mapping[str, Any] | None = None,
    limit: int | None = None,
    chat: bool = False,
    date: str = DATE,
    judged: bool = False,
    model_args: str = "",
) -> Path:
    """Write the results file of a run and its files of samples.

    Args:
        folder: Where to.
        model: The model's name.
        samples: Task → its logged samples.
        results: Task → what stands in the result table, such as `{"acc,answer": 0.5}`.
        metadata: What the tasks' metadata hold besides, or instead of, version, source and fingerprint.
        limit: The run's `--limit`.
        chat: Whether a chat template was used.
        date: Ends the files' names.
        judged: Whether to write it as `crossfact judge` does.
        model_args: More arguments, such as `dtype=float32`.

    Returns:
        The results file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ending = "_judge" if judged else ""
    for task, lines in samples.items():
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / f"samples_{task}_{date}{ending}.jsonl").write_text(text, encoding="utf-8")
    about = {"version": 1.0, "source": "embedded", "fingerprint": "0123456789abcdef", "pretrained": model}
    sizes = {task: len(lines) for task, lines in samples.items()}
    whole = 2 if limit else 1
    content = {
        "results": {task: {"alias": task, **((results or {}).get(task, {}))} for task in samples},
        "configs": {task: {"task": task, "metadata": {**about, **(metadata or {})}} for task in samples},
        "n-shot": dict.fromkeys(samples, 0),
        "n-samples": {task: {"original": whole * size, "effective": size} for task, size in sizes.items()},
        "config": {"model": "scripted", "model_args": f"pretrained={model},{model_args}".strip(","), "limit": limit},
        "model_name": model,
        "chat_template": "{{ messages }}" if chat else None,
        "system_instruction": None,
    }
    path = folder / f"results_{date}{ending}.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
