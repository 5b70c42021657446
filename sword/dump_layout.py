"""The layout of an entity in a Wikidata dump, as far as we read it.

It has changed over the years, and all of these are read: an id given as `numeric-id` alone, a snak without `datatype`,
an entity without `type`, and `[]` for an empty map.

Fields that are not named here (descriptions, sitelinks, qualifiers, references and most languages) are checked to be
JSON and skipped without making Python objects of them; this is what makes reading faster than `json.loads`.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Struct

NO_ALIASES = msgspec.Raw(b"{}")


class BrokenLine(ValueError):  # noqa: N818 - what was found, not how it is reported
    """A line that is not an entity."""


class Text(Struct, gc=False):
    """A label or an alias."""

    value: str


class Value(Struct, gc=False, rename={"kind": "entity-type", "number": "numeric-id"}):
    """A reference to an entity; any other kind of value that is a map has none of these fields."""

    kind: str | None = None
    number: int | None = None
    id: str | None = None


class DataValue(Struct, gc=False):
    """A value and its type. `datatype` is not read: the oldest dumps lack it, and this type says enough."""

    value: Value | str | float | list[Any] | None = None
    type: str = ""


class Snak(Struct, gc=False):
    """`snaktype` is value, novalue or somevalue."""

    snaktype: str
    datavalue: DataValue | None = None


class Statement(Struct, gc=False):
    """A claim with its rank (preferred, normal, deprecated); its property is the key that it stands under."""

    mainsnak: Snak
    rank: str = "normal"


class Layout:
    """Parses entities, with labels and aliases in some languages.

    Args:
        languages: codes as in the dump, variants and `mul` included.

    Attributes:
        decode: parses one entity: id, type, redirect, labels, aliases (raw) and claims. A map may be `[]` (PHP's empty
            map) or None. Raises `msgspec.DecodeError` where the line is not JSON, its subclass `ValidationError` where
            it is laid out otherwise.
        decode_aliases: parses the raw aliases, which most entities do not need.
    """

    def __init__(self, languages: tuple[str, ...]):
        self._languages = {lang: f"lang_{number}" for number, lang in enumerate(languages)}
        self._all: attrgetter[tuple[Any, ...]] = attrgetter(*self._languages.values())
        aliases = self._by_language("Aliases", list[Text]) | list[Any] | None
        entity = msgspec.defstruct(
            "Entity",
            [
                ("type", str | None, None),  # in the dump's order, which parses fastest
                ("id", str | None, None),
                ("labels", self._by_language("Labels", Text) | list[Any] | None, None),
                ("aliases", msgspec.Raw, NO_ALIASES),
                ("claims", dict[str, list[Statement]] | list[Any] | None, None),
                ("redirect", str | None, None),
            ],
            gc=False,
        )
        self.decode: Callable[[bytes], Any] = msgspec.json.Decoder(entity).decode
        self.decode_aliases: Callable[[msgspec.Raw], Any] = msgspec.json.Decoder(aliases).decode

    def field(self, language: str) -> str:
        """The attribute of parsed labels or aliases that holds a language."""
        return self._languages[language]

    def items(self, entries: Any) -> list[tuple[str, Any]]:
        """The languages that parsed labels or aliases have, and what they hold."""
        return [pair for pair in zip(self._languages, self._all(entries), strict=True) if pair[1]]

    def _by_language(self, name: str, kind: Any) -> Any:
        fields: list[tuple[str, Any, Any]] = [(field, kind | None, None) for field in self._languages.values()]
        rename = {field: language for language, field in self._languages.items()}
        return msgspec.defstruct(name, fields, rename=rename, gc=False)
