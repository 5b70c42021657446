"""How fast lines of a dump are read, against `orjson.loads` alone: `python -m crossfact.sword.bench_dump FILE`.

Both run in this one process, in turns over the same chunks of lines, so that whatever else the machine does slows both.
For `orjson.loads` the lines are split and bare already, and what it makes of them is thrown away; ours splits, parses,
takes labels, aliases and facts, and writes the records. Reading and decompressing the file is in neither time.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import orjson
import typer

from crossfact.sword.dump_build import CHUNK_BYTES
from crossfact.sword.dump_entities import Wanted, read_lines
from crossfact.sword.dump_lines import Position, read_chunks
from crossfact.utils.languages import SWORD_LANGUAGES

GOAL = 0.6


def compare(
    chunks: list[bytes], wanted: Wanted, rounds: int, clock: Callable[[], float] = time.perf_counter
) -> tuple[list[float], list[float]]:
    """Time both readers on the same chunks.

    Returns:
        Seconds of each round: `orjson.loads` alone, ours.
    """
    bare = [[line for raw in chunk.split(b"\n") if len(line := raw.strip().rstrip(b",")) > 1] for chunk in chunks]
    alone, ours = [], []
    for _ in range(rounds):
        seconds = [0.0, 0.0]
        for lines, chunk in zip(bare, chunks, strict=True):
            start = clock()
            for line in lines:
                orjson.loads(line)
            middle = clock()
            read_lines(chunk, wanted)
            seconds[0] += middle - start
            seconds[1] += clock() - middle
        alone.append(seconds[0])
        ours.append(seconds[1])
    return alone, ours


def main(
    file: Annotated[Path, typer.Argument(help="A dump: .json, .json.gz or .json.bz2.")],
    languages: Annotated[str, typer.Option(help="Labels to keep, with commas.")] = ",".join(SWORD_LANGUAGES),
    megabytes: Annotated[int, typer.Option(help="How much text to read from its start.")] = 64,
    rounds: Annotated[int, typer.Option(help="How often to repeat.")] = 9,
) -> None:
    """Print both speeds and their ratio."""
    chunks: list[bytes] = []
    for chunk in read_chunks(file, Position(), CHUNK_BYTES):
        chunks.append(chunk.data)
        if chunk.end.text >= megabytes << 20:
            break
    gc.disable()  # as in the worker processes; both readers profit
    alone, ours = compare(chunks, Wanted(tuple(languages.split(","))), rounds)
    size = sum(map(len, chunks)) / 1e6
    ratios = sorted(one / other for one, other in zip(alone, ours, strict=True))
    print(f"{size:.1f} MB of lines, {rounds} rounds in alternation, one core; median (slowest to fastest)")
    for name, seconds in (("orjson.loads alone", alone), ("dump reader", ours)):
        speeds = sorted(size / one for one in seconds)
        print(f"{name:18} {statistics.median(speeds):6.0f} MB/s ({speeds[0]:.0f} to {speeds[-1]:.0f})")
    print(f"ratio {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}), goal {GOAL}")


if __name__ == "__main__":
    typer.run(main)
