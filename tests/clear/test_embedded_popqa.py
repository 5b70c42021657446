from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from crossfact.clear.embedded_popqa import build, popqa_items, templates
from crossfact.clear.items import Item, Version, entity_presence, item_record, parse_item
from crossfact.clear.popqa_choice import Chooser, read_selection
from crossfact.utils.answers import occurs
from crossfact.utils.errors import UserError
from crossfact.utils.facts import Facts, embedded_facts
from crossfact.utils.languages import CLEAR_LANGUAGES


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return popqa_items()


def _versions(items: list[Item]) -> list[tuple[str, str, Version]]:
    return [(item.id, lang, version) for item in items for lang, version in item.languages.items()]


def test_there_are_enough_items_of_many_properties_in_every_language(items: list[Item]) -> None:
    assert len(items) >= 200
    assert len({item.id for item in items}) == len(items)
    assert all(tuple(item.languages) == tuple(CLEAR_LANGUAGES) for item in items)
    share = Counter(item.id.split(":")[0] for item in items)
    assert len(share) >= 12
    assert max(share.values()) <= len(items) / 8


def test_items_keep_the_entity_presence_rule_and_state_the_wrong_answer(items: list[Item]) -> None:
    for item in items:
        assert entity_presence(item) == {}
        assert parse_item(item_record(item), item.id) == item
    for item_id, lang, version in _versions(items):
        assert any(occurs(name, version.counter, lang) for name in version.counter_answer), (item_id, lang)
        assert not any(occurs(name, version.support, lang) for name in version.counter_answer), (item_id, lang)
        told = [name for name in (*version.answers, *version.counter_answer) if occurs(name, version.question, lang)]
        assert not told, (item_id, lang)


def test_the_wrong_answer_is_the_same_in_all_languages_and_wrong(items: list[Item]) -> None:
    facts = embedded_facts()
    for item in items:
        property_id, subject = item.id.split(":", 1)
        named = [
            entity_id
            for entity_id in sorted({triple.object for triple in facts.with_property(property_id)})
            if all(
                facts.has_label(entity_id, lang) and facts.label(entity_id, lang) == version.counter_answer[0]
                for lang, version in item.languages.items()
            )
        ]
        assert len(named) == 1, item.id
        assert named[0] not in facts.objects(subject, property_id)


def test_texts_are_whole_sentences_without_traces_of_templates(items: list[Item]) -> None:
    facts = embedded_facts()
    for item_id, lang, version in _versions(items):
        assert version.question.endswith(("?", "？", "か。")), (item_id, lang)
        for text in (version.question, version.support, version.counter):
            assert not re.search(r"[{}|]|  |\.\.| [.,]|^\s|\s$", text), (item_id, lang, text)
            brand = facts.label(item_id.split(":", 1)[1], lang)  # macOS, eBay
            assert text[0] == text[0].upper() or text.startswith(brand), (item_id, lang, text)
        for text in (version.support, version.counter):
            assert text.endswith((".", "。", "।")), (item_id, lang)
            assert 2 <= len(re.findall(r"[.।](?=\s|$)|。", text)) <= 7, (item_id, lang)


def test_every_property_has_as_many_variants_in_every_language() -> None:
    rules = read_selection().rules
    english = templates("en")
    for lang in CLEAR_LANGUAGES:
        table = templates(lang)
        assert list(table) == list(english)
        assert set(table) == set(rules)
        for property_id, row in table.items():
            assert len(row["evidence"]) == len(english[property_id]["evidence"]) >= 3
            assert len(set(row["evidence"])) == len(row["evidence"])
            assert all("{{ o" in text and "{{ s" in text for text in row["evidence"])
            assert "{{ s" in row["question"]
            assert "{{ o" not in row["question"]


def _shape(template: str) -> re.Pattern[str]:
    """A pattern of all texts that the template makes."""
    return re.compile(".+?".join(map(re.escape, re.split(r"\{\{.*?\}\}", template))))


def test_an_item_takes_the_same_two_variants_in_every_language(items: list[Item]) -> None:
    shapes = {
        lang: {key: [_shape(text) for text in row["evidence"]] for key, row in templates(lang).items()}
        for lang in CLEAR_LANGUAGES
    }
    pairs: Counter[tuple[int, int]] = Counter()
    for item in items:
        drawn = set()
        for lang, version in item.languages.items():
            variants = shapes[lang][item.id.split(":")[0]]
            pro, con = (
                [n for n, shape in enumerate(variants) if shape.fullmatch(text)]
                for text in (version.support, version.counter)
            )
            assert (len(pro), len(con)) == (1, 1), (item.id, lang)
            drawn.add((pro[0], con[0]))
        assert len(drawn) == 1, item.id
        pairs[drawn.pop()] += 1
    assert all(pro != con for pro, con in pairs)
    assert len(pairs) == 6


def test_the_same_facts_in_another_order_give_the_same_items(items: list[Item]) -> None:
    facts = embedded_facts()
    shuffled = Facts(dict(sorted(facts.entities.items(), reverse=True)), facts.triples[::-1], facts.properties)
    assert popqa_items(shuffled) == items


def test_every_fact_becomes_an_item_or_is_counted(items: list[Item]) -> None:
    facts, selection = embedded_facts(), read_selection()
    built = build(facts)
    chooser = Chooser(facts, selection)
    for property_id, rule in selection.rules.items():
        made = sum(item.id.startswith(f"{property_id}:") for item in built.items)
        assert made <= rule.most
        assert made + built.left_out[property_id].total() == len(list(chooser.triples(property_id)))


def test_the_selection_names_facts_that_exist() -> None:
    facts, selection = embedded_facts(), read_selection()
    for property_id, rule in selection.rules.items():
        subjects = {triple.subject for triple in facts.with_property(property_id)}
        assert rule.only <= subjects
    for subject, property_id in selection.left_out:
        assert facts.objects(subject, property_id), (subject, property_id)
    assert selection.kinds.keys() <= facts.entities.keys()


def test_names_that_tell_the_answer_or_are_missing_make_no_item() -> None:
    facts = embedded_facts()
    chooser = Chooser(facts, read_selection())
    capitals = {triple.subject: obstacle for triple, obstacle in chooser.triples("P36")}
    assert capitals["Q96"] == "the answer stands in the subject's name"  # Mexico City
    assert capitals["Q142"] == ""  # Paris
    nameless = replace(facts.entities["Q142"], labels={"en": "France"})
    chooser = Chooser(replace(facts, entities={**facts.entities, "Q142": nameless}), read_selection())
    assert {triple.subject: o for triple, o in chooser.triples("P36")}["Q142"] == "a name is missing in some language"


def test_popularity_comes_from_the_subject() -> None:
    facts = embedded_facts()
    known = replace(facts.entities["Q142"], popularity=123)
    for item in popqa_items(replace(facts, entities={**facts.entities, "Q142": known})):
        assert item.popularity == (
            123 if item.id.endswith(":Q142") else facts.entities[item.id.split(":", 1)[1]].popularity
        )


def test_a_language_without_templates_is_named() -> None:
    with pytest.raises(UserError, match=r"xx\.yaml"):
        templates("xx")
