from __future__ import annotations

from pathlib import Path

import pytest

from crossfact.sword.loading import embedded_documents
from crossfact.sword.statements import statement, template_languages, templates
from crossfact.utils.facts import Entity, Facts, Property, Triple, embedded_facts
from crossfact.utils.languages import SWORD_LANGUAGES


def test_every_language_has_the_same_properties_in_the_same_order() -> None:
    assert set(template_languages()) == set(SWORD_LANGUAGES)
    assert {tuple(templates(lang)) for lang in SWORD_LANGUAGES} == {tuple(templates("en"))}


def test_templates_cover_all_embedded_properties_between_entities() -> None:
    facts = embedded_facts()
    relations = {
        triple.property
        for triple in facts.triples
        if facts.entities[triple.object].type not in ("literal", "time zone")
    }
    assert relations <= set(templates("en"))


@pytest.mark.parametrize("lang", SWORD_LANGUAGES)
@pytest.mark.parametrize("label", ["Oz", "Àéî", "l’été", "北京", "3", "“Q”", "Apple Inc.", "a b c", "١"])
def test_any_label_gives_one_sentence_that_holds_it(lang: str, label: str) -> None:
    entities = {"a": Entity("a", "", {"mul": label}), "b": Entity("b", "", {"mul": "Xyz"})}
    properties = {key: Property(key, {"en": key}) for key in templates("en")}
    facts = Facts(entities, (), properties)
    for key in templates(lang):
        for triple in (Triple("a", key, "b"), Triple("b", key, "a")):
            said = statement(facts, triple, lang)
            assert label.rstrip(".").casefold() in said.casefold()
            assert "Xyz" in said
            assert said[0] == said[0].upper() or lang in ("ja", "ko")  # which have capitals in foreign names only
            assert said.endswith("。" if lang == "ja" else ".")
            assert not said.endswith(("..", ".。"))
            assert "  " not in said


@pytest.mark.parametrize(
    ("lang", "triple", "expected"),
    [
        ("en", ("Q55", "P36", "Q727"), "The capital of the Netherlands is Amsterdam."),
        ("de", ("Q39", "P36", "Q70"), "Die Hauptstadt der Schweiz ist Bern."),
        ("de", ("Q142", "P36", "Q90"), "Die Hauptstadt Frankreichs ist Paris."),
        ("fr", ("Q30", "P47", "Q96"), "Les États-Unis ont une frontière commune avec le Mexique."),
        ("es", ("Q145", "P36", "Q84"), "La capital del Reino Unido es Londres."),
        ("it", ("Q30", "P47", "Q96"), "Gli Stati Uniti confinano con il Messico."),
        ("pt", ("Q142", "P30", "Q46"), "A França fica na Europa."),
        ("ko", ("Q142", "P47", "Q38"), "프랑스는 이탈리아와 국경을 접한다."),
        ("ko", ("Q142", "P36", "Q90"), "프랑스의 수도는 파리다."),
        ("ja", ("Q142", "P36", "Q90"), "フランスの首都はパリである。"),
    ],
)
def test_hand_written_statements(lang: str, triple: tuple[str, str, str], expected: str) -> None:
    assert statement(embedded_facts(), Triple(*triple), lang) == expected


def test_a_work_stands_in_quotation_marks() -> None:
    facts = Facts(
        {"w": Entity("w", "book", {"de": "Die Pest", "fr": "La Peste"}), "c": Entity("c", "person", {"mul": "Camus"})},
        (),
        {"P50": Property("P50", {"en": "author"})},
    )
    assert statement(facts, Triple("w", "P50", "c"), "de") == "Camus hat „Die Pest“ geschrieben."
    assert statement(facts, Triple("w", "P50", "c"), "fr").replace("\u202f", " ") == "Camus a écrit « La Peste »."


@pytest.mark.parametrize("lang", SWORD_LANGUAGES)
def test_the_embedded_set(lang: str) -> None:
    documents, english = embedded_documents(lang), embedded_documents("en")
    assert len(documents) == 500
    assert [doc["id"] for doc in documents] == [doc["id"] for doc in english]
    said: dict[str, str] = {}
    for doc in documents:
        for probe in doc["probes"]:
            assert said.setdefault(probe["statement"], probe["target"]) == probe["target"]  # never true and false


def test_a_name_with_a_later_capital_keeps_its_small_letter() -> None:
    entities = {"a": Entity("a", "product", {"mul": "iMac"}), "b": Entity("b", "country", {"it": "Italia"}, {})}
    facts = Facts(entities, (), {"P47": Property("P47", {"en": "shares border with"})})
    assert statement(facts, Triple("a", "P47", "b"), "it") == "iMac confina con l'Italia."
    assert statement(facts, Triple("b", "P47", "a"), "it") == "L'Italia confina con iMac."


def test_data_files_have_no_tabs_or_doubled_keys() -> None:
    for path in (Path(__file__).parents[2] / "sword" / "data" / "templates").glob("*.yaml"):
        keys = [line.split(":")[0] for line in path.read_text().splitlines() if line.startswith("P")]
        assert len(keys) == len(set(keys))
