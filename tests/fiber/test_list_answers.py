"""Reading lists, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from crossfact.fiber.list_answers import Listed, canonical, listed, read_list

ITALIAN: dict[str, Any] = {
    "lang": "it",
    "names": [
        ["la Francia"],
        ["la Svizzera"],
        ["l'Austria"],
        ["la Bosnia ed Erzegovina", "Bosnia"],
        ["Paesi Bassi", "Olanda"],
    ],
    "gold": [0, 1, 2],
}


@pytest.mark.parametrize(
    ("response", "entities"),
    [
        ("Francia\nSvizzera\nAustria", [0, 1, 2]),
        ("- la Francia\n- **Svizzera**\n* l’Austria.", [0, 1, 2]),
        ("1. Francia\n2) Austria\n**3. Svizzera**", [0, 2, 1]),
        ("Ecco i paesi:\n\nFrancia\nFRANCIA\nfrancia", [0]),
        ("Francia, Svizzera e Austria", [0, 1, 2]),
        ("Francia, Marte, e Austria", [0, None, 2]),
        ("Francia (a ovest)\nAustria: a nord\nSvizzera – a nord", [0, 2, 1]),
        ("Bosnia ed Erzegovina", [3]),
        ("Bosnia\nla Bosnia ed Erzegovina", [3]),
        ("Olanda\nFrancia", [4, 0]),
        ("San Marino\nsan marino.\nMalta", [None, None]),
        ("Non lo so, mi dispiace.", [None]),
        ("<think>Francia\nAustria</think>\nSvizzera", [1]),
        ("<think>Francia\nAustria", []),
        ("\n---\n", []),
        ("", []),
        (None, []),
    ],
)
def test_lists(response: str | None, entities: list[int | None]) -> None:
    assert read_list(response, ITALIAN).entities == entities


def test_what_is_logged_can_be_read_again() -> None:
    (line,) = listed([["Francia\nAtlantide"]], [ITALIAN])
    assert Listed.loads(line) == Listed(["Francia", "Atlantide"], [0, None])


def test_thinking_that_never_ended() -> None:
    assert read_list("<think>Francia", ITALIAN).unfinished
    assert not read_list("", ITALIAN).unfinished
    assert not read_list("<think>x</think>Francia", ITALIAN).unfinished


def test_a_name_of_two_entities_is_the_right_one() -> None:
    doc = {"lang": "en", "names": [["Georgia (state)", "Georgia"], ["Georgia"]], "gold": [1]}
    assert read_list("Georgia", doc).entities == [1]
    assert read_list("Georgia", {**doc, "gold": [0]}).entities == [0]


@pytest.mark.parametrize(
    ("one", "other", "lang"),
    [
        ("UTC+3", "UTC+03:00", "tr"),
        ("GMT +5:30", "UTC+05:30", "en"),
        ("UTC−04:00", "UTC-4", "en"),
        ("UTC", "UTC+00:00", "it"),
        ("UTC±00:00", "GMT+0", "it"),
        ("İtalya'dır", "İtalya", "tr"),
        ("Roma’dır.", "roma", "tr"),
        ("The Netherlands", "Netherlands", "en"),
        ("12. 26", "26", "en"),
    ],
)
def test_equal_names(one: str, other: str, lang: str) -> None:
    assert canonical(one, lang) == canonical(other, lang)


def test_different_names() -> None:
    assert canonical("UTC+03:00", "en") != canonical("UTC+03:30", "en")
    assert canonical("UTC+3", "en") != canonical("UTC-3", "en")
    assert canonical("26", "en") != canonical("27", "en")
    assert canonical("la", "it") != ""
