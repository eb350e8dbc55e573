"""The running hash of a log: each line says the SHA-256 of all that stands before it.

The hash of a line is the last thing in it, and covers every byte of the file up to its own 64 characters.
"""

from __future__ import annotations

from typing import Protocol, Self

_BEFORE = b',"hash":"'
_AFTER = b'"}\n'
_HEX = 64
_TAIL = _HEX + len(_AFTER)
_SEAL = len(_BEFORE) + _TAIL


class Running(Protocol):
    """A hash that can be carried on."""

    def update(self, data: bytes, /) -> None:
        """Takes in further bytes."""
        ...

    def hexdigest(self) -> str:
        """The hash of all bytes so far."""
        ...

    def copy(self) -> Self:
        """The same, to be carried on apart."""
        ...


def seal(line: bytes, so_far: Running) -> tuple[bytes, Running]:
    """A line with its hash, and the running hash after it; ``so_far`` stays as it is.

    Args:
        line: An object as JSON, with its line break.
        so_far: The hash of everything above the line.
    """
    running = so_far.copy()
    start = line[:-2] + _BEFORE
    running.update(start)
    end = running.hexdigest().encode("ascii") + _AFTER
    running.update(end)
    return start + end, running


def unseal(line: bytes, running: Running) -> bytes | None:
    """A line without its hash and line break; None if its hash is missing or does not fit.

    Args:
        line: The line, with its line break.
        running: The hash of everything above the line; it is carried on.
    """
    if line[-_SEAL:-_TAIL] != _BEFORE or line[-len(_AFTER) :] != _AFTER:
        return None
    running.update(line[:-_TAIL])
    if running.hexdigest().encode("ascii") != line[-_TAIL : -len(_AFTER)]:
        return None
    running.update(line[-_TAIL:])
    return line[:-_SEAL] + b"}"


def hash_in(line: bytes) -> str:
    """The hash that a sealed line holds."""
    return line[-_TAIL : -len(_AFTER)].decode("ascii")
