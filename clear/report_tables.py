"""CLEAR's tables that have a column per query language (the paper's tables 1, 2 and 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from crossfact.clear.report_outcomes import DATASETS, EXACT, JUDGE, Answers
from crossfact.clear.report_rates import CHANCE, memory, task_scores
from crossfact.utils.report.means import mean_estimates
from crossfact.utils.report.sections import Cell, Column, Format, Table
from crossfact.utils.report.statistics import Clustered, Estimate, estimates

RANDOM = "random"
MEAN = "mean"
TABLE_2 = " After the paper's Table 2."

Scores = Callable[[str], Clustered | None]
"""Language → scores by item."""


def closed_book_table(answers: Answers) -> Table:
    """Return closed-book accuracy by model and language (Table 1; Task 1)."""
    rows = [
        ((model, DATASETS[dataset]), _task(answers, model, dataset, 1, "acc"))
        for dataset in answers.datasets
        for model in answers.models
    ]
    random = [
        _random(answers, (RANDOM, DATASETS[dataset]), dataset) for dataset in answers.datasets if dataset in CHANCE
    ]
    return Table(
        name="clear_closed_book",
        title="Closed-book accuracy by model and language",
        columns=_columns(answers, ("model", "dataset")),
        rows=(*by_language(answers, rows), *random),
        note="Task 1, in percent, with 95 % intervals (bootstrap over items). Mean: over languages, each weighing the "
        "same. After the paper's Table 1.",
    )


def evidence_table(answers: Answers, number: int) -> Table:
    """Return SR, PR and the rates beside them by model, dataset and query language (Table 2 for Task 2)."""
    metrics = {"sr": "SR", "pr": "PR", "acc": "accuracy", "adopt": "adopts the false answer"}
    rows = [
        ((model, DATASETS[dataset], heading), _task(answers, model, dataset, number, metric))
        for dataset in answers.datasets
        for metric, heading in metrics.items()
        for model in answers.models
    ]
    random = [
        _random(answers, (RANDOM, DATASETS[dataset], heading), dataset)
        for dataset in answers.datasets
        if dataset in CHANCE
        for heading in metrics.values()
    ]
    same = number == 2
    return Table(
        name="clear_same_language" if same else "clear_cross_language",
        title=f"Stubbornness and persuasion by evidence in {'the same language' if same else 'other languages'}",
        columns=_columns(answers, ("model", "dataset", "rate")),
        rows=(*by_language(answers, rows), *random),
        note=f"Task {number}, in percent, by query language"
        f"{'' if same else ', pooled over the languages of evidence'}. SR: of what the model knows, the share still "
        "right under false evidence; PR: of what it does not know, the share right under true evidence; accuracy: "
        "right under the evidence that contradicts memory. A rate whose condition never held is a gap, and so is the "
        f"mean over languages then.{TABLE_2 if same else ''}",
    )


def judge_table(answers: Answers) -> Table | None:
    """Return how many percentage points a judge adds to equality (Table 4; Task 1 of PopQA); None without a judge."""

    def gap(model: str) -> Scores:
        return partial(_other_matching, answers, model, 1, matching=JUDGE)

    judged = [model for model in answers.models if any(gap(model)(lang) for lang in answers.languages)]
    if not judged:
        return None
    rows = by_language(answers, [((model,), gap(model)) for model in judged])
    if len(judged) > 1:
        columns = [[found for model in judged if (found := gap(model)(lang))] for lang in answers.languages]
        whole = [column if len(column) == len(judged) else [] for column in columns]
        averages = mean_estimates([*whole, [one for column in whole for one in column] if all(whole) else []])
        rows.append(("mean over models", *averages))
    return Table(
        name="clear_judge_gap",
        title="What a judge accepts beyond equality, by model and language",
        columns=_columns(answers, ("model",), "points"),
        rows=tuple(rows),
        note="Judge − exact, closed-book PopQA (Task 1), in percentage points, over the answers that the judge has "
        "decided. After the paper's Table 4.",
    )


def wrong_language_table(answers: Answers) -> Table:
    """Return the share of answers that are right, but in another language than the question's (PopQA)."""
    tasks = {1: "closed book", 2: "same-language evidence", 3: "cross-language evidence", 4: "two sources"}
    rows = [
        ((model, name), partial(_other_matching, answers, model, number))
        for number, name in tasks.items()
        if answers.has(number)
        for model in answers.models
    ]
    return Table(
        name="clear_wrong_language",
        title="Answers that are right, but in another language than the question's",
        columns=_columns(answers, ("model", "task")),
        rows=tuple(by_language(answers, rows)),
        note="Matching in any language − exact, PopQA, in percent of all answers of the task (closed-book ones in Task "
        "1 alone).",
    )


