"""Facts: entities with labels by language, properties, and (subject, property, object) triples.

A folder of facts holds `entities.jsonl`, `triples.jsonl` and `properties.yaml`. The embedded facts, a Wikidata dump
and hand-written ones all take this form, so the three benchmarks are built from it by the same builders. Ids are
Wikidata's (Q…, P…) where they are known for sure, else `x:<slug>`. A name that is the same in every language
(".fr", "UTC+01:00", "26") stands once under the language `mul`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import orjson
import yaml

from crossfact.utils.errors import UserError
from crossfact.utils.facts import checks

ENTITIES, TRIPLES, PROPERTIES = "entities.jsonl", "triples.jsonl", "properties.yaml"
DATA = Path(__file__).parent / "data"

_ENTITY_KEYS = {"id", "type", "labels", "aliases", "popularity"}
_TRIPLE_KEYS = {"subject", "property", "object"}
_PROPERTY_KEYS = {"labels", "symmetric", "inverse", "single_valued"}


@dataclass(frozen=True)
class Entity:
    """A thing with a name: a country, a person, a book, or a literal such as ".fr".

    Attributes:
        id: Wikidata's Q-id, or `x:<slug>`.
        type: what it is, in English and lower case ("country", "person", "literal").
        labels: language code or `mul` → name.
        aliases: language code or `mul` → other names.
        popularity: monthly page views, where known.
    """

    id: str
    type: str
    labels: dict[str, str]
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    popularity: int | None = None


@dataclass(frozen=True, order=True)
class Triple:
    """One fact, by ids."""

    subject: str
    property: str
    object: str


@dataclass(frozen=True)
class Property:
    """A relation.

    Attributes:
        id: Wikidata's P-id.
        labels: language code → name.
        symmetric: (a, p, b) implies (b, p, a).
        inverse: the id of the property that says the same the other way round, or None.
        single_valued: a subject has one object only.
    """

    id: str
    labels: dict[str, str]
    symmetric: bool = False
    inverse: str | None = None
    single_valued: bool = False


@dataclass(frozen=True)
class Facts:
    """A whole set of facts."""

    entities: dict[str, Entity]
    triples: tuple[Triple, ...]
    properties: dict[str, Property]

    def has_label(self, entity_id: str, lang: str) -> bool:
        """Whether `label` finds a name."""
        labels = self.entities[entity_id].labels
        return lang in labels or "mul" in labels

    def label(self, entity_id: str, lang: str) -> str:
        """The entity's name in a language, else the one for all languages (`mul`).

        Raises:
            UserError: it has neither.
        """
        labels = self.entities[entity_id].labels
        name = labels.get(lang) or labels.get("mul")
        if name is None:
            raise UserError(f"{entity_id} has no label in {lang} (nor in mul): add one, or leave out this language")
        return name

    def aliases(self, entity_id: str, lang: str) -> tuple[str, ...]:
        """Other names in a language, then those for all languages; the label is not among them."""
        aliases = self.entities[entity_id].aliases
        return (*aliases.get(lang, ()), *aliases.get("mul", ()))

    def with_property(self, property_id: str) -> tuple[Triple, ...]:
        """The property's triples, in the order of the file."""
        return self._by_property.get(property_id, ())

    def objects(self, subject: str, property_id: str) -> tuple[str, ...]:
        """The ids that stand after a subject and a property, in the order of the file."""
        return self._objects.get((subject, property_id), ())

    @cached_property
    def _by_property(self) -> dict[str, tuple[Triple, ...]]:
        groups: dict[str, list[Triple]] = {}
        for triple in self.triples:
            groups.setdefault(triple.property, []).append(triple)
        return {key: tuple(group) for key, group in groups.items()}

    @cached_property
    def _objects(self) -> dict[tuple[str, str], tuple[str, ...]]:
        groups: dict[tuple[str, str], list[str]] = {}
        for triple in self.triples:
            groups.setdefault((triple.subject, triple.property), []).append(triple.object)
        return {key: tuple(group) for key, group in groups.items()}


