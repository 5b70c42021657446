"""Reading the official files into documents, with their known faults mended or marked.

The files are read as they are published; this is what differs from row to row or from file to file:

- a byte order mark at the start of 32 files;
- `count` and the name of the English subject vary (neither is read: rows are aligned by their number);
- a choice that starts with a line break or several spaces: the white space becomes one space;
- an entity that stands twice in a `list` counts once, also where the count is asked for;
- `list`, not `answer`, holds the gold entities of a topic with several answers;
- the same prompt with different answers (locations_of_sites): separate documents;
- `polyglot_celebs_tr_2` asks all its rows about time zones: its documents carry a `fault`.
"""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from pathlib import Path
from typing import Any

from crossfact.fiber.biased import mark_biased
from crossfact.fiber.documents import Document, Documents, make_document
from crossfact.fiber.official import is_count, official_files
from crossfact.fiber.topics import Topic
from crossfact.utils.errors import UserError

log = logging.getLogger("lm_eval.crossfact.fiber")

_WRONG_TEMPLATES = {"polyglot_celebs_tr_2": "asks about time zones, not languages"}


def read_official(folder: Path, topic: Topic, lang: str, *, as_published: bool = False) -> Documents:
    """Read the official files of a topic in a language.

    Args:
        folder: Where the files lie, by their official relative paths.
        topic: The topic.
        lang: The language.
        as_published: Mend nothing, as the authors' script reads them.

    Returns:
        The documents: all queries about the first subject, then all about the second, and so on.

    Raises:
        UserError: A file is not what it should be.
    """
    mended: Counter[str] = Counter()
    by_file = []
    for path, query in official_files(topic, lang).items():
        by_file.append(_read_file(folder / path, query, topic, lang, mended, as_published=as_published))
    rows = {len(documents) for documents in by_file}
    if len(rows) > 1:
        raise UserError(f"the files of {topic.name} in {lang} below {folder} differ in length: {sorted(rows)} rows")
    documents = Documents(document for row in zip(*by_file, strict=True) for document in row)
    mark_biased(documents, topic, lang)
    notes = "".join(f"; {number} {what}" for what, number in sorted(mended.items()) if number)
    log.info("FIBER %s in %s, official: %d prompts%s", topic.name, lang, len(documents), notes)
    return documents


def _read_file(
    file: Path, query: str, topic: Topic, lang: str, mended: Counter[str], *, as_published: bool
) -> list[Document]:
    rows = _read_rows(file)
    answers = [_answers(row, query, topic, f"{file.name}, row {number}") for number, row in enumerate(rows)]
    if not as_published:
        answers = [[_one_space(answer, mended) for answer in of_row] for of_row in answers]
    choices = list(dict.fromkeys(answer for of_row in answers for answer in of_row))
    if is_count(query) and not as_published:
        answers = [_count_distinct(row, of_row, mended) for row, of_row in zip(rows, answers, strict=True)]
    fault = _WRONG_TEMPLATES.get(file.stem)
    if fault:
        mended[f"prompts kept out of the metrics ({fault})"] += len(rows)
    if not is_count(query):
        mended["lists with an entity twice"] += sum(len(set(of_row)) < len(of_row) for of_row in answers)
    return [
        make_document(
            id=f"{file.stem}:{number}",
            item=f"{topic.name}:{number}",
            topic=topic.name,
            lang=lang,
            query=query,
            subject=row["sub"].strip(),
            prompt=row["query"],
            choices=choices,
            answers=of_row,
            fault=fault,
        )
        for number, (row, of_row) in enumerate(zip(rows, answers, strict=True))
    ]


def _read_rows(file: Path) -> list[dict[str, Any]]:
    try:
        rows = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise UserError(f"cannot read {file}: {error}; copy it again from the official data") from error
    if not isinstance(rows, list) or not rows:
        raise UserError(f"{file} holds no rows; copy it again from the official data")
    return rows


def _answers(row: dict[str, Any], query: str, topic: Topic, where: str) -> list[str]:
    """Return the gold answers as they stand in the file."""
    try:
        return list(row["list"]) if topic.multi and not is_count(query) else [row["answer"]]
    except KeyError as error:
        raise UserError(f"{where} has no field {error}; copy the file again from the official data") from error


def _one_space(answer: str, mended: Counter[str]) -> str:
    tidy = re.sub(r"^\s+", " ", answer)
    mended["choices with other white space than one space"] += tidy != answer
    return tidy


def _count_distinct(row: dict[str, Any], answers: list[str], mended: Counter[str]) -> list[str]:
    """Return the number of distinct entities in `list`, which holds where `answer` disagrees."""
    counted = f" {len({entity.strip() for entity in row['list']})}"
    mended["counts that disagree with their list"] += [counted] != answers
    return [counted]
