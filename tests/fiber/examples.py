"""What several tests of FIBER need."""

from __future__ import annotations

from crossfact.fiber.documents import Document, make_document


def small_document(
    *,
    query: str = "sc",
    topic: str = "capital_cities",
    lang: str = "it",
    answers: tuple[str, ...] = (" Roma",),
    choices: tuple[str, ...] = (" Roma", " Parigi", " Oslo"),
    biased: list[int] | None = None,
    fault: str | None = None,
) -> Document:
    """A document worked by hand."""
    document = make_document(
        id=f"{topic}_{lang}:{query}",
        item=f"{topic}:0",
        topic=topic,
        lang=lang,
        query=query,
        subject="Italia",
        prompt="La capitale dell'Italia è",
        choices=list(choices),
        answers=answers,
        fault=fault,
    )
    document["biased"] = biased
    return document
