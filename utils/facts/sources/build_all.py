"""Build the embedded facts from all sources: `python -m crossfact.utils.facts.sources.build_all`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from crossfact.utils.errors import UserError
from crossfact.utils.facts.schema import DATA, PROPERTIES, Facts, read_facts, read_properties, write_facts
from crossfact.utils.facts.sources import build_cldr, build_elements, build_geonames, build_hand, build_zones
from crossfact.utils.facts.sources.part import HERE, LANGUAGES, Part, give_way, merge, table


def build() -> Facts:
    """All sources as one set; what is written by hand holds against the libraries' names.

    Entities that no triple uses are left out.

    Raises:
        UserError: two sources disagree, or a source names an entity or a property that does not exist.
    """
    hand = merge(build_hand.build())
    libraries = merge([build_cldr.build(), build_geonames.build(), build_zones.build(), build_elements.build()])
    give_way(libraries, hand)
    part = merge([libraries, hand])
    _overlay(part)
    used = {end for triple in part.triples for end in (triple.subject, triple.object)}
    if unknown := sorted(used - part.entities.keys()):
        raise UserError(f"triples name entities that no source has: {', '.join(unknown)}")
    entities = {key: entity for key, entity in sorted(part.entities.items()) if key in used}
    return Facts(entities, tuple(sorted(part.triples)), read_properties(HERE / PROPERTIES))


def _overlay(part: Part) -> None:
    """Add the labels of `hand/labels/<language>.yaml` ({id: label}) where a language has none."""
    for path in sorted((HERE / "hand" / "labels").glob("*.yaml")):
        lang = path.stem
        if lang not in LANGUAGES:
            raise UserError(f"labels/{path.name}: not one of our languages ({', '.join(LANGUAGES)})")
        for key, label in (table(f"hand/labels/{path.name}") or {}).items():
            entity = part.entities.get(key)
            if entity is None:
                raise UserError(f"labels/{path.name}: no source has the entity {key}")
            if entity.labels.get(lang, label) != label:
                raise UserError(f"labels/{path.name}: {key} is {entity.labels[lang]} already, not {label}; drop one")
            part.entities[key] = replace(entity, labels={**entity.labels, lang: label})


def main(folder: Path = DATA) -> None:
    """Write the facts, read them again, and say how many there are."""
    write_facts(folder, build())
    facts = read_facts(folder)
    count = f"{len(facts.entities)} entities, {len(facts.triples)} triples, {len(facts.properties)} properties"
    print(f"{folder}: {count}")


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(str(error))
