import pytest

from crossfact.utils.grammar import noun, render
from tests.utils.grammar.cases import bend, parse

CASES = parse("""
country | Italia | art l'Italia | di dell'Italia | a all'Italia | da dall'Italia | in in Italia | su sull'Italia
country | Canada | art il Canada | di del Canada | a al Canada | da dal Canada | in in Canada | su sul Canada
country | Stati Uniti | art gli Stati Uniti | di degli Stati Uniti | in negli Stati Uniti | da dagli Stati Uniti
country | Stati Uniti d'America | di degli Stati Uniti d'America
country | Paesi Bassi | art i Paesi Bassi | di dei Paesi Bassi | in nei Paesi Bassi | a ai Paesi Bassi
country | Regno Unito | di del Regno Unito | in nel Regno Unito
country | Filippine | art le Filippine | di delle Filippine | in nelle Filippine
country | Cuba | art Cuba | di di Cuba | in a Cuba | a a Cuba | da da Cuba
country | Malta | di di Malta | in a Malta
country | Israele | di di Israele | in in Israele
country | Andorra | a ad Andorra | in ad Andorra
country | Haiti | in ad Haiti | di di Haiti
country | Honduras | di dell'Honduras
country | Yemen | art lo Yemen | di dello Yemen
country | Zimbabwe | di dello Zimbabwe
country | Sri Lanka | art lo Sri Lanka
country | Svizzera | di della Svizzera | in in Svizzera
country | Repubblica Ceca | di della Repubblica Ceca | in nella Repubblica Ceca
country | Repubblica popolare di X | di della Repubblica popolare di X
country | El Salvador | di di El Salvador | in in El Salvador
country | Giappone | di del Giappone
country | Uruguay | di dell'Uruguay
continent | Antartide | in in Antartide | di dell'Antartide
continent | Nordamerica | in in Nordamerica
city | Roma | art Roma | di di Roma | in a Roma
city | Atene | in ad Atene
city | Il Cairo | art Il Cairo | di del Cairo | in al Cairo | da dal Cairo
city | L'Aia | di dell'Aia | in all'Aia
city | La Paz | di di La Paz | in a La Paz
element | idrogeno | di dell'idrogeno
element | zolfo | di dello zolfo
element | zinco | di dello zinco
element | xeno | di dello xeno
element | stagno | di dello stagno
element | iodio | di dello iodio
element | selenio | di del selenio
element | ferro | di del ferro | art il ferro | in nel ferro
element | oro | art l'oro
element | uranio | art l'uranio
currency | euro | art l'euro
currency | yen | art lo yen
currency | dollaro statunitense | art il dollaro statunitense
currency | lira turca | art la lira turca
currency | sterlina britannica | art la sterlina britannica
language | spagnolo | art lo spagnolo | in in spagnolo
language | inglese | art l'inglese | in in inglese
language | lingua swahili | art la lingua swahili
region | Sicilia | in in Sicilia | di della Sicilia
region | Marche | in nelle Marche
novel | Isola di nessuno | di di Isola di nessuno
- | Università di Bologna | di dell'Università di Bologna
person | Castello Rossi | di di Castello Rossi
country | Maldive | in alle Maldive | di delle Maldive | a alle Maldive
country | Filippine | in nelle Filippine
moon | Europa | art Europa
site | Space Needle | art lo Space Needle
site | pogost di Kiži | di del pogost di Kiži
""")


@pytest.mark.parametrize(("label", "name", "expected", "type_"), CASES)
def test_form(label, name, expected, type_):
    assert bend("it", label, name, type_) == expected


def test_verb_agrees():
    template = "{{ s | art | cap }} {{ s | verb('confina', 'confinano') }} con {{ o | art }}."
    assert render(template, "it", s=noun("Paesi Bassi", "it"), o=noun("Belgio", "it")) == (
        "I Paesi Bassi confinano con il Belgio."
    )
    assert (
        render(template, "it", s=noun("Belgio", "it"), o=noun("Francia", "it")) == "Il Belgio confina con la Francia."
    )
