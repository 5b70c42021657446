from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from crossfact.sword.dump_entities import Wanted, read_entity, read_lines
from crossfact.sword.dump_layout import BrokenLine
from tests.shared import shared_path

EN = Wanted(("en",))
NO_ID = {"type": "wikibase-entityid", "value": {"entity-type": "item"}}


def label(lang: str, value: str) -> dict[str, dict[str, str]]:
    return {lang: {"language": lang, "value": value}}


def statement(target: str, rank: str = "normal", **snak: Any) -> dict[str, Any]:
    value = {"entity-type": "item", "numeric-id": int(target[1:]), "id": target}
    main = {
        "snaktype": "value",
        "property": "P1",
        "datavalue": {"value": value, "type": "wikibase-entityid"},
        "datatype": "wikibase-item",
    }
    return {"mainsnak": main | snak, "type": "statement", "rank": rank, "references": [{"snaks": {}}]}


def item(**changes: Any) -> dict[str, Any]:
    plain = {
        "type": "item",
        "id": "Q7",
        "labels": label("en", "seven") | label("de", "sieben"),
        "descriptions": label("en", "a number"),
        "aliases": {"en": [{"language": "en", "value": "7"}], "de": [{"language": "de", "value": "VII"}]},
        "claims": {"P1": [statement("Q8")]},
        "sitelinks": {},
    }
    return {key: value for key, value in (plain | changes).items() if value is not None}


def read(entity: Any, wanted: Wanted = EN) -> tuple[Any, dict[str, int]]:
    counts: Counter[str] = Counter()
    record = read_entity(json.dumps(entity).encode(), wanted, counts)
    return (None if record is None else json.loads(record)), {key: n for key, n in counts.items() if n}


def test_an_item_gives_its_number_facts_labels_and_aliases() -> None:
    assert read(item()) == ([7, ["P1", "Q8"], ["seven"], {"en": ["7"]}], {})


@pytest.mark.parametrize(
    ("ranks", "kept", "dropped"),
    [
        (["normal", "normal"], ["Q10", "Q11"], {}),
        (["normal", "preferred", "preferred"], ["Q11", "Q12"], {"not of the best rank": 1}),
        (["deprecated", "normal"], ["Q11"], {"deprecated": 1}),
        (["deprecated"], [], {"deprecated": 1}),
        (["deprecated", "preferred", "normal"], ["Q11"], {"deprecated": 1, "not of the best rank": 1}),
    ],
)
def test_only_truthy_statements_are_kept(ranks: list[str], kept: list[str], dropped: dict[str, int]) -> None:
    statements = [statement(f"Q{10 + number}", rank) for number, rank in enumerate(ranks)]
    record, counts = read(item(claims={"P1": statements}))
    assert record[1] == [part for target in kept for part in ("P1", target)]
    assert counts == {f"statements dropped: {reason}": number for reason, number in dropped.items()}


@pytest.mark.parametrize("snaktype", ["novalue", "somevalue"])
def test_a_preferred_statement_without_a_value_still_outranks(snaktype: str) -> None:
    unknown = {"mainsnak": {"snaktype": snaktype, "property": "P1"}, "rank": "preferred"}
    record, counts = read(item(claims={"P1": [statement("Q8"), unknown], "P2": [statement("Q9")]}))
    assert record[1] == ["P2", "Q9"]
    assert counts == {"statements dropped: not of the best rank": 1, f"statements dropped: {snaktype}": 1}


@pytest.mark.parametrize(
    "datavalue",
    [
        {"value": "text", "type": "string"},
        {"value": {"amount": "+26", "unit": "1"}, "type": "quantity"},
        {"value": {"latitude": 1.5, "longitude": 2, "precision": None}, "type": "globecoordinate"},
        {"value": {"entity-type": "property", "numeric-id": 8, "id": "P8"}, "type": "wikibase-entityid"},
        {"value": {"entity-type": "lexeme", "numeric-id": 8, "id": "L8"}, "type": "wikibase-entityid"},
    ],
)
def test_values_that_are_not_items_are_dropped(datavalue: Any) -> None:
    record, counts = read(item(claims={"P1": [statement("Q8", datavalue=datavalue)]}))
    assert record[1] == []
    assert counts == {"statements dropped: value is not an item": 1}


def test_a_fact_said_twice_is_kept_once() -> None:
    record, counts = read(item(claims={"P1": [statement("Q8"), statement("Q8"), statement("Q9")]}))
    assert record[1] == ["P1", "Q8", "P1", "Q9"]
    assert counts == {"statements dropped: said twice": 1}


