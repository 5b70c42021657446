"""The official files: what they hold, and their faults one by one."""

from __future__ import annotations

import json
import logging
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from crossfact.fiber.documents import Document, Documents
from crossfact.fiber.official_files import read_official
from crossfact.fiber.topics import TOPICS, Topic
from crossfact.utils.errors import UserError
from crossfact.utils.languages import FIBER_LANGUAGES
from tests.shared import shared_path

NEIGHBORS = TOPICS["countries_neighbors"]
CITIES = TOPICS["capital_cities"]


def write_topic(root: Path, topic: Topic, lang: str, rows: list[dict[str, Any]], bom: str = "") -> None:
    """Write a small topic in the official layout: the same rows in every file."""
    folder = root / f"{'multi' if topic.multi else 'single'}_entity" / topic.name
    folder.mkdir(parents=True)
    for form in ("0_0", "0_1", "1", "2", "3") if lang == "tr" else ("0", "1", "2", "3"):
        text = bom + json.dumps(rows, ensure_ascii=False)
        (folder / f"{topic.name}_{lang}_{form}.json").write_text(text, encoding="utf-8")


def row(*entities: str, count: int | str = 1, answer: str = " 2") -> dict[str, Any]:
    return {"query": "q", "answer": answer, "sub": " s ", "count": count, "list": list(entities)}


def choice_texts(document: Document) -> list[str]:
    return [document["choices"][index] for index in document["gold"]]


def test_rows_stand_together_and_surfaces_belong_to_a_file(tmp_path: Path) -> None:
    rows = [{"query": f"{n} è", "answer": f" {n}", "sub": n, "en_sub": n} for n in ("a", "b")]
    write_topic(tmp_path, CITIES, "it", rows, bom="\ufeff")
    documents = read_official(tmp_path, CITIES, "it")
    assert [document["id"] for document in documents] == [
        "capital_cities_it_0:0",
        "capital_cities_it_1:0",
        "capital_cities_it_0:1",
        "capital_cities_it_1:1",
    ]
    assert [document["item"] for document in documents] == [f"capital_cities:{n}" for n in (0, 0, 1, 1)]
    assert [document["query"] for document in documents] == ["sc", "qa", "sc", "qa"]
    assert documents[2]["choices"] == [" a", " b"]
    assert choice_texts(documents[2]) == [" b"]
    assert documents[0]["choices"] is documents[2]["choices"]


