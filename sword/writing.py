"""From drawn triples to documents in every language: by templates or by a model, with semantic proximity on request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import fmean

from crossfact.sword.distortions import KINDS, Five
from crossfact.sword.documents import Document, document, document_id
from crossfact.sword.statements import statement
from crossfact.utils.errors import UserError
from crossfact.utils.facts import Facts, Triple

Documents = dict[str, list[Document]]
"""Documents by language; those of one triple stand at the same place in each."""


def by_templates(fives: Sequence[Five], facts: Facts, langs: Sequence[str]) -> Documents:
    """Return the documents with statements from the templates."""
    return _documents(fives, langs, partial(statement, facts))


def by_model(
    fives: Sequence[Five], facts: Facts, langs: Sequence[str], model: str, model_args: str
) -> tuple[Documents, dict[str, int]]:
    """Return the documents with statements from a model, and why others are missing.

    A triple of which a statement is missing in one language is left out in all of them.

    Returns:
        The documents, and the count of triples left out by the first problem of each.

    Raises:
        UserError: Nothing is left.
    """
    from crossfact.sword.verbalizer import verbalize

    asked = list(dict.fromkeys((triple, lang) for lang in langs for five in fives for triple in five))
    replies = dict(zip(asked, verbalize(model, model_args, facts, asked), strict=True))
    left_out: Counter[str] = Counter()
    kept = []
    for five in fives:
        problems = (replies[triple, lang].problem for lang in langs for triple in five)
        if problem := next((problem for problem in problems if problem), None):
            left_out[f"a statement is missing: {problem}"] += 1
        else:
            kept.append(five)
    if not kept:
        reasons = "; ".join(f"{reason} ({number})" for reason, number in left_out.most_common(3))
        raise UserError(f"{model} gave no triple all its statements, try another model: {reasons}")

    def said(triple: Triple, lang: str) -> str:
        return replies[triple, lang].value or ""  # never empty: the problem would have shown

    return _documents(kept, langs, said), dict(sorted(left_out.items()))


def add_similarity(documents: Documents, fives: Sequence[Five], facts: Facts, seed: int) -> dict[str, float | None]:
    """Write into each probe how near its replacing entity lies to the one it replaces.

    Args:
        documents: Their probes gain `similarity`, a cosine; None for the original and for an isolated entity.
        fives: What the documents were made from, and perhaps more.
        facts: The source, whose graph is embedded.
        seed: Of the embedding.

    Returns:
        The mean of each distortion over the documents; None if it has none.
    """
    from crossfact.sword.similarity import node2vec, proximities

    embedding = node2vec(facts.triples, seed=seed)
    cosines = {document_id(five): proximities(five, embedding) for five in fives}
    found: dict[str, list[float]] = {kind: [] for kind in KINDS[1:]}
    for place, docs in enumerate(documents.values()):
        for doc in docs:
            for probe in doc["probes"]:
                cosine = cosines[doc["id"]].get(probe["kind"])
                probe["similarity"] = None if cosine is None else round(cosine, 6)
                if place == 0 and cosine is not None:
                    found[probe["kind"]].append(cosine)
    return {kind: round(fmean(values), 6) if values else None for kind, values in found.items()}


def _documents(fives: Sequence[Five], langs: Sequence[str], state: Callable[[Triple, str], str]) -> Documents:
    return {lang: [document(five, lang, state) for five in fives] for lang in langs}


def properties_of(documents: Mapping[str, Sequence[Document]]) -> dict[str, int]:
    """Return how many triples each property has."""
    first = next(iter(documents.values()))
    return dict(sorted(Counter(doc["property"] for doc in first).items()))
