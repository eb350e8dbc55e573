"""Filter of system calls (seccomp) for what Landlock does not cover.

Everything is allowed but what is listed here, which then fails with EPERM, or as if the system lacked it: a
process may compute, read the clock and start threads as before. The filter is built here, in the form that
the kernel takes it: libseccomp, which would build it, is not on every system, and its binding ``pyseccomp``
had its last release in 2021.

Source: https://docs.kernel.org/userspace-api/seccomp_filter.html.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping

from negoplatform.hosting.sandbox.syscall_table import TABLES, SyscallTable

_SET_NO_NEW_PRIVILEGES, _GET_SECCOMP, _SET_SECCOMP, _FILTER_MODE = 38, 21, 22, 2

_LOAD, _JUMP_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000

_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
"""Places in the description of a call that a filter reads, in bytes."""

AF_INET, AF_INET6 = 2, 10

_NEW_NAMESPACES = 0x7E020000 | 0x80
"""Flags of ``clone`` for new namespaces."""

_CHILD_OF_ITS_PARENT = 0x8000
"""Flag of ``clone`` for a process that is the child of the program, as if the agent had not started it."""

_FCNTL_OTHERS = (8, 10, 15, 1024, 1026, 1040)
"""Commands of ``fcntl`` that reach others: signals that the kernel sends for a process (F_SETOWN, F_SETSIG,
F_SETOWN_EX), leases, for which the next program that opens a file waits up to 45 s (F_SETLEASE, F_SETDELEG),
and reports about a folder (F_NOTIFY)."""

_IOCTL_PLAIN = (
    *(0x5401, 0x802C542A, 0x540F, 0x5411, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x8905),
    *(0x40049409, 0x4020940D),
)
"""Requests of ``ioctl`` for the size, state and flags of a descriptor, and the copying of files.

All others are refused. Many change a file that is open for reading only: its flags, its project, its
encryption; others send signals or type into a terminal.
"""

_OWN_PRIORITIES = (0, 1)
"""Kinds of ``setpriority``: of a process, of a group; not of all processes of a user."""

_SUBREAPER = 36
"""Option of ``prctl`` by which a process would no longer be the parent of what its processes leave behind."""

_AF_UNIX = 1

_PROTOCOLS = (0, 6, 17)
"""TCP and UDP, and the usual one of a kind: Landlock does not restrict the ports of MPTCP, SCTP or SMC."""

_ODD_KINDS = 0b1100
"""Bits in the kinds of sockets other than streams, datagrams and raw ones."""

_DATAGRAMS = 0b0010
"""Bit in the kinds of sockets, among pairs, that send to any address: datagrams and raw ones."""

_SENDING = 0x20000000 | 0x4000000
"""Flags for sending that connects at once, which Landlock does not notice, or without a copy.

The latter keeps memory in use that the process has given up.
"""

_CONDITIONAL = frozenset(
    {
        *("clone", "clone3", "fcntl", "ioctl", "prlimit64", "sched_setaffinity", "setpriority", "socket"),
        *("mmap", "prctl", "sendmmsg", "sendmsg", "sendto", "socketpair"),
        *("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"),
    }
)
"""Calls that are refused for some of their arguments only."""

_SHARED, _ANONYMOUS = 0x01, 0x20
"""Flags of ``mmap`` that together make memory which stays in use when all but a page is given up.

The rest counts nowhere then.
"""

_OF_NETWORKS = frozenset({"bind"})
"""Calls that are allowed where there is a network.

By a name for a socket, also one that is no file, the processes of two seats would find each other, and could
take the name under which another program is going to listen.
"""

_OF_ATTRIBUTES = frozenset({"getxattr", "getxattrat", "lgetxattr", "listxattr", "listxattrat", "llistxattr"})
"""Calls that are refused as on a disk without extended attributes.

Programs go on then: the packaged one asks for those of its own file when it is started by an agent.
"""

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
        network: Whether sockets of the Internet may be made, for TCP and UDP. No others may be made in any
            case, except pairs of streams, which lead nowhere but to each other.
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
        if name not in _CONDITIONAL and not (network and name in _OF_NETWORKS):
            yield _step(_JUMP_EQUAL, number, otherwise=1)
            yield _refuse(errno.EOPNOTSUPP if name in _OF_ATTRIBUTES else errno.EPERM)
    # The C library then uses clone, whose flags can be read here.
    yield _step(_JUMP_EQUAL, numbers["clone3"], otherwise=1)
    yield _refuse(errno.ENOSYS)
    yield from _refuse_flags(numbers["clone"], 0, _NEW_NAMESPACES | _CHILD_OF_ITS_PARENT)
    yield from _refuse_pair(numbers["mmap"], 3, _SHARED, _ANONYMOUS)
    yield from _refuse_values(numbers["fcntl"], 1, _FCNTL_OTHERS)
    yield from _refuse_values(numbers["prctl"], 0, (_SUBREAPER,))
    yield from _allow_values(numbers["ioctl"], 1, _IOCTL_PLAIN)
    yield from _sockets(numbers, network=network)
    for name in ("prlimit64", "sched_setaffinity"):
        yield from _allow_values(numbers[name], 0, (0, own))
    yield from _allow_values(numbers["setpriority"], 0, _OWN_PRIORITIES)
    yield from _allow_values(numbers["setpriority"], 1, (0, own))
    for name in () if signals else _SIGNALS:
        yield from _allow_values(numbers[name], 0, (0, own) if name == "kill" else (own,))
    yield _step(_RETURN, _ALLOW)


def _sockets(numbers: Mapping[str, int], *, network: bool) -> Iterator[bytes]:
    """Yield instructions for sockets: of the Internet, if there is a network, and pairs."""
    yield from _allow_values(numbers["socket"], 0, (AF_INET, AF_INET6) if network else ())
    yield from _refuse_flags(numbers["socket"], 1, _ODD_KINDS)
    yield from _allow_values(numbers["socket"], 2, _PROTOCOLS)
    for name, flags_at in (("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)):
        yield from _refuse_flags(numbers[name], flags_at, _SENDING)
    yield from _allow_values(numbers["socketpair"], 0, (_AF_UNIX,))
    yield from _refuse_flags(numbers["socketpair"], 1, _DATAGRAMS)


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


def _refuse_pair(number: int, argument: int, one: int, other: int) -> Iterator[bytes]:
    """Yield instructions that refuse a call if an argument has both of two bits, among the lowest 32."""
    tests = [_step(_JUMP_SET, one, otherwise=2), _step(_JUMP_SET, other, otherwise=1)]
    yield from _for_call(number, [_load(_argument_at(argument)), *tests, _refuse()])


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
