import pytest

from tests.utils.grammar.cases import bend, parse

CASES = parse("""
country | Schweiz | nom die Schweiz | akk die Schweiz | gen der Schweiz | dat der Schweiz | von von der Schweiz
country | Türkei | in in der Türkei | zu zur Türkei
country | Iran | nom der Iran | akk den Iran | gen des Iran | dat dem Iran | von vom Iran | in im Iran | zu zum Iran
country | Frankreich | nom Frankreich | gen Frankreichs | von von Frankreich | in in Frankreich
country | Laos | gen Laos’ | von von Laos
country | Vereinigtes Königreich | nom das Vereinigte Königreich | akk das Vereinigte Königreich
country | Vereinigtes Königreich | gen des Vereinigten Königreichs | in im Vereinigten Königreich
country | Vereinigte Staaten | nom die Vereinigten Staaten | gen der Vereinigten Staaten
country | Vereinigte Staaten | dat den Vereinigten Staaten | in in den Vereinigten Staaten
country | USA | nom die USA | gen der USA | in in den USA
country | Vereinigte Arabische Emirate | nom die Vereinigten Arabischen Emirate
country | Vereinigte Arabische Emirate | dat den Vereinigten Arabischen Emiraten
country | Dominikanische Republik | nom die Dominikanische Republik | gen der Dominikanischen Republik
country | Niederlande | nom die Niederlande | dat den Niederlanden | gen der Niederlande
country | Philippinen | in auf den Philippinen | dat den Philippinen
country | Malta | in auf Malta | von von Malta
country | Volksrepublik China | gen der Volksrepublik China
country | Königreich der Niederlande | gen des Königreichs der Niederlande | in im Königreich der Niederlande
country | Südsudan | gen des Südsudan
country | Elfenbeinküste | von von der Elfenbeinküste
continent | Europa | gen Europas
continent | Antarktis | in in der Antarktis
city | Berlin | gen Berlins | von von Berlin
city | Paris | gen Paris’
element | Wasserstoff | von von Wasserstoff
currency | Euro | nom der Euro
currency | Japanischer Yen | nom der Japanische Yen | akk den Japanischen Yen
currency | Schweizer Franken | nom der Schweizer Franken
currency | Türkische Lira | nom die Türkische Lira | dat der Türkischen Lira
currency | Pfund Sterling | nom das Pfund Sterling
country | Schweiz | of der Schweiz
country | Frankreich | of Frankreichs
country | Honduras | of von Honduras
country | Antigua und Barbuda | of von Antigua und Barbuda
moon | Mond | gen des Monds
site | Weißes Haus | nom das Weiße Haus | akk das Weiße Haus | of vom Weißen Haus
site | Schiefer Turm von Pisa | nom der Schiefe Turm von Pisa | akk den Schiefen Turm von Pisa
site | Sydney Harbour Bridge | nom die Sydney Harbour Bridge
site | Nationalpark Komodo | akk den Nationalpark Komodo
person | Pieter Bruegel der Ältere | nom Pieter Bruegel der Ältere | akk Pieter Bruegel den Älteren
person | Pieter Bruegel der Ältere | von von Pieter Bruegel dem Älteren | gen Pieter Bruegels des Älteren
person | Katharina die Große | von von Katharina der Großen | akk Katharina die Große
""")


@pytest.mark.parametrize(("label", "name", "expected", "type_"), CASES)
def test_form(label, name, expected, type_):
    assert bend("de", label, name, type_) == expected


def test_verb_agrees():
    assert bend("de", "USA", "verb", "country", "ist", "sind") == "sind"
    assert bend("de", "Peru", "verb", "country", "ist", "sind") == "ist"
