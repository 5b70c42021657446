from __future__ import annotations

import pytest

from crossfact.clear.options import evidence_languages, memory_votes
from crossfact.utils.errors import UserError
from crossfact.utils.languages import CLEAR_LANGUAGES


def test_defaults() -> None:
    assert [memory_votes(None, number) for number in (1, 2, 3, 4)] == [3, 1, 1, 1]
    assert evidence_languages(None) == CLEAR_LANGUAGES


def test_what_is_given_wins() -> None:
    assert [memory_votes(votes, 1) for votes in (1, 5)] == [1, 5]
    assert evidence_languages(["de", "en"]) == ("de", "en")


@pytest.mark.parametrize("votes", [0, 2, -1, True, "3", 1.5])
def test_votes_are_odd(votes: object) -> None:
    with pytest.raises(UserError, match="odd number"):
        memory_votes(votes, 2)


@pytest.mark.parametrize(
    ("langs", "complaint"), [("en", "list"), ([], "list"), (["en", "xx"], "'xx' is none of en de")]
)
def test_languages_are_known(langs: object, complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        evidence_languages(langs)
