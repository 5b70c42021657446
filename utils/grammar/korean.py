"""Korean: particles and the copula, by the final sound of the label.

| filter | examples |
| --- | --- |
| `topic` | 서울은, 파리는 |
| `subj` | 서울이, 파리가 |
| `obj` | 서울을, 파리를 |
| `and` | 서울과, 파리와 |
| `ro` | 부산으로, 서울로, 파리로 |
| `cop` | 서울이다, 파리다 |
| `copf` | 서울입니다, 파리입니다 |
| `called` | 서울이라는, 파리라는 |
| `conn` | 서울이며, 파리며 (and is) |

`particle("이나", "나")` joins any other pair: the first form follows a consonant, the second a vowel. Signs and
brackets at the end are not spoken: 『토지』는. Numbers, single letters and acronyms are spoken in Korean: 8은, 2는,
FBI는, CNN은.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from enum import Enum

from crossfact.utils.grammar.nouns import Noun, data


class Final(Enum):
    """What the last syllable ends in."""

    VOWEL = "vowel"
    RIEUL = "ㄹ"
    CONSONANT = "consonant"


_RIEUL = 8  # the index of ㄹ among the finals of a Hangul syllable
# Final sounds of the digits, and of the powers of ten after a 0 (십, 백, 천, 만, 억, 조).
_DIGITS = {
    "0": Final.CONSONANT,
    "1": Final.RIEUL,
    "2": Final.VOWEL,
    "3": Final.CONSONANT,
    "4": Final.VOWEL,
    "5": Final.VOWEL,
    "6": Final.CONSONANT,
    "7": Final.RIEUL,
    "8": Final.RIEUL,
    "9": Final.VOWEL,
}
_TRILLION_ZEROS = 12
# Letters whose Korean names end in a consonant: 엘, 알 in ㄹ; 엠, 엔 in others. The rest end in a vowel.
_LETTERS = {"l": Final.RIEUL, "r": Final.RIEUL, "m": Final.CONSONANT, "n": Final.CONSONANT}
# Last letters of Latin words whose sound closes the syllable: Bill 빌, Kim 킴, Jackson 잭슨, Hong Kong 홍콩, Rock 록.
_WORD_ENDINGS = [
    (re.compile(pattern), final)
    for pattern, final in [
        (r"(ll?|le)$", Final.RIEUL),
        (r"(m|n|ng|me|ne)$", Final.CONSONANT),
        (r"(?<=[aeiou])(ck|k|p|t|c|pe|te|ke|que)$", Final.CONSONANT),
    ]
]
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*$")
_TIME = re.compile(r"[0-9]:[0-9]{2}$")
_LATIN = re.compile(r"[A-Za-z]+$")


def _number(digits: str) -> Final:
    if digits.strip("0") == "" or digits[-1] != "0":
        return _DIGITS[digits[-1]]
    zeros = len(digits) - len(digits.rstrip("0"))
    return Final.VOWEL if zeros >= _TRILLION_ZEROS and zeros % 4 == 0 else Final.CONSONANT


def _latin(word: str) -> Final:
    known = data("ko")["pronunciations"].get(word.lower())
    if known:
        return _syllable(known[-1])
    if word.isupper() or len(word) == 1 or not re.search("[aeiouy]", word.lower()):
        return _LETTERS.get(word[-1].lower(), Final.VOWEL)
    for pattern, final in _WORD_ENDINGS:
        if pattern.search(word.lower()):
            return final
    return Final.VOWEL


def _syllable(character: str) -> Final:
    index = (ord(character) - ord("가")) % 28
    if index == 0:
        return Final.VOWEL
    return Final.RIEUL if index == _RIEUL else Final.CONSONANT


def _last_digits(text: str) -> str:
    """Returns the digits that are spoken last: 30 of 05:30, 1000 of 1,000, 5 of 3.5."""
    if _TIME.search(text):
        return text[-2:]
    found = _NUMBER.search(text)
    return re.split(r"\.", found[0].replace(",", ""))[-1] if found else ""


def final_sound(label: str) -> Final:
    """Returns what the last spoken syllable of the label ends in; a label without a sound counts as a vowel."""
    text = unicodedata.normalize("NFKC", label)
    without_brackets = re.sub(r"\s*\([^()]*\)\W*$", "", text)
    text = re.sub(r"[\W_]+$", "", without_brackets if re.search(r"\w", without_brackets) else text)
    if not text:
        return Final.VOWEL
    if "가" <= text[-1] <= "힣":
        return _syllable(text[-1])
    if digits := _last_digits(text):
        return _number(digits)
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    latin = _LATIN.search(plain)
    return _latin(latin[0]) if latin else Final.VOWEL


def particle(label: Noun, after_consonant: str, after_vowel: str) -> str:
    """The label with the form of a particle that its final sound takes."""
    return label + (after_vowel if final_sound(label) is Final.VOWEL else after_consonant)


def ro(label: Noun) -> str:
    """To, by, as: `부산으로`, `서울로`, `파리로`."""
    return label + ("으로" if final_sound(label) is Final.CONSONANT else "로")


def _pair(after_consonant: str, after_vowel: str) -> Callable[[Noun], str]:
    return lambda label: particle(label, after_consonant, after_vowel)


FILTERS: dict[str, Callable[..., str]] = {
    "topic": _pair("은", "는"),
    "subj": _pair("이", "가"),
    "obj": _pair("을", "를"),
    "and": _pair("과", "와"),
    "ro": ro,
    "cop": _pair("이다", "다"),
    "copf": lambda label: f"{label}입니다",
    "called": _pair("이라는", "라는"),
    "conn": _pair("이며", "며"),
    "particle": particle,
}
