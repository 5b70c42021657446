"""fiber_list: documents of every source, scores by hand, and known models in the harness."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM

from crossfact.fiber.list_answers import Listed
from crossfact.fiber.list_scoring import list_metric_names, score_list
from crossfact.fiber.listing import ListDocument, load_lists, target
from crossfact.fiber.topics import TOPICS
from crossfact.utils.errors import UserError
from crossfact.utils.languages import FIBER_LANGUAGES
from tests.fiber.scripted import evaluate, metrics
from tests.shared import shared_path

Answer = Callable[[ListDocument], str]


class ListingLM(LM):
    """Answers each question as a function says."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer
        self.prompts: list[str] = []

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        self.prompts += [request.args[0] for request in requests]
        return [self.answer(request.doc) for request in requests]  # type: ignore[arg-type]

    def loglikelihood(self, requests: list[Instance], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Instance], disable_tqdm: bool = False) -> list[float]:
        raise NotImplementedError


def patriotic(doc: ListDocument) -> str:
    """All of Q, right or not."""
    return "\n".join(doc["names"][entity][0] for entity in doc["biased"] or [])


def test_a_perfect_model() -> None:
    results = evaluate(ListingLM(target), ["fiber_list_countries_neighbors_it", "fiber_list_capital_cities_en"])
    perfect = {"precision": 1.0, "recall": 1.0, "f1": 1.0, "outside": 0.0, "no_answer": 0.0, "unfinished": 0.0}
    neighbors = metrics(results, "fiber_list_countries_neighbors_it")
    golds = [len(s["doc"]["gold"]) for s in results["samples"]["fiber_list_countries_neighbors_it"]]
    assert neighbors == {**perfect, "bias": 0.0, "answers": pytest.approx(sum(golds) / len(golds))}
    assert metrics(results, "fiber_list_capital_cities_en") == {**perfect, "answers": 1.0}


def test_a_model_that_lists_its_own_country() -> None:
    found = metrics(evaluate(ListingLM(patriotic), ["fiber_list_capital_cities_tr"]), "fiber_list_capital_cities_tr")
    # Ankara is right for one country, whose question therefore has no bias
    assert (found["bias"], found["outside"], found["answers"]) == (1.0, 0.0, 1.0)
    assert 0 < found["recall"] < 0.01


def test_a_silent_model_has_no_precision() -> None:
    found = metrics(evaluate(ListingLM(lambda doc: ""), ["fiber_list_ccTLD_it"], limit=3), "fiber_list_ccTLD_it")
    assert {name for name, value in found.items() if math.isnan(value)} == {"precision", "outside", "bias"}
    assert (found["recall"], found["f1"], found["no_answer"], found["unfinished"]) == (0, 0, 1, 0)


def test_groups_take_the_plain_mean_of_their_tasks() -> None:
    results = evaluate(ListingLM(target), ["fiber_list_tr"], limit=2)
    leaves = [metrics(results, task)["answers"] for task in results["results"] if task != "fiber_list_tr"]
    assert len(leaves) == 16
    assert metrics(results, "fiber_list_tr")["answers"] == pytest.approx(sum(leaves) / 16)
    assert metrics(results, "fiber_list_tr")["bias"] == 0.0


def test_prompts_and_examples() -> None:
    model = ListingLM(target)
    evaluate(model, ["fiber_list_countries_official_languages_it"], limit=1, num_fewshot=1)
    example, question = model.prompts[0].split("\n\n")
    instruction = "Elenca tutte le risposte corrette, una per riga. Scrivi solo i nomi, senza numeri né spiegazioni."
    assert question.splitlines()[1:] == [instruction]
    assert example.splitlines()[1] == instruction
    assert len(example.splitlines()) > 2


@pytest.mark.parametrize("lang", FIBER_LANGUAGES)
def test_embedded_documents(lang: str) -> None:
    for name, topic in TOPICS.items():
        splits = load_lists(name, lang)
        assert len(splits["fewshot"]) == 5
        assert len({doc["item"] for doc in splits["test"]}) == len(splits["test"]) >= 20
        assert not {d["item"] for d in splits["test"]} & {d["item"] for d in splits["fewshot"]}
        assert all((doc["biased"] is None) is not topic.has_bias(lang) for doc in splits["test"])
        assert all(doc["gold"] for doc in splits["test"])


def test_other_names_are_known() -> None:
    doc = next(doc for doc in load_lists("countries_neighbors", "en")["test"] if doc["subject"] == "Mali")
    assert ["Ivory Coast", "Côte d’Ivoire", "Cote d'Ivoire"] in [doc["names"][entity] for entity in doc["gold"]]


def test_official_documents() -> None:
    folder = str(shared_path("data", "fiber_official"))
    for name in ("countries_neighbors", "locations_of_sites", "polyglot_celebs"):
        for lang in FIBER_LANGUAGES:
            splits = load_lists(name, lang, folder)
            assert splits.source.name == "official"
            assert len(splits["test"]) > 50
            assert not splits["fewshot"]
    results = evaluate(ListingLM(target), ["fiber_list_countries_timezones_tr"], {"source": folder}, limit=20)
    assert metrics(results, "fiber_list_countries_timezones_tr")["f1"] == 1.0


def test_a_source_without_questions_is_refused(tmp_path: Any) -> None:
    from crossfact.fiber.document_files import write_documents
    from crossfact.fiber.documents import Documents
    from tests.fiber.examples import small_document

    write_documents(tmp_path / "capital_cities_it.jsonl", Documents([small_document(query="sc")]))
    with pytest.raises(UserError, match=r"has no questions \(qa\) on capital_cities in it"):
        load_lists("capital_cities", "it", str(tmp_path))


DOC: Any = {"gold": [0, 1], "biased": [1, 2, 3]}


@pytest.mark.parametrize(
    ("entities", "expected"),
    [
        ([0, 1], [1, 1, 1, 0, 0, 2, 0, 0]),
        ([0, 2, None, None], [0.25, 0.5, 1 / 3, 0.5, 0.25, 4, 0, 0]),
        ([2, 3], [0, 0, 0, 0, 1, 2, 0, 0]),
        ([1], [1, 0.5, 2 / 3, 0, 0, 1, 0, 0]),
        ([], [math.nan, 0, 0, math.nan, math.nan, 0, 1, 0]),
    ],
)
def test_scores_by_hand(entities: list[int | None], expected: list[float]) -> None:
    scores = score_list(DOC, [Listed([str(place) for place in range(len(entities))], entities).dumps()])
    assert list(scores) == list_metric_names(TOPICS["capital_cities"], "it")
    assert list(scores.values()) == pytest.approx(expected, nan_ok=True)


def test_bias_is_undefined_where_all_of_q_is_right() -> None:
    scores = score_list({**DOC, "biased": [0]}, [Listed(["a"], [0]).dumps()])
    assert math.isnan(scores["bias"])
    assert "bias" not in score_list({**DOC, "biased": None}, [Listed(["a"], [0]).dumps()])
