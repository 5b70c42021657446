"""Documents of `fiber_list`: a question that is to be answered with a list, one name a line.

They are made from FIBER's own documents of any source: the question about each subject, its gold set, and its surface
set, whose members get the other names that the embedded facts know for them.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypedDict

import yaml

from crossfact.fiber.biased import bare_name
from crossfact.fiber.documents import Document
from crossfact.fiber.list_answers import LISTING, canonical
from crossfact.fiber.loading import load
from crossfact.fiber.topics import QUESTION
from crossfact.utils.errors import UserError
from crossfact.utils.facts import embedded_facts
from crossfact.utils.facts.schema import DATA, fingerprint
from crossfact.utils.languages import FIBER_LANGUAGES
from crossfact.utils.sources import EMBEDDED, Source, Splits, fingerprint_bytes


class ListDocument(TypedDict):
    """One question.

    Attributes:
        id: Unique and stable within a source.
        item: The fact, the same in every language.
        topic: The topic's name.
        lang: The question's language.
        subject: What the question is about.
        question: The question, without the instruction to list.
        names: The surface set: for each entity all its names, the first as in the source.
        gold: The indices of the right entities.
        biased: The indices of Q(language, topic); None where the bias is not measured.
    """

    id: str
    item: str
    topic: str
    lang: str
    subject: str
    question: str
    names: list[list[str]]
    gold: list[int]
    biased: list[int] | None


class ListDocuments(list[ListDocument]):
    """Documents as the harness wants a split; all share one list of names."""

    @property
    def features(self) -> dict[str, None]:
        """The names of the fields, which is all that the harness asks of a dataset's features."""
        return dict.fromkeys(ListDocument.__annotations__)


def load_lists(topic: str, lang: str, source: str = EMBEDDED, **ignored: Any) -> Splits:
    """Return the documents of one task: what the YAML's `custom_dataset` calls; see `crossfact.fiber.loading.load`."""
    splits = load(topic, lang, source)
    made = {name: _lists(documents, lang) for name, documents in splits.items()}
    if not made["test"]:
        raise UserError(f"the source {source!r} has no questions ({QUESTION}) on {topic} in {lang}: use another one")
    parts = [
        ("documents", splits.source.fingerprint.encode()),
        ("names", fingerprint(DATA).encode()),
        (LISTING.name, LISTING.read_bytes()),
    ]
    return Splits(made, Source(splits.source.name, fingerprint_bytes(parts)))


def target(doc: ListDocument) -> str:
    """Return the right list, as an example shows it."""
    return "\n".join(doc["names"][entity][0] for entity in doc["gold"])


def _lists(documents: list[Document], lang: str) -> ListDocuments:
    surfaces: dict[int, tuple[list[list[str]], list[int]]] = {}
    lists: dict[str, ListDocument] = {}
    for document in documents:
        if document["query"] != QUESTION or document["item"] in lists:
            continue
        choices = document["choices"]
        names, entity_of = surfaces.setdefault(id(choices), _entities(choices, lang))
        biased = document["biased"]
        lists[document["item"]] = ListDocument(
            id=document["id"],
            item=document["item"],
            topic=document["topic"],
            lang=lang,
            subject=document["subject"],
            question=document["prompt"],
            names=names,
            gold=sorted({entity_of[choice] for choice in document["gold"]}),
            biased=None if biased is None else sorted({entity_of[choice] for choice in biased}),
        )
    return ListDocuments(lists.values())


def _entities(choices: list[str], lang: str) -> tuple[list[list[str]], list[int]]:
    """Return the names of each entity, and the entity of each choice; equal names are one entity."""
    names: dict[str, list[str]] = {}
    keys = []
    for choice in choices:
        name = bare_name(choice, lang)
        keys.append(canonical(name, lang))
        names.setdefault(keys[-1], list(dict.fromkeys([name, *_other_names(lang).get(keys[-1], ())])))
    places = {key: place for place, key in enumerate(names)}
    return list(names.values()), [places[key] for key in keys]


@cache
def _other_names(lang: str) -> dict[str, tuple[str, ...]]:
    """Return name → all names of the entity that the embedded facts call so, if it is only one."""
    facts = embedded_facts()
    by_name: dict[str, set[str]] = {}
    for entity in facts.entities:
        if facts.has_label(entity, lang):
            for name in (facts.label(entity, lang), *facts.aliases(entity, lang)):
                by_name.setdefault(canonical(name, lang), set()).add(entity)
    return {
        name: (facts.label(entity, lang), *facts.aliases(entity, lang))
        for name, entities in by_name.items()
        if len(entities) == 1
        for entity in entities
    }


def instructions() -> dict[str, str]:
    """Return what follows the question, by language."""
    table = yaml.safe_load(LISTING.read_text(encoding="utf-8"))
    return {lang: table[lang]["instruction"] for lang in FIBER_LANGUAGES}
