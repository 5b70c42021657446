"""The embedded popqa items: facts with one right answer, asked and told by templates in ten languages.

Every item draws two variants of its property's evidence, one for the right answer and another for the wrong one, the
same two in all languages: the texts of an item are translations of one another.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from crossfact.clear.items import Item, Version, entity_presence
from crossfact.clear.popqa_choice import SEED, Chooser, read_selection
from crossfact.utils.errors import UserError
from crossfact.utils.facts import Facts, Triple, embedded_facts
from crossfact.utils.grammar import Noun, environment, noun, render
from crossfact.utils.languages import CLEAR_LANGUAGES

DATA = Path(__file__).parent / "data" / "popqa"

# The filter that puts the article before a name: many answer with it ("the Netherlands", "die Schweiz").
_ARTICLES = {"en": "the", "de": "nom", "fr": "art", "af": "die"}


@dataclass(frozen=True)
class Built:
    """What became of the facts.

    Attributes:
        items: the items, property by property.
        left_out: property → reason → number of facts that did not become an item.
    """

    items: tuple[Item, ...]
    left_out: dict[str, Counter[str]]


def popqa_items(facts: Facts | None = None) -> list[Item]:
    """Return the embedded popqa items: the same facts give the same items."""
    return list(build(facts or embedded_facts()).items)


def build(facts: Facts) -> Built:
    """Make items of facts, and count those of which none is made, with the reason."""
    selection = read_selection()
    chooser = Chooser(facts, selection)
    items: list[Item] = []
    left_out: dict[str, Counter[str]] = {}
    for property_id, rule in selection.rules.items():
        reasons = left_out.setdefault(property_id, Counter())
        answers: Counter[str] = Counter()
        for triple, obstacle in chooser.triples(property_id):
            if not obstacle and answers.total() == rule.most:
                obstacle = "the property has its items"
            if not obstacle and answers[triple.object] == rule.per_answer:
                obstacle = "the answer has its items"
            wrong = None if obstacle else chooser.wrong_answer(triple)
            if not obstacle and wrong is None:
                obstacle = "no other answer is plausible and surely wrong"
            item = _item(chooser, triple, wrong) if wrong else None
            if item and entity_presence(item):
                obstacle = "it would break the entity-presence rule"
            if item and not obstacle:
                items.append(item)
                answers[triple.object] += 1
            else:
                reasons[obstacle] += 1
    return Built(tuple(items), left_out)


def templates(lang: str) -> dict[str, dict[str, Any]]:
    """Return the templates of a language: property → `question`, and `evidence` (a list of variants).

    Raises:
        UserError: the file is missing or is not YAML.
    """
    path = DATA / f"{lang}.yaml"
    try:
        table = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, yaml.YAMLError) as error:
        raise UserError(f"cannot read {path}: {' '.join(str(error).split())}") from error
    return dict(table)


def _item(chooser: Chooser, triple: Triple, wrong: str) -> Item:
    """Return the item of a fact and the wrong answer that its counter evidence states."""
    item_id = f"{triple.property}:{triple.subject}"
    variants = len(_templates("en")[triple.property]["evidence"])
    pro, con = Random(f"{SEED}:{item_id}").sample(range(variants), 2)
    versions = {}
    for lang in CLEAR_LANGUAGES:
        table = _templates(lang)[triple.property]
        s, gold, other = (_noun(chooser.facts, entity_id, lang) for entity_id in (triple.subject, triple.object, wrong))
        versions[lang] = Version(
            question=_render(table["question"], lang, s),
            answers=_answers(chooser, triple.object, lang),
            counter_answer=_answers(chooser, wrong, lang),
            support=_render(table["evidence"][pro], lang, s, gold),
            counter=_render(table["evidence"][con], lang, s, other),
        )
    return Item(item_id, "popqa", versions, chooser.facts.entities[triple.subject].popularity)


def _noun(facts: Facts, entity_id: str, lang: str) -> Noun:
    return noun(facts.label(entity_id, lang), lang, entity_id, facts.entities[entity_id].type)


def _answers(chooser: Chooser, entity_id: str, lang: str) -> tuple[str, ...]:
    names = chooser.names(entity_id, lang)
    if lang in _ARTICLES:
        put = environment(lang).filters[_ARTICLES[lang]]
        # An alias may be of another gender or number than the label: only what is known of itself counts.
        names += (put(_noun(chooser.facts, entity_id, lang)), *(put(noun(name, lang)) for name in names))
    return tuple(dict.fromkeys(str(name) for name in names))


def _render(template: str, lang: str, s: Noun, o: Noun | None = None) -> str:
    text = render(template, lang, s=s) if o is None else render(template, lang, s=s, o=o)
    return text.replace("..", ".")  # a name such as "Levi Strauss & Co." at the end of a sentence


@cache
def _templates(lang: str) -> dict[str, dict[str, Any]]:
    return templates(lang)
