"""Documents: a triple's five statements in one language, as the harness takes them and as a built folder holds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crossfact.sword.distortions import KINDS, Five
from crossfact.sword.metrics import target
from crossfact.utils.facts import Triple

Document = dict[str, Any]


def document(five: Five, lang: str, state: Callable[[Triple, str], str]) -> Document:
    """Return the document of a triple in a language.

    Args:
        five: The triple and its distortions.
        lang: The language of the statements.
        state: Gives the statement of a triple in a language.

    Returns:
        `id` (the same in every language), `lang`, the triple's `subject`, `property` and `object`, and five `probes`
        with `kind`, `subject`, `object`, `statement` and `target` (`True` or `False`).
    """
    org = five.org
    probes = [
        {
            "kind": kind,
            "subject": triple.subject,
            "object": triple.object,
            "statement": state(triple, lang),
            "target": target(kind),
        }
        for kind, triple in zip(KINDS, five, strict=True)
    ]
    return {
        "id": document_id(five),
        "lang": lang,
        "subject": org.subject,
        "property": org.property,
        "object": org.object,
        "probes": probes,
    }


def document_id(five: Five) -> str:
    """Return the id of a triple's documents: its three ids."""
    return "-".join((five.org.subject, five.org.property, five.org.object))
