"""Models that behave in a known way, through the real harness: every metric of every task is known in advance."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from lm_eval.tasks import TaskManager

from crossfact.utils.languages import CLEAR_LANGUAGES
from tests.clear import scripted
from tests.clear.scripted import TASKS, Choice, ScriptedLM, evaluate

NAN = math.nan
LANGS = ("en", "tr")
DATASETS = ("popqa", "strategyqa")

# Of four items, English remembers three (0 1 2) and every other language two (0 1).
KNOWN = {"en": 0.75, "tr": 0.5}

STUBBORN = {
    1: lambda lang: {"acc": KNOWN[lang], "no_answer": 0},
    2: lambda lang: {"acc": KNOWN[lang], "sr": 1, "pr": 0, "adopt": 1 - KNOWN[lang], "memory": KNOWN[lang]},
    3: lambda lang: {"acc": KNOWN[lang], "sr": 1, "pr": 0, "adopt": 1 - KNOWN[lang], "memory": KNOWN[lang]},
    4: lambda lang: {
        **{"acc_pos": KNOWN[lang], "pos_tt": 1, "pos_ff": 0},
        **{"acc_neg": KNOWN[lang], "neg_tt": 1, "neg_ff": 0},
        **quadrants(lang, pos_tf=1, pos_ft=0, neg_tf=0, neg_ft=1),
    },
}
PERSUADABLE = {
    1: STUBBORN[1],
    2: lambda lang: {"acc": 1 - KNOWN[lang], "sr": 0, "pr": 1, "adopt": 1, "memory": KNOWN[lang], "no_answer": 0},
    3: lambda lang: {"acc": 1 - KNOWN[lang], "sr": 0, "pr": 1, "adopt": 1, "memory": KNOWN[lang], "no_answer": 0},
}
# The support stands first in exactly half of the cases, in each of the items that are remembered alike.
HALF = {
    4: lambda lang: {
        **{"acc_pos": 0.5, "acc_neg": 0.5, "pos_tt": 0.5, "neg_tt": 0.5},
        "memory": KNOWN[lang],
        "no_answer": 0,
    },
}
FOLLOWER = {
    1: STUBBORN[1],
    2: PERSUADABLE[2],
    3: PERSUADABLE[3],
    4: lambda lang: {
        **{"acc_pos": 1, "pos_tt": 1, "pos_ff": 1, "acc_neg": 0, "neg_tt": 0, "neg_ff": 0},
        **quadrants(lang, pos_tf=1, pos_ft=1, neg_tf=0, neg_ft=0),
    },
}
IGNORANT = {
    1: lambda lang: {"acc": 0, "no_answer": None},
    2: lambda lang: {"acc": 0, "sr": NAN, "pr": 0, "adopt": 0, "memory": 0},
    3: lambda lang: {"acc": 0, "sr": NAN, "pr": 0, "adopt": 0, "memory": 0},
    4: lambda lang: {
        **{"acc_pos": 0, "acc_neg": 0, "memory": 0, "pos_ff": 0, "neg_ff": 0},
        **{f"{role}_{quadrant}": NAN for role in ("pos", "neg") for quadrant in ("tt", "tf", "ft")},
        **{"tf_minus_ft_pos": NAN, "tf_minus_ft_neg": NAN},
    },
}


def quadrants(lang: str, **expected: float) -> dict[str, float]:
    """Item 2 is known in English alone: mixed quadrants exist only where one of the two languages is English."""
    if lang == "en":  # the query language knows, the other does not
        shown = {"pos_tf": expected["pos_tf"], "pos_ft": NAN, "neg_tf": NAN, "neg_ft": expected["neg_ft"]}
    else:
        shown = {"pos_tf": NAN, "pos_ft": expected["pos_ft"], "neg_tf": expected["neg_tf"], "neg_ft": NAN}
    return {**shown, "tf_minus_ft_pos": NAN, "tf_minus_ft_neg": NAN}


@pytest.mark.parametrize(
    ("choose", "expected"),
    [
        (scripted.stubborn, STUBBORN),
        (scripted.persuadable, PERSUADABLE | HALF),
        (scripted.second_source, PERSUADABLE | HALF),
        (scripted.query_language_follower, FOLLOWER),
        (scripted.ignorant, IGNORANT),
    ],
    ids=["stubborn", "persuadable-by-the-first", "persuadable-by-the-second", "query-language", "ignorant"],
)
def test_every_metric_is_known_in_advance(choose: Choice, expected: dict[int, Any], source: Path) -> None:
    names = [f"clear_{name}_task{number}_{lang}" for name in DATASETS for number in expected for lang in LANGS]
    results = evaluate(ScriptedLM(choose), names, source)["results"]
    for name in names:
        _, dataset, task, lang = name.split("_")
        for filter_name in ("exact", "contains", *(["any_language"] if dataset == "popqa" else [])):
            for metric, value in expected[int(task[-1])](lang).items():
                found = results[name][f"{metric},{filter_name}"]
                if value is not None:
                    assert found == pytest.approx(value, abs=1e-9, nan_ok=True), (name, filter_name, metric)


def test_both_mixed_quadrants_and_their_difference(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Now item 2 is known in English and item 3 in German: with both as evidence, English has TF and FT.
    monkeypatch.setattr(scripted, "knows", lambda place, lang: place < 2 or (place, lang) in [(2, "en"), (3, "de")])
    name = "clear_popqa_task4_en"
    run = evaluate(ScriptedLM(scripted.stubborn), [name], source, evidence_languages=["de"])
    scores = run["results"][name]
    assert scores["tf_minus_ft_pos,exact"] == 1
    assert scores["tf_minus_ft_neg,exact"] == -1
    assert scores["pos_tt,exact"] == 1
    assert math.isnan(scores["pos_ff,exact"])
    sample = run["samples"][name][2]
    assert (sample["pos_tf"], sample["neg_ft"], sample["pos_tt"]) == ([1, 1], [1, 1], [0, 0])


def test_an_answer_in_another_language_shows_in_any_language_alone(source: Path) -> None:
    class Germanophone(ScriptedLM):
        def answer(self, prompt: str) -> str:
            return super().answer(prompt).replace("en", "de")

    name = "clear_popqa_task1_en"
    scores = evaluate(Germanophone(scripted.stubborn), [name], source)["results"][name]
    assert scores["acc,exact"] == 0
    assert scores["acc,any_language"] == 0.75


def test_a_sentence_is_right_for_contains_alone(source: Path) -> None:
    names = ["clear_popqa_task1_en", "clear_strategyqa_task1_en"]
    results = evaluate(ScriptedLM(scripted.stubborn, wrap="It is {}, surely."), names, source)["results"]
    for name in names:
        assert results[name]["acc,exact"] == 0
        assert results[name]["acc,contains"] == 0.75


def test_groups_print_the_mean_over_languages(source: Path) -> None:
    results = evaluate(ScriptedLM(scripted.stubborn), ["clear_popqa_task2", "clear_strategyqa_task4"], source)
    group = results["groups"]["clear_popqa_task2"]
    assert group["acc,exact"] == pytest.approx((0.75 + 9 * 0.5) / 10)
    assert group["sr,any_language"] == 1
    assert results["groups"]["clear_strategyqa_task4"]["acc_neg,contains"] == pytest.approx((0.75 + 9 * 0.5) / 10)


def test_the_whole_family_loads_under_one_name(source: Path) -> None:
    manager = TaskManager(include_path=str(TASKS), include_defaults=False, metadata={"source": str(source)})
    loaded = manager.load(["clear"])
    assert len(loaded["tasks"]) == 2 * 4 * len(CLEAR_LANGUAGES)
    assert {f"clear_{name}" for name in DATASETS} <= loaded["groups"].keys()
