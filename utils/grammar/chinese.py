"""Chinese: nothing inflects and no space stands between label and text.

| filter | examples |
| --- | --- |
| `quote` | “北京” (the title of a work takes `title`: 《红楼梦》) |
"""

from __future__ import annotations

from collections.abc import Callable

from crossfact.utils.grammar.nouns import Noun


def quote(label: Noun) -> str:
    """The label between quotation marks: `“北京”`."""
    return f"“{label}”"


FILTERS: dict[str, Callable[..., str]] = {"quote": quote}
