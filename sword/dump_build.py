"""Build a folder of facts from a Wikidata dump (the paper's source), whatever its size.

The first pass reads the dump once, as a stream: this process decompresses it and cuts it into chunks of lines, worker
processes parse them, and what they keep is appended to a file of records in the order of the dump. Every few chunks a
checkpoint says how far that file is good, so a build that was killed goes on from there and ends with the same bytes.
The second pass (`dump_select`) reads the records only. Memory holds a few chunks for each worker and one bit per item.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from crossfact.sword.dump_checkpoint import Checkpoint, load, save, write_whole
from crossfact.sword.dump_entities import Wanted
from crossfact.sword.dump_lines import BrokenDump, fingerprint, read_chunks
from crossfact.sword.dump_manifest import describe_build, is_closed, manifest
from crossfact.sword.dump_select import READINGS, Records, select_facts
from crossfact.sword.dump_workers import parse_in_order
from crossfact.utils.errors import UserError
from crossfact.utils.facts.schema import DATA, ENTITIES, PROPERTIES, TRIPLES, Property, read_properties

MANIFEST = "manifest.json"
CHUNK_BYTES = 1 << 21
CHECKPOINT_CHUNKS = 32
"""Some 64 MB of text between checkpoints: a second or less of work to do again."""

_WORK = ".building"
_KNOWN_PROPERTIES = Path(__file__).parent / "data" / "dump_properties.yaml"


def build_from_dump(
    dump: Path,
    out: Path,
    *,
    languages: Sequence[str],
    properties: Iterable[str] | None = None,
    min_facts_per_property: int = 1,
    excerpt: bool = False,
    workers: int | None = None,
    progress: bool = True,
) -> dict[str, Any]:
    """Read a dump and write entities.jsonl, triples.jsonl, properties.yaml and manifest.json.

    Run again after an interruption, it goes on where it stopped; run again after the end, it does nothing.

    Args:
        dump: a JSON dump, one entity a line: plain, gzip or bzip2 (told by its bytes, not by its name).
        out: the folder to write.
        languages: an entity needs a label in each.
        properties: the properties to keep (P36, …); None is all.
        min_facts_per_property: properties with fewer facts are dropped.
        excerpt: accept a dump whose list is not closed, because it was cut on purpose.
        workers: worker processes; None is one for each processor, at most eight (the reader feeds no more).
        progress: show a progress bar on standard error.

    Returns:
        The manifest: source, filters, and counts of what was written and dropped, by reason.

    Raises:
        UserError: the dump is missing, broken, cut short, or gives no fact; or the folder holds something else.
    """
    dump, out = Path(dump), Path(out)
    wanted = _wanted(languages, properties)
    if not dump.is_file():
        raise UserError(f"{dump} is not a file: give a Wikidata JSON dump (.json, .json.gz or .json.bz2)")
    workers = min(os.cpu_count() or 1, 8) if workers is None else workers
    if workers < 1:
        raise UserError(f"{workers} workers cannot work: use 1 or more")
    build = describe_build(dump, fingerprint(dump), wanted, min_facts_per_property, excerpt)
    work = out / _WORK
    if (finished := _finished(out, build)) is not None:
        shutil.rmtree(work, ignore_errors=True)
        return finished
    try:
        work.mkdir(parents=True, exist_ok=True)
        with _progress(progress) as bar:
            task = bar.add_task("reading", total=dump.stat().st_size)
            state = _keep_records(dump, work, build, wanted, workers, lambda done: bar.update(task, completed=done))
            records = work / "records.jsonl"
            task = bar.add_task("selecting", total=records.stat().st_size * READINGS)
            kept = Records(records, _adder(bar, task))
            selected = select_facts(kept, work, wanted.languages, _known_properties(), min_facts_per_property)
        if not selected.facts:
            reasons = {**state.counts, **selected.counts}
            dropped = "; ".join(
                f"{number} {reason}" for reason, number in sorted(reasons.items()) if "dropped" in reason
            )
            raise UserError(f"{dump}: no fact is left, ask for fewer languages or more properties ({dropped})")
        result = manifest(build, state, selected)
        for name in (ENTITIES, TRIPLES, PROPERTIES):
            (work / name).replace(out / name)
        write_whole(out / MANIFEST, orjson.dumps(result, None, orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    except OSError as error:
        raise UserError(f"cannot build {out} from {dump}: {error}") from error
    shutil.rmtree(work)
    return result


def _keep_records(
    dump: Path, work: Path, build: dict[str, Any], wanted: Wanted, workers: int, show: Callable[[int], object]
) -> Checkpoint:
    """The first pass: fill records.jsonl in the work folder, from its checkpoint on."""
    saved = work / "checkpoint.json"
    state = load(saved, build)
    path = work / "records.jsonl"
    path.touch()
    with path.open("r+b") as records:
        records.truncate(state.records_bytes)
        records.seek(state.records_bytes)
        if not state.done:
            chunks = read_chunks(dump, state.position, CHUNK_BYTES)
            try:
                for number, (chunk, kept) in enumerate(parse_in_order(chunks, wanted, workers), 1):
                    records.write(kept.records)
                    state = state.after(chunk, kept)
                    if kept.broken:
                        line = state.counts["lines"] + 1
                        raise UserError(_broken(dump, state, f"line {line} is {kept.broken}"))
                    if number % CHECKPOINT_CHUNKS == 0:
                        save(saved, build, state, records)
                    show(chunk.file_bytes)
            except BrokenDump as error:
                raise UserError(_broken(dump, state, str(error))) from error
            _check_end(dump, state, build["filters"]["excerpt"])
            state = replace(state, done=True)
            save(saved, build, state, records)
    return state


def _check_end(dump: Path, state: Checkpoint, excerpt: bool) -> None:
    """A list that is opened must be closed: a file cut between two lines shows it in nothing else."""
    if not state.counts.get("entities"):
        raise UserError(f"{dump} holds no entity: give a Wikidata JSON dump with one entity a line")
    if not excerpt and not is_closed(state):
        what = "the list ends without its closing ] (--excerpt accepts a dump that was cut on purpose)"
        raise UserError(_broken(dump, state, what))


def _broken(dump: Path, state: Checkpoint, what: str) -> str:
    good = state.counts.get("entities", 0)
    return f"{dump}: after {good} good lines, {what}; nothing was written, fetch the dump again"


def _wanted(languages: Sequence[str], properties: Iterable[str] | None) -> Wanted:
    if not languages:
        raise UserError("no language is chosen: name at least one, such as en")
    chosen = None if properties is None else frozenset(properties)
    for prop in chosen or ():
        if not (prop[:1] == "P" and prop[1:].isdecimal()):
            raise UserError(f"{prop!r} is not the id of a Wikidata property, such as P36")
    return Wanted(tuple(dict.fromkeys(languages)), chosen)


def _known_properties() -> dict[str, Property]:
    return {**read_properties(_KNOWN_PROPERTIES), **read_properties(DATA / PROPERTIES)}


def _finished(out: Path, build: dict[str, Any]) -> dict[str, Any] | None:
    """The manifest if this very build stands in the folder already, None if the folder is free."""
    path = out / MANIFEST
    if path.exists():
        found = orjson.loads(path.read_bytes())
        if {key: found.get(key) for key in build} == build:
            return dict(found)
        raise UserError(f"{out} holds facts from another dump or with other filters: choose another folder")
    if (out / ENTITIES).exists() and not (out / _WORK).exists():
        raise UserError(f"{out} holds facts that were not built from a dump: choose another folder")
    return None


def _progress(shown: bool) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    return Progress(*columns, console=Console(stderr=True), disable=not shown)


def _adder(bar: Progress, task: TaskID) -> Callable[[int], object]:
    return lambda done: bar.update(task, advance=done)
