"""Counts of how requests were served."""

from __future__ import annotations

import json
import math
from collections import Counter

from crossfact.utils.self_check import Check
from crossfact.utils.tally import Tally, total


def test_tallies_of_processes_are_summed() -> None:
    check = Check("tree", True, 12, 1e-5, 1e-3)
    one = Tally(Counter(tree=5, parent=1), Counter(odd=1), Counter(passes=2), [check])
    two = Tally(Counter(tree=3), Counter(), Counter(passes=4, tokens=9), [])
    both = total([one, two])
    assert both == Tally(Counter(tree=8, parent=1), Counter(odd=1), Counter(passes=6, tokens=9), [check])
    assert one.requests == {"tree": 5, "parent": 1}  # the parts stay as they are


def test_a_tally_is_strict_json() -> None:
    failed = Check("tree", False, 12, math.nan, 1e-3, "TypeError: no")
    told = Tally(Counter(parent=2), checks=[failed]).as_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == {
        "requests": {"parent": 2},
        "reasons": {},
        "work": {},
        "checks": [
            {
                "rung": "tree",
                "passed": False,
                "pairs": 12,
                "largest_difference": None,
                "tolerance": 1e-3,
                "reason": "TypeError: no",
            }
        ],
    }
