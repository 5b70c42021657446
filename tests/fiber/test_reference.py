"""The reference protocol against what the authors' own script gave, with the same model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lm_eval.models.huggingface import HFLM

from crossfact.fiber.metrics import average_precision
from crossfact.fiber.official_files import read_official
from crossfact.fiber.reference import ReferenceLM
from crossfact.fiber.topics import TOPICS
from tests.fiber.test_boundary import backend, request, stepwise
from tests.models import small_model
from tests.shared import shared_path

# The other files of the reference take minutes on two cores; they agree as well.
FILES = ("atomic_numbers_it_1", "polyglot_celebs_it_2")


def with_ties_broken(scores: list[float], choices: list[str], ranking: list[str]) -> list[float]:
    """Put tied candidates in the order in which the script happened to rank them: that of a Python set."""
    order = sorted(range(len(scores)), key=lambda index: (-scores[index], ranking.index(choices[index])))
    return [-float(order.index(index)) for index in range(len(scores))]


@pytest.fixture(scope="module")
def gemma() -> ReferenceLM:
    return ReferenceLM(str(small_model("gemma")), dtype="float32", device="cpu")


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_average_precision_of_the_script_is_matched(name: str, gemma: ReferenceLM) -> None:
    reference = json.loads(shared_path("data", "fiber_reference", f"{name}.json").read_text())
    topic = next(topic for topic in TOPICS.values() if name.startswith(topic.name))
    lang = name.removeprefix(f"{topic.name}_")[:2]
    documents = read_official(shared_path("data", "fiber_official"), topic, lang, as_published=True)
    of_file = [document for document in documents if document["id"].startswith(f"{name}:")]
    for document, row in zip(of_file, reference["rows"], strict=False):
        assert document["prompt"] == row["query"]
        requests = [request(document["prompt"], choice) for choice in document["choices"]]
        scores = [score for score, _ in gemma.loglikelihood(requests, disable_tqdm=True)]
        found = dict(zip(document["choices"], scores, strict=True))
        assert found == pytest.approx(dict(row["ranking"]), abs=0.01)
        ranking = [choice for choice, _ in row["ranking"]]
        broken = with_ties_broken(scores, document["choices"], ranking)
        assert average_precision(broken, document["gold"]) == pytest.approx(row["average_precision"], abs=1e-3)
        if len(set(scores)) == len(scores):
            assert average_precision(scores, document["gold"]) == pytest.approx(row["average_precision"], abs=1e-3)


def test_candidates_that_differ_in_their_last_character_tie() -> None:
    model: Any = backend(ReferenceLM)
    scores = model.loglikelihood([request("Bu:", candidate) for candidate in (" ka", " kı", " şa")], disable_tqdm=True)
    assert scores[0] == scores[1]
    assert scores[0] != scores[2]


def test_the_script_s_quirks_on_a_small_model() -> None:
    """No BOS, prompt and candidate apart, the last character dropped, logits divided by 0.1."""
    model: Any = backend(ReferenceLM)
    plain = backend(HFLM)
    ((score, _),) = model.loglikelihood([request("İzmir'", "nin")], disable_tqdm=True)
    before, after = plain.tok_encode("İzmir'"), plain.tok_encode("ni")
    assert model._encode_pair("İzmir'", "nin") == (before, after)
    assert score == pytest.approx(stepwise(plain, before, after, temperature=0.1), abs=1e-3)
