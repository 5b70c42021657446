"""The harness's own options with every family: each works, or is refused in one line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from lm_eval import evaluator, simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.caching import cache
from lm_eval.models.openai_completions import LocalChatCompletion
from lm_eval.tasks import TaskManager

from crossfact.clear.source import read_source
from crossfact.fiber.document_files import document_file, write_documents
from crossfact.fiber.documents import Documents
from crossfact.fiber.embedded import build_documents
from crossfact.fiber.topics import TOPICS
from crossfact.sword.dataset import write_dataset
from crossfact.sword.loading import embedded_documents
from crossfact.utils.errors import UserError
from crossfact.utils.evaluation import running_model
from crossfact.utils.facts import embedded_facts
from crossfact.utils.probes import ProbeTask
from crossfact.utils.task import SourcedTask
from tests.clear.scripted import write_source
from tests.shared import shared_path

TASKS = Path(__file__).parents[2] / "lm_eval_tasks"
GENERATING = ["clear_popqa_task2_de", "clear_strategyqa_task1_tr", "sword_fr", "fiber_list_car_brands_it"]
RANKING = ["sword_ll_ja", "fiber_capital_cities_tr"]
ALL = [*GENERATING, *RANKING]
SMALL = ["clear_strategyqa_task1_tr", "sword_ll_ja", "fiber_list_car_brands_it", "fiber_car_brands_tr"]
WITH_EXAMPLES = [task for task in ALL if not task.startswith("clear")]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what the harness finds out about the machine with a dozen commands."""
    monkeypatch.setattr(evaluator, "add_env_info", lambda storage: None)
    monkeypatch.setattr(evaluator, "get_git_commit_hash", lambda: None)


