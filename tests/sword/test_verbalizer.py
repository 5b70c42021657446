from __future__ import annotations

import pytest

from crossfact.sword.verbalizer import checked_sentence, prompt
from crossfact.utils.facts import Triple, embedded_facts
from crossfact.utils.llm import UnusableError

FRANCE, PARIS = ("France", "French Republic"), ("Paris",)


@pytest.mark.parametrize(
    ("text", "subject", "object_", "sentence"),
    [
        ("<answer>The capital of France is Paris.</answer>", FRANCE, PARIS, "The capital of France is Paris."),
        ("<answer> Paris is  France’s capital </answer>", FRANCE, PARIS, "Paris is France’s capital"),
        (
            "<think>a<answer>b</answer></think><answer>Paris: capital of the French Republic.</answer>",
            FRANCE,
            PARIS,
            None,
        ),
        ("<answer>iPhones are made by Apple Inc.</answer>", ("iPhone",), ("Apple Inc.",), None),
        ("<answer>R.U.R. was written by K. Čapek.</answer>", ("R.U.R.",), ("K. Čapek",), None),
        # labels that a language inflects or contracts
        (
            "<answer>Washington ist die Hauptstadt der Vereinigten Staaten.</answer>",
            ("Vereinigte Staaten",),
            ("Washington, D.C.", "Washington"),
            None,
        ),
        ("<answer>La capitale du Caire est Paris.</answer>", ("Le Caire",), PARIS, None),
        ("<answer>프랑스의 수도는 파리이다.</answer>", ("프랑스",), ("파리",), None),
        ("<answer>フランスの首都はパリである。</answer>", ("フランス",), ("パリ",), None),
    ],
)
def test_usable(text: str, subject: tuple[str, ...], object_: tuple[str, ...], sentence: str | None) -> None:
    found = checked_sentence(text, subject, object_)
    assert found in text.replace("  ", " ")
    assert sentence is None or found == sentence


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("The capital of France is Paris.", "not one answer in tags"),
        ("<answer>The capital of France is Paris.", "not one answer in tags"),
        ("<answer>Paris, France.</answer> or <answer>France, Paris.</answer>", "not one answer in tags"),
        ("<think><answer>The capital of France is Paris.</answer></think>", "not one answer in tags"),
        ("<answer></answer>", "not one sentence"),
        ("<answer>Paris is a city. It is the capital of France.</answer>", "not one sentence"),
        ("<answer>フランスの首都だ。パリである。</answer>", "not one sentence"),
        ("<answer>The capital of France\nis Paris</answer>", "not one sentence"),
        ("<answer>The capital of Italy is Paris.</answer>", "the subject is not named"),
        ("<answer>The capital of France is Rome.</answer>", "the object is not named"),
        ("", "not one answer in tags"),
    ],
)
def test_unusable(text: str, problem: str) -> None:
    with pytest.raises(UnusableError, match=problem):
        checked_sentence(text, FRANCE, PARIS)


def test_prompt() -> None:
    said = prompt(embedded_facts(), Triple("Q142", "P36", "Q90"), "de")
    assert "You are an expert in writing German." in said
    assert "Subject: Frankreich\nProperty: Hauptstadt\nObject: Paris\n" in said
    assert "within <answer> and </answer>" in said
