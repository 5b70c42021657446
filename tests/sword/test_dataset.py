from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml

from crossfact.sword.dataset import read_documents, write_dataset
from crossfact.sword.loading import embedded_documents, load
from crossfact.utils.errors import UserError

ABOUT: dict[str, Any] = {
    "source": "embedded",
    "source_fingerprint": "0",
    "statements_by": "templates",
    "seed": 1,
    "left_out": {"a reason": 3},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_dataset(tmp_path / "set", {lang: embedded_documents(lang)[:4] for lang in ("en", "ko")}, ABOUT)
    return tmp_path / "set"


def test_what_is_written_is_read_again(folder: Path) -> None:
    assert read_documents(folder, "ko") == embedded_documents("ko")[:4]
    splits = load("ko", source=str(folder), unknown="metadata")
    assert splits.source.name == "set"
    assert splits["test"].to_list() == embedded_documents("ko")[:4]
    assert splits.source.fingerprint != load("en", source=str(folder)).source.fingerprint


def test_the_same_documents_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    write_dataset(tmp_path / "again", {lang: embedded_documents(lang)[:4] for lang in ("en", "ko")}, ABOUT)
    for path in sorted(folder.iterdir()):
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_the_manifest_and_the_card(folder: Path) -> None:
    manifest = orjson.loads((folder / "manifest.json").read_bytes())
    assert (manifest["triples"], manifest["statements"], manifest["languages"]) == (4, 40, ["en", "ko"])
    _, header, text = (folder / "README.md").read_text().split("---\n", 2)
    card = yaml.safe_load(header)
    assert card["configs"][1] == {"config_name": "ko", "data_files": [{"split": "test", "path": "ko.jsonl"}]}
    assert (card["license"], card["size_categories"]) == ("cc0-1.0", ["n<1K"])
    assert "- a reason: 3" in text


def test_the_hub_library_reads_it(folder: Path, tmp_path: Path) -> None:
    from datasets import load_dataset

    loaded = load_dataset("json", data_files=str(folder / "ko.jsonl"), split="train", cache_dir=str(tmp_path / "cache"))
    assert loaded.to_list() == embedded_documents("ko")[:4]


def spoil(folder: Path, lang: str, content: bytes) -> None:
    (folder / f"{lang}.jsonl").write_bytes(content)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b"{\n", r"en.jsonl, line 1: not a SWORD document"),
        (b'{"id": "x"}\n', "line 1: not a SWORD document"),
        (b'{"probes": []}\n', "line 1: not a SWORD document"),
        (b"[]\n", "line 1: not a SWORD document"),
    ],
)
def test_a_spoilt_file_is_one_line(folder: Path, content: bytes, why: str) -> None:
    spoil(folder, "en", content)
    with pytest.raises(UserError, match=why) as caught:
        load("en", source=str(folder))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "lang", "why"),
    [
        ("set", "de", r"holds no de.jsonl \(languages there: en, ko\)"),
        ("nowhere", "en", "neither 'embedded' nor a folder"),
        (".", "en", "holds no manifest.json"),
    ],
)
def test_a_source_that_will_not_do_is_one_line(folder: Path, source: str, lang: str, why: str) -> None:
    with pytest.raises(UserError, match=why):
        load(lang, source=str(folder.parent / source))


def test_there_are_no_official_data() -> None:
    with pytest.raises(UserError, match="not published"):
        load("en", source="official")
