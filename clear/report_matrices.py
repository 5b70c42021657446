"""Rates by the language of the evidence and of the question (Task 3, the paper's Figure 3; Task 4, figures 4, 6, 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from crossfact.clear.report_outcomes import Answers, Outcomes
from crossfact.clear.report_rates import RATES, persuaded, pool, two_sources
from crossfact.utils.languages import CLEAR_LANGUAGES
from crossfact.utils.report.means import gaps, mean_estimates
from crossfact.utils.report.statistics import Clustered, Difference, Estimate, estimates

Cells = Mapping[tuple[str, str], Estimate]
"""Two languages → a rate."""

TRUTH, FAKE = "Truth", "Fake"
"""The source whose language the query has."""

_ROLES = {TRUTH: "pos", FAKE: "neg"}
ALL_MODELS = "mean over models"


@dataclass(frozen=True)
class Matrix:
    """Rates of one model and dataset.

    Attributes:
        model: The model's label.
        dataset: The dataset.
        what: The rate, or the source whose language the query has.
        cells: (row, column) → rate.
    """

    model: str
    dataset: str
    what: str
    cells: Cells


def evidence_languages(answers: Answers, number: int) -> tuple[str, ...]:
    """Return the languages in which any model was given evidence or asked in a task, in CLEAR's order."""
    known = {key[3] for key in answers.outcomes if key[2] == number}
    for key, found in answers.outcomes.items():
        if key[2] == number:
            known |= {lang for outcomes in found.values() for _, lang in outcomes.right}
    return tuple(lang for lang in CLEAR_LANGUAGES if lang in known)


def evidence_by_query(answers: Answers, rate: str) -> list[Matrix]:
    """Return a rate by (language of the evidence, of the question), for each model and dataset.

    The diagonal is Task 2, which has the same prompts with evidence in the question's own language.
    """
    found = []
    for dataset in answers.datasets:
        for model in answers.models:
            sets = {
                (evidence, outcomes_lang): outcomes.by_item([RATES[rate](outcomes, evidence)])
                for number in (2, 3)
                for outcomes_lang, outcomes in _asked(answers, model, dataset, number)
                for evidence in outcomes.languages("counter")
            }
            if any(one != two for one, two in sets):
                found.append(Matrix(model, dataset, rate, _estimated(sets)))
    return found


def persuasion_gaps(answers: Answers) -> dict[tuple[str, str], Difference]:
    """Return (model, language of evidence) → PR on PopQA − PR on StrategyQA, pooled over query languages (Figure 3)."""
    pairs = {}
    for model in answers.models:
        for evidence in evidence_languages(answers, 3):
            sides = [
                pool(
                    (outcomes, persuaded(outcomes, evidence))
                    for lang, outcomes in _asked(answers, model, dataset, 3)
                    if evidence in outcomes.languages("support") and _in_both(answers, model, lang)
                )
                for dataset in ("popqa", "strategyqa")
            ]
            if sides[0] is not None and sides[1] is not None:
                pairs[model, evidence] = (sides[0], sides[1])
    return dict(zip(pairs, gaps(list(pairs.values())), strict=True))


def truth_by_fake(answers: Answers) -> list[Matrix]:
    """Return accuracy by (language of the false source, of the truthful one), for each dataset, condition and model.

    The mean over models comes last where there are several, in the cells that all of them have.
    """
    found = []
    for dataset in answers.datasets:
        for condition, role in _ROLES.items():
            by_model = {model: _sources(answers, model, dataset, role) for model in answers.models}
            by_model = {model: sets for model, sets in by_model.items() if sets}
            found += [Matrix(model, dataset, condition, _estimated(sets)) for model, sets in by_model.items()]
            if len(by_model) > 1:
                found.append(Matrix(ALL_MODELS, dataset, condition, _mean_over_models(list(by_model.values()))))
    return found


def _sources(answers: Answers, model: str, dataset: str, role: str) -> dict[tuple[str, str], Clustered]:
    sets = {}
    for lang, outcomes in _asked(answers, model, dataset, 4):
        for other in outcomes.languages(role):
            truth, fake = (lang, other) if role == "pos" else (other, lang)
            sets[fake, truth] = outcomes.by_item([two_sources(outcomes, role, other)])
    return sets


def _mean_over_models(by_model: list[dict[tuple[str, str], Clustered]]) -> Cells:
    shared = [cell for cell in by_model[0] if all(cell in sets for sets in by_model)]
    return dict(zip(shared, mean_estimates([[sets[cell] for sets in by_model] for cell in shared]), strict=True))


def _asked(answers: Answers, model: str, dataset: str, number: int) -> Iterator[tuple[str, Outcomes]]:
    for lang in answers.languages:
        outcomes = answers.get(model, dataset, number, lang)
        if outcomes is not None:
            yield lang, outcomes


def _in_both(answers: Answers, model: str, lang: str) -> bool:
    """Return whether Task 3 was asked in a language in both datasets; others would make their gap one of languages."""
    return all(answers.get(model, dataset, 3, lang) is not None for dataset in ("popqa", "strategyqa"))


def _estimated(sets: Mapping[tuple[str, str], Clustered]) -> Cells:
    return dict(zip(sets, estimates(list(sets.values())), strict=True))
