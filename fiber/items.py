"""From facts to what FIBER asks about: subjects with all their answers, the same in every language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import yaml

from crossfact.fiber.topics import Topic
from crossfact.utils.facts import Facts
from crossfact.utils.languages import FIBER_LANGUAGES

RELATIONS = Path(__file__).parent / "data" / "relations.yaml"

SEED = 0
LISTED = 6
"""How many names a number is counted among where the facts do not know all answers."""

_COUNTRIES = {"it": "Q38", "tr": "Q43"}
_LANGUAGES = {"it": "Q652", "tr": "Q256"}
_COUNTRY_OF = ("P17", "P495")  # country, country of origin
_CONTINENT = "P30"
_CODES_OF_A_COUNTRY = ("P78", "P421")  # top-level domain, time zone


@dataclass(frozen=True)
class Relation:
    """Where a topic's facts are; see `data/relations.yaml`."""

    property: str
    subject: str = "subject"
    type: str | None = None
    listed: bool = False
    distractors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """A subject and its answers, by entity ids.

    Attributes:
        subject: What is asked about.
        answers: All that is right.
        listed: The entities that a query for a number names; empty where it asks for the number of all answers.
        count: The right number.
    """

    subject: str
    answers: tuple[str, ...]
    listed: tuple[str, ...]
    count: int


@cache
def relations() -> dict[str, Relation]:
    """Return the relation of each topic."""
    table = yaml.safe_load(RELATIONS.read_text(encoding="utf-8"))
    return {
        topic: Relation(**{**row, "distractors": tuple(row.get("distractors", ()))}) for topic, row in table.items()
    }


def find_items(facts: Facts, topic: Topic) -> list[Item]:
    """Return the items of a topic, in an order drawn once.

    A subject is left out where it or an answer has no name in one of FIBER's languages, so that the items are the
    same in all of them, and where a topic with one answer has several.
    """
    relation = relations()[topic.name]
    answers: dict[str, list[str]] = {}
    for triple in facts.with_property(relation.property):
        ends = (triple.subject, triple.object)
        subject, answer = ends if relation.subject == "subject" else reversed(ends)
        if relation.type in (None, facts.entities[answer].type):
            answers.setdefault(subject, []).append(answer)
    kept = {
        subject: tuple(found)
        for subject, found in answers.items()
        if (topic.multi or len(found) == 1) and all(_has_names(facts, entity) for entity in (subject, *found))
    }
    subjects = list(kept)
    Random(f"{SEED}:fiber:{topic.name}").shuffle(subjects)
    if not relation.listed:
        return [Item(subject, kept[subject], (), len(kept[subject])) for subject in subjects]
    return [_with_list(facts, topic, subject, kept) for subject in subjects]


def belongs_to_the_country(facts: Facts, entity: str, lang: str) -> bool:
    """Return whether an answer is in Q(lang, topic): the country of the language, a thing in it, or the language."""
    country = _COUNTRIES[lang]
    return (
        entity in (country, _LANGUAGES[lang])
        or any(country in facts.objects(entity, property_id) for property_id in _COUNTRY_OF)
        or any(entity in facts.objects(country, property_id) for property_id in _CODES_OF_A_COUNTRY)
    )


def _has_names(facts: Facts, entity: str) -> bool:
    return all(facts.has_label(entity, lang) for lang in FIBER_LANGUAGES)


def _with_list(facts: Facts, topic: Topic, subject: str, answers: dict[str, tuple[str, ...]]) -> Item:
    """Return an item whose number is counted among some of its answers and others that are surely wrong.

    The facts name some answers, so the number of all is unknown. Surely wrong are the relation's `distractors`, else
    things of another continent that are not called like one of the answers: a brand can serve its neighbors.
    """
    draw = Random(f"{SEED}:fiber:{topic.name}:{subject}")
    own = answers[subject]
    taken = draw.sample(own, draw.randint(1, min(len(own), LISTED - 1)))
    if distractors := relations()[topic.name].distractors:
        others = [entity for entity in distractors if entity in facts.entities and entity not in own]
    else:
        brands = {_first_word(facts, entity) for entity in own}
        here = set(facts.objects(subject, _CONTINENT))
        elsewhere = [found for country, found in answers.items() if here.isdisjoint(facts.objects(country, _CONTINENT))]
        others = [entity for found in elsewhere for entity in found if _first_word(facts, entity) not in brands]
    listed = taken + draw.sample(sorted(others), min(len(others), LISTED - len(taken)))
    draw.shuffle(listed)
    return Item(subject, own, tuple(listed), len(taken))


def _first_word(facts: Facts, entity: str) -> str:
    return facts.label(entity, "en").split()[0].casefold()
