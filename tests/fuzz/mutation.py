"""Mutation of inputs that keeps them nearly valid: a byte here, a value of the JSON there."""

from __future__ import annotations

import hashlib
import json
import re
from random import Random
from typing import Any

HASH = re.compile(rb',"hash":"[0-9a-f]{64}"}$')

# fmt: off
NASTY: tuple[Any, ...] = (
    None, True, False, 0, -0.0, 1, -1, 2, 0.1, 1e-7, 0.0005, 5e-324, 1e16, 1e300, -1e300, 2**31, 2**53,
    2**63, 10**400, "", " ", "\n", "\x00", "\x1b[2J", "\u202e", "\u2028", "é", "🍏", "a" * 100, "../../x",
    "__class__", "undecided", "platform", "human", "agent", "complete", "drawn", "quantity", "number", "NaN",
    "1", "=1+1", "GAME_END", "tax-told", [], {}, [[]], [None], {"": 0}, {"undecided": 0}, {"human": 1},
    [0] * 50,
)
"""Values that have caused faults in readers."""

PIECES = (
    b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\ud800", b"\\u0000", b"\n", b"\r", b"\0", b"\xff",
    b" ", b"\xef\xbb\xbf", b"NaN", b"-Infinity", b"1e999", b"-0", b"null", b"9" * 30, b"[" * 120,
    b"\xed\xa0\x80",
)
"""Bytes that have caused faults in readers."""
# fmt: on


def mutated(data: bytes, rng: Random) -> bytes:
    """Return the input changed in one to four places."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = rng.choice((_with_other_value, _with_other_value, _with_other_lines, _with_other_bytes))(
            data, rng
        )
    return sealed_again(data) if rng.random() < 0.8 else data


def sealed_again(data: bytes) -> bytes:
    """Return a log with hashes that fit its present content; any other input unchanged.

    Without this no change would get past the hash of its line.
    """
    if b'"schema":"negoplatform.log/2"' not in data:
        return data
    running, lines = hashlib.sha256(), []
    for line in data.split(b"\n"):
        if HASH.search(line):
            begun = HASH.sub(b"", line) + b',"hash":"'
            running.update(begun)
            end = running.hexdigest().encode() + b'"}'
            running.update(end)
            lines.append(begun + end)
        else:
            running.update(line)
            lines.append(line)
        running.update(b"\n")
    return b"\n".join(lines)


def _with_other_bytes(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    match rng.randrange(4):
        case 0:
            return data[:at] + rng.choice(PIECES) + data[at:]
        case 1:
            return data[:at] + data[at + rng.choice((1, 1, 5, 50)) :]
        case 2:
            return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        case _:
            return data[:at]


def _with_other_lines(data: bytes, rng: Random) -> bytes:
    lines = data.split(b"\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(3):
        case 0:
            lines[one], lines[other] = lines[other], lines[one]
        case 1:
            lines.insert(one, lines[other])
        case _:
            del lines[one]
    return b"\n".join(lines)


def _with_other_value(data: bytes, rng: Random) -> bytes:
    """Return the input with one value, key or item in a line of JSON changed, or as it is without JSON."""
    whole = not data.rstrip(b"\n").count(b"\n") or data.startswith(b"{\n")
    lines = [data] if whole else data.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        value = json.loads(lines[at])
        places = list(_places(value))
        if not places:
            return data
        _change(*rng.choice(places), rng)
        # Not allow_nan=False: Python's form of infinity is a good input for a reader.
        lines[at] = json.dumps(value, ensure_ascii=rng.random() < 0.1, separators=(",", ":")).encode("utf-8")
    except (ValueError, RecursionError, OverflowError):  # a number of 400 digits is no float
        return data
    return (b"" if whole else b"\n").join(lines) + (b"\n" if whole else b"")


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return every container in a value with each of its keys or numbers."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict | list):
            keys = list(inner) if isinstance(inner, dict) else range(len(inner))
            found += [(inner, key) for key in keys]
            waiting += [inner[key] for key in keys]
    return found


def _change(inner: Any, key: Any, rng: Random) -> None:
    match rng.randrange(6):
        case 0:
            del inner[key]
        case 1 if isinstance(inner, list):
            inner.insert(key, inner[rng.randrange(len(inner))])
        case 1:
            inner[str(rng.choice(NASTY))[:200]] = inner.pop(key)
        case 2:
            other = rng.choice(list(inner) if isinstance(inner, dict) else range(len(inner)))
            inner[key] = inner[other]
        case 3 if isinstance(inner[key], int | float) and not isinstance(inner[key], bool):
            inner[key] += rng.choice((-1, 1, 0.5, 1e-4, 100))
        case _:
            inner[key] = rng.choice(NASTY)
