import re
from pathlib import Path

import pytest
import yaml

from crossfact.utils.grammar import LANGUAGES, nouns
from crossfact.utils.grammar.nouns import data

CLASSES = {
    "it": {"m", "f", "mp", "fp", "none", "own", "ending"},
    "fr": {"m", "f", "mp", "fp", "none"},
    "es": {"m", "f", "mp", "fp", "none", "ending"},
    "pt": {"m", "f", "mp", "fp", "none", "ending"},
    "de": {"m", "f", "n", "p", "ms", "ns", "none"},
    "en": {"the", "none"},
    "af": {"die", "none"},
}


def _rows(lang):
    for type_, of_class in data(lang)["nouns"].items():
        for class_, labels in of_class.items():
            for label, entity_id in labels.items():
                yield type_, class_, label, entity_id


@pytest.mark.parametrize("lang", CLASSES)
def test_rows_are_sound(lang):
    named = data(lang).get("classes", {})
    for type_, class_, label, entity_id in _rows(lang):
        assert named.get(class_, {"class": class_})["class"] in CLASSES[lang], (type_, label, class_)
        assert isinstance(label, str), f"YAML reads {label!r} as something else"
        assert entity_id is None or re.fullmatch(r"Q[1-9]\d*|x:[a-z0-9-]+", entity_id), (label, entity_id)
    for part in ("types", "first_words", "last_words"):
        for word, class_ in data(lang).get(part, {}).items():
            assert named.get(class_, {"class": class_})["class"] in CLASSES[lang], (part, word, class_)


@pytest.mark.parametrize("lang", ["it", "fr", "pt"])
def test_every_sovereign_country_has_its_article(lang):
    assert len({entity_id for type_, _, _, entity_id in _rows(lang) if type_ == "country"}) >= 195


@pytest.mark.parametrize("lang", CLASSES)
def test_a_label_of_a_type_stands_once(lang):
    labels = [(type_, label) for type_, _, label, _ in _rows(lang)]
    twice = {row for row in labels if labels.count(row) > 1}
    assert not twice


@pytest.mark.parametrize("lang", CLASSES)
def test_no_part_stands_twice(lang):
    def keys(node):
        if isinstance(node, yaml.MappingNode):
            yield [key.value for key, _ in node.value]
            for _, value in node.value:
                yield from keys(value)

    tree = yaml.compose((Path(nouns.__file__).parent / "data" / f"{lang}.yaml").read_text(encoding="utf-8"))
    assert all(len(found) == len(set(found)) for found in keys(tree))  # the second would replace the first


def test_every_language_has_quotation_marks():
    assert set(data("quotes")) == set(LANGUAGES)
