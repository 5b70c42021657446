"""What one source gives, and how several become one set of facts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from crossfact.utils.errors import UserError
from crossfact.utils.facts.schema import Entity, Triple

HERE = Path(__file__).parent
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "ko", "ja", "zh", "bn", "tr", "sw", "is", "af")


@dataclass
class Part:
    """The entities and triples of one source, each id once.

    Attributes:
        name: the source, for error messages.
    """

    name: str
    entities: dict[str, Entity] = field(default_factory=dict)
    triples: list[Triple] = field(default_factory=list)

    def add(self, entity: Entity) -> str:
        """Add an entity, or give one that is already there more labels; returns its id."""
        known = self.entities.get(entity.id)
        self.entities[entity.id] = entity if known is None else _joined(known, entity, self.name)
        return entity.id

    def literal(self, kind: str, text: str) -> str:
        """Add a name that is the same in every language; returns its id."""
        return self.add(Entity(f"x:{kind}-{text}", "literal", {"mul": text}))

    def state(self, subject: str, property_id: str, object_id: str) -> None:
        """Add a triple."""
        self.triples.append(Triple(subject, property_id, object_id))


def merge(parts: Iterable[Part]) -> Part:
    """One part of all: labels are joined, a triple that two sources state is kept once.

    Raises:
        UserError: two sources name one entity, or its type, differently.
    """
    whole = Part("facts")
    for part in parts:
        whole.name = part.name
        for entity in part.entities.values():
            whole.add(entity)
        whole.triples += part.triples
    whole.triples = list(dict.fromkeys(whole.triples))
    return whole


def give_way(part: Part, other: Part) -> None:
    """Drop the labels of a part that another names too, so that the other's hold when the two are merged."""
    for key in part.entities.keys() & other.entities.keys():
        entity, theirs = part.entities[key], other.entities[key].labels
        labels = {lang: label for lang, label in entity.labels.items() if lang not in theirs}
        part.entities[key] = replace(entity, labels=labels)


def table(name: str) -> Any:
    """A YAML table, by its path below the builders' folder."""
    return yaml.load((HERE / name).read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _joined(old: Entity, new: Entity, source: str) -> Entity:
    if old.type != new.type:
        raise UserError(f"{source}: {old.id} is a {new.type}, and a {old.type} elsewhere; choose one")
    differ = [lang for lang, label in new.labels.items() if old.labels.get(lang, label) != label]
    if differ:
        names = "; ".join(f"{lang}: {old.labels[lang]} / {new.labels[lang]}" for lang in differ)
        raise UserError(f"{source}: {old.id} has other labels elsewhere ({names}); drop one of each two")
    aliases = {
        lang: tuple(dict.fromkeys((*old.aliases.get(lang, ()), *new.aliases.get(lang, ()))))
        for lang in dict.fromkeys((*old.aliases, *new.aliases))
    }
    popularity = new.popularity if old.popularity is None else old.popularity
    return replace(old, labels={**old.labels, **new.labels}, aliases=aliases, popularity=popularity)
