"""FIBER's part of the report: the paper's tables and figures from logged samples."""

from __future__ import annotations

from collections.abc import Sequence

from crossfact.fiber.report_accuracy import map_table, topics_table
from crossfact.fiber.report_agreement import consistency_parts
from crossfact.fiber.report_bias import bias_table, measured, shares_table
from crossfact.fiber.report_comparisons import languages_table, models_table
from crossfact.fiber.report_figures import bias_dots, by_answers, map_bars
from crossfact.fiber.report_rankings import Rankings, read_rankings
from crossfact.utils.report.comparable import Model
from crossfact.utils.report.sections import Section

_INTRODUCTION = (
    "Every prompt ranks all candidate answers of its topic by log-likelihood. Intervals resample the items of each "
    "topic, with all their languages and prompts together. Means over topics weigh each topic alike; where a task is "
    "missing, the mean is a gap, since a mean over other topics would be another number."
)


def sections(models: Sequence[Model]) -> list[Section]:
    """Return FIBER's sections on models that may be compared."""
    rankings = read_rankings(models)
    notes = (*rankings.problems, *_lacking(rankings))
    if not rankings.prompts:
        return [Section("fiber_accuracy", "How well models rank the right answers", (), _INTRODUCTION, notes)]
    accuracy = Section(
        "fiber_accuracy",
        "How well models rank the right answers",
        (map_table(rankings), map_bars(rankings), by_answers(rankings), topics_table(rankings)),
        _INTRODUCTION,
        notes,
    )
    return [accuracy, *_bias(rankings), *_consistency(rankings), *_comparisons(rankings)]


def _bias(rankings: Rankings) -> list[Section]:
    bias = measured(rankings)
    if not bias.topics:
        return []
    parts = (bias_dots(rankings, bias), shares_table(rankings, bias), bias_table(rankings, bias))
    return [Section("fiber_inference_bias", "Do models favour the country of the prompt's language?", parts)]


def _consistency(rankings: Rankings) -> list[Section]:
    parts, notes = consistency_parts(rankings)
    if not parts and not notes:
        return []
    return [Section("fiber_consistent", "Do rankings agree across languages?", parts, notes=notes)]


def _comparisons(rankings: Rankings) -> list[Section]:
    tables = tuple(table for table in (models_table(rankings), languages_table(rankings)) if table)
    return [Section("fiber_comparisons", "Which differences are more than chance", tables)] if tables else []


def _lacking(rankings: Rankings) -> list[str]:
    """Return one line for each model that lacks tasks which another model has."""
    wanted = dict.fromkeys((topic, lang) for _, topic, lang in rankings.prompts)
    lines = []
    for model in rankings.models:
        absent = [f"{topic} {lang}" for topic, lang in wanted if (model, topic, lang) not in rankings.prompts]
        if absent:
            lines.append(f"{model} was not run, or could not be read, in: {', '.join(absent)}. These are gaps.")
    return lines
