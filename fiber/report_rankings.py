"""What models' rankings came to, prompt by prompt: all that the report needs of FIBER's logged samples."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import msgspec
import numpy as np

from crossfact.fiber.scoring import BIAS_RANKS
from crossfact.fiber.topics import COUNT_QUERIES, ENTITY_QUERIES, TOPICS
from crossfact.utils.languages import FIBER_LANGUAGES
from crossfact.utils.report.comparable import Model
from crossfact.utils.report.logs import read_task
from crossfact.utils.report.statistics import Clustered, Floats, cluster

RANDOM = "random_"
"""Before a metric's name: what a random ranking would get."""

_TASK = re.compile(rf"fiber_({'|'.join(TOPICS)})_({'|'.join(FIBER_LANGUAGES)})")


@dataclass(frozen=True)
class Prompt:
    """A prompt and what its ranking came to.

    Attributes:
        item: The question or fact, the same in every language and kind of query.
        query: `sc`, `qa`, `sc_count` or `qa_count`.
        gold: The indices of the right candidates.
        scores: The log-likelihood of each candidate; empty for queries about a number, whose rankings are not compared.
        values: Metric → its value, NaN where it is not defined; with `RANDOM` before its name, its expectation.
    """

    item: str
    query: str
    gold: tuple[int, ...]
    scores: Floats
    values: Mapping[str, float]


Key = tuple[str, str, str]
"""Model, topic, language."""


@dataclass(frozen=True)
class Rankings:
    """The rankings of models that may be compared.

    Attributes:
        models: Their labels.
        topics: The topics that any of them was run on, single-entity ones first.
        languages: Likewise.
        prompts: Task → its prompts.
        limited: The tasks that were run on some of their documents only.
        problems: One line for each task that could not be read.
    """

    models: tuple[str, ...]
    topics: tuple[str, ...]
    languages: tuple[str, ...]
    prompts: Mapping[Key, tuple[Prompt, ...]]
    limited: frozenset[Key]
    problems: tuple[str, ...]

    def scores(self, model: str, topic: str, lang: str, metric: str, queries: Sequence[str]) -> Clustered | None:
        """Return a metric over the prompts of some kinds, by item; None if the task was not run."""
        prompts = [prompt for prompt in self.prompts.get((model, topic, lang), ()) if prompt.query in queries]
        if not prompts:
            return None
        return cluster([prompt.values[metric] for prompt in prompts], [prompt.item for prompt in prompts])

    def candidates(self, key: Key) -> int:
        """Return how many candidates the entity queries of a task rank."""
        return max(len(prompt.scores) for prompt in self.prompts[key])

    def strata(
        self,
        metric: str,
        queries: Sequence[str],
        *,
        models: Iterable[str],
        topics: Iterable[str],
        languages: Iterable[str],
    ) -> list[Clustered]:
        """Return a metric for each model, topic and language, to be averaged; nothing if a task was not run.

        A task in which the metric is not defined for any model does not count: it has no factual inference bias.
        """
        found = []
        for topic, lang, model in product(topics, languages, models):
            scores = self.scores(model, topic, lang, metric, queries)
            if scores is None:
                return []
            if not self.undefined(topic, lang, metric, queries):
                found.append(scores)
        return found

    def undefined(self, topic: str, lang: str, metric: str, queries: Sequence[str]) -> bool:
        """Return whether a metric has no value in a task for any model."""
        return all(
            math.isnan(prompt.values[metric])
            for model in self.models
            for prompt in self.prompts.get((model, topic, lang), ())
            if prompt.query in queries
        )


def read_rankings(models: Sequence[Model]) -> Rankings:
    """Read the samples of all FIBER tasks, one prompt at a time."""
    prompts, limited, problems = {}, set(), []
    decode = msgspec.json.Decoder(_Sample).decode
    for model in models:
        for name, log in model.tasks.items():
            if not (parts := _TASK.fullmatch(name)):
                continue
            key = (model.label, parts[1], parts[2])
            found, problem = read_task(log, _read, decode)
            if found:
                prompts[key] = found
                if log.limit is not None:
                    limited.add(key)
            else:
                problems.append(f"{model.label}: {problem or f'{name} has no samples'}")
    return Rankings(
        models=tuple(model.label for model in models),
        topics=tuple(topic for topic in TOPICS if any(key[1] == topic for key in prompts)),
        languages=tuple(lang for lang in FIBER_LANGUAGES if any(key[2] == lang for key in prompts)),
        prompts=prompts,
        limited=frozenset(limited),
        problems=tuple(problems),
    )


class _Document(msgspec.Struct):
    item: str
    query: str
    gold: list[int]
    random_ap: float
    fault: str | None


class _Sample(msgspec.Struct):
    """A logged sample without what takes most of its space: the prompt, repeated for every candidate."""

    doc: _Document
    filtered_resps: list[tuple[str, str]]
    entity_map: float | None = msgspec.field(name="map", default=None)
    map_count: float | None = None
    p_at_1: float | None = None
    fib: float | None = None
    fib_at_1: float | None = None
    fib_at_5: float | None = None


def _read(samples: Iterator[_Sample]) -> tuple[Prompt, ...]:
    return tuple(_prompt(sample) for sample in samples)


def _prompt(sample: _Sample) -> Prompt:
    document, candidates = sample.doc, len(sample.filtered_resps)
    values = {"map": sample.map_count if document.query in COUNT_QUERIES else sample.entity_map}
    values |= {name: getattr(sample, name) for name in ("p_at_1", *BIAS_RANKS)}
    known = {name: math.nan if value is None else value for name, value in values.items()}
    expected = {
        "map": document.random_ap,
        "p_at_1": len(document.gold) / candidates,
        **{name: min(n, candidates) / candidates for name, n in BIAS_RANKS.items()},
    }
    # a baseline stands beside the same prompts as the metric
    known |= {f"{RANDOM}{name}": math.nan if math.isnan(known[name]) else expected[name] for name in expected}
    ranked = sample.filtered_resps if document.query in ENTITY_QUERIES else []
    scores = np.array([float(score) for score, _ in ranked])
    return Prompt(document.item, document.query, tuple(document.gold), scores, known)
