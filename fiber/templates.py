"""The prompts of the embedded data: one YAML file per language, `data/templates/<code>.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from crossfact.fiber.topics import COUNT_QUERIES, TOPICS
from crossfact.utils.languages import FIBER_LANGUAGES

FOLDER = Path(__file__).parent / "data" / "templates"
FILES = tuple(FOLDER / f"{lang}.yaml" for lang in FIBER_LANGUAGES)


@dataclass(frozen=True)
class Form:
    """One way to ask.

    Attributes:
        name: The kind of query, numbered where a language has several forms of it (`sc_0`, `sc_1`).
        query: The kind of query.
        prompt: The template of the prompt.
        answer: The template of the answer after it.
    """

    name: str
    query: str
    prompt: str
    answer: str


@cache
def forms(topic: str, lang: str) -> tuple[Form, ...]:
    """Return all forms of a topic in a language, in the order of its kinds of query."""
    entry = _read(lang)["topics"][topic]
    found = []
    for query in TOPICS[topic].queries:
        written = entry[query] if isinstance(entry[query], list) else [entry[query]]
        for number, form in enumerate(written):
            form = form if isinstance(form, dict) else {"prompt": form}
            usual = "{{ o }}" if query in COUNT_QUERIES else entry.get("answer", "{{ o }}")
            name = query if len(written) == 1 else f"{query}_{number}"
            found.append(Form(name, query, form["prompt"], form.get("answer", usual)))
    return tuple(found)


def enumerate_names(names: Sequence[str], lang: str) -> str:
    """Return the names as an enumeration: `A, B and C`; with semicolons where a name has a comma in it."""
    comma = "; " if any("," in name for name in names) else ", "
    return comma.join(names[:-1]) + _read(lang)["and"] + names[-1]


@cache
def _read(lang: str) -> dict[str, Any]:
    return yaml.safe_load((FOLDER / f"{lang}.yaml").read_text(encoding="utf-8"))