class Scripted(LM):
    """Says the same to everything, in as many words as it is told, and keeps what it was asked."""

    tokenizer_name = "scripted"

    def __init__(self, says: str = "<answer>False</answer>") -> None:
        super().__init__()
        self.says = says
        self.asked: list[Instance] = []
        self.seen: list[LM | None] = []

    def apply_chat_template(self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True) -> str:
        turns = "".join(f"[{turn['role']}]{turn['content']}" for turn in chat_history)
        return f"{turns}[assistant]" if add_generation_prompt else turns

    def chat_template(self, chat_template: bool | str = False) -> str:
        return "scripted"

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        self.asked += requests
        return [self.says for _ in requests]

    def loglikelihood(self, requests: list[Instance], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        self.asked += requests
        return [(-float(len(request.args[1])), False) for request in requests]

    def loglikelihood_rolling(self, requests: list[Instance], disable_tqdm: bool = False) -> list[float]:
        raise NotImplementedError

    @property
    def prompts(self) -> list[str]:
        return [request.args[0] for request in self.asked]


def run(
    tasks: list[str],
    model: LM | None = None,
    metadata: dict[str, Any] | None = None,
    folder: Path = TASKS,
    **options: Any,
) -> tuple[dict[str, Any], Any]:
    model = model or Scripted()
    manager = TaskManager(include_path=str(folder), include_defaults=False, metadata=metadata or {})
    if "samples" not in options:
        options.setdefault("limit", 2)
    found = simple_evaluate(model, tasks=tasks, task_manager=manager, bootstrap_iters=0, random_seed=None, **options)
    return found, model


def values(found: dict[str, Any]) -> dict[str, str]:
    return {
        task: json.dumps({k: float(v) for k, v in scores.items() if "," in k and "stderr" not in k}, sort_keys=True)
        for task, scores in found["results"].items()
    }


def test_limit_takes_whole_documents() -> None:
    found, _ = run(ALL, limit=3)
    assert {task: count["effective"] for task, count in found["n-samples"].items()} == dict.fromkeys(ALL, 3)
    share, _ = run(["sword_fr"], limit=0.01)
    assert share["n-samples"]["sword_fr"]["effective"] == 5


@pytest.mark.parametrize("task", ["clear_strategyqa_task1_tr", "sword_fr", "fiber_capital_cities_tr"])
def test_a_limit_beyond_the_data_is_refused(task: str) -> None:
    with pytest.raises(UserError, match=rf"--limit 99999 is larger than the \d+ documents of {task} \[embedded\]"):
        run([task], limit=99_999)


def test_samples_are_the_documents_that_were_named() -> None:
    everything, _ = run(ALL, limit=5)
    found, _ = run(ALL, samples={task: [1, 4] for task in ALL})
    for task in ALL:
        by_number = {sample["doc_id"]: sample["doc"]["id"] for sample in everything["samples"][task]}
        named = {sample["doc_id"]: sample["doc"]["id"] for sample in found["samples"][task]}
        assert named == {number: by_number[number] for number in (1, 4)}


@pytest.mark.parametrize("numbers", [[4, 1], [1, 1], [-1, 2], [99_999], []])
def test_samples_that_the_harness_would_mix_up_are_refused(numbers: list[int]) -> None:
    with pytest.raises(UserError, match=r"--samples of sword_fr \[embedded\]: give numbers from 0 to 499, each once"):
        run(["sword_fr"], samples={"sword_fr": numbers})


def test_a_second_run_with_use_cache_asks_nothing(tmp_path: Path) -> None:
    first, _ = run(ALL, use_cache=str(tmp_path / "answers"), metadata={"memory_votes": 1})
    second, model = run(ALL, use_cache=str(tmp_path / "answers"), metadata={"memory_votes": 1})
    assert not model.asked
    assert values(first) == values(second)


def test_votes_are_never_taken_from_the_cache(tmp_path: Path) -> None:
    for _ in range(2):
        _, model = run(["clear_popqa_task1_en"], use_cache=str(tmp_path / "answers"))
        assert len(model.asked) == 2 * 3


def test_the_model_is_known_behind_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(SourcedTask, "check_backend", lambda self, model: seen.append((model, running_model())))
    _, model = run(["sword_fr"], use_cache=str(tmp_path / "answers"))
    assert seen == [(model, model)]
    chat = LocalChatCompletion(base_url="http://127.0.0.1:9", model="none", tokenizer_backend=None)
    with pytest.raises(UserError, match=r"local-chat-completions only generates text.*or run the fiber_list tasks"):
        run(["fiber_capital_cities_tr"], chat, use_cache=str(tmp_path / "chat"))


@pytest.fixture
def request_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The harness's request cache, in a folder of the test's own."""
    folder = tmp_path / "requests"
    monkeypatch.setattr(cache, "PATH", str(folder))
    return folder


def test_cached_requests_are_used_again(request_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, model = run(SMALL, cache_requests=True)

    def build_anew(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("built anew")

    for kind in (SourcedTask, ProbeTask):
        monkeypatch.setattr(kind, "construct_requests", build_anew)
    second, again = run(SMALL, cache_requests=True)
    assert again.prompts == model.prompts
    assert values(first) == values(second)


def _other_prompt(folder: Path) -> Path:
    """A copy of our tasks in which every prompt has another word."""
    copy = Path(shutil.copytree(TASKS, folder / "tasks"))
    for file, old in (
        ("clear/_popqa", "precise knowledge engine"),
        ("sword/sword_ll_ja.yaml", "正しいですか"),
        ("fiber/_fiber_list_it", "Scrivi solo i nomi"),
    ):
        text = (copy / file).read_text(encoding="utf-8")
        assert old in text
        (copy / file).write_text(text.replace(old, f"{old} NEW"), encoding="utf-8")
    return copy


def test_cached_requests_never_cross_prompts(request_cache: Path, tmp_path: Path) -> None:
    tasks = ["clear_popqa_task1_de", "sword_ll_ja", "fiber_list_car_brands_it"]
    run(tasks, cache_requests=True)
    _, model = run(tasks, folder=_other_prompt(tmp_path), cache_requests=True)
    assert all("NEW" in prompt for prompt in model.prompts)


def test_cached_requests_never_cross_sources(request_cache: Path, tmp_path: Path) -> None:
    source = {"source": str(write_source(tmp_path / "made up"))}
    run(["clear_popqa_task3_de"], cache_requests=True)
    _, model = run(["clear_popqa_task3_de"], metadata=source, cache_requests=True)
    assert all("Question: popqa " in prompt for prompt in model.prompts)
    _, model = run(["clear_popqa_task3_de"], metadata={**source, "evidence_languages": ["en"]}, cache_requests=True)
    assert len(model.prompts) == 2 * 3


def test_cached_requests_never_cross_versions_of_a_folder(request_cache: Path, tmp_path: Path) -> None:
    folder = write_source(tmp_path / "data")
    run(["clear_popqa_task1_de"], metadata={"source": str(folder)}, cache_requests=True)
    items = (folder / "items.jsonl").read_text().replace("popqa 0 de?", "popqa 0 de!")
    (folder / "items.jsonl").write_text(items)
    read_source.cache_clear()  # as in a new process
    _, model = run(["clear_popqa_task1_de"], metadata={"source": str(folder)}, cache_requests=True)
    assert any(prompt.endswith("popqa 0 de!") for prompt in model.prompts)


def test_cached_requests_never_cross_sources_of_rankings(request_cache: Path, tmp_path: Path) -> None:
    documents = [{**doc, "id": f"mine-{doc['id']}"} for doc in embedded_documents("ja")[10:14]]
    about = {"source": "x", "source_fingerprint": "x", "statements_by": "x", "seed": 0, "left_out": {}}
    write_dataset(tmp_path / "sword", {"ja": documents}, about)
    topic = TOPICS["car_brands"]
    made_up = [
        {**doc, "prompt": f"Mine: {doc['prompt']}"} for doc in build_documents(embedded_facts(), topic, "tr")[:8]
    ]
    write_documents(document_file(tmp_path / "fiber", topic, "tr"), Documents(made_up))  # type: ignore[arg-type]
    run(["sword_ll_ja", "fiber_car_brands_tr"], cache_requests=True)
    found, _ = run(["sword_ll_ja"], metadata={"source": str(tmp_path / "sword")}, cache_requests=True)
    assert all(sample["doc"]["id"].startswith("mine-") for sample in found["samples"]["sword_ll_ja"])
    _, model = run(["fiber_car_brands_tr"], metadata={"source": str(tmp_path / "fiber")}, cache_requests=True)
    assert all(prompt.startswith("Mine: ") for prompt in model.prompts)


def test_cached_requests_never_cross_languages(request_cache: Path) -> None:
    for pair in (
        ["clear_strategyqa_task1_en", "clear_strategyqa_task1_de"],
        ["fiber_car_brands_en", "fiber_car_brands_it"],
        ["fiber_list_car_brands_en", "fiber_list_car_brands_it"],
    ):
        (_, one), (_, other) = (run([task], cache_requests=True) for task in pair)
        assert not set(one.prompts) & set(other.prompts)


def test_cached_requests_never_cross_choices_of_samples(request_cache: Path) -> None:
    run(["sword_fr"], samples={"sword_fr": [3]}, cache_requests=True)
    _, some = run(["sword_fr"], samples={"sword_fr": [5]}, cache_requests=True)
    found, model = run(["sword_fr"], cache_requests=True)
    assert [sample["doc_id"] for sample in found["samples"]["sword_fr"]] == [0, 1]
    assert not set(some.prompts) & set(model.prompts)


def test_cached_requests_never_cross_shots_or_templates(request_cache: Path) -> None:
    prompts = set()
    for options in ({}, {"num_fewshot": 1}, {"apply_chat_template": True}, {"system_instruction": "Be brief."}):
        _, model = run(["sword_fr"], cache_requests=True, **options)
        assert not prompts & set(model.prompts)
        prompts |= set(model.prompts)


def test_predict_only_keeps_answers_and_scores_nothing() -> None:
    found, _ = run([*ALL, "fiber_list_tr"], predict_only=True, limit=1)
    for task in ALL:
        assert {key.split(",")[0] for key in found["results"][task] if "," in key} == {"bypass", "bypass_stderr"}
        assert found["samples"][task][0]["resps"]


def test_logged_samples_hold_every_prompt_and_answer() -> None:
    found, model = run(ALL, log_samples=True)
    logged = [arguments[0] for task in ALL for sample in first_filter(found, task) for arguments in sample["arguments"]]
    assert sorted(set(logged)) == sorted(set(model.prompts))
    for task in ALL:
        for sample in first_filter(found, task):
            assert sample["doc"]["id"]
            assert len(sample["resps"]) == len(sample["arguments"]) == len(sample["filtered_resps"])


def first_filter(found: dict[str, Any], task: str) -> list[dict[str, Any]]:
    samples = found["samples"][task]
    return [sample for sample in samples if sample["filter"] == samples[0]["filter"]]


def test_examples_stand_before_the_question_and_are_not_in_the_test() -> None:
    _, plain = run(WITH_EXAMPLES, limit=3)
    found, model = run(WITH_EXAMPLES, limit=3, num_fewshot=3)
    assert found["n-shot"] == dict.fromkeys(WITH_EXAMPLES, 3)
    assert len(set(model.prompts)) == len(set(plain.prompts))
    for prompt, question in zip(model.prompts, plain.prompts, strict=True):
        assert prompt.endswith(f"\n\n{question}")
    for task in TaskManager(include_path=str(TASKS), include_defaults=False).load(WITH_EXAMPLES)["tasks"].values():
        shown, tested = ({doc["id"] for doc in task.dataset[split]} for split in ("fewshot", "test"))
        assert len(shown) >= 5
        assert not shown & tested


@pytest.mark.parametrize("task", ["sword_fr", "fiber_capital_cities_tr"])
def test_more_examples_than_there_are_is_refused(task: str) -> None:
    with pytest.raises(UserError, match=rf"--num_fewshot 99: {task} \[embedded\] has \d examples that are not in its"):
        run([task], num_fewshot=99)


def test_examples_are_refused_where_they_would_give_the_answer_away() -> None:
    with pytest.raises(UserError, match="clear_popqa_task2_de takes no examples, which would show a model whether"):
        run(["clear_popqa_task2_de"], num_fewshot=1)
    run(["clear_popqa_task2_de"], num_fewshot=0)


def test_an_example_is_of_the_form_of_the_question() -> None:
    _, model = run(["fiber_countries_neighbors_tr"], num_fewshot=1, limit=5)
    for prompt in dict.fromkeys(model.prompts):
        example, question = prompt.split("\n\n")
        assert ("?" in example) == ("?" in question)
        assert ("kaç" in example or "sayısı" in example) == ("kaç" in question or "sayısı" in question)


def test_system_prompt_and_chat_template() -> None:
    _, plain = run(ALL)
    _, model = run(ALL, system_instruction="Be brief.", apply_chat_template=True)
    assert model.prompts == [f"[system]Be brief.[user]{prompt}[assistant]" for prompt in plain.prompts]
    _, model = run(ALL, system_instruction="Be brief.\n\n")
    assert model.prompts == [f"Be brief.\n\n{prompt}" for prompt in plain.prompts]


def test_examples_as_turns_of_a_conversation() -> None:
    turns, single = (
        run(WITH_EXAMPLES, num_fewshot=2, apply_chat_template=True, fewshot_as_multiturn=multi)[1].prompts
        for multi in (True, False)
    )
    assert all(prompt.count("[user]") == 3 and prompt.count("[assistant]") == 3 for prompt in turns)
    assert all(prompt.count("[user]") == 1 and prompt.count("[assistant]") == 1 for prompt in single)


class Thinking(Scripted):
    """Its template begins the thinking in the prompt."""

    def apply_chat_template(self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True) -> str:
        return super().apply_chat_template(chat_history) + "<think>\n"


@pytest.mark.parametrize(
    ("says", "unfinished", "no_answer"),
    [
        ("Surely <answer>True</answer>, Audi or Fiat.", 1, 1),
        ("It is.</think>\n<answer>True</answer>", 0, 0),
        ("Hm.</think>", 0, 1),
    ],
)
def test_thinking_that_the_prompt_began(says: str, unfinished: float, no_answer: float) -> None:
    found, _ = run(GENERATING, Thinking(says), apply_chat_template=True, metadata={"memory_votes": 1})
    for task in GENERATING:
        scores = {key.split(",")[0]: value for key, value in found["results"][task].items()}
        assert scores["unfinished"] == unfinished
        assert scores["invalid_rate" if task.startswith("sword") else "no_answer"] == no_answer


def test_thinking_that_the_harness_would_hide_is_refused() -> None:
    model = Thinking("true")
    model.think_end_token = "</think>"  # type: ignore[attr-defined]
    with pytest.raises(UserError, match="leave think_end_token"):
        run(["sword_fr"], model, apply_chat_template=True)
    model = Scripted("<think>hm")  # the model itself begins its thinking: the harness leaves what is not finished
    model.think_end_token = "</think>"  # type: ignore[attr-defined]
    found, _ = run(["sword_fr"], model, apply_chat_template=True)
    assert found["results"]["sword_fr"]["unfinished,answer"] == 1


@pytest.mark.parametrize("task", RANKING)
def test_thoughts_are_not_ranked(task: str) -> None:
    with pytest.raises(UserError, match=f"{task} ranks answers, but the chat template ends the prompt with <think>"):
        run([task], Thinking(), apply_chat_template=True)
    run([task], Thinking())


def test_every_protocol_has_requests_of_its_own(request_cache: Path) -> None:
    class Reference(Scripted):
        fiber_protocol = "reference"

    official = {"source": str(shared_path("data", "fiber_official"))}
    run(["fiber_car_brands_tr"], metadata=official, cache_requests=True)
    _, plain = run(["fiber_car_brands_tr"], metadata=official)
    metadata = {**official, "protocol": "reference"}
    _, cached = run(["fiber_car_brands_tr"], Reference(), metadata, cache_requests=True)
    _, fresh = run(["fiber_car_brands_tr"], Reference(), metadata)
    assert [request.args for request in cached.asked] == [request.args for request in fresh.asked]
    assert len(list(request_cache.iterdir())) == 2
    assert plain.asked
