"""A task's documents from the source that a run names: what the YAML's `custom_dataset` calls."""

from __future__ import annotations

from collections.abc import Container
from functools import cache, partial
from itertools import cycle
from pathlib import Path
from typing import Any

import orjson
from datasets import Dataset

from crossfact.sword.dataset import read_documents
from crossfact.sword.distortions import KINDS, Draw, Five, distort
from crossfact.sword.documents import Document, document
from crossfact.sword.statements import statement, templates
from crossfact.utils.errors import UserError
from crossfact.utils.facts import embedded_facts
from crossfact.utils.sources import EMBEDDED, OFFICIAL, Source, Splits, fingerprint_bytes

EMBEDDED_COUNT = 500
EMBEDDED_SEED = 2026
EXAMPLES = 8
NOT_EMBEDDED = frozenset({"P1412"})
"""A person's languages are never all listed: a "false" one may well be true."""

_EXAMPLE_KINDS = tuple(KINDS.index(kind) for kind in ("org", "pos", "org", "ss"))


def load(lang: str, source: str = EMBEDDED, **ignored: Any) -> Splits:
    """Return the documents of one language as the `test` split, and examples for few-shot prompts as `fewshot`.

    Args:
        lang: The language of the statements.
        source: `embedded`, or a folder that `crossfact build sword` wrote.
        **ignored: The rest of the run's metadata.

    Raises:
        UserError: There is no such source, or it holds nothing in this language.
    """
    if source == OFFICIAL:
        raise UserError("the paper's statements are not published: build your own with `crossfact build sword`")
    if source == EMBEDDED:
        documents, name = embedded_documents(lang), EMBEDDED
    else:
        folder = Path(source).expanduser()
        documents, name = read_documents(folder, lang), folder.resolve().name
    parts = [(str(place), orjson.dumps(doc)) for place, doc in enumerate(documents)]
    examples = embedded_examples(lang, without={doc["id"] for doc in documents})
    splits = {"test": Dataset.from_list(documents), "fewshot": Dataset.from_list(examples)}
    return Splits(splits, Source(name, fingerprint_bytes(parts)))


def embedded_documents(lang: str) -> list[Document]:
    """Return the documents of the package itself: 500 triples of the embedded facts, distorted and put in words."""
    return [_embedded_document(five, lang) for five in _embedded_draw().fives[:EMBEDDED_COUNT]]


def embedded_examples(lang: str, without: Container[str]) -> list[Document]:
    """Return documents of one statement each, true and false by turns, that are no part of a test set."""
    drawn = (_embedded_document(five, lang) for five in _embedded_draw().fives[EMBEDDED_COUNT:])
    unseen = [doc for doc in drawn if doc["id"] not in without]
    return [{**doc, "probes": [doc["probes"][kind]]} for doc, kind in zip(unseen, cycle(_EXAMPLE_KINDS), strict=False)]


def _embedded_document(five: Five, lang: str) -> Document:
    return document(five, lang, partial(statement, embedded_facts()))


@cache
def _embedded_draw() -> Draw:
    facts = embedded_facts()
    properties = sorted(set(templates("en")) & {triple.property for triple in facts.triples} - NOT_EMBEDDED)
    return distort(facts, count=EMBEDDED_COUNT + EXAMPLES, seed=EMBEDDED_SEED, properties=properties)
