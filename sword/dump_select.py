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


def select_facts(
    records: Path,
    out: Path,
    languages: tuple[str, ...],
    known: dict[str, Property],
    min_facts: int,
    advance: Callable[[int], object],
) -> Selected:
    """Write entities.jsonl, triples.jsonl and properties.yaml, in the order of the dump.

    Args:
        records: the JSON lines of `dump_entities.read_lines`.
        out: a folder that exists.
        languages: a property that the dump describes needs a label in each.
        known: properties to take labels and flags from where the dump has none.
        min_facts: properties with fewer facts are dropped.
        advance: called with the number of bytes just read, for progress.

    Returns:
        What was written and what was dropped.
    """
    selected = Selected()
    counts = selected.counts
    labelled, described = IdSet(), {}
    for record in _read(records, advance):
        if isinstance(record[0], str):
            described.setdefault(record[0], Property(record[0], record[1], **record[2]))
        elif not labelled.add(record[0]):
            counts["items dropped: stands twice"] += 1
            counts["statements dropped: its item stands twice"] += len(record[1]) // 2

    found: Counter[str] = Counter()
    for number, facts, _, _ in _items(records, advance):
        del number
        for prop, target in _pairs(facts):
            if _number(target) in labelled:
                found[prop] += 1
            else:
                counts["statements dropped: the object has no label in a chosen language"] += 1
    properties = {prop: _described(described.get(prop), known.get(prop), prop, languages) for prop in found}
    unnamed = {prop for prop in found if not properties[prop].labels.keys() >= set(languages)}
    for prop, number in found.items():
        if number < min_facts:
            counts["statements dropped: its property has too few facts"] += number
        elif prop in unnamed and prop in described:
            counts["statements dropped: its property has no label in a chosen language"] += number
        else:
            selected.facts[prop] = number

    write_facts(out, Facts({}, (), {prop: properties[prop] for prop in selected.facts}))  # the others are streamed
    used = IdSet()
    with (out / TRIPLES).open("wb") as file:
        for number, facts, _, _ in _items(records, advance):
            for prop, target in _pairs(facts):
                if prop in selected.facts and (target_number := _number(target)) in labelled:
                    row = {"subject": f"Q{number}", "property": prop, "object": target}
                    file.write(orjson.dumps(row, None, orjson.OPT_APPEND_NEWLINE))
                    used.add(number)
                    used.add(target_number)
    with (out / ENTITIES).open("wb") as file:
        for number, _, labels, aliases in _items(records, advance):
            if number not in used:
                counts["items dropped: no fact is left"] += 1
                continue
            names = labels if isinstance(labels, dict) else dict(zip(languages, labels, strict=True))
            row = {"id": f"Q{number}", "type": "item", "labels": names, **({"aliases": aliases} if aliases else {})}
            file.write(orjson.dumps(row, None, orjson.OPT_APPEND_NEWLINE))
            counts["items written"] += 1
    counts["statements written"] = selected.facts.total()
    selected.unnamed = sorted(unnamed & selected.facts.keys())
    return selected


def _read(records: Path, advance: Callable[[int], object]) -> Iterator[list[Any]]:
    with records.open("rb") as file:
        for line in file:
            advance(len(line))
            yield orjson.loads(line)


def _items(records: Path, advance: Callable[[int], object]) -> Iterator[list[Any]]:
    """The items, each once: of two with the same id the first one stands."""
    seen = IdSet()
    for record in _read(records, advance):
        if not isinstance(record[0], str) and seen.add(record[0]):
            yield record


def _pairs(facts: list[str]) -> Iterator[tuple[str, str]]:
    return zip(facts[::2], facts[1::2], strict=True)


def _number(identifier: str) -> int:
    return int(identifier[1:])


def _described(theirs: Property | None, ours: Property | None, prop: str, languages: tuple[str, ...]) -> Property:
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
