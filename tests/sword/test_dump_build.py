from __future__ import annotations

import bz2
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from crossfact.sword import dump_build
from crossfact.sword.dump_build import build_from_dump
from crossfact.utils.errors import UserError
from crossfact.utils.facts import read_facts
from crossfact.utils.languages import SWORD_LANGUAGES
from tests.shared import shared_path


def entity(key: str, labels: dict[str, str], facts: Iterable[tuple[str, str]] = (), **more: Any) -> dict[str, Any]:
    claims: dict[str, list[Any]] = {}
    for prop, target in facts:
        value = {"entity-type": "item", "numeric-id": int(target[1:]), "id": target}
        snak = {"snaktype": "value", "property": prop, "datavalue": {"value": value, "type": "wikibase-entityid"}}
        claims.setdefault(prop, []).append({"mainsnak": snak, "type": "statement", "rank": "normal"})
    return {
        "type": "property" if key.startswith("P") else "item",
        "id": key,
        "labels": {lang: {"language": lang, "value": name} for lang, name in labels.items()},
        "aliases": {},
        "claims": claims,
    } | more


def text(entities: Iterable[Any]) -> bytes:
    return ("[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in entities) + "\n]\n").encode()


FRANCE = entity("Q142", {"en": "France", "de": "Frankreich"}, [("P36", "Q90"), ("P30", "Q46"), ("P47", "Q31")])
BELGIUM = entity("Q31", {"en": "Belgium", "de": "Belgien"}, [("P36", "Q239"), ("P47", "Q142"), ("P30", "Q46")])
WORLD = [
    FRANCE,
    BELGIUM,
    entity("Q90", {"mul": "Paris"}, [("P6", "Q1")]),  # the mayor has no label
    entity("Q239", {"en": "Brussels"}, [("P17", "Q31")]),  # no label in German
    entity("Q46", {"en": "Europe", "de": "Europa"}),
    entity("Q5", {"en": "human", "de": "Mensch"}),
    entity("P36", {"en": "capital city", "de": "Hauptstadt"}),
    FRANCE,
]


@pytest.fixture
def world(tmp_path: Path) -> Path:
    path = tmp_path / "world.json"
    path.write_bytes(text(WORLD))
    return path


def build(dump: Path, out: Path, **options: Any) -> dict[str, Any]:
    return build_from_dump(dump, out, **{"languages": ("en", "de"), "workers": 1, "progress": False} | options)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_facts_are_those_whose_two_ends_have_labels(world: Path, tmp_path: Path) -> None:
    manifest = build(world, tmp_path / "out")
    facts = read_facts(tmp_path / "out")
    assert [(one.subject, one.property, one.object) for one in facts.triples] == [
        ("Q142", "P36", "Q90"),
        ("Q142", "P30", "Q46"),
        ("Q142", "P47", "Q31"),
        ("Q31", "P47", "Q142"),
        ("Q31", "P30", "Q46"),
    ]
    assert sorted(facts.entities) == ["Q142", "Q31", "Q46", "Q90"]
    assert facts.label("Q142", "de") == "Frankreich"
    assert facts.label("Q90", "de") == "Paris"
    assert facts.properties["P36"].labels == {"en": "capital city", "de": "Hauptstadt"}  # the dump's own label
    assert facts.properties["P47"].symmetric  # what the package knows of a property that the dump does not describe
    assert manifest == json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert manifest["lines"] == 10
    assert manifest["entities"] == {
        "read": 8,
        "written": 4,
        "skipped": {},
        "dropped": {"no fact is left": 1, "no label in a chosen language": 1, "stands twice": 1},
    }
    assert manifest["statements"] == {
        "written": 5,
        "dropped": {"its item stands twice": 3, "the object has no label in a chosen language": 2},
    }
    assert manifest["facts_per_property"] == {"P30": 2, "P36": 1, "P47": 2}
    assert manifest["labels_from_fallbacks"] == {"en from mul": 1, "de from mul": 1}
    assert set(files(tmp_path / "out")) == {"entities.jsonl", "triples.jsonl", "properties.yaml", "manifest.json"}


