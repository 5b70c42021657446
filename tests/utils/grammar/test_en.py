import pytest

from tests.utils.grammar.cases import bend, parse

CASES = parse("""
country | United States | the the United States | poss the United States'
country | United States of America | the the United States of America
country | Netherlands | the the Netherlands | poss the Netherlands'
country | Philippines | the the Philippines
country | Czech Republic | the the Czech Republic
country | Czechia | the Czechia
country | Gambia | the the Gambia
country | The Gambia | the the Gambia
country | Bahamas | the the Bahamas
country | United Kingdom | the the United Kingdom | poss the United Kingdom's
country | Republic of Nowhere | the the Republic of Nowhere
country | Cayman Islands | the the Cayman Islands
country | France | the France | poss France's
country | Cyprus | the Cyprus | poss Cyprus's
country | Ukraine | the Ukraine
city | The Hague | the the Hague
city | Paris | the Paris
person | Kingdom Museum | the Kingdom Museum
currency | euro | the the euro
currency | United States dollar | the the United States dollar
element | hydrogen | the hydrogen
- | hour | a an hour
- | university | a a university
- | union | a a union
- | uninvited guest | a an uninvited guest
- | umbrella | a an umbrella
- | European | a a European
- | onion | a an onion
- | FBI agent | a an FBI agent
- | NASA probe | a a NASA probe
- | UFO | a a UFO
- | 8 | a an 8
- | 11 | a an 11
- | 180 | a a 180
- | 18 | a an 18
- | 800 | a an 800
- | Åland | a an Åland
- | “onion” | a an “onion”
""")


@pytest.mark.parametrize(("label", "name", "expected", "type_"), CASES)
def test_form(label, name, expected, type_):
    assert bend("en", label, name, type_) == expected
