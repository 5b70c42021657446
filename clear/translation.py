"""Items in other languages, by a model with the paper's prompt (A.3): one JSON object in, one out.

A translation that lacks a field, leaves a text in English, makes both answers the same or breaks the entity rule is
asked for again, and in the end left out with its reason: the item is then left out of every language.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from crossfact.clear.agreement import Sided
from crossfact.clear.items import Item, Version, entity_presence
from crossfact.utils.answers import occurs, tidy, truth_words, without_thinking
from crossfact.utils.languages import ENGLISH_NAMES
from crossfact.utils.llm import UnusableError, generate

_PROMPT = Path(__file__).parent / "data" / "translate.j2"
_MAX_TOKENS = 4096


@dataclass(frozen=True)
class Translated:
    """Items in all languages, and what could not be translated.

    Attributes:
        items: The items that are whole, in the order of the records.
        left_out: Reason → item ids, each with the language that failed first.
    """

    items: tuple[Item, ...]
    left_out: dict[str, list[str]]


def translate(records: Sequence[Sided], languages: Sequence[str], model: str, model_args: str) -> Translated:
    """Return the records as items in English and in `languages`.

    Raises:
        UserError: The model cannot be loaded, or its server is out of order.
    """
    versions: list[dict[str, Version]] = [dict(record.item().languages) for record in records]
    problems: dict[int, str] = {}
    for lang in languages:
        if lang == "en":
            continue
        replies = generate(
            model,
            model_args,
            [prompt(record, lang) for record in records],
            _parser(records, lang),
            max_gen_toks=_MAX_TOKENS,
            description=f"Translating into {ENGLISH_NAMES[lang]}",
        )
        for place, reply in enumerate(replies):
            if reply.value is None:
                problems.setdefault(place, f"not translated into {lang}: {reply.problem}")
            else:
                versions[place][lang] = reply.value
    left_out: dict[str, list[str]] = {}
    for place, reason in problems.items():
        left_out.setdefault(reason, []).append(records[place].id)
    items = tuple(
        Item(record.id, record.dataset, {lang: versions[place][lang] for lang in languages}, record.record.popularity)
        for place, record in enumerate(records)
        if place not in problems
    )
    return Translated(items, left_out)


def prompt(record: Sided, lang: str) -> str:
    """Return the paper's translation prompt for one record.

    The object calls the side that is right `memory` and the other `counter`, whichever the source model believed: the
    prompt says of the counter fields that they are false.
    """
    fields = _fields(record)
    shown = fields if record.truth is not None else {**fields, "matched_truth": matched_truth(record)}
    return _template().render(
        language=ENGLISH_NAMES[lang],
        matched_truth=record.truth is None,
        fields=list(fields),
        object=json.dumps(shown, ensure_ascii=False, indent=1),
    )


def matched_truth(record: Sided) -> str:
    """Return the gold alias that stands in the support evidence; the longest, if there are several."""
    found = [alias for alias in record.record.gold if occurs(alias, record.support.evidence, "en")]
    return max(found, key=len)


def version_from(record: Sided, lang: str, answer: str) -> Version:
    """Return the item's version in one language from a model's answer.

    Raises:
        UnusableError: The answer is not a whole and faithful translation; the message says in what way.
    """
    wanted, got = _fields(record), _object(answer)
    if got is None:
        raise UnusableError("no JSON object")
    for key, value in wanted.items():
        _check(key, value, got, lang)
    if tidy(got["memory_answer"], lang) == tidy(got["counter_answer"], lang):
        raise UnusableError("both answers became the same")
    support, counter = got["parametric_memory_aligned_evidence"], got["counter_memory_aligned_evidence"]
    if record.truth is not None:
        right, wrong = truth_words(lang) if record.truth else truth_words(lang)[::-1]
        return Version(got["question"].strip(), (right,), (wrong,), support.strip(), counter.strip())
    gold = tuple(dict.fromkeys(alias.strip() for alias in got["ground_truth"] if tidy(alias, lang)))
    if not gold:
        raise UnusableError("no gold answer is left")
    version = Version(got["question"].strip(), gold, got["counter_answer"].strip(), support.strip(), counter.strip())
    if broken := entity_presence(Item(record.id, record.dataset, {lang: version})):
        which = "none in the support" if "support" in broken[lang] else "the gold answer in the counter"
        raise UnusableError(f"entity rule: {which} evidence")
    return version


def _parser(records: Sequence[Sided], lang: str) -> Callable[[int, str], Version]:
    return lambda place, answer: version_from(records[place], lang, answer)


def _check(key: str, value: str | list[str], got: Mapping[str, Any], lang: str) -> None:
    answer = got.get(key)
    if isinstance(value, list):
        if not isinstance(answer, list) or not answer or not all(isinstance(alias, str) for alias in answer):
            raise UnusableError(f"{key} is no list of texts")
    elif not isinstance(answer, str) or not answer.strip():
        raise UnusableError(f"{key} is missing or empty")
    elif key.endswith("evidence") and _same_words(answer, value):
        raise UnusableError(f"{key} is still in English")


def _object(answer: str) -> dict[str, Any] | None:
    """Return the first JSON object in an answer, whatever stands around it; None if there is none."""
    text = without_thinking(answer) or ""
    start = text.find("{")
    while start >= 0:
        try:
            found, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
        except ValueError:
            start = text.find("{", start + 1)
        else:
            return found if isinstance(found, dict) else None
    return None


def _same_words(text: str, original: str) -> bool:
    """Whether most words of a text stand in its original: names may stay, sentences may not."""
    words, known = Counter(text.lower().split()), Counter(original.lower().split())
    return 2 * sum((words & known).values()) > sum(words.values())


def _fields(record: Sided) -> dict[str, str | list[str]]:
    """Return the fields to translate, under their names in ConflictQA; those that the source lacks are left out."""
    fields: dict[str, str | list[str] | None] = {
        "question": record.record.question,
        "ground_truth": list(record.record.gold),
        "memory_answer": record.support.answer,
        "parametric_memory": record.support.belief,
        "counter_answer": record.counter.answer,
        "counter_memory": record.counter.belief,
        "parametric_memory_aligned_evidence": record.support.evidence,
        "counter_memory_aligned_evidence": record.counter.evidence,
    }
    return {key: value for key, value in fields.items() if value is not None}


@cache
def _template() -> Any:
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=False, autoescape=False)
    return environment.from_string(_PROMPT.read_text(encoding="utf-8"))
