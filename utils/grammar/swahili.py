"""Swahili: names do not inflect. What agrees is the word before them, and templates know its class.

So there are no filters but those of all languages: write the connective that the possessed noun calls for
(`Mji mkuu wa {{ s }}`, `Sarafu ya {{ s }}`, `Lugha za {{ s }}`, `Jina la {{ s }}`), and `na`, `ni`, `katika` as words.
"""

from __future__ import annotations

from collections.abc import Callable

FILTERS: dict[str, Callable[..., str]] = {}
