from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from crossfact.clear.agreement import LeftOutError, take_sides
from crossfact.clear.conflictqa import download, read_records
from crossfact.utils.errors import UserError
from tests.clear.conflict_records import POPQA, STRATEGYQA, write_records
from tests.shared import shared_path


def _sides(tmp_path: Path, dataset: str, **changed: object):
    base = POPQA if dataset == "popqa" else STRATEGYQA
    (record,) = read_records(write_records(tmp_path / "one.json", {**base, **changed}))
    return take_sides(record, dataset)


def test_support_is_the_side_that_agrees_with_the_truth(tmp_path: Path) -> None:
    sided = _sides(tmp_path, "popqa")
    assert sided.support.answer == POPQA["counter_answer"]  # here the model's memory was wrong
    assert sided.counter.evidence == POPQA["parametric_memory_aligned_evidence"]
    version = sided.item().languages["en"]
    assert version.answers == ("Porto", "Oporto")
    assert version.counter_answer == "Ana Lopes was born in Lisbon."

    sided = _sides(tmp_path, "strategyqa")
    assert sided.support.answer == STRATEGYQA["memory_answer"]
    version = sided.item().languages["en"]
    assert (version.answers, version.counter_answer) == (("false",), ("true",))

    sided = _sides(tmp_path, "strategyqa", ground_truth=["True"])
    assert sided.support.answer == STRATEGYQA["counter_answer"]


def test_ids_depend_on_the_question_alone(tmp_path: Path) -> None:
    assert _sides(tmp_path, "popqa").id == _sides(tmp_path, "popqa", popularity=None).id
    assert _sides(tmp_path, "popqa").id != _sides(tmp_path, "popqa", question="Who is Ana Lopes?").id


@pytest.mark.parametrize(
    ("dataset", "changed", "reason"),
    [
        ("popqa", {"memory_answer": "Ana Lopes was born in Oporto."}, "both answers name the ground truth"),
        ("popqa", {"counter_answer": "Ana Lopes was born in Faro."}, "neither answer names the ground truth"),
        ("popqa", {"counter_answer": "Ana Lopes was born in Lisbon."}, "both answers are the same"),
        (
            "popqa",
            {"counter_memory_aligned_evidence": "The parish books name her."},
            "entity rule: none in the support evidence",
        ),
        (
            "popqa",
            {"parametric_memory_aligned_evidence": "She left Oporto for Lisbon."},
            "entity rule: the gold answer in the counter evidence",
        ),
        ("popqa", {"counter_memory_aligned_evidence": " "}, "an answer or its evidence is empty"),
        (
            "popqa",
            {"parametric_memory_aligned_evidence": "I'm sorry, I cannot write that."},
            "a refusal in place of evidence",
        ),
        ("strategyqa", {"memory_answer": "As an AI I cannot say."}, "a refusal in place of an answer"),
        ("strategyqa", {"counter_answer": "A brick can float. (Note: false.)"}, "an answer that takes itself back"),
        ("strategyqa", {"counter_answer": "A brick does not float."}, "it cannot be told which answer says yes"),
        ("strategyqa", {"ground_truth": ["Perhaps"]}, "the ground truth is neither true nor false"),
        (
            "strategyqa",
            {"counter_memory_aligned_evidence": STRATEGYQA["parametric_memory_aligned_evidence"]},
            "both answers have the same evidence",
        ),
    ],
)
def test_what_cannot_be_used_is_left_out_with_its_reason(
    tmp_path: Path, dataset: str, changed: dict[str, object], reason: str
) -> None:
    with pytest.raises(LeftOutError) as left_out:
        _sides(tmp_path, dataset, **changed)
    assert str(left_out.value) == reason


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not JSON"),
        ("[]", "line 2: expected a JSON object"),
        (json.dumps({k: v for k, v in POPQA.items() if k != "question"}), "line 2: question is missing"),
        (json.dumps({**POPQA, "memory_answer": 3}), "line 2: memory_answer must be a text"),
        (json.dumps({**POPQA, "ground_truth": []}), "line 2: ground_truth must be a list"),
    ],
)
def test_wrong_lines_are_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "two.json"
    path.write_text(json.dumps(POPQA) + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(UserError, match=message):
        read_records(path)


def test_missing_and_empty_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*none\.json"):
        read_records(tmp_path / "none.json")
    (tmp_path / "empty.json").write_text("\n")
    with pytest.raises(UserError, match="is empty"):
        read_records(tmp_path / "empty.json")


@pytest.mark.parametrize(
    ("name", "dataset", "lines"),
    [
        ("conflictQA-strategyQA-chatgpt.json", "strategyqa", 1245),
        ("conflictQA-strategyQA-llama2-7b.json", "strategyqa", 698),
        ("conflictQA-popQA-llama2-7b.50.jsonl", "popqa", 50),
    ],
)
def test_the_published_files(name: str, dataset: str, lines: int) -> None:
    records = read_records(shared_path("data", "conflictqa", name))
    assert len(records) == lines
    kept, left_out = 0, 0
    for record in records:
        try:
            take_sides(record, dataset)
            kept += 1
        except LeftOutError:
            left_out += 1
    assert kept + left_out == lines
    assert left_out <= 0.05 * lines


def test_download_from_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Hub's own client, against a server on this machine that speaks as much of the Hub as a file needs."""
    body = (json.dumps(POPQA) + "\n").encode()
    asked: list[str] = []

    class Hub(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            asked.append(self.path)
            known = self.path == "/datasets/osunlp/ConflictQA/resolve/main/conflictQA-popQA-chatgpt.json"
            self.send_response(200 if known else 404)
            for key, value in {
                "ETag": '"abc"',
                "X-Repo-Commit": "0" * 40,
                "Content-Length": str(len(body)),
                **({} if known else {"X-Error-Code": "EntryNotFound"}),
            }.items():
                self.send_header(key, value)
            self.end_headers()

        def do_GET(self) -> None:
            self.do_HEAD()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        from huggingface_hub import constants

        address = f"http://127.0.0.1:{server.server_address[1]}"
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "ENDPOINT", address)
        monkeypatch.setattr(
            constants, "HUGGINGFACE_CO_URL_TEMPLATE", address + "/{repo_id}/resolve/{revision}/{filename}"
        )
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.setenv("HF_ENDPOINT", address)
        (record,) = read_records(download("popqa", "chatgpt"))
        assert record.gold == ("Porto", "Oporto")
        with pytest.raises(UserError, match=r"cannot download conflictQA-popQA-nobody\.json.*--file"):
            download("popqa", "nobody")
    finally:
        server.shutdown()
        server.server_close()
    assert asked
