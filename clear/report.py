"""CLEAR's part of the report: the paper's tables and figures from logged samples, judged ones included."""

from __future__ import annotations

from collections.abc import Sequence

from crossfact.clear.report_comparisons import languages_table, models_table
from crossfact.clear.report_figures import bars, evidence_matrices, gap_map, source_matrices
from crossfact.clear.report_outcomes import DATASETS, JUDGE, Answers, read_answers
from crossfact.clear.report_popularity import by_popularity
from crossfact.clear.report_tables import (
    closed_book_table,
    evidence_table,
    judge_table,
    matching_table,
    wrong_language_table,
)
from crossfact.clear.report_two_sources import quadrants
from crossfact.utils.report.comparable import Model
from crossfact.utils.report.sections import Figure, Section, Table


def sections(models: Sequence[Model]) -> list[Section]:
    """Return CLEAR's sections on models that may be compared; a task that no model has is left out with a note."""
    answers = read_answers(models)
    makers = {1: _closed_book, 2: _same_language, 3: _cross_language, 4: _two_sources}
    found = [section for number, make in makers.items() if answers.has(number) for section in make(answers)]
    absent = [str(number) for number in makers if not answers.has(number)]
    notes = (*answers.problems, *_lacking(answers), *([f"Not run: task {', '.join(absent)}."] if absent else []))
    overview = Section("clear_overview", "How to read this part", (), _how_to_read(answers), notes)
    return [overview, *found, *_comparisons(answers)]


def _closed_book(answers: Answers) -> list[Section]:
    figure = bars(
        answers,
        1,
        {"acc": "closed-book accuracy"},
        "clear_closed_book_bars",
        "Closed-book accuracy by language",
        "Share of right answers without any evidence (Task 1), with 95 % intervals. Dotted: true or false at random.",
    )
    parts: list[Table | Figure] = [matching_table(answers)]
    if "popqa" in answers.datasets:
        parts += [table for table in (judge_table(answers), wrong_language_table(answers)) if table]
    return [
        Section("clear_memory", "What models know without evidence", (closed_book_table(answers), figure)),
        Section("clear_matched", "How answers are matched", tuple(parts)),
    ]


def _same_language(answers: Answers) -> list[Section]:
    figure = bars(
        answers,
        2,
        {"sr": "stubborn rate", "pr": "persuasion rate"},
        "clear_same_language_bars",
        "Stubbornness and persuasion by language",
        "Evidence in the language of the question (Task 2), with 95 % intervals. A dash: not measured, or a rate whose "
        "condition never held. Dotted: true or false at random.",
    )
    section = Section("clear_evidence", "Evidence in the same language", (evidence_table(answers, 2), figure))
    if "popqa" not in answers.datasets:
        return [section]
    popularity, notes = by_popularity(answers)
    parts: tuple[Table | Figure, ...] = (popularity,) if popularity else ()
    return [section, Section("clear_by_popularity", "Popular and obscure subjects", parts, notes=notes)]


def _cross_language(answers: Answers) -> list[Section]:
    drawn = [
        evidence_matrices(answers, "sr", "Stubborn rate"),
        evidence_matrices(answers, "pr", "Persuasion rate"),
        gap_map(answers),
    ]
    figures = tuple(figure for figure in drawn if figure)
    return [Section("clear_crossing", "Evidence in other languages", (evidence_table(answers, 3), *figures))]


def _two_sources(answers: Answers) -> list[Section]:
    return [
        Section(
            "clear_sources", "Two sources that contradict one another", (*quadrants(answers), *source_matrices(answers))
        )
    ]


def _comparisons(answers: Answers) -> list[Section]:
    tables: list[Table | Figure] = [table for table in (models_table(answers), languages_table(answers)) if table]
    return [Section("clear_comparisons", "Which differences are more than chance", tuple(tables))] if tables else []


def _how_to_read(answers: Answers) -> str:
    judged = answers.matching["popqa"] == JUDGE
    how = "as a judge decided" if judged else "by equality with an alias (not all of these runs were judged)"
    return (
        f"PopQA's answers are matched {how} unless a table says otherwise; StrategyQA's by words for true and false. "
        "Intervals resample items, each with all its languages. Only answers in the language of the question are right."
    )


def _lacking(answers: Answers) -> list[str]:
    """Return one line for each model that lacks tasks which another model has."""
    wanted = dict.fromkeys((dataset, number, lang) for _, dataset, number, lang in answers.outcomes)
    lines = []
    for model in answers.models:
        absent = [key for key in wanted if (model, *key) not in answers.outcomes]
        if absent:
            shown = ", ".join(f"{DATASETS[dataset]} task {number} {lang}" for dataset, number, lang in sorted(absent))
            lines.append(f"{model} was not run, or could not be read, in: {shown}. These are gaps.")
    return lines
