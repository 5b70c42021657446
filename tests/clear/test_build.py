from __future__ import annotations

import json
from pathlib import Path

import datasets
import pytest

from crossfact.clear.build import build
from crossfact.clear.items import read_items
from crossfact.clear.source import read_source
from crossfact.utils.errors import UserError
from crossfact.utils.llm_patience import Patience  # noqa: F401  the module is imported with the first API model
from tests.clear.conflict_records import POPQA, STRATEGYQA, in_other_words, translator, write_records
from tests.loopback import Loopback

CHAT = "local-chat-completions"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSFACT_CACHE", str(tmp_path / "cache"))


def _build(tmp_path: Path, *records: dict[str, object], out: str = "out", **options: object) -> Path:
    file = write_records(tmp_path / "records.json", *records)
    settings = {
        "source": "conflictqa-popqa",
        "languages": "en",
        "source_model": "chatgpt",
        "model": "",
        "model_args": "",
        "limit": None,
        "back_translate": "",
        "back_translate_args": "",
        "file": file,
        **options,
    }
    build(out=tmp_path / out, **settings)  # type: ignore[arg-type]
    return tmp_path / out


def test_english_needs_no_model(tmp_path: Path) -> None:
    folder = _build(tmp_path, POPQA, {**POPQA, "question": "?", "counter_answer": "Born in Faro."}, POPQA)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["items"] == 1
    assert manifest["left_out"] == {"neither answer names the ground truth": 1, "the question stands twice": 1}
    left_out = [json.loads(line) for line in (folder / "left_out.jsonl").read_text().splitlines()]
    assert left_out[0] == {"reason": "neither answer names the ground truth", "item": "?"}
    items, source = read_source(str(folder), "popqa")
    assert [item.popularity for item in items] == [120]
    assert source.name == "out"


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = _build(tmp_path, POPQA, out="one"), _build(tmp_path, POPQA, out="other")
    for path in one.iterdir():
        assert path.read_bytes() == (other / path.name).read_bytes()


def test_the_hub_reads_the_folder_as_it_is(tmp_path: Path) -> None:
    folder = _build(tmp_path, POPQA)
    (row,) = datasets.load_dataset(str(folder), split="test", cache_dir=str(tmp_path / "hf"))
    assert row["dataset"] == "popqa"
    assert row["languages"]["en"]["question"] == POPQA["question"]


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    with Loopback(translator) as server:
        args = f"model=scripted,base_url={server.url}/v1/chat/completions"
        folder = _build(tmp_path, POPQA, languages="en,de,is", model=CHAT, model_args=args)
        asked = len(server.requests)
        again = _build(tmp_path, POPQA, languages="en,de,is", model=CHAT, model_args=args, out="again")
        assert asked == len(server.requests) == 2
    assert (folder / "items.jsonl").read_bytes() == (again / "items.jsonl").read_bytes()
    (item,) = read_items(folder)
    assert item.languages["is"].question == in_other_words(str(POPQA["question"]))
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["settings"]["model"] == f"{CHAT} (scripted)"  # no address


def test_fidelity_is_reported_and_nothing_dropped(tmp_path: Path) -> None:
    originals = {
        in_other_words(str(STRATEGYQA[key])): str(STRATEGYQA[key])
        for key in ("question", "parametric_memory_aligned_evidence")
    }

    def answer(prompt: str) -> str:
        if prompt.startswith("Translate the following JSON"):
            return translator(prompt)
        return originals.get(prompt.split("\n\n", 1)[1], "Something else altogether.")

    with Loopback(answer) as server:
        args = f"model=scripted,base_url={server.url}/v1/chat/completions"
        folder = _build(
            tmp_path,
            STRATEGYQA,
            source="conflictqa-strategyqa",
            languages="en,de",
            model=CHAT,
            model_args=args,
            back_translate=CHAT,
            back_translate_args=args,
        )
    assert len(read_items(folder)) == 1
    rows = {row["field"]: row for row in json.loads((folder / "manifest.json").read_text())["fidelity"]}
    assert rows["question"]["median"] == rows["support"]["median"] == 100.0
    assert rows["counter"]["median"] < 30
    assert [rows[field]["listed"] for field in ("question", "support", "counter")] == [0, 0, 1]
    (doubtful,) = [json.loads(line) for line in (folder / "fidelity.jsonl").read_text().splitlines()]
    assert (doubtful["field"], doubtful["back"]) == ("counter", "Something else altogether.")
    assert "| de | counter | 1 | 0 |" in (folder / "README.md").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"source": "popqa"}, "unknown --source 'popqa': use conflictqa-popqa or"),
        ({"languages": "en,xx"}, "'xx' is none of CLEAR's languages"),
        ({"languages": "en,de"}, "need a translator"),
        ({"back_translate": CHAT}, "--back-translate checks translations"),
        ({"file": Path("nowhere.json")}, r"cannot read nowhere\.json"),
    ],
)
def test_bad_options_get_one_line(tmp_path: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message) as error:
        _build(tmp_path, POPQA, **options)
    assert "\n" not in str(error.value)


def test_nothing_is_written_over_something_else(tmp_path: Path) -> None:
    _build(tmp_path, POPQA)
    with pytest.raises(UserError, match="built otherwise"):
        _build(tmp_path, POPQA, limit=5)
    with pytest.raises(UserError, match="no item of"):
        _build(tmp_path, {**POPQA, "memory_answer": "x y", "counter_answer": "y z"}, out="empty")
    assert not (tmp_path / "empty").exists()
