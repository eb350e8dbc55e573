"""Hash chain of a log: each line ends with the SHA-256 of all bytes before the hash.

The hash of a line is its last field, and covers every byte of the file up to its own 64 characters.
"""

from __future__ import annotations

from typing import Protocol, Self

_BEFORE = b',"hash":"'
_AFTER = b'"}\n'
_HEX_LENGTH = 64
_TAIL_LENGTH = _HEX_LENGTH + len(_AFTER)
_HASH_FIELD_LENGTH = len(_BEFORE) + _TAIL_LENGTH


class RollingHash(Protocol):
    """Hash that can be continued."""

    def update(self, data: bytes, /) -> None:
        """Add further bytes."""
        ...

    def hexdigest(self) -> str:
        """Return the hash of all bytes so far."""
        ...

    def copy(self) -> Self:
        """Return an independent copy."""
        ...


def add_hash(line: bytes, so_far: RollingHash) -> tuple[bytes, RollingHash]:
    """Return a line with its hash, and the running hash after it; ``so_far`` is not changed.

    Args:
        line: An object as JSON, with its line break.
        so_far: The hash of all bytes above the line.
    """
    running = so_far.copy()
    start = line[:-2] + _BEFORE
    running.update(start)
    end = running.hexdigest().encode("ascii") + _AFTER
    running.update(end)
    return start + end, running


def strip_verified_hash(line: bytes, running: RollingHash) -> bytes | None:
    """Return a line without its hash and line break; None if its hash is missing or wrong.

    Args:
        line: The line, with its line break.
        running: The hash of all bytes above the line; it is updated.
    """
    if line[-_HASH_FIELD_LENGTH:-_TAIL_LENGTH] != _BEFORE or line[-len(_AFTER) :] != _AFTER:
        return None
    running.update(line[:-_TAIL_LENGTH])
    if running.hexdigest().encode("ascii") != line[-_TAIL_LENGTH : -len(_AFTER)]:
        return None
    running.update(line[-_TAIL_LENGTH:])
    return line[:-_HASH_FIELD_LENGTH] + b"}"


def extract_hash(line: bytes) -> str:
    """Return the hash of a line."""
    return line[-_TAIL_LENGTH : -len(_AFTER)].decode("ascii")
