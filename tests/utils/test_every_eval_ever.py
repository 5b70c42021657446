from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pytest

from crossfact.utils import every_eval_ever
from crossfact.utils.errors import UserError
from crossfact.utils.every_eval_ever import CONVERTER, convert, convertible
from tests.utils.results_files import results, write_results

CONFIG = {"model": "hf", "model_args": {"pretrained": "/models/mine", "dtype": "float32"}}


def test_undefined_scores_and_their_errors_are_left_out() -> None:
    scores = {"a,x": 0.5, "a_stderr,x": math.nan, "b,x": math.nan, "b_stderr,x": 0.1, "c,x": 1.0, "c_stderr,x": "N/A"}
    changed = convertible(results(results={"t": scores}))
    assert changed["results"] == {"t": {"a,x": 0.5, "c,x": 1.0, "c_stderr,x": "N/A"}}
    json.dumps(changed, allow_nan=False)


def test_a_model_from_a_folder_gets_a_name() -> None:
    changed = convertible(results(model_name="/models/mine", config=CONFIG), model="org/mine")
    assert changed["model_name"] == "org/mine"
    assert changed["config"]["model_args"] == {"pretrained": "org/mine", "dtype": "float32"}


def test_without_the_converter_one_line_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every_eval_ever.shutil, "which", lambda name: None)
    with pytest.raises(
        UserError, match="is not installed: pip install every-eval-ever, in any environment with Python"
    ):
        convert([write_results(tmp_path)], tmp_path / "out", "us")


def test_a_folder_is_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every_eval_ever.shutil, "which", lambda name: name)
    with pytest.raises(UserError, match="the model is called by its folder: give its name with --model owner/name"):
        convert([write_results(tmp_path, model_name="/models/mine", config=CONFIG)], tmp_path / "out", "us")


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which(CONVERTER) is None, reason="every-eval-ever, which needs Python 3.12, is not installed"
)
def test_the_converter_takes_our_results(tmp_path: Path) -> None:
    file = write_results(tmp_path / "in", model_name="/models/mine", config=CONFIG)
    printed = convert([file], tmp_path / "out", "us", "org/mine")
    assert "Converted" in printed
    written = [json.loads(path.read_text()) for path in (tmp_path / "out").rglob("*.json")]
    assert {log["model_info"]["id"] for log in written} == {"org/mine"}
    scores = {
        (log["evaluation_results"][0]["source_data"]["dataset_name"], result["evaluation_result_id"]): result[
            "score_details"
        ]["score"]
        for log in written
        for result in log["evaluation_results"]
    }
    assert scores["sword_en", "balanced:answer"] == 1.0
    assert scores["clear_popqa_task2_tr", "acc:contains"] == 0.5
