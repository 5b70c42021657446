import pytest

from tests.utils.grammar.cases import bend, parse

CASES = parse("""
country | Frakkland | acc Frakkland | dat Frakklandi | gen Frakklands | where í Frakklandi
country | Ísland | where á Íslandi
country | Danmörk | acc Danmörku | dat Danmörku | gen Danmerkur
country | Bandaríkin | dat Bandaríkjunum | gen Bandaríkjanna | where í Bandaríkjunum
country | Ítalía | dat Ítalíu | gen Ítalíu | where á Ítalíu
country | Færeyjar | dat Færeyjum | gen Færeyja | where á Færeyjum
country | Pakistan | dat Pakistan | gen Pakistans
country | Noregur | acc Noreg | dat Noregi
country | Barein | where í Barein | gen Bareins
country | Palestína | gen Palestínu
country | Lýðstjórnarlýðveldið Kongó | dat Lýðstjórnarlýðveldinu Kongó | gen Lýðstjórnarlýðveldisins Kongó
country | Barbados | where á Barbados
city | Róm | dat Róm | where í Róm
person | Jón Holland | gen Jón Holland
""")


@pytest.mark.parametrize(("label", "name", "expected", "type_"), CASES)
def test_form(label, name, expected, type_):
    assert bend("is", label, name, type_) == expected
