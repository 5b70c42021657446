from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from crossfact.utils import llm_patience
from crossfact.utils.errors import UserError
from crossfact.utils.llm import Reply, UnusableError, generate
from tests.loopback import Fault, Loopback
from tests.models import small_model

CHAT = "local-chat-completions"


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm_patience, "FIRST_WAIT", 0.01)


@pytest.fixture(params=[1, 8], ids=["one at a time", "eight at a time"])
def concurrent(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def shout(prompt: str) -> str:
    return prompt.upper()


def as_it_is(place: int, text: str) -> str:
    return text


def test_answers_come_in_order(tmp_path: Path, concurrent: int) -> None:
    prompts = ["a", "longer", "bb", "a"]
    with Loopback(shout) as server:
        replies = generate(CHAT, server.model_args(num_concurrent=concurrent), prompts, as_it_is, cache=tmp_path)
    assert replies == [Reply("A", "A"), Reply("LONGER", "LONGER"), Reply("BB", "BB"), Reply("A", "A")]
    assert sorted(server.prompts) == ["a", "bb", "longer"]


def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    with Loopback(shout) as server:
        generate(CHAT, server.model_args(), ["a", "b"], as_it_is, cache=tmp_path)
        replies = generate(CHAT, server.model_args(num_concurrent=3), ["b", "c", "a"], as_it_is, cache=tmp_path)
        generate(CHAT, server.model_args(temperature=1), ["a"], as_it_is, cache=tmp_path)
    assert [reply.value for reply in replies] == ["B", "C", "A"]
    assert server.prompts == ["a", "b", "c", "a"]  # the last one to a model that differs


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=500),
        Fault(status=503),
        Fault(status=429, headers={"Retry-After": "0"}),
        Fault(body=b"{'not json"),
        Fault(drop=True),
        Fault(hang=1.5),
    ],
    ids=["500", "503", "429", "broken json", "dropped", "hangs"],
)
def test_a_fault_that_passes_costs_nothing(tmp_path: Path, concurrent: int, fault: Fault) -> None:
    with Loopback(shout, faults=[None, fault, fault]) as server:
        arguments = server.model_args(num_concurrent=concurrent, timeout=1)
        replies = generate(CHAT, arguments, list("abcd"), as_it_is, cache=tmp_path)
    assert [reply.value for reply in replies] == list("ABCD")
    assert len(server.requests) == 6


def test_the_server_says_how_long_to_wait(tmp_path: Path, concurrent: int) -> None:
    with Loopback(shout, faults=[Fault(status=429, headers={"Retry-After": "1"})]) as server:
        replies = generate(CHAT, server.model_args(num_concurrent=concurrent), ["a"], as_it_is, cache=tmp_path)
    assert replies[0].value == "A"
    assert server.times[1] - server.times[0] >= 1


@pytest.mark.parametrize(("fault", "why"), [(Fault(status=500), "HTTP 500"), (Fault(status=400), "HTTP 400")])
def test_one_bad_request_is_given_up_alone_and_asked_again_next_time(
    tmp_path: Path, concurrent: int, fault: Fault, why: str
) -> None:
    with Loopback(shout, fault_of=lambda prompt: fault if prompt == "bad" else None) as server:
        arguments = server.model_args(num_concurrent=concurrent)
        replies = generate(CHAT, arguments, ["a", "bad", "c"], as_it_is, cache=tmp_path)
        assert [reply.value for reply in replies] == ["A", None, "C"]
        assert replies[1].problem == why
        server.fault_of = lambda prompt: None
        server.requests.clear()
        replies = generate(CHAT, arguments, ["a", "bad", "c"], as_it_is, cache=tmp_path)
    assert [reply.value for reply in replies] == ["A", "BAD", "C"]
    assert server.prompts == ["bad"]


def test_null_content_is_asked_again_then_reported(tmp_path: Path, concurrent: int) -> None:
    with Loopback(shout, fault_of=lambda prompt: Fault(null=True) if prompt == "b" else None) as server:
        replies = generate(CHAT, server.model_args(num_concurrent=concurrent), ["a", "b"], as_it_is, cache=tmp_path)
    assert replies == [Reply("A", "A"), Reply(None, "", "the answer is empty")]
    assert server.prompts.count("b") == 3


