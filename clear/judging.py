"""Asking a model whether answers name the right entity (the paper's appendix A.4)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from crossfact.utils.answers import without_thinking
from crossfact.utils.languages import ENGLISH_NAMES
from crossfact.utils.llm import UnusableError, generate

BATCH = 20
"""Pairs in one prompt."""

_PROMPT = Path(__file__).parent / "data" / "judge_prompt.yaml"

# The prompt's own example speaks of ID1 and ID2: a judge that only repeats it must decide nothing.
_FIRST_ID = 101
# Reads strict JSON, and as well what models make of it: fences, chat around it, single quotes, "false", a cut-off end.
_DECISION = re.compile(r"""["']?\b(ID\d+)\b["']?\s*:\s*["']?(true|false)\b["']?(?=\s*(?:[,}\n`]|\Z))""", re.IGNORECASE)


@dataclass(frozen=True)
class Pair:
    """A gold answer with its aliases, and what a model said, in one language."""

    lang: str
    gold: tuple[str, ...]
    said: str


def judge_pairs(
    pairs: Iterable[Pair], model: str, model_args: str | Mapping[str, Any], batch: int = BATCH
) -> dict[Pair, bool]:
    """Return a judge's decisions.

    A pair that an answer leaves out, or decides both ways, is asked again: once more among others, then alone. What
    is then still open is missing in the result. Answers are kept on disk, so that a second call costs nothing.

    Args:
        pairs: What to judge; each pair is asked once however often it stands here.
        model: The name of a harness backend.
        model_args: Its arguments.
        batch: How many pairs to put into one prompt.

    Raises:
        UserError: The model cannot be loaded, or its server is out of order.
    """
    decided: dict[Pair, bool] = {}
    open_pairs = list(dict.fromkeys(pairs))
    for size in (batch, batch, 1):
        batches = list(_batches(open_pairs, size))
        if not batches:
            break
        replies = generate(
            model,
            model_args,
            [prompt(group) for group in batches],
            lambda place, text, batches=batches: read_decisions(text, batches[place]),  # type: ignore[misc]
            max_gen_toks=512 + 16 * size,
            description="Judging",
        )
        for reply in replies:
            decided |= reply.value or {}
        open_pairs = [pair for pair in open_pairs if pair not in decided]
    return decided


def prompt(pairs: Sequence[Pair]) -> str:
    """Return the judge's prompt for pairs of one language."""
    lines = [
        f"{name}: GT: {json.dumps(pair.gold, ensure_ascii=False)}, ANS: {json.dumps(pair.said, ensure_ascii=False)}"
        for name, pair in _named(pairs).items()
    ]
    text = _template().replace("{lang}", ENGLISH_NAMES[pairs[0].lang])
    return text.replace("{items_str}", "\n".join(lines))


def read_decisions(text: str, pairs: Sequence[Pair]) -> dict[Pair, bool]:
    """Return the decisions in a judge's answer to `prompt(pairs)`.

    Ids that were not asked are ignored; one that is decided both ways is left out.

    Raises:
        UnusableError: It holds no decision at all.
    """
    named = _named(pairs)
    found: dict[str, set[bool]] = {}
    for name, value in _DECISION.findall(without_thinking(text) or ""):
        found.setdefault(name.upper(), set()).add(value.lower() == "true")
    decided = {named[name]: values.pop() for name, values in found.items() if name in named and len(values) == 1}
    if not decided:
        raise UnusableError("no decision in the judge's answer")
    return decided


def _named(pairs: Sequence[Pair]) -> dict[str, Pair]:
    return {f"ID{number}": pair for number, pair in enumerate(pairs, _FIRST_ID)}


def _batches(pairs: Sequence[Pair], size: int) -> Iterator[list[Pair]]:
    for lang in sorted({pair.lang for pair in pairs}):
        own = [pair for pair in pairs if pair.lang == lang]
        yield from (own[start : start + size] for start in range(0, len(own), size))


@cache
def _template() -> str:
    text: str = yaml.safe_load(_PROMPT.read_text(encoding="utf-8"))["prompt"]
    return text
