"""Processes that an agent's process has started, found and ended although they left its group; Linux only."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from negoplatform.hosting.processes.process_limits import MAX_OPEN_FILES

_PROCESSES = Path("/proc")

_ROUNDS = 50
"""Most attempts to end processes that keep starting others."""

_PAUSE_SECONDS = 0.01


def descendants(*pids: int) -> list[int]:
    """Return the processes that processes have started, and those that they have started, without them."""
    parents = _parents()
    found, open_ends = [], [*pids]
    while open_ends:
        parent = open_ends.pop()
        children = [child for child, its in parents.items() if its == parent]
        found += children
        open_ends += children
    return found


def has_children(pid: int) -> bool:
    """Return whether a process may have started others that still run.

    Cheap enough for a check several times a second.
    """
    try:
        tasks = list((_PROCESSES / str(pid) / "task").iterdir())
        return any((task / "children").read_bytes() for task in tasks)
    except FileNotFoundError:
        return (_PROCESSES / str(pid)).exists()  # a kernel without these files does not tell
    except OSError:
        return False


def resident_memory(pids: Collection[int]) -> int:
    """Return the bytes of memory that processes have together.

    Of what processes share, each has its part; where the system does not tell the parts, each has all of it.
    """
    return sum(map(_memory_of, pids))


def end_left_behind(own: Callable[[], Collection[int]]) -> int:
    """End the processes that agents' processes, which have ended themselves, have left behind.

    They are children of this process now (``guard_program``). An agent's process and what it starts are known
    by limits that they cannot raise again; the user's other programs have none of these.

    Args:
        own: Returns the processes that this program has started and waits for itself. It is asked each time,
            after the processes were looked at: another agent's may be started meanwhile.

    Returns:
        The number of processes that were ended; none if this program has such limits itself, as then
        whatever it starts would be taken for an agent's.
    """
    if not sys.platform.startswith("linux") or _has_limits_of_an_agent(os.getpid()):
        return 0
    ended: set[int] = set()
    for _ in range(_ROUNDS):
        limited = [pid for pid in _children(os.getpid()) if _has_limits_of_an_agent(pid)]
        left = set(limited).difference(own())
        if not left:
            break
        for each in (*left, *descendants(*left)):
            with contextlib.suppress(OSError):
                os.kill(each, signal.SIGKILL)
                ended.add(each)
        time.sleep(_PAUSE_SECONDS)
        for pid in left:
            with contextlib.suppress(OSError):
                os.waitpid(pid, os.WNOHANG)
    return len(ended)


def end_own_children() -> None:
    """End everything that this process has started, as far as the system tells it: at its own end.

    What its processes have left behind is its own child (``enter_sandbox``). The files of its own tasks are
    all that it may read of the system's list.
    """
    for _ in range(_ROUNDS):
        children: list[int] = []
        with contextlib.suppress(OSError, ValueError):
            for task in (_PROCESSES / "self" / "task").iterdir():
                children += map(int, (task / "children").read_bytes().split())
        for pid in children:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for pid in children:
            with contextlib.suppress(OSError):
                os.waitpid(pid, 0)
        if not children:
            return


def _children(parent: int) -> Iterator[int]:
    return (pid for pid, its in _parents().items() if its == parent)


def _parents() -> dict[int, int]:
    """Return the parent of each process."""
    found: dict[int, int] = {}
    for place in _PROCESSES.iterdir():
        if place.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                # The name of the program, in brackets, may contain anything.
                fields = (place / "stat").read_bytes().rpartition(b")")[2].split()
                found[int(place.name)] = int(fields[1])
    return found


def _memory_of(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        lines = (_PROCESSES / str(pid) / "smaps_rollup").read_bytes().splitlines()
        parts = [int(line.split()[1]) for line in lines if line.startswith((b"Pss:", b"SwapPss:"))]
        if parts:
            return sum(parts) * 1024
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int((_PROCESSES / str(pid) / "statm").read_bytes().split()[1])
        return pages * os.sysconf("SC_PAGESIZE")
    return 0


def _has_limits_of_an_agent(pid: int) -> bool:
    """Return whether a process has the limits that an agent's process sets for itself, for good."""
    try:
        lines = (_PROCESSES / str(pid) / "limits").read_text(encoding="ascii").splitlines()
        hard = {line[:26].strip(): line[26:].split()[1] for line in lines[1:]}
        return int(hard["Max open files"]) <= MAX_OPEN_FILES and hard["Max core file size"] == "0"
    except (OSError, ValueError, LookupError):
        return False
