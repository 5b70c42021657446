"""Where CLEAR's items come from: the package itself, or a folder that `crossfact build clear` wrote."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import orjson

from crossfact.clear.items import Item, item_record, read_items
from crossfact.utils.errors import UserError
from crossfact.utils.sources import EMBEDDED, OFFICIAL, Source, fingerprint_bytes


@cache  # ten languages times four tasks ask for the same items
def read_source(source: str, dataset: str) -> tuple[tuple[Item, ...], Source]:
    """Return the items of a dataset, in a fixed order, and their source.

    Args:
        source: `embedded`, or the path of a built folder.
        dataset: `popqa` or `strategyqa`.

    Raises:
        UserError: there is no such source, it cannot be read, or it holds nothing of this dataset.
    """
    if source == EMBEDDED:
        items, name = _embedded(dataset), EMBEDDED
    elif source == OFFICIAL:
        raise UserError("CLEAR has no official data to download: make them with `crossfact build clear`")
    else:
        folder = Path(source)
        if not folder.is_dir():
            raise UserError(f"the source {source!r} is neither {EMBEDDED!r} nor a folder: check the path")
        items, name = read_items(folder), folder.resolve().name
    items = [item for item in items if item.dataset == dataset]
    if not items:
        raise UserError(f"the source {source!r} holds no {dataset} item: name another one, or run the other tasks")
    for item in items:
        if lacking := items[0].languages.keys() ^ item.languages.keys():
            raise UserError(f"{source}: {item.id} and {items[0].id} are not in the same languages ({min(lacking)})")
    # The order counts as well: it decides which of two sources stands first in Task 4.
    parts = [
        (f"{place}:{item.id}", orjson.dumps(item_record(item), option=orjson.OPT_SORT_KEYS))
        for place, item in enumerate(items)
    ]
    return tuple(items), Source(name, fingerprint_bytes(parts))


def _embedded(dataset: str) -> list[Item]:
    if dataset == "popqa":
        from crossfact.clear.embedded_popqa import popqa_items

        return list(popqa_items())
    from crossfact.clear.embedded_strategyqa import strategyqa_items

    return strategyqa_items()
