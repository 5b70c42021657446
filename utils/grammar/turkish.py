"""Turkish: case endings, the copula, and the apostrophe before them.

| filter | examples |
| --- | --- |
| `gen` | Türkiye'nin, Paris'in, BMW'nin, Fildişi Sahili'nin, hidrojenin |
| `loc` | Ankara'da, Paris'te, Fildişi Sahili'nde |
| `locki` | Ankara'daki, Paris'teki, Fildişi Sahili'ndeki |
| `abl` | Ankara'dan, Paris'ten, Fildişi Sahili'nden |
| `acc` | Ankara'yı, Paris'i, Fildişi Sahili'ni |
| `dat` | Ankara'ya, Paris'e, Fildişi Sahili'ne |
| `ins` | Ankara'yla, Paris'le |
| `cop` | Ankara'dır, Paris'tir, 8'dir, .tr'dir, UTC+03:00'tür, Apple Inc.'dir, bakırdır, Türkçedir |

The suffix follows the last sound as it is spoken (`turkish_sound`). Names, numbers and abbreviations take an apostrophe
before it; common nouns (elements, currencies, all-lower-case words) and languages in -ca do not. After a possessive
compound (Fildişi Sahili) the case endings begin with n.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from crossfact.utils.grammar.nouns import Noun, data
from crossfact.utils.grammar.turkish_sound import BACK, VOICELESS, VOWELS, lower, spoken

_HIGH = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
_COMMON_TYPES = frozenset({"element", "chemical element", "currency"})
_LANGUAGE_IN_CA = re.compile(r"[cç][ae]$")
# A vowel-final second part of a compound: Kulesi, Adaları, Krallığı; the rest is listed in the data.
_POSSESSIVE = re.compile(r"([aeıioöuü]s[ıiuü]|l[ae]r[ıi]|[aeıioöuü]ğ[ıiuü])$")
_WORDS = re.compile(r"[^\W\d_]+")


@cache
def _words(key: str) -> frozenset[str]:
    return frozenset(data("tr")[key])


def _is_compound(label: Noun) -> bool:
    """Tells whether the label ends in a third-person possessive suffix, which calls for n before a case."""
    words = _WORDS.findall(lower(label))
    if not words or not label[-1:].isalpha():
        return False
    last = words[-1]
    if last.endswith("oğlu") or last in _words("possessive_alone"):
        return True
    if len(words) == 1 or label.type in ("person", "human"):
        return False
    if label.type == "currency":  # Macar forinti, Kenya şilini
        return True
    listed = any(last == word or (len(word) > 3 and last.endswith(word)) for word in _words("possessive"))
    return listed or (last not in _words("not_possessive") and bool(_POSSESSIVE.search(last)))


def _is_common(label: Noun) -> bool:
    """Tells whether suffixes are written without an apostrophe."""
    if not label[-1:].isalpha():
        return False
    if label.type in _COMMON_TYPES:
        return not label.isupper()
    if label.type == "language" and _LANGUAGE_IN_CA.search(label):
        return True
    # Zosa dili, Reichstag binası: the head of the compound is a common noun
    return (label.islower() and label.type is None) or (label.split()[-1].islower() and _is_compound(label))


class _Stem:
    """What a suffix needs to know of the label before it."""

    def __init__(self, label: Noun) -> None:
        sound = spoken(label)
        self.vowel = next((c for c in reversed(sound) if c in VOWELS), "e")
        self.front = sound.endswith("'") or self.vowel not in BACK
        self.ends_in_vowel = sound.rstrip("'")[-1:] in VOWELS
        self.voiceless = sound.rstrip("'")[-1:] in VOICELESS
        self.compound = self.ends_in_vowel and _is_compound(label)
        self.common = _is_common(label)

    @property
    def wide(self) -> str:
        """The a of -da, -dan, -a: a or e."""
        return "e" if self.front else "a"

    @property
    def high(self) -> str:
        """The ı of -ın, -dır, -ı: ı, i, u or ü."""
        high = _HIGH[self.vowel]
        return {"ı": "i", "u": "ü"}.get(high, high) if self.front else high

    @property
    def dental(self) -> str:
        """The d of -da, -dan, -dır: d or t."""
        return "t" if self.voiceless else "d"


def _attach(label: Noun, suffix: str, stem: _Stem) -> str:
    if not stem.common:
        return f"{label}'{suffix}"
    if suffix[0] in VOWELS:
        return _soften(label) + suffix
    return label + suffix


def _soften(label: str) -> str:
    """Voices the last consonant of a common noun before a vowel: arsenik → arseniğ, kükürt → kükürd."""
    word = lower(label)
    last = word.split()[-1]
    softened = data("tr")["softened"].get(last)
    if softened:
        return label[:-1] + softened[-1]
    if len(re.findall("[aeıioöuü]", last)) > 1 and re.search("[aeıioöuü]k$", last):
        return label[:-1] + "ğ"
    return label


def _suffixed(build: Callable[[_Stem], str], doc: str) -> Callable[[Noun], str]:
    def filter_(label: Noun) -> str:
        stem = _Stem(label)
        return _attach(label, build(stem), stem)

    filter_.__doc__ = doc
    return filter_


def _case(after_vowel: str, after_compound: str, stem: _Stem) -> str:
    if stem.compound:
        return after_compound
    return after_vowel if stem.ends_in_vowel else ""


def _locative(s: _Stem) -> str:
    return f"nd{s.wide}" if s.compound else f"{s.dental}{s.wide}"


gen = _suffixed(lambda s: f"{_case('n', 'n', s)}{s.high}n", "Of: `Türkiye'nin`, `hidrojenin`.")
loc = _suffixed(_locative, "In, at: `Ankara'da`, `Fildişi Sahili'nde`.")
locki = _suffixed(lambda s: f"{_locative(s)}ki", "Which is in: `Ankara'daki`.")
abl = _suffixed(lambda s: f"{_locative(s)}n", "From: `Ankara'dan`.")
acc = _suffixed(lambda s: f"{_case('y', 'n', s)}{s.high}", "Direct object: `Ankara'yı`.")
dat = _suffixed(lambda s: f"{_case('y', 'n', s)}{s.wide}", "To: `Ankara'ya`.")
ins = _suffixed(lambda s: f"{_case('y', 'y', s)}l{s.wide}", "With: `Ankara'yla`.")
cop = _suffixed(lambda s: f"{s.dental}{s.high}r", "Is: `Ankara'dır`, `Paris'tir`.")

FILTERS: dict[str, Callable[..., str]] = {
    "gen": gen,
    "loc": loc,
    "locki": locki,
    "abl": abl,
    "acc": acc,
    "dat": dat,
    "ins": ins,
    "cop": cop,
}
