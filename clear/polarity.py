"""Which of two contradicting English sentences says yes to a question?

ConflictQA's StrategyQA answers are whole sentences ("Telescopes cannot hear noise."), while the right answer is true or
false. The two sentences of an item contradict each other, so one of them says yes. Three signs tell which: a bare
"False."; a denial in one of them and not in the other; and, where neither denies, the words that only one of them has
in common with the question. Where the signs are silent or contradict each other, nothing is decided.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import yaml

from crossfact.utils.answers import truth_value

_WORDS = Path(__file__).parent / "data" / "denials.yaml"
_OPENING = 12  # words in which a refusal shows
_BARE = 4  # a bare answer, such as "False." or "Yes, it is true.", has no more words


def says_yes(question: str, sentence: str, other: str) -> bool | None:
    """Return whether `sentence` says yes to `question`, given that `other` says the opposite.

    Returns:
        True or False, or None where it cannot be told.
    """
    bare, other_bare = _bare(sentence), _bare(other)
    if bare is not None or other_bare is not None:
        if bare is not None and bare is other_bare:
            return None
        return bare if bare is not None else not other_bare
    denies, other_denies = _denials(sentence), _denials(other)
    # "Is it not …?" is answered yes by a sentence that denies.
    if (denies - other_denies) % 2:
        return (denies - _denials(question)) % 2 == 0
    return None if denies else _closer(question, sentence, other)


def is_refusal(text: str) -> bool:
    """Whether a text begins by refusing to answer, or by saying that there is no answer."""
    start = " ".join(_tokens(text)[:_OPENING])
    return any(" ".join(_tokens(phrase)) in start for phrase in _words()["refusals"])


def takes_itself_back(answer: str) -> bool:
    """Whether an answer goes on to say that it is not true."""
    return any(phrase in answer.lower() for phrase in _words()["second_thoughts"])


def _bare(sentence: str) -> bool | None:
    """Return what a sentence says in so many words: all of it, or the word before its first punctuation mark."""
    if start := re.match(r"\s*(true|false|yes|no)\b\s*[.,:;!]", sentence.lower()):
        return start[1] in ("true", "yes")
    return truth_value(sentence, "en") if len(sentence.split()) <= _BARE else None


def _denials(sentence: str) -> int:
    """Return how often a sentence denies: "n't" and whole words of the table, less those that only look like it."""
    text = " ".join(_tokens(sentence))
    for phrase in _words()["no_denials"]:
        text = re.sub(rf"\b{phrase}\b", " ", text)
    return len(re.findall(rf"\b(?:{'|'.join(_words()['denials'])})\b|n't\b", text))


def _closer(question: str, sentence: str, other: str) -> bool | None:
    """Return whether only `sentence` has words of the question that its counterpart lacks; None if both or neither."""
    asked = set(_tokens(question)) - set(_words()["common"])
    mine, theirs = set(_tokens(sentence)), set(_tokens(other))
    mine, theirs = asked & (mine - theirs), asked & (theirs - mine)
    return None if bool(mine) is bool(theirs) else bool(mine)


def _tokens(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower().replace("’", "'"))


@cache
def _words() -> dict[str, list[str]]:
    table: dict[str, list[str]] = yaml.safe_load(_WORDS.read_text(encoding="utf-8"))
    return table
