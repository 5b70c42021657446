"""The four distortions of a triple (the paper's section 3).

ORG is the triple itself; SS and OS replace its subject or object by a random one of the source; PSS and POS by one that
the source uses with the same property, which lies closer in meaning. The property never changes. Everything is drawn
from one seed and knows nothing of languages, except that every name must exist in all of them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from crossfact.sword.truth import Truth
from crossfact.utils.errors import UserError
from crossfact.utils.facts import Facts, Triple
from crossfact.utils.languages import SWORD_LANGUAGES

KINDS = ("org", "ss", "os", "pss", "pos")
"""The five statements of a triple, in the order of a document's probes."""

NO_LABEL = "a label is missing in some language"
NO_FALSE_DRAW = "every possible replacement is true"
SAID_BEFORE = "says the same as another one the other way round"

_QUICK_TRIES = 32


class Five(NamedTuple):
    """A triple and its four distortions."""

    org: Triple
    ss: Triple
    os: Triple
    pss: Triple
    pos: Triple


@dataclass(frozen=True)
class Draw:
    """What was drawn from a source.

    Attributes:
        fives: The triples with their distortions, in the order of the draw.
        left_out: How many triples could not be used, by reason; those that a smaller `count` did not need are not
            among them.
    """

    fives: tuple[Five, ...]
    left_out: dict[str, int]


def distort(
    facts: Facts,
    *,
    count: int | None = None,
    seed: int = 0,
    properties: Iterable[str] | None = None,
    languages: Sequence[str] = SWORD_LANGUAGES,
) -> Draw:
    """Draw triples and distort each.

    The sample is balanced: properties take turns, so a property with few triples gives all of them. A distortion is
    drawn again until it is false (`Truth`); random subjects and objects are those of the chosen properties, each entity
    being as likely as any other. A triple's own distortions differ from one another.

    Args:
        facts: The source.
        count: How many triples to draw; None for all that can be distorted.
        seed: What everything is drawn from.
        properties: The properties to draw from; None for all of the source.
        languages: Every name that is used exists in all of these.

    Returns:
        The drawn triples and the count of those left out.

    Raises:
        UserError: The source cannot give `count` triples.
    """
    chosen = sorted(set(facts.properties if properties is None else properties))
    left_out: Counter[str] = Counter()
    pool = _Pool(facts, chosen, languages)
    drawn: dict[Triple, Five] = {}
    for triple in _take_turns([_shuffled(facts, key, seed) for key in chosen]):
        if count is not None and len(drawn) == count:
            break
        if not pool.usable(triple):
            left_out[NO_LABEL] += 1
        elif facts.properties[triple.property].symmetric and _turned(triple) in drawn:
            left_out[SAID_BEFORE] += 1
        elif five := _distort_one(triple, pool, seed):
            drawn[triple] = five
        else:
            left_out[NO_FALSE_DRAW] += 1
    if count is not None and len(drawn) < count:
        why = "".join(f"; {number} left out: {reason}" for reason, number in sorted(left_out.items()))
        raise UserError(f"only {len(drawn)} triples have false distortions, not {count}: ask for fewer{why}")
    return Draw(tuple(drawn.values()), dict(sorted(left_out.items())))


class _Pool:
    """The entities that may replace another, by property and by side, and what is true of them."""

    def __init__(self, facts: Facts, properties: Sequence[str], languages: Sequence[str]) -> None:
        self.truth = Truth(facts, languages)
        self._named = {key for key in facts.entities if all(facts.has_label(key, lang) for lang in languages)}
        self._speaking = {key for key in properties if all(lang in facts.properties[key].labels for lang in languages)}
        self.subjects = {key: self._side(triple.subject for triple in facts.with_property(key)) for key in properties}
        self.objects = {key: self._side(triple.object for triple in facts.with_property(key)) for key in properties}
        self.all_subjects = sorted({entity_id for side in self.subjects.values() for entity_id in side})
        self.all_objects = sorted({entity_id for side in self.objects.values() for entity_id in side})

    def usable(self, triple: Triple) -> bool:
        """Return whether subject, property and object have a name in every language."""
        return triple.property in self._speaking and {triple.subject, triple.object} <= self._named

    def _side(self, entity_ids: Iterable[str]) -> list[str]:
        return sorted(set(entity_ids) & self._named)


def _distort_one(triple: Triple, pool: _Pool, seed: int) -> Five | None:
    """Return the triple with its distortions, or None if one of them cannot be false."""

    def subject(entity_id: str) -> Triple:
        return Triple(entity_id, triple.property, triple.object)

    def object_(entity_id: str) -> Triple:
        return Triple(triple.subject, triple.property, entity_id)

    def draw(
        kind: str, make: Callable[[str], Triple], candidates: Sequence[str], taken: Triple | None = None
    ) -> Triple | None:
        rng = random.Random(f"{seed}:{kind}:{triple.subject}:{triple.property}:{triple.object}")
        for entity_id in _in_random_order(candidates, rng):
            made = make(entity_id)
            if made != taken and not pool.truth.holds(made):
                return made
        return None

    # The narrow choice first: a random subject may also be one of the same property, and must not take its last one.
    pss = draw("pss", subject, pool.subjects[triple.property])
    pos = draw("pos", object_, pool.objects[triple.property])
    ss = draw("ss", subject, pool.all_subjects, pss)
    os = draw("os", object_, pool.all_objects, pos)
    return Five(triple, ss, os, pss, pos) if ss and os and pss and pos else None


def _in_random_order(candidates: Sequence[str], rng: random.Random) -> Iterator[str]:
    """Yield a few random candidates, then, if none was taken, all of them in random order.

    The second part proves that there is none; the first saves shuffling a million names to take one.
    """
    if candidates:
        for _ in range(_QUICK_TRIES):
            yield candidates[rng.randrange(len(candidates))]
        yield from rng.sample(candidates, len(candidates))


def _shuffled(facts: Facts, property_id: str, seed: int) -> list[Triple]:
    triples = sorted(facts.with_property(property_id))
    random.Random(f"{seed}:sample:{property_id}").shuffle(triples)
    return triples


def _take_turns(groups: Sequence[Sequence[Triple]]) -> Iterator[Triple]:
    for place in range(max(map(len, groups), default=0)):
        for group in groups:
            if place < len(group):
                yield group[place]


def _turned(triple: Triple) -> Triple:
    return Triple(triple.object, triple.property, triple.subject)
