"""`crossfact build sword` as a user runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager

from tests.e2e.test_sword import TASKS, Scripted, tagged
from tests.loopback import Fault, Loopback
from tests.shared import shared_path

COMMAND = [sys.executable, "-c", "from crossfact.utils.cli import main; main()", "build", "sword"]


def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "CROSSFACT_CACHE": str(tmp_path / "cache"), "OMP_NUM_THREADS": "1"}


def build(tmp_path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *options], env=environment(tmp_path), capture_output=True, text=True, check=False)


def write_sentence(prompt: str) -> str:
    """Answer the generation prompt."""
    subject, object_ = (re.search(rf"^{part}: (.*)$", prompt, re.MULTILINE)[1] for part in ("Subject", "Object"))
    return f"<answer>{subject} – {object_}</answer>"


def verbalizer(server: Loopback, languages: str = "en,ko") -> list[str]:
    arguments = f"model=scripted,base_url={server.url}/v1/chat/completions"
    options = ["--verbalizer", "local-chat-completions", "--verbalizer-args", arguments]
    return [*options, "--languages", languages, "--count", "8", "--properties", "P36,P50"]


def test_a_built_folder_is_a_source(tmp_path: Path) -> None:
    done = build(tmp_path, "--out", str(tmp_path / "mine"), "--count", "12", "--seed", "7", "--properties", "P36,P38")
    assert done.returncode == 0, done.stderr
    assert "12 triples, 480 statements" in done.stdout
    found = simple_evaluate(
        model=Scripted(lambda doc: tagged(doc["target"])),
        tasks=["sword"],
        task_manager=TaskManager(
            include_path=str(TASKS), include_defaults=False, metadata={"source": str(tmp_path / "mine")}
        ),
        metadata={"source": str(tmp_path / "mine")},
    )
    assert found["results"]["sword_ja"]["strict,answer"] == 1
    assert found["configs"]["sword_ja"]["metadata"]["source"] == "mine"
    assert found["n-samples"]["sword_ja"]["effective"] == 12


def test_statements_from_a_model(tmp_path: Path) -> None:
    with Loopback(write_sentence) as server:
        done = build(tmp_path, "--out", str(tmp_path / "mine"), *verbalizer(server))
    assert done.returncode == 0, done.stderr
    assert len(server.requests) == 8 * 5 * 2
    first = json.loads((tmp_path / "mine" / "ko.jsonl").read_text().splitlines()[0])
    assert " – " in first["probes"][0]["statement"]
    manifest = (tmp_path / "mine" / "manifest.json").read_text()
    assert json.loads(manifest)["statements_by"] == "local-chat-completions (scripted)"
    assert "127.0.0.1" not in manifest


def test_a_statement_that_fails_stays_out_in_all_languages(tmp_path: Path) -> None:
    refused: set[str] = set()

    def answer(prompt: str) -> str:
        if not refused and "Korean" in prompt:
            refused.add(prompt)
        return "I would rather not." if prompt in refused else write_sentence(prompt)

    with Loopback(answer) as server:
        done = build(tmp_path, "--out", str(tmp_path / "mine"), *verbalizer(server))
    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "mine" / "manifest.json").read_text())
    assert (manifest["triples"], manifest["settings"]["count"]) == (7, 8)
    assert manifest["left_out"] == {"a statement is missing: not one answer in tags": 1}
    ids = [
        [json.loads(line)["id"] for line in (tmp_path / "mine" / f"{lang}.jsonl").read_text().splitlines()]
        for lang in ("en", "ko")
    ]
    assert ids[0] == ids[1]
    assert len(ids[0]) == 7
    assert [server.prompts.count(prompt) for prompt in refused] == [3]


def test_a_killed_build_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    with Loopback(write_sentence, fault_of=lambda prompt: Fault(hang=0.05)) as server:
        options = verbalizer(server)
        command = [*COMMAND, "--out", str(tmp_path / "killed"), *options]
        child = subprocess.Popen(
            command, env=environment(tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 120
        while len(server.requests) < 20 and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        assert 20 <= len(server.requests) < 80
        assert not (tmp_path / "killed" / "manifest.json").exists()
        server.fault_of = lambda prompt: None
        assert build(tmp_path, "--out", str(tmp_path / "killed"), *options).returncode == 0
        assert len(server.requests) <= 82
        other = tmp_path / "other"
        assert build(other, "--out", str(tmp_path / "whole"), *options).returncode == 0
    for path in sorted((tmp_path / "whole").iterdir()):
        assert (tmp_path / "killed" / path.name).read_bytes() == path.read_bytes()


def test_from_a_real_dump_with_similarity(tmp_path: Path) -> None:
    dump = shared_path("data", "wikidata", "dump-10k-items.json.gz")
    options = ["--dump", str(dump), "--count", "60", "--workers", "1", "--similarity"]
    done = build(tmp_path, "--out", str(tmp_path / "mine"), *options)
    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "mine" / "manifest.json").read_text())
    assert (manifest["triples"], manifest["statements"]) == (60, 2400)
    assert manifest["similarity"].keys() == {"ss", "os", "pss", "pos"}
    probes = json.loads((tmp_path / "mine" / "ja.jsonl").read_text().splitlines()[0])["probes"]
    assert probes[0]["similarity"] is None
    assert all(-1 <= probe["similarity"] <= 1 for probe in probes[1:])


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--count", "0"], "--count 0 is too small"),
        (["--count", "100000"], "triples have false distortions, not 100000"),
        (["--languages", "en,xx"], "no statements can be written in 'xx'"),
        (["--languages", "en,tr"], r"no statements can be written in 'tr'.*name a --verbalizer"),
        (["--languages", ","], "--languages is empty"),
        (["--properties", "P999"], "embedded has no fact with P999"),
        (["--properties", "P1086"], "P1086 has no template"),
        (["--dump", "missing.json"], "missing.json is not a file"),
        (["--verbalizer", "no-such", "--count", "1"], "no-such"),
    ],
)
def test_bad_input_is_answered_in_one_line(tmp_path: Path, options: list[str], why: str) -> None:
    done = build(tmp_path, "--out", str(tmp_path / "mine"), *options)
    assert done.returncode == 2
    said = [line for line in done.stderr.splitlines() if line.startswith("crossfact: ")]
    assert len(said) == 1
    assert re.search(why, said[0])
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "mine" / "manifest.json").exists()


def test_another_dataset_is_not_written_over(tmp_path: Path) -> None:
    options = ["--out", str(tmp_path / "mine"), "--languages", "en", "--properties", "P36"]
    assert build(tmp_path, *options, "--count", "3").returncode == 0
    assert build(tmp_path, *options, "--count", "3").returncode == 0
    done = build(tmp_path, *options, "--count", "4")
    assert (done.returncode, "was built otherwise" in done.stderr) == (2, True)


def test_a_source_that_is_missing_ends_a_run_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lm_eval", "run", "--include_path", str(TASKS), "--tasks", "sword_en"]
    metadata = json.dumps({"source": str(tmp_path / "nowhere")})
    done = subprocess.run(
        [*command, "--model", "dummy", "--metadata", metadata],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "neither 'embedded' nor a folder" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
