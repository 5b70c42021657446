"""Does a translation still say what the original says? Translated back, and compared with chrF++.

Nothing is dropped for a low score: it is a sign for a human eye, since a good translation may come back in other words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, StrictUndefined

from crossfact.clear.items import Item
from crossfact.utils.answers import without_thinking
from crossfact.utils.errors import UserError
from crossfact.utils.languages import ENGLISH_NAMES
from crossfact.utils.llm import UnusableError, generate

THRESHOLD = 40.0
"""chrF++ under which a text is listed."""

FIELDS = ("question", "support", "counter")
_PROMPT = Path(__file__).parent / "data" / "back_translate.j2"


@dataclass(frozen=True)
class Score:
    """How near one translated text comes to its English original.

    Attributes:
        item: The item's id.
        lang: The language of the translation.
        field: `question`, `support` or `counter`.
        chrf: chrF++ of the text translated back, 0 to 100; None if the model gave none.
        back: The text translated back.
    """

    item: str
    lang: str
    field: str
    chrf: float | None
    back: str


def back_translate(items: Sequence[Item], model: str, model_args: str) -> list[Score]:
    """Translate every text of every item back into English and compare.

    Raises:
        UserError: sacrebleu is not installed, or the model cannot be used.
    """
    metric = _metric()
    places = [(item, lang, field) for item in items for lang in item.languages if lang != "en" for field in FIELDS]
    replies = generate(
        model,
        model_args,
        [_prompt(getattr(item.languages[lang], field), lang) for item, lang, field in places],
        _said,
        description="Translating back",
    )
    scores = []
    for (item, lang, field), reply in zip(places, replies, strict=True):
        chrf = None
        if reply.value is not None:
            chrf = round(metric.sentence_score(reply.value, [getattr(item.languages["en"], field)]).score, 2)
        scores.append(Score(item.id, lang, field, chrf, reply.value or ""))
    return scores


def distribution(scores: Sequence[Score]) -> list[dict[str, Any]]:
    """Return chrF++ by language and field: how many texts, how many without a score, and quantiles."""
    rows = []
    for lang, field in dict.fromkeys((score.lang, score.field) for score in scores):
        own = [score.chrf for score in scores if (score.lang, score.field) == (lang, field)]
        known = [chrf for chrf in own if chrf is not None]
        quantiles = np.percentile(known, [5, 25, 50, 75]) if known else [float("nan")] * 4
        row = {"language": lang, "field": field, "texts": len(own), "without": len(own) - len(known)}
        row |= {name: round(float(q), 1) for name, q in zip(("p5", "p25", "median", "p75"), quantiles, strict=True)}
        rows.append(row | {"listed": sum(chrf < THRESHOLD for chrf in known)})
    return rows


def _said(_place: int, answer: str) -> str:
    text = (without_thinking(answer) or "").strip()
    if not text:
        raise UnusableError("the answer is empty")
    return text


def _prompt(text: str, lang: str) -> str:
    return str(_template().render(language=ENGLISH_NAMES[lang], text=text))


@cache
def _template() -> Any:
    return Environment(undefined=StrictUndefined, autoescape=False).from_string(_PROMPT.read_text(encoding="utf-8"))


def _metric() -> Any:
    try:
        from sacrebleu.metrics import CHRF
    except ModuleNotFoundError as error:
        raise UserError("--back-translate compares with sacrebleu: pip install 'crossfact[fidelity]'") from error
    return CHRF(word_order=2)
