"""FIBER's documents from facts and templates: the embedded data, or any other folder of facts."""

from __future__ import annotations

from functools import cache

from crossfact.fiber.documents import Document, Documents, make_document
from crossfact.fiber.items import RELATIONS, Item, belongs_to_the_country, find_items
from crossfact.fiber.templates import FILES, Form, enumerate_names, forms
from crossfact.fiber.topics import COUNT_QUERIES, Topic
from crossfact.utils.facts import Facts
from crossfact.utils.facts.schema import DATA, fingerprint
from crossfact.utils.grammar import Noun, noun, render
from crossfact.utils.sources import EMBEDDED, Source, fingerprint_bytes


def build_documents(facts: Facts, topic: Topic, lang: str) -> Documents:
    """Return the documents of a topic in a language: all about the first subject, then the second.

    The facts of a topic may be missing; then there are no documents.
    """
    items = find_items(facts, topic)
    by_form = [_documents_of_form(facts, topic, lang, form, items) for form in forms(topic.name, lang)]
    documents = Documents(document for of_item in zip(*by_form, strict=True) for document in of_item)
    if not any(document["biased"] for document in documents):
        for document in documents:
            document["biased"] = None
    return documents


@cache
def embedded_source() -> Source:
    """Return the name and the fingerprint of the embedded data: facts, templates and what they are put together by."""
    parts = [(file.name, file.read_bytes()) for file in (RELATIONS, *FILES)]
    return Source(EMBEDDED, fingerprint_bytes([*parts, ("facts", fingerprint(DATA).encode())]))


def _documents_of_form(facts: Facts, topic: Topic, lang: str, form: Form, items: list[Item]) -> list[Document]:
    counting = form.query in COUNT_QUERIES
    answers = [_numbers(item) if counting else _answers(facts, item, form, lang) for item in items]
    choices = list(dict.fromkeys(answer for of_item in answers for answer in of_item))
    biased = None
    if topic.has_bias(lang):
        ours = {
            answer
            for of_item in answers
            for answer, entity in of_item.items()
            if entity is not None and belongs_to_the_country(facts, entity, lang)
        }
        biased = [index for index, choice in enumerate(choices) if choice in ours]
    documents = []
    for item, of_item in zip(items, answers, strict=True):
        listed = enumerate_names([facts.label(entity, lang) for entity in item.listed], lang) if item.listed else ""
        document = make_document(
            id=f"{topic.name}_{lang}_{form.name}:{item.subject}",
            item=f"{topic.name}:{item.subject}",
            topic=topic.name,
            lang=lang,
            query=form.query,
            subject=facts.label(item.subject, lang),
            prompt=render(form.prompt, lang, s=_noun(facts, item.subject, lang), listed=listed),
            choices=choices,
            answers=of_item,
        )
        document["biased"] = biased
        documents.append(document)
    return documents


def _answers(facts: Facts, item: Item, form: Form, lang: str) -> dict[str, str | None]:
    """Return the right answers of an item, each with its leading space, and the entities that they name."""
    return {f" {render(form.answer, lang, o=_noun(facts, entity, lang))}": entity for entity in item.answers}


def _numbers(item: Item) -> dict[str, str | None]:
    return {f" {item.count}": None}


def _noun(facts: Facts, entity: str, lang: str) -> Noun:
    return noun(facts.label(entity, lang), lang, entity, facts.entities[entity].type)
