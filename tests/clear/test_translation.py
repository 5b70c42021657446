from __future__ import annotations

import json
from pathlib import Path

import pytest

from crossfact.clear.agreement import take_sides
from crossfact.clear.conflictqa import read_records
from crossfact.clear.translation import matched_truth, prompt, translate, version_from
from crossfact.utils.llm import UnusableError
from tests.clear.conflict_records import POPQA, STRATEGYQA, in_other_words, translator, write_records
from tests.loopback import Loopback


@pytest.fixture
def pop(tmp_path: Path):
    (record,) = read_records(write_records(tmp_path / "pop.json", POPQA))
    return take_sides(record, "popqa")


@pytest.fixture
def strategy(tmp_path: Path):
    (record,) = read_records(write_records(tmp_path / "strategy.json", STRATEGYQA))
    return take_sides(record, "strategyqa")


def test_prompt_calls_the_right_side_memory(pop) -> None:
    shown = json.loads(prompt(pop, "de")[prompt(pop, "de").index("{") :])
    assert shown["matched_truth"] == "Porto" == matched_truth(pop)
    assert shown["memory_answer"] == POPQA["counter_answer"]
    assert shown["counter_memory_aligned_evidence"] == POPQA["parametric_memory_aligned_evidence"]
    assert prompt(pop, "de").startswith("Translate the following JSON object into German.\nCRITICAL INSTRUCTION")
    assert "- ground_truth (list)\n" in prompt(pop, "de")


def test_strategyqa_has_no_constraint_on_entities(strategy) -> None:
    assert "matched_truth" not in prompt(strategy, "de")


def test_answers_become_versions(pop, strategy) -> None:
    version = version_from(pop, "de", translator(prompt(pop, "de")))
    assert version.answers == ("Portoum", "Oportoum")
    assert version.counter == in_other_words(POPQA["parametric_memory_aligned_evidence"])
    version = version_from(strategy, "de", translator(prompt(strategy, "de")))
    assert (version.answers, version.counter_answer) == (("falsch",), ("wahr",))


def _changed(record, **fields: object) -> str:
    said = translator(prompt(record, "de"))
    given = json.loads(said[said.index("{") : said.rindex("}") + 1])
    return json.dumps({**given, **fields})


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"question": None}, "question is missing or empty"),
        ({"counter_answer": " "}, "counter_answer is missing or empty"),
        ({"ground_truth": "Portoum"}, "ground_truth is no list of texts"),
        ({"ground_truth": ["…"]}, "no gold answer is left"),
        ({"ground_truth": ["Anderswo"]}, "entity rule: none in the support evidence"),
        (
            {"counter_memory_aligned_evidence": "Eine Tafel in Portoum erinnert daran."},
            "entity rule: the gold answer in the counter evidence",
        ),
        ({"counter_answer": in_other_words(POPQA["counter_answer"])}, "both answers became the same"),
        (
            {"parametric_memory_aligned_evidence": POPQA["counter_memory_aligned_evidence"]},
            "parametric_memory_aligned_evidence is still in English",
        ),
    ],
)
def test_what_is_not_whole_or_faithful_is_refused(pop, fields: dict[str, object], problem: str) -> None:
    with pytest.raises(UnusableError) as refused:
        version_from(pop, "de", _changed(pop, **fields))
    assert str(refused.value) == problem


@pytest.mark.parametrize("answer", ["", "no", "{", "[1]", '{"a": ', "<think>{}</think>"])
def test_answers_without_an_object_are_refused(pop, answer: str) -> None:
    with pytest.raises(UnusableError, match="no JSON object"):
        version_from(pop, "de", answer)


def test_an_item_that_fails_in_one_language_is_left_out_of_all(
    pop, strategy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CROSSFACT_CACHE", str(tmp_path))

    def answer(asked: str) -> str:
        return "I would rather not." if "into Icelandic" in asked and "Lopes" in asked else translator(asked)

    with Loopback(answer) as server:
        done = translate([pop, strategy], ["en", "de", "is"], "local-chat-completions", server.model_args())
    assert [item.id for item in done.items] == [strategy.id]
    assert set(done.items[0].languages) == {"en", "de", "is"}
    assert done.left_out == {"not translated into is: no JSON object": [pop.id]}
    assert len(server.requests) == 4 + 2  # each once, and the one that failed twice more
