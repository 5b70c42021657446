from __future__ import annotations

import json
import math
from pathlib import Path

import msgspec
import pytest

from crossfact.utils.errors import UserError
from crossfact.utils.report.logs import find_runs, read_samples, read_task
from tests.utils.report.logged import DATE, write_run

SAMPLES = [{"doc": {"id": "a"}, "acc": 1.0, "sr": math.nan}, {"doc": {"id": "b"}, "acc": 0.0, "sr": 0.5}]


class OnlyId(msgspec.Struct):
    id: str


class Narrow(msgspec.Struct):
    doc: OnlyId
    sr: float | None


def test_a_run_as_the_harness_logs_it(tmp_path: Path) -> None:
    write_run(
        tmp_path / "deep" / "er",
        "lab/alpha",
        {"toy_en": SAMPLES},
        results={"toy_en": {"acc,exact": 0.5, "acc_stderr,exact": 0.1, "sr,exact": math.nan, "sr_stderr,exact": "N/A"}},
        metadata={"source": "mine", "memory_votes": 3, "dtype": "float32"},
        limit=2,
        chat=True,
        model_args="dtype=float32,device=cpu",
    )
    (run,), problems = find_runs([tmp_path])
    assert problems == []
    assert (run.model, run.date, run.chat, run.system) == ("lab/alpha", DATE, True, "")
    assert run.arguments == {"backend": "scripted", "dtype": "float32", "device": "cpu"}
    log = run.tasks["toy_en"]
    assert (log.source, log.fingerprint, log.version) == ("mine", "0123456789abcdef", "1.0")
    assert (log.limit, log.documents, log.shots) == (2, 2, 0)
    assert log.options == '{"memory_votes":3}'
    assert log.scores["acc,exact"].value == 0.5
    assert log.scores["acc,exact"].error == 0.1
    assert math.isnan(log.scores["sr,exact"].value)
    assert math.isnan(log.scores["sr,exact"].error)
    assert list(log.scores) == ["acc,exact", "sr,exact"]


def test_undefined_scores_are_null_for_any_decoder(tmp_path: Path) -> None:
    write_run(tmp_path, "alpha", {"toy_en": SAMPLES})
    log = find_runs([tmp_path])[0][0].tasks["toy_en"]
    assert [sample["sr"] for sample in read_samples(log)] == [None, 0.5]
    assert [(one.doc.id, one.sr) for one in read_samples(log, msgspec.json.Decoder(Narrow).decode)] == [
        ("a", None),
        ("b", 0.5),
    ]


def test_a_judged_run_is_one_with_its_original(tmp_path: Path) -> None:
    plain = [{**sample, "filter": "exact"} for sample in SAMPLES]
    write_run(tmp_path, "alpha", {"toy_en": plain}, results={"toy_en": {"acc,exact": 0.5}})
    judge = [{**sample, "filter": "judge"} for sample in SAMPLES]
    judged = write_run(tmp_path, "alpha", {"toy_en": judge}, results={"toy_en": {"acc,judge": 1.0}}, judged=True)
    for paths in ([tmp_path], [judged], [judged, tmp_path]):
        (run,), problems = find_runs(paths)
        assert problems == []
        log = run.tasks["toy_en"]
        assert {key: score.value for key, score in log.scores.items()} == {"acc,exact": 0.5, "acc,judge": 1.0}
        assert [sample["filter"] for sample in read_samples(log)] == ["exact", "exact", "judge", "judge"]


def test_damaged_and_foreign_files_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    write_run(tmp_path / "good", "alpha", {"toy_en": SAMPLES})
    (tmp_path / "results_cut.json").write_text('{"results": {"toy_en"')
    (tmp_path / "results_other.json").write_text(json.dumps({"accuracy": 1}))
    (tmp_path / "results_list.json").write_text("[1, 2]")
    (tmp_path / "notes.json").write_text("{}")
    runs, problems = find_runs([tmp_path])
    assert [run.model for run in runs] == ["alpha"]
    assert [Path(line.partition(":")[0]).name for line in problems] == [
        "results_cut.json",
        "results_list.json",
        "results_other.json",
    ]
    assert all("no results file of lm_eval" in line and "\n" not in line for line in problems)


def test_a_damaged_judged_file_leaves_the_original(tmp_path: Path) -> None:
    plain = write_run(tmp_path, "alpha", {"toy_en": SAMPLES})
    plain.with_name(f"{plain.stem}_judge.json").write_text("{")
    runs, problems = find_runs([tmp_path])
    assert len(runs) == 1
    assert len(problems) == 1
    assert "no judged results" in problems[0]


@pytest.mark.parametrize("decode", [json.loads, msgspec.json.Decoder(Narrow).decode])
@pytest.mark.parametrize("damage", ['{"doc": {"id": "c"', '{"unlike": 1}', "17"])
def test_a_damaged_line_makes_its_task_a_gap(tmp_path: Path, damage: str, decode) -> None:
    path = write_run(tmp_path, "alpha", {"toy_en": SAMPLES})
    samples = path.with_name(f"samples_toy_en_{DATE}.jsonl")
    samples.write_text(samples.read_text() + "\n" + damage)
    log = find_runs([tmp_path])[0][0].tasks["toy_en"]

    def read(stream) -> list[str]:
        return [one.doc.id if isinstance(one, Narrow) else one["doc"]["id"] for one in stream]

    found, problem = read_task(log, read, decode)
    assert found is None
    assert str(samples) in problem
    assert problem.endswith("toy_en is left out")
    assert "\n" not in problem


def test_a_run_without_samples(tmp_path: Path) -> None:
    write_run(tmp_path, "alpha", {"toy_en": SAMPLES})
    (tmp_path / f"samples_toy_en_{DATE}.jsonl").unlink()
    log = find_runs([tmp_path])[0][0].tasks["toy_en"]
    assert read_task(log, list) == (None, "toy_en: no samples were logged; run lm_eval with --log_samples")


def test_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="does not exist"):
        find_runs([tmp_path / "none"])
    with pytest.raises(UserError, match="no results of lm_eval"):
        find_runs([tmp_path])
