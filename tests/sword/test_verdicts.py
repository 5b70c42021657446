from __future__ import annotations

import pytest

from crossfact.sword.verdicts import FALSE, INVALID, TRUE, UNFINISHED, UNSURE, verdict, verdicts


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("<answer>True</answer>", TRUE),
        ("<answer>false</answer>", FALSE),
        ("<ANSWER> *unsure.* </ANSWER>", UNSURE),
        ("The answer is <answer>\n**TRUE**\n</answer>.", TRUE),
        ("<answer>“False”</answer>", FALSE),
        ("<answer>Ｔｒｕｅ。</answer>", TRUE),  # full-width, as Japanese keyboards write it
        ("x</think><answer>False</answer>", FALSE),
        ("<think>is it <answer>True</answer>?</think><answer>False</answer>", FALSE),
        ("<think>no</think>\n\n<answer>True</answer>", TRUE),
        ("<answer>True</answer> … wait … <answer>False</answer>", FALSE),
        ("<answer>True <answer>False</answer>", FALSE),
        ("<answer>True</answer> because of the <answ", TRUE),
        ("<answer>True</answer> <think>or not", TRUE),
        # all the rest is invalid
        ("<think>perhaps <answer>True</answer> but", UNFINISHED),
        ("<thinking>hm", UNFINISHED),
        ("<think>a</think><think>b <answer>True</answer>", UNFINISHED),
        ("<answer>True <think>", UNFINISHED),
        ("<think>a</think> I give up", INVALID),
        ("<answer>untrue</answer>", INVALID),
        ("<answer>True or False</answer>", INVALID),
        ("<answer>Not false</answer>", INVALID),
        ("<answer>참</answer>", INVALID),
        ("<answer></answer>", INVALID),
        ("<answer>True", INVALID),
        ("<answer>True</answer> wait <answer>Fal", INVALID),
        ("True</answer>", INVALID),
        ("True", INVALID),
        ("", INVALID),
        (None, INVALID),
    ],
)
def test_verdict(response: str | None, expected: str) -> None:
    assert verdict(response) == expected


def test_the_filter_gives_one_verdict_per_request() -> None:
    responses = [["<answer>True</answer>"], ["?"], ["<answer>Unsure</answer>", "<answer>True</answer>"]]
    assert verdicts(responses, [{}, {}, {}]) == [TRUE, INVALID, UNSURE]
