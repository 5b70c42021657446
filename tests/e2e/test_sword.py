"""The SWORD tasks in the harness, answered by models whose every score is known in advance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from crossfact.sword.loading import embedded_documents
from crossfact.sword.metrics import METRICS
from crossfact.utils.languages import SWORD_LANGUAGES
from tests.models import small_model

TASKS = Path(__file__).parents[2] / "lm_eval_tasks"
LIMIT = 12

Answer = Callable[[Mapping[str, Any]], str]


class Scripted(LM):
    """Answers each request from its document."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self._answer = answer
        self.prompts: list[str] = []

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        self.prompts += [request.args[0] for request in requests]
        return [self._answer(request.doc) for request in requests]

    def loglikelihood(self, requests: list[Instance], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Instance], disable_tqdm: bool = False) -> list[float]:
        raise NotImplementedError


def tagged(label: str) -> str:
    return f"Let me see.\n\n<answer>{label}</answer>"


def western(doc: Mapping[str, Any]) -> str:
    """Right in Western languages; in Korean and Japanese always True."""
    return tagged("True" if doc["lang"] in ("ko", "ja") else doc["target"])


def run(answer: Answer, tasks: list[str], **options: Any) -> tuple[dict[str, Any], Scripted]:
    model = Scripted(answer)
    found = simple_evaluate(
        model=model,
        tasks=tasks,
        limit=LIMIT,
        task_manager=TaskManager(include_path=str(TASKS), include_defaults=False),
        **options,
    )
    return found, model


def scores(found: dict[str, Any], task: str) -> list[float]:
    return [found["results"][task][f"{metric},answer"] for metric in METRICS]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (lambda doc: tagged("True"), [1, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0]),
        (lambda doc: tagged("False"), [0, 1, 1, 1, 1, 1, 0.5, 0, 1, 0, 0, 0]),
        (lambda doc: tagged("Unsure"), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]),
        (lambda doc: doc["target"], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]),
        (lambda doc: "<think>It is", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]),
        (lambda doc: "", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]),
        (lambda doc: tagged(doc["target"]), [1, 1, 1, 1, 1, 1, 1, 1, 0.8, 0, 0, 0]),
        (
            lambda doc: tagged("Unsure" if doc["kind"] == "pss" else doc["target"]),
            [1, 1, 1, 0, 1, 0.75, 0.875, 0, 0.6, 0.2, 0, 0],
        ),
    ],
    ids=[
        "always true",
        "always false",
        "always unsure",
        "no tags",
        "still thinking",
        "silent",
        "perfect",
        "unsure of pss",
    ],
)
def test_scripted_models(answer: Answer, expected: list[float]) -> None:
    found, _ = run(answer, ["sword_de"])
    assert scores(found, "sword_de") == pytest.approx(expected)
    errors = [found["results"]["sword_de"][f"{metric}_stderr,answer"] for metric in METRICS]
    assert errors == pytest.approx([0.0] * len(METRICS), abs=1e-9)


def test_a_model_that_is_right_only_in_western_languages() -> None:
    found, model = run(western, ["sword"])
    for lang in SWORD_LANGUAGES:
        expected = (
            [1, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0] if lang in ("ko", "ja") else [1, 1, 1, 1, 1, 1, 1, 1, 0.8, 0, 0, 0]
        )
        assert scores(found, f"sword_{lang}") == pytest.approx(expected)
    assert scores(found, "sword") == pytest.approx([1, 0.75, 0.75, 0.75, 0.75, 0.75, 0.875, 0.75, 0.6, 0, 0, 0])
    assert len(model.prompts) == LIMIT * 5 * 8


def test_what_a_run_records() -> None:
    found, model = run(western, ["sword_ko"], log_samples=True)
    assert found["configs"]["sword_ko"]["metadata"]["source"] == "embedded"
    assert len(found["configs"]["sword_ko"]["metadata"]["fingerprint"]) == 16
    sample = found["samples"]["sword_ko"][0]
    assert sample["doc"]["id"] == embedded_documents("en")[0]["id"]
    assert sample["filtered_resps"] == ["true"] * 5
    statement = sample["doc"]["probes"][0]["statement"]
    assert model.prompts[0] == (
        f"Is the following statement True or False?\n\nStatement: {statement}\n\nAnswer with one of the labels True, "
        "False, or Unsure, and enclose the answer within <answer></answer>."
    )


def test_examples_for_base_models_alternate_and_are_not_in_the_test() -> None:
    _, model = run(western, ["sword_fr"], num_fewshot=4)
    shown = model.prompts[0]
    labels = [part.split("</answer>")[0] for part in shown.split("<answer>") if part.startswith(("True", "False"))]
    assert labels == ["True", "False", "True", "False"]
    statements = [line for line in shown.splitlines() if line.startswith("Statement: ")]
    tested = {probe["statement"] for doc in embedded_documents("fr") for probe in doc["probes"]}
    assert not tested & {line.removeprefix("Statement: ") for line in statements[:-1]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "options"),
    [("smollm2", {"apply_chat_template": True}), ("gemma", {"num_fewshot": 4})],
    ids=["chat model", "base model"],
)
def test_real_models(model: str, options: dict[str, Any]) -> None:
    found = simple_evaluate(
        model="hf",
        model_args={"pretrained": str(small_model(model)), "dtype": "float32"},
        device="cpu",
        tasks=["sword_en", "sword_ko"],
        limit=2,
        gen_kwargs={"max_gen_toks": 16},
        task_manager=TaskManager(include_path=str(TASKS), include_defaults=False),
        log_samples=True,
        **options,
    )
    for task in ("sword_en", "sword_ko"):
        responses = [response for sample in found["samples"][task] for response in sample["filtered_resps"]]
        assert len(responses) == 10
        rates = found["results"][task]
        assert rates["invalid_rate,answer"] == pytest.approx(responses.count("invalid") / 10)
        assert rates["false_rate,answer"] == pytest.approx(responses.count("false") / 10)
