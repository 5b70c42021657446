"""Items: one question in several languages, its answers, and evidence for and against it.

Everything that CLEAR asks is made from items, wherever they come from: the embedded data, or a folder that
`crossfact build clear` wrote (`items.jsonl` and `manifest.json`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from crossfact.utils.answers import occurs, tidy, truth_value
from crossfact.utils.errors import UserError
from crossfact.utils.languages import CLEAR_LANGUAGES

DATASETS = ("popqa", "strategyqa")
ITEMS, MANIFEST = "items.jsonl", "manifest.json"

_ITEM_KEYS = {"id", "dataset", "popularity", "languages"}
_VERSION_KEYS = {"question", "answers", "counter_answer", "support", "counter"}


@dataclass(frozen=True)
class Version:
    """An item in one language.

    Attributes:
        question: the question.
        answers: the gold answer and its aliases; for strategyqa the language's word for true or false.
        counter_answer: the false answer that the counter evidence states: its aliases, or one whole sentence.
        support: evidence that states the gold answer.
        counter: evidence that states the counter answer.
    """

    question: str
    answers: tuple[str, ...]
    counter_answer: tuple[str, ...] | str
    support: str
    counter: str


@dataclass(frozen=True)
class Item:
    """A question that is the same in every language.

    Attributes:
        id: unique in its dataset.
        dataset: `popqa` (an entity answers it) or `strategyqa` (true or false).
        languages: BCP-47 code → the item in this language.
        popularity: monthly page views of the question's subject, where known.
    """

    id: str
    dataset: str
    languages: dict[str, Version]
    popularity: float | None = None


def read_items(folder: Path | str) -> list[Item]:
    """Read and check the items of a built folder, in the order of the file.

    Raises:
        UserError: the file is missing or empty, or a line is wrong; it names the file, the line and the field.
    """
    path = Path(folder) / ITEMS
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}; a CLEAR source is a folder with {ITEMS}") from error
    items: dict[tuple[str, str], Item] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise UserError(f"{where}: not JSON ({error})") from error
        item = parse_item(record, where)
        if (item.dataset, item.id) in items:
            raise UserError(f"{where}: the {item.dataset} item {item.id} stands twice; keep one")
        items[item.dataset, item.id] = item
    if not items:
        raise UserError(f"{path} holds no item")
    return list(items.values())


def write_items(folder: Path | str, items: Iterable[Item]) -> None:
    """Write the items file of a built folder: the same bytes for the same items on every machine."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ITEMS).open("wb") as out:
        for item in items:
            out.write(orjson.dumps(item_record(item)) + b"\n")


def item_record(item: Item) -> dict[str, Any]:
    """Return an item as the JSON object that `parse_item` reads."""
    versions = {
        lang: {
            "question": version.question,
            "answers": list(version.answers),
            "counter_answer": version.counter_answer
            if isinstance(version.counter_answer, str)
            else list(version.counter_answer),
            "support": version.support,
            "counter": version.counter,
        }
        for lang, version in item.languages.items()
    }
    return {"id": item.id, "dataset": item.dataset, "popularity": item.popularity, "languages": versions}


def parse_item(record: object, where: str) -> Item:
    """Return the item in a JSON object.

    Args:
        record: the object; a bare string as `answers` is one alias.
        where: what to name in an error, such as file and line.

    Raises:
        UserError: a field is missing, unknown or of the wrong type, or an answer holds nothing to compare.
    """
    record = _mapping(record, _ITEM_KEYS, where, optional={"popularity"})
    item_id = _text(record, "id", where)
    where = f"{where} (item {item_id})"
    if record["dataset"] not in DATASETS:
        raise UserError(f"{where}: dataset must be popqa or strategyqa, not {record['dataset']!r}")
    popularity = record.get("popularity")
    if popularity is not None and (isinstance(popularity, bool) or not isinstance(popularity, int | float)):
        raise UserError(f"{where}: popularity must be a number or null, not {popularity!r}")
    languages = record["languages"]
    if not isinstance(languages, Mapping) or not languages:
        raise UserError(f"{where}: languages must map language codes to the item's texts")
    if unknown := [lang for lang in languages if lang not in CLEAR_LANGUAGES]:
        raise UserError(f"{where}: {unknown[0]!r} is none of CLEAR's languages ({' '.join(CLEAR_LANGUAGES)})")
    versions = {lang: _version(value, lang, where) for lang, value in languages.items()}
    return Item(item_id, record["dataset"], versions, popularity)


def truth(item: Item) -> bool | None:
    """Return whether the gold answer of a strategyqa item is true; None for other datasets.

    Raises:
        UserError: its gold answers are no words for true or false, or not the same in every language.
    """
    if item.dataset != "strategyqa":
        return None
    values = {
        lang: truth_value(version.answers[0], lang, whole=True) for lang, version in sorted(item.languages.items())
    }
    first = next(iter(values.values()))
    for lang, value in values.items():
        if value is None or value is not first:
            what = "is no word for true or false" if value is None else "does not agree with the other languages"
            raise UserError(f"strategyqa item {item.id}, {lang}: the answer {item.languages[lang].answers[0]!r} {what}")
    return first


def entity_presence(item: Item) -> dict[str, str]:
    """Return where an item breaks the entity-presence rule (the paper's section 3.1), by language; empty if nowhere.

    The rule, for popqa alone: some gold alias occurs in the support evidence and none in the counter evidence.
    """
    if item.dataset != "popqa":
        return {}
    broken = {}
    for lang, version in item.languages.items():
        if not any(occurs(answer, version.support, lang) for answer in version.answers):
            broken[lang] = "no gold answer in the support evidence"
        elif found := [answer for answer in version.answers if occurs(answer, version.counter, lang)]:
            broken[lang] = f"the gold answer {found[0]!r} in the counter evidence"
    return broken


def _version(value: object, lang: str, where: str) -> Version:
    where = f"{where}, {lang}"
    record = _mapping(value, _VERSION_KEYS, where)
    counter = record["counter_answer"]
    return Version(
        question=_text(record, "question", where),
        answers=_aliases(record["answers"], "answers", lang, where),
        counter_answer=_text(record, "counter_answer", where)
        if isinstance(counter, str)
        else _aliases(counter, "counter_answer", lang, where),
        support=_text(record, "support", where),
        counter=_text(record, "counter", where),
    )


def _mapping(value: object, keys: set[str], where: str, optional: Set[str] = frozenset()) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise UserError(f"{where}: expected a JSON object with {', '.join(sorted(keys))}")
    if missing := sorted(keys - optional - value.keys()):
        raise UserError(f"{where}: {missing[0]} is missing")
    if unknown := sorted(str(key) for key in value.keys() - keys):
        raise UserError(f"{where}: unknown field {unknown[0]!r}; known are {', '.join(sorted(keys))}")
    return value


def _text(record: Mapping[str, Any], key: str, where: str) -> str:
    value = record[key]
    if not isinstance(value, str) or not value.strip():
        raise UserError(f"{where}: {key} must be a text that is not empty, not {value!r}")
    return value


def _aliases(value: object, key: str, lang: str, where: str) -> tuple[str, ...]:
    aliases = [value] if isinstance(value, str) else value
    if not isinstance(aliases, list | tuple) or not aliases or not all(isinstance(alias, str) for alias in aliases):
        raise UserError(f"{where}: {key} must be a list of texts that is not empty, not {value!r}")
    for alias in aliases:
        if not tidy(alias, lang):
            raise UserError(f"{where}: {key} holds {alias!r}, of which nothing is left to compare")
    return tuple(aliases)
