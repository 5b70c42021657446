"""Which facts become embedded popqa items, and which wrong answer each of them gets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

import yaml

from crossfact.utils.answers import fold
from crossfact.utils.facts import Facts, Triple
from crossfact.utils.languages import CLEAR_LANGUAGES

SEED = 4
SELECTION = Path(__file__).parent / "data" / "popqa" / "selection.yaml"
_UNSPACED = ("zh", "ja")
# What is said of an answer, or of the subjects that have it, and makes another answer like it plausible.
_OF_ANSWERS = ("P17", "P27", "P19")
_OF_SUBJECTS = {"P50": "P407", "P38": "P30"}


@dataclass(frozen=True)
class Rule:
    """What of a property becomes items; the fields are explained in `selection.yaml`."""

    most: int
    per_answer: int
    subjects: frozenset[str]
    objects: frozenset[str]
    only: frozenset[str]


@dataclass(frozen=True)
class Selection:
    """The content of `selection.yaml`: rules by property, facts left out with their reasons, kinds by entity."""

    rules: dict[str, Rule]
    left_out: dict[tuple[str, str], str]
    kinds: dict[str, frozenset[str]]


def read_selection() -> Selection:
    """Return the rules by which facts are chosen."""
    content = yaml.load(SELECTION.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    rules = {
        key: Rule(
            row["most"],
            row["per_answer"],
            *(frozenset(row.get(name, ())) for name in ("subjects", "objects", "only")),
        )
        for key, row in content["properties"].items()
    }
    left_out = {
        (subject, row["property"]): row["because"] for row in content["left_out"] for subject in row["subjects"]
    }
    kinds: dict[str, set[str]] = {}
    for kind, ids in content["kinds"].items():
        for entity_id in ids:
            kinds.setdefault(entity_id, set()).add(kind)
    return Selection(rules, left_out, {key: frozenset(names) for key, names in kinds.items()})


@dataclass(frozen=True)
class Chooser:
    """Goes through the facts of a property in a drawn order, and finds wrong answers among its other answers.

    Attributes:
        facts: where the facts are from.
        selection: the rules.
    """

    facts: Facts
    selection: Selection

    def triples(self, property_id: str) -> Iterator[tuple[Triple, str]]:
        """Yield the property's facts in the order of the seed, each with why it cannot be an item ("" if it can)."""
        rule = self.selection.rules[property_id]
        triples = sorted(self.facts.with_property(property_id))
        Random(f"{SEED}:{property_id}").shuffle(triples)
        for triple in triples:
            if self._fits(triple, rule):
                yield triple, self._obstacle(triple)

    def wrong_answer(self, triple: Triple) -> str | None:
        """Return another answer of the same property that is surely wrong, of the gold answer's kind where it can be.

        It shares no name, nor a part of one, with the gold answer or the subject in any language; a city lies in
        another country than the right one, so that no suburb or seat of the same region passes for wrong.
        """
        rng = Random(f"{SEED}:{triple.subject}:{triple.property}")
        gold, marks = triple.object, self._marks(triple.object)
        true = self.facts.objects(triple.subject, triple.property)
        others = self._answers[triple.property]
        shared = {other: len(marks & self._marks(other)) for other in others}
        least = 1 if any(self._marks(other) for other in others) else 0
        ranked = sorted((-shared[other], rng.random(), other) for other in others if shared[other] >= least)
        for _, _, other in ranked:
            if other in true or not self._named(other) or self._same_country(gold, other):
                continue
            if not self._alike(gold, other) and not self._in_subject(other, triple.subject):
                return other
        return None

    def names(self, entity_id: str, lang: str) -> tuple[str, ...]:
        """Return an entity's label and aliases in a language."""
        return (self.facts.label(entity_id, lang), *self.facts.aliases(entity_id, lang))

    def _fits(self, triple: Triple, rule: Rule) -> bool:
        entities = self.facts.entities
        return entities[triple.subject].type in rule.subjects and entities[triple.object].type in rule.objects

    def _obstacle(self, triple: Triple) -> str:
        because = self.selection.left_out.get((triple.subject, triple.property))
        if because:
            return f"left out by hand: {because}"
        only = self.selection.rules[triple.property].only
        if only and triple.subject not in only:
            return "the subject's name is not sure to take the right form in every language"
        if len(self.facts.objects(triple.subject, triple.property)) > 1:
            return "more than one right answer"
        if not self._named(triple.subject) or not self._named(triple.object):
            return "a name is missing in some language"
        if self._in_subject(triple.object, triple.subject):
            return "the answer stands in the subject's name"
        return ""

    def _named(self, entity_id: str) -> bool:
        return all(self.facts.has_label(entity_id, lang) for lang in CLEAR_LANGUAGES)

    def _in_subject(self, answer: str, subject: str) -> bool:
        return any(
            _overlap(name, self._folded[subject][lang][0], lang)
            for lang in CLEAR_LANGUAGES
            for name in self._folded[answer][lang]
        )

    def _alike(self, one: str, other: str) -> bool:
        return any(
            _overlap(a, b, lang)
            for lang in CLEAR_LANGUAGES
            for a in self._folded[one][lang]
            for b in self._folded[other][lang]
        )

    def _same_country(self, one: str, other: str) -> bool:
        if self.facts.entities[one].type != "city":
            return False
        return bool({*self.facts.objects(one, "P17")} & {*self.facts.objects(other, "P17")})

    def _marks(self, answer: str) -> frozenset[str]:
        """Return what makes an answer plausible for another: kind, country, continent, language of its works."""
        if answer not in self._known_marks:
            marks = set(self.selection.kinds.get(answer, ()))
            for way in _OF_ANSWERS:
                marks.update(self.facts.objects(answer, way))
            marks.update(country for place in sorted(marks) for country in self.facts.objects(place, "P17"))
            marks.update(continent for place in {answer, *marks} for continent in self.facts.objects(place, "P30"))
            for way, then in _OF_SUBJECTS.items():
                for subject in self._subjects.get((way, answer), ()):
                    marks.update(self.facts.objects(subject, then))
            self._known_marks[answer] = frozenset(marks)
        return self._known_marks[answer]

    @cached_property
    def _folded(self) -> _FoldedNames:
        return _FoldedNames(self)

    @cached_property
    def _known_marks(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _subjects(self) -> dict[tuple[str, str], list[str]]:
        subjects: dict[tuple[str, str], list[str]] = {}
        for way in _OF_SUBJECTS:
            for triple in self.facts.with_property(way):
                subjects.setdefault((way, triple.object), []).append(triple.subject)
        return subjects

    @cached_property
    def _answers(self) -> dict[str, list[str]]:
        return {
            key: sorted(
                {
                    triple.object
                    for triple in self.facts.with_property(key)
                    if self._fits(triple, rule) and (triple.subject, key) not in self.selection.left_out
                }
            )
            for key, rule in self.selection.rules.items()
        }


class _FoldedNames(dict[str, dict[str, list[str]]]):
    """Entity → language → its folded names, the label first; filled when asked for."""

    def __init__(self, chooser: Chooser) -> None:
        super().__init__()
        self._chooser = chooser

    def __missing__(self, entity_id: str) -> dict[str, list[str]]:
        self[entity_id] = {
            lang: [fold(name, lang) for name in self._chooser.names(entity_id, lang)] for lang in CLEAR_LANGUAGES
        }
        return self[entity_id]


def _overlap(one: str, other: str, lang: str) -> bool:
    """Whether the shorter of two folded names stands in the longer one; very short names must be equal words of it."""
    short, long = sorted((one, other), key=len)
    if lang in _UNSPACED or len(short) > 2:
        return short in long
    return short in long.split()
