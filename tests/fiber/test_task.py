"""The tasks in the harness: known models, every backend's say, and the harness's own checks on new tasks."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from lm_eval.api.model import LM
from lm_eval.models import MODEL_MAPPING
from lm_eval.models.dummy import DummyLM
from lm_eval.models.huggingface import HFLM
from lm_eval.models.openai_completions import LocalChatCompletion
from lm_eval.tasks import TaskManager

from crossfact.fiber.metrics import random_average_precision
from crossfact.fiber.scoring import metric_names
from crossfact.fiber.task import FiberTask
from crossfact.fiber.topics import TOPICS
from crossfact.utils.errors import UserError
from crossfact.utils.hf_tree import TreeLM
from crossfact.utils.languages import FIBER_LANGUAGES
from crossfact.utils.loglikelihoods import gives_no_loglikelihoods
from tests.fiber.scripted import TASKS, ScriptedLM, evaluate, metrics, patriotic, perfect, undecided
from tests.fiber.test_boundary import backend
from tests.shared import shared_path

ALL = [f"fiber_{topic}_{lang}" for topic in TOPICS for lang in FIBER_LANGUAGES]
CHAT_ONLY = ("anthropic-chat", "anthropic-completions", "litellm", "local-chat-completions", "openai-chat-completions")
WITH_LIKELIHOODS = ("hf", "local-completions", "openai-completions", "gguf", "textsynth", "dummy")
FEW = ["fiber_capital_cities_it", "fiber_countries_neighbors_tr", "fiber_chemical_symbols_en"]


def test_a_perfect_model_has_map_1() -> None:
    results = evaluate(ScriptedLM(perfect), FEW)
    cities = metrics(results, "fiber_capital_cities_it")
    assert cities == {
        **dict.fromkeys(("map", "map_sc", "map_qa", "p_at_1"), 1.0),
        "fib": pytest.approx(cities["fib"]),
        "fib_at_1": 0.0,
        "fib_at_5": pytest.approx(cities["fib_at_5"]),
    }
    neighbors = metrics(results, "fiber_countries_neighbors_tr")
    assert {name: value for name, value in neighbors.items() if not name.startswith("fib")} == dict.fromkeys(
        ("map", "map_sc", "map_qa", "map_count", "p_at_1"), 1.0
    )
    assert set(metrics(results, "fiber_chemical_symbols_en")) == {"map", "map_sc", "map_qa", "p_at_1"}


def test_a_model_that_always_prefers_q_has_fib_1() -> None:
    results = evaluate(ScriptedLM(patriotic), ["fiber_capital_cities_it", "fiber_countries_timezones_tr"])
    for task in results["results"]:
        found = metrics(results, task)
        assert (found["fib"], found["fib_at_1"], found["fib_at_5"]) == (1.0, 1.0, 1.0)


def test_a_model_without_preference_scores_as_the_random_baseline() -> None:
    results = evaluate(ScriptedLM(undecided), ["fiber_capital_cities_it"])
    found = metrics(results, "fiber_capital_cities_it")
    size = len(results["samples"]["fiber_capital_cities_it"][0]["doc"]["choices"])
    assert found["map"] == pytest.approx(random_average_precision(size, 1))
    assert found["fib"] == pytest.approx(10 / size)
    samples = results["samples"]["fiber_capital_cities_it"]
    assert [sample["map"] for sample in samples] == pytest.approx([sample["doc"]["random_ap"] for sample in samples])


def test_groups_take_the_plain_mean_of_their_tasks() -> None:
    results = evaluate(ScriptedLM(undecided), ["fiber_en"], limit=4)
    leaves = [metrics(results, task)["map"] for task in results["results"] if task != "fiber_en"]
    assert len(leaves) == 16
    assert metrics(results, "fiber_en")["map"] == pytest.approx(sum(leaves) / 16)
    assert "fib" not in metrics(results, "fiber_en")


def test_results_name_the_source_and_its_fingerprint() -> None:
    official = str(shared_path("data", "fiber_official"))
    for source, name in (("embedded", "embedded"), (official, "official")):
        results = evaluate(ScriptedLM(perfect), ["fiber_ccTLD_tr"], {"source": source}, limit=3)
        assert results["results"]["fiber_ccTLD_tr"]["alias"] == f"fiber_ccTLD_tr [{name}]"
        metadata = results["configs"]["fiber_ccTLD_tr"]["metadata"]
        assert (metadata["source"], len(metadata["fingerprint"])) == (name, 16)


def test_official_turkish_founding_locations_have_no_bias_to_measure() -> None:
    official = {"source": str(shared_path("data", "fiber_official"))}
    results = evaluate(ScriptedLM(perfect), ["fiber_founding_locations_tr"], official, limit=6)
    assert set(metrics(results, "fiber_founding_locations_tr")) == {"map", "map_sc", "map_qa", "p_at_1"}


def test_the_wrong_template_is_kept_out_of_map_count() -> None:
    official = {"source": str(shared_path("data", "fiber_official"))}

    def right_but_for_the_fault(doc: Any, choice: int) -> float:
        return undecided(doc, choice) if doc["fault"] else perfect(doc, choice)

    results = evaluate(ScriptedLM(right_but_for_the_fault), ["fiber_polyglot_celebs_tr"], official)
    assert metrics(results, "fiber_polyglot_celebs_tr")["map_count"] == 1.0
    assert results["n-samples"]["fiber_polyglot_celebs_tr"]["effective"] == 355


def test_a_limit_beyond_the_data_is_refused() -> None:
    with pytest.raises(UserError, match=r"--limit 9999 is larger than the .* documents of fiber_ccTLD_en"):
        evaluate(ScriptedLM(perfect), ["fiber_ccTLD_en"], limit=9999)


def test_a_chat_only_backend_is_refused_before_it_is_asked() -> None:
    chat = LocalChatCompletion(base_url="http://127.0.0.1:9", model="none", tokenizer_backend=None)
    with pytest.raises(UserError, match=r"local-chat-completions only generates text.*use hf, vllm"):
        evaluate(chat, ["fiber_ccTLD_en"], limit=1)


@pytest.mark.parametrize(
    ("name", "chat"), [*((name, True) for name in CHAT_ONLY), *((name, False) for name in WITH_LIKELIHOODS)]
)
def test_backends_are_told_apart(name: str, chat: bool) -> None:
    module, _, kind = MODEL_MAPPING[name].partition(":")
    model = getattr(importlib.import_module(module), kind)
    assert gives_no_loglikelihoods(model.__new__(model)) is chat


@pytest.mark.parametrize("metadata", [{"protocol": "reference"}, {}])
def test_protocol_and_backend_must_agree(metadata: dict[str, str]) -> None:
    class Reference(ScriptedLM):
        fiber_protocol = "paper" if metadata else "reference"

    with pytest.raises(UserError, match="reference protocol needs both `crossfact run --model fiber-reference` and"):
        evaluate(Reference(perfect), ["fiber_ccTLD_en"], metadata, limit=1)


def test_the_reference_protocol_stands_in_the_name() -> None:
    class Reference(ScriptedLM):
        fiber_protocol = "reference"

    results = evaluate(Reference(perfect), ["fiber_ccTLD_en"], {"protocol": "reference"}, limit=1)
    assert results["results"]["fiber_ccTLD_en"]["alias"] == "fiber_ccTLD_en [embedded] [reference protocol]"


@pytest.mark.parametrize("kind", [HFLM, TreeLM])
def test_candidates_that_merge_are_scored_and_flagged(kind: type[HFLM], tmp_path: Any) -> None:
    """`İzmir'` + `nin`, with a token `'n`: the harness alone would stop with an empty continuation."""
    from crossfact.fiber.document_files import document_file, write_documents
    from crossfact.fiber.documents import Documents
    from tests.fiber.examples import small_document

    document = small_document(choices=("nin", "de", " nin"), answers=("nin",))
    document["prompt"] = "İzmir'"
    write_documents(document_file(tmp_path, TOPICS["capital_cities"], "it"), Documents([document]))
    results = evaluate(backend(kind), ["fiber_capital_cities_it"], {"source": str(tmp_path)})
    metadata = results["configs"]["fiber_capital_cities_it"]["metadata"]
    assert metadata["candidates_tokenized_apart"] == 1
    assert metadata["candidates_not_exact"] == 0
    model = backend(kind)
    model._encode_pair = lambda prompt, candidate: (model.tok_encode(prompt), model.tok_encode(candidate))
    apart = [model.loglikelihood([request])[0][0] for request in _requests(document)] if kind is HFLM else None
    scores = [response[0][0] for response in results["samples"]["fiber_capital_cities_it"][0]["resps"]]
    assert apart is None or scores == pytest.approx(apart, abs=1e-4)


def _requests(document: Any) -> list[Any]:
    from tests.fiber.test_boundary import request

    return [request(document["prompt"], choice) for choice in document["choices"]]


@pytest.fixture(scope="module")
def tasks() -> dict[str, FiberTask]:
    return TaskManager(include_path=str(TASKS), include_defaults=False).load(ALL)["tasks"]


def test_the_harness_knows_all_tasks_and_groups() -> None:
    manager = TaskManager(include_path=str(TASKS), include_defaults=False)
    ours = [name for name in (*manager.all_subtasks, *manager.all_groups) if name.startswith("fiber")]
    ranking = {name for name in ours if not name.startswith("fiber_list")}
    groups = ranking - set(ALL)
    assert set(ALL) < ranking
    assert groups == {"fiber", "fiber_single", "fiber_multi", "fiber_en", "fiber_it", "fiber_tr"}


@pytest.mark.parametrize("name", ALL)
def test_new_tasks_meet_the_harness_s_checks(tasks: dict[str, FiberTask], name: str) -> None:
    """What the harness asks of new tasks in its own tests (tests/test_tasks.py), over all documents."""
    task = tasks[name]
    documents = list(task.test_docs())
    assert task.has_test_docs()
    assert not task.has_training_docs()
    assert not task.has_validation_docs()
    assert not task.should_decontaminate()
    assert len(documents) >= 10
    assert task.config.target_delimiter == ""
    for document in documents:
        prompt, choices, target = task.doc_to_text(document), task.doc_to_choice(document), task.doc_to_target(document)
        assert isinstance(prompt, str)
        assert not prompt[-1].isspace()
        assert isinstance(choices, list)
        assert all(isinstance(choice, str) for choice in choices)
        assert isinstance(target, list)
        assert all(isinstance(index, int) and 0 <= index < len(choices) for index in target)
    requests = task.construct_requests(documents[0], documents[0]["prompt"], metadata=(name, 0, 1))
    assert len(requests) == len(documents[0]["choices"])
    topic, lang = name.removeprefix("fiber_").rsplit("_", 1)
    assert list(task.aggregation()) == metric_names(TOPICS[topic], lang)


def test_a_model_outside_the_harness_s_list_is_named_by_its_class() -> None:
    class Chatty(DummyLM):
        def loglikelihood(self, requests: Any, disable_tqdm: bool = False) -> Any:
            raise NotImplementedError

    model: LM = Chatty()
    with pytest.raises(UserError, match="the backend Chatty only generates text"):
        evaluate(model, ["fiber_ccTLD_en"], limit=1)
