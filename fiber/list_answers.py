"""Reading a list of names out of a response, and finding them in the surface set.

A line is a name if it is one in the surface set, as a whole or up to a bracket, dash or colon; a line of several
names, one of which is known, is taken apart at commas and the word for *and*. Any other line is an unknown name, except
one that ends with a colon, which announces the list. A name counts once, however often it is said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from crossfact.utils.answers import tidy, unfinished, without_thinking

LISTING = Path(__file__).parent / "data" / "listing.yaml"
_NUMBER = re.compile(r"\A[(*_\s]*\d{1,3}[.)]\s+(?=\S)")
_ASIDE = re.compile(r"\s*[(（:]|\s+[-–—]\s")
_COPULA = re.compile(r"'[dt][ıiuü]r$")  # as Turkish writes it after a name
_OFFSET = re.compile(r"(?:utc|gmt)\s*([-+−±])\s*(\d{1,2})(?::?(\d\d))?$")


@dataclass(frozen=True)
class Listed:
    """What a response lists.

    Attributes:
        answers: The names, each once, as they were written.
        entities: For each its index in the surface set, or None if it is not in it.
        unfinished: Whether there is nothing because thinking never ended.
    """

    answers: list[str]
    entities: list[int | None]
    unfinished: bool = False

    def dumps(self) -> str:
        """Return it as one line of JSON, as it is logged."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def loads(cls, line: str) -> Listed:
        """Return what is in a line that `dumps` wrote."""
        return cls(**json.loads(line))


def listed(responses: Iterable[Sequence[str]], docs: Iterable[Mapping[str, Any]]) -> list[str]:
    """The harness's filter: what each (one) response lists."""
    return [read_list(said[0], doc).dumps() for said, doc in zip(responses, docs, strict=True)]


def read_list(response: str | None, doc: Mapping[str, Any]) -> Listed:
    """Return what a response to a question lists."""
    lang = doc["lang"]
    known = _index(tuple(map(tuple, doc["names"])), lang)
    found: dict[str | int, tuple[str, int | None]] = {}
    for line in (without_thinking(response or "") or "").splitlines():
        for name in _names(line, known, lang):
            entities = known.get(canonical(name, lang), ())
            # a name that two entities share stands for the right one
            entity = next((one for one in entities if one in doc["gold"]), entities[0] if entities else None)
            found.setdefault(canonical(name, lang) if entity is None else entity, (name, entity))
    answers, places = zip(*found.values(), strict=True) if found else ((), ())
    return Listed(list(answers), list(places), not found and unfinished(response))


@lru_cache(maxsize=100_000)
def canonical(name: str, lang: str) -> str:
    """Return a name as it is compared: without numbering, article or copula, and an offset from UTC in full."""
    text = _NUMBER.sub("", tidy(_NUMBER.sub("", name), lang))
    text = _COPULA.sub("", text) if lang == "tr" else text
    for article in _articles(lang):
        if text.startswith(article) and len(text) > len(article):
            text = text[len(article) :]
            break
    if text in ("utc", "gmt"):
        text = "utc+0"
    if offset := _OFFSET.match(text):
        sign, hours, minutes = offset[1].replace("−", "-"), int(offset[2]), offset[3] or "00"
        return f"utc{sign if hours or minutes != '00' else '±'}{hours:02}:{minutes}"
    return text


def _names(line: str, known: Mapping[str, tuple[int, ...]], lang: str) -> list[str]:
    line = _NUMBER.sub("", line.strip())
    if not any(map(str.isalnum, line)):
        return []
    if canonical(line, lang) in known:
        return [line]
    head = _ASIDE.split(line, maxsplit=1)[0]
    if canonical(head, lang) in known:
        return [head]
    parts = [part for part in _joints(lang).split(line) if any(map(str.isalnum, part))]
    if any(canonical(part, lang) in known for part in parts):
        return parts
    return [] if line.rstrip("*_ ").endswith((":", "：")) else [line]


@lru_cache(maxsize=200)
def _index(names: tuple[tuple[str, ...], ...], lang: str) -> dict[str, tuple[int, ...]]:
    """Return compared name → the entities that have it."""
    index: dict[str, dict[int, None]] = {}
    for entity, of_entity in enumerate(names):
        for name in of_entity:
            index.setdefault(canonical(name, lang), {})[entity] = None
    return {name: tuple(entities) for name, entities in index.items()}


@cache
def _joints(lang: str) -> re.Pattern[str]:
    words = "|".join(map(re.escape, _listing()[lang]["and"]))
    return re.compile(rf"\s*[,;，、]\s*(?:(?:{words})\s+)?|\s+(?:{words})\s+", re.IGNORECASE)


@cache
def _articles(lang: str) -> tuple[str, ...]:
    return tuple(_listing()[lang]["articles"])


@cache
def _listing() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = yaml.safe_load(LISTING.read_text(encoding="utf-8"))
    return table
