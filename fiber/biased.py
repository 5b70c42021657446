"""Q(language, topic): the surfaces that belong to the country of the prompt's language (section 4.1.1 of the paper).

For the official files they are data, `data/biased_entities.yaml`: topic → language → names as they stand in the surface
sets. In documents built from facts, `items.belongs_to_the_country` tells.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path

import yaml

from crossfact.fiber.documents import Document
from crossfact.fiber.topics import ENTITY_QUERIES, Topic

# Turkish answers can carry the copula: Ankara'dır, Roma’dır
_TURKISH_COPULA = re.compile(r"['’][dt][ıiuü]r$")


@cache
def biased_names() -> dict[str, dict[str, list[str]]]:
    """Return topic → language → names, without the space or the suffix that they can have in a surface set."""
    text = (Path(__file__).parent / "data" / "biased_entities.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)


def mark_biased(documents: Iterable[Document], topic: Topic, lang: str) -> None:
    """Fill in `biased` of all documents of a topic in a language.

    It stays None where factual inference bias cannot be measured: in English, for the three topics that the paper
    leaves out, and where no surface belongs to the country (official Turkish founding locations). Queries for a number
    have an empty set, so that all documents of a task have the same metrics.
    """
    documents = list(documents)
    names = set(biased_names()[topic.name][lang]) if topic.has_bias(lang) else set()
    found = {id(choices): find_biased(choices, names, lang) for choices in (doc["choices"] for doc in documents)}
    entity_queries = [doc for doc in documents if doc["query"] in ENTITY_QUERIES]
    if any(found[id(doc["choices"])] for doc in entity_queries):
        for doc in documents:
            doc["biased"] = found[id(doc["choices"])] if doc["query"] in ENTITY_QUERIES else []


def find_biased(choices: Sequence[str], names: Collection[str], lang: str) -> list[int]:
    """Return the indices of the choices whose bare name is among `names`."""
    return [index for index, choice in enumerate(choices) if bare_name(choice, lang) in names]


def bare_name(choice: str, lang: str) -> str:
    """Return a choice without its leading space and, in Turkish, without the copula after an apostrophe."""
    name = choice.strip()
    return _TURKISH_COPULA.sub("", name) if lang == "tr" else name
