from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crossfact.sword import report_figures, report_overlap, report_scores, report_tables
from crossfact.sword.answers import Answers, read_answers
from crossfact.sword.distortions import KINDS
from crossfact.sword.metrics import METRICS, process, target
from crossfact.sword.report import sections
from crossfact.utils.report.comparable import Model, group_comparable
from crossfact.utils.report.logs import find_runs
from crossfact.utils.report.sections import Figure, Table, number
from crossfact.utils.report.statistics import Difference, Estimate
from tests.utils.report.logged import write_run

# One letter for each of ORG, SS, OS, PSS, POS: right, wrong, unsure, invalid, cut off while thinking.
ALPHA = {
    "en": {"a": "RRRRR", "b": "RRWRR", "c": "WWURI"},
    "de": {"a": "RRRRR", "b": "RRRRR", "c": "RRRRR"},
    "ko": {"a": "RWRRW", "b": "RRRRR", "c": "WWWWC"},
}
BETA = {"en": {"a": "RRRRR", "b": "RRRRR", "c": "RRRRW"}}
COSINES = {"ss": 0.1, "os": 0.2, "pss": 0.4, "pos": None}


def sample(item: str, letters: str, similarity: bool) -> dict[str, Any]:
    probes: list[dict[str, Any]] = [{"kind": kind, "target": target(kind), "statement": "…"} for kind in KINDS]
    if similarity:
        probes = [{**probe, "similarity": COSINES.get(probe["kind"])} for probe in probes]
    document = {"id": item, "lang": "xx", "probes": probes}
    others = {"True": "false", "False": "true"}
    verdicts = [
        {"R": probe["target"].lower(), "W": others[probe["target"]], "U": "unsure", "I": "invalid", "C": "unfinished"}[
            letter
        ]
        for probe, letter in zip(probes, letters, strict=True)
    ]
    return {"doc": document, "filtered_resps": verdicts, "filter": "answer", **process(document, verdicts)}


def log(folder: Path, model: str, answered: Mapping[str, Mapping[str, str]], similarity: bool = False) -> None:
    samples = {
        f"sword_{lang}": [sample(item, letters, similarity) for item, letters in items.items()]
        for lang, items in answered.items()
    }
    write_run(folder / model, model, samples)


def models(folder: Path) -> Sequence[Model]:
    (group,) = group_comparable(find_runs([folder])[0], "sword")
    return group.models


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    log(tmp_path, "alpha", ALPHA)
    log(tmp_path, "beta", BETA)
    return read_answers(models(tmp_path))


def rows(table: Table | None) -> dict[tuple[str, ...], list[float]]:
    """Return a table's numbers by its texts."""
    assert table is not None
    found = {}
    for row in table.rows:
        key = tuple(cell for cell in row if isinstance(cell, str))
        found[key] = [number(cell) for cell in row if not isinstance(cell, str)]
    return found


def test_answers_as_an_array(answers: Answers) -> None:
    assert answers.models == ("alpha", "beta")
    assert answers.languages == ("en", "de", "ko")
    assert answers.items == ("a", "b", "c")
    assert answers.codes[0, 0].tolist() == [[0] * 5, [0, 0, 1, 0, 0], [1, 1, 2, 0, 3]]
    assert (answers.codes[1, 1:] == -1).all()
    assert answers.notes == ("beta was not run in de, ko: no mean over languages for it",)


def test_answers_by_log_likelihood_are_a_model_of_their_own(tmp_path: Path) -> None:
    asked = sample("a", "RWRRR", similarity=False)
    twice = [verdict for verdict in ["tie", *asked["filtered_resps"][1:]] for _ in range(2)]
    write_run(tmp_path, "alpha", {"sword_en": [asked], "sword_ll_en": [{**asked, "filtered_resps": twice}]})
    got = read_answers(models(tmp_path))
    assert got.models == ("alpha", "alpha (by log-likelihood)")
    assert got.codes[:, 0, 0].tolist() == [[0, 1, 0, 0, 0], [2, 1, 0, 0, 0]]


def test_document_scores_are_those_of_the_task(answers: Answers) -> None:
    scores = report_scores.document_scores(answers)
    assert set(scores) == set(METRICS)
    for place, lang in enumerate(answers.languages):
        for item, letters in enumerate(ALPHA[lang].values()):
            expected = sample("x", letters, similarity=False)
            for name in METRICS:
                assert scores[name][0, place, item] == pytest.approx(expected[name]), (lang, item, name)
    assert np.isnan(scores["strict"][1, 1:]).all()