def test_properties_with_too_few_facts_are_dropped(world: Path, tmp_path: Path) -> None:
    manifest = build(world, tmp_path / "out", min_facts_per_property=2)
    assert manifest["facts_per_property"] == {"P30": 2, "P47": 2}
    assert manifest["statements"]["dropped"]["its property has too few facts"] == 1
    assert "Q90" not in read_facts(tmp_path / "out").entities


def test_only_chosen_properties_are_kept(world: Path, tmp_path: Path) -> None:
    manifest = build(world, tmp_path / "out", properties=["P36"])
    assert manifest["facts_per_property"] == {"P36": 1}
    assert manifest["statements"]["dropped"]["property not chosen"] == 7


def test_a_property_that_the_dump_describes_needs_all_labels(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    both = {"en": "a", "de": "b"}
    two = [entity("Q1", both, [("P1", "Q2"), ("P2", "Q2"), ("P3", "Q2")]), entity("Q2", both)]
    path.write_bytes(text([*two, entity("P1", {"en": "one"}), entity("P2", {"mul": "two"})]))
    manifest = build(path, tmp_path / "out")
    assert manifest["statements"]["dropped"] == {"its property has no label in a chosen language": 1}
    assert manifest["properties_without_all_labels"] == ["P3"]
    properties = read_facts(tmp_path / "out").properties
    assert properties["P2"].labels == {"en": "two", "de": "two"}
    assert properties["P3"].labels == {"mul": "P3"}


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress])
def test_compressed_and_parallel_builds_give_the_same(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compress: Any
) -> None:
    monkeypatch.setattr(dump_build, "CHUNK_BYTES", 300)
    build(world, tmp_path / "plain")
    packed = tmp_path / "packed"
    half = len(text(WORLD)) // 2
    packed.write_bytes(compress(text(WORLD)[:half]) + compress(text(WORLD)[half:]))
    build(packed, tmp_path / "other", workers=3)
    plain, other = files(tmp_path / "plain"), files(tmp_path / "other")
    assert plain.pop("manifest.json") != other.pop("manifest.json")  # the source is another one
    assert plain == other


