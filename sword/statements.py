"""Statements from per-property templates (`data/templates/<lang>.yaml`): one short sentence for a triple."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml

from crossfact.utils.facts import Facts, Triple
from crossfact.utils.grammar import Noun, noun, render
from crossfact.utils.grammar.quotes import title

_TEMPLATES = Path(__file__).parent / "data" / "templates"

WORKS = frozenset({"book", "film", "musical work", "painting"})
"""The types of entities whose names stand in quotation marks."""


@cache
def templates(lang: str) -> Mapping[str, str]:
    """Return the templates of a language by property."""
    table: dict[str, str] = yaml.safe_load((_TEMPLATES / f"{lang}.yaml").read_text(encoding="utf-8"))
    return table


def template_languages() -> tuple[str, ...]:
    """Return the languages that have templates."""
    return tuple(sorted(path.stem for path in _TEMPLATES.glob("*.yaml")))


def statement(facts: Facts, triple: Triple, lang: str) -> str:
    """Return the sentence that states a triple, true or not, in a language."""
    nouns = {"s": named(facts, triple.subject, lang), "o": named(facts, triple.object, lang)}
    return render(templates(lang)[triple.property], lang, **nouns)


def named(facts: Facts, entity_id: str, lang: str) -> Noun:
    """Return an entity's name as it stands in a sentence: with its grammar, and a work's title in quotation marks."""
    entity = facts.entities[entity_id]
    label = facts.label(entity_id, lang)
    if entity.type in WORKS:  # the quotation marks stand between the title and the grammar that it has by itself
        return noun(title(label, lang), lang)
    return noun(label, lang, entity_id, entity.type)