def test_accuracy_by_hand(answers: Answers) -> None:
    found = rows(report_tables.accuracy_table(answers))
    third = 1 / 3
    assert found["alpha", "en"] == pytest.approx(
        [2 * third, 2 * third, third, 1, 2 * third, 2 * third, 2 * third, third]
    )
    assert found["alpha", "de"] == [1] * 8
    assert found["alpha", "all"][:2] == pytest.approx([7 / 9, 6 / 9])
    assert found["alpha", "Western"][0] == pytest.approx(5 / 6)
    assert found["alpha", "East Asian"][:3] == pytest.approx([2 / 3, 1 / 3, 2 / 3])
    assert found["beta", "en"][0] == 1
    for missing in ("de", "ko", "all", "Western", "East Asian"):
        assert np.isnan(found["beta", missing]).all(), missing
    assert found["random", "any"] == [0.5] * 7 + [1 / 32]
    cell = report_tables.accuracy_table(answers).rows[0][2]
    assert isinstance(cell, Estimate)
    assert (cell.low, cell.high, cell.count) == (0.0, 1.0, 3)


def test_rates_by_hand(answers: Answers) -> None:
    found = rows(report_tables.answers_table(answers))
    # said False: four of five for a, three for b, two for c (the original, and PSS)
    assert found["alpha", "en"] == pytest.approx([9 / 15, 1 / 15, 1 / 15, 0])
    assert found["alpha", "all"][1:] == pytest.approx([1 / 45, 2 / 45, 1 / 45])


def test_property_based_against_random(answers: Answers) -> None:
    shares = rows(report_tables.shares_table(answers))
    # subject: 1 ≥ 2/3, 1 ≥ 1, 2/3 ≥ 1/3; object: 2/3 ≥ 1/3, 1 ≥ 1, but 1/3 < 2/3 in Korean
    assert shares["alpha",] == pytest.approx([1, 2 / 3, 5 / 6, 6])
    assert shares["beta",] == pytest.approx([1, 0, 1 / 2, 2])
    assert shares["all",] == pytest.approx([1, 1 / 2, 6 / 8, 8])
    effects = rows(report_tables.effects_table(answers))
    assert effects["alpha", "PSS − SS"][0] == pytest.approx(8 / 9 - 6 / 9)
    assert effects["alpha", "POS − OS"][0] == pytest.approx(6 / 9 - 6 / 9)
    assert effects["alpha", "Western − East Asian, ORG"][0] == pytest.approx(5 / 6 - 2 / 3)
    assert [name for label, name in effects if label == "beta"] == []


def test_differences_are_paired_and_corrected(answers: Answers) -> None:
    table = report_tables.models_table(answers)
    found = rows(table)
    assert found["alpha", "beta", "ORG", "1 languages"][0] == pytest.approx(-1 / 3)
    assert found["alpha", "beta", "rejection", "1 languages"][0] == pytest.approx(2 / 3 - 11 / 12)
    for row in table.rows:
        difference, p, corrected = row[-3:]
        assert isinstance(difference, Difference)
        assert number(p) == difference.p
        assert number(corrected) == pytest.approx(min(1, 3 * difference.p))  # all p are equal or capped here
    languages = rows(report_tables.languages_table(answers))
    assert languages["alpha", "ko", "ORG"][0] == 0
    assert languages["alpha", "de", "ORG"][0] == pytest.approx(1 / 3)
    assert {key[:2] for key in languages} == {("alpha", "de"), ("alpha", "ko")}


def test_scatter_points_by_hand(answers: Answers) -> None:
    near = rows(report_figures.property_scatter(answers).data)
    assert near["SS", "PSS", "alpha", "ko"] == pytest.approx([1 / 3, 2 / 3])
    assert near["OS", "POS", "alpha", "ko"] == pytest.approx([2 / 3, 1 / 3])
    assert ("OS", "POS", "beta", "ko") not in near
    assert len(near) == 8
    original = rows(report_figures.original_scatter(answers).data)
    assert original["ORG", "OS", "alpha", "en"] == pytest.approx([2 / 3, 1 / 3])
    assert len(original) == 16


