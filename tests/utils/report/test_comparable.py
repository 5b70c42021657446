from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crossfact.utils.report.comparable import group_comparable, model_labels, why_apart
from crossfact.utils.report.logs import find_runs
from tests.utils.report.logged import write_run

ONE = [{"doc": {"id": "a"}}]


def groups(folder: Path) -> list[list[tuple[str, list[str]]]]:
    found = group_comparable(find_runs([folder])[0], "toy")
    return [[(model.label, sorted(model.tasks)) for model in group.models] for group in found]


def test_a_model_s_tasks_from_several_runs_stand_together(tmp_path: Path) -> None:
    write_run(tmp_path / "1", "lab/alpha", {"toy_en": ONE, "other_en": ONE})
    write_run(tmp_path / "2", "lab/alpha", {"toy_de": ONE}, date="2026-01-02")
    write_run(tmp_path / "3", "lab/Beta", {"toy_en": ONE})
    assert groups(tmp_path) == [[("alpha", ["toy_de", "toy_en"]), ("Beta", ["toy_en"])]]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"metadata": {"version": 2.0}}, "version 2.0"),
        ({"metadata": {"source": "mine"}}, "source mine"),
        ({"metadata": {"memory_votes": 3}}, 'options {"memory_votes":3}'),
        ({"metadata": {"fingerprint": "f" * 16}}, "fingerprint ffffffffffffffff"),
        ({"limit": 1}, "first 1 documents"),
        ({"chat": True}, "with chat template"),
    ],
)
def test_what_cannot_be_compared_is_apart(tmp_path: Path, other: dict[str, Any], said: str) -> None:
    write_run(tmp_path / "1", "alpha", {"toy_en": ONE, "toy_de": ONE})
    write_run(tmp_path / "2", "beta", {"toy_en": ONE}, **other)
    first, second = group_comparable(find_runs([tmp_path])[0], "toy")
    assert [model.label for model in first.models] == ["alpha"]
    assert [model.label for model in second.models] == ["beta"]
    assert said in why_apart(second, first)


def test_the_same_task_twice_is_two_models(tmp_path: Path) -> None:
    write_run(tmp_path / "1", "alpha", {"toy_en": ONE})
    write_run(tmp_path / "2", "alpha", {"toy_en": ONE}, date="2026-01-02")
    assert groups(tmp_path) == [[("alpha", ["toy_en"]), ("alpha (again, 2026-01-02)", ["toy_en"])]]


def test_labels_are_as_short_as_they_can_be(tmp_path: Path) -> None:
    for place, (model, arguments) in enumerate(
        [
            ("lab/alpha", "dtype=float32,device=cpu"),
            ("lab/alpha", "dtype=float32,device=cuda:1"),
            ("other/alpha", ""),
            ("/models/run1/final", "thinking=True"),
            ("/models/run1/final", "thinking=False"),
            ("gamma", ""),
        ]
    ):
        write_run(tmp_path, model, {"toy_en": ONE}, model_args=arguments, date=f"2026-01-0{place}")
    assert model_labels(find_runs([tmp_path])[0]) == [
        "lab/alpha",
        "lab/alpha",
        "other/alpha",
        "final (thinking=True)",
        "final (thinking=False)",
        "gamma",
    ]
