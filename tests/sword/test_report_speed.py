"""The report of five models on all 20,000 statements: under 20 seconds of one core, and under 1.5 GiB."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from crossfact.sword.loading import embedded_documents
from crossfact.sword.metrics import process
from crossfact.sword.verdicts import FALSE, TRUE, UNSURE
from crossfact.utils.languages import SWORD_LANGUAGES
from tests.utils.report.logged import write_run

MODELS = 5
PROMPT = "Is the following statement True or False?\n\nStatement: {}\n\nAnswer with one of the labels True or False."
REPORT = """
import sys
from pathlib import Path
from crossfact.sword.report import sections
from crossfact.utils.report.command import write_report
print(*write_report([Path(sys.argv[1])], Path(sys.argv[2]), {"sword": sections}), sep="\\n")
"""


def sample(place: int, document: dict[str, Any], seed: str) -> dict[str, Any]:
    """Return a sample with everything that the harness logs, prompts included."""
    rng = random.Random(f"{seed}:{document['id']}")
    verdicts = [rng.choice([probe["target"].lower()] * 3 + [TRUE, FALSE, UNSURE]) for probe in document["probes"]]
    return {
        "doc_id": place,
        "doc": document,
        "arguments": {
            f"gen_args_{number}": {"arg_0": PROMPT.format(probe["statement"]), "arg_1": {"until": []}}
            for number, probe in enumerate(document["probes"])
        },
        "resps": [[f"<answer>{verdict}</answer>"] for verdict in verdicts],
        "filtered_resps": verdicts,
        "filter": "answer",
        "doc_hash": "0" * 64,
        **process(document, verdicts),
    }


@pytest.mark.slow
def test_five_models_on_all_statements(tmp_path: Path) -> None:
    documents = {lang: embedded_documents(lang) for lang in SWORD_LANGUAGES}
    for number in range(MODELS):
        samples = {
            f"sword_{lang}": [sample(place, doc, f"{number}:{lang}") for place, doc in enumerate(docs)]
            for lang, docs in documents.items()
        }
        write_run(tmp_path / "logs" / str(number), f"lab/model-{number}-instruct", samples)
    out = tmp_path / "report"
    child = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, "-c", REPORT, str(tmp_path / "logs"), str(out)])
    _, status, used = os.wait4(child, 0)
    assert status == 0
    assert (out / "index.html").is_file()
    # time of the processor, which does not grow when other processes run besides
    assert used.ru_utime + used.ru_stime < 20
    assert used.ru_maxrss < 1.5 * 2**20  # KiB
