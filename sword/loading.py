"""A task's documents from the source that a run names: what the YAML's `custom_dataset` calls."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import orjson
from datasets import Dataset

from crossfact.sword.dataset import read_documents
from crossfact.sword.distortions import Draw, distort
from crossfact.sword.documents import Document, document
from crossfact.sword.statements import statement, templates
from crossfact.utils.errors import UserError
from crossfact.utils.facts import embedded_facts
from crossfact.utils.sources import EMBEDDED, OFFICIAL, Source, Splits, fingerprint_bytes

EMBEDDED_COUNT = 500
EMBEDDED_SEED = 2026
NOT_EMBEDDED = frozenset({"P1412"})
"""A person's languages are never all listed: a "false" one may well be true."""


def load(lang: str, source: str = EMBEDDED, **ignored: Any) -> Splits:
    """Return the documents of one language as the `test` split.

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
    return Splits({"test": Dataset.from_list(documents)}, Source(name, fingerprint_bytes(parts)))


def embedded_documents(lang: str) -> list[Document]:
    """Return the documents of the package itself: 500 triples of the embedded facts, distorted and put in words."""
    facts = embedded_facts()
    return [document(five, lang, lambda triple: statement(facts, triple, lang)) for five in _embedded_draw().fives]


@cache
def _embedded_draw() -> Draw:
    facts = embedded_facts()
    properties = sorted(set(templates("en")) & {triple.property for triple in facts.triples} - NOT_EMBEDDED)
    return distort(facts, count=EMBEDDED_COUNT, seed=EMBEDDED_SEED, properties=properties)
