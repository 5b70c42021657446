"""How the end of a label is spoken in Turkish: numbers, letters of abbreviations, foreign spellings."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from crossfact.utils.grammar.nouns import Noun, data

VOWELS = "aeıioöuü"
BACK = "aıou"
VOICELESS = "çfhkpsştcxq"  # a final c or q stands in foreign words only, for k

_UNITS = ["sıfır", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz"]
_TENS = ["", "on", "yirmi", "otuz", "kırk", "elli", "altmış", "yetmiş", "seksen", "doksan"]
_POWERS = {3: "bin", 6: "milyon", 9: "milyar", 12: "trilyon"}
_LETTERS = {letter: letter for letter in VOWELS} | {"q": "kü", "w": "ve", "x": "iks"}
_TIME = re.compile(r"(\d{1,2}):(\d{2})$")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*$")
_LAST_WORD = re.compile(r"[^\W\d_]+$")
_SYLLABLE = re.compile("[^AEIİOÖUÜ][AEIİOÖUÜ][^AEIİOÖUÜ]")  # DAF and ZIL are said as words
_ROMAN = re.compile(r"(X{0,3})(IX|IV|V?I{0,3})$")
_MARKED = {"ø": "ö", "æ": "e", "œ": "ö", "ä": "e", "å": "a", "ł": "l", "đ": "d", "ð": "d", "þ": "t", "ß": "s"}
# The ends of foreign words, as they are spoken: the first that fits is taken.
_ENDINGS = [
    (re.compile(pattern), end)
    for pattern, end in [
        (r"(e?aux?|eault|ault|eaut)$", "o"),
        (r"oux$", "u"),
        (r"ville$", "vil"),
        (r"bridge$", "brij"),
        (r"stone$", "ston"),
        (r"more$", "mor"),
        (r"shire$", "şır"),
        (r"house$", "haus"),
        (r"stein$", "ştayn"),
        (r"heim$", "haym"),
        (r"burgh$", "burg"),
        (r"([bcdfgkpt])le$", "ıl"),
        (r"ew$", "uv"),
        (r"(?<=[bcdfghjklmnprstvz])y$", "i"),
    ]
]


def lower(text: str) -> str:
    """Lower case with the Turkish pairs I–ı and İ–i."""
    return text.replace("İ", "i").replace("I", "ı").lower()


def _lower_word(word: str) -> str:
    """Lower case; the I of an acronym in plain Latin letters is an i (FIFA), that of a Turkish word an ı (Irmak)."""
    return word.lower() if word.isascii() and sum(map(str.isupper, word)) > 1 else lower(word)


@cache
def _said(key: str) -> dict[str, str]:
    return dict(data("tr")[key])


def _number(digits: str) -> str:
    """Returns the last word of a whole number: 8 → sekiz, 30 → otuz, 2000 → bin."""
    digits = digits.lstrip("0") or "0"
    zeros = len(digits) - len(digits.rstrip("0"))
    if digits == "0" or zeros == 0:
        return _UNITS[int(digits[-1])]
    if zeros == 1:
        return _TENS[int(digits[-2])]
    if zeros == 2:
        return "yüz"
    return _POWERS.get(zeros - zeros % 3, "katrilyon")


def _numeral(text: str) -> str | None:
    """Returns how a number at the end of the text is spoken; a full hour (03:00) is spoken by its hour."""
    if time := _TIME.search(text):
        return _number(time[1] if int(time[2]) == 0 else time[2])
    if not (found := _NUMBER.search(text)):
        return None
    groups = re.split("[.,]", found[0])
    if len(groups) > 1 and all(len(group) == 3 for group in groups[1:]):
        return _number("".join(groups))
    return _number(groups[-1])


def _letter(letter: str) -> str:
    """Returns the name of a letter: b → be, x → iks."""
    return _LETTERS.get(letter, letter + "e")


def _roman(word: str) -> str | None:
    match = _ROMAN.fullmatch(word)
    if not match or not word:
        return None
    unit = {"IX": 9, "IV": 4}.get(match[2], 5 * match[2].count("V") + match[2].count("I"))
    return _number(str(10 * len(match[1]) + unit))


def _is_spelled(word: str, before: str, type_: str | None) -> bool:
    """Tells whether the letters are named one by one: BMW, .tr, the symbol Ag."""
    if not any(_plain(c) in VOWELS + "y" for c in word.lower()):
        return True
    if before == "." or (len(word) <= 3 and type_ in ("literal", "symbol")):
        return True
    return word.isupper() and len(word) <= 3 and not _SYLLABLE.fullmatch(word)


def _plain(letter: str) -> str:
    if letter in VOWELS + "çşğ":
        return letter
    return _MARKED.get(letter) or unicodedata.normalize("NFD", letter)[0]


def _foreign(word: str) -> str:
    """Rewrites a word so that its last sounds stand as Turkish writes them."""
    for pattern, end in _ENDINGS:
        if pattern.search(word):
            return pattern.sub(end, word)
    # y between consonants is a vowel: Lynch
    return re.sub(rf"(?<![{VOWELS}])y(?![{VOWELS}])", "i", word)


def spoken(label: Noun) -> str:
    """Returns the last word of the label in Turkish sounds, in lower case.

    An apostrophe at the end says that the word takes front vowels against its last vowel (saat').
    """
    text = unicodedata.normalize("NFC", label).rstrip()
    if symbol := _said("symbols").get(text[-1:]):
        return symbol
    while text and not text[-1].isalnum():
        text = text[:-1]
    text = re.sub("['’]s$", "s", text)  # McDonald's
    if numeral := _numeral(text):
        return numeral
    found = _LAST_WORD.search(text)
    if not found:
        return "e"
    word = found[0]
    before = text[: -len(word)]
    if before.endswith(" ") and (roman := _roman(word)):
        return roman
    for key in (lower(text), word, lower(word), word.lower()):
        if said := _said("pronunciations").get(key):
            return said
    if _is_spelled(word, before, label.type):
        return _letter(_plain(word[-1].lower()[0]))
    plain = "".join(_plain(c) for c in _lower_word(word))
    return plain if word[-1] in "éèêë" else _foreign(plain)  # a written accent is spoken: Nestlé
