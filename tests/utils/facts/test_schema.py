"""Facts are read and written unchanged, and what is wrong in a file is named with its line."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from crossfact.utils.errors import UserError
from crossfact.utils.facts import Entity, Facts, Property, Triple, embedded_facts, fingerprint, read_facts, write_facts

FRANCE = '{"id":"Q142","type":"country","labels":{"en":"France","tr":"Fransa"}}'
DOMAIN = '{"id":"x:tld-fr","type":"literal","labels":{"mul":".fr"}}'
TRIPLE = '{"subject":"Q142","property":"P78","object":"x:tld-fr"}'
PROPERTIES = "P78:\n  labels: {en: top-level domain}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "entities.jsonl").write_text(f"{FRANCE}\n{DOMAIN}\n", encoding="utf-8")
    (tmp_path / "triples.jsonl").write_text(f"{TRIPLE}\n", encoding="utf-8")
    (tmp_path / "properties.yaml").write_text(PROPERTIES, encoding="utf-8")
    return tmp_path


def add(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def test_label_falls_back_to_all_languages(folder: Path) -> None:
    facts = read_facts(folder)
    assert facts.label("Q142", "tr") == "Fransa"
    assert facts.label("x:tld-fr", "ja") == ".fr"
    assert not facts.has_label("Q142", "ja")
    with pytest.raises(UserError, match="Q142 has no label in ja"):
        facts.label("Q142", "ja")


def test_own_language_holds_against_mul(folder: Path) -> None:
    add(folder / "entities.jsonl", '{"id":"Q1","type":"person","labels":{"ja":"アダムズ","mul":"Adams"}}')
    facts = read_facts(folder)
    assert (facts.label("Q1", "ja"), facts.label("Q1", "de")) == ("アダムズ", "Adams")


def test_a_bare_alias_is_one_alias(folder: Path) -> None:
    row = '{"id":"Q30","type":"country","labels":{"en":"US"},"aliases":{"en":"America","mul":["USA","U.S."]}}'
    add(folder / "entities.jsonl", row)
    facts = read_facts(folder)
    assert facts.aliases("Q30", "en") == ("America", "USA", "U.S.")
    assert facts.aliases("Q142", "en") == ()


def test_lookups_keep_the_order_of_the_file(folder: Path) -> None:
    add(folder / "properties.yaml", "P47:\n  labels: {en: shares border with}\n  symmetric: true")
    for other in ("Q31", "Q29"):
        add(folder / "entities.jsonl", f'{{"id":"{other}","type":"country","labels":{{"en":"{other}"}}}}')
        add(folder / "triples.jsonl", f'{{"subject":"Q142","property":"P47","object":"{other}"}}')
    facts = read_facts(folder)
    assert facts.objects("Q142", "P47") == ("Q31", "Q29")
    assert facts.with_property("P47") == (Triple("Q142", "P47", "Q31"), Triple("Q142", "P47", "Q29"))
    assert facts.objects("Q31", "P47") == facts.with_property("P9") == ()
    assert facts.properties["P47"].symmetric
    assert not facts.properties["P78"].symmetric


def test_what_is_written_reads_the_same(tmp_path: Path) -> None:
    facts = Facts(
        {
            "Q142": Entity("Q142", "country", {"en": "France"}, {"en": ("La France",)}, popularity=7),
            "x:tld-fr": Entity("x:tld-fr", "literal", {"mul": ".fr"}),
        },
        (Triple("Q142", "P78", "x:tld-fr"),),
        {"P78": Property("P78", {"en": "domain", "ja": "ドメイン"}, inverse="P1", single_valued=True)},
    )
    write_facts(tmp_path, facts)
    assert read_facts(tmp_path) == facts


def test_bytes_do_not_depend_on_the_order_given(tmp_path: Path) -> None:
    entities = {key: Entity(key, "country", {"tr": key, "en": key}) for key in ("Q2", "Q1")}
    back = {key: Entity(key, "country", {"en": key, "tr": key}) for key in ("Q1", "Q2")}
    triples = (Triple("Q2", "P47", "Q1"), Triple("Q1", "P47", "Q2"))
    properties = {"P47": Property("P47", {"en": "border"}, symmetric=True)}
    write_facts(tmp_path / "a", Facts(entities, triples, properties))
    write_facts(tmp_path / "b", Facts(back, triples[::-1], properties))
    assert fingerprint(tmp_path / "a") == fingerprint(tmp_path / "b")


def test_fingerprint_sees_every_file(folder: Path) -> None:
    seen = {fingerprint(folder)}
    for name in ("entities.jsonl", "triples.jsonl", "properties.yaml"):
        add(folder / name, "")
        seen.add(fingerprint(folder))
    assert len(seen) == 4
    assert all(len(digest) == 64 for digest in seen)


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("entities.jsonl", "{", r"entities.jsonl, line 3: not JSON"),
        ("entities.jsonl", "[]", r"entities.jsonl, line 3: expected a JSON object"),
        ("entities.jsonl", FRANCE, r"entities.jsonl, line 3: the id Q142 stands twice"),
        ("entities.jsonl", '{"id":"Q1","type":"x","label":{}}', r"line 3: unknown key label"),
        ("entities.jsonl", '{"id":1,"type":"x","labels":{"en":"a"}}', r"line 3: id must be a text"),
        ("entities.jsonl", '{"id":"Q1","type":"x","labels":{}}', r"line 3: labels must map"),
        ("entities.jsonl", '{"id":"Q1","type":"x","labels":{"en":" a"}}', r"line 3: label en must be a text"),
        ("entities.jsonl", '{"id":"Q1","type":"x","labels":{"en":"a"},"aliases":{"en":5}}', r"line 3: aliases en"),
        ("entities.jsonl", '{"id":"Q1","type":"x","labels":{"en":"a"},"popularity":-1}', r"line 3: popularity"),
        ("entities.jsonl", '{"id":"Q1","type":"x","labels":{"en":"a"},"popularity":true}', r"line 3: popularity"),
        ("triples.jsonl", TRIPLE, r"triples.jsonl, line 2: the triple Q142 P78 x:tld-fr stands twice"),
        ("triples.jsonl", TRIPLE.replace("P78", "P9"), r"triples.jsonl, line 2: unknown property P9"),
        ("triples.jsonl", TRIPLE.replace("Q142", "Q9"), r"triples.jsonl, line 2: unknown entity Q9"),
        ("triples.jsonl", TRIPLE.replace("-fr", "-it"), r"triples.jsonl, line 2: unknown entity x:tld-it"),
        ("triples.jsonl", '{"subject":"Q142","property":"P78"}', r"line 2: object must be a text"),
        (
            "properties.yaml",
            "P1: {labels: {en: a}, symetric: true}",
            r"yaml, line 3: P1: unknown key symetric",
        ),
        ("properties.yaml", "P1: {labels: {en: a}, symmetric: 1}", r"line 3: P1: symmetric must be true or false"),
        ("properties.yaml", "P1: [", r"properties.yaml: not YAML"),
    ],
)
def test_a_wrong_line_is_named(folder: Path, name: str, line: str, message: str) -> None:
    add(folder / name, line)
    with pytest.raises(UserError, match=message) as error:
        read_facts(folder)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "triples.jsonl").unlink()
    with pytest.raises(UserError, match=r"cannot read .*triples.jsonl.*a folder of facts holds"):
        read_facts(folder)


def test_embedded_facts_are_read_once_and_fast() -> None:
    assert embedded_facts() is embedded_facts()
    best = min(_seconds() for _ in range(3))
    assert best < 0.3


def _seconds() -> float:
    start = time.perf_counter()
    embedded_facts.__wrapped__()
    return time.perf_counter() - start


def test_importing_brings_nothing_heavy() -> None:
    code = "import sys, crossfact.utils.facts; print([m for m in ('pydantic', 'babel', 'torch') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
