"""A label that knows its grammar: gender, number, article and the like, from data files, by entity id or by label.

A data file (`data/<lang>.yaml`) may hold these parts, besides word lists that only its language module reads:

    nouns:                      # type → class → label: entity id (null where there is none)
      country:
        f: {Italia: Q38}
    types: {element: m}         # the class of every label of a type that has no entry of its own
    first_words: {regno: m}     # the class that the first word of a label tells, in lower case
    last_words: {islands: the}  # the same for the last word
    classes:                    # what a class means, where its bare name (`class: f`) is not enough
      f-art: {class: f, in: articulated}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

_DATA = Path(__file__).parent / "data"

Traits = Mapping[str, str]
_NO_TRAITS: Traits = {}
_BARE: Traits = {"class": "none"}


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
    traits: Traits

    def __new__(
        cls,
        label: str,
        lang: str,
        entity_id: str | None = None,
        type: str | None = None,
        traits: Traits = _NO_TRAITS,
    ) -> Noun:
        """Makes the string and hangs its grammar on it; `noun` is the way to get one."""
        self = super().__new__(cls, label)
        self.lang = lang
        self.entity_id = entity_id
        self.type = type
        self.traits = traits
        return self

    @property
    def class_(self) -> str:
        """The class of the label in its language's data (gender, article, …); empty if nothing tells it."""
        return self.traits.get("class", "")


class _Lexicon(NamedTuple):
    by_id_and_label: dict[tuple[str, str], Traits]
    by_id: dict[str, Traits]
    by_label: dict[str, dict[str | None, Traits]]  # label → type → traits; None: whatever the type
    by_type: dict[str | None, Traits]
    first_words: dict[str, Traits]
    last_words: dict[str, Traits]


@cache
def data(lang: str) -> Mapping[str, Any]:
    """Returns the content of the language's data file; empty for a language that needs none."""
    path = _DATA / f"{lang}.yaml"
    if not path.exists():
        return {}
    return yaml.safe_load(path.read_text(encoding="utf-8")) or {}


@cache
def _lexicon(lang: str) -> _Lexicon:
    content = data(lang)
    classes: Mapping[str, Traits] = content.get("classes", {})

    def traits(class_: str) -> Traits:
        return classes.get(class_) or {"class": class_}

    lexicon = _Lexicon(
        by_id_and_label={},
        by_id={},
        by_label={},
        by_type={type_: traits(class_) for type_, class_ in content.get("types", {}).items()},
        first_words={word: traits(class_) for word, class_ in content.get("first_words", {}).items()},
        last_words={word: traits(class_) for word, class_ in content.get("last_words", {}).items()},
    )
    for type_, of_class in content.get("nouns", {}).items():
        for class_, labels in of_class.items():
            for label, entity_id in labels.items():
                found = traits(class_)
                by_type = lexicon.by_label.setdefault(label, {})
                by_type.setdefault(None, found)
                by_type.setdefault(type_, found)
                if entity_id is not None:
                    lexicon.by_id_and_label[entity_id, label] = found
                    lexicon.by_id.setdefault(entity_id, found)
    return lexicon


def _look_up(label: str, lang: str, entity_id: str | None, type_: str | None) -> Traits:
    lexicon = _lexicon(lang)
    label = label.replace("’", "'")
    if entity_id is not None and (entity_id, label) in lexicon.by_id_and_label:
        return lexicon.by_id_and_label[entity_id, label]
    of_label = lexicon.by_label.get(label, {})
    if type_ in of_label:
        return of_label[type_]
    if type_ in data("bare_types"):  # a book called "Isola di …" is no island
        return _BARE
    if of_label:
        return of_label[None]
    words = label.lower().split()
    if len(words) > 1 and words[0] in lexicon.first_words:
        return lexicon.first_words[words[0]]
    last = re.split(r"[\s-]+", label.lower())[1:][-1:]  # also of US-Dollar
    if last and last[0] in lexicon.last_words:
        return lexicon.last_words[last[0]]
    if type_ in lexicon.by_type:
        return lexicon.by_type[type_]
    if entity_id is not None and entity_id in lexicon.by_id:
        return lexicon.by_id[entity_id]
    return _NO_TRAITS


@lru_cache(maxsize=100_000)
def noun(label: str, lang: str, entity_id: str | None = None, type: str | None = None) -> Noun:
    """Makes a label ready for the filters of its language.

    The data file is asked in this order: this id with this label, this label (of this type, if the type is given), the
    type if its labels are bare names (`data/bare_types.yaml`), this label of another type, the first or the last word,
    the type, this id with any label. What none of them knows is left to the language's rules.

    Args:
        label: Any text, in the language (or its fallback label).
        lang: A language code, such as `it`.
        entity_id: The entity's id, where it is known.
        type: The entity's type, where it is known (`country`, `element`, …): it tells the country from the city.

    Returns:
        The label as a string that carries its grammar.
    """
    return Noun(label, lang, entity_id, type, _look_up(label, lang, entity_id, type))
