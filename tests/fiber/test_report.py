"""FIBER's part of the report, on rankings made by hand and on what the harness logs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crossfact.fiber.documents import Document, make_document
from crossfact.fiber.report import sections
from crossfact.fiber.report_consistency import random_consistency, rank_consistency
from crossfact.fiber.report_rankings import read_rankings
from crossfact.fiber.scoring import score_document
from crossfact.utils.report.figures import as_svg, style
from crossfact.utils.report.sections import Figure, Section, number
from tests.utils.report.logged import write_run
from tests.utils.report.reading import grouped, part, row, values

ENGLISH = (" Rome", " Ankara", " Paris", " Oslo")
ITALIAN = (" Roma", " Ankara", " Parigi", " Oslo")
COUNTRIES = ("Italy", "Türkiye", "France", "Norway")

BEST, SECOND, LAST = 0, 1, 3
"""Where the right candidate is ranked."""


def capital(place: int, lang: str, query: str = "sc", choices: Sequence[str] = ENGLISH) -> Document:
    document = make_document(
        id=f"capital_cities_{lang}_{query}:{place}",
        item=f"capital_cities:{place}",
        topic="capital_cities",
        lang=lang,
        query=query,
        subject=COUNTRIES[place],
        prompt=f"The capital of {COUNTRIES[place]} is",
        choices=list(choices),
        answers=[choices[place]],
    )
    document["biased"] = {"en": None, "it": [0], "tr": [1]}[lang]
    return document


def brands(place: int, lang: str, query: str, answers: Sequence[str]) -> Document:
    """A topic with several answers: country 0 has two of four brands, country 1 one, country 2 one."""
    document = make_document(
        id=f"car_brands_{lang}_{query}:{place}",
        item=f"car_brands:{place}",
        topic="car_brands",
        lang=lang,
        query=query,
        subject=COUNTRIES[place],
        prompt="Cars are",
        choices=[" 1", " 2"] if query.endswith("count") else [" A", " B", " C", " D"],
        answers=answers,
    )
    return document


def logged(document: Document, scores: Sequence[float]) -> dict[str, Any]:
    """A sample as the harness logs it."""
    results = [(score, False) for score in scores]
    texts = [[str(score), str(best)] for score, best in results]
    return {
        "doc": document,
        "arguments": {
            f"gen_args_{place}": {"arg_0": document["prompt"], "arg_1": choice}
            for place, choice in enumerate(document["choices"])
        },
        "resps": [[text] for text in texts],
        "filtered_resps": texts,
        "filter": "none",
        **score_document(document, results),
    }


def ranked(document: Document, rank: int) -> dict[str, Any]:
    """A sample in which the first right candidate has this rank, and the others follow in their order."""
    gold = document["gold"][0]
    order = [place for place in range(len(document["choices"])) if place != gold]
    order.insert(rank, gold)
    return logged(document, [-float(order.index(place)) for place in range(len(order))])


def capitals(ranks: Mapping[str, Sequence[int]], italian: Sequence[str] = ENGLISH) -> dict[str, Any]:
    """Samples by task: for each language the rank of the right candidate in each country, for `sc` and `qa` alike."""
    return {
        f"fiber_capital_cities_{lang}": [
            ranked(capital(place, lang, query, italian if lang == "it" else ENGLISH), rank)
            for place, rank in enumerate(known)
            for query in ("sc", "qa")
        ]
        for lang, known in ranks.items()
    }


GOOD = {"en": [BEST, BEST, BEST, SECOND], "it": [BEST, SECOND, SECOND, SECOND], "tr": [BEST, BEST, SECOND, LAST]}
POOR = {"en": [BEST, BEST, SECOND, SECOND], "it": [SECOND] * 4, "tr": [SECOND, SECOND, SECOND, LAST]}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> list[Section]:
    folder = tmp_path_factory.mktemp("capitals")
    write_run(folder / "good", "good", capitals(GOOD, ITALIAN))
    write_run(folder / "poor", "poor", capitals(POOR, ITALIAN))
    return sections(grouped(folder, "fiber"))


def test_map_by_model_and_language(report: list[Section]) -> None:
    table = part(report, "fiber_map")
    columns = ("en", "it", "tr", "mean")
    good = [3.5 / 4, 2.5 / 4, 2.75 / 4]
    for labels in (("all", "sc + qa"), ("single", "sc"), ("single", "qa")):
        assert values(row(table, "good", *labels), *columns) == pytest.approx([*good, sum(good) / 3])
    poor = [3 / 4, 2 / 4, 1.75 / 4]
    assert values(row(table, "poor", "single", "sc"), *columns) == pytest.approx([*poor, sum(poor) / 3])
    mean = row(table, "mean over models", "single", "sc")
    assert values(mean, "en", "mean") == pytest.approx([3.25 / 4, (sum(good) + sum(poor)) / 6])
    # one right candidate of four: (1 + 1/2 + 1/3 + 1/4) / 4
    assert values(row(table, "random", "single", "sc"), *columns) == pytest.approx([25 / 48] * 4)
    assert not any(found[1] == "multi" for found in table.rows)


def test_each_topic_weighs_the_same_and_counts_stand_apart(tmp_path: Path) -> None:
    listed = [[" A", " B"], [" C"], [" D"]]
    samples = capitals({"en": [BEST, BEST, BEST, BEST]})
    multi = []
    for query in ("sc", "qa"):
        multi += [logged(brands(place, "en", query, known), [-1, -4, -3, -2]) for place, known in enumerate(listed)]
    for query in ("sc_count", "qa_count"):
        counts = [" 2", " 1", " 1"]
        multi += [logged(brands(place, "en", query, [count]), [-1, -2]) for place, count in enumerate(counts)]
    write_run(tmp_path, "m", {**samples, "fiber_car_brands_en": multi})
    found = sections(grouped(tmp_path, "fiber"))
    # the ranking is A D C B: AP of {A, B} is (1/1 + 2/4) / 2, of {C} 1/3, of {D} 1/2
    brands_map = (0.75 + 1 / 3 + 0.5) / 3
    table = part(found, "fiber_map")
    assert values(row(table, "m", "multi", "sc"), "en") == pytest.approx([brands_map])
    assert values(row(table, "m", "all", "sc + qa"), "en") == pytest.approx([(1 + brands_map) / 2])
    # 1 is ranked before 2: right twice, second once
    assert values(row(table, "m", "multi", "sc_count"), "en") == pytest.approx([(1 + 1 + 0.5) / 3])
    answers = part(found, "fiber_answers").data
    assert values(row(answers, "car_brands"), "answers", "MAP") == pytest.approx([4 / 3, brands_map])
    assert values(row(answers, "capital_cities"), "answers", "MAP") == pytest.approx([1, 1])


def test_inference_bias_by_topic_language_and_depth(report: list[Section]) -> None:
    table = part(report, "fiber_bias")
    # FIB@1 in Italian: in Türkiye, France and Norway the right candidate is second and Roma first; Italy itself has no
    # wrong candidate of Italy and does not count.
    found = row(table, "capital_cities", "good")
    assert number(found["it, FIB@1"]) == 1
    assert found["it, FIB@1"].count == 6  # type: ignore[union-attr]
    # in Turkish, Ankara is never first: Roma stands first in the list
    assert number(found["tr, FIB@1"]) == 0
    assert values(found, "it, FIB@10", "tr, FIB@10", "random FIB@10") == [1, 1, 1]
    shares = row(part(report, "fiber_bias_shares"), "good")
    assert values(shares, "it, mean", "mean", "topics above 0.5") == [1, 1, 1]
    assert number(shares["topics where tr > it"]) == 0


def test_shares_of_topics_look_at_the_ten_best(tmp_path: Path) -> None:
    # twelve candidates; the biased one is wrong, and among the ten best in one Italian and in both Turkish prompts
    choices = [f" {letter}" for letter in "ABCDEFGHIJKL"]
    samples = {}
    for lang, last in (("it", [True, False]), ("tr", [False, False])):
        found = []
        for place, is_last in enumerate(last):
            document = {**capital(place, lang, choices=choices), "biased": [11]}
            scores = [-float(rank) for rank in range(12)]
            scores[11] = -99 if is_last else -1.5
            found.append(logged(document, scores))  # type: ignore[arg-type]
        samples[f"fiber_capital_cities_{lang}"] = found
    write_run(tmp_path, "m", samples)
    report = sections(grouped(tmp_path, "fiber"))
    shares = row(part(report, "fiber_bias_shares"), "m")
    assert values(shares, "it, mean", "tr, mean", "mean") == [0.5, 1, 0.75]
    assert values(shares, "topics above 0.5", "topics where tr > it", "of topics") == [1, 1, 1]
    bias = row(part(report, "fiber_bias"), "capital_cities", "m")
    assert values(bias, "it, FIB@5", "tr, FIB@5", "it, FIB@1", "random FIB@10") == pytest.approx([0.5, 1, 0, 10 / 12])


def test_differences_are_paired(report: list[Section]) -> None:
    found = row(part(report, "fiber_models"), "good", "poor", "MAP")
    assert number(found["difference"]) == pytest.approx((0.5 + 0.5 + 1) / 4 / 3)
    assert found["mean over"] == "3 tasks"
    found = row(part(report, "fiber_languages"), "good", "en", "it", "MAP")
    assert number(found["difference"]) == pytest.approx(1 / 4)


def test_the_same_ranking_in_another_language_is_consistent(report: list[Section]) -> None:
    data = part(report, "fiber_consistency").data
    # good, English against Italian: the same candidates in the same order, but for the ranks of the right ones
    assert 0 < number(row(data, "good", "capital_cities")["en–it"]) < 1
    # poor, Italian against Turkish: three of the countries are ranked alike, Norway is second there and last here
    same = number(row(data, "poor", "capital_cities")["it–tr"])
    moved = rank_consistency(np.array([3.0, 1, 0, 2]), np.array([3.0, 2, 1, 0]))
    assert same == pytest.approx((3 + moved) / 4)
    assert number(row(data, "poor", "capital_cities")["random"]) == pytest.approx(random_consistency(4))


def test_what_cannot_be_aligned_is_said(tmp_path: Path) -> None:
    samples = capitals({"en": [BEST, BEST], "it": [BEST, BEST]})  # candidates of unasked countries answer nothing
    write_run(tmp_path / "whole", "whole", samples)
    (section,) = (one for one in sections(grouped(tmp_path, "fiber")) if one.name == "fiber_consistent")
    assert not section.parts
    assert section.notes == (
        "No RankC of capital_cities en–it: only 2 of 4 candidates can be aligned by what they answer.",
    )
    write_run(tmp_path / "whole", "whole", samples, limit=2)
    (section,) = (one for one in sections(grouped(tmp_path, "fiber")) if one.name == "fiber_consistent")
    assert "a limited run names the items of some candidates only" in section.notes[0]


def test_a_task_that_was_not_run_makes_gaps(tmp_path: Path) -> None:
    write_run(tmp_path / "a", "a", capitals(GOOD))
    write_run(tmp_path / "b", "b", capitals({"en": GOOD["en"]}))
    found = sections(grouped(tmp_path, "fiber"))
    table = part(found, "fiber_map")
    assert values(row(table, "b", "all", "sc + qa"), "en", "it", "mean") == pytest.approx(
        [3.5 / 4, math.nan, math.nan], nan_ok=True
    )
    assert math.isnan(number(row(table, "mean over models", "all", "sc + qa")["it"]))
    assert number(row(table, "random", "all", "sc + qa")["it"]) == pytest.approx(25 / 48)
    assert any("b was not run, or could not be read, in: capital_cities it" in note for note in found[0].notes)
    assert row(part(found, "fiber_models"), "a", "b", "MAP")["mean over"] == "1 tasks"


def test_figures_of_nothing_but_gaps_are_laid_out(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    write_run(tmp_path / "a", "a", capitals({"it": GOOD["it"]}))
    write_run(tmp_path / "b", "b", capitals({"en": GOOD["en"]}))
    for section in sections(grouped(tmp_path, "fiber")):
        for figure in section.parts:
            if isinstance(figure, Figure):
                with style():
                    as_svg(figure.draw())
    assert not [str(one.message) for one in recwarn if "layout" in str(one.message)]


def test_a_topic_without_bias_in_a_language_is_no_gap_in_the_mean(tmp_path: Path) -> None:
    samples = capitals(GOOD)
    for sample in samples["fiber_capital_cities_tr"]:  # as the official Turkish founding locations
        sample["doc"]["biased"] = None
        for name in ("fib", "fib_at_1", "fib_at_5"):
            del sample[name]
    write_run(tmp_path, "m", samples)
    found = sections(grouped(tmp_path, "fiber"))
    bias = row(part(found, "fiber_bias"), "capital_cities", "m")
    assert values(bias, "it, FIB@10", "mean, FIB@10") == [1, 1]
    assert math.isnan(number(bias["tr, FIB@10"]))
    assert number(row(part(found, "fiber_bias_shares"), "m")["of topics"]) == 0  # nothing to compare Turkish with


def test_a_faulty_prompt_counts_in_no_metric_and_no_baseline(tmp_path: Path) -> None:
    samples = capitals({"en": [BEST, LAST, BEST, BEST]})
    for sample in samples["fiber_capital_cities_en"]:
        if sample["doc"]["item"] == "capital_cities:1":
            sample["doc"]["fault"] = "asks about something else"
            sample |= {"map": math.nan}
    write_run(tmp_path, "m", samples)
    rankings = read_rankings(grouped(tmp_path, "fiber"))
    for metric in ("map", "random_map"):
        scores = rankings.scores("m", "capital_cities", "en", metric, ("sc", "qa"))
        assert scores is not None
        assert scores.counts.sum() == 6
    assert row(part(sections(grouped(tmp_path, "fiber")), "fiber_map"), "m", "single", "sc")["en"].value == 1  # type: ignore[union-attr]


def test_every_figure_can_be_drawn_and_has_its_numbers(report: list[Section]) -> None:
    drawn = [part for section in report for part in section.parts if isinstance(part, Figure)]
    assert {one.name for one in drawn} == {"fiber_map_bars", "fiber_answers", "fiber_bias_dots", "fiber_consistency"}
    for figure in drawn:
        assert figure.data.rows, figure.name
        with style():
            assert len(as_svg(figure.draw())) > 10_000, figure.name
    names = [part.name for section in report for part in section.parts]
    assert len(names) == len(set(names))
    assert all(name.startswith("fiber_") for name in names)
