"""Portuguese: the article, alone and contracted with a preposition.

| filter | examples |
| --- | --- |
| `art` | o Brasil, a França, os Estados Unidos, Portugal, Lisboa, o ferro |
| `de` | do Brasil, da França, dos Estados Unidos, de Portugal, de Lisboa |
| `em` | no Brasil, na França, nos Estados Unidos, em Portugal, em Lisboa |
| `a` | ao Brasil, à França, aos Estados Unidos, a Portugal |
| `por` | pelo Brasil, pela França, pelos Estados Unidos, por Portugal |
| `verb("é", "são")` | the form that agrees with the label: o Brasil é, os Estados Unidos são |

Classes in `data/pt.yaml`: `m`, `f`, `mp`, `fp`, `none` (no article, the default), `ending` (feminine if the first word
ends in -a).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from crossfact.utils.grammar.nouns import Noun
from crossfact.utils.grammar.romance import gender, verb

_ARTICLES = {"m": "o", "f": "a", "mp": "os", "fp": "as"}
_DE = {"": "de", "o": "do", "a": "da", "os": "dos", "as": "das"}
_EM = {"": "em", "o": "no", "a": "na", "os": "nos", "as": "nas"}
_A = {"": "a", "o": "ao", "a": "à", "os": "aos", "as": "às"}
_POR = {"": "por", "o": "pelo", "a": "pela", "os": "pelos", "as": "pelas"}


def _article(label: Noun) -> str:
    class_ = gender(label)
    return _ARTICLES.get(class_, "")


def art(label: Noun) -> str:
    """The label with the article that it takes: `o Brasil`, `Portugal`."""
    article = _article(label)
    return f"{article} {label}" if article else str(label)


def _contraction(words: Mapping[str, str], doc: str) -> Callable[[Noun], str]:
    def contracted(label: Noun) -> str:
        return f"{words[_article(label)]} {label}"

    contracted.__doc__ = doc
    return contracted


de = _contraction(_DE, "Of: `do Brasil`, `da França`, `de Portugal`.")
em = _contraction(_EM, "In: `no Brasil`, `na França`, `em Portugal`.")
a = _contraction(_A, "To: `ao Brasil`, `à França`, `a Portugal`.")
por = _contraction(_POR, "By, through: `pelo Brasil`, `pela França`, `por Portugal`.")


FILTERS: dict[str, Callable[..., str]] = {"art": art, "de": de, "em": em, "a": a, "por": por, "verb": verb}
