"""Where a benchmark's data come from, and the fingerprint that tells two versions of them apart.

A source is `embedded` (in the package, the default), `official` (downloaded from its home and pinned) or a folder
that a builder wrote. It is chosen with `--metadata '{"source": "..."}'`, never by what happens to lie on the machine.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EMBEDDED = "embedded"
OFFICIAL = "official"


@dataclass(frozen=True)
class Source:
    """A dataset's origin.

    Attributes:
        name: `embedded`, `official`, or the name of the folder that holds the data.
        fingerprint: The first 16 hexadecimal digits of a SHA-256 over the data.
    """

    name: str
    fingerprint: str


class Splits(dict[str, Any]):
    """A dataset by split, as the harness's `custom_dataset` returns it, that knows its `Source`."""

    def __init__(self, splits: Mapping[str, Any], source: Source) -> None:
        super().__init__(splits)
        self.source = source


def fingerprint_bytes(parts: Iterable[tuple[str, bytes]]) -> str:
    """Return the fingerprint of named byte strings; their order does not matter, their names and contents do."""
    digest = hashlib.sha256()
    for name, content in sorted(parts):
        digest.update(name.encode())
        digest.update(b"\0")
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()[:16]


def fingerprint_files(root: Path, files: Iterable[Path]) -> str:
    """Return the fingerprint of `files` by their paths relative to `root` and their contents."""
    return fingerprint_bytes((file.relative_to(root).as_posix(), file.read_bytes()) for file in files)


def cache_folder() -> Path:
    """Return the folder for downloaded and built data: `CROSSFACT_CACHE`, else `crossfact` in the user's cache."""
    if named := os.environ.get("CROSSFACT_CACHE"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "crossfact"
