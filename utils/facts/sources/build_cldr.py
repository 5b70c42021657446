"""Countries, capitals, official languages and currencies, with their names, from the CLDR that Babel brings.

Names are what CLDR shows in a menu; `cldr_corrections.yaml` says what one writes in a sentence instead.
"""

from __future__ import annotations

import re
from typing import Any

from babel import Locale
from babel.core import get_cldr_version, get_global
from babel.languages import get_official_languages
from babel.numbers import get_currency_name

from crossfact.utils.errors import UserError
from crossfact.utils.facts import checks
from crossfact.utils.facts.schema import Entity
from crossfact.utils.facts.sources.part import LANGUAGES, Part, table

CLDR = "49"
CODES = (
    "aa",
    "as",
    "bo",
    "cy",
    "eo",
    "eu",
    "gl",
    "grc",
    "gu",
    "ha",
    "kn",
    "la",
    "ml",
    "mr",
    "pa",
    "sa",
    "te",
    "yi",
    "yo",
)
"""Languages that are official in no country of ours and that works and people may have."""

# Not the currency that a country's prices are in, or one that changed too lately to be common knowledge.
_NOT_CURRENT = {("BT", "INR"), ("HT", "USD"), ("LS", "ZAR"), ("NA", "ZAR")}
_NO_CURRENCY = {"BG", "PS", "ZW"}
# Where CLDR names no exemplar city, the last part of the zone's id stands for it: right for Latin letters only.
_LATIN = {"en", "de", "fr", "es", "it", "pt", "tr", "sw", "is", "af"}
# CLDR's Bengali cities are rough transliterations; ours are written by hand.
_CITY_LANGUAGES = tuple(lang for lang in LANGUAGES if lang != "bn")


def build() -> Part:
    """Countries with capital, official languages, currencies; all languages that have a Wikidata id.

    Raises:
        UserError: another CLDR than the pinned one is installed.
    """
    if str(get_cldr_version()) != CLDR:
        raise UserError(
            f"Babel brings CLDR {get_cldr_version()}, the facts were built with {CLDR}: install babel==2.19"
        )
    part = Part("CLDR")
    names = _Names()
    for code in CODES:
        part.add(names.language(code))
    spoken = table("official_languages.yaml")
    for code, row in table("countries.yaml").items():
        country = part.add(names.country(code, row["id"]))
        if "capital" in row:
            city = part.add(names.city(code, row))
            part.state(country, "P36", city)
            part.state(city, "P17", country)
        if code not in spoken["omit"]:
            listed = spoken["change"].get(code) or get_official_languages(code, de_facto=True)
            for language in dict.fromkeys(tag.split("_")[0] for tag in listed):
                part.state(country, "P37", part.add(names.language(language)))
        for currency in _currencies(code):
            part.state(country, "P38", part.add(names.currency(currency)))
    names.check_corrections()
    return part


def continents() -> dict[str, Entity]:
    """GeoNames' continent codes → continents, with CLDR's names."""
    names = _Names()
    rows = table("wikidata_ids.yaml")["continents"].items()
    return {code: Entity(qid, "continent", names.territory(territory)) for code, (qid, territory) in rows}


def _currencies(code: str) -> list[str]:
    """The codes of the legal tender in use now; fund codes are none."""
    if code in _NO_CURRENCY:
        return []
    rows = get_global("territory_currencies")[code]
    return [c for c, _, until, tender in rows if until is None and tender and (code, c) not in _NOT_CURRENT]


class _Names:
    """CLDR's names in all our languages, corrected."""

    def __init__(self) -> None:
        self.locales = {lang: Locale(lang) for lang in LANGUAGES}
        self.ids = table("wikidata_ids.yaml")
        self.corrections = table("cldr_corrections.yaml")
        self.capitals = table("capitals.yaml")
        self.aliases = table("aliases.yaml")
        self.used: set[tuple[str, str, str]] = set()

    def territory(self, code: str) -> dict[str, str]:
        names = {lang: locale.territories.get(code) for lang, locale in self.locales.items()}
        return self._corrected("territories", code, {lang: _no_brackets(name) for lang, name in names.items()})

    def country(self, code: str, qid: str) -> Entity:
        return Entity(qid, "country", self.territory(code), self._aliases("territories", code))

    def language(self, code: str) -> Entity:
        names = {lang: locale.languages.get(code) for lang, locale in self.locales.items()}
        entity_id = self.ids["languages"].get(code, f"x:language-{code}")
        return Entity(entity_id, "language", self._corrected("languages", code, names))

    def currency(self, code: str) -> Entity:
        names = {lang: locale.currencies.get(code) for lang, locale in self.locales.items()}
        # Display names in some languages begin with a capital; a sentence wants "US dollar", "dólar americano".
        names["en"] = get_currency_name(code, count=1, locale="en")
        for lang in ("pt", "sw"):
            name = names[lang]
            names[lang] = name and name[0].lower() + name[1:]
        # Japanese ones have a space between the words and some a code after them.
        names["ja"] = names["ja"] and _no_brackets(re.sub(r"(?<=[^A-Z]) (?=[^A-Z])", "", names["ja"]))
        entity_id = self.ids["currencies"].get(code, f"x:currency-{code.lower()}")
        return Entity(entity_id, "currency", self._corrected("currencies", code, names))

    def city(self, code: str, row: dict[str, str]) -> Entity:
        names: dict[str, str | None] = {"en": row["city"]}
        if zone := row.get("zone"):
            last = zone.split("/")[-1].replace("_", " ")
            for lang in _CITY_LANGUAGES:
                city = self.locales[lang].time_zones.get(zone, {}).get("city")
                names.setdefault(lang, city or (last if lang in _LATIN else None))
        written = dict(self.capitals.get(code, {}))
        names |= dict.fromkeys(written.pop("same", []), row["city"]) | written
        labels = self._corrected("cities", code, names)
        return Entity(row["capital"], "city", labels, self._aliases("cities", code))

    def _aliases(self, kind: str, code: str) -> dict[str, tuple[str, ...]]:
        return checks.aliases(self.aliases[kind].get(code, {}), f"aliases.yaml, {code}")

    def _corrected(self, kind: str, code: str, names: dict[str, Any]) -> dict[str, str]:
        labels = {lang: name.replace("\u00ad", "") for lang, name in names.items() if name}  # soft hyphens
        for lang, name in self.corrections[kind].get(code, {}).items():
            if labels.get(lang) != name:
                self.used.add((kind, code, lang))
                labels[lang] = name
        return labels

    def check_corrections(self) -> None:
        """Refuse corrections that change nothing, so that the table does not outlive its reasons."""
        given = {(k, code, lang) for k, rows in self.corrections.items() for code, row in rows.items() for lang in row}
        if idle := sorted(given - self.used):
            raise UserError(f"cldr_corrections.yaml: no change by {idle}; drop them")


def _no_brackets(name: str | None) -> str | None:
    """'Myanmar (Burma)' → 'Myanmar'."""
    return name and re.sub(r" ?[(（].*[)）]$", "", name)