def test_other_properties_are_dropped_when_some_are_chosen() -> None:
    claims = {"P1": [statement("Q8"), statement("Q9")], "P2": [statement("Q3")]}
    record, counts = read(item(claims=claims), Wanted(("en",), frozenset({"P2"})))
    assert record[1] == ["P2", "Q3"]
    assert counts == {"statements dropped: property not chosen": 2}


class TestOldLayouts:
    def test_numeric_id_without_id_and_no_datatype(self) -> None:
        old = statement("Q8")
        del old["mainsnak"]["datatype"]
        del old["mainsnak"]["datavalue"]["value"]["id"]
        assert read(item(claims={"P1": [old]}))[0][1] == ["P1", "Q8"]

    def test_statement_without_rank_is_normal(self) -> None:
        old = statement("Q8")
        del old["rank"]
        assert read(item(claims={"P1": [old]}))[0][1] == ["P1", "Q8"]

    def test_lists_for_empty_maps(self) -> None:
        assert read(item(claims=[], aliases=[]))[0] == [7, [], ["seven"], {}]
        assert read(item(labels=[])) == (None, {"items dropped: no label in a chosen language": 1})

    def test_entity_without_type(self) -> None:
        assert read(item(type=None))[0][0] == 7
        assert read(item(type=None, id="P7"))[0][0] == "P7"

    def test_mock_dump(self) -> None:
        kept = read_lines(shared_path("data", "wikidata", "mock-dump-for-testing.json").read_bytes(), Wanted(("de",)))
        assert [json.loads(line) for line in kept.records.splitlines()] == [
            [1, ["P31", "Q1454986"], ["Universum"], {"de": ["Weltall", "All", "Kosmos", "Weltraum"]}],
            [8, ["P31", "Q331769", "P31", "Q9415"], ["Glück"], {}],
            ["P16", {"de": "Straßennetz"}, {}],
        ]
        assert kept.broken is None
        assert kept.counts["entities"] == 4
        assert kept.counts["lines"] == 6
        assert kept.counts["entities skipped: lexeme"] == 1


class TestLabels:
    def of(self, labels: Any, *languages: str) -> tuple[Any, dict[str, int]]:
        record, counts = read(item(labels=labels), Wanted(languages))
        return record and record[2], counts

    def test_every_language_is_needed(self) -> None:
        dropped = {"items dropped: no label in a chosen language": 1}
        assert self.of(label("en", "a"), "en", "de") == (None, dropped)
        assert self.of(label("en", " ") | label("de", "b"), "en", "de") == (None, dropped)

    def test_own_label_comes_before_mul(self) -> None:
        labels, counts = self.of(label("en", "own") | label("mul", "all"), "en", "de")
        assert labels == {"en": "own", "mul": "all"}
        assert counts == {"labels in de from mul": 1}

    def test_chinese_from_its_variants_before_mul(self) -> None:
        several = label("zh-cn", "丙") | label("zh-hans", "乙") | label("mul", "all")
        assert self.of(label("zh", "甲") | several, "zh") == (["甲"], {})
        assert self.of(several, "zh") == ({"zh": "乙"}, {"labels in zh from zh-hans": 1})
        assert self.of(label("zh-cn", "丙"), "zh") == ({"zh": "丙"}, {"labels in zh from zh-cn": 1})
        assert self.of(label("zh-tw", "丁"), "zh")[0] is None

    def test_white_space_around_is_dropped(self) -> None:
        assert self.of(label("en", " a\u3000"), "en") == (["a"], {})

    def test_order_is_that_of_the_languages(self) -> None:
        assert self.of(label("is", "á") | label("af", "b"), "af", "is") == (["b", "á"], {})

    def test_aliases_of_other_languages_are_left_out(self) -> None:
        aliases = {"mul": [{"language": "mul", "value": "M"}], "fr": [{"language": "fr", "value": "F"}]}
        assert read(item(aliases=aliases))[0][3] == {"mul": ["M"]}


class TestProperties:
    def test_flags_come_from_constraints_and_the_inverse_property(self) -> None:
        inverse = {"value": {"entity-type": "property", "numeric-id": 527, "id": "P527"}, "type": "wikibase-entityid"}
        claims = {
            "P2302": [statement("Q21510862"), statement("Q19474404")],
            "P1696": [statement("Q1", datavalue=inverse)],
        }
        record, _ = read(item(type="property", id="P361", labels=label("en", "part of"), claims=claims))
        assert record == ["P361", {"en": "part of"}, {"symmetric": True, "single_valued": True, "inverse": "P527"}]

    def test_a_deprecated_constraint_says_nothing(self) -> None:
        claims = {"P2302": [statement("Q21510862", "deprecated")]}
        assert read(item(type="property", id="P1", claims=claims))[0][2] == {}

    def test_labels_may_be_missing(self) -> None:
        assert read(item(type="property", id="P1", labels=[]))[0] == ["P1", {}, {}]


