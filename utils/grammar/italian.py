"""Italian: the article, alone and joined to a preposition.

| filter | examples |
| --- | --- |
| `art` | l'Italia, il Canada, gli Stati Uniti, lo zinco, Cuba, Roma |
| `di` | dell'Italia, del Canada, degli Stati Uniti, dello zinco, di Cuba, di Roma |
| `a` | all'Italia, al Canada, agli Stati Uniti, a Cuba, ad Atene |
| `da` | dall'Italia, dal Canada, dagli Stati Uniti, da Cuba |
| `in` | in Italia, in Canada, nel Regno Unito, negli Stati Uniti, a Cuba, in Israele, a Roma, nell'idrogeno |
| `su` | sull'Italia, sul Canada, sugli Stati Uniti, su Cuba |
| `verb("è", "sono")` | the form that agrees with the label: l'Italia è, gli Stati Uniti sono |

Classes in `data/it.yaml`: `m`, `f`, `mp`, `fp`, `none` (no article), `own` (a name that begins with its article: Il
Cairo → del Cairo), `ending` (feminine if the first word ends in -a). With the trait `in: bare` the article is left out
after "in" (in Italia), and with `in: a` it stands after "a" (alle Maldive); otherwise a label with an article is
articulated (nel Regno Unito) and one without takes "a".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from crossfact.utils.grammar.nouns import Noun
from crossfact.utils.grammar.romance import gender, verb

# `lo` and `gli` stand before these sounds: s + consonant, z, gn, ps, pn, pt, x, y, and i + vowel.
_LO = re.compile(r"s[^aeiouh\W]|sh|z|gn|ps|pn|pt|x|y|i[aeou]|j[e]")
_VOWEL = re.compile(r"h?[aeiou](?<!i(?=[aeou]))|h?i(?![aeou])")
_OWN_ARTICLE = re.compile(r"(il|lo|la|l'|l’|i|gli|le)(?:\s+|(?<=['’]))(.+)", re.IGNORECASE | re.DOTALL)


def _plain(text: str) -> str:
    """Returns the text in lower case without accents, signs and quotes before its first letter."""
    base = "".join(c for c in unicodedata.normalize("NFKD", text[:8]) if not unicodedata.combining(c))
    return base.lower().lstrip("«“\"'‘’(.")


def _split(label: Noun) -> tuple[str, str]:
    """Returns the definite article in its full sound form ("" for none) and the rest of the label."""
    class_ = gender(label)
    if class_ == "own" and (match := _OWN_ARTICLE.fullmatch(label)):
        return match[1].lower().replace("’", "'"), match[2]
    sound = _plain(label)
    vowel = _VOWEL.match(sound) is not None
    if class_ == "m":
        return ("l'" if vowel else "lo" if _LO.match(sound) else "il"), str(label)
    if class_ == "f":
        return ("l'" if vowel else "la"), str(label)
    if class_ == "mp":
        return ("gli" if vowel or _LO.match(sound) else "i"), str(label)
    if class_ == "fp":
        return "le", str(label)
    return "", str(label)


def _join(word: str, label: str) -> str:
    return word + label if word.endswith("'") else f"{word} {label}"


# What follows de-, a-, da-, ne-, su- for each article.
_ENDINGS = {"il": "l", "lo": "llo", "la": "lla", "l'": "ll'", "i": "i", "gli": "gli", "le": "lle"}


def _articulated(stem: str, bare: str, label: Noun) -> str:
    article, rest = _split(label)
    if article:
        return _join(stem + _ENDINGS[article], rest)
    return f"{bare} {label}"


def art(label: Noun) -> str:
    """The definite article: `l'Italia`, `gli Stati Uniti`, `Cuba`."""
    article, rest = _split(label)
    if not article or label.class_ == "own":
        return str(label)
    return _join(article, rest)


def di(label: Noun) -> str:
    """Of: `dell'Italia`, `degli Stati Uniti`, `di Cuba`."""
    return _articulated("de", "di", label)


def a(label: Noun) -> str:
    """To, at: `all'Italia`, `agli Stati Uniti`, `a Cuba`, `ad Atene`."""
    bare = "ad" if re.match("h?a", _plain(label)) else "a"
    return _articulated("a", bare, label)


def da(label: Noun) -> str:
    """From, by: `dall'Italia`, `dagli Stati Uniti`, `da Cuba`."""
    return _articulated("da", "da", label)


def in_(label: Noun) -> str:
    """Where something is: `in Italia`, `nel Regno Unito`, `negli Stati Uniti`, `a Cuba`, `a Roma`."""
    if label.traits.get("in") == "bare":
        return f"in {label}"
    article, rest = _split(label)
    if not article or label.class_ == "own" or label.traits.get("in") == "a":
        return a(label)
    return _join("ne" + _ENDINGS[article], rest)


def su(label: Noun) -> str:
    """On, about: `sull'Italia`, `sugli Stati Uniti`, `su Cuba`."""
    return _articulated("su", "su", label)


FILTERS: dict[str, Callable[..., str]] = {
    "art": art,
    "di": di,
    "a": a,
    "da": da,
    "in": in_,
    "su": su,
    "verb": verb,
}
