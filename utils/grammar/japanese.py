"""Japanese: particles never change with the sound before them, so templates write them out, without spaces.

| filter | examples |
| --- | --- |
| `quote` | 「東京」 (the title of a work takes `title`: 『こころ』) |

`{{ s }}の首都は{{ o }}である。`
"""

from __future__ import annotations

from collections.abc import Callable

from crossfact.utils.grammar.nouns import Noun


def quote(label: Noun) -> str:
    """The label between corner brackets: `「東京」`."""
    return f"「{label}」"


FILTERS: dict[str, Callable[..., str]] = {"quote": quote}
