"""ConflictQA as it is published: one JSON object a line, from a local file or from the Hub.

Xie et al. (2024) asked a model each question, called its answer the memory, and wrote a counter answer against it.
Which of the two is right differs from item to item; `agreement.py` tells.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crossfact.utils.errors import UserError

HUB_DATASET = "osunlp/ConflictQA"
SOURCES = {"conflictqa-popqa": "popqa", "conflictqa-strategyqa": "strategyqa"}
_HUB_NAMES = {"popqa": "popQA", "strategyqa": "strategyQA"}

_TEXTS = (
    "question",
    "memory_answer",
    "counter_answer",
    "parametric_memory_aligned_evidence",
    "counter_memory_aligned_evidence",
)


@dataclass(frozen=True)
class Side:
    """One of the two answers to a question, with what speaks for it.

    Attributes:
        answer: A sentence, seldom a bare word.
        evidence: The evidence that the model was shown for it.
        belief: What a model wrote in its favour (`parametric_memory` or `counter_memory`); may be missing.
    """

    answer: str
    evidence: str
    belief: str | None = None


@dataclass(frozen=True)
class Record:
    """One line of ConflictQA."""

    question: str
    gold: tuple[str, ...]
    memory: Side
    counter: Side
    popularity: float | None


def read_records(path: Path) -> list[Record]:
    """Return the records of a file in its order.

    Raises:
        UserError: The file cannot be read, is empty, or a line is not as ConflictQA has it; file and line are named.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}; name a ConflictQA file with --file") from error
    records = [_record(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not records:
        raise UserError(f"{path} is empty: name a ConflictQA file with --file")
    return records


def download(dataset: str, source_model: str) -> Path:
    """Return the Hub's file for a dataset and the model that was asked, from the Hub's cache if it is there.

    Raises:
        UserError: The Hub cannot be reached, or has no such file.
    """
    from huggingface_hub import hf_hub_download

    name = f"conflictQA-{_HUB_NAMES[dataset]}-{source_model}.json"
    try:
        return Path(hf_hub_download(HUB_DATASET, name, repo_type="dataset"))
    except Exception as error:
        said = " ".join(str(error).split())[:200]
        raise UserError(
            f"cannot download {name} of {HUB_DATASET} ({said}): check the name given to --source-model and the "
            "network, or name a local copy with --file"
        ) from error


def _record(line: str, where: str) -> Record:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise UserError(f"{where}: not JSON ({error}); ConflictQA has one object a line") from error
    if not isinstance(row, dict):
        raise UserError(f"{where}: expected a JSON object")
    for key in (*_TEXTS, "ground_truth"):
        if key not in row:
            raise UserError(f"{where}: {key} is missing; is this a ConflictQA file?")
    for key in _TEXTS:
        if not isinstance(row[key], str):
            raise UserError(f"{where}: {key} must be a text, not {row[key]!r}")
    gold = row["ground_truth"]
    gold = [gold] if isinstance(gold, str) else gold
    if not isinstance(gold, list) or not gold or not all(isinstance(answer, str) for answer in gold):
        raise UserError(f"{where}: ground_truth must be a list of texts, not {row['ground_truth']!r}")
    popularity = row.get("popularity")
    return Record(
        question=row["question"].strip(),
        gold=tuple(gold),
        memory=_side(row, "memory_answer", "parametric_memory"),
        counter=_side(row, "counter_answer", "counter_memory"),
        popularity=popularity if isinstance(popularity, int | float) and not isinstance(popularity, bool) else None,
    )


def _side(row: dict[str, Any], answer: str, belief: str) -> Side:
    text = row.get(belief)
    return Side(row[answer].strip(), row[f"{belief}_aligned_evidence"].strip(), text.strip() if text else None)
