"""The sixteen topics of FIBER, and what a query asks for."""

from __future__ import annotations

from dataclasses import dataclass

from crossfact.utils.errors import UserError
from crossfact.utils.languages import FIBER_LANGUAGES

SENTENCE, QUESTION = "sc", "qa"
SENTENCE_COUNT, QUESTION_COUNT = "sc_count", "qa_count"

ENTITY_QUERIES = (SENTENCE, QUESTION)
COUNT_QUERIES = (SENTENCE_COUNT, QUESTION_COUNT)

BIASED_LANGUAGES = ("it", "tr")
"""Factual inference bias is measured here; English belongs to too many regions (section 3 of the paper)."""


@dataclass(frozen=True)
class Topic:
    """A relation that FIBER asks about.

    Attributes:
        name: Its name in task names and in the official files.
        multi: A subject can have several answers; only then is their number asked for as well.
        biased: It is one of the thirteen topics whose factual inference bias the paper measures (section 3).
    """

    name: str
    multi: bool
    biased: bool

    @property
    def queries(self) -> tuple[str, ...]:
        """The kinds of query that the topic has."""
        return (*ENTITY_QUERIES, *COUNT_QUERIES) if self.multi else ENTITY_QUERIES

    def has_bias(self, lang: str) -> bool:
        """Return whether factual inference bias is measured in this language."""
        return self.biased and lang in BIASED_LANGUAGES


_ALL = (
    Topic("atomic_numbers", multi=False, biased=False),
    Topic("capital_cities", multi=False, biased=True),
    Topic("ccTLD", multi=False, biased=True),
    Topic("chemical_symbols", multi=False, biased=False),
    Topic("founding_locations", multi=False, biased=True),
    Topic("locations_of_sites", multi=False, biased=True),
    Topic("original_langs_of_books", multi=False, biased=True),
    Topic("product_maker", multi=False, biased=False),
    Topic("car_brands", multi=True, biased=True),
    Topic("countries_heritages", multi=True, biased=True),
    Topic("countries_neighbors", multi=True, biased=True),
    Topic("countries_official_languages", multi=True, biased=True),
    Topic("countries_timezones", multi=True, biased=True),
    Topic("mobile_network_operators", multi=True, biased=True),
    Topic("polyglot_celebs", multi=True, biased=True),
    Topic("top_500_universities", multi=True, biased=True),
)

TOPICS: dict[str, Topic] = {topic.name: topic for topic in _ALL}


def find_topic(name: str, lang: str) -> Topic:
    """Return a topic by name, after a check that FIBER has it in `lang`.

    Raises:
        UserError: There is no such topic or language.
    """
    if name not in TOPICS:
        raise UserError(f"FIBER has no topic {name!r}: use one of {', '.join(TOPICS)}")
    if lang not in FIBER_LANGUAGES:
        raise UserError(f"FIBER has no language {lang!r}: use one of {', '.join(FIBER_LANGUAGES)}")
    return TOPICS[name]
