"""An entity's truthy statements.

Truthy means: of a property's statements the best-ranked ones (the preferred ones, or the normal ones if none is
preferred), never deprecated ones, never "no value" or "some value".
"""

from __future__ import annotations

from collections import Counter

from crossfact.sword.dump_layout import BrokenLine, Statement, Value

Claims = dict[str, list[Statement]]
"""Statements by property."""


def item_facts(claims: Claims, properties: frozenset[str] | None, counts: Counter[str]) -> list[str]:
    """The truthy statements whose value is an item, each (property, object) once.

    Args:
        claims: statements by property.
        properties: those to keep; None is all.
        counts: takes the number of statements dropped, by reason.

    Returns:
        Properties and objects in turn: [P36, Q90, P30, Q46].
    """
    facts: list[str] = []
    not_chosen = not_items = 0
    for prop, statements in claims.items():
        if properties is not None and prop not in properties:
            not_chosen += len(statements)
            continue
        if len(statements) != 1 or statements[0].rank == "deprecated":
            statements = best_ranked(statements, counts)
        seen: list[str] = []
        for statement in statements:
            snak = statement.mainsnak
            datavalue = snak.datavalue
            if snak.snaktype != "value" or datavalue is None:
                counts[f"statements dropped: {snak.snaktype}"] += 1
                continue
            value = datavalue.value
            if datavalue.type != "wikibase-entityid" or not isinstance(value, Value) or value.kind != "item":
                not_items += 1
                continue
            target = value.id or target_id(value, "Q")
            if target in seen:
                counts["statements dropped: said twice"] += 1
                continue
            seen.append(target)
            facts.append(prop)
            facts.append(target)
    if not_chosen:
        counts["statements dropped: property not chosen"] += not_chosen
    if not_items:
        counts["statements dropped: value is not an item"] += not_items
    return facts


def best_ranked(statements: list[Statement], counts: Counter[str]) -> list[Statement]:
    """The statements that are preferred, or the normal ones if none is; never deprecated ones."""
    valid = [statement for statement in statements if statement.rank != "deprecated"]
    kept = [statement for statement in valid if statement.rank == "preferred"] or valid
    if len(kept) < len(statements):
        counts["statements dropped: deprecated"] += len(statements) - len(valid)
        counts["statements dropped: not of the best rank"] += len(valid) - len(kept)
    return kept


def target_id(value: Value, letter: str) -> str:
    """The id that a statement points to; the oldest dumps give its number only.

    Raises:
        BrokenLine: there is neither.
    """
    if value.id is None and value.number is None:
        raise BrokenLine("a statement that points to an entity without an id")
    return value.id or f"{letter}{value.number}"
