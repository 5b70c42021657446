from __future__ import annotations

from pathlib import Path

import pytest

from crossfact.clear.embedded_strategyqa import DATA, strategyqa_items
from crossfact.clear.items import truth
from crossfact.utils.answers import truth_words
from crossfact.utils.errors import UserError
from crossfact.utils.languages import CLEAR_LANGUAGES


def test_every_item_is_in_every_language_and_truth_is_balanced() -> None:
    items = strategyqa_items()
    assert len(items) >= 60
    there = [lang for lang in CLEAR_LANGUAGES if (DATA / f"{lang}.yaml").exists()]
    assert all(list(item.languages) == there for item in items)
    true = sum(truth(item) is True for item in items)
    assert abs(2 * true - len(items)) <= 2
    for item in items:
        for lang, version in item.languages.items():
            assert {*version.answers, *version.counter_answer} == set(truth_words(lang))


def test_texts_differ_from_one_another() -> None:
    for item in strategyqa_items():
        texts = [text for version in item.languages.values() for text in (version.support, version.counter)]
        assert len(set(texts)) == len(texts)


def test_a_language_that_lacks_a_question_is_named(tmp_path: Path) -> None:
    (tmp_path / "answers.yaml").write_text("a: true\nb: false\n")
    (tmp_path / "en.yaml").write_text("a: {question: q, support: s, counter: c}\n")
    with pytest.raises(UserError, match=r"en\.yaml lacks b"):
        strategyqa_items(tmp_path)
    (tmp_path / "answers.yaml").write_text("a: maybe\n")
    with pytest.raises(UserError, match="a must be true or false"):
        strategyqa_items(tmp_path)
    (tmp_path / "answers.yaml").write_text("- a\n")
    with pytest.raises(UserError, match="expected a map"):
        strategyqa_items(tmp_path)
    (tmp_path / "answers.yaml").write_text("a: [\n")
    with pytest.raises(UserError, match="not YAML"):
        strategyqa_items(tmp_path)
