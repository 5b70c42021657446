"""The command `crossfact build fiber`: documents from a folder of facts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from crossfact.fiber.document_files import document_file, write_documents
from crossfact.fiber.embedded import build_documents
from crossfact.fiber.topics import TOPICS
from crossfact.utils.errors import UserError
from crossfact.utils.facts import embedded_facts, read_facts
from crossfact.utils.languages import FIBER_LANGUAGES


def build(
    out: Annotated[Path, typer.Option(help="The folder to write, one file per topic and language.")],
    facts: Annotated[
        Path | None, typer.Option(help="A folder of facts, such as one made from a Wikidata dump; else the embedded.")
    ] = None,
) -> None:
    """Write FIBER's documents from facts, to be run with --metadata '{"source": "<folder>"}'."""
    found = read_facts(facts) if facts else embedded_facts()
    table = Table("topic", *(f"prompts {lang}" for lang in FIBER_LANGUAGES), "subjects")
    for topic in TOPICS.values():
        by_lang = {lang: build_documents(found, topic, lang) for lang in FIBER_LANGUAGES}
        for lang, documents in by_lang.items():
            if documents:
                write_documents(document_file(out, topic, lang), documents)
        subjects = {document["item"] for documents in by_lang.values() for document in documents}
        table.add_row(topic.name, *(str(len(documents)) for documents in by_lang.values()), str(len(subjects)))
    if not any(out.glob("*.jsonl")):
        raise UserError(f"{facts} holds no facts of any FIBER topic with names in {', '.join(FIBER_LANGUAGES)}")
    console = Console()
    console.print(table)
    console.print(f"Written to {out}")
