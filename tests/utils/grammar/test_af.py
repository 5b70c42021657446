import pytest

from tests.utils.grammar.cases import bend, parse

CASES = parse("""
country | Verenigde State | die die Verenigde State | se die Verenigde State se
country | Verenigde Koninkryk | die die Verenigde Koninkryk
country | Frankryk | die Frankryk | se Frankryk se
country | Nederland | die Nederland
city | Berlyn | se Berlyn se
""")


@pytest.mark.parametrize(("label", "name", "expected", "type_"), CASES)
def test_form(label, name, expected, type_):
    assert bend("af", label, name, type_) == expected