def test_difficulty_by_hand(answers: Answers) -> None:
    # ORG: a and b are right in three languages, c in German alone
    levels = report_scores.difficulty(answers, 0, 0)
    assert levels == {"3/3": [(1.0, 2)] * 3, "≤2/3": [(0.0, 1), (1.0, 1), (0.0, 1)]}
    # OS: b fails in English, so that it is right in two languages; c in one
    assert report_scores.difficulty(answers, 0, 2) == {"3/3": [(1.0, 1)] * 3, "≤2/3": [(0.0, 2), (1.0, 2), (0.5, 2)]}
    assert report_scores.difficulty(answers, 1, 0) == {}
    drawn = report_figures.by_difficulty(answers)
    assert drawn is not None
    found = rows(drawn.data)
    assert found["alpha", "OS", "≤2/3", "ko"] == [0.5, 2]


def test_jaccard_by_hand() -> None:
    nan = math.nan
    errors = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0], [nan, 1, 1, nan]])
    got = report_scores.jaccard(errors)
    assert got[0].tolist() == pytest.approx([1, 1 / 3, 0, 1 / 2])
    assert got[1, 3] == pytest.approx(1 / 2)
    assert math.isnan(got[2, 2])
    assert got == pytest.approx(got.T, nan_ok=True)


def test_overlap_of_errors_by_hand(answers: Answers) -> None:
    between = report_overlap.errors_between_languages(answers)
    assert between is not None
    found = rows(between.data)
    # OS: b and c are wrong in English (unsure is wrong), c in Korean, nothing in German
    assert found["alpha", "OS", "en", "ko"] == [1 / 2]
    assert found["alpha", "OS", "en", "de"] == [0]
    assert math.isnan(found["beta", "OS", "en", "de"][0])
    models_ = report_overlap.errors_between_models(answers)
    assert models_ is not None
    found = rows(models_.data)
    assert found["POS", "en", "alpha", "beta"] == [1]
    assert found["OS", "en", "alpha", "beta"] == [0]
    assert math.isnan(found["OS", "ko", "alpha", "beta"][0])


def test_strips_are_ordered_from_easy_to_hard(answers: Answers) -> None:
    codes, palette = report_overlap.strip_codes(answers, 0)
    assert codes.shape == (15, 3)
    # b before a, because it is right more often besides; then c
    assert codes[0].tolist() == [0, 0, 5]  # ORG in English
    assert codes[6].tolist() == [5, 2, 6]  # OS in English: b wrong, a right, c unsure
    assert len(palette) == 7
    gaps, _ = report_overlap.strip_codes(answers, 1)
    assert (gaps[1] == -1).all()
    found = rows(report_overlap.statement_strips(answers).data)
    assert found["alpha", "OS", "en"] == [1, 1, 1, 0]
    assert np.isnan(found["beta", "OS", "ko"]).all()


def test_densities(tmp_path: Path, answers: Answers) -> None:
    differences = report_overlap.difference_density(answers)
    assert differences is not None
    found = rows(differences.data)
    assert found["alpha", "ko", "PSS − SS (subject)"] == pytest.approx([1 / 3])
    assert found["beta", "en", "POS − OS (object)"] == pytest.approx([-1 / 3])
    assert report_overlap.proximity_density(answers) is None
    log(tmp_path / "near", "alpha", ALPHA, similarity=True)
    proximity = report_overlap.proximity_density(read_answers(models(tmp_path / "near")))
    assert proximity is not None
    found = rows(proximity.data)
    assert found["PSS",][:2] == pytest.approx([3, 0.4])
    assert found["POS",][0] == 0
    assert math.isnan(found["POS",][1])


@pytest.mark.parametrize("answered", [{"alpha": ALPHA, "beta": BETA}, {"alpha": BETA}, {"alpha": {"ko": ALPHA["ko"]}}])
def test_every_part_is_drawn_whatever_was_run(tmp_path: Path, answered: dict[str, Any]) -> None:
    for model, known in answered.items():
        log(tmp_path, model, known, similarity=True)
    parts = [part for section in sections(models(tmp_path)) for part in section.parts]
    assert len({part.name for part in parts}) == len(parts)
    for part in parts:
        if isinstance(part, Figure):
            drawing = part.draw()
            assert all(axes.has_data() or axes.texts for axes in drawing.axes), part.name
            assert part.data.rows
        assert part.name.startswith("sword_")


def test_nothing_to_read(tmp_path: Path) -> None:
    log(tmp_path, "alpha", {"en": ALPHA["en"]})
    next(tmp_path.rglob("samples_*")).write_text("{")
    (section,) = sections(models(tmp_path))
    assert section.parts == ()
    assert "sword_en is left out" in section.notes[0]
