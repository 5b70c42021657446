"""The embedded yes/no questions, written by hand: one file per language, and one with the right answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from crossfact.clear.items import Item, parse_item
from crossfact.utils.answers import truth_words
from crossfact.utils.errors import UserError
from crossfact.utils.languages import CLEAR_LANGUAGES

DATA = Path(__file__).parent / "data" / "strategyqa"
ANSWERS = "answers.yaml"


def strategyqa_items(folder: Path = DATA) -> list[Item]:
    """Return the embedded strategyqa items, in the order of the file of answers.

    Raises:
        UserError: a file is wrong, or a language lacks a question; it names the file and the question.
    """
    texts = {lang: _table(path) for lang in CLEAR_LANGUAGES if (path := folder / f"{lang}.yaml").exists()}
    items = []
    for item_id, value in _table(folder / ANSWERS).items():
        if not isinstance(value, bool):
            raise UserError(f"{folder / ANSWERS}: {item_id} must be true or false, not {value!r}")
        versions = {}
        for lang, table in texts.items():
            if not isinstance(table.get(item_id), dict):
                raise UserError(f"{folder / lang}.yaml lacks {item_id} (question, support and counter)")
            true, false = truth_words(lang)
            gold, other = (true, false) if value else (false, true)
            versions[lang] = {**table[item_id], "answers": [gold], "counter_answer": [other]}
        record = {"id": item_id, "dataset": "strategyqa", "languages": versions}
        items.append(parse_item(record, str(folder)))
    return items


def _table(path: Path) -> dict[str, Any]:
    try:
        table = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except yaml.YAMLError as error:
        raise UserError(f"{path}: not YAML ({' '.join(str(error).split())})") from error
    if not isinstance(table, dict):
        raise UserError(f"{path}: expected a map from question ids")
    return table
