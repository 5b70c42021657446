"""Documents of a user's own: written, read again, and refused line by line where they are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from crossfact.fiber.document_files import document_file, read_documents, write_documents
from crossfact.fiber.documents import Documents
from crossfact.fiber.loading import load
from crossfact.fiber.topics import TOPICS
from crossfact.utils.errors import UserError
from tests.fiber.examples import small_document

CITIES = TOPICS["capital_cities"]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    documents = Documents([small_document(), small_document(query="qa", biased=None)])
    write_documents(document_file(tmp_path, CITIES, "it"), documents)
    read = read_documents(document_file(tmp_path, CITIES, "it"), CITIES, "it")
    assert read == documents
    assert read[0]["choices"] is read[1]["choices"]


def test_the_folder_names_the_source(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    write_documents(document_file(folder, CITIES, "it"), Documents([small_document()]))
    first = load("capital_cities", "it", source=str(folder)).source
    assert first.name == "mine"
    write_documents(document_file(folder, CITIES, "it"), Documents([small_document(answers=(" Oslo",))]))
    assert load("capital_cities", "it", source=str(folder)).source.fingerprint != first.fingerprint


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gold": []}, "gold is a list of one or more indices of the 3 choices"),
        ({"gold": [3]}, "gold is a list"),
        ({"gold": [True]}, "gold is a list"),
        ({"biased": [-1]}, "biased is null or a list"),
        ({"choices": [" a", " a", " b"]}, "a choice stands twice"),
        ({"choices": [" a", " ", " b"]}, "texts that are not empty"),
        ({"choices": " abc"}, "choices is a list"),
        ({"prompt": "La capitale è "}, "ends with white space"),
        ({"lang": "tr"}, "'capital_cities' and 'tr' in the file for 'capital_cities' in 'it'"),
        ({"query": "sc_count"}, "query is 'sc_count'; capital_cities has sc, qa"),
        ({"subject": 3}, "are texts"),
        ({"extra": 1}, "a document has the fields biased, choices"),
    ],
)
def test_a_wrong_document_is_named_with_its_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    file = tmp_path / "capital_cities_it.jsonl"
    file.write_bytes(orjson.dumps(small_document()) + b"\n" + orjson.dumps({**small_document(), **change}) + b"\n")
    with pytest.raises(UserError, match=f"capital_cities_it.jsonl, line 2: .*{message}"):
        read_documents(file, CITIES, "it")


@pytest.mark.parametrize(("content", "message"), [(b"", "is empty"), (b"{\n", "line 1: not JSON"), (None, "missing")])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None, message: str) -> None:
    file = tmp_path / "capital_cities_it.jsonl"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UserError, match=f"capital_cities_it.jsonl.*{message}"):
        read_documents(file, CITIES, "it")


def test_bias_is_measured_in_all_documents_or_in_none(tmp_path: Path) -> None:
    file = tmp_path / "capital_cities_it.jsonl"
    write_documents(file, Documents([small_document(), small_document(biased=[0])]))
    with pytest.raises(UserError, match="`biased` is null in some documents only"):
        read_documents(file, CITIES, "it")
