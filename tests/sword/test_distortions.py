from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossfact.sword.distortions import NO_FALSE_DRAW, NO_LABEL, SAID_BEFORE, Draw, Five, distort
from crossfact.utils.errors import UserError
from crossfact.utils.facts import Entity, Facts, Property, Triple

LANGUAGES = ("en", "ko")


def entity(entity_id: str, **labels: str) -> Entity:
    return Entity(entity_id, "thing", labels or {"mul": entity_id})


def facts(triples: list[tuple[str, str, str]], entities: tuple[Entity, ...] = (), **flags: dict[str, Any]) -> Facts:
    made = [Triple(*triple) for triple in triples]
    named = {key: entity(key) for triple in made for key in (triple.subject, triple.object)}
    named.update({given.id: given for given in entities})
    properties = {
        key: Property(key, {"en": key, "ko": key}, **flags.get(key, {}))
        for key in sorted({triple.property for triple in made} | set(flags))
    }
    return Facts(named, tuple(made), properties)


@st.composite
def random_facts(draw: st.DrawFn) -> Facts:
    """Small worlds in which nearly everything can go wrong: a symmetric property, two inverses, shared names."""
    ids = [f"e{number}" for number in range(draw(st.integers(2, 8)))]
    one = st.tuples(st.sampled_from(ids), st.sampled_from(["sym", "up", "down", "P47"]), st.sampled_from(ids))
    triples = sorted(set(draw(st.lists(one, max_size=30))))
    names = {key: draw(st.sampled_from([key, key, "shared"])) for key in ids}
    labelled = tuple(entity(key, en=names[key], ko=key) for key in ids)
    flags: dict[str, Any] = {"sym": {"symmetric": True}, "up": {"inverse": "down"}, "down": {}, "P47": {}}
    return facts(triples, labelled, **flags)


def said(triple: Triple, source: Facts) -> set[tuple[str, str, str]]:
    """Every way to read a triple: by its English names, straight and the other way round."""
    subject, object_ = source.label(triple.subject, "en"), source.label(triple.object, "en")
    ways = {(subject, triple.property, object_)}
    if triple.property == "sym":
        ways.add((object_, "sym", subject))
    if triple.property in ("up", "down"):
        ways.add((object_, "down" if triple.property == "up" else "up", subject))
    return ways


@given(random_facts(), st.integers(0, 3))
def test_distortions_are_false_and_change_one_side(source: Facts, seed: int) -> None:
    true = set().union(*(said(triple, source) for triple in source.triples))
    for five in distort(source, seed=seed, languages=LANGUAGES).fives:
        assert five.org in source.triples
        for kind, changed in zip(("ss", "os", "pss", "pos"), five[1:], strict=True):
            assert changed not in source.triples
            assert said(changed, source).isdisjoint(true)
            assert changed.property == five.org.property
            if kind in ("ss", "pss"):
                assert changed.object == five.org.object
                assert changed.subject != five.org.subject
            else:
                assert changed.subject == five.org.subject
                assert changed.object != five.org.object
        same = source.with_property(five.org.property)
        assert five.pss.subject in {triple.subject for triple in same}
        assert five.pos.object in {triple.object for triple in same}
        assert len(set(five)) == 5


@given(random_facts(), st.integers(0, 3))
def test_two_runs_agree_byte_for_byte_whatever_the_order_of_the_source(source: Facts, seed: int) -> None:
    turned = Facts(dict(reversed(source.entities.items())), tuple(reversed(source.triples)), source.properties)
    first, second = (distort(given, seed=seed, languages=LANGUAGES) for given in (source, turned))
    assert pickle.dumps(first) == pickle.dumps(second)


@given(random_facts())
def test_every_triple_is_drawn_or_counted(source: Facts) -> None:
    draw = distort(source, languages=LANGUAGES)
    assert len(draw.fives) + sum(draw.left_out.values()) == len(source.triples)


def test_the_only_false_draws() -> None:
    draw = distort(
        facts([("France", "P36", "Paris"), ("Italy", "P36", "Rome")]), languages=LANGUAGES, properties=["P36"]
    )
    assert draw == Draw((), {NO_FALSE_DRAW: 2})  # SS and PSS would be the same statement

    world = facts([("France", "P36", "Paris"), ("Italy", "P36", "Rome"), ("Dune", "P50", "Herbert")])
    draw = distort(world, languages=LANGUAGES, properties=["P36", "P50"])
    fives = {five.org.subject: five for five in draw.fives}
    assert fives.keys() == {"France", "Italy"}
    assert draw.left_out == {NO_FALSE_DRAW: 1}
    assert fives["France"] == Five(
        Triple("France", "P36", "Paris"),
        ss=Triple("Dune", "P36", "Paris"),
        os=Triple("France", "P36", "Herbert"),
        pss=Triple("Italy", "P36", "Paris"),
        pos=Triple("France", "P36", "Rome"),
    )


def test_a_property_whose_every_draw_is_true_is_left_out() -> None:
    everywhere = [(who, "P1412", what) for who in ("a", "b") for what in ("Latin", "Greek")]
    other = [("Dune", "P50", "Herbert"), ("Emma", "P50", "Austen"), ("Ulysses", "P50", "Joyce")]
    draw = distort(facts(everywhere + other), languages=LANGUAGES)
    assert draw.left_out == {NO_FALSE_DRAW: 4}
    assert {five.org.property for five in draw.fives} == {"P50"}


def test_a_border_is_drawn_once() -> None:
    borders = [("a", "P47", "b"), ("b", "P47", "a"), ("c", "P47", "d"), ("e", "P47", "f")]
    others = [("x", "P50", "y"), ("v", "P50", "w")]
    draw = distort(facts(borders + others, P47={"symmetric": True}), languages=LANGUAGES, properties=["P47", "P50"])
    assert draw.left_out[SAID_BEFORE] == 1


def test_a_missing_label_leaves_out_the_triple_and_the_replacement() -> None:
    triples = [(f"s{number}", "P50", f"o{number}") for number in range(5)]
    draw = distort(facts(triples, (entity("s0", en="only English"), entity("o1", ko="한국어"))), languages=LANGUAGES)
    assert draw.left_out == {NO_LABEL: 2}
    used = {end for five in draw.fives for triple in five for end in (triple.subject, triple.object)}
    assert len(draw.fives) == 3
    assert used.isdisjoint({"s0", "o1"})


def test_properties_take_turns() -> None:
    many = [(f"s{number}", "P50", f"o{number}") for number in range(50)]
    few = [(f"c{number}", "P36", f"t{number}") for number in range(4)]
    draw = distort(facts(many + few), count=10, languages=LANGUAGES)
    assert Counter(five.org.property for five in draw.fives) == {"P50": 6, "P36": 4}


def test_another_seed_draws_otherwise() -> None:
    source = facts([(f"s{number}", "P50", f"o{number}") for number in range(50)])
    assert distort(source, count=5, seed=1, languages=LANGUAGES) != distort(
        source, count=5, seed=2, languages=LANGUAGES
    )


def test_too_few_triples_is_an_error_with_the_counts() -> None:
    source = facts([(f"s{number}", "P50", f"o{number}") for number in range(5)])
    with pytest.raises(UserError, match="only 5 triples have false distortions, not 6"):
        distort(source, count=6, languages=LANGUAGES)
