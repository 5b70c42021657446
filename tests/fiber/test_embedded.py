"""The embedded documents: complete, and read as sentences of their languages."""

from __future__ import annotations

import re

import pytest

from crossfact.fiber.documents import Documents
from crossfact.fiber.embedded import build_documents, embedded_source
from crossfact.fiber.templates import enumerate_names, forms
from crossfact.fiber.topics import TOPICS
from crossfact.utils.facts import embedded_facts
from crossfact.utils.languages import FIBER_LANGUAGES
from tests.shared import shared_path

Key = tuple[str, str]


@pytest.fixture(scope="module")
def built() -> dict[Key, Documents]:
    return {
        (topic.name, lang): build_documents(embedded_facts(), topic, lang)
        for topic in TOPICS.values()
        for lang in FIBER_LANGUAGES
    }


def lines(documents: Documents) -> dict[str, str]:
    """Document id → the prompt with its first right answer."""
    return {document["id"]: document["prompt"] + document["choices"][document["gold"][0]] for document in documents}


def test_every_topic_has_every_query_about_every_subject(built: dict[Key, Documents]) -> None:
    for (name, lang), documents in built.items():
        topic = TOPICS[name]
        items = {document["item"] for document in documents}
        assert len(items) >= 20
        assert len(documents) == len(items) * len(forms(name, lang))
        assert {document["query"] for document in documents} == set(topic.queries)
        assert len({document["id"] for document in documents}) == len(documents)
        assert items == {document["item"] for document in built[name, "en"]}


def test_turkish_completes_a_sentence_in_two_ways(built: dict[Key, Documents]) -> None:
    for topic in TOPICS:
        sentences = [form for form in forms(topic, "tr") if form.query == "sc"]
        assert len(sentences) == 2
        assert [form.prompt.endswith(":") for form in sentences] == [False, True]


def test_prompts_and_choices_have_the_shape_that_the_harness_wants(built: dict[Key, Documents]) -> None:
    for documents in built.values():
        for document in documents:
            assert document["prompt"] == document["prompt"].strip()
            assert "  " not in document["prompt"]
            brand_first = document["lang"] == "tr"  # iPhone, eBay: a Turkish prompt can start with the name
            assert not document["prompt"][0].islower() or brand_first
        for choices in {id(document["choices"]): document["choices"] for document in documents}.values():
            assert all(re.fullmatch(r" \S(.*\S)?", choice) for choice in choices)
            assert len(choices) == len(set(choices))


def test_bias_can_be_measured_in_all_thirteen_topics(built: dict[Key, Documents]) -> None:
    for (name, lang), documents in built.items():
        measured = {document["biased"] is not None for document in documents}
        assert measured == {TOPICS[name].has_bias(lang)}
        if TOPICS[name].has_bias(lang):
            assert all(bool(d["biased"]) == (d["query"] in ("sc", "qa")) for d in documents)


EXAMPLES = {
    "capital_cities_it_sc:Q142": "La capitale della Francia è Parigi",
    "capital_cities_it_qa:Q55": "Qual è la capitale dei Paesi Bassi? Amsterdam",
    "capital_cities_tr_sc_0:Q43": "Türkiye'nin başkenti Ankara'dır",
    "capital_cities_tr_sc_1:Q30": "Amerika Birleşik Devletleri'nin başkenti şurasıdır: Vaşington",
    "capital_cities_en_sc:Q30": "The capital of the United States is Washington",
    "atomic_numbers_it_sc:Q556": "Il numero atomico dell'idrogeno è 1",
    "atomic_numbers_tr_sc_0:Q556": "Hidrojenin atom numarası 1'dir",
    "ccTLD_tr_sc_0:Q142": "Fransa'nın ülke kodlu üst düzey alan adı .fr'dir",
    "countries_neighbors_it_sc_count:Q38": "Il numero di paesi che confinano via terra con l'Italia è 6",
    "countries_neighbors_en_qa:Q38": "Which country shares a land border with Italy?",
    "countries_official_languages_it_sc:Q16": "Una lingua ufficiale del Canada è",
    "countries_official_languages_tr_qa_count:Q39": "İsviçre'nin kaç resmî dili vardır? 4",
    "countries_timezones_tr_sc_0:Q43": "Türkiye'de kullanılan bir saat dilimi UTC+03:00'tür",
    "locations_of_sites_it_sc:Q243": "La città che ospita la Torre Eiffel è Parigi",
    "locations_of_sites_tr_sc_0:Q243": "Eyfel Kulesi'nin bulunduğu şehir Paris'tir",
    "original_langs_of_books_tr_sc_0:Q41567": "“Hamlet” adlı eserin özgün dili İngilizcedir",
    "original_langs_of_books_it_sc:Q41567": "La lingua originale di «Amleto» è l'inglese",
    "car_brands_it_qa:Q38": "Quale marca automobilistica è nata in Italia?",
    "mobile_network_operators_it_sc:Q30": "Un operatore di telefonia mobile attivo negli Stati Uniti è",
    "top_500_universities_tr_qa:Q38": "İtalya'daki tanınmış üniversitelerden biri hangisidir?",
}


@pytest.mark.parametrize(("key", "text"), EXAMPLES.items())
def test_sentences_by_hand(built: dict[Key, Documents], key: str, text: str) -> None:
    name, lang = re.match(r"(.+)_(en|it|tr)_", key).groups()  # type: ignore[union-attr]
    assert lines(built[name, lang])[key].startswith(text)


def test_no_prompt_is_one_of_the_official_ones_with_slashes(built: dict[Key, Documents]) -> None:
    """Ours are worded for one or several answers, so no `è/sono`, no `del/della`, no `language(s)`."""
    for documents in built.values():
        assert not [
            d["prompt"] for d in documents if re.search(r"/|\(s\)|\(ies\)", d["prompt"]) and "1&1" not in d["prompt"]
        ]


def test_an_enumeration_reads_on_with_commas_in_names() -> None:
    assert enumerate_names(["A", "B", "C"], "en") == "A, B and C"
    assert enumerate_names(["A", "B, b", "C"], "it") == "A; B, b e C"
    assert enumerate_names(["A", "B"], "tr") == "A ve B"


def test_the_source_is_told_from_the_official_one() -> None:
    assert embedded_source().name == "embedded"
    assert re.fullmatch(r"[0-9a-f]{16}", embedded_source().fingerprint)
    assert shared_path("data", "fiber_official").name != embedded_source().name
