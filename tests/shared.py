"""Where the tests find the real inputs that the repository does not contain."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared"


def shared_path(*parts: str) -> Path:
    """Return a path below the folder of shared inputs, which lies beside the checkout.

    `CROSSFACT_SHARED` names another place for it. Without the folder the test is skipped, and says why; where
    the environment variable `CI` is set its absence is a failure, so that no check is lost unseen.
    """
    root = Path(os.environ.get("CROSSFACT_SHARED", _BESIDE_CHECKOUT))
    path = root.joinpath(*parts)
    if not path.exists():
        reason = f"shared input {'/'.join(parts)} not found below {root}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path
