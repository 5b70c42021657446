"""What counts as true: no distortion may say it.

The source is taken as complete for its properties (the paper's rule: a distorted triple that exists in Wikidata is
drawn again). Beyond its own triples, a statement counts as true if `data/also_true.yaml` has it, if it says one of them
the other way round (symmetric and inverse properties), if it reads like a true one because two entities share a name in
some language, or if it follows from others by a path of `data/implied.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from crossfact.utils.facts import Entity, Facts, Triple

_DATA = Path(__file__).parent / "data"

Step = tuple[tuple[str, ...], bool]
"""Properties to follow (`^P36`: from object to subject), and whether to follow them again and again."""


class Truth:
    """The statements that a source makes true, in any of the languages."""

    def __init__(self, facts: Facts, languages: Sequence[str]) -> None:
        """Index a source.

        Args:
            facts: The source.
            languages: Two entities that share a name in one of these are taken for each other.
        """
        self._triples = {*facts.triples, *_also_true()}
        self._inverses = _inverses(facts)
        self._namesakes = _namesakes(facts.entities.values(), languages)
        self._paths = _paths()
        self._reached: dict[tuple[str, str], set[str]] = {}
        self._objects: dict[tuple[str, str], list[str]] = {}
        self._subjects: dict[tuple[str, str], list[str]] = {}
        for triple in self._triples:
            self._objects.setdefault((triple.subject, triple.property), []).append(triple.object)
            self._subjects.setdefault((triple.object, triple.property), []).append(triple.subject)

    def holds(self, triple: Triple) -> bool:
        """Return whether the statement is true, reads like a true one, or says something of a thing and itself."""
        subjects, objects = self._read_as(triple.subject), self._read_as(triple.object)
        if triple.subject in objects:
            return True
        for subject in subjects:
            if any(self._in_source(Triple(subject, triple.property, object_)) for object_ in objects):
                return True
            if not self._implied(subject, triple.property).isdisjoint(objects):
                return True
        return False

    def _read_as(self, entity_id: str) -> frozenset[str]:
        return self._namesakes.get(entity_id) or frozenset((entity_id,))

    def _in_source(self, triple: Triple) -> bool:
        return triple in self._triples or any(
            Triple(triple.object, inverse, triple.subject) in self._triples
            for inverse in self._inverses.get(triple.property, ())
        )

    def _implied(self, subject: str, property_id: str) -> set[str]:
        key = subject, property_id
        if key not in self._reached:
            self._reached[key] = {
                end for path in self._paths.get(property_id, ()) for end in self._follow(subject, path)
            }
        return self._reached[key]

    def _follow(self, start: str, path: Sequence[Step]) -> set[str]:
        here = {start}
        for properties, repeated in path:
            found = {end for entity_id in here for end in self._neighbours(entity_id, properties)}
            frontier = found
            while repeated and frontier:
                frontier = {end for entity_id in frontier for end in self._neighbours(entity_id, properties)} - found
                found = found | frontier
            here = found
        return here

    def _neighbours(self, entity_id: str, properties: Iterable[str]) -> Iterable[str]:
        for step in properties:
            if step.startswith("^"):
                yield from self._subjects.get((entity_id, step[1:]), ())
            else:
                yield from self._objects.get((entity_id, step), ())


def _inverses(facts: Facts) -> dict[str, set[str]]:
    """Return the properties that say the same from object to subject, whichever of the two declares it."""
    found: dict[str, set[str]] = {}
    for key, prop in facts.properties.items():
        if prop.symmetric:
            found.setdefault(key, set()).add(key)
        if prop.inverse:
            found.setdefault(key, set()).add(prop.inverse)
            found.setdefault(prop.inverse, set()).add(key)
    return found


def _namesakes(entities: Iterable[Entity], languages: Sequence[str]) -> dict[str, frozenset[str]]:
    """Return, for each entity that shares a name with another in some language, all those it may be read as."""
    bearers: dict[tuple[str, str], list[str]] = {}
    entities = list(entities)
    for entity in entities:
        for lang, name in _names(entity, languages):
            bearers.setdefault((lang, name), []).append(entity.id)
    shared: dict[str, set[str]] = {}
    for ids in bearers.values():
        if len(ids) > 1:
            for entity_id in ids:
                shared.setdefault(entity_id, set()).update(ids)
    return {entity_id: frozenset(ids) for entity_id, ids in shared.items()}


def _names(entity: Entity, languages: Sequence[str]) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for lang in languages:
        own = entity.labels.get(lang) or entity.labels.get("mul")
        others = (*entity.aliases.get(lang, ()), *entity.aliases.get("mul", ()))
        found.update((lang, name.casefold()) for name in ((own, *others) if own else others))
    return found


@cache
def _also_true() -> frozenset[Triple]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster, where it is compiled in
    rows: list[list[str]] = yaml.load((_DATA / "also_true.yaml").read_bytes(), Loader=loader)
    return frozenset(Triple(*row) for row in rows)


@cache
def _paths() -> Mapping[str, tuple[tuple[Step, ...], ...]]:
    table: dict[str, Any] = yaml.safe_load((_DATA / "implied.yaml").read_text(encoding="utf-8"))

    def step(word: str) -> Step:
        name = word.rstrip("+")
        return tuple(table["steps"].get(name, (name,))), word.endswith("+")

    return {
        property_id: tuple(tuple(step(word) for word in path.split()) for path in paths)
        for property_id, paths in table["implied"].items()
    }
