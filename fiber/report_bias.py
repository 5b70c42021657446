"""Factual inference bias by topic, language and model (the paper's section 4.2.1, figures 2 to 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crossfact.fiber.report_accuracy import ALL_MODELS
from crossfact.fiber.report_rankings import RANDOM, Rankings
from crossfact.fiber.topics import BIASED_LANGUAGES, ENTITY_QUERIES
from crossfact.utils.report.means import interval, mean_estimates
from crossfact.utils.report.sections import Cell, Column, Table
from crossfact.utils.report.statistics import DRAWS, SEED, Clustered, Estimate, Floats, bootstrap_means

HIGH = 0.5
"""A topic above this has a high bias (the paper's section 4.2.1)."""

METRICS = {"fib": "FIB@10", "fib_at_5": "FIB@5", "fib_at_1": "FIB@1"}


@dataclass(frozen=True)
class Bias:
    """Where factual inference bias was measured.

    Attributes:
        topics: The topics in which it is defined in some language.
        languages: The languages.
    """

    topics: tuple[str, ...]
    languages: tuple[str, ...]


def measured(rankings: Rankings) -> Bias:
    """Return the topics and languages with factual inference bias."""
    languages = tuple(lang for lang in BIASED_LANGUAGES if lang in rankings.languages)
    topics = tuple(
        topic
        for topic in rankings.topics
        if any(
            not np.isnan(prompt.values["fib"])
            for (_, known, lang), prompts in rankings.prompts.items()
            if known == topic and lang in languages
            for prompt in prompts
        )
    )
    return Bias(topics, languages)


def strata(
    rankings: Rankings, topics: Sequence[str], models: Sequence[str], languages: Sequence[str], metric: str = "fib"
) -> list[Clustered]:
    """Return what a mean factual inference bias is taken of."""
    return rankings.strata(metric, ENTITY_QUERIES, models=models, topics=topics, languages=languages)


def bias_table(rankings: Rankings, bias: Bias) -> Table:
    """Return factual inference bias by topic and model, in each language and at each depth."""
    models = [(model, [model]) for model in rankings.models]
    if len(models) > 1:
        models.append((ALL_MODELS, list(rankings.models)))
    columns = [
        (f"{lang}, {heading}", [lang], metric) for metric, heading in METRICS.items() for lang in bias.languages
    ] + [("mean, FIB@10", list(bias.languages), "fib"), ("random FIB@10", list(bias.languages), f"{RANDOM}fib")]
    labels = [(topic, label) for topic in bias.topics for label, _ in models]
    groups = [
        strata(rankings, [topic], chosen, langs, metric)
        for topic in bias.topics
        for _, chosen in models
        for _, langs, metric in columns
    ]
    found = iter(mean_estimates(groups))
    rows: list[tuple[Cell, ...]] = [
        (*label, *(_plain(next(found), name) for name, _, _ in columns)) for label in labels
    ]
    return Table(
        name="fiber_bias",
        title="Factual inference bias by topic and model",
        columns=(Column("topic", "text"), Column("model", "text"), *(Column(name) for name, _, _ in columns)),
        rows=tuple(rows),
        note="The share, in percent, of the wrong candidates of the prompt language's own country (or language) that "
        "are among the 10, 5 or 1 best candidates; with 95 % intervals (bootstrap over items). random: what a random "
        "ranking has, 10 of all candidates. A gap: not run, or no candidate belongs to the country.",
    )


def shares_table(rankings: Rankings, bias: Bias) -> Table:
    """Return the mean bias, the share of topics above `HIGH`, and of those that Turkish has more of than Italian."""
    rows: list[tuple[Cell, ...]] = []
    named = [(model, [model]) for model in rankings.models]
    if len(named) > 1:
        named.append((ALL_MODELS, list(rankings.models)))
    for label, models in named:
        averages = [*([lang] for lang in bias.languages), list(bias.languages)]
        means = mean_estimates([strata(rankings, bias.topics, models, langs) for langs in averages])
        whole = [topic for topic in bias.topics if strata(rankings, [topic], models, bias.languages)]
        both = [topic for topic in whole if all(strata(rankings, [topic], models, [lang]) for lang in bias.languages)]
        cells: list[Cell] = [label, *means, share_high(rankings, whole, models, bias), len(whole)]
        if len(bias.languages) == len(BIASED_LANGUAGES):
            cells += [share_turkish(rankings, both, models), len(both)]
        rows.append(tuple(cells))
    compared = (Column("topics where tr > it"), Column("of topics", "count"))
    return Table(
        name="fiber_bias_shares",
        title="Factual inference bias over all topics",
        columns=(
            Column("model", "text"),
            *(Column(f"{lang}, mean") for lang in bias.languages),
            Column("mean"),
            Column(f"topics above {HIGH:g}"),
            Column("of topics ", "count"),
            *(compared if len(bias.languages) == len(BIASED_LANGUAGES) else ()),
        ),
        rows=tuple(rows),
        note="FIB@10. Means weigh topics and languages alike. The shares of topics are in percent of the topics that "
        "were run and have the bias; their intervals come from resampling the items of each topic. The paper has 31 % "
        "of topics above 0.5, and Turkish above Italian in 83 %.",
    )


def share_high(rankings: Rankings, topics: Sequence[str], models: Sequence[str], bias: Bias) -> Estimate:
    """Return the share of topics whose bias, averaged over models and languages, is above `HIGH`."""
    return _share([(strata(rankings, [topic], models, bias.languages), None) for topic in topics])


def share_turkish(rankings: Rankings, topics: Sequence[str], models: Sequence[str]) -> Estimate:
    """Return the share of topics with more bias in Turkish than in Italian, averaged over models."""
    return _share([tuple(strata(rankings, [topic], models, [lang]) for lang in ("tr", "it")) for topic in topics])  # type: ignore[misc]


def _share(compared: Sequence[tuple[list[Clustered], list[Clustered] | None]]) -> Estimate:
    """Return how often the first mean of a pair is above the second, or above `HIGH` without one."""
    if not compared:
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    above, drawn = 0, np.zeros(DRAWS)
    for place, (left, right) in enumerate(compared):
        both = _mean_draws([*left, *(right or [])], SEED + place)
        known = np.array([one.mean for one in (*left, *(right or []))])
        split = len(left)
        limit, drawn_limit = (
            (known[split:].mean(), both[split:].mean(axis=0)) if right else (HIGH, np.full(DRAWS, HIGH))
        )
        above += bool(known[:split].mean() > limit)
        drawn += both[:split].mean(axis=0) > drawn_limit
    return Estimate(above / len(compared), *interval(drawn / len(compared)), len(compared))


def _mean_draws(sets: Sequence[Clustered], seed: int) -> Floats:
    """Return resampled means of sets, shape (sets, draws); sets that share items are resampled together."""
    drawn = np.empty((len(sets), DRAWS))
    places: dict[tuple[object, ...], list[int]] = {}
    for place, one in enumerate(sets):
        places.setdefault(one.items, []).append(place)
    for number, known in enumerate(places.values()):
        drawn[known] = bootstrap_means([sets[place] for place in known], DRAWS, seed + 1009 * number)
    return drawn


def _plain(estimate: Estimate, column: str) -> Cell:
    """A baseline is exact: it has no interval."""
    return estimate.value if column.startswith("random") else estimate
