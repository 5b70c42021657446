"""Our backends, under the names by which the harness finds them once they are registered."""

from __future__ import annotations

from importlib.metadata import entry_points


def register_backends() -> None:
    """Import every module that registers a backend; what needs an extra that is not installed is left out."""
    for point in entry_points(group="crossfact.backends"):
        try:
            point.load()
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("crossfact"):
                raise
