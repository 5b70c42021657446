"""From facts to subjects and answers."""

from __future__ import annotations

import pytest

from crossfact.fiber.items import LISTED, belongs_to_the_country, find_items, relations
from crossfact.fiber.topics import TOPICS
from crossfact.utils.facts import Entity, Facts, Triple, embedded_facts


def facts(triples: list[tuple[str, str, str]], types: dict[str, str], unnamed: tuple[str, ...] = ()) -> Facts:
    """Facts whose entities are named by their ids, those in `unnamed` not in Turkish."""
    ids = {end for subject, _, answer in triples for end in (subject, answer)}
    entities = {}
    for key in sorted(ids):
        langs = ("en", "it") if key in unnamed else ("en", "it", "tr")
        entities[key] = Entity(key, types.get(key, "thing"), dict.fromkeys(langs, key))
    return Facts(entities, tuple(Triple(*triple) for triple in triples), {})


def test_one_answer_or_several() -> None:
    made = facts([("a", "P36", "x"), ("b", "P36", "y"), ("b", "P36", "z"), ("c", "P36", "w")], {}, unnamed=("w",))
    assert [(item.subject, item.answers) for item in find_items(made, TOPICS["capital_cities"])] == [("a", ("x",))]


def test_the_other_side_is_asked_about() -> None:
    made = facts(
        [("fiat", "P495", "Q38"), ("seat", "P495", "Q29"), ("lancia", "P495", "Q38")],
        {"fiat": "car brand", "seat": "car brand", "lancia": "car brand"},
    )
    assert {item.subject: item.answers for item in find_items(made, TOPICS["car_brands"])} == {
        "Q38": ("fiat", "lancia"),
        "Q29": ("seat",),
    }


def test_only_the_topic_s_type_counts() -> None:
    made = facts([("uni", "P17", "Q38"), ("city", "P17", "Q38")], {"uni": "university"})
    (item,) = find_items(made, TOPICS["top_500_universities"])
    assert item.answers == ("uni",)


@pytest.mark.parametrize("topic", TOPICS.values(), ids=lambda topic: topic.name)
def test_the_embedded_facts_have_enough_subjects(topic: object) -> None:
    items = find_items(embedded_facts(), topic)  # type: ignore[arg-type]
    assert len(items) >= 20
    assert len({item.subject for item in items}) == len(items)


@pytest.mark.parametrize("topic", [name for name, relation in relations().items() if relation.listed])
def test_a_number_is_counted_among_right_and_surely_wrong_ones(topic: str) -> None:
    found = embedded_facts()
    items = find_items(found, TOPICS[topic])
    for item in items:
        assert len(set(item.listed)) == len(item.listed) == LISTED
        assert item.count == len(set(item.listed) & set(item.answers)) >= 1
        wrong = set(item.listed) - set(item.answers)
        if relations()[topic].distractors:
            assert wrong <= set(relations()[topic].distractors)
            continue
        continent = set(found.objects(item.subject, "P30"))
        for entity in wrong:
            (country,) = found.objects(entity, relations()[topic].property)
            assert continent.isdisjoint(found.objects(country, "P30"))
    assert len({item.count for item in items}) > 2


def test_no_polyglot_speaks_a_distractor() -> None:
    spoken = {triple.object for triple in embedded_facts().with_property("P1412")}
    assert spoken.isdisjoint(relations()["polyglot_celebs"].distractors)
    assert set(relations()["polyglot_celebs"].distractors) <= set(embedded_facts().entities)


@pytest.mark.parametrize(
    ("entity", "lang", "belongs"),
    [
        ("Q38", "it", True),
        ("Q43", "it", False),
        ("Q43", "tr", True),
        ("Q220", "it", True),  # Rome
        ("Q256", "tr", True),  # Turkish
        ("Q142", "it", False),  # France, a neighbor
    ],
)
def test_what_belongs_to_the_country(entity: str, lang: str, belongs: bool) -> None:
    assert belongs_to_the_country(embedded_facts(), entity, lang) is belongs
