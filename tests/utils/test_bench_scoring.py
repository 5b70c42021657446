"""The benchmark's parts, on a tiny model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from lm_eval.api.instance import Instance

from crossfact.utils.bench_scoring import (
    PeakMemory,
    compare_backends,
    main,
    per_token,
    read_prompts,
    summary,
    task_requests,
    timed,
)
from crossfact.utils.errors import UserError
from tests.utils.scoring import assert_equal, harness
from tests.utils.tiny_models import tiny_model, tiny_tokenizer

CANDIDATES = [" Rome", " Paris", " Madrid"]
PROMPTS = [{"prompt": f"The capital of {country} is", "candidates": CANDIDATES} for country in ("Italy", "France")]


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    path = tmp_path / "prompts.jsonl"
    path.write_text("".join(json.dumps(prompt) + "\n" for prompt in PROMPTS), encoding="utf-8")
    return path


def test_prompts_become_requests(prompts: Path) -> None:
    requests = read_prompts(prompts, limit=1)
    assert [request.args for request in requests] == [("The capital of Italy is", city) for city in CANDIDATES]
    assert len(read_prompts(prompts, limit=5)) == 6


@pytest.mark.parametrize("line", ["{", '{"prompt": "a"}', "[1]"])
def test_a_broken_line_is_named(prompts: Path, line: str) -> None:
    prompts.write_text(prompts.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"prompts\.jsonl:3"):
        read_prompts(prompts, limit=5)


def test_the_baseline_scores_as_the_harness_does(prompts: Path) -> None:
    model, requests = tiny_model("Llama"), read_prompts(prompts, limit=2)
    assert_equal(per_token(model, tiny_tokenizer())(requests), harness(model).loglikelihood(requests))


def test_time_inside_the_model_is_measured() -> None:
    model = tiny_model("Llama")

    def ask(requests: list[Instance]) -> list[tuple[float, bool]]:
        for _ in range(20):
            model(torch.zeros((1, 50), dtype=torch.long))
        return [(0.0, False)] * len(requests)

    run = timed(model, ask, [Instance("loglikelihood", {}, ("a", "b"), 0)] * 3)
    assert 0 < run.inside < run.seconds
    assert run.speed == pytest.approx(3 / run.seconds)
    assert not model._forward_hooks


def test_peak_memory_sees_what_was_freed_again() -> None:
    with PeakMemory(torch.device("cpu")) as before:
        torch.ones(1000).sum()
    with PeakMemory(torch.device("cpu")) as during:
        for _ in range(20):
            torch.ones(2**26).sum()  # 256 MiB
    assert during.peak - before.peak > 100 * 2**20


def test_the_table_names_every_backend(prompts: Path) -> None:
    requests = read_prompts(prompts, limit=2)
    runs = compare_backends(tiny_model("Llama"), tiny_tokenizer(), requests, rounds=2, baseline_pairs=2)
    counts = {name: len(group) for name, group in runs.items()}
    assert (counts["hf-tree"], counts["one forward per token"]) == (2, 2)
    assert sorted(counts[f"hf, batch {size}"] for size in (1, 16, 64)) == [1, 1, 2]  # only the best goes on
    table = summary(runs)
    assert "greedy flags equal: 6/6" in table
    assert "one forward per token" in table


def test_the_command(prompts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny_model("Llama").save_pretrained(tmp_path / "model")
    tiny_tokenizer().save_pretrained(tmp_path / "model")
    given = f"--pretrained {tmp_path}/model --prompts {prompts} --rounds 1 --baseline_pairs 1 --device cpu"
    main(given.split())
    assert capsys.readouterr().out.startswith("6 pairs")


def test_a_task_of_the_harness_gives_its_requests(tmp_path: Path) -> None:
    (tmp_path / "data.jsonl").write_text('{"text": "The capital of Italy is", "city": " Rome"}\n', encoding="utf-8")
    (tmp_path / "city.yaml").write_text(
        "task: city_local\ndataset_path: json\ntest_split: test\noutput_type: multiple_choice\n"
        f"dataset_kwargs: {{data_files: {{test: {tmp_path}/data.jsonl}}}}\n"
        'doc_to_text: "{{text}}"\ndoc_to_choice: [" Rome", " Paris"]\ndoc_to_target: 0\ntarget_delimiter: ""\n',
        encoding="utf-8",
    )
    requests = task_requests("city_local", str(tmp_path), limit=1)
    assert [request.args for request in requests] == [("The capital of Italy is", city) for city in CANDIDATES[:2]]
