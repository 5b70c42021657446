"""Downloads that are pinned, resumable and never half done."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from crossfact.utils.errors import UserError

_AT_ONCE = 8
_ATTEMPTS = 4
_TIMEOUT_S = 30.0


class _TransientError(Exception):
    """A failure that may go away: the connection broke, or the server is busy."""


def matches(file: Path, sha256: str) -> bool:
    """Return whether `file` exists and has this SHA-256 (hexadecimal)."""
    return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == sha256


def fetch(base_url: str, hashes: Mapping[str, str], folder: Path, *, first_wait_s: float = 1.0) -> None:
    """Bring `folder` to hold the named files; those that it already holds are not downloaded again.

    A file is written only when it is whole and its SHA-256 is right, so an interrupted run continues where it stopped
    and several processes may run at once.

    Args:
        base_url: The address below which the files lie.
        hashes: Relative path → SHA-256 (hexadecimal).
        folder: Where the files go, by the same relative paths.
        first_wait_s: Seconds before the second attempt; each further wait is twice as long.

    Raises:
        UserError: A file cannot be had after a few attempts, or is not the one that was pinned.
    """
    missing = {path: sha256 for path, sha256 in hashes.items() if not matches(folder / path, sha256)}
    if not missing:
        return
    with httpx.Client(timeout=_TIMEOUT_S, follow_redirects=True) as client, ThreadPoolExecutor(_AT_ONCE) as pool:

        def fetch_one(path: str) -> str | None:
            url = f"{base_url.rstrip('/')}/{path}"
            try:
                content = _get(client, url, first_wait_s)
            except (UserError, _TransientError) as error:
                return str(error)
            if hashlib.sha256(content).hexdigest() != missing[path]:
                return f"{url} is not the file that was pinned (its SHA-256 differs)"
            _write(folder / path, content)
            return None

        problems = [problem for problem in pool.map(fetch_one, missing) if problem]
    if problems:
        kept = len(hashes) - len(problems)
        raise UserError(
            f"could not download {len(problems)} of {len(hashes)} files ({kept} are kept in {folder}): {problems[0]}; "
            "check the network and run again"
        )


def _get(client: httpx.Client, url: str, first_wait_s: float) -> bytes:
    retrying = Retrying(
        retry=retry_if_exception_type(_TransientError),
        stop=stop_after_attempt(_ATTEMPTS),
        wait=wait_exponential(multiplier=first_wait_s),
        reraise=True,
    )
    return retrying(_get_once, client, url)


def _get_once(client: httpx.Client, url: str) -> bytes:
    try:
        response = client.get(url)
    except (httpx.TransportError, httpx.DecodingError) as error:
        raise _TransientError(f"no answer from {url} ({error or type(error).__name__})") from error
    if response.status_code in (408, 429) or response.status_code >= 500:
        raise _TransientError(f"{url} answered with status {response.status_code}")
    if response.status_code != 200:
        raise UserError(f"{url} answered with status {response.status_code}")
    return response.content


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    part.write_bytes(content)
    part.replace(file)
