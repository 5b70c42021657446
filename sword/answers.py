"""All logged answers of several models as one array, for the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from crossfact.sword.distortions import KINDS
from crossfact.sword.verdicts import INVALID, TIE, UNFINISHED, UNSURE
from crossfact.utils.languages import SWORD_LANGUAGES
from crossfact.utils.report.comparable import Model
from crossfact.utils.report.logs import read_task

EAST_ASIAN = ("ko", "ja")
WESTERN = tuple(lang for lang in SWORD_LANGUAGES if lang not in EAST_ASIAN)

RIGHT, WRONG, NOT_SURE, NO_ANSWER, GAP = 0, 1, 2, 3, -1
"""What an answer comes to; `GAP` where the task was not run."""

Codes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Answers:
    """What every model answered to every statement.

    Attributes:
        models: Labels.
        languages: Those in which some model was run, in SWORD's order.
        items: The ids of the triples, sorted.
        codes: Shape (models, languages, items, kinds).
        similarity: The cosine of the original and the replacing entity, NaN where the documents do not carry it; shape
            (items, kinds).
        notes: What could not be read, or was run in fewer languages.
    """

    models: tuple[str, ...]
    languages: tuple[str, ...]
    items: tuple[str, ...]
    codes: Codes
    similarity: Floats
    notes: tuple[str, ...]

    @property
    def right(self) -> Floats:
        """1 for a right answer, 0 for any other, NaN for a gap; shape as `codes`."""
        return np.where(self.codes == GAP, np.nan, self.codes == RIGHT)


class _Probe(msgspec.Struct):
    kind: str
    target: str
    similarity: float | None = None


class _Document(msgspec.Struct):
    id: str
    probes: list[_Probe]


class _Sample(msgspec.Struct):
    doc: _Document
    filtered_resps: list[str]


@dataclass(frozen=True)
class _Column:
    """One model's answers in one language: a code and a similarity for each kind, by the triple's id."""

    codes: dict[str, list[int]]
    similarity: dict[str, list[float]]


def read_answers(models: Sequence[Model]) -> Answers:
    """Read the samples of all SWORD tasks; what is missing is a gap, and a note says why."""
    decode = msgspec.json.Decoder(_Sample).decode
    columns: dict[tuple[int, str], _Column] = {}
    notes: list[str] = []
    for place, model in enumerate(models):
        for lang in SWORD_LANGUAGES:
            if f"sword_{lang}" in model.tasks:
                column, problem = read_task(model.tasks[f"sword_{lang}"], _read, decode)
                if column is None:
                    notes.append(f"{model.label}: {problem}")
                else:
                    columns[place, lang] = column
    languages = tuple(lang for lang in SWORD_LANGUAGES if any(known == lang for _, known in columns))
    items = tuple(sorted({item for column in columns.values() for item in column.codes}))
    for place, model in enumerate(models):
        if missing := [lang for lang in languages if (place, lang) not in columns]:
            notes.append(f"{model.label} was not run in {', '.join(missing)}: no mean over languages for it")
    return _as_arrays([model.label for model in models], languages, items, columns, notes)


def _read(samples: Iterator[_Sample]) -> _Column:
    column = _Column({}, {})
    for sample in samples:
        by_kind = {
            probe.kind: (_code(verdict, probe.target), np.nan if probe.similarity is None else probe.similarity)
            for probe, verdict in zip(sample.doc.probes, sample.filtered_resps, strict=True)
        }
        column.codes[sample.doc.id] = [by_kind[kind][0] for kind in KINDS]
        column.similarity[sample.doc.id] = [by_kind[kind][1] for kind in KINDS]
    return column


def _code(verdict: str, target: str) -> int:
    if verdict in (UNSURE, TIE):
        return NOT_SURE
    if verdict in (INVALID, UNFINISHED):
        return NO_ANSWER
    return RIGHT if verdict == target.lower() else WRONG


def _as_arrays(
    models: Sequence[str],
    languages: tuple[str, ...],
    items: tuple[str, ...],
    columns: dict[tuple[int, str], _Column],
    notes: Sequence[str],
) -> Answers:
    where = {item: place for place, item in enumerate(items)}
    codes = np.full((len(models), len(languages), len(items), len(KINDS)), GAP, dtype=np.int8)
    similarity = np.full((len(items), len(KINDS)), np.nan)
    for (place, lang), column in columns.items():
        rows = [where[item] for item in column.codes]
        codes[place, languages.index(lang), rows] = list(column.codes.values())
        similarity[rows] = list(column.similarity.values())
    return Answers(tuple(models), languages, items, codes, similarity, tuple(notes))
