"""Bengali: case endings by the final sound.

| filter | examples |
| --- | --- |
| `gen` | ফ্রান্সের, ইতালির, কানাডার, মুম্বাইয়ের, হংকংয়ের, .bd-এর |
| `loc` | ফ্রান্সে, ইতালিতে, কানাডায়, মুম্বাইয়ে, .bd-এ |
| `acc` | ফ্রান্সকে, রবীন্দ্রনাথকে, UNESCO-কে |

The ending joins the label; after another script, a digit or a sign it stands after a hyphen.
"""

from __future__ import annotations

from collections.abc import Callable

from crossfact.utils.grammar.nouns import Noun

_NUKTA = "়"  # the dot of ড় ঢ় য়, which belongs to the consonant before it
_CONSONANTS = frozenset(chr(c) for c in range(0x0995, 0x09BA)) | {"ড়", "ঢ়", "য়"}
_A = "াআ"
_OTHER_VOWELS = "িীুূৃেোএওঅঋ"
_GLIDED = "ইঈউঊৈৌঐঔং"  # a vowel letter of its own, a diphthong or ং: য় stands before the ending


def _last(label: str) -> str:
    text = label.rstrip("ঁ")
    return text[-2:-1] if text.endswith(_NUKTA) else text[-1:]


def _ending(label: Noun, *, consonant: str, a: str, vowel: str, glided: str, other: str) -> str:
    last = _last(label)
    if last in _CONSONANTS:
        return label + consonant
    if last and last in _A:
        return label + a
    if last and last in _OTHER_VOWELS:
        return label + vowel
    if last and last in _GLIDED:
        return label + glided
    return f"{label}-{other}"


def gen(label: Noun) -> str:
    """Of: `ফ্রান্সের`, `ইতালির`, `কানাডার`."""
    return _ending(label, consonant="ের", a="র", vowel="র", glided="য়ের", other="এর")


def loc(label: Noun) -> str:
    """In: `ফ্রান্সে`, `ইতালিতে`, `কানাডায়`."""
    return _ending(label, consonant="ে", a="য়", vowel="তে", glided="য়ে", other="এ")


def acc(label: Noun) -> str:
    """Direct object, or to: `রবীন্দ্রনাথকে`."""
    return _ending(label, consonant="কে", a="কে", vowel="কে", glided="কে", other="কে")


FILTERS: dict[str, Callable[..., str]] = {"gen": gen, "loc": loc, "acc": acc}
