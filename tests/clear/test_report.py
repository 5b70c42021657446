"""CLEAR's part of the report, on logs of scripted models: every number is known in advance."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crossfact.clear.report import sections
from crossfact.clear.report_matrices import FAKE, TRUTH, evidence_by_query, persuasion_gaps, truth_by_fake
from crossfact.clear.report_outcomes import JUDGE, Answers, read_answers
from crossfact.clear.report_popularity import quantile_edges, quantile_of
from crossfact.clear.report_rates import task_scores
from crossfact.utils.report.comparable import Model
from crossfact.utils.report.figures import as_svg, style
from crossfact.utils.report.sections import Figure, Section, number
from tests.clear import scripted
from tests.clear.scripted import ScriptedLM, evaluate
from tests.utils.report.logged import write_run
from tests.utils.report.reading import grouped, part, row, values

LANGS = ("en", "de", "tr")
TASKS = [
    f"clear_{name}_task{task}_{lang}" for name in ("popqa", "strategyqa") for task in (1, 2, 3, 4) for lang in LANGS
]
KNOWN = {"en": 0.75, "de": 0.5, "tr": 0.5}  # of four items, English remembers three and every other language two


class PersuadedByReasons(ScriptedLM):
    """Believes any evidence in StrategyQA, none in PopQA."""

    def __init__(self) -> None:
        super().__init__(scripted.stubborn)
        self._other = ScriptedLM(scripted.persuadable)

    def answer(self, prompt: str) -> str:
        return self._other.answer(prompt) if "strategyqa" in prompt else super().answer(prompt)


@pytest.fixture(scope="module")
def runs(source: Path) -> dict[str, dict[str, Any]]:
    """Model → what the harness returned; both datasets, evidence in three languages."""
    models = {
        "follower": ScriptedLM(scripted.query_language_follower),
        "reasons": PersuadedByReasons(),
        "stubborn": ScriptedLM(scripted.stubborn),
    }
    return {name: evaluate(model, TASKS, source, evidence_languages=list(LANGS)) for name, model in models.items()}


@pytest.fixture(scope="module")
def models(runs: dict[str, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> tuple[Model, ...]:
    folder = tmp_path_factory.mktemp("logs")
    for name, run in runs.items():
        write_run(folder / name, name, run["samples"])
    return grouped(folder, "clear")


@pytest.fixture(scope="module")
def answers(models: tuple[Model, ...]) -> Answers:
    return read_answers(models)


@pytest.fixture(scope="module")
def report(models: tuple[Model, ...]) -> list[Section]:
    return sections(models)


def test_the_report_agrees_with_the_harness_on_every_metric(runs: dict[str, dict[str, Any]], answers: Answers) -> None:
    metrics = {1: ("acc",), 2: ("acc", "sr", "pr", "adopt"), 3: ("acc", "sr", "pr", "adopt"), 4: ("acc_pos", "acc_neg")}
    for model, run in runs.items():
        for task in TASKS:
            _, dataset, name, lang = task.split("_")
            for metric in metrics[int(name[-1])]:
                found = task_scores(answers, model, dataset, int(name[-1]), lang, metric)
                assert found is not None
                assert found.mean == pytest.approx(run["results"][task][f"{metric},exact"], nan_ok=True), (task, metric)


def test_closed_book_accuracy_by_language_and_its_mean(report: list[Section]) -> None:
    table = part(report, "clear_closed_book")
    for model in ("stubborn", "follower"):
        for dataset in ("PopQA", "StrategyQA"):
            found = row(table, model, dataset)
            assert values(found, *LANGS) == list(KNOWN.values())
            assert number(found["mean"]) == pytest.approx((0.75 + 0.5 + 0.5) / 3)
    assert values(row(table, "random", "StrategyQA"), *LANGS, "mean") == [0.5] * 4


def test_stubborn_and_persuasion_rates(report: list[Section]) -> None:
    for name in ("clear_same_language", "clear_cross_language"):
        table = part(report, name)
        assert values(row(table, "stubborn", "PopQA", "SR"), *LANGS, "mean") == [1] * 4
        assert values(row(table, "stubborn", "PopQA", "PR"), *LANGS, "mean") == [0] * 4
        assert values(row(table, "stubborn", "PopQA", "accuracy"), *LANGS) == list(KNOWN.values())
        assert values(row(table, "reasons", "StrategyQA", "SR"), *LANGS, "mean") == [0] * 4
        assert values(row(table, "reasons", "StrategyQA", "PR"), *LANGS, "mean") == [1] * 4
        assert values(row(table, "reasons", "StrategyQA", "adopts the false answer"), *LANGS) == [1] * 3


def test_evidence_matrices_have_task_2_on_their_diagonal(answers: Answers) -> None:
    matrices = {(one.model, one.dataset): one.cells for one in evidence_by_query(answers, "pr")}
    assert len(matrices) == 6
    pairs = {(evidence, asked) for evidence in LANGS for asked in LANGS}
    for cells in matrices.values():
        assert set(cells) == pairs
    assert {cell.value for cell in matrices["reasons", "strategyqa"].values()} == {1}
    assert {cell.value for cell in matrices["reasons", "popqa"].values()} == {0}
    # in English one item is unknown, in the others two
    assert [matrices["stubborn", "popqa"]["de", asked].count for asked in LANGS] == [1, 2, 2]


def test_the_persuasion_gap_is_popqa_less_strategyqa(answers: Answers) -> None:
    found = persuasion_gaps(answers)
    assert set(found) == {(model, lang) for model in answers.models for lang in LANGS}
    assert all(found["reasons", lang].value == -1 for lang in LANGS)
    assert all(found["stubborn", lang].value == 0 for lang in LANGS)


def test_truth_and_fake_matrices(answers: Answers) -> None:
    found = {(one.model, one.dataset, one.what): one.cells for one in truth_by_fake(answers)}
    pairs = {(fake, truth) for fake in LANGS for truth in LANGS if fake != truth}
    assert all(set(cells) == pairs for cells in found.values())
    assert {cell.value for cell in found["follower", "popqa", TRUTH].values()} == {1}
    assert {cell.value for cell in found["follower", "popqa", FAKE].values()} == {0}
    # a stubborn model is right where the query language remembers: the truthful one's in Q=Truth, the false one's else
    for fake, truth in pairs:
        assert found["stubborn", "popqa", TRUTH][fake, truth].value == KNOWN[truth]
        assert found["stubborn", "popqa", FAKE][fake, truth].value == KNOWN[fake]
        mean = found["mean over models", "popqa", TRUTH][fake, truth].value
        assert mean == pytest.approx((1 + 2 * KNOWN[truth]) / 3)


def test_quadrants_of_memory(report: list[Section]) -> None:
    table = part(report, "clear_quadrants")
    names = ("all", "TT", "TF", "FT", "FF", "TF−FT")
    # asked in English (3 items right, 2 other languages) or in the others (2 right): 2·3 + 4·2 of 24 pairs
    assert values(row(table, "stubborn", "PopQA", "Q=Pos"), *names) == pytest.approx([14 / 24, 1, 1, 0, 0, 1])
    assert values(row(table, "stubborn", "PopQA", "Q=Neg"), *names) == pytest.approx([14 / 24, 1, 0, 1, 0, -1])
    assert values(row(table, "follower", "PopQA", "Q=Pos"), *names) == pytest.approx([1, 1, 1, 1, 1, 0])
    counts = [row(table, "stubborn", "PopQA", "Q=Pos")[name].count for name in ("TT", "TF", "FT", "FF")]  # type: ignore[union-attr]
    # items 0 and 1: 6 ordered pairs of languages each; item 2: English with two others, both ways; two others: FF
    assert counts == [12, 2, 2, 8]


def test_rates_by_popularity(report: list[Section]) -> None:
    data = part(report, "clear_popularity").data
    found = [row(data, "stubborn", quantile) for quantile in "1234"]
    # items 0 to 3 are one quantile each; item 2 is known in English, one of three languages
    assert [number(one["memory"]) for one in found] == pytest.approx([1, 1, 1 / 3, 0])
    assert [number(one["SR"]) for one in found] == pytest.approx([1, 1, 1, math.nan], nan_ok=True)
    assert [number(one["PR"]) for one in found] == pytest.approx([math.nan, math.nan, 0, 0], nan_ok=True)


def test_quantiles_keep_equal_items_together_and_leave_out_unknown_ones() -> None:
    popularity = np.array([1.0, 1.0, 1.0, 5.0, 9.0, math.nan])
    edges = quantile_edges(popularity)
    places = quantile_of(popularity, edges)
    assert len(set(places[:3])) == 1
    assert places[0] < places[3] <= places[4]
    assert math.isnan(places[5])
    assert quantile_edges(np.array([math.nan])) == []


def test_items_without_popularity_are_counted(runs: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    name = "clear_popqa_task2_en"
    samples = json.loads(json.dumps(runs["stubborn"]["samples"][name], default=str))
    for sample in samples:
        if sample["doc"]["id"] == "popqa-3":
            sample["doc"]["popularity"] = None
    write_run(tmp_path, "m", {name: samples})
    (section,) = (one for one in sections(grouped(tmp_path, "clear")) if one.name == "clear_by_popularity")
    assert any("1 of 4 PopQA items have no popularity" in note for note in section.notes)


def test_differences_between_models_and_languages(report: list[Section]) -> None:
    table = part(report, "clear_models")
    found = row(table, "follower", "stubborn", "PopQA", "two sources, Q=Pos")
    assert number(found["difference"]) == pytest.approx(1 - (0.75 + 0.5 + 0.5) / 3)
    assert number(found["p (Holm)"]) >= number(found["p"])
    table = part(report, "clear_languages")
    assert number(row(table, "stubborn", "tr", "PopQA", "closed-book accuracy")["difference"]) == -0.25


def test_answers_in_another_language(source: Path, tmp_path: Path) -> None:
    class Germanophone(ScriptedLM):
        def answer(self, prompt: str) -> str:
            return super().answer(prompt).replace("en", "de")

    run = evaluate(Germanophone(scripted.stubborn), ["clear_popqa_task1_en"], source)
    write_run(tmp_path, "m", run["samples"])
    found = sections(grouped(tmp_path, "clear"))
    assert values(row(part(found, "clear_wrong_language"), "m", "closed book"), "en") == [0.75]
    table = part(found, "clear_matching")
    assert [values(row(table, "m", "PopQA", way), "en") for way in ("exact", "any_language")] == [[0], [0.75]]


def judge(samples: list[dict[str, Any]], right: list[bool | None]) -> list[dict[str, Any]]:
    """Judged samples with these decisions on the closed-book answers."""
    judged = []
    for sample, decision in zip([one for one in samples if one["filter"] == "exact"], right, strict=True):
        lines = [json.dumps({**json.loads(line), "right": decision}) for line in sample["filtered_resps"]]
        judged.append({**sample, "filter": JUDGE, "filtered_resps": lines})
    return judged


def test_a_judge_s_gap_and_what_it_left_open(runs: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    # exact: items 0, 1, 2 right in English, 0 and 1 in German; the judge adds item 3 and leaves item 0 open in English
    samples = {f"clear_popqa_task1_{lang}": runs["stubborn"]["samples"][f"clear_popqa_task1_{lang}"] for lang in LANGS}
    decisions = {"en": [None, True, True, True], "de": [True, True, False, True], "tr": [True, True, False, False]}
    judged = {
        f"clear_popqa_task1_{lang}": judge(samples[f"clear_popqa_task1_{lang}"], d) for lang, d in decisions.items()
    }
    write_run(tmp_path, "m", samples)
    write_run(tmp_path, "m", judged, judged=True)
    found = sections(grouped(tmp_path, "clear"))
    expected = [1 / 3, 1 / 4, 0]
    gap = row(part(found, "clear_judge_gap"), "m")
    assert values(gap, *LANGS, "mean") == pytest.approx([*expected, sum(expected) / 3])
    assert gap["en"].count == 3  # type: ignore[union-attr]
    # all tasks are judged: the tables follow the judge
    assert values(row(part(found, "clear_closed_book"), "m", "PopQA"), *LANGS) == [1, 0.75, 0.5]
    assert "as a judge decided" in found[0].text


def test_a_judged_model_beside_an_unjudged_one_is_matched_as_the_other(runs: dict[str, Any], tmp_path: Path) -> None:
    samples = {"clear_popqa_task1_en": runs["stubborn"]["samples"]["clear_popqa_task1_en"]}
    write_run(tmp_path / "a", "a", samples)
    write_run(tmp_path / "a", "a", {name: judge(s, [True] * 4) for name, s in samples.items()}, judged=True)
    write_run(tmp_path / "b", "b", samples)
    found = sections(grouped(tmp_path, "clear"))
    assert [values(row(part(found, "clear_closed_book"), model, "PopQA"), "en") for model in "ab"] == [[0.75], [0.75]]
    assert values(row(part(found, "clear_judge_gap"), "a"), "en") == [0.25]
    assert "not all of these runs were judged" in found[0].text


def test_what_was_not_run_is_a_gap_and_said(runs: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    names = [f"clear_popqa_task1_{lang}" for lang in LANGS]
    write_run(tmp_path / "a", "a", {name: runs["stubborn"]["samples"][name] for name in names})
    write_run(tmp_path / "b", "b", {name: runs["stubborn"]["samples"][name] for name in names[:2]})
    found = sections(grouped(tmp_path, "clear"))
    cells = row(part(found, "clear_closed_book"), "b", "PopQA")
    assert cells["tr"] is None
    assert math.isnan(number(cells["mean"]))
    assert any("b was not run, or could not be read, in: PopQA task 1 tr" in note for note in found[0].notes)
    assert "Not run: task 2, 3, 4." in found[0].notes
    # the difference between the models is over the two languages that both have
    assert row(part(found, "clear_models"), "a", "b")["mean over"] == "2 languages"


def test_a_damaged_log_is_named_and_the_rest_reported(runs: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    names = ["clear_popqa_task1_en", "clear_popqa_task1_tr"]
    write_run(tmp_path, "m", {name: runs["stubborn"]["samples"][name] for name in names})
    (damaged,) = tmp_path.glob("samples_clear_popqa_task1_tr*")
    damaged.write_text(damaged.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    found = sections(grouped(tmp_path, "clear"))
    assert any(damaged.name in note and "left out" in note for note in found[0].notes)
    assert values(row(part(found, "clear_closed_book"), "m", "PopQA"), "en") == [0.75]


def test_every_figure_can_be_drawn_and_has_its_numbers(report: list[Section]) -> None:
    drawn = [part for section in report for part in section.parts if isinstance(part, Figure)]
    assert {figure.name for figure in drawn} == {
        "clear_closed_book_bars",
        "clear_same_language_bars",
        "clear_popularity",
        "clear_sr_matrix",
        "clear_pr_matrix",
        "clear_pr_gap",
        "clear_quadrant_bars",
        "clear_popqa_sources",
        "clear_strategyqa_sources",
    }
    for figure in drawn:
        assert figure.data.rows, figure.name
        with style():
            assert len(as_svg(figure.draw())) > 10_000, figure.name
    names = [part.name for section in report for part in section.parts]
    assert len(names) == len(set(names))
    assert all(name.startswith("clear_") for name in names)
