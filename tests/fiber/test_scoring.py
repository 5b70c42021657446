"""From log-likelihoods to metrics: which prompt counts for which metric."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossfact.fiber.documents import Document
from crossfact.fiber.scoring import metric_names, score_document
from crossfact.fiber.topics import TOPICS, Topic
from crossfact.utils.errors import UserError
from tests.fiber.examples import small_document


def measured(document: Document, *scores: float) -> dict[str, float]:
    """The metrics of a document that are not NaN."""
    values = score_document(document, [(score, False) for score in scores])
    return {name: value for name, value in values.items() if not math.isnan(value)}


def test_a_sentence_about_an_entity() -> None:
    assert measured(small_document(), -2.0, -1.0, -3.0) == {"map": 0.5, "map_sc": 0.5, "p_at_1": 0.0}


def test_a_question_with_biased_candidates() -> None:
    document = small_document(query="qa", answers=(" Oslo",), biased=[0])
    assert measured(document, -2.0, -3.0, -1.0) == {
        "map": 1.0,
        "map_qa": 1.0,
        "p_at_1": 1.0,
        "fib": 1.0,
        "fib_at_1": 0.0,
        "fib_at_5": 1.0,
    }


@pytest.mark.parametrize("query", ["sc_count", "qa_count"])
def test_a_number_counts_apart(query: str) -> None:
    document = small_document(topic="car_brands", query=query, biased=[])
    assert measured(document, -2.0, -1.0, -3.0) == {"map_count": 0.5}


def test_a_faulty_prompt_counts_nowhere() -> None:
    document = small_document(topic="polyglot_celebs", lang="tr", query="sc_count", biased=[], fault="wrong template")
    assert measured(document, -1.0, -2.0, -3.0) == {}


@pytest.mark.parametrize("topic", TOPICS.values(), ids=lambda topic: topic.name)
@pytest.mark.parametrize("lang", ["en", "it", "tr"])
def test_every_prompt_of_a_task_has_all_its_metrics(topic: Topic, lang: str) -> None:
    for query in topic.queries:
        biased = [0] if topic.has_bias(lang) else None
        document = small_document(topic=topic.name, lang=lang, query=query, biased=biased)
        assert set(score_document(document, [(0.0, False)] * 3)) == set(metric_names(topic, lang))


@given(st.lists(st.lists(st.floats(-50, 0), min_size=3, max_size=3), min_size=2, max_size=30), st.randoms())
def test_the_order_of_documents_changes_no_mean(rows: list[list[float]], random: Random) -> None:
    document = small_document(answers=(" Roma", " Oslo"), biased=[1])
    values = [score_document(document, [(score, False) for score in row]) for row in rows]
    shuffled = random.sample(values, len(values))
    for name in ("map", "p_at_1", "fib", "fib_at_1"):
        assert sum(value[name] for value in values) == sum(value[name] for value in shuffled)


def test_a_model_that_gives_nan_is_not_scored() -> None:
    with pytest.raises(UserError, match="NaN as a log-likelihood in capital_cities_it:sc: try another dtype"):
        score_document(small_document(), [(-1.0, True), (math.nan, False), (-2.0, False)])
