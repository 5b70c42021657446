"""Q(language, topic): complete, and every listed name in use."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from crossfact.fiber.biased import bare_name, biased_names, find_biased, mark_biased
from crossfact.fiber.documents import Document, Documents
from crossfact.fiber.official_files import read_official
from crossfact.fiber.topics import BIASED_LANGUAGES, TOPICS
from tests.fiber.examples import small_document
from tests.shared import shared_path

BIASED = [topic.name for topic in TOPICS.values() if topic.biased]


@cache
def surfaces(topic: str, lang: str) -> frozenset[str]:
    """The bare names in the official surface sets of a topic."""
    documents = read_official(shared_path("data", "fiber_official"), TOPICS[topic], lang)
    lists = {id(d["choices"]): d["choices"] for d in documents if d["query"] in ("sc", "qa")}
    return frozenset(bare_name(choice, lang) for choices in lists.values() for choice in choices)


def test_the_thirteen_topics_of_the_paper_have_both_languages() -> None:
    assert len(BIASED) == 13
    assert set(biased_names()) == set(BIASED)
    assert all(set(by_lang) == set(BIASED_LANGUAGES) for by_lang in biased_names().values())
    assert [
        t for t, by_lang in biased_names().items() for names in by_lang.values() if len(set(names)) < len(names)
    ] == []


@pytest.mark.parametrize(
    ("choice", "lang", "name"),
    [
        (" Ankara'dır", "tr", "Ankara"),
        (" İstanbul’dur", "tr", "İstanbul"),
        (" .tr'dir", "tr", ".tr"),
        (" Türkçe'dir", "tr", "Türkçe"),
        (" İstanbul'un Tarihi Alanları", "tr", "İstanbul'un Tarihi Alanları"),
        (" Costa d'Avorio", "it", "Costa d'Avorio"),
    ],
)
def test_bare_names(choice: str, lang: str, name: str) -> None:
    assert bare_name(choice, lang) == name


def test_locations_of_sites_as_in_the_paper() -> None:
    assert set(biased_names()["locations_of_sites"]["it"]) >= {
        *("Bari", "Bologna", "Italia", "Roma", "Sardegna", "Sicilia", "Torino", "Venezia")
    }
    assert set(biased_names()["locations_of_sites"]["tr"]) >= {"Ankara", "İstanbul", "Türkiye"}


@pytest.mark.parametrize("topic", [t for t in BIASED if TOPICS[t].multi])
@pytest.mark.parametrize(("lang", "country"), [("it", "Italia"), ("tr", "Türkiye")])
def test_what_the_official_rows_give_the_country_is_all_there(topic: str, lang: str, country: str) -> None:
    """The row of the country itself tells what belongs to it; neighbors are the other way round."""
    documents = read_official(shared_path("data", "fiber_official"), TOPICS[topic], lang)
    rows = [d for d in documents if d["subject"] == country and d["query"] == "qa"]
    if topic == "countries_neighbors":
        assert find_biased([f" {country}"], biased_names()[topic][lang], lang) == [0]
    for row in rows:
        own = {row["choices"][index].strip() for index in row["gold"]}
        if topic != "countries_neighbors":
            assert own == set(biased_names()[topic][lang]) & surfaces(topic, lang)


@pytest.mark.parametrize("topic", BIASED)
@pytest.mark.parametrize("lang", BIASED_LANGUAGES)
def test_every_listed_name_is_an_official_surface(topic: str, lang: str) -> None:
    assert set(biased_names()[topic][lang]) <= surfaces(topic, lang)


def test_country_marks_in_names_are_not_overlooked() -> None:
    """No surface that names the country, its capital or its language is left out of Q."""
    signs = {"it": r"\b(Ital\w+|Roma)\b", "tr": r"\b(Türk\w*|Ankara|İstanbul)\b"}
    known = {
        "Türkçe (Türkî diller)",  # the Turkic languages
        "Türkmence",
        "Türkmenistan",
    }
    for topic in BIASED:
        for lang, sign in signs.items():
            names = set(biased_names()[topic][lang])
            found = {name for name in surfaces(topic, lang) if re.search(sign, name)}
            assert found - names - known == set(), (topic, lang)


def test_one_name_outside_the_country_makes_no_bias_measure() -> None:
    documents = Documents([small_document(choices=(" Parigi", " Oslo"), answers=(" Oslo",))])
    mark_biased(documents, TOPICS["capital_cities"], "it")
    assert documents[0]["biased"] is None


def test_numbers_and_english_have_no_biased_candidates() -> None:
    entity, count = (small_document(topic="countries_neighbors", query=query) for query in ("sc", "sc_count"))
    entity["choices"] = [" Italia", " Francia", " Cile"]
    documents: list[Document] = [entity, count]
    mark_biased(documents, TOPICS["countries_neighbors"], "en")
    assert [d["biased"] for d in documents] == [None, None]
    mark_biased(documents, TOPICS["countries_neighbors"], "it")
    assert [d["biased"] for d in documents] == [[0], []]


def test_the_file_is_read_as_text() -> None:
    """YAML must not turn a name into a number, a date or a truth value."""
    path = Path(__file__).parents[2] / "fiber" / "data" / "biased_entities.yaml"
    assert path.is_file()
    assert all(isinstance(name, str) for by in biased_names().values() for names in by.values() for name in names)
    assert json.dumps(biased_names())