def matching_table(answers: Answers) -> Table:
    """Return closed-book accuracy in each way of matching."""

    def scores(model: str, dataset: str, matching: str) -> Scores:
        def of_language(lang: str) -> Clustered | None:
            outcomes = answers.get(model, dataset, 1, lang, matching)
            return outcomes.by_item([memory(outcomes)]) if outcomes else None

        return of_language

    ways = dict.fromkeys((dataset, way) for (_, dataset, _, _), found in answers.outcomes.items() for way in found)
    rows = [
        ((model, DATASETS[dataset], way), scores(model, dataset, way))
        for dataset, way in sorted(ways, key=lambda way: answers.datasets.index(way[0]))
        for model in answers.models
    ]
    return Table(
        name="clear_matching",
        title="Closed-book accuracy by way of matching",
        columns=_columns(answers, ("model", "dataset", "matching")),
        rows=tuple(by_language(answers, rows)),
        note="Task 1, in percent. exact: the answer equals an alias in the question's language; contains: one occurs "
        "in it; any_language: it equals an alias in any language; judge: a model decided. A large gap between exact "
        "and contains is one of form, not of knowledge.",
    )


def by_language(answers: Answers, rows: Sequence[tuple[tuple[str, ...], Scores]]) -> list[tuple[Cell, ...]]:
    """Return table rows: their labels, an estimate for each query language, and the mean of these.

    The mean is a gap where the row lacks a language.
    """
    found = [[scores(lang) for lang in answers.languages] for _, scores in rows]
    known = iter(estimates([one for of_row in found for one in of_row if one is not None]))
    cells: list[list[Estimate | None]] = [[None if one is None else next(known) for one in of_row] for of_row in found]
    means = mean_estimates([[one for one in of_row if one] if all(of_row) else [] for of_row in found])
    return [(*labels, *of_row, average) for (labels, _), of_row, average in zip(rows, cells, means, strict=True)]


def _columns(answers: Answers, labels: Sequence[str], how: Format = "percent") -> tuple[Column, ...]:
    return (
        *(Column(label, "text") for label in labels),
        *(Column(lang, how) for lang in answers.languages),
        Column(MEAN, how),
    )


def _task(answers: Answers, model: str, dataset: str, number: int, metric: str) -> Scores:
    return lambda lang: task_scores(answers, model, dataset, number, lang, metric)


def _random(answers: Answers, labels: tuple[str, ...], dataset: str) -> tuple[Cell, ...]:
    return (*labels, *[CHANCE[dataset]] * (len(answers.languages) + 1))


def _other_matching(
    answers: Answers, model: str, number: int, lang: str, matching: str = "any_language"
) -> Clustered | None:
    """Return how much a way of matching adds to equality, answer by answer; None if one of the two is missing."""
    more, exact = (answers.get(model, "popqa", number, lang, name) for name in (matching, EXACT))
    if more is None or exact is None or more.items != exact.items:
        return None
    if number == 1:
        return exact.by_item([memory(more) - memory(exact)])
    with_evidence = [key for key in exact.right if key[0] != "memory"]
    return exact.by_item([np.asarray(more.right[key] - exact.right[key]) for key in with_evidence])
