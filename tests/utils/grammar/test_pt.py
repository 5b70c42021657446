import pytest

from tests.utils.grammar.cases import bend, parse

CASES = parse("""
country | Brasil | art o Brasil | de do Brasil | em no Brasil | a ao Brasil | por pelo Brasil
country | França | art a França | de da França | em na França | a à França | por pela França
country | Estados Unidos | art os Estados Unidos | de dos Estados Unidos | em nos Estados Unidos | a aos Estados Unidos
country | Filipinas | de das Filipinas | em nas Filipinas | a às Filipinas | por pelas Filipinas
country | Portugal | art Portugal | de de Portugal | em em Portugal | a a Portugal | por por Portugal
country | Angola | de de Angola
country | Cuba | em em Cuba
country | Camarões | de dos Camarões
country | República Checa | de da República Checa
country | Chéquia | de da Chéquia
country | Reino Unido | em no Reino Unido
country | Quênia | de do Quênia
country | Quénia | de do Quénia
continent | Europa | em na Europa
city | Lisboa | de de Lisboa | em em Lisboa
city | Porto | de do Porto
city | Rio de Janeiro | em no Rio de Janeiro
element | ferro | art o ferro
currency | libra esterlina | art a libra esterlina
currency | euro | art o euro
language | português | art o português
- | Universidade de Coimbra | de da Universidade de Coimbra
country | Uganda | art Uganda | em em Uganda
site | Maracanã | art o Maracanã
site | Falésias de Bandiagara | art as Falésias de Bandiagara
site | Arena de Verona | em na Arena de Verona
moon | Europa | art Europa
""")


@pytest.mark.parametrize(("label", "name", "expected", "type_"), CASES)
def test_form(label, name, expected, type_):
    assert bend("pt", label, name, type_) == expected


def test_verb_agrees():
    assert bend("pt", "Estados Unidos", "verb", "country", "é", "são") == "são"
    assert bend("pt", "Brasil", "verb", "country", "é", "são") == "é"
