"""What a response comes to: true, false, unsure, or invalid."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

TRUE, FALSE, UNSURE, INVALID = "true", "false", "unsure", "invalid"
UNFINISHED = "unfinished"
"""Invalid, because the response ends within its thinking."""
TIE = "tie"
"""Only by log-likelihood: true and false are equally likely."""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_THOUGHT_UNOPENED = re.compile(r"^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)  # the template has opened it
_THOUGHT_UNCLOSED = re.compile(r"<think(?:ing)?>.*$", re.DOTALL | re.IGNORECASE)
_ANSWER = re.compile(r"<answer>((?:(?!<answer>).)*?)</answer>", re.DOTALL | re.IGNORECASE)
_OPENED = re.compile(r"<answer>", re.IGNORECASE)
_AROUND = re.compile(r"^[\W_]+|[\W_]+$")


def verdict(response: str | None) -> str:
    """Return what a response answers.

    Its last complete `<answer>…</answer>` outside of thoughts counts. One that is opened after it and never closed was
    cut off, so that the last word is not known.

    Returns:
        `true`, `false`, `unsure`; `unfinished` if there is no answer because the thinking never ended, and `invalid`
        for anything else.
    """
    spoken = _THOUGHT_UNOPENED.sub("", _THOUGHT.sub("", response or ""))
    text = _THOUGHT_UNCLOSED.sub("", spoken)
    answers = list(_ANSWER.finditer(text))
    if not answers or _OPENED.search(text, answers[-1].end()):
        return INVALID if text == spoken else UNFINISHED
    label = _AROUND.sub("", unicodedata.normalize("NFKC", answers[-1][1])).casefold()
    return label if label in (TRUE, FALSE, UNSURE) else INVALID


def verdicts(responses: Sequence[Sequence[str]], docs: Sequence[Any]) -> list[str]:
    """The harness's filter: one verdict for each request's (one) response."""
    return [verdict(asked[0]) for asked in responses]
