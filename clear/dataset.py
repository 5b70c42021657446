"""A built dataset on disk: the items, a manifest, a report of what was left out, and a card that the Hub reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, StrictUndefined

from crossfact.clear.fidelity import THRESHOLD, Score, distribution
from crossfact.clear.items import ITEMS, MANIFEST, Item, write_items
from crossfact.utils.dataset_folder import card, size_category, write_whole
from crossfact.utils.errors import UserError
from crossfact.utils.sources import fingerprint_files

CARD, LEFT_OUT, FIDELITY = "README.md", "left_out.jsonl", "fidelity.jsonl"
_CARD = Path(__file__).parent / "data" / "dataset_card.j2"


def check_folder(out: Path, settings: Mapping[str, Any]) -> None:
    """Refuse to write over something else.

    Raises:
        UserError: `out` is a file, or holds a dataset that was built otherwise.
    """
    if out.exists() and not out.is_dir():
        raise UserError(f"{out} is a file: give a folder with --out")
    manifest = out / MANIFEST
    if manifest.exists() and orjson.loads(manifest.read_bytes()).get("settings") != dict(settings):
        raise UserError(f"{out} holds a dataset that was built otherwise: choose another folder")


def write_dataset(
    folder: Path,
    items: Sequence[Item],
    left_out: Mapping[str, Sequence[str]],
    scores: Sequence[Score],
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """Write a dataset; the manifest comes last, so that a folder with one is whole.

    Args:
        folder: Where to; made if need be.
        items: The items, all in the same languages.
        left_out: Reason → the questions or ids of what was left out.
        scores: The fidelity of each translated text; empty if it was not measured.
        settings: What the dataset was built with.

    Returns:
        The manifest.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    write_items(folder, items)
    counts = {reason: len(names) for reason, names in sorted(left_out.items())}
    rows = [{"reason": reason, "item": name} for reason in counts for name in left_out[reason]]
    write_whole(folder / LEFT_OUT, _lines(rows))
    if scores:
        doubtful = [asdict(score) for score in scores if score.chrf is None or score.chrf < THRESHOLD]
        write_whole(folder / FIDELITY, _lines(doubtful))
    manifest: dict[str, Any] = {
        "benchmark": "clear",
        "dataset": items[0].dataset,
        "items": len(items),
        "left_out_total": sum(counts.values()),
        "left_out": counts,
        "fidelity": distribution(scores),
        "settings": dict(settings),
        "fingerprint": fingerprint_files(folder, [folder / ITEMS]),
    }
    write_whole(folder / CARD, _card(manifest).encode())
    write_whole(folder / MANIFEST, orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n")
    return manifest


def _card(manifest: Mapping[str, Any]) -> str:
    header = {
        "language": manifest["settings"]["languages"],
        "pretty_name": f"CLEAR {manifest['dataset']}",
        "task_categories": ["question-answering"],
        "tags": ["factuality", "multilingual", "knowledge-conflict"],
        "size_categories": [size_category(manifest["items"])],
        "configs": [{"config_name": "default", "data_files": [{"split": "test", "path": ITEMS}]}],
    }
    template = Environment(undefined=StrictUndefined, autoescape=False).from_string(_CARD.read_text(encoding="utf-8"))
    return card(header, template.render(threshold=THRESHOLD, **manifest) + "\n")


def _lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)
