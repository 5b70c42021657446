import pytest

from tests.utils.grammar.cases import bend, parse

CASES = parse("""
country | France | art la France | de de la France | a à la France | en en France
country | Canada | art le Canada | de du Canada | a au Canada | en au Canada
country | Iran | art l'Iran | de de l'Iran | en en Iran
country | Égypte | art l'Égypte | de de l'Égypte | en en Égypte
country | États-Unis | art les États-Unis | de des États-Unis | en aux États-Unis
country | Pays-Bas | de des Pays-Bas | en aux Pays-Bas
country | Royaume-Uni | de du Royaume-Uni | en au Royaume-Uni
country | Danemark | en au Danemark
country | Cuba | art Cuba | de de Cuba | en à Cuba
country | Haïti | de d'Haïti | en en Haïti
country | Israël | art Israël | de d'Israël | en en Israël
country | Hongrie | art la Hongrie | de de la Hongrie
country | Honduras | art le Honduras | de du Honduras
country | Yémen | art le Yémen
country | Ukraine | art l'Ukraine
country | République tchèque | de de la République tchèque | en en République tchèque
country | Barbade | en à la Barbade
country | Îles Marshall | art les Îles Marshall | en aux Îles Marshall
continent | Europe | de de l'Europe | en en Europe
city | Paris | de de Paris | en à Paris
city | Oslo | de d'Oslo | en à Oslo
city | Le Caire | de du Caire | en au Caire | art Le Caire
city | La Haye | de de La Haye | a à La Haye
city | Hambourg | de de Hambourg
city | Helsinki | de d'Helsinki
city | Ouagadougou | de de Ouagadougou
city | Ypres | de d'Ypres
city | Yaoundé | de de Yaoundé
element | hydrogène | art l'hydrogène | de de l'hydrogène
element | hafnium | art le hafnium
element | yttrium | art l'yttrium
element | iode | de de l'iode
element | fer | de du fer
language | français | art le français | en en français
language | hindi | art le hindi
language | ouzbek | art l'ouzbek
currency | euro | art l'euro
currency | yen | art le yen
currency | livre sterling | art la livre sterling
person | Le Corbusier | de de Le Corbusier
person | Hector Berlioz | de d'Hector Berlioz
person | Caravage | de de Caravage
company | Intel | de d'Intel
company | Hispano-Suiza | de d'Hispano-Suiza
site | tour Eiffel | art la tour Eiffel | de de la tour Eiffel
site | Escurial | art l'Escurial
site | Cinque Terre | art les Cinque Terre | de des Cinque Terre
country | îles Marshall | art les îles Marshall | en aux îles Marshall
moon | Europe | art Europe | de d'Europe
invention | rayons X | art les rayons X
- | 11 | de de 11
- | œuvre | de d'œuvre
""")


@pytest.mark.parametrize(("label", "name", "expected", "type_"), CASES)
def test_form(label, name, expected, type_):
    assert bend("fr", label, name, type_) == expected


def test_verb_agrees():
    assert bend("fr", "États-Unis", "verb", "country", "est", "sont") == "sont"
    assert bend("fr", "Suisse", "verb", "country", "est", "sont") == "est"
