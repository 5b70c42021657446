"""Results files as the harness writes them, small enough to read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def results(**more: Any) -> dict[str, Any]:
    """Two languages of SWORD with their group, and a task with several filters."""
    about = {"version": 1.0, "source": "embedded", "fingerprint": "00ff"}
    return {
        "results": {
            "sword": {"alias": "SWORD", "balanced,answer": 0.75, "balanced_stderr,answer": 0.1},
            "sword_en": {"alias": "x", "sample_len": 4, "balanced,answer": 1.0, "balanced_stderr,answer": "N/A"},
            "sword_de": {"alias": "x", "sample_len": 2, "balanced,answer": 0.5, "balanced_stderr,answer": 0.2},
            "clear_popqa_task2_tr": {"acc,exact": 0.25, "acc,contains": 0.5, "sr,exact": float("nan")},
        },
        "group_subtasks": {"sword": ["sword_en", "sword_de"]},
        "configs": {
            "sword_en": {"metadata": about},
            "sword_de": {"metadata": {**about, "fingerprint": "11ff"}},
            "clear_popqa_task2_tr": {"metadata": {**about, "source": "mine"}},
        },
        "versions": {"sword": 1.0, "sword_en": 1.0, "sword_de": 1.0, "clear_popqa_task2_tr": 1.0},
        "n-shot": {"sword_en": 0, "sword_de": 0, "clear_popqa_task2_tr": 0},
        "n-samples": {
            "sword_en": {"original": 500, "effective": 4},
            "sword_de": {"original": 500, "effective": 2},
            "clear_popqa_task2_tr": {"original": 9, "effective": 9},
        },
        "date": 1_800_000_000.5,
        "lm_eval_version": "0.4.13",
        "model_name": "org/model",
        **more,
    }


def write_results(folder: Path, name: str = "results_2026-01-01T00-00-00.0.json", **more: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(results(**more)), encoding="utf-8")
    return folder / name
