"""Filter of system calls (seccomp) for what Landlock does not cover.

Everything is allowed but what is listed here, which then fails with EPERM: a process may compute, read the
clock and start threads as before. The filter is built here, in the form that the kernel takes it: libseccomp,
which would build it, is not on every system, and its binding ``pyseccomp`` had its last release in 2021.

Source: https://docs.kernel.org/userspace-api/seccomp_filter.html.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterable, Iterator

from negoplatform.hosting.sandbox.syscall_table import TABLES, SyscallTable

_SET_NO_NEW_PRIVILEGES, _GET_SECCOMP, _SET_SECCOMP, _FILTER_MODE = 38, 21, 22, 2

_LOAD, _JUMP_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000

_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
"""Places in the description of a call that a filter reads, in bytes."""

AF_INET, AF_INET6 = 2, 10

_NEW_NAMESPACES = 0x7E020000 | 0x80
"""Flags of ``clone`` for new namespaces."""

_FCNTL_SIGNALS = (8, 10, 15)
"""Commands of ``fcntl`` for signals that the kernel sends for a process: F_SETOWN, F_SETSIG, F_SETOWN_EX."""

_IOCTL_SIGNALS_AND_KEYS = (0x8901, 0x8902, 0x5412)
"""The same by ``ioctl``, FIOSETOWN and SIOCSPGRP; and TIOCSTI, which types into a terminal."""

_OWN_PRIORITIES = (0, 1)
"""Kinds of ``setpriority``: of a process, of a group; not of all processes of a user."""

_CONDITIONAL = frozenset(
    {
        *("clone", "clone3", "fcntl", "ioctl", "prlimit64", "sched_setaffinity", "setpriority", "socket"),
        *("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"),
    }
)
"""Calls that are refused for some of their arguments only."""

_SIGNALS = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")


def forbid_new_privileges() -> bool:
    """Keep this process, and what it starts, from more rights than it has; return whether that succeeded."""
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0)


def has_seccomp() -> bool:
    """Return whether this kernel and processor have the filter."""
    return _table() is not None and ctypes.CDLL(None).prctl(_GET_SECCOMP, 0, 0, 0, 0) >= 0


def install_filter(*, network: bool, signals: bool) -> bool:
    """Filter the system calls of the calling thread, and of whatever it starts, for good.

    Args:
        network: Whether sockets of the Internet may be made. No others may be made in any case, except
            pairs, which lead nowhere but to each other.
        signals: Whether signals to other processes are allowed, because Landlock looks after them.

    Returns:
        Whether the filter is in force.
    """
    table = _table()
    if table is None:
        return False
    program = b"".join(_filter(table, network=network, signals=signals, own=os.getpid()))
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    return bool(ctypes.CDLL(None).prctl(_SET_SECCOMP, _FILTER_MODE, header, 0, 0) == 0)


def _table() -> SyscallTable | None:
    if not sys.platform.startswith("linux") or sys.maxsize < 2**32:
        return None
    return TABLES.get(platform.machine())


def _filter(table: SyscallTable, *, network: bool, signals: bool, own: int) -> Iterator[bytes]:
    """Yield the instructions: calls of other tables, then those refused always, then those for arguments."""
    numbers = table.numbers
    yield _load(_ARCHITECTURE_AT)
    yield _step(_JUMP_EQUAL, table.architecture, then=1)
    yield _refuse()
    yield _load(_NUMBER_AT)
    if table.foreign_bit:
        yield _step(_JUMP_SET, table.foreign_bit, otherwise=1)
        yield _refuse()
    for name, number in numbers.items():
        if name not in _CONDITIONAL:
            yield _step(_JUMP_EQUAL, number, otherwise=1)
            yield _refuse()
    # The C library then uses clone, whose flags can be read here.
    yield _step(_JUMP_EQUAL, numbers["clone3"], otherwise=1)
    yield _refuse(errno.ENOSYS)
    yield from _refuse_flags(numbers["clone"], 0, _NEW_NAMESPACES)
    yield from _refuse_values(numbers["fcntl"], 1, _FCNTL_SIGNALS)
    yield from _refuse_values(numbers["ioctl"], 1, _IOCTL_SIGNALS_AND_KEYS)
    yield from _allow_values(numbers["socket"], 0, (AF_INET, AF_INET6) if network else ())
    for name in ("prlimit64", "sched_setaffinity"):
        yield from _allow_values(numbers[name], 0, (0, own))
    yield from _allow_values(numbers["setpriority"], 0, _OWN_PRIORITIES)
    yield from _allow_values(numbers["setpriority"], 1, (0, own))
    for name in () if signals else _SIGNALS:
        yield from _allow_values(numbers[name], 0, (0, own) if name == "kill" else (own,))
    yield _step(_RETURN, _ALLOW)


def _allow_values(number: int, argument: int, values: Iterable[int]) -> Iterator[bytes]:
    """Yield instructions that refuse a call unless an argument, of 32 bits, has one of these values."""
    known = tuple(values)
    tests = [_step(_JUMP_EQUAL, value, then=len(known) - i) for i, value in enumerate(known)]
    yield from _for_call(number, [_load(_argument_at(argument)), *tests, _refuse()])


def _refuse_values(number: int, argument: int, values: Iterable[int]) -> Iterator[bytes]:
    """Yield instructions that refuse a call if an argument, of 32 bits, has one of these values."""
    known = tuple(values)
    tests = [_step(_JUMP_EQUAL, value, then=len(known) - i) for i, value in enumerate(known)]
    yield from _for_call(number, [_load(_argument_at(argument)), *tests, _step(_RETURN, _ALLOW), _refuse()])


def _refuse_flags(number: int, argument: int, flags: int) -> Iterator[bytes]:
    """Yield instructions that refuse a call if an argument has any of these bits, among the lowest 32."""
    yield from _for_call(
        number, [_load(_argument_at(argument)), _step(_JUMP_SET, flags, otherwise=1), _refuse()]
    )


def _for_call(number: int, steps: list[bytes]) -> Iterator[bytes]:
    """Yield instructions that only a call of this number comes to; the number is loaded before and after."""
    yield _step(_JUMP_EQUAL, number, otherwise=len(steps))
    yield from steps
    yield _load(_NUMBER_AT)


def _argument_at(argument: int) -> int:
    """Return the place of the lower half of an argument, on processors that put it first."""
    return _ARGUMENTS_AT + 8 * argument


def _load(place: int) -> bytes:
    return _step(_LOAD, place)


def _refuse(code: int = errno.EPERM) -> bytes:
    return _step(_RETURN, _ERRNO | code)


def _step(operation: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    """Return an instruction: jumps skip so many of the next ones."""
    return struct.pack("=HBBI", operation, then, otherwise, value)
