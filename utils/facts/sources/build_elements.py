"""Chemical elements: numbers and symbols from mendeleev (MIT), names and ids from `elements.yaml`."""

from __future__ import annotations

from mendeleev.fetch import fetch_table

from crossfact.utils.errors import UserError
from crossfact.utils.facts import checks
from crossfact.utils.facts.schema import Entity
from crossfact.utils.facts.sources.part import LANGUAGES, Part, table


def build() -> Part:
    """P1086 (atomic number) and P246 (symbol) of the 118 elements.

    Raises:
        UserError: a row of `elements.yaml` has not one name per element.
    """
    part = Part("elements")
    content = table("elements.yaml")
    rows = {"ids": content["ids"].split(), **{lang: content["names"][lang].split() for lang in LANGUAGES}}
    elements = fetch_table("elements").sort_values("atomic_number")
    symbols = dict(zip(elements["atomic_number"], elements["symbol"], strict=True))
    for key, row in rows.items():
        if len(row) != len(symbols) or len(set(row)) != len(row):
            raise UserError(f"elements.yaml: {key} needs {len(symbols)} names, each once; it has {len(row)}")
    for number, symbol in symbols.items():
        labels = {lang: rows[lang][number - 1] for lang in LANGUAGES}
        aliases = checks.aliases(content["aliases"].get(number, {}), f"elements.yaml, {number}")
        key = part.add(Entity(rows["ids"][number - 1], "element", labels, aliases))
        part.state(key, "P1086", part.literal("number", str(number)))
        part.state(key, "P246", part.literal("symbol", symbol))
    return part
