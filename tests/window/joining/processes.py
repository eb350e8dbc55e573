"""Processes of hosts and windows, as the system has them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def child_process(parent: int, word: str) -> int:
    """Return the id of the one child of a process whose command line has a word."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    (found,) = [int(child) for child in children if word.encode() in words_of(int(child))]
    return found


def words_of(process: int) -> list[bytes]:
    """Return the command line of a process."""
    return Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")


def memory_of(process: int) -> Iterator[bytes]:
    """Return everything that a process can write to in its memory, in pieces that overlap."""
    overlap = 4096
    with Path(f"/proc/{process}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{process}/maps").read_text().splitlines():
            place, rights, *_ = line.split()
            begin, end = (int(number, 16) for number in place.split("-"))
            if not rights.startswith("rw") or line.endswith(("[vvar]", "[vsyscall]")):
                continue
            for at in range(begin, end, 1 << 24):
                try:
                    yield os.pread(memory.fileno(), min((1 << 24) + overlap, end - at), at)
                except OSError:  # it was released meanwhile
                    break


def forms_of(text: str) -> list[bytes]:
    """Return the forms in which Python, Tcl and X keep a text in memory."""
    return [text.encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-32-le")]


def found_in_memory(process: int, secrets: dict[str, list[bytes]]) -> set[str]:
    """Return the names of the secrets that the memory of a process holds.

    Args:
        process: Its id.
        secrets: The forms of each secret, by name.
    """
    return {
        name
        for piece in memory_of(process)
        for name, forms in secrets.items()
        if any(form in piece for form in forms)
    }
