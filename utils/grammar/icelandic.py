"""Icelandic: the cases of the names of countries and continents; any other label stays as it is.

| filter | examples |
| --- | --- |
| `acc` | Danmörku, Bandaríkin, Ítalíu |
| `dat` | Danmörku, Bandaríkjunum, Frakklandi |
| `gen` | Danmerkur, Bandaríkjanna, Frakklands |
| `where` | í Danmörku, í Bandaríkjunum, á Íslandi, í Róm |

Foreign names bend irregularly, or not at all. Where a label may be anything, let a noun bend instead, with the label
beside it: `höfuðborg landsins {{ s }}`, `í borginni {{ o }}`, `eftir rithöfundinn {{ o }}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from crossfact.utils.grammar.nouns import Noun, data

_CASES = ("acc", "dat", "gen")
_BENDING_TYPES = frozenset({None, "country", "continent", "region", "island", "territory"})
# The end of the nominative → the ends of accusative, dative and genitive.
_ENDINGS = [
    (re.compile("land$"), ("land", "landi", "lands")),
    (re.compile("eyjar$"), ("eyjar", "eyjum", "eyja")),
    (re.compile("ía$"), ("íu", "íu", "íu")),
    (re.compile("stan$"), ("stan", "stan", "stans")),
    (re.compile("lýðveldið$"), ("lýðveldið", "lýðveldinu", "lýðveldisins")),
]


def _bend(label: Noun, case: str) -> str:
    if label.type not in _BENDING_TYPES:
        return str(label)
    index = _CASES.index(case)
    if forms := data("is")["forms"].get(str(label)):
        return str(forms[index])
    for pattern, ends in _ENDINGS:
        if pattern.search(label):
            return pattern.sub(ends[index], label)
    return str(label)


def acc(label: Noun) -> str:
    """Accusative: `Danmörku`."""
    return _bend(label, "acc")


def dat(label: Noun) -> str:
    """Dative: `Danmörku`, `Frakklandi`."""
    return _bend(label, "dat")


def gen(label: Noun) -> str:
    """Genitive: `Danmerkur`, `Frakklands`."""
    return _bend(label, "gen")


def where(label: Noun) -> str:
    """Where something is, "í" or "á" with the dative: `í Danmörku`, `á Íslandi`."""
    on = label in data("is")["with_á"] or (label.type in _BENDING_TYPES and label.endswith("eyjar"))
    return f"{'á' if on else 'í'} {dat(label)}"


FILTERS: dict[str, Callable[..., str]] = {"acc": acc, "dat": dat, "gen": gen, "where": where}
