"""Which side of a ConflictQA record supports the gold answer, and which records cannot be used.

Support is the evidence whose answer agrees with the ground truth, whichever of the two it is. A record where neither or
both agree, or where that cannot be told, is left out with its reason.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from crossfact.clear.conflictqa import Record, Side
from crossfact.clear.items import Item, Version, entity_presence
from crossfact.clear.polarity import is_refusal, says_yes, takes_itself_back
from crossfact.utils.answers import occurs, tidy, truth_value, truth_words


class LeftOutError(Exception):
    """A record that cannot be used; the message is the reason, in words that can be counted."""


@dataclass(frozen=True)
class Sided:
    """A record whose sides are known: `support` speaks for the gold answer, `counter` against it."""

    id: str
    dataset: str
    record: Record
    support: Side
    counter: Side
    truth: bool | None

    def item(self) -> Item:
        """Return the English item."""
        if self.truth is None:
            answers: tuple[str, ...] = self.record.gold
            counter_answer: tuple[str, ...] | str = self.counter.answer
        else:
            true, false = truth_words("en")
            answers, counter_answer = ((true,), (false,)) if self.truth else ((false,), (true,))
        version = Version(self.record.question, answers, counter_answer, self.support.evidence, self.counter.evidence)
        return Item(self.id, self.dataset, {"en": version}, self.record.popularity)


def take_sides(record: Record, dataset: str) -> Sided:
    """Decide which side supports the gold answer.

    Raises:
        LeftOutError: The record cannot be used.
    """
    memory, counter = record.memory, record.counter
    for side in (memory, counter):
        if not side.answer or not side.evidence:
            raise LeftOutError("an answer or its evidence is empty")
        if is_refusal(side.answer):
            raise LeftOutError("a refusal in place of an answer")
        if takes_itself_back(side.answer):
            raise LeftOutError("an answer that takes itself back")
        if is_refusal(side.evidence):
            raise LeftOutError("a refusal in place of evidence")
    if tidy(memory.answer, "en") == tidy(counter.answer, "en"):
        raise LeftOutError("both answers are the same")
    if tidy(memory.evidence, "en") == tidy(counter.evidence, "en"):
        raise LeftOutError("both answers have the same evidence")
    truth = None
    if dataset == "strategyqa":
        truth = _truth(record)
        yes = says_yes(record.question, memory.answer, counter.answer)
        if yes is None:
            raise LeftOutError("it cannot be told which answer says yes")
        agrees = (yes is truth, yes is not truth)
    else:
        agrees = _names_gold(memory, record), _names_gold(counter, record)
        if agrees[0] is agrees[1]:
            raise LeftOutError(f"{'both answers name' if agrees[0] else 'neither answer names'} the ground truth")
    support, against = (memory, counter) if agrees[0] else (counter, memory)
    digest = hashlib.sha256(record.question.encode()).hexdigest()[:12]
    sided = Sided(f"{dataset}-{digest}", dataset, record, support, against, truth)
    if broken := entity_presence(sided.item()):
        in_counter = broken["en"].endswith("counter evidence")
        raise LeftOutError(
            f"entity rule: {'the gold answer in the counter' if in_counter else 'none in the support'} evidence"
        )
    return sided


def _truth(record: Record) -> bool:
    truth = truth_value(record.gold[0], "en", whole=True)
    if truth is None:
        raise LeftOutError("the ground truth is neither true nor false")
    return truth


def _names_gold(side: Side, record: Record) -> bool:
    return any(occurs(alias, side.answer, "en") for alias in record.gold)
