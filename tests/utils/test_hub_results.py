from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from crossfact.utils.errors import UserError
from crossfact.utils.hub_results import write_eval_results
from tests.utils.results_files import write_results


def test_the_files_are_in_the_format_of_the_hub(tmp_path: Path) -> None:
    hub = pytest.importorskip("huggingface_hub", "1.4", reason="an older client does not know the format")
    (file,) = write_eval_results([write_results(tmp_path)], tmp_path / "out", "org/sword", ["balanced"])
    assert file == tmp_path / "out" / "org" / "model" / ".eval_results" / "crossfact_2026-01-01T00-00-00.0.yaml"
    written = yaml.safe_load(file.read_text(encoding="utf-8"))
    entries = hub.parse_eval_result_entries(written)
    assert hub.eval_result_entries_to_yaml(entries) == written
    assert [(entry.dataset_id, entry.task_id, entry.value) for entry in entries] == [
        ("org/sword", "sword_balanced", 0.75),
        ("org/sword", "sword_en_balanced", 1.0),
        ("org/sword", "sword_de_balanced", 0.5),
    ]
    assert entries[0].date == "2027-01-15T08:00:00+00:00"
    assert "source embedded (00ff); task version 1.0; 4 documents" in entries[1].notes


def test_a_metric_with_several_filters_needs_one_named(tmp_path: Path) -> None:
    results = write_results(tmp_path)
    with pytest.raises(UserError, match="has acc with the filters exact and contains: choose one, such as --metric"):
        write_eval_results([results], tmp_path / "out", "org/clear", ["acc"])
    (file,) = write_eval_results([results], tmp_path / "out", "org/clear", ["acc,contains"])
    assert [entry["value"] for entry in yaml.safe_load(file.read_text())] == [0.5]


def test_an_undefined_score_is_left_out(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no results with sr"):
        write_eval_results([write_results(tmp_path)], tmp_path / "out", "org/clear", ["sr"])


def test_a_dataset_needs_an_owner(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="'sword' is no dataset of the Hub"):
        write_eval_results([write_results(tmp_path)], tmp_path / "out", "sword", ["balanced"])
