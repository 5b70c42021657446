"""`sword_ll`: known models in the harness, ties, prompts, and backends that cannot run it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.models.openai_completions import LocalChatCompletion
from lm_eval.tasks import TaskManager

from crossfact.sword.likelihood import LL_METRICS, TIE, process, verdicts
from crossfact.sword.loading import embedded_documents
from crossfact.utils.errors import UserError
from crossfact.utils.languages import SWORD_LANGUAGES
from tests.sword.test_metrics import DOC

TASKS = Path(__file__).parents[2] / "lm_eval_tasks"
LIMIT = 5

TrueBy = Callable[[Mapping[str, Any]], float]
"""(document with a probe's fields) → by how much True is likelier than False."""


class Scripted(LM):
    """Prefers one word to the other as a function says."""

    def __init__(self, true_by: TrueBy) -> None:
        super().__init__()
        self._true_by = true_by
        self.asked: list[tuple[str, str]] = []

    def loglikelihood(self, requests: list[Instance], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        self.asked += [request.args for request in requests]
        true = [place % 2 == 0 for place in range(len(requests))]
        return [
            (-9.0 + (self._true_by(request.doc) if first else 0.0), False)
            for request, first in zip(requests, true, strict=True)
        ]

    def loglikelihood_rolling(self, requests: list[Instance], disable_tqdm: bool = False) -> list[float]:
        raise NotImplementedError

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        raise NotImplementedError


def run(true_by: TrueBy, tasks: list[str], **options: Any) -> tuple[dict[str, Any], Scripted]:
    model = Scripted(true_by)
    manager = TaskManager(include_path=str(TASKS), include_defaults=False)
    found = simple_evaluate(
        model=model, tasks=tasks, limit=LIMIT, task_manager=manager, bootstrap_iters=0, random_seed=None, **options
    )
    return found, model


def scores(found: dict[str, Any], task: str) -> list[float]:
    return [found["results"][task][f"{metric},answer"] for metric in LL_METRICS]


@pytest.mark.parametrize(
    ("true_by", "expected"),
    [
        (lambda doc: 1.0 if doc["target"] == "True" else -1.0, [1, 1, 1, 1, 1, 1, 1, 1, 0.8]),
        (lambda doc: 1.0, [1, 0, 0, 0, 0, 0, 0.5, 0, 0]),
        (lambda doc: -1.0, [0, 1, 1, 1, 1, 1, 0.5, 0, 1]),
        (lambda doc: 0.0, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5**5, 0.5]),
        (
            lambda doc: {"org": 2.0, "pss": 0.0, "pos": 0.0}.get(doc["kind"], -2.0),
            [1, 1, 1, 0.5, 0.5, 0.75, 0.875, 0.25, 0.6],
        ),
    ],
    ids=["perfect", "always true", "always false", "undecided", "undecided between plausible ones"],
)
def test_scripted_models(true_by: TrueBy, expected: list[float]) -> None:
    found, _ = run(true_by, ["sword_ll_de"])
    assert scores(found, "sword_ll_de") == pytest.approx(expected)


def test_there_is_nothing_that_cannot_exist() -> None:
    found, _ = run(lambda doc: 1.0, ["sword_ll_en"])
    assert not any(
        "unsure" in key or "invalid" in key or "unfinished" in key for key in found["results"]["sword_ll_en"]
    )


def test_the_group_is_the_mean_of_its_languages() -> None:
    found, model = run(lambda doc: 1.0 if doc["lang"] in ("ko", "ja") else -1.0, ["sword_ll"])
    assert scores(found, "sword_ll")[0] == pytest.approx(2 / 8)
    assert len(model.asked) == LIMIT * 5 * 2 * len(SWORD_LANGUAGES)


def test_prompts_are_in_the_language_of_the_statement() -> None:
    _, model = run(lambda doc: 0.0, ["sword_ll_de", "sword_ll_ja"])
    german, japanese = (embedded_documents(lang)[0]["probes"][0]["statement"] for lang in ("de", "ja"))
    question = f"Aussage: {german}\nWahr oder falsch?\nAntwort:"
    assert model.asked[:2] == [(question, " Wahr"), (question, " Falsch")]
    question = f"文：{japanese}\nこの文は正しいですか、誤りですか。\n答え："
    assert model.asked[LIMIT * 10 : LIMIT * 10 + 2] == [(question, "正しい"), (question, "誤り")]


def test_examples_are_answered_with_the_words_of_the_language() -> None:
    _, model = run(lambda doc: 0.0, ["sword_ll_it"], num_fewshot=2)
    shown = model.asked[0][0].split("\n\n")
    assert [part.rpartition(":")[2] for part in shown] == [" Vero", " Falso", ""]


def test_the_samples_have_a_verdict_for_each_request() -> None:
    found, _ = run(lambda doc: 1.0 if doc["kind"] == "org" else 0.0, ["sword_ll_fr"], log_samples=True)
    sample = found["samples"]["sword_ll_fr"][0]
    assert sample["filtered_resps"] == ["true"] * 2 + [TIE] * 8
    assert sample["acc_org"] == 1.0


def test_ties_count_half_each() -> None:
    pairs = [(-1.0, -1.0), (-2.0, -1.0), (-1.0, -2.0), (-1.0, -1.0), (-3.0, -1.0)]
    responses = [[(score, False)] for pair in pairs for score in pair]
    found = verdicts(responses, [None] * 10)
    assert found[::2] == [TIE, "false", "true", TIE, "false"]
    assert list(process(DOC, found).values()) == pytest.approx([0.5, 1, 0, 0.5, 1, 0.625, 0.5625, 0, 0.6])


def test_a_score_that_is_no_number_is_named() -> None:
    with pytest.raises(UserError, match="NaN as a log-likelihood"):
        verdicts([[(float("nan"), False)], [(0.0, False)]], [None] * 2)


def test_a_chat_only_backend_is_refused_before_it_is_asked() -> None:
    chat = LocalChatCompletion(base_url="http://127.0.0.1:9", model="none", tokenizer_backend=None)
    manager = TaskManager(include_path=str(TASKS), include_defaults=False)
    with pytest.raises(UserError, match=r"sword_ll_en compares log-likelihoods: use hf, vllm.* run the sword tasks"):
        simple_evaluate(model=chat, tasks=["sword_ll_en"], limit=1, task_manager=manager, random_seed=None)
