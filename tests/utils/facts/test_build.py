"""The committed facts are what the builders give, complete in the languages that need them, and plausible."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from crossfact.utils.errors import UserError
from crossfact.utils.facts import Entity, Facts, embedded_facts
from crossfact.utils.facts.schema import DATA, ENTITIES, PROPERTIES, TRIPLES
from crossfact.utils.facts.sources.part import LANGUAGES, Part, give_way, merge

SWORD = ("en", "de", "fr", "es", "it", "pt", "ko", "ja")


@pytest.fixture(scope="module")
def facts() -> Facts:
    return embedded_facts()


def test_committed_files_are_what_the_builders_give(tmp_path: Path) -> None:
    # Imported here: the builders need the extra `facts`, the other tests do not.
    from babel.core import get_cldr_version

    from crossfact.utils.facts.sources import build_all, build_cldr

    installed = str(get_cldr_version())
    assert installed == build_cldr.CLDR, f"CLDR {installed} is installed, the facts are built from {build_cldr.CLDR}"
    build_all.main(tmp_path)
    for name in (ENTITIES, TRIPLES, PROPERTIES):
        same = (tmp_path / name).read_bytes() == (DATA / name).read_bytes()
        assert same, f"{name} differs: run python -m crossfact.utils.facts.sources.build_all and commit what it writes"


def test_enough_triples_are_named_in_the_languages_of_sword(facts: Facts) -> None:
    named_in_all = {key for key in facts.entities if all(facts.has_label(key, lang) for lang in SWORD)}
    whole = [triple for triple in facts.triples if {triple.subject, triple.object} <= named_in_all]
    assert len(whole) >= 1500
    assert sum(count >= 20 for count in Counter(triple.property for triple in whole).values()) >= 15


def test_properties_are_named_in_every_language(facts: Facts) -> None:
    for prop in facts.properties.values():
        assert set(prop.labels) == set(LANGUAGES), prop.id


def test_kinds_that_sword_draws_from_are_named_in_its_languages(facts: Facts) -> None:
    kinds = {"city", "company", "country", "currency", "element", "language"}
    ids = [key for key, entity in sorted(facts.entities.items()) if entity.type in kinds]
    ids += sorted(
        {triple.object for made in ("P50", "P57", "P61", "P86", "P170") for triple in facts.with_property(made)}
    )
    assert [(key, lang) for key in ids for lang in SWORD if not facts.has_label(key, lang)] == []


def test_capitals_elements_and_countries_are_named_everywhere(facts: Facts) -> None:
    kinds = {"country", "continent", "currency", "element"}
    ids = {triple.object for triple in facts.with_property("P36")}
    ids |= {key for key, entity in facts.entities.items() if entity.type in kinds}
    lacking = [(key, lang) for key in sorted(ids) for lang in LANGUAGES if not facts.has_label(key, lang)]
    assert lacking == []


def test_no_two_countries_languages_or_elements_share_a_name(facts: Facts) -> None:
    for lang in LANGUAGES:
        names: dict[tuple[str, str], list[str]] = defaultdict(list)
        for key, entity in facts.entities.items():
            if entity.type in {"country", "language", "currency", "element", "continent"} and lang in entity.labels:
                names[entity.type, entity.labels[lang].casefold()].append(key)
        assert {name: keys for name, keys in names.items() if len(keys) > 1} == {}, lang


def test_borders_are_symmetric_and_those_known_wrong_are_gone(facts: Facts) -> None:
    borders = {(triple.subject, triple.object) for triple in facts.with_property("P47")}
    assert {pair[::-1] for pair in borders} == borders
    assert all(one != other for one, other in borders)
    for wrong in (("Q241", "Q30"), ("Q222", "Q403")):  # Cuba and the United States, Albania and Serbia
        assert wrong not in borders
    assert ("Q963", "Q953") in borders  # Botswana and Zambia
    assert len(facts.objects("Q183", "P47")) == 9  # Germany
    assert len(facts.objects("Q148", "P47")) == len(facts.objects("Q159", "P47")) == 14  # China, Russia


@pytest.mark.parametrize(
    ("lang", "entity_id", "name"),
    [
        ("tr", "Q43", "Türkiye"),
        ("en", "Q836", "Myanmar"),
        ("en", "Q974", "Democratic Republic of the Congo"),
        ("de", "Q1764", "Reykjavík"),
        ("ko", "Q1741", "빈"),
        ("fr", "Q1321", "espagnol"),
        ("de", "Q1321", "Spanisch"),
        ("en", "Q4917", "US dollar"),
        ("pt", "Q4917", "dólar americano"),
        ("ja", "Q4917", "米ドル"),
        ("tr", "Q4917", "ABD doları"),
        ("zh", "Q925", "汞"),
        ("is", "Q556", "vetni"),
    ],
)
def test_names_are_what_one_writes(facts: Facts, lang: str, entity_id: str, name: str) -> None:
    assert facts.label(entity_id, lang) == name


def named(facts: Facts, subject: str, property_id: str) -> list[str]:
    return sorted(facts.label(key, "en") for key in facts.objects(subject, property_id))


def test_facts_about_known_countries(facts: Facts) -> None:
    assert named(facts, "Q232", "P36") == ["Astana"]  # Kazakhstan; GeoNames has Nur-Sultan
    assert named(facts, "Q924", "P36") == ["Dodoma"]
    assert facts.objects("Q801", "P36") == ()  # Israel: disputed
    assert named(facts, "Q39", "P37") == ["French", "German", "Italian", "Romansh"]
    assert len(facts.objects("Q258", "P37")) == 11  # South Africa
    assert named(facts, "Q804", "P38") == ["Panamanian balboa", "US dollar"]
    assert named(facts, "Q145", "P78") == [".uk"]
    assert named(facts, "Q27", "P421") == ["UTC+00:00"]  # Ireland: winter time, though its law calls it otherwise
    assert named(facts, "Q668", "P421") == ["UTC+05:30"]
    assert named(facts, "Q43", "P421") == ["UTC+03:00"]
    assert len(facts.objects("Q159", "P421")) == 11  # Russia
    assert named(facts, "Q96", "P421") == ["UTC-05:00", "UTC-06:00", "UTC-07:00", "UTC-08:00"]


def test_elements(facts: Facts) -> None:
    assert len(facts.with_property("P1086")) == len(facts.with_property("P246")) == 118
    assert named(facts, "Q677", "P246") == ["Fe"]
    assert named(facts, "Q1307", "P1086") == ["118"]


def test_literals_have_one_name(facts: Facts) -> None:
    for entity in facts.entities.values():
        if entity.type == "literal":
            assert set(entity.labels) == {"mul"}, entity.id


def test_single_valued_properties_have_one_object(facts: Facts) -> None:
    single = {key for key, prop in facts.properties.items() if prop.single_valued}
    counts = Counter((triple.subject, triple.property) for triple in facts.triples if triple.property in single)
    assert [pair for pair, count in counts.items() if count > 1] == []


def part_of(**labels: str) -> Part:
    part = Part("here")
    part.add(Entity("Q1", "city", dict(labels)))
    return part


def test_sources_that_disagree_are_refused() -> None:
    with pytest.raises(UserError, match=r"Q1 has other labels elsewhere .*ko: 비엔나 / 빈"):
        merge([part_of(ko="비엔나"), part_of(ko="빈")])
    other = Part("there")
    other.add(Entity("Q1", "person", {"en": "Vienna"}))
    with pytest.raises(UserError, match="there: Q1 is a person, and a city elsewhere"):
        merge([part_of(en="Vienna"), other])


def test_a_source_gives_way() -> None:
    library, hand = part_of(en="Vienna", ko="비엔나"), part_of(ko="빈")
    give_way(library, hand)
    assert merge([library, hand]).entities["Q1"].labels == {"en": "Vienna", "ko": "빈"}


def test_a_triple_of_two_sources_is_kept_once() -> None:
    one, two = part_of(en="a"), part_of(en="a")
    for part in (one, two):
        part.state("Q1", "P17", "Q2")
    assert len(merge([one, two]).triples) == 1
