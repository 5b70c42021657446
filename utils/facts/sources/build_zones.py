"""Standard UTC offsets of countries, from the tz database (public domain) and CLDR's zones by territory.

Rule: of each time zone that CLDR lists for the country's ISO territory, the smaller of the offsets on 1 January and on
1 July 2026, so that daylight saving time never counts. Each offset of a country counts once. Dependencies with a code
of their own are not part of a country; where a country is commonly said to span their zones too, it is left out.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from importlib.resources import files
from zoneinfo import ZoneInfo

from babel.core import get_global

from crossfact.utils.facts.sources.part import Part, table

YEAR = 2026
_SPANS_OVERSEAS = {"DK", "FR", "GB", "NL"}
_NOT_LEGAL = {"Australia/Eucla", "Antarctica/Macquarie", "Europe/Simferopol"}
# Official time is Beijing's in the whole country; Ürümqi's zone has no legal standing.
_ONE_ZONE = {"CN": "Asia/Shanghai"}


def build() -> Part:
    """P421 as literals such as "UTC+05:30"."""
    part = Part("time zones")
    zones = get_global("territory_zones")
    for code, row in table("countries.yaml").items():
        if code in _SPANS_OVERSEAS:
            continue
        names = [_ONE_ZONE[code]] if code in _ONE_ZONE else zones.get(code, ())  # none for Kosovo
        for offset in sorted({_offset(name) for name in names if name not in _NOT_LEGAL}):
            part.state(row["id"], "P421", part.literal("utc", _text(offset)))
    return part


def _offset(name: str) -> timedelta:
    # The package and not the machine's own files, so that every machine builds the same.
    with files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as file:
        zone = ZoneInfo.from_file(file)
    offsets = [datetime(YEAR, month, 1, tzinfo=zone).utcoffset() for month in (1, 7)]
    return min(offset for offset in offsets if offset is not None)


def _text(offset: timedelta) -> str:
    minutes = int(offset.total_seconds() // 60)
    return f"UTC{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
