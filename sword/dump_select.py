"""The second pass: from the records that the first pass kept, write the facts whose two ends both have labels.

Only then is it known which items have labels and how many facts a property has. The pass reads the records (a small
part of the dump) several times and holds one bit per item, so its memory does not grow with the number of facts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from crossfact.sword.id_set import IdSet
from crossfact.utils.facts.schema import ENTITIES, TRIPLES, Facts, Property, write_facts

READINGS = 4
"""How often `select_facts` reads the records, for progress."""


@dataclass
class Selected:
    """What the second pass wrote.

    Attributes:
        counts: entities and statements, written or dropped and why.
        facts: the number of facts of each property that was written.
        unnamed: properties whose label is missing in some language, because neither the dump nor we name them.
    """

    counts: Counter[str] = field(default_factory=Counter)
    facts: Counter[str] = field(default_factory=Counter)
    unnamed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Records:
    """The JSON lines of `dump_entities.read_lines`.

    Attributes:
        path: the file.
        advance: called with the number of bytes just read, for progress.
    """

    path: Path
    advance: Callable[[int], object]

    def __iter__(self) -> Iterator[list[Any]]:
        """Items and properties, as they stand."""
        with self.path.open("rb") as file:
            for line in file:
                self.advance(len(line))
                yield orjson.loads(line)

    def items(self) -> Iterator[list[Any]]:
        """The items, each once: of two with the same id the first one stands."""
        seen = IdSet()
        for record in self:
            if not isinstance(record[0], str) and seen.add(record[0]):
                yield record


def select_facts(
    records: Records, out: Path, languages: tuple[str, ...], known: dict[str, Property], min_facts: int
) -> Selected:
    """Write entities.jsonl, triples.jsonl and properties.yaml, in the order of the dump.

    Args:
        records: what the first pass kept.
        out: a folder that exists.
        languages: a property that the dump describes needs a label in each.
        known: properties to take labels and flags from where the dump has none.
        min_facts: properties with fewer facts are dropped.

    Returns:
        What was written and what was dropped.
    """
    selected = Selected()
    labelled, described = _index(records, selected.counts)
    found = _facts_per_property(records, labelled, selected.counts)
    properties = {prop: _completed(prop, described.get(prop), known.get(prop), languages) for prop in found}
    unnamed = {prop for prop in found if not properties[prop].labels.keys() >= set(languages)}
    for prop, number in found.items():
        if number < min_facts:
            selected.counts["statements dropped: its property has too few facts"] += number
        elif prop in unnamed and prop in described:
            selected.counts["statements dropped: its property has no label in a chosen language"] += number
        else:
            selected.facts[prop] = number
    selected.unnamed = sorted(unnamed & selected.facts.keys())
    write_facts(out, Facts({}, (), {prop: properties[prop] for prop in selected.facts}))  # the others are streamed
    used = _write_triples(out / TRIPLES, records, labelled, selected)
    _write_entities(out / ENTITIES, records, used, languages, selected.counts)
    return selected


def _index(records: Records, counts: Counter[str]) -> tuple[IdSet, dict[str, Property]]:
    """The items that have labels, and the properties that the dump describes."""
    labelled = IdSet()
    described: dict[str, Property] = {}
    for record in records:
        if isinstance(record[0], str):
            described.setdefault(record[0], Property(record[0], record[1], **record[2]))
        elif not labelled.add(record[0]):
            counts["items dropped: stands twice"] += 1
            counts["statements dropped: its item stands twice"] += len(record[1]) // 2
    return labelled, described


def _facts_per_property(records: Records, labelled: IdSet, counts: Counter[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for _, facts, _, _ in records.items():
        for prop, target in _pairs(facts):
            if _number(target) in labelled:
                found[prop] += 1
            else:
                counts["statements dropped: the object has no label in a chosen language"] += 1
    return found


def _completed(prop: str, theirs: Property | None, ours: Property | None, languages: tuple[str, ...]) -> Property:
    """A property as the dump describes it, completed from what we know of it."""
    theirs, ours = theirs or Property(prop, {}), ours or Property(prop, {})
    names = {lang: theirs.labels.get(lang) or theirs.labels.get("mul") or ours.labels.get(lang) for lang in languages}
    labels = {lang: name for lang, name in names.items() if name}
    return Property(
        prop,
        labels=labels or {"mul": prop},  # a property must have some name; `unnamed` lists this one
        symmetric=theirs.symmetric or ours.symmetric,
        inverse=theirs.inverse or ours.inverse,
        single_valued=theirs.single_valued or ours.single_valued,
    )


def _write_triples(path: Path, records: Records, labelled: IdSet, selected: Selected) -> IdSet:
    """Write the facts of the chosen properties; returns the items at their ends."""
    used = IdSet()
    with path.open("wb") as file:
        for number, facts, _, _ in records.items():
            for prop, target in _pairs(facts):
                if prop in selected.facts and _number(target) in labelled:
                    row = {"subject": f"Q{number}", "property": prop, "object": target}
                    file.write(orjson.dumps(row, None, orjson.OPT_APPEND_NEWLINE))
                    used.add(number)
                    used.add(_number(target))
    selected.counts["statements written"] = selected.facts.total()
    return used


def _write_entities(
    path: Path, records: Records, used: IdSet, languages: tuple[str, ...], counts: Counter[str]
) -> None:
    with path.open("wb") as file:
        for number, _, labels, aliases in records.items():
            if number not in used:
                counts["items dropped: no fact is left"] += 1
                continue
            names = labels if isinstance(labels, dict) else dict(zip(languages, labels, strict=True))
            row: dict[str, Any] = {"id": f"Q{number}", "type": "item", "labels": names}
            if aliases:
                row["aliases"] = aliases
            file.write(orjson.dumps(row, None, orjson.OPT_APPEND_NEWLINE))
            counts["items written"] += 1


def _pairs(facts: list[str]) -> Iterator[tuple[str, str]]:
    """Properties and objects from `item_facts`."""
    return zip(facts[::2], facts[1::2], strict=True)


def _number(identifier: str) -> int:
    return int(identifier[1:])