class TestBroken:
    """Never a silently short set: an error, the count of good lines, and no facts."""

    def fails(self, data: bytes, tmp_path: Path, **options: Any) -> str:
        path = tmp_path / "dump"
        path.write_bytes(data)
        with pytest.raises(UserError) as error:
            build(path, tmp_path / "out", **options)
        assert not (tmp_path / "out" / "entities.jsonl").exists()
        assert not (tmp_path / "out" / "manifest.json").exists()
        assert "\n" not in str(error.value)
        return str(error.value)

    @pytest.mark.parametrize("workers", [1, 2])
    def test_cut_in_a_line(self, tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(dump_build, "CHUNK_BYTES", 500)
        message = self.fails(text(WORLD)[:-60], tmp_path, workers=workers)
        assert "after 7 good lines, line 9 is not JSON" in message

    def test_cut_between_two_lines(self, tmp_path: Path) -> None:
        short = b"".join(text(WORLD).splitlines(keepends=True)[:5])
        assert "after 4 good lines, the list ends without its closing ]" in self.fails(short, tmp_path)

    def test_cut_before_the_closing_bracket(self, tmp_path: Path) -> None:
        assert "after 8 good lines, the list ends" in self.fails(text(WORLD)[:-3], tmp_path)

    def test_damage_in_the_middle(self, tmp_path: Path) -> None:
        lines = text(WORLD).splitlines(keepends=True)
        lines[3] = lines[3][:40] + b"\n"
        assert "after 2 good lines, line 4 is not JSON" in self.fails(b"".join(lines), tmp_path)

    @pytest.mark.parametrize("compress", [gzip.compress, bz2.compress])
    @pytest.mark.parametrize("workers", [1, 2])
    def test_cut_off_stream(self, tmp_path: Path, compress: Any, workers: int) -> None:
        lines = text(WORLD).splitlines(keepends=True)
        data = compress(b"".join(lines[:4])) + compress(b"".join(lines[4:]))[:-20]
        message = self.fails(data, tmp_path, workers=workers)
        good = int(message.partition("after ")[2].partition(" ")[0])
        assert 3 <= good <= 8
        assert "the compressed stream is cut off" in message

    @pytest.mark.parametrize("data", [b"", b"[\n]\n", gzip.compress(b"")])
    def test_no_entity(self, tmp_path: Path, data: bytes) -> None:
        assert "holds no entity" in self.fails(data, tmp_path)

    def test_not_a_dump(self, tmp_path: Path) -> None:
        assert "line 1 is not JSON" in self.fails(b"\x89PNG\r\n\x1a\n\x00\x00", tmp_path)

    def test_nothing_left(self, tmp_path: Path) -> None:
        message = self.fails(text([entity("Q1", {"en": "a"})]), tmp_path, languages=["en", "ko"])
        assert "no fact is left" in message
        assert "1 items dropped: no label in a chosen language" in message

    def test_an_excerpt_is_accepted_when_asked_for(self, tmp_path: Path) -> None:
        path = tmp_path / "dump"
        path.write_bytes(b"".join(text(WORLD).splitlines(keepends=True)[:6]))
        manifest = build(path, tmp_path / "out", excerpt=True)
        assert not manifest["list_closed"]
        assert manifest["entities"]["read"] == 5

    def test_lines_without_a_list_need_no_bracket(self, tmp_path: Path) -> None:
        path = tmp_path / "dump"
        path.write_bytes(text(WORLD)[2:-3].replace(b",\n", b"\n"))
        assert build(path, tmp_path / "out")["list_closed"]


class TestOutput:
    def test_a_second_run_does_nothing(self, world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        first = build(world, tmp_path / "out")
        monkeypatch.setattr(dump_build, "read_chunks", None)
        assert build(world, tmp_path / "out") == first

    @pytest.mark.parametrize("options", [{"languages": ["en"]}, {"properties": ["P36"]}, {"min_facts_per_property": 2}])
    def test_other_filters_do_not_overwrite(self, world: Path, tmp_path: Path, options: Any) -> None:
        build(world, tmp_path / "out")
        with pytest.raises(UserError, match="choose another folder"):
            build(world, tmp_path / "out", **options)

    def test_another_dump_does_not_overwrite(self, world: Path, tmp_path: Path) -> None:
        build(world, tmp_path / "out")
        world.write_bytes(text(WORLD[:-1]))
        with pytest.raises(UserError, match="choose another folder"):
            build(world, tmp_path / "out")

    def test_facts_from_elsewhere_are_not_overwritten(self, world: Path, tmp_path: Path) -> None:
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "entities.jsonl").touch()
        with pytest.raises(UserError, match="not built from a dump"):
            build(world, tmp_path / "out")

    @pytest.mark.parametrize(
        ("options", "what"),
        [({"languages": []}, "no language"), ({"properties": ["capital"]}, "'capital'"), ({"workers": 0}, "0 workers")],
    )
    def test_bad_options_are_said(self, world: Path, tmp_path: Path, options: Any, what: str) -> None:
        with pytest.raises(UserError, match=what):
            build(world, tmp_path / "out", **options)

    def test_missing_dump(self, tmp_path: Path) -> None:
        with pytest.raises(UserError, match="is not a file"):
            build(tmp_path / "absent.json", tmp_path / "out")


DIES = """
import os, signal, sys
from pathlib import Path
from crossfact.sword import dump_build, dump_lines

dump_lines.READ_BYTES = 2_000
dump_build.CHUNK_BYTES, dump_build.CHECKPOINT_CHUNKS = 40_000, 2
save, select_facts, calls = dump_build.save, dump_build.select_facts, []

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def save_until(path, build, checkpoint, records):
    calls.append(checkpoint)
    if len(calls) == {saves}:
        records.write(b"half a rec")
        records.flush()
        die()
    save(path, build, checkpoint, records)

def select_then_die(*arguments):
    select_facts(*arguments)
    die()

if __name__ == "__main__":
    dump_build.save = save_until
    if not {saves}:
        dump_build.select_facts = select_then_die
    dump_build.build_from_dump(
        Path(sys.argv[1]), Path(sys.argv[2]), languages=("en", "ko"), workers=2, progress=False
    )
"""


@pytest.mark.parametrize("saves", [0, 1, 4])
@pytest.mark.parametrize("form", ["plain", "gzip", "bzip2 of many streams"])
def test_a_killed_build_goes_on_and_ends_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saves: int, form: str
) -> None:
    names = {"en": "name " * 20, "ko": "이름"}
    data = text(entity(f"Q{number}", names, [("P1", f"Q{number * 7 % 999 + 1}")]) for number in range(1, 2000))
    dump, script = tmp_path / "dump", tmp_path / "dies.py"
    if form == "plain":
        dump.write_bytes(data)
    elif form == "gzip":
        dump.write_bytes(gzip.compress(data))
    else:
        dump.write_bytes(b"".join(bz2.compress(data[start : start + 50_001]) for start in range(0, len(data), 50_001)))
    script.write_text(DIES.format(saves=saves))

    killed = subprocess.Popen([sys.executable, str(script), str(dump), str(tmp_path / "out")], start_new_session=True)
    assert killed.wait(60) == -signal.SIGKILL
    assert not (tmp_path / "out" / "manifest.json").exists()
    _wait_until_gone(killed.pid)

    starts = []
    monkeypatch.setattr(dump_build, "read_chunks", lambda *args: starts.append(args[1].text) or READ_CHUNKS(*args))
    resumed = build(dump, tmp_path / "out", languages=("en", "ko"))
    if saves == 0:
        assert starts == []  # all had been read
    elif saves == 1:
        assert starts == [0]  # killed before its first checkpoint
    else:
        assert 3 * 2 * 40_000 <= starts[0] < len(data)
    whole = build(dump, tmp_path / "whole", languages=("en", "ko"), workers=2)
    assert resumed == whole
    assert resumed["entities"]["read"] == 1999
    assert files(tmp_path / "out") == files(tmp_path / "whole")


