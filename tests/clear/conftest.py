from __future__ import annotations

from pathlib import Path

import pytest

from tests.clear.scripted import write_source


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the made-up items."""
    return write_source(tmp_path_factory.mktemp("made_up"))
