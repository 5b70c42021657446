"""FIBER by the commands that users type: a small real model, the reference protocol, and mistakes, each in one line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crossfact.fiber.document_files import document_file, write_documents
from crossfact.fiber.documents import Documents
from crossfact.fiber.topics import TOPICS
from tests.fiber.examples import small_document
from tests.models import small_model
from tests.shared import shared_path

BIN = Path(sys.executable).parent
TASKS = Path(__file__).resolve().parents[2] / "lm_eval_tasks"
CITIES = TOPICS["capital_cities"]


@pytest.mark.slow
def test_a_real_model_runs_on_embedded_and_on_official_data(tmp_path: Path) -> None:
    model = f"pretrained={small_model('smollm2')},dtype=float32"
    for source, name in (("embedded", "embedded"), (str(shared_path("data", "fiber_official")), "official")):
        out = tmp_path / name
        done = _run(
            *("crossfact", "run", "--tasks", "fiber_countries_timezones_it", "--model", "hf-tree"),
            *("--model_args", model, "--limit", "8", "--output_path", str(out), "--log_samples"),
            *("--metadata", json.dumps({"source": source})),
        )
        assert done.returncode == 0, done.stderr[-3000:]
        assert f"fiber_countries_timezones_it [{name}]" in done.stdout
        (path,) = out.rglob("results_*.json")
        found = json.loads(path.read_text())["results"]["fiber_countries_timezones_it"]
        for metric in ("map", "map_sc", "map_qa", "map_count", "p_at_1", "fib", "fib_at_1", "fib_at_5"):
            assert 0 <= found[f"{metric},none"] <= 1
            assert isinstance(found[f"{metric}_stderr,none"], float)
        (samples,) = path.parent.glob("samples_fiber_countries_timezones_it_*.jsonl")
        assert len(samples.read_text().splitlines()) == 8


@pytest.mark.slow
def test_the_reference_protocol_by_the_command(tmp_path: Path) -> None:
    reference = json.loads(shared_path("data", "fiber_reference", "capital_cities_tr_0_0.json").read_text())
    done = _run(
        *("crossfact", "run", "--tasks", "fiber_capital_cities_tr", "--model", "fiber-reference"),
        *("--model_args", f"pretrained={small_model('gemma')},dtype=float32", "--output_path", str(tmp_path)),
        *("--samples", '{"fiber_capital_cities_tr": [0, 3]}', "--log_samples"),
        *("--metadata", json.dumps({"source": str(shared_path("data", "fiber_official")), "protocol": "reference"})),
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "[official] [reference protocol]" in done.stdout
    (samples,) = tmp_path.rglob("samples_*.jsonl")
    found = [json.loads(line)["map"] for line in samples.read_text().splitlines()]
    assert found == pytest.approx([row["average_precision"] for row in reference["rows"][:2]], abs=1e-3)


@pytest.mark.slow
def test_build_writes_documents_that_run(tmp_path: Path) -> None:
    done = _run("crossfact", "build", "fiber", "--out", str(tmp_path / "mine"))
    assert done.returncode == 0, done.stderr[-3000:]
    assert len(list((tmp_path / "mine").iterdir())) == 48
    done = _lm_eval("fiber_ccTLD_tr", {"source": str(tmp_path / "mine")}, "--limit", "3")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "fiber_ccTLD_tr [mine]" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "metadata", "arguments", "complaint"),
    [
        ("fiber_capital_cities_it", {"source": "missing"}, (), "capital_cities_it_1.json is missing; copy it"),
        ("fiber_capital_cities_it", {"source": "altered"}, (), "capital_cities_it_1.json is not the official file"),
        ("fiber_capital_cities_it", {"source": "official"}, (), "check the network and run again, or name a folder"),
        ("fiber_capital_cities_it", {"source": "no/folder"}, (), "neither 'embedded', 'official' nor a folder"),
        ("fiber_capital_cities_it", {"source": "empty"}, (), "capital_cities_it.jsonl is empty; write it again"),
        ("fiber_capital_cities_it", {"source": "outside"}, (), "gold is a list of one or more indices of the 3"),
        ("fiber_capital_cities_it", {"protocol": "papre"}, (), "use one of paper, reference"),
        ("fiber_capital_cities_it", {"protocol": "reference"}, (), "crossfact run --model fiber-reference"),
        ("fiber_capital_cities_it", {}, ("--limit", "99999"), "lower it, or leave it out"),
        ("fiber_capital_cities_it", {}, ("--model", "local-chat-completions"), "use hf, vllm"),
    ],
)
def test_a_mistake_is_one_line(
    task: str, metadata: dict[str, str], arguments: tuple[str, ...], complaint: str, tmp_path: Path
) -> None:
    _write_faulty_sources(tmp_path)
    done = _lm_eval(task, metadata, *arguments, cwd=tmp_path)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("crossfact: ")
    assert complaint in last
    assert "|map" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("task", ["fiber_rivers_it", "fiber_capital_cities_de"])
def test_an_unknown_topic_or_language_is_named_by_the_harness(task: str) -> None:
    """It knows no such task, and stops before any code of ours is loaded."""
    done = _lm_eval(task, {})
    assert done.returncode != 0
    assert done.stderr.strip().splitlines()[-1].endswith(f"Tasks not found: {task}")


def _write_faulty_sources(folder: Path) -> None:
    for name in ("missing", "altered"):
        copy = folder / name / "single_entity" / "capital_cities"
        copy.mkdir(parents=True)
        for file in shared_path("data", "fiber_official", "single_entity", "capital_cities").iterdir():
            shutil.copyfile(file, copy / file.name)
    (folder / "missing/single_entity/capital_cities/capital_cities_it_1.json").unlink()
    with (folder / "altered/single_entity/capital_cities/capital_cities_it_1.json").open("a") as file:
        file.write("\n")
    write_documents(document_file(folder / "empty", CITIES, "it"), Documents())
    outside = small_document()
    outside["gold"] = [3]
    write_documents(document_file(folder / "outside", CITIES, "it"), Documents([outside]))


def _lm_eval(
    task: str, metadata: dict[str, str], *arguments: str, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    model = () if "--model" in arguments else ("--model", "dummy")
    base_url = ("--model_args", "base_url=http://127.0.0.1:9,model=none") if "--model" in arguments else ()
    return _run(
        *("lm_eval", "run", "--include_path", str(TASKS), "--tasks", task, "--metadata", json.dumps(metadata)),
        *(*model, *base_url, *arguments),
        cwd=cwd,
    )


def _run(*command: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "CROSSFACT_FIBER_URL": "http://127.0.0.1:9",
        "CROSSFACT_CACHE": str(cwd / "cache") if cwd else os.environ.get("CROSSFACT_CACHE", ""),
    }
    return subprocess.run(
        [str(BIN / command[0]), *command[1:]], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
