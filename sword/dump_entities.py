"""One line of a Wikidata dump → what we keep of it. Pure functions of bytes.

Kept of an item: its id, its labels and aliases in the chosen languages, and its truthy statements whose value is an
item. Kept of a property: its labels, and whether it is symmetric, single-valued, or the inverse of another.
"""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import msgspec
import orjson

from crossfact.sword.dump_layout import NO_ALIASES, BrokenLine, Layout, Value
from crossfact.sword.dump_statements import Claims, best_ranked, item_facts, target_id

VARIANTS = {"zh": ("zh-hans", "zh-cn")}
"""Where a language's label may come from when its own is missing, before `mul` (the label for all languages)."""

_INVERSE, _CONSTRAINT = "P1696", "P2302"
_SYMMETRIC, _SINGLE_VALUE = "Q21510862", "Q19474404"


@dataclass(frozen=True)
class Wanted:
    """What to keep.

    Attributes:
        languages: an item needs a label in each: its own, a variant's or `mul`.
        properties: the properties whose statements are kept; None is all.
    """

    languages: tuple[str, ...]
    properties: frozenset[str] | None = None

    @cached_property
    def layout(self) -> Layout:
        """How to parse a line: labels and aliases of these languages and their fallbacks only."""
        variants = [variant for lang in self.languages for variant in VARIANTS.get(lang, ())]
        return Layout(tuple(dict.fromkeys((*self.languages, *variants, "mul"))))

    @cached_property
    def own(self) -> attrgetter[tuple[Any, ...]]:
        """Takes a parsed map's entries of all languages, the first one twice (with one name it would give no tuple)."""
        return attrgetter(*(self.layout.field(lang) for lang in (self.languages[0], *self.languages)))

    @cached_property
    def fallbacks(self) -> attrgetter[tuple[Any, ...]]:
        """Takes a parsed map's entries that can stand in for a language's own, `mul` twice."""
        variants = [variant for lang in self.languages for variant in VARIANTS.get(lang, ())]
        return attrgetter(*(self.layout.field(lang) for lang in ("mul", "mul", *variants)))


@dataclass(frozen=True)
class Kept:
    """What a chunk of lines gives.

    Attributes:
        records: a JSON line for each entity kept; `item_record` and `property_record` say what is in it.
        counts: lines, entities and statements, read or dropped and why.
        broken: what is wrong with the first line that is not an entity, or None. Reading stops there.
    """

    records: bytes
    counts: dict[str, int]
    broken: str | None = None


def read_lines(data: bytes, wanted: Wanted) -> Kept:
    """Read a chunk of whole lines."""
    records = bytearray()
    counts: Counter[str] = Counter()
    entities = others = 0
    broken = None
    for line in io.BytesIO(data):
        if line[-2:] == b",\n":
            line = line[:-2]
        elif (line := line.strip())[-1:] == b",":
            line = line[:-1]
        if len(line) < 2 and line in (b"", b"[", b"]"):  # the brackets around the list
            others += 1
            continue
        try:
            record = read_entity(line, wanted, counts)
        except BrokenLine as error:
            broken = str(error)
            break
        entities += 1
        if record is not None:
            records += record
    counts["lines"] = entities + others
    counts["entities"] = entities
    return Kept(bytes(records), dict(counts), broken)


def read_entity(line: bytes, wanted: Wanted, counts: Counter[str]) -> bytes | None:
    """Read one line without its comma.

    Args:
        line: a JSON object.
        wanted: what to keep.
        counts: takes what is dropped, by reason.

    Returns:
        A JSON line (`item_record` or `property_record`), or None if nothing of it is kept.

    Raises:
        BrokenLine: the line is not JSON or not an entity.
    """
    try:
        entity = wanted.layout.decode(line)
        if entity.id is None:
            if entity.redirect is None:
                raise BrokenLine("an entity without an id")
            counts["entities skipped: redirect"] += 1
            return None
        kind = entity.type or {"Q": "item", "P": "property"}.get(entity.id[:1], "of unknown type")
        record: list[Any] | None = None
        if kind == "item":
            record = item_record(entity, wanted, counts)
        elif kind == "property":
            record = property_record(entity, wanted)
        else:
            counts[f"entities skipped: {kind}"] += 1
    except msgspec.ValidationError as error:
        raise BrokenLine(f"not an entity as Wikidata writes it ({error})") from error
    except msgspec.DecodeError as error:
        raise BrokenLine(f"not JSON ({error})") from error
    return None if record is None else orjson.dumps(record, None, orjson.OPT_APPEND_NEWLINE)


