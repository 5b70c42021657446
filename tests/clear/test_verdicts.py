from __future__ import annotations

from typing import Any

import pytest

from crossfact.clear import filters, verdicts
from crossfact.clear.verdicts import Verdict, chosen

ASKED: dict[str, Any] = {
    "lang": "en",
    "repeats": 1,
    "truth": None,
    "answers": {"en": ["Paris"], "ja": ["パリ"]},
    "counter_answers": {"en": ["Lyon"], "ja": ["リヨン"]},
    "counter_sentence": {"en": False, "ja": False},
}
SENTENCE = {
    **ASKED,
    "counter_answers": {"en": ["The capital of France is Lyon."], "ja": ["フランスの首都はリヨンです。"]},
    "counter_sentence": {"en": True, "ja": True},
}
FALSE = {**ASKED, "truth": False}


@pytest.mark.parametrize(
    ("said", "exact", "contains", "any_language"),
    [
        ("paris.", "right", "right", "right"),
        ("It is Paris", "", "right", ""),
        ("パリ", "", "", "right"),
        ("Lyon", "adopted", "adopted", "adopted"),
        ("Lyon, not Paris", "", "right", ""),
        ("It is Lyon", "", "adopted", ""),
        ("リヨン", "", "", "adopted"),
        ("Nice", "", "", ""),
        ("", "", "", ""),
    ],
)
def test_entities(said: str, exact: str, contains: str, any_language: str) -> None:
    for decide, expected in (
        (verdicts.exact, exact),
        (verdicts.contains, contains),
        (verdicts.any_language, any_language),
    ):
        verdict = decide(ASKED, [said])
        assert (verdict.right, verdict.adopted) == (expected == "right", expected == "adopted")


def test_what_is_said_in_the_counter_sentence_is_adopted() -> None:
    assert verdicts.exact(SENTENCE, ["Lyon"]).adopted
    assert verdicts.contains(SENTENCE, ["Lyon."]).adopted
    assert not verdicts.exact(SENTENCE, ["Lyo"]).adopted
    assert not verdicts.exact(SENTENCE, ["Paris"]).adopted
    assert not verdicts.exact(SENTENCE, [""]).adopted
    assert verdicts.any_language(SENTENCE, ["リヨン"]).adopted


@pytest.mark.parametrize(
    ("said", "exact", "contains"),
    [
        ("False", ("false", True, False), ("false", True, False)),
        ("True.", ("true", False, True), ("true", False, True)),
        ("It is false", ("", False, False), ("false", True, False)),
        ("True or false", ("", False, False), ("", False, False)),
        ("<think>false", ("", False, False, True), ("", False, False, True)),
    ],
)
def test_truth(said: str, exact: tuple[str, bool, bool], contains: tuple[str, bool, bool]) -> None:
    assert verdicts.exact(FALSE, [said]) == Verdict(*exact)
    assert verdicts.contains(FALSE, [said]) == Verdict(*contains)


def test_the_majority_decides_and_of_equals_the_earliest() -> None:
    def vote(*said: str, repeats: int = 3) -> str:
        return chosen({**ASKED, "repeats": repeats}, said)

    assert vote("Lyon", "Paris", "**paris**") == "Paris"
    assert vote("Lyon", "Paris", "Nice") == "Lyon"
    assert vote("Paris", "Lyon", "Lyon", "Paris", "Paris") == "Lyon"  # the last two are padding
    assert verdicts.exact({**FALSE, "repeats": 3}, ["True", "No", "False"]).right


def test_filters_give_lines_that_can_be_read_again() -> None:
    lines = filters.contains([["It is Paris"], ["true"]], [ASKED, FALSE])
    assert [Verdict.loads(line) for line in lines] == [
        Verdict("it is paris", True, False),
        Verdict("true", False, True),
    ]
    assert Verdict.loads(filters.exact([["Paris"]], [ASKED])[0]).right
    assert Verdict.loads(filters.any_language([["パリ"]], [ASKED])[0]).right
