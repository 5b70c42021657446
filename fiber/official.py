"""The official files of FIBER: pinned, downloaded from their home at run time, and never part of this package.

They bear no licence. `data/official_manifest.json` names the commit and the SHA-256 of each of the 160 files.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from crossfact.fiber.topics import (
    COUNT_QUERIES,
    QUESTION,
    QUESTION_COUNT,
    SENTENCE,
    SENTENCE_COUNT,
    Topic,
    find_topic,
)
from crossfact.utils.download import fetch, matches
from crossfact.utils.errors import UserError
from crossfact.utils.sources import cache_folder

URL_VARIABLE = "CROSSFACT_FIBER_URL"
"""Environment variable that names another place to download from, such as a mirror."""

_FORMS = {SENTENCE: "0", QUESTION: "1", SENTENCE_COUNT: "2", QUESTION_COUNT: "3"}
_TURKISH_SENTENCE_FORMS = ("0_0", "0_1")  # with the copula on the answer, and bare


def official_files(topic: Topic, lang: str) -> dict[str, str]:
    """Return the official files of a topic in a language: relative path → kind of query."""
    find_topic(topic.name, lang)
    folder = f"{'multi' if topic.multi else 'single'}_entity/{topic.name}"
    files = {}
    for query in topic.queries:
        forms = _TURKISH_SENTENCE_FORMS if (query, lang) == (SENTENCE, "tr") else (_FORMS[query],)
        files.update({f"{folder}/{topic.name}_{lang}_{form}.json": query for form in forms})
    return files


def is_count(query: str) -> bool:
    """Return whether a query asks how many entities there are."""
    return query in COUNT_QUERIES


@cache
def manifest() -> dict[str, Any]:
    """Return the commit, the address (`url`), and the SHA-256 of each file by its relative path (`files`)."""
    return json.loads((Path(__file__).parent / "data" / "official_manifest.json").read_text(encoding="utf-8"))


def download_official(topic: Topic, lang: str) -> Path:
    """Return the folder in the cache that holds the official files of a topic, downloaded if they are not there yet.

    Raises:
        UserError: They cannot be downloaded.
    """
    hashes = manifest()["files"]
    folder = cache_folder() / "fiber" / manifest()["commit"]
    url = os.environ.get(URL_VARIABLE) or manifest()["url"]
    try:
        fetch(url, {path: hashes[path] for path in official_files(topic, lang)}, folder)
    except UserError as error:
        advice = """or name a folder that holds the files: --metadata '{"source": "<folder>"}'"""
        raise UserError(f"FIBER's official data: {error}, {advice}") from error
    return folder


def looks_official(folder: Path) -> bool:
    """Return whether a folder has the layout of the official data."""
    return (folder / "single_entity").is_dir() or (folder / "multi_entity").is_dir()


def check_copy(folder: Path, topic: Topic, lang: str) -> None:
    """Check that a folder holds the official files of a topic, byte for byte.

    Raises:
        UserError: A file is missing or differs.
    """
    for path in official_files(topic, lang):
        if not (folder / path).is_file():
            raise UserError(f"{folder / path} is missing; copy it from the official data at {manifest()['url']}")
        if not matches(folder / path, manifest()["files"][path]):
            raise UserError(
                f"{folder / path} is not the official file (its SHA-256 differs from commit {manifest()['commit']}); "
                "copy it again, or give data of your own as documents ({topic}_{lang}.jsonl)"
            )
