"""`crossfact build sword`: from a source of facts to a folder of statements that the tasks read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from crossfact.sword.dataset import MANIFEST, write_dataset
from crossfact.sword.distortions import distort
from crossfact.sword.loading import EMBEDDED_COUNT, EMBEDDED_SEED, NOT_EMBEDDED
from crossfact.sword.statements import template_languages, templates
from crossfact.sword.writing import add_similarity, by_model, by_templates, properties_of
from crossfact.utils.dataset_folder import public_model_name
from crossfact.utils.errors import UserError
from crossfact.utils.facts import Facts, embedded_facts, fingerprint, read_facts
from crossfact.utils.facts.schema import DATA
from crossfact.utils.languages import ENGLISH_NAMES, SWORD_LANGUAGES
from crossfact.utils.sources import EMBEDDED


@dataclass(frozen=True)
class _Origin:
    facts: Facts
    name: str
    fingerprint: str


def build(
    out: Annotated[Path, typer.Option(help="The folder to write.")],
    dump: Annotated[Path | None, typer.Option(help="A Wikidata JSON dump; without it, the embedded facts.")] = None,
    excerpt: Annotated[bool, typer.Option("--excerpt", help="The dump was cut on purpose.")] = False,
    min_facts: Annotated[int, typer.Option(help="Leave out properties of the dump with fewer facts.")] = 1,
    workers: Annotated[int | None, typer.Option(help="Processes that read the dump.")] = None,
    properties: Annotated[str | None, typer.Option(help="Properties to draw from, as P36,P37.")] = None,
    languages: Annotated[str, typer.Option(help="Languages of the statements.")] = ",".join(SWORD_LANGUAGES),
    count: Annotated[int, typer.Option(help="How many triples to draw.")] = EMBEDDED_COUNT,
    seed: Annotated[int, typer.Option(help="What triples and distortions are drawn from.")] = EMBEDDED_SEED,
    verbalizer: Annotated[str | None, typer.Option(help="A harness backend that writes the statements.")] = None,
    verbalizer_args: Annotated[str, typer.Option(help="Its arguments, as for --model_args.")] = "",
    similarity: Annotated[bool, typer.Option("--similarity", help="Add how near each replacement lies.")] = False,
) -> None:
    """Build SWORD's statements: draw triples, distort each four times, and say all of it in every language.

    Run again after an interruption: what a dump or a model has given so far is kept.
    """
    langs = _languages(languages, verbalizer)
    chosen = None if properties is None else _listed(properties)
    for name, number in (("--count", count), ("--min-facts", min_facts)):
        if number < 1:
            raise UserError(f"{name} {number} is too small: use 1 or more")
    settings = {
        "dump": dump.name if dump else None,
        "min_facts": min_facts,
        "properties": chosen,
        "languages": langs,
        "count": count,
        "seed": seed,
        "verbalizer": public_model_name(verbalizer, verbalizer_args) if verbalizer else None,
        "similarity": similarity,
    }
    _check_folder(out, settings)
    if dump is None:
        origin = _Origin(embedded_facts(), EMBEDDED, fingerprint(DATA)[:16])
    else:
        origin = _read_dump(dump, out / "facts", langs, chosen, min_facts, excerpt, workers)
    drawn_from = _drawable(origin, chosen, by_model=verbalizer is not None)
    draw = distort(origin.facts, count=count, seed=seed, properties=drawn_from, languages=langs)
    left_out = dict(draw.left_out)
    if verbalizer is None:
        documents = by_templates(draw.fives, origin.facts, langs)
    else:
        documents, unsaid = by_model(draw.fives, origin.facts, langs, verbalizer, verbalizer_args)
        left_out |= unsaid
    about: dict[str, Any] = {
        "source": origin.name,
        "source_fingerprint": origin.fingerprint,
        "statements_by": settings["verbalizer"] or "templates",
        "seed": seed,
        "properties": properties_of(documents),
        "left_out": left_out,
        "settings": settings,
    }
    if similarity:
        about["similarity"] = add_similarity(documents, draw.fives, origin.facts, seed)
    manifest = write_dataset(out, documents, about)
    missing = f", {sum(left_out.values())} triples left out" if left_out else ""
    print(f"{out}: {manifest['triples']} triples, {manifest['statements']} statements{missing}")


def _read_dump(
    dump: Path,
    folder: Path,
    langs: Sequence[str],
    chosen: Sequence[str] | None,
    min_facts: int,
    excerpt: bool,
    workers: int | None,
) -> _Origin:
    from crossfact.sword.dump_build import build_from_dump

    build_from_dump(
        dump,
        folder,
        languages=langs,
        properties=chosen,
        min_facts_per_property=min_facts,
        excerpt=excerpt,
        workers=workers,
    )
    return _Origin(read_facts(folder), dump.name, fingerprint(folder)[:16])


def _drawable(origin: _Origin, chosen: Sequence[str] | None, *, by_model: bool) -> list[str]:
    """Return the properties to draw from: those that were asked for, else all that can be put in words."""
    there = {triple.property for triple in origin.facts.triples}
    sayable = there if by_model else there & set(templates("en"))
    for key in chosen or ():
        if key not in there:
            raise UserError(f"{origin.name} has no fact with {key}: leave it out of --properties")
        if key not in sayable:
            raise UserError(f"{key} has no template: leave it out of --properties, or name a --verbalizer")
    if not sayable:
        raise UserError(f"{origin.name} has no property with a template: name a --verbalizer")
    return list(chosen or sorted(sayable - (NOT_EMBEDDED if origin.name == EMBEDDED else frozenset())))


def _listed(text: str) -> list[str]:
    return list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def _languages(text: str, verbalizer: str | None) -> list[str]:
    langs = _listed(text)
    known = tuple(ENGLISH_NAMES) if verbalizer else template_languages()
    if not langs:
        raise UserError("--languages is empty: name at least one, such as en")
    for lang in langs:
        if lang not in known:
            hint = "" if verbalizer or lang not in ENGLISH_NAMES else " (or name a --verbalizer)"
            raise UserError(f"no statements can be written in {lang!r}: use some of {', '.join(known)}{hint}")
    return langs


def _check_folder(out: Path, settings: Mapping[str, Any]) -> None:
    """Refuse to write over something else."""
    if out.exists() and not out.is_dir():
        raise UserError(f"{out} is a file: give a folder with --out")
    manifest = out / MANIFEST
    if manifest.exists() and orjson.loads(manifest.read_bytes()).get("settings") != settings:
        raise UserError(f"{out} holds a dataset that was built otherwise: choose another folder")
