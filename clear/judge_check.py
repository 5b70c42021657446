"""How far a judge can be trusted: its agreement with pairs that we labelled by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from crossfact.clear.judging import BATCH, Pair, judge_pairs
from crossfact.utils.languages import CLEAR_LANGUAGES

LABELLED = Path(__file__).parent / "data" / "judge_pairs.jsonl"


def labelled_pairs() -> dict[Pair, bool]:
    """Return our pairs and whether the answer names the gold entity."""
    rows = [orjson.loads(line) for line in LABELLED.read_bytes().splitlines()]
    return {Pair(row["lang"], tuple(row["gold"]), row["said"]): row["same"] for row in rows}


def check_judge(model: str, model_args: str | Mapping[str, Any], batch: int = BATCH) -> str:
    """Return a judge's agreement with the labelled pairs, by language and over all, as a table.

    `accepts wrong` and `rejects right` count its two kinds of error; an undecided pair is neither, and no agreement.

    Raises:
        UserError: The model cannot be loaded, or its server is out of order.
    """
    labels = labelled_pairs()
    decided = judge_pairs(labels, model, model_args, batch)
    rows = [f"{'':8} {'pairs':>6} {'agree':>7} {'accepts wrong':>14} {'rejects right':>14} {'unjudged':>9}"]
    for name in (*CLEAR_LANGUAGES, "all"):
        own = {pair: same for pair, same in labels.items() if name in (pair.lang, "all")}
        agree = sum(decided.get(pair) is same for pair, same in own.items())
        accepts = sum(decided.get(pair) is True for pair, same in own.items() if not same)
        rejects = sum(decided.get(pair) is False for pair, same in own.items() if same)
        still_open = sum(pair not in decided for pair in own)
        rows.append(f"{name:8} {len(own):6} {agree / len(own):7.1%} {accepts:14} {rejects:14} {still_open:9}")
    return "\n".join(rows)
