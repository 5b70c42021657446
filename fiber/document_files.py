"""Documents as JSON Lines, `{topic}_{lang}.jsonl`: what `crossfact build fiber` writes, and data of a user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from crossfact.fiber.documents import Document, Documents
from crossfact.fiber.topics import Topic
from crossfact.utils.errors import UserError

_TEXTS = ("id", "item", "topic", "lang", "query", "subject", "prompt")


def document_file(folder: Path, topic: Topic, lang: str) -> Path:
    """Return where a folder holds the documents of a topic in a language."""
    return folder / f"{topic.name}_{lang}.jsonl"


def write_documents(file: Path, documents: Documents) -> None:
    """Write documents, one a line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"".join(orjson.dumps(document) + b"\n" for document in documents))


def read_documents(file: Path, topic: Topic, lang: str) -> Documents:
    """Read and check documents.

    Raises:
        UserError: The file is missing or empty, or a line is not a document of this topic and language.
    """
    if not file.is_file():
        raise UserError(f"{file} is missing; write it with `crossfact build fiber --out {file.parent}`")
    shared: dict[tuple[str, ...], list[str]] = {}
    documents = Documents()
    for number, line in enumerate(file.read_bytes().splitlines(), start=1):
        document = _check(line, topic, lang, f"{file}, line {number}")
        # one list for all prompts with the same candidates, as when the documents were built
        document["choices"] = shared.setdefault(tuple(document["choices"]), document["choices"])
        documents.append(document)
    if not documents:
        raise UserError(f"{file} is empty; write it again with `crossfact build fiber --out {file.parent}`")
    if len({document["biased"] is None for document in documents}) > 1:
        raise UserError(f"{file}: `biased` is null in some documents only; make it [] in those, or null in all")
    return documents


def _check(line: bytes, topic: Topic, lang: str, where: str) -> Document:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise UserError(f"{where}: not JSON ({error})") from error
    if problem := _problem(row, topic, lang):
        raise UserError(f"{where}: {problem}")
    return row


def _problem(row: Any, topic: Topic, lang: str) -> str | None:
    """Return what is wrong with a row, or None."""
    fields = set(Document.__annotations__)
    if not isinstance(row, dict) or set(row) != fields:
        return f"a document has the fields {', '.join(sorted(fields))}"
    if any(not isinstance(row[name], str) for name in _TEXTS):
        return f"{', '.join(_TEXTS)} are texts"
    if (row["topic"], row["lang"]) != (topic.name, lang):
        return f"topic and lang are {row['topic']!r} and {row['lang']!r} in the file for {topic.name!r} in {lang!r}"
    if row["query"] not in topic.queries:
        return f"query is {row['query']!r}; {topic.name} has {', '.join(topic.queries)}"
    if not row["prompt"] or row["prompt"] != row["prompt"].rstrip():
        return "the prompt is empty or ends with white space, which belongs to the choices"
    choices = row["choices"]
    if not isinstance(choices, list) or not all(isinstance(choice, str) and choice.strip() for choice in choices):
        return "choices is a list of texts that are not empty"
    if len(set(choices)) < len(choices):
        return "a choice stands twice"
    if not row["gold"] or not _are_indices(row["gold"], len(choices)):
        return f"gold is a list of one or more indices of the {len(choices)} choices"
    if row["biased"] is not None and not _are_indices(row["biased"], len(choices)):
        return f"biased is null or a list of indices of the {len(choices)} choices"
    return None


def _are_indices(value: Any, size: int) -> bool:
    return isinstance(value, list) and all(type(index) is int and 0 <= index < size for index in value)
