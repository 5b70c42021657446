"""English: the definite and the indefinite article, and the possessive.

| filter | examples |
| --- | --- |
| `the` | the Netherlands, the United Kingdom, the Gambia, the euro, France, Paris, The Hague → the Hague |
| `a` | a country, an island, a university, an hour, an FBI agent, an 8, a European |
| `poss` | France's, the Netherlands', Cyprus's (with the article that `the` gives) |

Class in `data/en.yaml`: `the` for names that take the article. A verb after a country's name is singular.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from crossfact.utils.grammar.nouns import Noun, data

_OWN_ARTICLE = re.compile(r"The\s+")
_LETTERS_WITH_VOWEL_SOUND = "AEFHILMNORSX"


def the(label: Noun) -> str:
    """The label with "the" where it takes it: `the Netherlands`, `France`."""
    if label.class_ != "the":
        return str(label)
    return f"the {_OWN_ARTICLE.sub('', label, count=1)}"


def _begins_with_vowel_sound(label: str) -> bool:
    word = re.sub(r"^\W+", "", label).split(" ")[0]
    if number := re.match(r"\d+", word):  # eight, eighty…, eleven, eighteen
        return number[0].startswith("8") or (len(number[0]) % 3 == 2 and number[0][:2] in ("11", "18"))
    if len(word) > 1 and word.isupper() and not re.match("[^AEIOU][AEIOU]", word):
        return word[0] in _LETTERS_WITH_VOWEL_SOUND
    lower = word.lower()
    if lower.startswith(tuple(data("en")["an_before_consonant"])):
        return True
    return lower[:1] in tuple("aeiouáàâäåæéèêëíîïóöøúüı") and not lower.startswith(tuple(data("en")["a_before_vowel"]))


def a(label: Noun) -> str:
    """The label with "a" or "an", by its first sound: `a university`, `an hour`."""
    return f"{'an' if _begins_with_vowel_sound(label) else 'a'} {label}"


def poss(label: Noun) -> str:
    """The possessive, with the article if there is one: `France's`, `the Netherlands'`."""
    name = the(label)
    plural = label.class_ == "the" and name.endswith("s")
    return f"{name}'" if plural else f"{name}'s"


FILTERS: dict[str, Callable[..., str]] = {"the": the, "a": a, "poss": poss}
