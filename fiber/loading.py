"""A task's documents from the source that a run names: what the YAML's `custom_dataset` calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crossfact.fiber.document_files import document_file, read_documents
from crossfact.fiber.documents import Documents, hold_out
from crossfact.fiber.embedded import build_documents, embedded_source
from crossfact.fiber.official import check_copy, download_official, looks_official, official_files
from crossfact.fiber.official_files import read_official
from crossfact.fiber.topics import Topic, find_topic
from crossfact.utils.errors import UserError
from crossfact.utils.facts import embedded_facts
from crossfact.utils.sources import EMBEDDED, OFFICIAL, Source, Splits, fingerprint_files

PAPER, REFERENCE = "paper", "reference"
PROTOCOLS = (PAPER, REFERENCE)

EXAMPLES = 5
"""How many subjects of the embedded data are held out to be examples."""


def load(topic: str, lang: str, source: str = EMBEDDED, protocol: str = PAPER, **ignored: Any) -> Splits:
    """Return the documents of one task as its `test` split, and examples for few-shot prompts as `fewshot`.

    Only the embedded data have examples: all about a few subjects that are held out from the test.

    Args:
        topic: The topic's name.
        lang: The language of the prompts.
        source: `embedded`, `official`, or a folder: a copy of the official files, or documents that
            `crossfact build fiber` wrote.
        protocol: `paper`, or `reference` for the data as the authors' script reads them.
        **ignored: The rest of the run's metadata.

    Raises:
        UserError: The topic, language, source or protocol is unknown, or its data are missing or wrong.
    """
    found = find_topic(topic, lang)
    if protocol not in PROTOCOLS:
        raise UserError(f"FIBER has no protocol {protocol!r}: use one of {', '.join(PROTOCOLS)}")
    documents, origin = _read(found, lang, source, as_published=protocol == REFERENCE)
    test, examples = hold_out(documents, EXAMPLES if source == EMBEDDED else 0)
    return Splits({"test": test, "fewshot": examples}, origin)


def _read(topic: Topic, lang: str, source: str, *, as_published: bool) -> tuple[Documents, Source]:
    if source == EMBEDDED:
        return build_documents(embedded_facts(), topic, lang), embedded_source()
    if source == OFFICIAL:
        return _read_official(download_official(topic, lang), topic, lang, as_published=as_published)
    folder = Path(source).expanduser()
    if not folder.is_dir():
        raise UserError(f"source {source!r} is neither {EMBEDDED!r}, {OFFICIAL!r} nor a folder")
    if looks_official(folder):
        check_copy(folder, topic, lang)
        return _read_official(folder, topic, lang, as_published=as_published)
    file = document_file(folder, topic, lang)
    return read_documents(file, topic, lang), Source(folder.resolve().name, fingerprint_files(folder, [file]))


def _read_official(folder: Path, topic: Topic, lang: str, *, as_published: bool) -> tuple[Documents, Source]:
    documents = read_official(folder, topic, lang, as_published=as_published)
    files = [folder / path for path in official_files(topic, lang)]
    return documents, Source(OFFICIAL, fingerprint_files(folder, files))
