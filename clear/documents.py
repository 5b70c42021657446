"""Documents: an item as one task asks it in one query language, with all its prompts (probes).

A probe has a `role`:
- `memory`: closed book, in the query language; in Task 4 also in every other language.
- `support`, `counter` (tasks 2 and 3): one piece of evidence, in the language `evidence`.
- `pos`, `neg` (Task 4): support and counter evidence together, in the query language and the language `evidence`;
  in `pos` the support is in the query language, in `neg` the counter. `first` says which of the two stands first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crossfact.clear.items import Item, truth
from crossfact.clear.options import evidence_languages, memory_votes
from crossfact.clear.source import read_source
from crossfact.utils.answers import as_aliases
from crossfact.utils.errors import UserError
from crossfact.utils.languages import CLEAR_LANGUAGES, ENGLISH_NAMES
from crossfact.utils.sources import EMBEDDED, Splits


def load(dataset: str, number: int, lang: str, source: str = EMBEDDED, **options: Any) -> Splits:
    """Return the documents of one task, as the harness's `custom_dataset`.

    Args:
        dataset: `popqa` or `strategyqa`.
        number: The task, 1 to 4.
        lang: The query language.
        source: `embedded`, or the path of a built folder.
        options: The run's `--metadata`; of these, `evidence_languages` and `memory_votes` are ours.

    Raises:
        UserError: an option or the source is wrong, or the source lacks a language.
    """
    from datasets import Dataset

    items, origin = read_source(str(source), dataset)
    votes = memory_votes(options.get("memory_votes"), number)
    wanted = evidence_languages(options.get("evidence_languages"))
    documents = []
    for place, item in enumerate(items):
        if lang not in item.languages:
            has = " ".join(item.languages)
            raise UserError(f"the source {source!r} has no {lang} for the {dataset} item {item.id} (it has {has})")
        others = [other for other in CLEAR_LANGUAGES if other in item.languages and other in wanted and other != lang]
        if number > 2 and not others:
            raise UserError(
                f"clear_{dataset}_task{number}_{lang} needs evidence in another language than {lang}: "
                "add one to evidence_languages, or to the source"
            )
        documents.append(document(item, place, number, lang, others, votes))
    return Splits({"test": Dataset.from_list(documents)}, origin)


def document(item: Item, place: int, number: int, lang: str, others: Sequence[str], votes: int) -> dict[str, Any]:
    """Return one item as a document.

    Args:
        item: The item.
        place: Its place in the data; it decides the order of sources in Task 4.
        number: The task, 1 to 4.
        lang: The query language.
        others: The languages of evidence in tasks 3 and 4.
        votes: How often each closed-book question is asked.
    """
    probes = [_probe(item, "memory", lang, repeats=votes)]
    if number == 2:
        probes += _one_source(item, lang, lang)
    elif number == 3:
        probes += [probe for other in others for probe in _one_source(item, lang, other)]
    elif number == 4:
        probes += [_probe(item, "memory", other, repeats=votes) for other in others]
        probes += [probe for other in others for probe in _two_sources(item, place, lang, other)]
    versions = item.languages
    return {
        "id": item.id,
        "dataset": item.dataset,
        "task": number,
        "query": lang,
        "popularity": None if item.popularity is None else float(item.popularity),
        "truth": truth(item),
        "answers": {code: list(version.answers) for code, version in versions.items()},
        "counter_answers": {code: list(as_aliases(version.counter_answer)) for code, version in versions.items()},
        "counter_sentence": {code: isinstance(version.counter_answer, str) for code, version in versions.items()},
        "probes": probes,
    }


def _one_source(item: Item, lang: str, evidence: str) -> list[dict[str, Any]]:
    version = item.languages[evidence]
    return [
        _probe(item, role, lang, evidence=evidence, contexts=[_context(evidence, text)])
        for role, text in (("counter", version.counter), ("support", version.support))
    ]


def _two_sources(item: Item, place: int, lang: str, other: str) -> list[dict[str, Any]]:
    # The support stands first for one item and second for the next; so it does from one pair of languages to the
    # next. The same two texts keep their order whichever of the two languages asks.
    support_first = (place + CLEAR_LANGUAGES.index(lang) + CLEAR_LANGUAGES.index(other)) % 2 == 0
    probes = []
    for role, truthful, false in (("pos", lang, other), ("neg", other, lang)):
        support = _context(truthful, item.languages[truthful].support)
        counter = _context(false, item.languages[false].counter)
        contexts = [support, counter] if support_first else [counter, support]
        first = "support" if support_first else "counter"
        probes.append(_probe(item, role, lang, evidence=other, contexts=contexts, first=first))
    return probes


def _probe(
    item: Item,
    role: str,
    lang: str,
    *,
    evidence: str = "",
    contexts: Sequence[dict[str, str]] = (),
    first: str = "",
    repeats: int = 1,
) -> dict[str, Any]:
    return {
        "role": role,
        "lang": lang,
        "lang_name": ENGLISH_NAMES[lang],
        "question": item.languages[lang].question,
        "evidence": evidence,
        "contexts": list(contexts),
        "first": first,
        "repeats": repeats,
    }


def _context(lang: str, text: str) -> dict[str, str]:
    return {"lang_name": ENGLISH_NAMES[lang], "text": text}
