"""Checks of one value in a file of facts; `where` is the file and line that an error names."""

from __future__ import annotations

from typing import Any

from crossfact.utils.errors import UserError


def known(row: dict[str, Any], keys: set[str], where: str) -> None:
    """Refuse keys outside `keys`."""
    if not row.keys() <= keys:
        unknown = ", ".join(sorted(map(str, row.keys() - keys)))
        raise UserError(f"{where}: unknown key {unknown}; known are {', '.join(sorted(keys))}")


def text(value: Any, key: str, where: str) -> str:
    """A text that is not empty and has no white space around it."""
    if not isinstance(value, str) or not value or value != value.strip():
        raise UserError(f"{where}: {key} must be a text that is not empty and has no white space around it")
    return value


def labels(value: Any, where: str) -> dict[str, str]:
    """A map from language codes to names, at least one."""
    if not isinstance(value, dict) or not value:
        raise UserError(f"{where}: labels must map language codes to names, at least one")
    return {text(lang, "a language", where): text(name, f"label {lang}", where) for lang, name in value.items()}


def aliases(value: Any, where: str) -> dict[str, tuple[str, ...]]:
    """A map from language codes to lists of names; a bare string is one alias."""
    if not isinstance(value, dict):
        raise UserError(f"{where}: aliases must map language codes to lists of names")
    found = {}
    for lang, names in value.items():
        names = [names] if isinstance(names, str) else names  # a bare string is one alias
        if not isinstance(names, list):
            raise UserError(f"{where}: aliases {lang} must be a list of names")
        found[lang] = tuple(text(name, f"alias {lang}", where) for name in names)
    return found


def popularity(value: Any, where: str) -> int | None:
    """A count of page views, or None."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise UserError(f"{where}: popularity must be a whole number of page views, 0 or more")