def test_lists_hold_and_are_mended(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rows = [
        row("\nMaropa", "  Quechua", " Quechua", answer=" 3", count="3"),
        row(" quechua", " Quéchua", " Maropa", answer=" 3", count=3),
        row(" Oslo", " Bergen", answer=" 2", count=2),
    ]
    write_topic(tmp_path, NEIGHBORS, "en", rows)
    with caplog.at_level(logging.INFO, "lm_eval.crossfact.fiber"):
        documents = read_official(tmp_path, NEIGHBORS, "en")
    by_id = {document["id"]: document for document in documents}
    first = by_id["countries_neighbors_en_0:0"]
    # case and accents make another entity, white space does not
    assert first["choices"] == [" Maropa", " Quechua", " quechua", " Quéchua", " Oslo", " Bergen"]
    assert choice_texts(first) == [" Maropa", " Quechua"]
    counts = [choice_texts(by_id[f"countries_neighbors_en_2:{number}"]) for number in range(3)]
    assert counts == [[" 2"], [" 3"], [" 2"]]
    assert len(caplog.records) == 1
    assert "12 prompts; 4 choices with other white space" in caplog.text
    assert "2 counts that disagree with their list; 2 lists with an entity twice" in caplog.text


def test_as_published_nothing_is_mended(tmp_path: Path) -> None:
    rows = [row("\nMaropa", " Maropa", " Maropa", answer=" 3"), row(" Oslo", answer=" 1")]
    write_topic(tmp_path, NEIGHBORS, "en", rows)
    documents = read_official(tmp_path, NEIGHBORS, "en", as_published=True)
    assert documents[0]["choices"] == ["\nMaropa", " Maropa", " Oslo"]
    assert choice_texts(documents[2]) == [" 3"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "holds no rows"),
        ("", "cannot read"),
        ("{", "cannot read"),
        ('[{"query": "q", "sub": "s"}]', "row 0 has no field 'answer'"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, content: str, message: str) -> None:
    write_topic(tmp_path, CITIES, "en", [{"query": "q", "answer": " a", "sub": "s"}])
    (tmp_path / "single_entity/capital_cities/capital_cities_en_1.json").write_text(content)
    with pytest.raises(UserError, match=f"(?=.*capital_cities_en_1).*{message}"):
        read_official(tmp_path, CITIES, "en")


def test_a_count_that_no_row_gives_is_refused(tmp_path: Path) -> None:
    write_topic(tmp_path, NEIGHBORS, "en", [row(" a", " a", answer=" 2"), row(" b", " c", answer=" 2")])
    with pytest.raises(UserError, match="countries_neighbors_en_2:0: the gold answer '1' is not in the surface set"):
        read_official(tmp_path, NEIGHBORS, "en")


def test_files_of_different_length_are_refused(tmp_path: Path) -> None:
    write_topic(tmp_path, CITIES, "en", [{"query": "q", "answer": " a", "sub": "s"}])
    short = tmp_path / "single_entity/capital_cities/capital_cities_en_1.json"
    short.write_text(json.dumps(2 * json.loads(short.read_text())))
    with pytest.raises(UserError, match=r"differ in length: \[1, 2\] rows"):
        read_official(tmp_path, CITIES, "en")


@pytest.fixture(scope="module")
def official() -> dict[tuple[str, str], Documents]:
    folder = shared_path("data", "fiber_official")
    return {
        (topic.name, lang): read_official(folder, topic, lang) for topic in TOPICS.values() for lang in FIBER_LANGUAGES
    }


def test_all_prompts_and_pairs_are_there(official: dict[tuple[str, str], Documents]) -> None:
    documents = [document for of_task in official.values() for document in of_task]
    assert len(documents) == 14_281
    assert sum(len(document["choices"]) for document in documents) == 1_072_628
    assert len({document["id"] for document in documents}) == 14_281


def test_every_choice_has_exactly_one_leading_space(official: dict[tuple[str, str], Documents]) -> None:
    for documents in official.values():
        for choices in {id(document["choices"]): document["choices"] for document in documents}.values():
            assert all(choice[0] == " " and choice[1:].strip() == choice[1:] for choice in choices)
            assert len(set(choices)) == len(choices)


def test_prompts_end_without_white_space(official: dict[tuple[str, str], Documents]) -> None:
    prompts = [document["prompt"] for documents in official.values() for document in documents]
    assert all(prompt == prompt.rstrip() for prompt in prompts)


def test_rows_are_aligned_across_languages(official: dict[tuple[str, str], Documents]) -> None:
    """By the Italian rows' English subject, and by country codes, which are the same everywhere."""
    folder = shared_path("data", "fiber_official")
    for topic in TOPICS.values():
        kind = "multi" if topic.multi else "single"
        path = folder / f"{kind}_entity/{topic.name}/{topic.name}_it_0.json"
        italian = json.loads(path.read_text(encoding="utf-8-sig"))
        english = [d["subject"] for d in official[topic.name, "en"] if d["id"].startswith(f"{topic.name}_en_0:")]
        named = [(row.get("en_sub") or row.get("sub_en")).strip() for row in italian]
        assert named == english
    english, turkish = (
        [choice_texts(d)[0].split("'")[0] for d in official["ccTLD", lang] if d["query"] == "qa"]
        for lang in ("en", "tr")
    )
    assert english == turkish


def test_known_faults(official: dict[tuple[str, str], Documents]) -> None:
    zones = {document["id"]: document for document in official["countries_timezones", "en"]}
    mexico = next(d for d in zones.values() if d["subject"] == "Mexico" and d["query"] == "sc")
    assert len(mexico["gold"]) == 3
    count = zones[mexico["id"].replace("_0:", "_2:")]
    assert choice_texts(count) == [" 3"]
    assert {" UTC+07:00", " UTC-07:00"} <= set(mexico["choices"])
    faulty = Counter(d["id"].split(":")[0] for d in official["polyglot_celebs", "tr"] if d["fault"])
    assert faulty == {"polyglot_celebs_tr_2": 71}
    sites = Counter(d["prompt"] for d in official["locations_of_sites", "en"] if d["query"] == "sc")
    assert sum(number - 1 for number in sites.values()) == 5
