"""FIBER's documents: one prompt with all its candidates, the same whatever the source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict

from crossfact.fiber.metrics import random_average_precision
from crossfact.utils.errors import UserError


class Document(TypedDict):
    """One prompt.

    Attributes:
        id: Unique and stable within a source.
        item: The question or fact, the same in every language and kind of query.
        topic: The topic's name.
        lang: The prompt's language.
        query: `sc`, `qa`, `sc_count` or `qa_count`.
        subject: What the prompt asks about.
        prompt: What stands before the candidate, without white space at its end.
        choices: The surface set, each with its own leading space.
        gold: The indices of the right choices.
        biased: The indices of Q(language, topic); None where factual inference bias is not measured.
        random_ap: The expected average precision of a random ranking.
        fault: What is wrong with the prompt, so that it is kept out of the metrics; None as a rule.
    """

    id: str
    item: str
    topic: str
    lang: str
    query: str
    subject: str
    prompt: str
    choices: list[str]
    gold: list[int]
    biased: list[int] | None
    random_ap: float
    fault: str | None


class Documents(list[Document]):
    """Documents as the harness wants a split.

    The prompts of a file share one list of candidates; a `datasets.Dataset` would store and decode it anew for each.
    """

    @property
    def features(self) -> dict[str, None]:
        """The names of the fields, which is all that the harness asks of a dataset's features."""
        return dict.fromkeys(Document.__annotations__)


def make_document(
    *,
    id: str,
    item: str,
    topic: str,
    lang: str,
    query: str,
    subject: str,
    prompt: str,
    choices: list[str],
    answers: Iterable[str],
    fault: str | None = None,
) -> Document:
    """Return a document, its gold answers found among the choices.

    Raises:
        UserError: The prompt has no answer, or one that is not in the surface set.
    """
    gold = find_gold(answers, choices, id)
    return Document(
        id=id,
        item=item,
        topic=topic,
        lang=lang,
        query=query,
        subject=subject,
        prompt=prompt,
        choices=choices,
        gold=gold,
        biased=None,
        random_ap=random_average_precision(len(choices), len(gold)),
        fault=fault,
    )


def find_gold(answers: Iterable[str], choices: Sequence[str], where: str) -> list[int]:
    """Return the sorted indices of the answers among the choices; an answer given twice counts once.

    Raises:
        UserError: There is no answer, or one that is not among the choices.
    """
    wanted = dict.fromkeys(answers)
    if not wanted:
        raise UserError(f"{where}: the prompt has no gold answer; give it one or leave it out")
    for answer in wanted:
        if answer not in choices:
            raise UserError(f"{where}: the gold answer {answer.strip()!r} is not in the surface set; add it there")
    return [index for index, choice in enumerate(choices) if choice in wanted]


def hold_out(documents: Documents, items: int) -> tuple[Documents, Documents]:
    """Return the documents without those about the last few items, and those.

    All keep the whole surface set, so that an example's answer is a candidate like any other.
    """
    order = list(dict.fromkeys(document["item"] for document in documents))
    held = set(order[len(order) - items :])
    return (
        Documents(document for document in documents if document["item"] not in held),
        Documents(document for document in documents if document["item"] in held),
    )
