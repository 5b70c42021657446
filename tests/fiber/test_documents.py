"""Documents: gold answers by index, refused where they cannot be right."""

from __future__ import annotations

import pytest

from crossfact.fiber.documents import Documents, find_gold
from crossfact.utils.errors import UserError
from tests.fiber.examples import small_document


def test_gold_answers_are_found_once_and_in_order() -> None:
    document = small_document(answers=(" Oslo", " Roma", " Oslo"))
    assert document["gold"] == [0, 2]
    assert document["random_ap"] == pytest.approx(((1 + 1) + (1 + 2 / 3) + (1 / 2 + 2 / 3)) / 3 / 2)


@pytest.mark.parametrize(
    ("answers", "message"), [([], "no gold answer"), ([" Atene"], "'Atene' is not in the surface set")]
)
def test_a_prompt_without_a_right_choice_is_refused(answers: list[str], message: str) -> None:
    with pytest.raises(UserError, match=f"^here: .*{message}"):
        find_gold(answers, [" Roma"], "here")


def test_the_harness_finds_the_fields() -> None:
    documents = Documents([small_document()])
    assert list(documents.features) == list(documents[0])
