from __future__ import annotations

from pathlib import Path

import pytest

from crossfact.clear.documents import document, load
from crossfact.clear.items import write_items
from crossfact.utils.errors import UserError
from crossfact.utils.languages import CLEAR_LANGUAGES
from tests.clear.scripted import made_up_items

ITEMS = made_up_items("popqa")
OTHERS = [lang for lang in CLEAR_LANGUAGES if lang != "tr"]


def roles(number: int) -> list[str]:
    return [probe["role"] for probe in document(ITEMS[0], 0, number, "tr", OTHERS, 1)["probes"]]


def test_probes_of_every_task() -> None:
    assert roles(1) == ["memory"]
    assert roles(2) == ["memory", "counter", "support"]
    assert roles(3) == ["memory", *["counter", "support"] * 9]
    assert roles(4) == ["memory"] * 10 + ["pos", "neg"] * 9


def test_task_2_gives_evidence_in_the_query_language() -> None:
    _, counter, support = document(ITEMS[1], 1, 2, "tr", OTHERS, 1)["probes"]
    assert counter["contexts"] == [{"lang_name": "Turkish", "text": "popqa counter 1 tr: Other1tr."}]
    assert support["contexts"] == [{"lang_name": "Turkish", "text": "popqa support 1 tr: Gold1tr."}]


def test_task_3_asks_in_one_language_and_gives_evidence_in_the_others() -> None:
    probes = document(ITEMS[1], 1, 3, "tr", OTHERS, 1)["probes"][1:]
    assert {probe["question"] for probe in probes} == {"popqa 1 tr?"}
    assert [probe["evidence"] for probe in probes] == [lang for lang in OTHERS for _ in range(2)]
    assert all(f" 1 {probe['evidence']}:" in probe["contexts"][0]["text"] for probe in probes)


def test_task_4_asks_memory_in_every_language_and_sets_sources_against_each_other() -> None:
    probes = document(ITEMS[0], 0, 4, "tr", ["en", "de"], 3)["probes"]
    assert [(probe["role"], probe["lang"], probe["repeats"]) for probe in probes[:3]] == [
        ("memory", "tr", 3),
        ("memory", "en", 3),
        ("memory", "de", 3),
    ]
    assert [probe["repeats"] for probe in probes[3:]] == [1, 1, 1, 1]
    for probe in probes[3:]:
        first, second = (context["text"] for context in probe["contexts"])
        support, counter = (first, second) if probe["first"] == "support" else (second, first)
        truthful, false = ("tr", probe["evidence"]) if probe["role"] == "pos" else (probe["evidence"], "tr")
        assert support.startswith(f"popqa support 0 {truthful}:")
        assert counter.startswith(f"popqa counter 0 {false}:")


def test_neither_source_is_favoured_by_its_place() -> None:
    for lang in CLEAR_LANGUAGES:
        others = [other for other in CLEAR_LANGUAGES if other != lang]
        for other in others:
            for role in ("pos", "neg"):
                firsts = [
                    probe["first"]
                    for place, item in enumerate(ITEMS)
                    for probe in document(item, place, 4, lang, others, 1)["probes"]
                    if probe["role"] == role and probe["evidence"] == other
                ]
                assert firsts.count("support") == 2
                assert firsts[0] != firsts[1]


def test_the_same_two_texts_keep_their_order_whichever_language_asks() -> None:
    def order(lang: str, other: str, role: str) -> list[str]:
        probes = document(ITEMS[0], 0, 4, lang, [other], 1)["probes"]
        return [context["text"] for probe in probes if probe["role"] == role for context in probe["contexts"]]

    assert order("tr", "en", "pos") == order("en", "tr", "neg")


def test_load_takes_votes_and_evidence_languages_from_the_metadata(source: Path) -> None:
    splits = load("popqa", 3, "tr", str(source), evidence_languages=["tr", "ja"], memory_votes=5, pretrained="x")
    first = splits["test"][0]
    assert [probe["evidence"] for probe in first["probes"]] == ["", "ja", "ja"]
    assert first["probes"][0]["repeats"] == 5
    assert load("popqa", 1, "tr", str(source))["test"][0]["probes"][0]["repeats"] == 3
    assert load("popqa", 2, "tr", str(source))["test"][0]["probes"][0]["repeats"] == 1
    assert splits.source.name == source.name
    assert splits.source.fingerprint == load("popqa", 1, "en", str(source)).source.fingerprint


def test_a_source_that_lacks_a_language_is_refused(tmp_path: Path) -> None:
    from dataclasses import replace

    english = [replace(item, languages={"en": item.languages["en"]}) for item in ITEMS]
    write_items(tmp_path, english)
    assert len(load("popqa", 2, "en", str(tmp_path))["test"]) == 4
    with pytest.raises(UserError, match=r"no tr for the popqa item popqa-0 \(it has en\)"):
        load("popqa", 2, "tr", str(tmp_path))
    with pytest.raises(UserError, match="clear_popqa_task3_en needs evidence in another language"):
        load("popqa", 3, "en", str(tmp_path))


def test_only_the_query_language_as_evidence_is_refused(source: Path) -> None:
    with pytest.raises(UserError, match="needs evidence in another language than tr"):
        load("popqa", 4, "tr", str(source), evidence_languages=["tr"])