def item_record(entity: Any, wanted: Wanted, counts: Counter[str]) -> list[Any] | None:
    """An item, or None if a label is missing.

    Returns:
        [the number in its id, its facts as in `item_facts`, its labels, its aliases by language]. The labels are a
        list in the order of the languages if all are the languages' own, else a map as `labels_of` gives it.
    """
    labels = _all_labels(entity.labels, wanted, counts)
    if labels is None:
        counts["items dropped: no label in a chosen language"] += 1
        return None
    claims = entity.claims
    aliases = entity.aliases
    return [
        _number(entity.id, "Q"),
        item_facts(claims, wanted.properties, counts) if claims else [],
        labels,
        aliases_of(wanted.layout.decode_aliases(aliases), wanted) if aliases != NO_ALIASES else {},
    ]


def property_record(entity: Any, wanted: Wanted) -> list[Any]:
    """A property: [its id, labels by language, flags named as in `crossfact.utils.facts.schema.Property`]."""
    _number(entity.id, "P")
    claims: Claims = entity.claims or {}
    constraints = item_facts({_CONSTRAINT: claims.get(_CONSTRAINT, [])}, None, Counter())
    flags: dict[str, Any] = {}
    if _SYMMETRIC in constraints:
        flags["symmetric"] = True
    if _SINGLE_VALUE in constraints:
        flags["single_valued"] = True
    for statement in best_ranked(claims.get(_INVERSE, []), Counter()):
        datavalue = statement.mainsnak.datavalue
        if datavalue and isinstance(datavalue.value, Value) and datavalue.value.kind == "property":
            flags["inverse"] = target_id(datavalue.value, "P")
    return [entity.id, labels_of(entity.labels, wanted, Counter()), flags]


def _all_labels(entries: Any, wanted: Wanted, counts: Counter[str]) -> list[str] | dict[str, str] | None:
    if not entries:
        return None
    own = wanted.own(entries)
    if None not in own:
        names = [entry.value.strip() for entry in own[1:]]
        if "" not in names:
            return names
    if not any(wanted.fallbacks(entries)):
        return None
    labels = labels_of(entries, wanted, counts)
    return labels if "mul" in labels or len(labels) == len(wanted.languages) else None


def labels_of(entries: Any, wanted: Wanted, counts: Counter[str]) -> dict[str, str]:
    """The labels in the languages: a language's own, else a variant's; `mul` is added if some language needs it."""
    labels: dict[str, str] = {}
    if not entries:
        return labels
    names = {lang: entry.value.strip() for lang, entry in wanted.layout.items(entries)}
    for lang in wanted.languages:
        source = next((source for source in (lang, *VARIANTS.get(lang, ())) if names.get(source)), None)
        if source is not None:
            labels[lang] = names[source]
            if source != lang:
                counts[f"labels in {lang} from {source}"] += 1
        elif names.get("mul"):
            labels["mul"] = names["mul"]
            counts[f"labels in {lang} from mul"] += 1
    return labels


def aliases_of(entries: Any, wanted: Wanted) -> dict[str, list[str]]:
    """The aliases in the languages, and those for all languages (`mul`)."""
    found: dict[str, list[str]] = {}
    if not entries:
        return found
    for lang, aliases in wanted.layout.items(entries):
        if names := [name for alias in aliases if (name := alias.value.strip())]:
            found[lang] = names
    return found


def _number(identifier: str, letter: str) -> int:
    try:
        if identifier[0] == letter:
            return int(identifier[1:])
    except (ValueError, IndexError):
        pass
    raise BrokenLine(f"{identifier!r} is not an id with {letter} and digits")
