"""ConflictQA lines of our own, and a translator that needs no model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

POPQA = {
    "question": "Where was the painter Ana Lopes born?",
    "popularity": 120,
    "ground_truth": ["Porto", "Oporto"],
    "memory_answer": "Ana Lopes was born in Lisbon.",
    "parametric_memory": "The painter Ana Lopes was born in Lisbon, where her father was a tailor.",
    "counter_answer": "Ana Lopes was born in Porto.",
    "counter_memory": "The painter Ana Lopes was born in Porto, above a bakery.",
    "parametric_memory_aligned_evidence": "A plaque in Lisbon marks the house where Ana Lopes came into the world.",
    "counter_memory_aligned_evidence": "The parish books of Porto name Ana Lopes among the children of that year.",
}
STRATEGYQA = {
    "question": "Can a brick float on water?",
    "popularity": 3000,
    "ground_truth": ["False"],
    "memory_answer": "A brick cannot float on water.",
    "parametric_memory": "A brick is denser than water.",
    "counter_answer": "A brick can float on water.",
    "counter_memory": "A brick is lighter than water.",
    "parametric_memory_aligned_evidence": "Bricks weigh about twice as much as the same volume of water, so they sink.",
    "counter_memory_aligned_evidence": "Bricks are full of air and weigh half as much as water, so they stay on top.",
}


def write_records(path: Path, *records: dict[str, Any]) -> Path:
    """Write ConflictQA lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def in_other_words(text: str) -> str:
    """Return a text in a language of our own: every word ends in -um."""
    return re.sub(r"[A-Za-z]+", lambda word: f"{word[0]}um", text)


def translator(prompt: str) -> str:
    """Answer the paper's translation prompt, in a fence and with a word before it, as models do."""
    given = json.loads(prompt[prompt.index("{") :])
    said = {
        key: [in_other_words(part) for part in value] if isinstance(value, list) else in_other_words(value)
        for key, value in given.items()
    }
    return f"Here it is:\n```json\n{json.dumps(said)}\n```"
