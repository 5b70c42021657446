"""Works, people, companies, sites and their facts, written by hand in `hand/*.yaml` (CC0).

A file is `{entities: [...], triples: [[subject, property, object], ...]}`; an entity is a map of `id`, `type`, its
labels by language code or `mul`, and optional `aliases` (by language, a list or one name) and `popularity`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crossfact.utils.errors import UserError
from crossfact.utils.facts import checks
from crossfact.utils.facts.schema import Entity
from crossfact.utils.facts.sources.part import HERE, LANGUAGES, Part, table

_OTHER_KEYS = {"id", "type", "aliases", "popularity"}


def build() -> list[Part]:
    """One part per file, in the order of their names.

    Raises:
        UserError: a file is not as described above.
    """
    return [_part(path) for path in sorted((HERE / "hand").glob("*.yaml"))]


def _part(path: Path) -> Part:
    content = table(f"hand/{path.name}")
    if not isinstance(content, dict) or not content.keys() <= {"entities", "triples"}:
        raise UserError(f"{path.name}: expected a map with entities and triples only")
    part = Part(path.name)
    for row in content.get("entities") or []:
        part.add(_entity(row, path.name))
    for row in content.get("triples") or []:
        if not (isinstance(row, list) and len(row) == 3 and all(isinstance(item, str) for item in row)):
            raise UserError(f"{path.name}: a triple is [subject, property, object], not {row}")
        part.state(*row)
    return part


def _entity(row: dict[str, Any], source: str) -> Entity:
    where = f"{source}, {row.get('id')}"
    checks.known(row, {*LANGUAGES, "mul", *_OTHER_KEYS}, where)
    return Entity(
        id=checks.text(row.get("id"), "id", where),
        type=checks.text(row.get("type"), "type", where),
        labels=checks.labels({key: value for key, value in row.items() if key not in _OTHER_KEYS}, where),
        aliases=checks.aliases(row.get("aliases", {}), where),
        popularity=checks.popularity(row.get("popularity"), where),
    )
