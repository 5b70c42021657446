"""Reading a model's answer and comparing it with the right one, in many languages and scripts.

A response becomes an answer in these steps: drop the thinking; take the first line that says something; strip
markdown, quotes, an "Answer:"-like label and closing punctuation; then fold (NFKC, case, digits, white space).
The same folding is done to the text that the answer is compared with. All functions are pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

import yaml

_DATA = Path(__file__).parent / "data"

# Written without spaces between words, so that whole tokens cannot be told.
_UNSPACED = ("zh", "ja")

_QUOTES = "\"'`´“”„‟‘’‚‹›«»「」『』《》〈〉【】＂＇｢｣"
_MARKDOWN = "*_~"
# U+FFFD is what a tokenizer leaves of a letter that the limit of new tokens cut in two.
_CLOSING = ".。．｡!！?？,，、､;；:：…।॥‥؟۔\ufffd"
_LEFT = _QUOTES + _MARKDOWN + ":： "
_RIGHT = _QUOTES + _MARKDOWN + _CLOSING + " "
_TYPEWRITER = str.maketrans("’‘ʼ‐", "'''-")
_BULLET = re.compile(r"\A(?:#{1,6}|[-+•‣▪*]|>)\s+")

_DOTTED = re.compile("i\u0307+")
_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OPEN = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_OPEN_AT_END = re.compile(r"<think(?:ing)?>\s*\Z", re.IGNORECASE)
_CLOSE = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


def without_thinking(response: str) -> str | None:
    """Return what a response says outside `<think>…</think>`, or None if the thinking was not finished.

    A chat template may have written the opening tag itself: what stands before a lone closing tag is thinking too.
    """
    rest = _CLOSE.split(_THINKING.sub("", response))[-1]
    return None if _OPEN.search(rest) else rest


def unfinished(response: str | None) -> bool:
    """Return whether a response ends within its thinking."""
    return without_thinking(response or "") is None


def opened_thinking(prompt: str) -> str:
    """Return the tag that a prompt ends with if it begins the model's thinking for it; else nothing."""
    found = _OPEN_AT_END.search(prompt)
    return found[0] if found else ""


def fold(text: str, lang: str) -> str:
    """Return `text` without differences that are only typographic: width, case, digits, invisible marks, spaces.

    Format characters (direction marks, zero-width spaces, soft hyphens) are dropped; combining marks such as Bengali
    vowel signs are kept, for they are letters. Case is folded as `lang` does it: Turkish I is ı.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", "".join(char for char in text if unicodedata.category(char) != "Cf"))
    if lang == "tr":
        text = text.replace("I", "ı").replace("İ", "i")
    text = text.casefold()
    if not text.isascii():
        # Outside Turkish, casefold leaves a dot on the i of İSTANBUL that nobody writes.
        text = unicodedata.normalize("NFKC", _DOTTED.sub("i", text))
        text = "".join(map(_digit, text)).translate(_TYPEWRITER)
    return " ".join(text.split())


def tidy(line: str, lang: str) -> str:
    """Return one line folded and without what surrounds an answer: markdown, quotes, a label, closing punctuation.

    Steps are repeated until nothing changes, so that `tidy(tidy(x)) == tidy(x)` and wrappings may be nested.
    """
    while True:
        before = line
        line = fold(line, lang)
        line = _BULLET.sub("", line, count=1).lstrip(_LEFT)
        line = _label().sub("", line, count=1).rstrip(_RIGHT)
        if line == before:
            return line


def answer(response: str, lang: str) -> str:
    """Return a response's answer, tidied; empty if it has none (nothing said, or thinking that never ended)."""
    return _tidied(first_line(response, lang), lang)


def first_line(response: str, lang: str) -> str:
    """Return the line of a response that holds its answer, as it was written; empty if it has none."""
    lines = (without_thinking(response) or "").splitlines()
    return next((line.strip() for line in lines if _tidied(line, lang)), "")


def exact(response: str, aliases: str | Iterable[str], lang: str) -> bool:
    """Whether the answer equals one of `aliases`; a bare string is one alias, and an empty answer equals none."""
    said = answer(response, lang)
    return bool(said) and any(said == _tidied(alias, lang) for alias in as_aliases(aliases))


def contains(response: str, aliases: str | Iterable[str], lang: str) -> bool:
    """Whether one of `aliases` occurs in the answer: as whole tokens, in Chinese and Japanese as a substring."""
    said = answer(response, lang)
    return bool(said) and any(occurs(alias, said, lang) for alias in as_aliases(aliases))