READ_CHUNKS = dump_build.read_chunks


def _wait_until_gone(group: int) -> None:
    """A killed build must leave no worker behind."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(group, signal.SIGKILL)
    pytest.fail("worker processes outlived the build")


def test_a_checkpoint_of_another_build_is_not_used(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dump_build, "select_facts", lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        build(world, tmp_path / "out", languages=["en"])
    monkeypatch.undo()
    build(world, tmp_path / "out")
    build(world, tmp_path / "fresh")
    assert files(tmp_path / "out") == files(tmp_path / "fresh")


def test_ten_thousand_items(tmp_path: Path) -> None:
    dump = shared_path("data", "wikidata", "dump-10k-items.json.gz")
    manifest = build(dump, tmp_path / "out", languages=SWORD_LANGUAGES, workers=2)
    facts = read_facts(tmp_path / "out")
    assert manifest["entities"]["read"] == 10116
    assert manifest["statements"] == {"written": 12864, "dropped": {}}
    assert len(facts.triples) == 12864
    assert Counter(one.property for one in facts.triples) == manifest["facts_per_property"]
    assert manifest["properties_without_all_labels"] == []
    ends = {end for one in facts.triples for end in (one.subject, one.object)}
    assert ends == set(facts.entities)
    assert facts.label("Q48", "ko") == "아시아"
    assert (facts.properties["P361"].inverse, facts.properties["P530"].symmetric) == ("P527", True)


def test_real_entities(tmp_path: Path) -> None:
    dump = shared_path("data", "wikidata", "dump-49-entities.json")
    with pytest.raises(UserError, match="after 49 good lines, the list ends without its closing"):
        build(dump, tmp_path / "out", languages=SWORD_LANGUAGES)
    manifest = build(dump, tmp_path / "out", languages=SWORD_LANGUAGES, excerpt=True)
    facts = read_facts(tmp_path / "out")
    assert manifest["entities"]["read"] == 49
    assert ("Q31", "P47", "Q142") in {(one.subject, one.property, one.object) for one in facts.triples}
