"""A built dataset on disk: one JSON Lines file per language, a manifest, and a card for the Hub."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from crossfact.sword.distortions import KINDS
from crossfact.sword.documents import Document
from crossfact.utils.dataset_folder import card, size_category, write_whole
from crossfact.utils.errors import UserError
from crossfact.utils.languages import ENGLISH_NAMES
from crossfact.utils.sources import fingerprint_files

MANIFEST, CARD = "manifest.json", "README.md"


def write_dataset(
    folder: Path, documents: Mapping[str, Sequence[Document]], about: Mapping[str, Any]
) -> dict[str, Any]:
    """Write a dataset; the manifest comes last, so that a folder with one is whole.

    Args:
        folder: Where to; made if need be.
        documents: The documents by language.
        about: What the manifest says besides its counts and the fingerprint.

    Returns:
        The manifest.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    for lang, docs in documents.items():
        write_whole(folder / f"{lang}.jsonl", b"".join(orjson.dumps(doc) + b"\n" for doc in docs))
    count = len(next(iter(documents.values())))
    manifest = {
        "benchmark": "sword",
        "languages": list(documents),
        "triples": count,
        "statements": count * len(KINDS) * len(documents),
        **about,
        "fingerprint": fingerprint_files(folder, [folder / f"{lang}.jsonl" for lang in documents]),
    }
    write_whole(folder / CARD, _card(manifest).encode())
    write_whole(folder / MANIFEST, orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n")
    return manifest


def read_documents(folder: Path, lang: str) -> list[Document]:
    """Return the documents of one language.

    Raises:
        UserError: The folder is no dataset, was not written to its end, or holds nothing in the language.
    """
    path = folder / f"{lang}.jsonl"
    if not folder.is_dir():
        raise UserError(f"the source {str(folder)!r} is neither 'embedded' nor a folder: check the path")
    if not (folder / MANIFEST).is_file():
        raise UserError(f"{folder} holds no {MANIFEST}: build it (to its end) with `crossfact build sword --out`")
    if not path.is_file():
        there = ", ".join(sorted(found.stem for found in folder.glob("*.jsonl"))) or "none"
        raise UserError(f"{folder} holds no {lang}.jsonl (languages there: {there}): run only those tasks")
    documents = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            documents.append(_checked(orjson.loads(line)))
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            raise UserError(f"{path}, line {number}: not a SWORD document ({error}): build the folder again") from error
    if not documents:
        raise UserError(f"{path} is empty: build the folder again")
    return documents


def _checked(document: Document) -> Document:
    kinds = tuple(probe["kind"] for probe in document["probes"])
    if kinds != KINDS:
        raise ValueError(f"probes {kinds} instead of {KINDS}")
    for probe in document["probes"]:
        if not isinstance(probe["statement"], str) or probe["target"] not in ("True", "False"):
            raise ValueError("a probe needs a statement, and True or False as its target")
    return document


def _card(manifest: Mapping[str, Any]) -> str:
    """Return a dataset card; its YAML header is what the Hub reads."""
    statements = manifest["triples"] * len(KINDS)
    header = {
        "language": manifest["languages"],
        "pretty_name": "SWORD",
        "license": "cc0-1.0",
        "task_categories": ["text-classification"],
        "tags": ["factuality", "multilingual", "wikidata"],
        "size_categories": [size_category(manifest["triples"])],
        "configs": [
            {"config_name": lang, "data_files": [{"split": "test", "path": f"{lang}.jsonl"}]}
            for lang in manifest["languages"]
        ],
    }
    names = ", ".join(ENGLISH_NAMES.get(lang, lang) for lang in manifest["languages"])
    left_out = "".join(f"- {reason}: {number}\n" for reason, number in manifest["left_out"].items()) or "- none\n"
    text = f"""# SWORD: true statements and their distortions

{manifest["triples"]} facts in {names}. Each fact has five statements ({statements} per language): the fact itself
(`org`) and four false ones, in which the subject (`ss`) or the object (`os`) is a random one, or another one of the
same property (`pss`, `pos`).

- source: {manifest["source"]} (fingerprint `{manifest["source_fingerprint"]}`)
- statements: {manifest["statements_by"]}
- seed: {manifest["seed"]}
- fingerprint of the statements: `{manifest["fingerprint"]}`

Left out:

{left_out}
A line of `<language>.jsonl` is a document: `id` (the same in every language), `lang`, `subject`, `property`, `object`,
and five `probes` with `kind`, `subject`, `object`, `statement`, `target` (and `similarity`, if it was asked for).

Run it with lm-evaluation-harness and crossfact: `--tasks sword --metadata '{{"source": "<this folder>"}}'`.
"""
    return card(header, text)
