"""A limit of the calls that this process makes to services, so that a check costs nothing unasked."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, current_thread
from typing import Any

CLIENT_THREAD = "language model"
"""Name of the threads of our own client, whose calls are counted as calls and not as connections."""


class CallLimit:
    """Limit and count of calls to services: those of our client, and connections that an agent opens itself.

    Args:
        allowed: The number of calls that may be made, 0 or more.
    """

    def __init__(self, allowed: int = 0) -> None:
        self.allowed = allowed
        self.made = 0
        """Calls made."""
        self.prevented = 0
        """Calls that were asked for and not made."""
        self._lock = Lock()

    def take(self) -> bool:
        """Return whether one more call may be made, and count it."""
        with self._lock:
            if self.made < self.allowed:
                self.made += 1
                return True
            self.prevented += 1
            return False


_limits: list[CallLimit] = []
_hooked: list[bool] = []


@contextmanager
def limited_calls(limit: CallLimit) -> Iterator[None]:
    """Count the calls of this process in a limit, and prevent those beyond it, while the context lasts."""
    if not _hooked:
        _hooked.append(True)
        sys.addaudithook(_on_audit)  # it cannot be removed, and does nothing without a limit
    _limits.append(limit)
    try:
        yield
    finally:
        _limits.remove(limit)


def may_call() -> bool:
    """Return whether a call to a service may be made now, and count it where calls are limited."""
    return not _limits or _limits[-1].take()


def _on_audit(event: str, arguments: tuple[Any, ...]) -> None:
    """Prevent connections that do not come from our client: no other call of theirs is visible."""
    if event != "socket.connect" or not _limits or current_thread().name == CLIENT_THREAD:
        return
    if isinstance(arguments[1], tuple) and not may_call():  # a path is a socket on this computer
        raise ConnectionRefusedError(
            "A check of an agent calls no service; see negoplatform check --ask-model."
        )
