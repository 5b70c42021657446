from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crossfact.clear.items import write_items
from crossfact.clear.source import read_source
from crossfact.utils.errors import UserError
from tests.clear.scripted import made_up_items


def test_a_built_folder_by_dataset(source: Path) -> None:
    items, origin = read_source(str(source), "strategyqa")
    assert [item.id for item in items] == [f"strategyqa-{place}" for place in range(4)]
    assert origin.name == source.name
    assert origin.fingerprint != read_source(str(source), "popqa")[1].fingerprint


def test_the_fingerprint_sees_texts_and_order(tmp_path: Path) -> None:
    items = made_up_items("popqa")
    changed = replace(items[0], languages={**items[0].languages, "en": items[1].languages["en"]})
    prints = set()
    for number, variant in enumerate((items, items[::-1], [changed, *items[1:]])):
        write_items(tmp_path / str(number), variant)
        prints.add(read_source(str(tmp_path / str(number)), "popqa")[1].fingerprint)
    assert len(prints) == 3


def test_the_embedded_questions() -> None:
    items, origin = read_source("embedded", "strategyqa")
    assert origin.name == "embedded"
    assert len(items) >= 60


def test_wrong_sources_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="neither 'embedded' nor a folder"):
        read_source("embeded", "popqa")
    with pytest.raises(UserError, match="no official data"):
        read_source("official", "popqa")
    with pytest.raises(UserError, match=r"items\.jsonl"):
        read_source(str(tmp_path), "popqa")
    write_items(tmp_path / "half", made_up_items("popqa"))
    with pytest.raises(UserError, match="holds no strategyqa item"):
        read_source(str(tmp_path / "half"), "strategyqa")


def test_all_items_are_in_the_same_languages(tmp_path: Path) -> None:
    first, second, *_ = made_up_items("popqa")
    fewer = {lang: version for lang, version in second.languages.items() if lang != "sw"}
    write_items(tmp_path, [first, replace(second, languages=fewer)])
    with pytest.raises(UserError, match=r"popqa-1 and popqa-0 are not in the same languages \(sw\)"):
        read_source(str(tmp_path), "popqa")
