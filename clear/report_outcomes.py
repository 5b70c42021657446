"""What models answered to each probe, as arrays: all that the report needs of CLEAR's logged samples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from crossfact.utils.languages import CLEAR_LANGUAGES
from crossfact.utils.report.comparable import Model
from crossfact.utils.report.logs import read_task
from crossfact.utils.report.statistics import Clustered, Floats, cluster

EXACT, JUDGE = "exact", "judge"
DATASETS = {"popqa": "PopQA", "strategyqa": "StrategyQA"}
"""The datasets as tasks and as readers name them."""

ASKED_LANGUAGE = "asked"
"""Stands for the query language in the roles that have one language only."""

_TASK = re.compile(r"clear_(popqa|strategyqa)_task([1-4])_([a-z]+)")


@dataclass(frozen=True)
class Outcomes:
    """A task's answers in one way of matching.

    Attributes:
        items: The items' ids.
        popularity: Monthly page views; NaN where unknown. Shape (items,).
        right: Role and language of the evidence (or, in the role `memory`, of the question) → whether the answer is
            right: 1, 0, or NaN where it was not asked, or a judge left it open. Shape (items,).
        adopted: Language of the counter evidence → whether the counter answer was given.
    """

    items: tuple[str, ...]
    popularity: Floats
    right: Mapping[tuple[str, str], Floats]
    adopted: Mapping[str, Floats]

    def languages(self, role: str) -> tuple[str, ...]:
        """Return the languages of a role, in CLEAR's order."""
        known = {lang for found, lang in self.right if found == role}
        return tuple(lang for lang in CLEAR_LANGUAGES if lang in known)

    @property
    def memory(self) -> Floats:
        """Whether the closed-book answer in the query language is right."""
        return self.right["memory", ASKED_LANGUAGE]

    def by_item(self, scores: Sequence[Floats]) -> Clustered:
        """Sum up arrays of scores by item; NaN scores do not count."""
        return cluster(np.concatenate(scores), self.items * len(scores))


Key = tuple[str, str, int, str]
"""Model, dataset, task (1 to 4), query language."""


@dataclass(frozen=True)
class Answers:
    """The answers of models that may be compared.

    Attributes:
        models: Their labels.
        languages: The query languages that any of them was asked in.
        datasets: Likewise.
        outcomes: Task → way of matching → its outcomes.
        matching: Dataset → how answers are matched wherever nothing else is said.
        problems: One line for each task that could not be read.
    """

    models: tuple[str, ...]
    languages: tuple[str, ...]
    datasets: tuple[str, ...]
    outcomes: Mapping[Key, Mapping[str, Outcomes]]
    matching: Mapping[str, str]
    problems: tuple[str, ...]

    def get(self, model: str, dataset: str, number: int, lang: str, matching: str = "") -> Outcomes | None:
        """Return the outcomes of a task; None if it was not run."""
        return self.outcomes.get((model, dataset, number, lang), {}).get(matching or self.matching[dataset])

    def has(self, number: int) -> bool:
        """Return whether any model has this task."""
        return any(key[2] == number for key in self.outcomes)


def read_answers(models: Sequence[Model]) -> Answers:
    """Read the samples of all CLEAR tasks.

    PopQA's answers are matched as the judge says if it has judged all tasks of all models, else by equality: a model
    that was judged must not stand beside one that was not.
    """
    outcomes: dict[Key, Mapping[str, Outcomes]] = {}
    problems = []
    decode = msgspec.json.Decoder(_Sample).decode
    for model in models:
        for name, log in model.tasks.items():
            if not (parts := _TASK.fullmatch(name)):
                continue
            found, problem = read_task(log, _read, decode)
            if found:
                outcomes[model.label, parts[1], int(parts[2]), parts[3]] = found
            else:
                problems.append(f"{model.label}: {problem or f'{name} has no samples'}")
    judged = [JUDGE in found for key, found in outcomes.items() if key[1] == "popqa"]
    return Answers(
        models=tuple(model.label for model in models),
        languages=tuple(lang for lang in CLEAR_LANGUAGES if any(key[3] == lang for key in outcomes)),
        datasets=tuple(dataset for dataset in DATASETS if any(key[1] == dataset for key in outcomes)),
        outcomes=outcomes,
        matching={"popqa": JUDGE if judged and all(judged) else EXACT, "strategyqa": EXACT},
        problems=tuple(problems),
    )


class _Probe(msgspec.Struct):
    role: str
    lang: str
    evidence: str


class _Document(msgspec.Struct):
    id: str
    query: str
    popularity: float | None
    probes: list[_Probe]


class _Sample(msgspec.Struct):
    doc: _Document
    filter: str
    filtered_resps: list[str]


class _Verdict(msgspec.Struct):
    right: bool | None
    adopted: bool


def _read(samples: Iterator[_Sample]) -> dict[str, Outcomes]:
    """Reduce a task's samples; the way of matching is the filter's name."""
    gathered: dict[str, list[tuple[str, float, dict[tuple[str, str], float], dict[str, float]]]] = {}
    verdict = msgspec.json.Decoder(_Verdict).decode
    for sample in samples:
        document = sample.doc
        right, adopted = {}, {}
        for probe, line in zip(document.probes, sample.filtered_resps, strict=True):
            found = verdict(line)
            own = probe.role == "memory" and probe.lang == document.query
            lang = ASKED_LANGUAGE if own else probe.lang if probe.role == "memory" else probe.evidence
            right[probe.role, lang] = np.nan if found.right is None else float(found.right)
            if probe.role == "counter":
                adopted[lang] = float(found.adopted)
        popularity = np.nan if document.popularity is None else document.popularity
        gathered.setdefault(sample.filter, []).append((document.id, popularity, right, adopted))
    return {name: _outcomes(rows) for name, rows in gathered.items()}


def _outcomes(rows: Sequence[tuple[str, float, dict[tuple[str, str], float], dict[str, float]]]) -> Outcomes:
    ids, popularity, right, adopted = zip(*rows, strict=True)
    roles = dict.fromkeys(role for of_document in right for role in of_document)
    languages = dict.fromkeys(lang for of_document in adopted for lang in of_document)
    return Outcomes(
        items=ids,
        popularity=np.array(popularity),
        right={role: np.array([of_document.get(role, np.nan) for of_document in right]) for role in roles},
        adopted={lang: np.array([of_document.get(lang, np.nan) for of_document in adopted]) for lang in languages},
    )
