"""What a build from a dump says about itself: source, filters, and counts of what was written and dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crossfact.sword.dump_checkpoint import Checkpoint
from crossfact.sword.dump_entities import VARIANTS, Wanted
from crossfact.sword.dump_select import Selected

FORMAT = 1
"""Counted up whenever the same dump and filters can give other facts."""


def describe_build(dump: Path, mark: str, wanted: Wanted, min_facts: int, excerpt: bool) -> dict[str, Any]:
    """What is built from what; two builds with the same description give the same bytes.

    Args:
        dump: the source.
        mark: its fingerprint.
        wanted: languages and properties.
        min_facts: the fewest facts that a property may have.
        excerpt: whether the list may stay open.
    """
    return {
        "format": FORMAT,
        "source": {"name": dump.name, "bytes": dump.stat().st_size, "fingerprint": mark},
        "filters": {
            "languages": list(wanted.languages),
            "label_fallbacks": {lang: [*VARIANTS.get(lang, ()), "mul"] for lang in wanted.languages},
            "properties": None if wanted.properties is None else sorted(wanted.properties),
            "min_facts_per_property": min_facts,
            "excerpt": excerpt,
        },
    }


def manifest(build: dict[str, Any], read: Checkpoint, selected: Selected) -> dict[str, Any]:
    """The content of manifest.json; it has no date, so that two builds can be compared byte for byte."""
    counts = Counter(read.counts)
    counts.update(selected.counts)
    return {
        **build,
        "list_closed": is_closed(read),
        "lines": counts["lines"],
        "entities": {
            "read": counts["entities"],
            "written": counts["items written"],
            "skipped": _part(counts, "entities skipped: "),
            "dropped": _part(counts, "items dropped: "),
        },
        "statements": {
            "written": counts["statements written"],
            "dropped": _part(counts, "statements dropped: "),
        },
        "labels_from_fallbacks": _part(counts, "labels in "),
        "facts_per_property": dict(sorted(selected.facts.items())),
        "properties_without_all_labels": selected.unnamed,
    }


def is_closed(read: Checkpoint) -> bool:
    """Whether the dump's list, if it has one, was closed; a comma at the end asks for one more entity."""
    return read.last == "]" if read.first == "[" else read.last != ","


def _part(counts: Mapping[str, int], prefix: str) -> dict[str, int]:
    return {key.removeprefix(prefix): counts[key] for key in sorted(counts) if key.startswith(prefix) and counts[key]}
