from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from crossfact.clear.task import decoding, is_greedy, warn_once
from tests.clear import scripted
from tests.clear.scripted import ScriptedLM, evaluate

TASK = {number: f"clear_popqa_task{number}_en" for number in (1, 2, 3, 4)}


@pytest.mark.parametrize(
    ("given", "votes", "expected"),
    [
        ({}, 1, {"do_sample": False}),
        ({}, 3, {"do_sample": True, "temperature": 0.01}),
        ({"temperature": 0.7}, 1, {"do_sample": True, "temperature": 0.7}),
        ({"temperature": 0.7}, 3, {"do_sample": True, "temperature": 0.7}),
        ({"temperature": 0}, 3, {"do_sample": False, "temperature": 0}),
        ({"do_sample": False}, 3, {"do_sample": False}),
        ({"do_sample": True}, 1, {"do_sample": True, "temperature": 0.01}),
    ],
)
def test_decoding_says_whether_to_sample(given: dict[str, Any], votes: int, expected: dict[str, Any]) -> None:
    assert decoding(given, votes) == expected
    assert is_greedy(decoding(given, votes)) is not expected["do_sample"]


def test_sampling_at_temperature_zero_is_greedy() -> None:
    assert is_greedy(decoding({"do_sample": True, "temperature": 0}, 3))


def test_task_1_asks_three_times_at_the_papers_temperature(source: Path) -> None:
    model = ScriptedLM(scripted.stubborn)
    evaluate(model, [TASK[1]], source)
    assert len(model.requests) == 4 * 3
    _, arguments = model.requests[0]
    assert (arguments["do_sample"], arguments["temperature"], arguments["max_gen_toks"]) == (True, 0.01, 64)


def test_the_others_ask_once_and_greedily(source: Path) -> None:
    model = ScriptedLM(scripted.stubborn)
    evaluate(model, [TASK[3]], source)
    assert len(model.requests) == 4 * 19
    assert all(arguments["do_sample"] is False for _, arguments in model.requests)


def test_votes_are_for_closed_book_questions_alone(source: Path) -> None:
    model = ScriptedLM(scripted.stubborn)
    evaluate(model, [TASK[2]], source, memory_votes=5)
    sampled = [prompt for prompt, arguments in model.requests if arguments["do_sample"]]
    assert len(sampled) == 4 * 5
    assert not any("Context:" in prompt for prompt in sampled)
    assert len(model.requests) == 4 * 7


def test_a_greedy_run_with_votes_warns_once_and_asks_once(source: Path, caplog: pytest.LogCaptureFixture) -> None:
    warn_once.cache_clear()
    model = ScriptedLM(scripted.stubborn)
    with caplog.at_level(logging.WARNING):
        run = evaluate(model, [TASK[1]], source, gen_kwargs="do_sample=False")
    assert len(model.requests) == 4
    assert sum("asked once" in record.message for record in caplog.records) == 1
    assert run["results"][TASK[1]]["acc,exact"] == 0.75


def test_prompts_are_the_papers(source: Path) -> None:
    model = ScriptedLM(scripted.stubborn)
    evaluate(model, ["clear_popqa_task4_tr", "clear_strategyqa_task2_bn"], source, evidence_languages=["de"])
    prompts = {prompt for prompt, _ in model.requests}
    assert (
        "You are a precise knowledge engine speaking Turkish. Your task is to answer factual questions concisely.\n"
        "Rules:\n"
        "1. Output ONLY the entity name (person, place, object).\n"
        "2. Do NOT use complete sentences.\n"
        "3. Do NOT provide explanations.\n"
        "4. Answer strictly in Turkish.\n"
        "Question: popqa 0 tr?"
    ) in prompts
    assert (
        "You are a precise knowledge engine speaking Turkish. Your task is to answer the question based on the "
        "provided Context.\n"
        "Rules:\n"
        "1. Output ONLY the entity name.\n"
        "2. Do NOT use complete sentences.\n"
        "3. Do NOT provide explanations.\n"
        "4. Answer strictly in Turkish.\n"
        "Context:\n"
        "Context A (Language German): popqa counter 0 de: Other0de.\n"
        "Context B (Language Turkish): popqa support 0 tr: Gold0tr.\n"
        "Question: popqa 0 tr?"
    ) in prompts
    assert (
        "You are a precise knowledge engine in Bengali. Your task is to answer factual questions concisely in true or "
        "false.\n"
        "Rules:\n"
        "1. Output ONLY true or false.\n"
        "2. Do NOT use complete sentences.\n"
        "3. Do NOT provide explanations.\n"
        "4. Answer strictly in Bengali.\n"
        "Question: strategyqa 0 bn?"
    ) in prompts
    assert (
        "You are a precise knowledge engine. Your task is to answer the question based on the provided Context.\n"
        "Rules:\n"
        "1. Output ONLY true or false.\n"
        "2. Do NOT use complete sentences.\n"
        "3. Do NOT provide explanations.\n"
        "4. Answer strictly in Bengali.\n"
        "Context: strategyqa support 0 bn: সত্য.\n"
        "Question: strategyqa 0 bn?"
    ) in prompts
