"""Patience with a model behind a web address.

The harness asks a failing server three times within seconds, does not listen to `Retry-After`, and gives up on all
requests when one of them fails. Here each request is tried on its own, waits as long as the server says, and is given
up alone; only a server that answers nothing at all ends the run.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

from crossfact.utils.errors import UserError

TRIES = 6
FIRST_WAIT = 1.0
LONGEST_WAIT = 120.0
OUTAGE = 5
"""So many requests in a row that were all given up end the run."""

_REFUSALS = {401: "it refuses the API key", 403: "it refuses the API key", 404: "it knows no such address or model"}
_PASSING = {408, 409, 425, 429}


@dataclass(frozen=True)
class _Trouble:
    """A failed request: what happened, whether another try may help, and how many seconds the server asks to wait."""

    what: str
    passing: bool
    wait: float | None = None
    refusal: bool = False


class Patience:
    """Stands before the two methods with which a harness model asks its server."""

    def __init__(self, lm: Any) -> None:
        """Put patience into `lm`, a `TemplateAPI` of the harness.

        Attributes set:
            problems: The prompts that were given up, and why.
        """
        self.problems: dict[str, str] = {}
        self._address = lm.base_url
        self._ask, self._ask_async = lm.model_call, lm.amodel_call
        self._given_up_in_a_row = 0
        self._closed_until = 0.0
        lm.model_call, lm.amodel_call = self._call, self._call_async
        lm.max_retries = 1  # the harness's own retries would only repeat ours

    def _call(self, messages: Any, **kwargs: Any) -> Mapping[str, Any]:
        for tried in range(1, TRIES + 1):
            time.sleep(max(0.0, self._closed_until - time.monotonic()))
            try:
                answer: Mapping[str, Any] = self._ask(messages, **kwargs)
            except Exception as error:
                trouble = _trouble(error)
                if self._over(trouble, tried):
                    break
            else:
                self._given_up_in_a_row = 0
                return answer
        self._give_up(messages, trouble)
        nothing = [{"index": place, "text": None, "message": {"content": None}} for place in range(len(messages))]
        return {"choices": nothing}

    async def _call_async(self, *args: Any, messages: Any, **kwargs: Any) -> list[str]:
        for tried in range(1, TRIES + 1):
            await asyncio.sleep(max(0.0, self._closed_until - time.monotonic()))
            try:
                answers: list[str] = await self._ask_async(*args, messages=messages, **kwargs)
            except Exception as error:
                trouble = _trouble(error)
                if self._over(trouble, tried):
                    break
            else:
                self._given_up_in_a_row = 0
                return answers
        self._give_up(messages, trouble)
        return [""] * len(messages)

    def _over(self, trouble: _Trouble, tried: int) -> bool:
        """Return whether to stop trying; if not, keep all requests away from the server for a while."""
        if trouble.refusal:
            raise UserError(f"{self._address}: {trouble.what}")
        if not trouble.passing or tried == TRIES:
            return True
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tried - 1) if trouble.wait is None else trouble.wait)
        self._closed_until = max(self._closed_until, time.monotonic() + wait)
        return False

    def _give_up(self, messages: Any, trouble: _Trouble) -> None:
        for message in messages:
            self.problems[str(getattr(message, "prompt", message))] = trouble.what
        self._given_up_in_a_row += trouble.passing  # a request that is wrong by itself says nothing of the server
        if self._given_up_in_a_row >= OUTAGE:
            raise UserError(
                f"{self._address} has failed {OUTAGE} requests in a row, {TRIES} times each ({trouble.what}): "
                "see to the server and run again; the answers so far are kept"
            )


def _trouble(error: Exception) -> _Trouble:
    """Judge an error of `requests` or `aiohttp`."""
    response = getattr(error, "response", None)
    status = getattr(error, "status", None) or getattr(response, "status_code", None)
    if status is None or status < 400:  # no connection, a time-out, or an answer that is not JSON
        return _Trouble(f"{type(error).__name__} {error}".strip(), passing=True)
    if status in _REFUSALS:
        return _Trouble(f"HTTP {status}, {_REFUSALS[status]}", passing=False, refusal=True)
    headers = getattr(error, "headers", None) or getattr(response, "headers", None) or {}
    return _Trouble(f"HTTP {status}", status in _PASSING or status >= 500, _seconds(headers.get("Retry-After")))


def _seconds(header: str | None) -> float | None:
    """Read a `Retry-After` header: seconds, or a date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None
