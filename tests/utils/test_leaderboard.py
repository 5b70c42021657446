"""The pipeline with a harness that is played: what is run, what is skipped, what the table holds."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from crossfact.utils import leaderboard
from crossfact.utils.errors import UserError
from crossfact.utils.leaderboard import TABLE, run_leaderboard
from tests.utils.results_files import write_results

LIST = """
defaults: {tasks: [sword], model: hf}
models:
  - {name: a, model_args: {pretrained: org/a}}
  - {name: b, model_args: {pretrained: org/b}}
  - {name: c, model_args: {pretrained: org/c}}
"""


class Harness:
    """Stands in for the subprocess: fails or is killed for the models that are named."""

    def __init__(self, failing: str = "", killed: str = "", silent: str = "") -> None:
        self.failing, self.killed, self.silent = failing, killed, silent
        self.ran: list[str] = []

    def __call__(self, command: list[str], stdout: Any, **options: Any) -> subprocess.CompletedProcess[bytes]:
        settings = yaml.safe_load(Path(command[-1]).read_text())
        name = Path(command[-1]).parent.name
        assert command[1:-1] == ["-m", "crossfact.utils.cli", "run", "--config"]
        assert settings["model_args"] == {"pretrained": f"org/{name}"}
        assert settings["log_samples"] is True
        self.ran.append(name)
        if name == self.failing:
            stdout.write(b"Traceback\nRuntimeError: out of memory\n\n")
            return subprocess.CompletedProcess(command, 1)
        if name != self.silent:
            write_results(Path(settings["output_path"]) / "org__model", f"results_{len(self.ran)}.json")
        if name == self.killed:
            raise KeyboardInterrupt
        return subprocess.CompletedProcess(command, 0)


@pytest.fixture
def models(tmp_path: Path) -> Path:
    (tmp_path / "models.yaml").write_text(LIST)
    return tmp_path / "models.yaml"


def play(monkeypatch: pytest.MonkeyPatch, **how: str) -> Harness:
    harness = Harness(**how)
    monkeypatch.setattr(leaderboard.subprocess, "run", harness)
    return harness


def table(out: Path) -> list[dict[str, str]]:
    with (out / TABLE).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_all_models_are_in_one_table(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    harness = play(monkeypatch)
    run_leaderboard(models, tmp_path / "out")
    assert harness.ran == ["a", "b", "c"]
    groups = [(row["model"], row["value"]) for row in table(tmp_path / "out") if row["task"] == "sword"]
    assert groups == [("a", "0.75"), ("b", "0.75"), ("c", "0.75")]


def test_what_is_finished_is_not_run_again(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch)
    run_leaderboard(models, tmp_path / "out")
    before = (tmp_path / "out" / TABLE).read_bytes()
    harness = play(monkeypatch)
    run_leaderboard(models, tmp_path / "out")
    assert not harness.ran
    assert (tmp_path / "out" / TABLE).read_bytes() == before


def test_a_model_that_fails_is_named_and_tried_again(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    harness = play(monkeypatch, failing="b")
    with pytest.raises(UserError, match=r"1 of 3 models did not finish; b: failed with status 1 \(RuntimeError: out"):
        run_leaderboard(models, tmp_path / "out")
    assert harness.ran == ["a", "b", "c"]
    assert "b: failed with status 1 (RuntimeError: out of memory)" in capsys.readouterr().out
    assert {row["model"] for row in table(tmp_path / "out")} == {"a", "c"}
    harness = play(monkeypatch)
    run_leaderboard(models, tmp_path / "out")
    assert harness.ran == ["b"]
    assert [row["model"] for row in table(tmp_path / "out") if row["task"] == "sword"] == ["a", "b", "c"]


def test_a_killed_run_goes_on_and_leaves_nothing_twice(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(monkeypatch, killed="b")
    with pytest.raises(KeyboardInterrupt):
        run_leaderboard(models, tmp_path / "out")
    assert {row["model"] for row in table(tmp_path / "out")} == {"a"}
    harness = play(monkeypatch)
    run_leaderboard(models, tmp_path / "out")
    assert harness.ran == ["b", "c"]
    assert len([row for row in table(tmp_path / "out") if row["task"] == "sword"]) == 3


def test_a_run_without_results_is_no_success(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, silent="c")
    with pytest.raises(UserError, match=r"c: wrote no results \(nothing was printed\)"):
        run_leaderboard(models, tmp_path / "out")


def test_other_options_are_never_mixed_in(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch)
    run_leaderboard(models, tmp_path / "out")
    models.write_text(LIST.replace("tasks: [sword]", "tasks: [sword], limit: 3"))
    with pytest.raises(UserError, match="holds results of a with other options: give the model another name, or"):
        run_leaderboard(models, tmp_path / "out")


def test_models_of_an_earlier_list_stay_in_the_table(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(monkeypatch)
    run_leaderboard(models, tmp_path / "out")
    models.write_text("models: [{name: d, model: hf, tasks: sword, model_args: {pretrained: org/d}}]")
    run_leaderboard(models, tmp_path / "out")
    assert [row["model"] for row in table(tmp_path / "out") if row["task"] == "sword"] == ["d", "a", "b", "c"]


def test_a_model_that_another_process_runs_is_left_to_it(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = play(monkeypatch)
    (tmp_path / "out" / "b").mkdir(parents=True)
    held = leaderboard._locked(tmp_path / "out" / "b" / ".lock")
    with held, pytest.raises(UserError, match="b: another process is running it"):
        run_leaderboard(models, tmp_path / "out")
    assert harness.ran == ["a", "c"]
