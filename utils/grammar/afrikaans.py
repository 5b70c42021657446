"""Afrikaans: the article that some names take, and the possessive.

| filter | examples |
| --- | --- |
| `die` | die Verenigde State, die Filippyne, Frankryk |
| `se` | die Verenigde State se, Frankryk se |

The indefinite article is always 'n, so templates write it out. Class in `data/af.yaml`: `die`.
"""

from __future__ import annotations

from collections.abc import Callable

from crossfact.utils.grammar.nouns import Noun


def die(label: Noun) -> str:
    """The label with "die" where it takes it: `die Verenigde State`, `Frankryk`."""
    return f"die {label}" if label.class_ == "die" else str(label)


def se(label: Noun) -> str:
    """The possessive: `Frankryk se`, `die Verenigde State se`."""
    return f"{die(label)} se"


FILTERS: dict[str, Callable[..., str]] = {"die": die, "se": se}
