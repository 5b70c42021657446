"""A label that knows its grammar: gender, number, article and the like, from data files, by entity id or by label.

A data file (`data/<lang>.yaml`) has two optional parts, besides word lists that only its language module reads:

    types:                      # what holds for every label of a type that has no row of its own
      element: m
    nouns:                      # rows of [entity id or null, label, class]
      - [Q38, Italia, f]

A class is either a short word that the language module understands, or a mapping of traits, of which `class` is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

_DATA = Path(__file__).parent / "data"
_NO_TRAITS: Mapping[str, str] = {}


class Noun(str):
    """A label with its grammar; everywhere else it is the plain string.

    Attributes:
        lang: The language of the label.
        entity_id: The entity's id (a Wikidata id, or one of ours), if it is known.
        type: The entity's type (`country`, `city`, `element`, …), if it is known.
        traits: What the data file says about it (`class`, …); empty for a label that the language must judge by itself.
    """

    lang: str
    entity_id: str | None
    type: str | None
    traits: Mapping[str, str]

    def __new__(
        cls,
        label: str,
        lang: str,
        entity_id: str | None = None,
        type: str | None = None,
        traits: Mapping[str, str] = _NO_TRAITS,
    ) -> Noun:
        """Makes the string and hangs its grammar on it; `noun` is the way to get one."""
        self = super().__new__(cls, label)
        self.lang = lang
        self.entity_id = entity_id
        self.type = type
        self.traits = traits
        return self


class _Lexicon(NamedTuple):
    by_id: Mapping[tuple[str, str], Mapping[str, str]]  # (entity id, label)
    first_of_id: Mapping[str, Mapping[str, str]]
    by_label: Mapping[str, Mapping[str, str]]
    by_type: Mapping[str, Mapping[str, str]]


@cache
def data(lang: str) -> Mapping[str, Any]:
    """Returns the content of the language's data file; empty for a language that needs none."""
    path = _DATA / f"{lang}.yaml"
    if not path.exists():
        return {}
    return yaml.safe_load(path.read_text(encoding="utf-8")) or {}


def _traits(value: str | Mapping[str, str]) -> Mapping[str, str]:
    return {"class": value} if isinstance(value, str) else dict(value)


@cache
def _lexicon(lang: str) -> _Lexicon:
    by_id: dict[tuple[str, str], Mapping[str, str]] = {}
    first_of_id: dict[str, Mapping[str, str]] = {}
    by_label: dict[str, Mapping[str, str]] = {}
    for entity_id, label, value in data(lang).get("nouns", ()):
        traits = _traits(value)
        by_label.setdefault(label, traits)
        if entity_id is not None:
            by_id[entity_id, label] = traits
            first_of_id.setdefault(entity_id, traits)
    by_type = {type_: _traits(value) for type_, value in data(lang).get("types", {}).items()}
    return _Lexicon(by_id, first_of_id, by_label, by_type)


@lru_cache(maxsize=100_000)
def noun(label: str, lang: str, entity_id: str | None = None, type: str | None = None) -> Noun:
    """Makes a label ready for the filters of its language.

    The data file is asked in this order: the row of this id and label, the first row of this id, the row of this
    label, the entry of this type. A label that none of them knows is left to the rules of the language.

    Args:
        label: Any text, in the language (or its fallback label).
        lang: A language code, such as `it`.
        entity_id: The entity's id, where it is known: it tells Georgia the country from Georgia the state.
        type: The entity's type, where it is known (`country`, `element`, …).

    Returns:
        The label as a string that carries its grammar.
    """
    lexicon = _lexicon(lang)
    traits: Mapping[str, str] | None = None
    if entity_id is not None:
        traits = lexicon.by_id.get((entity_id, label)) or lexicon.first_of_id.get(entity_id)
    if traits is None:
        traits = lexicon.by_label.get(label)
    if traits is None and type is not None:
        traits = lexicon.by_type.get(type)
    return Noun(label, lang, entity_id, type, traits or _NO_TRAITS)
