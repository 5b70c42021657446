"""How far a build has come, on disk, so that it can go on after a kill.

A checkpoint is written only after the records it speaks of are safely on the disk, and replaces the one before it in
one step. Records beyond it are cut off and made again.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from crossfact.sword.dump_entities import Kept
from crossfact.sword.dump_lines import Chunk, Position


@dataclass(frozen=True)
class Checkpoint:
    """The state between two chunks.

    Attributes:
        position: where to read on in the dump.
        records_bytes: length of the records up to here.
        counts: lines, entities and statements so far, as in `Kept`.
        first: the first character of the dump that is not white space.
        last: the last such character so far.
        done: the whole dump has been read.
    """

    position: Position = field(default_factory=Position)
    records_bytes: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    first: str = ""
    last: str = ""
    done: bool = False

    def after(self, chunk: Chunk, kept: Kept) -> Checkpoint:
        """The state after one more chunk."""
        counts = Counter(self.counts)
        counts.update(kept.counts)
        text = chunk.data.strip()
        return Checkpoint(
            position=chunk.end,
            records_bytes=self.records_bytes + len(kept.records),
            counts=dict(counts),
            first=self.first or text[:1].decode("latin-1"),
            last=text[-1:].decode("latin-1") or self.last,
        )


def save(path: Path, build: dict[str, Any], checkpoint: Checkpoint, records: BinaryIO) -> None:
    """Put the records and then the checkpoint on the disk.

    Args:
        path: the checkpoint's file.
        build: what is being built from what; another build does not go on from here.
        checkpoint: the state.
        records: the open file of records, at the checkpoint's length.
    """
    records.flush()
    os.fsync(records.fileno())
    write_whole(path, orjson.dumps({"build": build, "checkpoint": asdict(checkpoint)}))


def load(path: Path, build: dict[str, Any]) -> Checkpoint:
    """Read the checkpoint of this same build; the very beginning if there is none."""
    if not path.exists():
        return Checkpoint()
    saved = orjson.loads(path.read_bytes())
    if saved["build"] != build:
        return Checkpoint()
    state = saved["checkpoint"]
    return Checkpoint(**{**state, "position": Position(**state["position"])})


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all, whenever the process ends."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