def test_a_server_that_is_down_ends_the_run_and_keeps_the_answers(tmp_path: Path, concurrent: int) -> None:
    down = Fault(status=503)
    with Loopback(shout, faults=[None], fault_of=lambda prompt: None if prompt == "first" else down) as server:
        arguments = server.model_args(num_concurrent=concurrent)
        generate(CHAT, arguments, ["first"], as_it_is, cache=tmp_path)
        with pytest.raises(UserError, match=r"has failed 5 requests in a row, 6 times each \(HTTP 503\)"):
            generate(CHAT, arguments, ["first", *"abcdefgh"], as_it_is, cache=tmp_path)
        server.fault_of = lambda prompt: None
        server.requests.clear()
        replies = generate(CHAT, arguments, ["first", *"abcdefgh"], as_it_is, cache=tmp_path)
    assert [reply.value for reply in replies] == ["FIRST", *"ABCDEFGH"]
    assert "first" not in server.prompts


@pytest.mark.parametrize(("status", "why"), [(401, "refuses the API key"), (404, "no such address or model")])
def test_a_refusal_ends_the_run_at_once(tmp_path: Path, concurrent: int, status: int, why: str) -> None:
    with Loopback(shout, fault_of=lambda prompt: Fault(status=status)) as server:
        with pytest.raises(UserError, match=why):
            generate(CHAT, server.model_args(num_concurrent=concurrent), ["a"], as_it_is, cache=tmp_path)
        assert len(server.requests) == 1


def test_what_cannot_be_parsed_is_asked_again_with_another_temperature(tmp_path: Path) -> None:
    answers = {"good": ["{}"], "late": ["no", "{}"], "never": ["no", "nope", "never"]}

    def parse(place: int, text: str) -> Any:
        try:
            return place, json.loads(text)
        except ValueError:
            raise UnusableError("not JSON") from None

    with Loopback(lambda prompt: answers[prompt].pop(0)) as server:
        replies = generate(CHAT, server.model_args(), ["good", "late", "never"], parse, cache=tmp_path)
        again = generate(CHAT, server.model_args(), ["good", "late", "never"], parse, cache=tmp_path)
    assert replies == [Reply((0, {}), "{}"), Reply((1, {}), "{}"), Reply(None, "never", "not JSON")]
    assert again == replies  # from the cache: there is nothing left to answer with
    asked = [(prompt, request["temperature"]) for prompt, request in zip(server.prompts, server.requests, strict=True)]
    assert sorted(asked) == [("good", 0), ("late", 0), ("late", 0.7), ("never", 0), ("never", 0.7), ("never", 1.0)]


def test_a_line_that_was_cut_off_is_passed_over(tmp_path: Path) -> None:
    with Loopback(shout) as server:
        generate(CHAT, server.model_args(), ["a", "b"], as_it_is, cache=tmp_path)
        (file,) = tmp_path.iterdir()
        file.write_bytes(file.read_bytes()[:-9])
        for _ in range(2):
            replies = generate(CHAT, server.model_args(), ["a", "b"], as_it_is, cache=tmp_path)
            assert [reply.value for reply in replies] == ["A", "B"]
    assert server.prompts == ["a", "b", "b"]


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from crossfact.utils.llm import generate\n"
        "generate('local-chat-completions', {'model': 'scripted', 'base_url': sys.argv[1]},"
        " ['%03d' % n for n in range(200)], lambda place, text: text, cache=Path(sys.argv[2]))"
    )
    with Loopback(shout, fault_of=lambda prompt: Fault(hang=0.02)) as server:
        command = [sys.executable, "-c", script, server.model_args()["base_url"], str(tmp_path)]
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while len(server.requests) < 20 and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        before = len(server.requests)
        assert 20 <= before < 200
        server.fault_of = lambda prompt: None
        prompts = [f"{number:03d}" for number in range(200)]
        replies = generate(CHAT, server.model_args(), prompts, as_it_is, cache=tmp_path)
    assert [reply.value for reply in replies] == prompts
    assert len(server.requests) - 200 <= 2  # at most the one that was under way was asked twice


@pytest.mark.parametrize(
    ("model", "arguments", "why"),
    [
        ("no-such-backend", "", "no-such-backend"),
        ("hf", "pretrained=/no/such/folder", "cannot be loaded"),
        ("hf", "pretrained=x,nonsense=1", "cannot be loaded"),
    ],
)
def test_a_model_that_cannot_be_loaded_is_one_line(tmp_path: Path, model: str, arguments: str, why: str) -> None:
    with pytest.raises(UserError, match=why) as caught:
        generate(model, arguments, ["a"], as_it_is, cache=tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_real_model_is_asked_in_its_chat_template(tmp_path: Path) -> None:
    arguments = f"pretrained={small_model('smollm2')},dtype=float32,batch_size=2"
    prompts = ["What is the capital of France?", "Say hello."]
    replies = generate("hf", arguments, prompts, as_it_is, max_gen_toks=16, cache=tmp_path)
    assert "Paris" in (replies[0].value or "")
    assert generate("hf", "pretrained=/gone", [], as_it_is, cache=tmp_path) == []
    assert "<|im_start|>" not in replies[1].text
