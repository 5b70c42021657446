"""`crossfact build clear`: ConflictQA in CLEAR's languages, as a folder that the tasks read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from crossfact.clear.agreement import LeftOutError, Sided, take_sides
from crossfact.clear.conflictqa import SOURCES, download, read_records
from crossfact.clear.dataset import check_folder, write_dataset
from crossfact.clear.items import Item
from crossfact.clear.translation import translate
from crossfact.utils.dataset_folder import public_model_name
from crossfact.utils.errors import UserError
from crossfact.utils.languages import CLEAR_LANGUAGES
from crossfact.utils.sources import fingerprint_bytes


def build(
    source: Annotated[str, typer.Option(help="conflictqa-popqa or conflictqa-strategyqa.")],
    out: Annotated[Path, typer.Option(help="The folder to write.")],
    languages: Annotated[str, typer.Option(help="As en,de; English alone needs no model.")] = ",".join(CLEAR_LANGUAGES),
    file: Annotated[Path | None, typer.Option(help="A local ConflictQA file instead of the Hub's.")] = None,
    source_model: Annotated[str, typer.Option(help="Whose memories: names the Hub's file.")] = "chatgpt",
    model: Annotated[str, typer.Option(help="The translator: a backend of the harness, as for lm_eval.")] = "",
    model_args: Annotated[str, typer.Option("--model_args", help="Its arguments, as for lm_eval.")] = "",
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many items, the first of the source.")] = None,
    back_translate: Annotated[str, typer.Option(help="A backend that translates back, to check fidelity.")] = "",
    back_translate_args: Annotated[str, typer.Option(help="Its arguments.")] = "",
) -> None:
    """Build CLEAR's items from ConflictQA: decide which evidence is right, translate, check.

    Run again after an interruption: what a model has given so far is kept.
    """
    if source not in SOURCES:
        raise UserError(f"unknown --source {source!r}: use {' or '.join(SOURCES)}")
    langs = _languages(languages)
    if langs != ["en"] and not model:
        raise UserError("other languages than English need a translator: name one with --model and --model_args")
    if back_translate and langs == ["en"]:
        raise UserError("--back-translate checks translations, and there is none: name more --languages")
    dataset = SOURCES[source]
    path = file or download(dataset, source_model)
    settings = {
        "source": source,
        "file": path.name,
        "fingerprint": fingerprint_bytes([(path.name, path.read_bytes())]) if path.is_file() else "",
        "languages": langs,
        "model": public_model_name(model, model_args) if model else None,
        "limit": limit,
        "back_translate": public_model_name(back_translate, back_translate_args) if back_translate else None,
    }
    check_folder(out, settings)
    records, left_out = _usable(path, dataset, limit)
    items: Sequence[Item] = [record.item() for record in records]
    if langs != ["en"]:
        translated = translate(records, langs, model, model_args)
        items, left_out = translated.items, {**left_out, **translated.left_out}
    if not items:
        raise UserError(f"no item of {path} can be used ({'; '.join(left_out)}): nothing was written")
    scores = []
    if back_translate:
        from crossfact.clear.fidelity import back_translate as check

        scores = check(items, back_translate, back_translate_args)
    manifest = write_dataset(out, items, left_out, scores, settings)
    typer.echo(f"{out}: {manifest['items']} items in {len(langs)} languages, {manifest['left_out_total']} left out")
    for reason, count in manifest["left_out"].items():
        typer.echo(f"  {count}: {reason}")


def _usable(path: Path, dataset: str, limit: int | None) -> tuple[list[Sided], dict[str, list[str]]]:
    """Return the records whose sides are known, and reason → questions that were left out."""
    kept: dict[str, Sided] = {}
    left_out: dict[str, list[str]] = {}
    for record in read_records(path):
        if limit is not None and len(kept) >= limit:
            break
        try:
            sided = take_sides(record, dataset)
            if sided.id in kept:
                raise LeftOutError("the question stands twice")
            kept[sided.id] = sided
        except LeftOutError as reason:
            left_out.setdefault(str(reason), []).append(record.question)
    return list(kept.values()), left_out


def _languages(text: str) -> list[str]:
    langs = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if unknown := [lang for lang in langs if lang not in CLEAR_LANGUAGES]:
        raise UserError(f"--languages: {unknown[0]!r} is none of CLEAR's languages ({', '.join(CLEAR_LANGUAGES)})")
    if "en" not in langs:
        langs = ["en", *langs]  # the original: fidelity is measured against it
    return langs
