"""The leaderboard with the harness's own command: a model that fails, a pipeline that is killed, a second try."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.loopback import Fault, Loopback

MODELS = """
defaults: {{tasks: [sword_en, fiber_list_ccTLD_tr], limit: 2}}
models:
  - {{name: dummy, model: dummy}}
  - {{name: broken, model: no-such-backend}}
  - name: chat
    model: local-chat-completions
    model_args: {{model: scripted, base_url: "{url}/v1/chat/completions"}}
    apply_chat_template: true
"""


def start(models: Path, out: Path) -> subprocess.Popen[str]:
    script = "from crossfact.utils.leaderboard import run_leaderboard; from pathlib import Path; import sys; "
    script += "run_leaderboard(Path(sys.argv[1]), Path(sys.argv[2]))"
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    command = [sys.executable, "-c", script, str(models), str(out)]
    return subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )


@pytest.mark.slow
def test_killed_and_run_again(tmp_path: Path) -> None:
    models, out = tmp_path / "models.yaml", tmp_path / "out"
    with Loopback(lambda prompt: "<answer>True</answer>", [Fault(hang=600)]) as server:
        models.write_text(MODELS.format(url=server.url))
        first = start(models, out)
        while not server.requests:  # the first two models are through, the third waits for an answer
            assert first.poll() is None, first.communicate()[0][-2000:]
            time.sleep(0.2)
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()
        assert {row["model"] for row in table(out)} == {"dummy"}

        second = start(models, out)
        printed, _ = second.communicate(timeout=500)
    assert second.returncode != 0
    assert "dummy: finished before" in printed
    assert "1 of 3 models did not finish; broken: failed with status 1 (ValueError: Attempted to load model" in printed
    rows = table(out)
    assert [row["model"] for row in rows if (row["task"], row["metric"]) == ("sword_en", "balanced")] == [
        "dummy",
        "chat",
    ]
    chat = {(row["task"], row["metric"]): float(row["value"]) for row in rows if row["model"] == "chat"}
    assert chat["sword_en", "acc_org"] == 1
    assert chat["fiber_list_ccTLD_tr", "outside"] == 1


def table(out: Path) -> list[dict[str, str]]:
    with (out / "leaderboard.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