def occurs(needle: str, text: str, lang: str) -> bool:
    """Whether `needle`, tidied, stands in `text`, folded: as whole tokens, in Chinese and Japanese as a substring.

    A needle of which nothing is left occurs nowhere.
    """
    needle = _tidied(needle, lang)
    text = _folded(text, lang)
    if lang in _UNSPACED:
        return bool(needle) and needle in text
    return bool(needle) and _stands_alone(needle, text)


def truth_value(response: str, lang: str, *, whole: bool = False) -> bool | None:
    """Return whether a response says true or false; None if it says neither, or both.

    Besides the language's own words, English `true` and `false` count: the prompts ask for them in so many letters.

    Args:
        response: what the model wrote.
        lang: the language in which it was to answer.
        whole: the answer must be one such word and nothing else.
    """
    said = answer(response, lang)
    words = _truth_table(lang)
    if whole or said in words:
        return words.get(said)
    found = set()
    for word, value in words.items():  # longest first: "not true" is taken before the "true" in it
        apart = lang in _UNSPACED and len(word) > 1
        if (word in said) if apart else _stands_alone(word, said):
            found.add(value)
            said = said.replace(word, "\n") if apart else _without(word, said)
    return found.pop() if len(found) == 1 else None


def truth_words(lang: str) -> tuple[str, str]:
    """Return the words of a language that stand for true and for false."""
    table = _truth_words()[lang]
    return table[True][0], table[False][0]


def as_aliases(aliases: str | Iterable[str]) -> tuple[str, ...]:
    """Return aliases as a tuple; a bare string is one alias, not its letters."""
    return (aliases,) if isinstance(aliases, str) else tuple(aliases)


def _digit(char: str) -> str:
    return str(unicodedata.decimal(char)) if unicodedata.category(char) == "Nd" else char


def _in_word(char: str) -> bool:
    # `\w` leaves out combining marks, without which a Bengali word would end at its first vowel sign.
    return char == "_" or unicodedata.category(char)[0] in "LMN"


def _places(needle: str, text: str) -> Iterable[int]:
    """Yield where `needle` stands in `text` with no word going on at either end of it."""
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        joined_before = start > 0 and _in_word(text[start - 1]) and _in_word(needle[0])
        joined_after = end < len(text) and _in_word(text[end]) and _in_word(needle[-1])
        if not joined_before and not joined_after:
            yield start
        start = text.find(needle, start + 1)


def _stands_alone(needle: str, text: str) -> bool:
    return any(True for _ in _places(needle, text))


def _without(needle: str, text: str) -> str:
    parts, done = [], 0
    for start in _places(needle, text):
        if start >= done:
            parts.append(text[done:start])
            done = start + len(needle)
    return "\n".join([*parts, text[done:]])


# An alias meets many responses, and a response several filters.
@lru_cache(maxsize=200_000)
def _tidied(text: str, lang: str) -> str:
    return tidy(text, lang)


@lru_cache(maxsize=50_000)
def _folded(text: str, lang: str) -> str:
    return fold(text, lang)


@cache
def _label() -> re.Pattern[str]:
    table = yaml.safe_load((_DATA / "answer_labels.yaml").read_text(encoding="utf-8"))
    colon, spaced, unspaced = (
        "|".join(re.escape(fold(word, "en")) for word in sorted(table[key], key=len, reverse=True))
        for key in ("before_colon", "phrases", "unspaced_phrases")
    )
    gap = r"[\s*_]*"
    return re.compile(rf"\A(?:(?:{colon}){gap}:|(?:{spaced})(?!\w){gap}:?|(?:{unspaced}){gap}:?){gap}")


@cache
def _truth_words() -> dict[str, dict[bool, list[str]]]:
    table: dict[str, dict[bool, list[str]]] = yaml.safe_load((_DATA / "truth_words.yaml").read_text(encoding="utf-8"))
    return table


@cache
def _truth_table(lang: str) -> dict[str, bool]:
    """Return word → value, longest word first."""
    own = _truth_words().get(lang, {})
    table = {"true": True, "false": False}
    table |= {tidy(word, lang): value for value, words in own.items() for word in words}
    return dict(sorted(table.items(), key=lambda pair: (-len(pair[0]), pair[0])))
