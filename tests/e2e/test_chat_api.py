"""Tasks behind a chat API: what servers do wrong costs no answer and decides nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager

from crossfact.utils.errors import UserError
from tests.loopback import Fault, Loopback

TASKS = TaskManager(include_path=str(Path(__file__).resolve().parents[2] / "lm_eval_tasks"), include_defaults=False)


def _run(server: Loopback, tasks: list[str], **options: Any) -> dict[str, Any]:
    arguments = server.model_args(num_concurrent=4, max_retries=4, timeout=5)
    return simple_evaluate(
        model="local-chat-completions",
        model_args=arguments,
        tasks=tasks,
        task_manager=TASKS,
        apply_chat_template=True,
        limit=3,
        bootstrap_iters=0,
        **options,
    )


def _right_about_true(prompt: str) -> str:
    """Call everything true, and go on after the answer as if no stop string had been sent."""
    if "<answer>" in prompt:
        return "<answer>True</answer>"
    return "true\n\nQuestion: And another one?\nfalse"


def test_the_prompt_is_one_user_message_below_the_system_text() -> None:
    with Loopback(_right_about_true) as server:
        _run(server, ["sword_en"], system_instruction="Be brief.")
    roles = [[message["role"] for message in request["messages"]] for request in server.requests]
    assert roles == [["system", "user"]] * 15
    assert all(request["messages"][0]["content"] == "Be brief." for request in server.requests)
    assert all("Statement: " in prompt for prompt in server.prompts)


def test_what_follows_the_answer_does_not_count() -> None:
    with Loopback(_right_about_true) as server:
        results = _run(server, ["clear_strategyqa_task2_en", "sword_de"])["results"]
    assert results["clear_strategyqa_task2_en"]["no_answer,exact"] == 0
    assert results["sword_de"]["acc_org,answer"] == 1
    assert results["sword_de"]["rejection,answer"] == 0
    assert all(len(request.get("stop") or ()) <= 4 for request in server.requests)


@pytest.mark.parametrize(
    "fault",
    [Fault(status=429, headers={"Retry-After": "0"}), Fault(status=500), Fault(drop=True), Fault(hang=6)],
    ids=["429", "500", "dropped", "hangs"],
)
def test_faults_that_pass_cost_no_answer(fault: Fault) -> None:
    with Loopback(_right_about_true, faults=[None, fault]) as server:
        results = _run(server, ["sword_en"])["results"]["sword_en"]
    assert results["acc_org,answer"] == 1
    assert results["invalid_rate,answer"] == 0
    assert len(server.requests) == 16


def test_no_content_is_an_answer_that_says_nothing() -> None:
    with Loopback(_right_about_true, fault_of=lambda prompt: Fault(null=True)) as server:
        results = _run(server, ["clear_popqa_task2_tr", "sword_en"])["results"]
    assert results["clear_popqa_task2_tr"]["no_answer,exact"] == 1
    assert results["clear_popqa_task2_tr"]["memory,exact"] == 0
    assert results["sword_en"]["invalid_rate,answer"] == 1


def test_refusals_are_wrong_and_not_true_or_false() -> None:
    with Loopback(lambda prompt: "I'm sorry, but I can't help with that.") as server:
        results = _run(server, ["clear_strategyqa_task2_en", "sword_en"])["results"]
    assert results["clear_strategyqa_task2_en"]["no_answer,exact"] == 1
    assert results["sword_en"]["invalid_rate,answer"] == 1


def test_rankings_are_refused_before_anything_is_asked() -> None:
    with Loopback(_right_about_true) as server, pytest.raises(UserError, match="hf, "):
        _run(server, ["fiber_capital_cities_en"])
    assert server.requests == []
