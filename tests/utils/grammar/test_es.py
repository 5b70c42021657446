import pytest

from tests.utils.grammar.cases import bend, parse

CASES = parse("""
country | Francia | art Francia | de de Francia | a a Francia | en en Francia
country | Reino Unido | art el Reino Unido | de del Reino Unido | a al Reino Unido | en en el Reino Unido
country | Estados Unidos | art Estados Unidos | de de Estados Unidos
country | Países Bajos | art los Países Bajos | de de los Países Bajos | a a los Países Bajos
country | Emiratos Árabes Unidos | de de los Emiratos Árabes Unidos
country | El Salvador | art El Salvador | de de El Salvador | a a El Salvador
country | India | de de la India | a a la India
country | República Checa | de de la República Checa
country | República de Nadie | de de la República de Nadie
country | Maldivas | de de las Maldivas
country | Islas Cook | en en las Islas Cook
country | Congo | de del Congo | a al Congo
country | Perú | de de Perú
country | Chequia | art Chequia
continent | Europa | de de Europa
continent | Antártida | en en la Antártida
city | El Cairo | de de El Cairo | a a El Cairo
city | La Haya | de de La Haya
city | Madrid | de de Madrid
element | hierro | art el hierro | de del hierro
currency | yen | art el yen
currency | libra esterlina | art la libra esterlina
language | español | art el español | de del español
- | Universidad de Salamanca | de de la Universidad de Salamanca
- | Sol | de del Sol
site | torre Eiffel | art la torre Eiffel | de de la torre Eiffel
site | edificio Chrysler | de del edificio Chrysler
site | Gran Barrera de Coral | art la Gran Barrera de Coral
site | Cinque Terre | art las Cinque Terre
""")


@pytest.mark.parametrize(("label", "name", "expected", "type_"), CASES)
def test_form(label, name, expected, type_):
    assert bend("es", label, name, type_) == expected


def test_verb_agrees():
    assert bend("es", "Países Bajos", "verb", "country", "es", "son") == "son"
    assert bend("es", "Estados Unidos", "verb", "country", "es", "son") == "es"
