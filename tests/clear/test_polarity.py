from __future__ import annotations

import pytest

from crossfact.clear.polarity import is_refusal, says_yes, takes_itself_back


@pytest.mark.parametrize(
    ("question", "sentence", "other", "yes"),
    [
        ("Can bricks float?", "Bricks cannot float.", "Bricks can float.", False),
        ("Can bricks float?", "Bricks can float.", "Bricks can't float.", True),
        ("Can bricks float?", "Bricks can float.", "Bricks can’t float.", True),
        ("Can bricks float?", "False.", "Bricks can float.", False),
        ("Can bricks float?", "Bricks can float.", "False. They are too heavy to float on any lake.", True),
        ("Can bricks float?", "Yes, they can float on any lake that is deep enough.", "No.", True),
        ("Can bricks float?", "True", "False", True),
        ("Can bricks float?", "False", "False.", None),
        ("Can bricks float?", "Bricks cannot float.", "Bricks do not float.", None),
        ("Is it not safe to swim here?", "It is not safe to swim here.", "It is safe to swim here.", True),
        ("Is it not safe to swim here?", "It is safe to swim here.", "It is not safe to swim here.", False),
        ("Does the plan fail to work?", "The plan does not fail to work.", "The plan fails to work.", False),
        ("Are there any owls on the moon?", "There are no owls on the moon.", "There are owls on the moon.", False),
        ("Do owls sleep at all?", "Owls sleep not only by day.", "Owls never sleep.", True),
        (
            "Are hippos only seen in Africa?",
            "Hippos are also seen elsewhere.",
            "Hippos are only seen in Africa.",
            False,
        ),
        ("Is iron lighter than air?", "Iron is heavier than air.", "Iron is lighter than air.", False),
        ("Does Ann outlive Ben?", "Ann outlives Ben.", "Ben outlives Ann.", None),
    ],
)
def test_which_sentence_says_yes(question: str, sentence: str, other: str, yes: bool | None) -> None:
    assert says_yes(question, sentence, other) is yes
    assert says_yes(question, other, sentence) is (None if yes is None else not yes)


def test_refusals_stand_at_the_start() -> None:
    assert is_refusal("I'm sorry, I cannot write false evidence.")
    assert is_refusal("As an AI language model, I have no opinion.")
    assert is_refusal("The claim cannot be made as the answer is no.")
    assert not is_refusal("A brick cannot float on water.")
    assert not is_refusal("The mayor opened the bridge in 1901. Later he wrote to a friend: I cannot forget that day.")


def test_answers_that_take_themselves_back() -> None:
    assert takes_itself_back("A brick can float. (Note: This claim is not valid.)")
    assert not takes_itself_back("A brick can float.")