@pytest.mark.parametrize(
    ("entity", "what"),
    [
        ({"entity": "Q1", "redirect": "Q2"}, "redirect"),
        ({"type": "lexeme", "id": "L1", "lemmas": {}, "claims": []}, "lexeme"),
        ({"type": "mediainfo", "id": "M1", "labels": {}, "statements": []}, "mediainfo"),
    ],
)
def test_what_is_neither_item_nor_property_is_skipped(entity: Any, what: str) -> None:
    assert read(entity) == (None, {f"entities skipped: {what}": 1})


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"item","id":"Q1","labels":{},"claims":{}',
        b'{"type":"item","id":"Q1"}}',
        b'"Q1"',
        b"nonsense",
        b"]]",
        b"{}",
        json.dumps(item(id="X7")).encode(),
        json.dumps(item(id="Qseven")).encode(),
        json.dumps(item(id="")).encode(),
        json.dumps(item(claims={"P1": [{"rank": "normal"}]})).encode(),
        json.dumps(item(claims={"P1": ["Q8"]})).encode(),
        json.dumps(item(labels={"en": "seven"})).encode(),
        json.dumps(
            item(
                claims={
                    "P1": [statement("Q8", datavalue={"type": "wikibase-entityid", "value": {"entity-type": "item"}})]
                }
            )
        ).encode(),
    ],
)
def test_a_line_that_is_not_an_entity_is_broken(line: bytes) -> None:
    with pytest.raises(BrokenLine):
        read_entity(line, EN, Counter())


@pytest.mark.parametrize("cut", range(1, 400, 7))
def test_every_cut_in_a_line_is_seen(cut: int) -> None:
    line = json.dumps(item()).encode()
    assert len(line) > 400
    with pytest.raises(BrokenLine):
        read_entity(line[:cut], EN, Counter())


def test_lines_are_read_with_brackets_commas_and_any_line_ends() -> None:
    one, two = (json.dumps(item(id=key)) for key in ("Q1", "Q2"))
    for text in (f"[\n{one},\n{two}\n]\n", f"[\r\n{one},\r\n{two}\r\n]", f"{one}\n\n{two}", f" {one} , \n{two}\t\n"):
        kept = read_lines(text.encode(), EN)
        assert [json.loads(line)[0] for line in kept.records.splitlines()] == [1, 2], text
        assert kept.counts["entities"] == 2
        assert kept.broken is None


def test_reading_stops_at_a_broken_line_and_counts_those_before() -> None:
    good = json.dumps(item())
    kept = read_lines(f"[\n{good},\n{good[:-9]},\n{good}\n]\n".encode(), EN)
    assert kept.broken is not None
    assert kept.broken.startswith("not JSON")
    assert (kept.counts["lines"], kept.counts["entities"]) == (2, 1)


def _naively(path: Path, languages: tuple[str, ...]) -> dict[str, list[tuple[str, str]]]:
    """The facts by json.loads and the definition of truthy, word for word."""
    found = {}
    with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
        for line in file:
            if len(line) < 4:
                continue
            entity = json.loads(line.strip().rstrip(b","))
            if not all(lang in entity["labels"] for lang in languages):
                continue
            facts = []
            for prop, statements in entity["claims"].items():
                for rank in ("preferred", "normal"):
                    best = [one["mainsnak"] for one in statements if one["rank"] == rank]
                    if best:
                        break
                for snak in best:
                    if snak["snaktype"] == "value" and snak["datatype"] == "wikibase-item":
                        facts.append((prop, snak["datavalue"]["value"]["id"]))
            found[entity["id"]] = list(dict.fromkeys(facts))
    return found


@pytest.mark.parametrize("name", ["dump-49-entities.json", "dump-10k-items.json.gz"])
def test_real_dumps_give_what_a_naive_reader_finds(name: str) -> None:
    path = shared_path("data", "wikidata", name)
    languages = ("en", "de", "fr", "es", "it", "pt", "ko", "ja")
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    kept = read_lines(text, Wanted(languages))
    assert kept.broken is None
    ours = {}
    for line in kept.records.splitlines():
        number, facts, labels, _ = json.loads(line)
        assert len(labels) == 8
        ours[f"Q{number}"] = list(zip(facts[::2], facts[1::2], strict=True))
    naive = _naively(path, languages)
    assert len(naive) == {"dump-49-entities.json": 48, "dump-10k-items.json.gz": 10116}[name]
    assert ours == naive
