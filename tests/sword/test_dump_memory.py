"""Memory must not grow with the dump; docs/wikidata-dump.md has the figures of a larger one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sword.test_dump_build import entity

MEASURE = """
import re, sys
from pathlib import Path
from crossfact.sword.dump_build import build_from_dump

build_from_dump(Path(sys.argv[1]), Path(sys.argv[2]), languages=("en",), workers=1, progress=False)
# of this program alone: getrusage would also count what the process was before it became this program
print(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


def _peak(folder: Path, items: int) -> int:
    """The build's greatest resident memory, in KiB, with items that are all kept."""
    dump = folder / "dump.json"
    template = json.dumps(entity("Q000", {"en": "name " * 200}, [("P1", "Q1")]))
    with dump.open("w") as file:
        file.write("[\n")
        for number in range(1, items):
            file.write(template.replace("Q000", f"Q{number * 37}") + ",\n")
        file.write(json.dumps(entity("Q1", {"en": "one"})) + "\n]\n")
    script = [sys.executable, "-c", MEASURE, str(dump), str(folder / f"out-{items}")]
    return int(subprocess.run(script, capture_output=True, check=True).stdout)


@pytest.mark.slow
def test_ten_times_the_dump_takes_no_more_memory(tmp_path: Path) -> None:
    small, large = _peak(tmp_path, 10_000), _peak(tmp_path, 100_000)
    assert large < small + 16 * 1024
    assert large < 256 * 1024
