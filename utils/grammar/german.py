"""German: the article and case of names that take one, and the genitive of those that do not.

| filter | examples |
| --- | --- |
| `nom` | die Schweiz, der Iran, das Vereinigte Königreich, die Vereinigten Staaten, Frankreich, der Euro |
| `akk` | die Schweiz, den Iran, das Vereinigte Königreich, Frankreich |
| `gen` | der Schweiz, des Iran, des Vereinigten Königreichs, der Vereinigten Staaten, Frankreichs, Laos’ |
| `dat` | der Schweiz, dem Iran, den Vereinigten Staaten, Frankreich |
| `von` | der Schweiz → von der Schweiz, vom Iran, von den Vereinigten Staaten, von Frankreich |
| `in` | in der Schweiz, im Iran, in den USA, in Frankreich, auf den Philippinen, auf Malta |
| `of` | der Schweiz, Frankreichs, von Honduras, von Antigua und Barbuda, vom Eiffelturm: whichever one would write |
| `zu` | zur Schweiz, zum Iran, zu den USA, zu Frankreich |
| `verb("ist", "sind")` | the form that agrees with the label: die USA sind |

Classes in `data/de.yaml`: gender (`m`, `f`, `n`) or `p` for the plural, of names that take the article, with `s` if the
genitive takes -s (`ns`: des Königreichs; but des Iran); `none` for the rest. The trait `in` is `auf` for islands.
Adjectives at the beginning (Vereinigte Staaten) are known by their endings and take the weak form after the article.
The epithet of a person is declined: von Pieter Bruegel dem Älteren.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from crossfact.utils.grammar.nouns import Noun

_ARTICLES = {
    "nom": {"m": "der", "f": "die", "n": "das", "p": "die"},
    "akk": {"m": "den", "f": "die", "n": "das", "p": "die"},
    "gen": {"m": "des", "f": "der", "n": "des", "p": "der"},
    "dat": {"m": "dem", "f": "der", "n": "dem", "p": "den"},
}
_CONTRACTIONS = {"von dem": "vom", "zu dem": "zum", "zu der": "zur", "in dem": "im"}
_ADJECTIVE = re.compile("([iy]sch|ibl|nigt|iert|lich|^Neu|^Alt|^Groß|^Klein|^Golden|^Rot|^Schief|^Weiß|^Blau)e[rs]?$")
_EPITHET = re.compile(r" (der|die) (\w+e)$")
_SIBILANT = re.compile(r"(?:[szxß]|ce|sch)$", re.IGNORECASE)


def _gender(label: Noun) -> str:
    return label.class_[0] if label.class_ and label.class_ != "none" else ""


def _weak(label: Noun, case: str) -> tuple[list[str], list[str]]:
    """Splits the label into its leading adjectives, in the weak form that follows an article, and the rest."""
    words = label.split(" ")
    gender, adjectives = _gender(label), []
    plain = case == "nom" or (case == "akk" and gender != "m")
    while len(words) > 1 and _ADJECTIVE.search(words[0]):
        stem = re.sub("e[rs]?$", "", words.pop(0))
        adjectives.append(stem + ("e" if plain and gender != "p" else "en"))
    return adjectives, words


def _decline(label: Noun, case: str) -> str:
    """Returns the label with its article in the case; a label without an article only changes in the genitive."""
    gender = _gender(label)
    if not gender and (epithet := _EPITHET.search(label)) and label.type in (None, "person", "human"):
        return _with_epithet(label, epithet, case)
    if not gender:
        return _bare_genitive(label) if case == "gen" else str(label)
    adjectives, words = _weak(label, case)
    if case == "gen" and label.class_.endswith("s"):
        words[0] = words[0] + ("es" if _SIBILANT.search(words[0]) else "s")
    if case == "dat" and gender == "p" and not words[0].endswith(("n", "s", "A")):
        words[0] += "n"
    return " ".join([_ARTICLES[case][gender], *adjectives, *words])


def _bare_genitive(label: str) -> str:
    if _SIBILANT.search(label):
        return f"{label}’"
    return f"{label}s" if label[-1:].isalpha() else label


def _with_epithet(label: str, epithet: re.Match[str], case: str) -> str:
    """Declines the epithet of a person: Pieter Bruegel der Ältere → von Pieter Bruegel dem Älteren."""
    gender = "m" if epithet[1] == "der" else "f"
    ending = "" if case == "nom" or (case == "akk" and gender == "f") else "n"
    name = _bare_genitive(label[: epithet.start()]) if case == "gen" else label[: epithet.start()]
    return f"{name} {_ARTICLES[case][gender]} {epithet[2]}{ending}"


def nom(label: Noun) -> str:
    """Nominative: `die Schweiz`, `Frankreich`."""
    return _decline(label, "nom")


def akk(label: Noun) -> str:
    """Accusative: `den Iran`, `Frankreich`."""
    return _decline(label, "akk")


def gen(label: Noun) -> str:
    """Genitive: `der Schweiz`, `des Vereinigten Königreichs`, `Frankreichs`."""
    return _decline(label, "gen")


def dat(label: Noun) -> str:
    """Dative: `der Schweiz`, `den Vereinigten Staaten`, `Frankreich`."""
    return _decline(label, "dat")


def _with(preposition: str, label: Noun) -> str:
    phrase = f"{preposition} {dat(label)}"
    for apart, together in _CONTRACTIONS.items():
        if _gender(label) and phrase.startswith(apart + " "):
            return together + phrase[len(apart) :]
    return phrase


def von(label: Noun) -> str:
    """Of, from: `von der Schweiz`, `vom Iran`, `von Frankreich`."""
    return _with("von", label)


def of(label: Noun) -> str:
    """Of: the genitive of a country, but `von` before a sibilant's `Laos’`, a double name, and all other labels."""
    clumsy = label.type != "country" or " und " in label or gen(label).endswith("’")
    return von(label) if clumsy else gen(label)


def zu(label: Noun) -> str:
    """To: `zur Schweiz`, `zum Iran`, `zu Frankreich`."""
    return _with("zu", label)


def in_(label: Noun) -> str:
    """Where something is: `in der Schweiz`, `im Iran`, `auf den Philippinen`, `in Frankreich`."""
    return _with(label.traits.get("in", "in"), label)


def verb(label: Noun, singular: str, plural: str) -> str:
    """The verb form that agrees with the label's number."""
    return plural if _gender(label) == "p" else singular


FILTERS: dict[str, Callable[..., str]] = {
    "nom": nom,
    "akk": akk,
    "gen": gen,
    "dat": dat,
    "von": von,
    "of": of,
    "in": in_,
    "zu": zu,
    "verb": verb,
}
