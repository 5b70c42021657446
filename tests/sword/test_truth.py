from __future__ import annotations

import pytest

from crossfact.sword.truth import Truth
from crossfact.utils.facts import Entity, Facts, Property, Triple

TRIPLES = [
    ("Colosseum", "P276", "Rome"),
    ("Rome", "P17", "Italy"),
    ("Italy", "P30", "Europe"),
    ("Italy", "P38", "euro"),
    ("Italy", "P37", "Italian"),
    ("Germany", "P36", "Berlin"),
    ("Einstein", "P19", "Ulm"),
    ("Ulm", "P17", "Germany"),
    ("Germany", "P37", "German"),
    ("iPhone", "P176", "Apple"),
    ("Apple", "P740", "Los Altos"),
    ("Los Altos", "P17", "United States"),
    ("Moon", "P397", "Earth"),
    ("Earth", "P397", "Sun"),
    ("France", "P47", "Italy"),
    ("Ulm", "P47", "Neu-Ulm"),
    ("Georgia", "P36", "Tbilisi"),
]


@pytest.fixture
def truth() -> Truth:
    triples = [Triple(*triple) for triple in TRIPLES]
    ids = {end for triple in triples for end in (triple.subject, triple.object)} | {"Atlanta", "Georgia (state)"}
    entities = {key: Entity(key, "thing", {"mul": key.split(" (")[0]}) for key in ids}
    properties = {
        triple.property: Property(triple.property, {"en": "p"}, triple.property == "P47") for triple in triples
    }
    return Truth(Facts(entities, tuple(triples), properties), ("en",))


@pytest.mark.parametrize(
    "said",
    [
        ("Colosseum", "P276", "Rome"),
        ("Colosseum", "P276", "Italy"),  # by way of Rome
        ("Colosseum", "P30", "Europe"),  # by way of Rome and Italy
        ("Rome", "P38", "euro"),  # a city pays in its country's money
        ("Rome", "P37", "Italian"),
        ("Berlin", "P17", "Germany"),  # a capital lies in its country
        ("Einstein", "P19", "Germany"),
        ("Einstein", "P27", "Germany"),
        ("Einstein", "P1412", "German"),
        ("iPhone", "P178", "Apple"),  # maker, developer, author: all too close
        ("Apple", "P740", "United States"),
        ("Moon", "P397", "Sun"),
        ("Italy", "P47", "France"),  # symmetric
        ("Rome", "P47", "France"),  # Basel borders France
        ("Georgia (state)", "P36", "Tbilisi"),  # reads like the country
        ("Berlin", "P36", "Berlin"),
        ("Georgia", "P36", "Georgia (state)"),  # reads like a thing and itself
    ],
)
def test_true_or_arguable(truth: Truth, said: tuple[str, str, str]) -> None:
    assert truth.holds(Triple(*said))


@pytest.mark.parametrize(
    "said",
    [
        ("Germany", "P36", "Rome"),
        ("Germany", "P36", "Ulm"),  # the wrong city of the right country
        ("Italy", "P17", "Rome"),  # the wrong way round
        ("Italy", "P276", "Rome"),
        ("Ulm", "P38", "euro"),  # the source does not say it of Germany
        ("Einstein", "P37", "German"),
        ("Sun", "P397", "Moon"),
        ("Apple", "P176", "iPhone"),
        ("Georgia", "P36", "Atlanta"),
    ],
)
def test_false(truth: Truth, said: tuple[str, str, str]) -> None:
    assert not truth.holds(Triple(*said))


def test_what_the_source_does_not_know(truth: Truth) -> None:
    russia, asia, france, euro = "Q159", "Q48", "Q142", "Q4916"
    assert truth.holds(Triple(russia, "P30", asia))
    assert not truth.holds(Triple(france, "P30", asia))
    assert not truth.holds(Triple(russia, "P38", euro))
