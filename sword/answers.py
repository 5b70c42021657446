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
from crossfact.utils.report.logs import TaskLog, read_task

EAST_ASIAN = ("ko", "ja")
WESTERN = tuple(lang for lang in SWORD_LANGUAGES if lang not in EAST_ASIAN)

RIGHT, WRONG, NOT_SURE, NO_ANSWER, CUT_OFF, GAP = 0, 1, 2, 3, 4, -1
"""What an answer comes to; `CUT_OFF` if thinking never ended, `GAP` where the task was not run."""

_NEITHER = {UNSURE: NOT_SURE, TIE: NOT_SURE, INVALID: NO_ANSWER, UNFINISHED: CUT_OFF}

_FORMS = {"sword": "", "sword_ll": " (by log-likelihood)"}
"""How a task's name begins, and what is added to a model's label: the two ways to ask are two models."""

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
    """Read the samples of all SWORD tasks; what is missing is a gap, and a note says why.

    A tie between true and false, which only `sword_ll` has, counts as unsure.
    """
    decode = msgspec.json.Decoder(_Sample).decode
    asked = _by_way_of_asking(models)
    columns: dict[tuple[int, str], _Column] = {}
    notes: list[str] = []
    for place, (label, logs) in enumerate(asked.items()):
        for lang, log in logs.items():
            column, problem = read_task(log, _read, decode)
            if column is None:
                notes.append(f"{label}: {problem}")
            else:
                columns[place, lang] = column
    languages = tuple(lang for lang in SWORD_LANGUAGES if any(known == lang for _, known in columns))
    items = tuple(sorted({item for column in columns.values() for item in column.codes}))
    for place, label in enumerate(asked):
        if missing := [lang for lang in languages if (place, lang) not in columns]:
            notes.append(f"{label} was not run in {', '.join(missing)}: no mean over languages for it")
    return _as_arrays(list(asked), languages, items, columns, notes)


def _by_way_of_asking(models: Sequence[Model]) -> dict[str, dict[str, TaskLog]]:
    """Return each model's tasks by language, those of each way to ask under a label of their own."""
    found = {}
    for model in models:
        for form, added in _FORMS.items():
            names = {lang: f"{form}_{lang}" for lang in SWORD_LANGUAGES}
            logs = {lang: model.tasks[name] for lang, name in names.items() if name in model.tasks}
            if logs:
                found[f"{model.label}{added}"] = logs
    return found


def _read(samples: Iterator[_Sample]) -> _Column:
    column = _Column({}, {})
    for sample in samples:
        probes, verdicts = sample.doc.probes, sample.filtered_resps
        if len(verdicts) == 2 * len(probes):  # by log-likelihood: one for each of the two words, and both the same
            verdicts = verdicts[::2]
        by_kind = {
            probe.kind: (_code(verdict, probe.target), np.nan if probe.similarity is None else probe.similarity)
            for probe, verdict in zip(probes, verdicts, strict=True)
        }
        column.codes[sample.doc.id] = [by_kind[kind][0] for kind in KINDS]
        column.similarity[sample.doc.id] = [by_kind[kind][1] for kind in KINDS]
    return column


def _code(verdict: str, target: str) -> int:
    return _NEITHER.get(verdict, RIGHT if verdict == target.lower() else WRONG)


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
