"""Limits that an agent's process sets for itself before it loads foreign code, where the system has them."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

if sys.platform == "win32":
    from negoplatform.hosting.processes.windows_job import limit_this_process, lower_own_priority

resource: Any
try:
    import resource
except ImportError:  # not on Windows
    resource = None

MAX_OPEN_FILES = 64
"""Descriptors that an agent's process may have open."""

MAX_QUEUED_SIGNALS = 1024
"""Signals and timers that an agent's process may have waiting.

The system counts all of a user's together: with the user's own limit, other programs could make no timer.
"""

EXTRA_TASKS = 128
"""Processes and threads beyond those that its user runs already.

The system counts all of a user's together, also those that the user starts elsewhere in the meantime; with
fewer, an honest agent's thread would fail.
"""

MEGABYTE = 1024 * 1024

NICENESS = 5
"""Steps of niceness by which an agent's process yields to the window and to the user's other programs."""


def lower_priority() -> None:
    """Let other processes go first from now on: a window that waits for a processor is a frozen one."""
    if sys.platform == "win32":
        lower_own_priority()
        return
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    # Where Linux shares time between sessions, a process with a separate session counts as much as the
    # whole rest, whatever its niceness, unless its group yields too.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS), encoding="ascii")


def limit_process(*, memory_mb: int, cpu_seconds: int, file_mb: int) -> None:
    """Limit the running process for good; limits that the system does not have are silently left out.

    Args:
        memory_mb: Megabytes of address space beyond the present ones; on Windows of memory, for the process
            and those that it starts together.
        cpu_seconds: Seconds of processor time.
        file_mb: Megabytes of any one file that it writes; not on Windows.
    """
    if sys.platform == "win32":
        with contextlib.suppress(OSError):
            limit_this_process(memory=memory_mb * MEGABYTE, user_seconds=cpu_seconds, processes=EXTRA_TASKS)
        return
    _raise_oom_score()
    if resource is None:
        return
    if hasattr(signal, "SIGXFSZ"):
        # A file that grows too long is then an OSError and not the end.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _limit("RLIMIT_CORE", 0)
    _limit("RLIMIT_NOFILE", MAX_OPEN_FILES)
    _limit("RLIMIT_SIGPENDING", MAX_QUEUED_SIGNALS)
    _limit("RLIMIT_FSIZE", file_mb * MEGABYTE)
    # The system gives the reason for the end only if the hard limit is above the soft one.
    _limit("RLIMIT_CPU", cpu_seconds, grace=1)
    tasks = _count_user_tasks()
    if tasks is not None:
        _limit("RLIMIT_NPROC", tasks + EXTRA_TASKS)
    _limit("RLIMIT_AS", _address_space() + memory_mb * MEGABYTE)


def _limit(name: str, most: int, *, grace: int = 0) -> None:
    number = getattr(resource, name, None)
    if number is None:
        return
    with contextlib.suppress(OSError, ValueError):
        _, hard = resource.getrlimit(number)
        last = most + grace if hard == resource.RLIM_INFINITY else min(most + grace, hard)
        resource.setrlimit(number, (min(most, last), last))


def _raise_oom_score() -> None:
    """Have the system end this process, and not the program, when memory runs out."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _address_space() -> int:
    """Return the bytes of address space of the process; 0 if the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGESIZE")


def _count_user_tasks() -> int | None:
    """Return the number of processes and threads of this user; None if the system does not tell."""
    user, tasks = os.getuid(), 0
    try:
        processes = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    except OSError:
        return None
    for process in processes:
        try:
            if process.stat().st_uid == user:
                tasks += sum(1 for _ in (process / "task").iterdir())
        except OSError:
            continue  # it has ended in the meantime
    return tasks or None
