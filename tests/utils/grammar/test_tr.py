import pytest

from tests.utils.grammar.cases import bend, parse

CASES = parse("""
country | Türkiye | gen Türkiye'nin | loc Türkiye'de | abl Türkiye'den | acc Türkiye'yi | dat Türkiye'ye
country | Brezilya | gen Brezilya'nın | locki Brezilya'daki | ins Brezilya'yla
country | Kuzey Makedonya | gen Kuzey Makedonya'nın | loc Kuzey Makedonya'da | dat Kuzey Makedonya'ya
country | Portekiz | gen Portekiz'in | loc Portekiz'de
country | İsrail | gen İsrail'in | cop İsrail'dir
country | Senegal | gen Senegal'in | loc Senegal'de | cop Senegal'dir
country | Nepal | gen Nepal'in
country | Irak | gen Irak'ın | loc Irak'ta | dat Irak'a
country | Fas | gen Fas'ın | loc Fas'ta
country | Peru | gen Peru'nun | acc Peru'yu | dat Peru'ya
country | Ürdün | gen Ürdün'ün | loc Ürdün'de
country | Çad | gen Çad'ın | loc Çad'da
country | Kıbrıs | loc Kıbrıs'ta | dat Kıbrıs'a
country | Birleşik Krallık | gen Birleşik Krallık'ın | loc Birleşik Krallık'ta
country | Amerika Birleşik Devletleri | gen Amerika Birleşik Devletleri'nin | locki Amerika Birleşik Devletleri'ndeki
country | Amerika Birleşik Devletleri | dat Amerika Birleşik Devletleri'ne | abl Amerika Birleşik Devletleri'nden
country | Fildişi Sahili | gen Fildişi Sahili'nin | loc Fildişi Sahili'nde | cop Fildişi Sahili'dir
country | Dominik Cumhuriyeti | loc Dominik Cumhuriyeti'nde | acc Dominik Cumhuriyeti'ni
country | Marshall Adaları | loc Marshall Adaları'nda | dat Marshall Adaları'na
country | Ekvator Ginesi | loc Ekvator Ginesi'nde
country | Yeni Gine | loc Yeni Gine'de
country | Haiti | loc Haiti'de | gen Haiti'nin
city | Ankara | cop Ankara'dır
city | Paris | cop Paris'tir | loc Paris'te
city | Washington | cop Washington'dur
city | New York | cop New York'tur
city | Seul | cop Seul'dür
city | Nice | gen Nice'in
city | Bordeaux | gen Bordeaux'nun | cop Bordeaux'dur
city | Edinburgh | cop Edinburgh'dur
city | Cambridge | loc Cambridge'de
city | Port Louis | loc Port Louis'te
city | İstanbul | gen İstanbul'un
city | Hakkâri | gen Hakkâri'nin
- | İzmir Saat Kulesi | loc İzmir Saat Kulesi'nde
- | Beyoğlu | loc Beyoğlu'nda
company | BMW | gen BMW'nin
company | Renault | gen Renault'nun
company | Peugeot | gen Peugeot'nun
company | Microsoft | gen Microsoft'un | cop Microsoft'tur
company | Facebook | gen Facebook'un
company | Google | gen Google'ın
company | Apple | gen Apple'ın
company | Apple Inc. | cop Apple Inc.'dir | gen Apple Inc.'in
company | Sony | gen Sony'nin
company | Netflix | cop Netflix'tir
company | IKEA | gen IKEA'nın
company | IBM | gen IBM'in
company | DAF | gen DAF'ın
company | Coca-Cola Company | gen Coca-Cola Company'nin
- | ABD | gen ABD'nin | loc ABD'de
- | FIFA | gen FIFA'nın
- | macOS | loc macOS'te
- | C++ | gen C++'nın
person | Shakespeare | gen Shakespeare'in
person | William Shakespeare | gen William Shakespeare'in
person | Albert Einstein | gen Albert Einstein'ın
person | Rousseau | gen Rousseau'nun
person | Louis | gen Louis'nin
person | Pope John Paul II | gen Pope John Paul II'nin
person | Luka Modrić | gen Luka Modrić'in
person | Bruce Lee | gen Bruce Lee'nin
person | David Lynch | gen David Lynch'in
person | Orhan Kulesi | loc Orhan Kulesi'de
element | hidrojen | gen hidrojenin | cop hidrojendir
element | oksijen | gen oksijenin
element | bakır | gen bakırın | acc bakırı
element | cıva | gen cıvanın
element | Bakır | gen Bakırın
element | arsenik | gen arseniğin | loc arsenikte | cop arseniktir
element | kükürt | gen kükürdün | cop kükürttür
element | iyot | acc iyodu
currency | euro | gen euronun
currency | Türk lirası | gen Türk lirasının | loc Türk lirasında
language | Türkçe | cop Türkçedir | gen Türkçenin
language | Fransızca | cop Fransızcadır
language | Urdu | cop Urdu'dur
literal | 8 | cop 8'dir | gen 8'in
literal | 3 | cop 3'tür
literal | 6 | cop 6'dır | dat 6'ya
literal | 10 | cop 10'dur
literal | 40 | cop 40'tır | acc 40'ı
literal | 100 | cop 100'dür
literal | 1000 | cop 1000'dir
literal | 1.000.000 | cop 1.000.000'dur
literal | 0 | cop 0'dır
literal | 26 | cop 26'dır
literal | UTC+03:00 | cop UTC+03:00'tür | loc UTC+03:00'te
literal | UTC+01:00 | cop UTC+01:00'dir
literal | UTC+05:30 | cop UTC+05:30'dur
literal | UTC+00:00 | cop UTC+00:00'dır
literal | .tr | cop .tr'dir
literal | .ua | cop .ua'dır
literal | .ax | cop .ax'tir
literal | .io | cop .io'dur
literal | Fe | cop Fe'dir
literal | Ag | cop Ag'dir
literal | Au | cop Au'dur
literal | Na | cop Na'dır
literal | H | cop H'dir
literal | X | cop X'tir
- | saat | acc saati
- | Galatasaray (İstanbul) | gen Galatasaray (İstanbul)'un
person | William Turner | gen William Turner'ın
person | Pierre-Auguste Renoir | gen Pierre-Auguste Renoir'ın
person | Georges Bizet | gen Georges Bizet'nin
person | T. E. Lawrence | gen T. E. Lawrence'ın
person | Richard Wagner | gen Richard Wagner'in
company | Starbucks | gen Starbucks'ın
car brand | Dodge | gen Dodge'un | cop Dodge'dur
car brand | UAZ | gen UAZ'ın
site | Stonehenge | gen Stonehenge'in | loc Stonehenge'de
university | Imperial College London | cop Imperial College London'dır
language | Seyşeller Kreolü | loc Seyşeller Kreolü'nde
mobile operator | China Mobile | cop China Mobile'dır
""")


@pytest.mark.parametrize(("label", "name", "expected", "type_"), CASES)
def test_form(label, name, expected, type_):
    assert bend("tr", label, name, type_) == expected
