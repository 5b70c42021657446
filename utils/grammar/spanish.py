"""Spanish: the article that a few names take, and its contractions.

| filter | examples |
| --- | --- |
| `art` | el Reino Unido, los Países Bajos, la India, Francia, Estados Unidos, el hierro, el agua |
| `de` | del Reino Unido, de los Países Bajos, de Francia, de El Salvador, del hierro |
| `a` | al Reino Unido, a los Países Bajos, a Francia, a El Salvador |
| `en` | en el Reino Unido, en Francia |
| `verb("es", "son")` | the form that agrees with the label: Estados Unidos es, los Países Bajos son |

Classes in `data/es.yaml`: `m`, `f`, `mp`, `fp`, `none` (no article, the default), `ending` (feminine if the first word
ends in -a). An article that belongs to the name (El Salvador, El Cairo) stays apart in writing: de El Cairo.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from crossfact.utils.grammar.nouns import Noun
from crossfact.utils.grammar.romance import gender, verb

_ARTICLES = {"m": "el", "f": "la", "mp": "los", "fp": "las"}
_STRESSED_A = re.compile(r"(agua|águila|alma|arma|hambre|área)\b", re.IGNORECASE)  # el agua, though feminine


def _article(label: Noun) -> str:
    class_ = gender(label)
    if class_ == "f" and _STRESSED_A.match(label):
        return "el"
    return _ARTICLES.get(class_, "")


def art(label: Noun) -> str:
    """The label with the article that it takes: `el Reino Unido`, `Francia`."""
    article = _article(label)
    return f"{article} {label}" if article else str(label)


def de(label: Noun) -> str:
    """Of: `del Reino Unido`, `de los Países Bajos`, `de Francia`."""
    return f"del {label}" if _article(label) == "el" else f"de {art(label)}"


def a(label: Noun) -> str:
    """To: `al Reino Unido`, `a los Países Bajos`, `a Francia`."""
    return f"al {label}" if _article(label) == "el" else f"a {art(label)}"


def en(label: Noun) -> str:
    """In: `en el Reino Unido`, `en Francia`."""
    return f"en {art(label)}"


FILTERS: dict[str, Callable[..., str]] = {"art": art, "de": de, "a": a, "en": en, "verb": verb}