def read_facts(folder: Path | str) -> Facts:
    """Read and check a folder of facts.

    Raises:
        UserError: a file is missing, or a line is wrong (unknown key, wrong type, duplicate id or triple, a reference
            to an entity or a property that does not exist); it names file and line.
    """
    folder = Path(folder)
    properties = read_properties(folder / PROPERTIES)
    entities: dict[str, Entity] = {}
    for where, row in _lines(folder / ENTITIES, _ENTITY_KEYS):
        entity = Entity(
            id=checks.text(row.get("id"), "id", where),
            type=checks.text(row.get("type"), "type", where),
            labels=checks.labels(row.get("labels"), where),
            aliases=checks.aliases(row.get("aliases", {}), where),
            popularity=checks.popularity(row.get("popularity"), where),
        )
        if entity.id in entities:
            raise UserError(f"{where}: the id {entity.id} stands twice; keep one")
        entities[entity.id] = entity
    triples: dict[Triple, None] = {}
    for where, row in _lines(folder / TRIPLES, _TRIPLE_KEYS):
        triple = Triple(*(checks.text(row.get(key), key, where) for key in ("subject", "property", "object")))
        if triple in triples:
            raise UserError(f"{where}: the triple {triple.subject} {triple.property} {triple.object} stands twice")
        if triple.property not in properties:
            raise UserError(f"{where}: unknown property {triple.property}; add it to {PROPERTIES}")
        for end in (triple.subject, triple.object):
            if end not in entities:
                raise UserError(f"{where}: unknown entity {end}; add it to {ENTITIES}")
        triples[triple] = None
    return Facts(entities, tuple(triples), properties)


def read_properties(path: Path) -> dict[str, Property]:
    """Read and check a file of properties.

    Raises:
        UserError: it is missing or wrong; names file and line.
    """
    text = _bytes(path)
    try:
        table = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise UserError(f"{path}: not YAML ({' '.join(str(error).split())})") from error
    if not isinstance(table, dict):
        raise UserError(f"{path}: expected a map from property ids to their labels")
    lines = {line.split(b":")[0]: number for number, line in enumerate(text.split(b"\n"), 1)}
    properties = {}
    for key, row in table.items():
        where = f"{path}, line {lines.get(str(key).encode(), 1)}: {key}"
        if not isinstance(key, str) or not isinstance(row, dict):
            raise UserError(f"{where}: expected a map with {', '.join(sorted(_PROPERTY_KEYS))}")
        checks.known(row, _PROPERTY_KEYS, where)
        flags = {name: row.get(name, False) for name in ("symmetric", "single_valued")}
        for name, value in flags.items():
            if not isinstance(value, bool):
                raise UserError(f"{where}: {name} must be true or false")
        inverse = None if row.get("inverse") is None else checks.text(row["inverse"], "inverse", where)
        properties[key] = Property(id=key, labels=checks.labels(row.get("labels"), where), inverse=inverse, **flags)
    return properties


def write_facts(folder: Path | str, facts: Facts) -> None:
    """Write a folder of facts: sorted by id, the same bytes for the same facts on every machine."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ENTITIES).open("wb") as out:
        for _, entity in sorted(facts.entities.items()):
            row: dict[str, Any] = {"id": entity.id, "type": entity.type, "labels": dict(sorted(entity.labels.items()))}
            if entity.aliases:
                row["aliases"] = dict(sorted(entity.aliases.items()))
            if entity.popularity is not None:
                row["popularity"] = entity.popularity
            out.write(orjson.dumps(row) + b"\n")
    with (folder / TRIPLES).open("wb") as out:
        for triple in sorted(facts.triples):
            row = {"subject": triple.subject, "property": triple.property, "object": triple.object}
            out.write(orjson.dumps(row) + b"\n")
    table = {}
    for key, prop in facts.properties.items():
        table[key] = {
            "labels": dict(prop.labels),
            **({"symmetric": True} if prop.symmetric else {}),
            **({"inverse": prop.inverse} if prop.inverse else {}),
            **({"single_valued": True} if prop.single_valued else {}),
        }
    text = yaml.safe_dump(table, allow_unicode=True, sort_keys=True, width=1000)
    (folder / PROPERTIES).write_bytes(text.encode())


@cache
def embedded_facts() -> Facts:
    """The facts in the package, read once."""
    return read_facts(DATA)


def fingerprint(folder: Path | str) -> str:
    """The sha256 (hexadecimal) over the three files of a folder of facts."""
    digest = hashlib.sha256()
    for name in (ENTITIES, PROPERTIES, TRIPLES):
        digest.update(hashlib.sha256(_bytes(Path(folder) / name)).digest())
    return digest.hexdigest()


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        names = f"{ENTITIES}, {TRIPLES} and {PROPERTIES}"
        raise UserError(f"cannot read {path}: {error.strerror}; a folder of facts holds {names}") from error


def _lines(path: Path, keys: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (file and line, row) for each line that is not blank."""
    for number, line in enumerate(_bytes(path).split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise UserError(f"{where}: not JSON ({error})") from error
        if not isinstance(row, dict):
            raise UserError(f"{where}: expected a JSON object")
        checks.known(row, keys, where)
        yield where, row
