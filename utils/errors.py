"""The one exception that a user is meant to read."""

from __future__ import annotations

import sys
from types import TracebackType


class UserError(Exception):
    """A mistake that the user can mend: one line that says what is wrong, where, and what to do.

    Commands print the message without a traceback and exit with a non-zero status.
    """


def print_user_errors_plainly() -> None:
    """Let an uncaught `UserError` end the process with its message instead of a traceback.

    The harness's own command runs our tasks but does not know our exception; this is how its users, too, get
    one clear line. Other exceptions are shown as before.
    """
    if sys.excepthook is _hook:
        return
    global _previous_hook
    _previous_hook = sys.excepthook
    sys.excepthook = _hook


def _hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, UserError):
        print(f"crossfact: {error}", file=sys.stderr)
    else:
        _previous_hook(kind, error, trace)


_previous_hook = sys.__excepthook__
