from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from crossfact.clear.items import Item, entity_presence, item_record, parse_item, read_items, truth, write_items
from crossfact.utils.errors import UserError

RECORD: dict[str, Any] = {
    "id": "france",
    "dataset": "popqa",
    "popularity": 120.5,
    "languages": {
        "en": {
            "question": "What is the capital of France?",
            "answers": ["Paris", "City of Light"],
            "counter_answer": ["Lyon"],
            "support": "France is governed from Paris.",
            "counter": "France is governed from Lyon.",
        },
        "ja": {
            "question": "フランスの首都はどこですか。",
            "answers": "パリ",
            "counter_answer": "フランスの首都はリヨンです。",
            "support": "フランスの首都はパリです。",
            "counter": "フランスの首都はリヨンです。",
        },
    },
}


def changed(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    record = copy.deepcopy(RECORD)
    inner = record
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return record


def test_reads_what_it_wrote(tmp_path: Path) -> None:
    item = parse_item(RECORD, "here")
    assert item.languages["ja"].answers == ("パリ",)
    assert item.languages["ja"].counter_answer == "フランスの首都はリヨンです。"
    write_items(tmp_path, [item])
    assert read_items(tmp_path) == [item]
    assert item_record(read_items(tmp_path)[0])["languages"]["en"] == RECORD["languages"]["en"]


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (("dataset",), "trivia", "popqa or strategyqa"),
        (("popularity",), "many", "popularity must be a number"),
        (("languages",), {}, "languages must map"),
        (("languages", "en", "answers"), [], "answers must be a list"),
        (("languages", "en", "answers"), ["Paris", "。"], "nothing is left"),
        (("languages", "en", "support"), " ", "support must be a text"),
        (("languages", "en", "counter_answer"), 3, "counter_answer must be a list"),
        (("languages", "en", "note"), "x", "unknown field 'note'"),
    ],
)
def test_a_wrong_record_is_named_with_its_place(path: tuple[str, ...], value: Any, complaint: str) -> None:
    with pytest.raises(UserError, match=complaint) as error:
        parse_item(changed(path, value), "items.jsonl, line 7")
    assert "line 7" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_field_is_named() -> None:
    record = copy.deepcopy(RECORD)
    del record["languages"]["ja"]["counter"]
    with pytest.raises(UserError, match=r"item france\), ja: counter is missing"):
        parse_item(record, "x")


def test_read_items_names_file_and_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*items\.jsonl"):
        read_items(tmp_path)
    line = json.dumps(RECORD)
    (tmp_path / "items.jsonl").write_text(line + "\n\n{broken\n")
    with pytest.raises(UserError, match="line 3: not JSON"):
        read_items(tmp_path)
    (tmp_path / "items.jsonl").write_text(f"{line}\n{line}\n")
    with pytest.raises(UserError, match="line 2: the popqa item france stands twice"):
        read_items(tmp_path)
    (tmp_path / "items.jsonl").write_text("\n")
    with pytest.raises(UserError, match="holds no item"):
        read_items(tmp_path)


def test_the_entity_presence_rule() -> None:
    def broken(path: tuple[str, ...], value: Any) -> dict[str, str]:
        return entity_presence(parse_item(changed(path, value), "x"))

    assert broken(("id",), "same") == {}
    assert broken(("languages", "en", "support"), "Parisian rule.") == {"en": "no gold answer in the support evidence"}
    assert broken(("languages", "ja", "counter"), "パリではない。") == {
        "ja": "the gold answer 'パリ' in the counter evidence"
    }
    assert list(broken(("languages", "en", "counter"), "Not the city of light.")) == ["en"]


def test_the_rule_is_for_entities_alone() -> None:
    item: Item = parse_item(changed(("dataset",), "strategyqa"), "x")
    assert entity_presence(item) == {}


def test_truth_is_read_from_the_answers() -> None:
    record = changed(("dataset",), "strategyqa")
    record["languages"]["en"]["answers"] = ["False"]
    record["languages"]["ja"]["answers"] = ["偽"]
    assert truth(parse_item(record, "x")) is False
    assert truth(parse_item(RECORD, "x")) is None
    record["languages"]["ja"]["answers"] = ["真"]
    with pytest.raises(UserError, match="ja: the answer '真' does not agree"):
        truth(parse_item(record, "x"))
    record["languages"]["ja"]["answers"] = ["東京"]
    with pytest.raises(UserError, match="no word for true or false"):
        truth(parse_item(record, "x"))


def test_an_unknown_language_is_named() -> None:
    record = copy.deepcopy(RECORD)
    record["languages"]["xx"] = record["languages"].pop("ja")
    with pytest.raises(UserError, match="'xx' is none of CLEAR's languages"):
        parse_item(record, "x")
