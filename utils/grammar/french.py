"""French: the article, alone and contracted with a preposition, with elision.

| filter | examples |
| --- | --- |
| `art` | la France, le Canada, l'Iran, les États-Unis, l'hydrogène, Cuba, Paris |
| `de` | de la France, du Canada, de l'Iran, des États-Unis, de Cuba, d'Haïti, d'Oslo, du Caire |
| `a` | à la France, au Canada, à l'Iran, aux États-Unis, à Cuba, au Caire |
| `en` | en France, au Canada, en Iran, aux États-Unis, à Cuba, en Haïti, à Paris, dans l'hydrogène |
| `verb("est", "sont")` | the form that agrees with the label: la France est, les États-Unis sont |

Classes in `data/fr.yaml`: `m`, `f`, `mp`, `fp`, `none` (no article). The trait `en` tells how "in" is said: `en` (en
France, en français), `au` (au Canada, but en Iran before a vowel), `a` (à la Barbade, aux Pays-Bas); without it a label
with an article takes "dans" and one without takes "à". An initial h is silent, or not, by `data/fr.yaml`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache

from crossfact.utils.grammar.nouns import Noun, data
from crossfact.utils.grammar.romance import verb

_VOWEL = re.compile(r"[aeiou]|y(?![aeiou])")
# No elision before these, vowel or not: le onze, le oui, le ouistiti, and the glides of le yaourt, le ouolof.
_NO_ELISION = re.compile(r"(onz|oui|ouag|ouolof|uhlan|ulul)")
_OWN_ARTICLE = re.compile(r"(Le|Les)\s+(.+)", re.DOTALL)


@cache
def _silent_h() -> tuple[str, ...]:
    return tuple(data("fr")["silent_h"])


def _elides(label: str) -> bool:
    """Tells whether le, la and de lose their vowel before the label."""
    sound = unicodedata.normalize("NFKD", label[:20]).lower().replace("œ", "oe").replace("æ", "ae").lstrip("«“\"'‘’( ")
    sound = "".join(c for c in sound if not unicodedata.combining(c))
    if sound.startswith("h"):
        return sound.startswith(_silent_h())
    return _VOWEL.match(sound) is not None and not _NO_ELISION.match(sound)


def _article(label: Noun) -> str:
    class_ = label.class_
    if class_ in ("mp", "fp"):
        return "les"
    if class_ in ("m", "f"):
        return "l'" if _elides(label) else {"m": "le", "f": "la"}[class_]
    return ""


def _join(word: str, label: str) -> str:
    return word + label if word.endswith("'") else f"{word} {label}"


def _contracted(prepositions: dict[str, str], label: Noun) -> str:
    """Puts "de" or "à" before the label; `prepositions` gives the two words for each article ("" for none)."""
    article = _article(label)
    own = _OWN_ARTICLE.fullmatch(label) if not article and label.type in (None, "city") else None
    if own:  # Le Caire → du Caire
        return f"{prepositions[own[1].lower()]} {own[2]}"
    return _join(prepositions[article], label)


def art(label: Noun) -> str:
    """The definite article: `la France`, `l'Iran`, `Cuba`."""
    article = _article(label)
    return _join(article, label) if article else str(label)


def de(label: Noun) -> str:
    """Of: `de la France`, `du Canada`, `des États-Unis`, `d'Oslo`."""
    bare = "d'" if _elides(label) else "de"
    return _contracted({"": bare, "le": "du", "la": "de la", "l'": "de l'", "les": "des"}, label)


def a(label: Noun) -> str:
    """To, at: `à la France`, `au Canada`, `aux États-Unis`, `à Paris`."""
    return _contracted({"": "à", "le": "au", "la": "à la", "l'": "à l'", "les": "aux"}, label)


def en(label: Noun) -> str:
    """Where something is: `en France`, `au Canada`, `aux États-Unis`, `à Cuba`, `à Paris`."""
    article, way = _article(label), label.traits.get("en")
    if way == "en" or (way == "au" and article == "l'"):
        return f"en {label}"
    if way or not article:
        return a(label)
    return f"dans {art(label)}"


FILTERS: dict[str, Callable[..., str]] = {"art": art, "de": de, "a": a, "en": en, "verb": verb}
