"""Verdicts: what one probe's responses come to, in one way of matching.

A verdict travels through the harness as a line of JSON, so that logged samples (whose filtered responses the harness
turns into text) can be read again by any program.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from crossfact.utils import answers

T = TypeVar("T")

Asked = Mapping[str, Any]
"""A document's fields with one probe's on top."""


@dataclass(frozen=True)
class Verdict:
    """What a probe's responses come to.

    Attributes:
        answer: The tidied answer; for strategyqa `true` or `false`; empty if there is none.
        right: Whether it is the gold answer; None if a judge has not decided.
        adopted: Whether it is the counter answer, and not gold.
        unfinished: Whether there is no answer because thinking never ended.
    """

    answer: str
    right: bool | None
    adopted: bool
    unfinished: bool = False

    def dumps(self) -> str:
        """Return the verdict as one line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def loads(cls, line: str) -> Verdict:
        """Return the verdict in a line that `dumps` wrote."""
        return cls(**json.loads(line))


def exact(asked: Asked, responses: Sequence[str]) -> Verdict:
    """Decide by equality with an alias in the language of the question; strategyqa: with a word for true or false."""
    if asked["truth"] is not None:
        return _truth(asked, responses, whole=True)
    return _entity(asked, responses, [asked["lang"]], answers.exact)


def contains(asked: Asked, responses: Sequence[str]) -> Verdict:
    """Decide by whether an alias in the language of the question, or a word for true or false, occurs."""
    if asked["truth"] is not None:
        return _truth(asked, responses, whole=False)
    return _entity(asked, responses, [asked["lang"]], answers.contains)


def any_language(asked: Asked, responses: Sequence[str]) -> Verdict:
    """Decide by equality with an alias in any language of the item, each compared in its own language's way (popqa)."""
    return _entity(asked, responses, list(asked["answers"]), answers.exact)


def chosen(asked: Asked, responses: Sequence[str]) -> str:
    """Return the response that stands for all of a probe's: the majority's earliest, by tidied answer.

    Only as many responses count as were asked for: with several processes the harness appends padding to the last
    document. Where no answer has more votes than another, the earliest wins (the paper's appendix B).
    """
    counted = responses[: asked["repeats"]]
    votes = [answers.answer(response, asked["lang"]) for response in counted]
    return counted[votes.index(_winner(votes))]


def _winner(votes: Sequence[T]) -> T:
    return Counter(votes).most_common(1)[0][0]  # of equals, the one met first


def _truth(asked: Asked, responses: Sequence[str], *, whole: bool) -> Verdict:
    counted = responses[: asked["repeats"]]
    votes = [answers.truth_value(response, asked["lang"], whole=whole) for response in counted]
    value = _winner(votes)
    said = "" if value is None else str(value).lower()
    adopted = value is not None and value is not asked["truth"]
    return Verdict(said, value is asked["truth"], adopted, _unfinished(said, counted))


def _entity(
    asked: Asked, responses: Sequence[str], languages: Sequence[str], matches: Callable[[str, list[str], str], bool]
) -> Verdict:
    response = chosen(asked, responses)
    said = answers.answer(response, asked["lang"])
    right = any(matches(response, asked["answers"][lang], lang) for lang in languages)
    adopted = not right and any(
        # ConflictQA's counter answer is a sentence: whatever in it the model says, it took from there.
        answers.occurs(said, asked["counter_answers"][lang][0], lang)
        if asked["counter_sentence"][lang]
        else matches(response, asked["counter_answers"][lang], lang)
        for lang in languages
    )
    return Verdict(said, right, adopted, _unfinished(said, responses[: asked["repeats"]]))


def _unfinished(said: str, responses: Sequence[str]) -> bool:
    return not said and any(map(answers.unfinished, responses))
