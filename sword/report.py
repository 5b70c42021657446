"""SWORD's part of `crossfact report`: the paper's tables and figures from logged answers."""

from __future__ import annotations

from collections.abc import Sequence

from crossfact.sword import report_figures, report_overlap, report_tables
from crossfact.sword.answers import Answers, read_answers
from crossfact.utils.report.comparable import Model
from crossfact.utils.report.sections import Figure, Section, Table


def sections(models: Sequence[Model]) -> list[Section]:
    """Return SWORD's sections for models that may be compared; none if nothing was logged that can be read."""
    answers = read_answers(models)
    if not answers.items:
        return [Section("sword", "Nothing to report", (), notes=answers.notes)]
    return [_accuracy(answers), _plausibility(answers), _difficulty(answers), _overlap(answers)]


def _accuracy(answers: Answers) -> Section:
    parts: list[Table | Figure | None] = [
        report_tables.accuracy_table(answers),
        report_figures.bars(answers),
        report_figures.original_scatter(answers),
        report_tables.answers_table(answers),
        report_tables.models_table(answers) if len(answers.models) > 1 else None,
        report_tables.languages_table(answers),
    ]
    text = (
        f"{len(answers.items)} triples, each as one true and four false statements, "
        f"in {len(answers.languages)} languages."
    )
    return Section(
        "sword-accuracy", "Accepting true and rejecting false statements", _present(parts), text, answers.notes
    )


def _plausibility(answers: Answers) -> Section:
    proximity = report_overlap.proximity_density(answers)
    notes = (
        ()
        if proximity
        else (
            "semantic proximity (Figure 1b): the documents do not carry it; build the source "
            "with: crossfact build sword --similarity",
        )
    )
    parts = (
        report_tables.shares_table(answers),
        report_figures.property_scatter(answers),
        report_overlap.difference_density(answers),
        report_tables.effects_table(answers),
        proximity,
    )
    return Section("sword-plausibility", "Plausible against nonsensical falsehoods", _present(parts), notes=notes)


def _difficulty(answers: Answers) -> Section:
    levels = report_figures.by_difficulty(answers)
    notes = () if levels else ("accuracy by difficulty (Figure 3): it needs a model that was run in three languages",)
    parts = (levels, report_overlap.statement_strips(answers))
    return Section("sword-difficulty", "Easy and hard statements", _present(parts), notes=notes)


def _overlap(answers: Answers) -> Section:
    parts = (report_overlap.errors_between_languages(answers), report_overlap.errors_between_models(answers))
    return Section("sword-overlap", "Which errors are shared", _present(parts))


def _present(parts: Sequence[Table | Figure | None]) -> tuple[Table | Figure, ...]:
    return tuple(part for part in parts if part is not None and (isinstance(part, Figure) or part.rows))
