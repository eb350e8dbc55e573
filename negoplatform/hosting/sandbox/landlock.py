"""Landlock, the part of Linux by which a process gives up access to files, ports and other processes.

Called by number, because the C library has no functions for it. The packages for it on PyPI, ``landlock``
1.0.0.dev5 and ``py-landlock`` 0.1.1, were alpha versions in November 2026; the first knows neither ports nor
signals.

Source: https://docs.kernel.org/userspace-api/landlock.html; ``linux/landlock.h``.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Numbers of the three system calls, the same on every processor that Linux has Landlock for."""

_GET_VERSION = 1
_PATH_BENEATH, _NET_PORT = 1, 2

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REGULAR = 1 << 4, 1 << 5, 1 << 7, 1 << 8
TRUNCATE, IOCTL_DEVICE = 1 << 14, 1 << 15

CONNECT_TCP = 1 << 1

_READ = EXECUTE | READ_FILE | READ_DIR
_WRITE = WRITE_FILE | TRUNCATE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REGULAR
_FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE
"""Rights that a rule about a file, and not a folder, may have."""

SCOPES_ABI = 6
"""First version by which a process can be kept from signals to others and from their abstract sockets."""

_PORTS_ABI = 4


def landlock_abi() -> int:
    """Return the version of Landlock that this kernel has; 0 for none."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(0, int(ctypes.CDLL(None).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), _GET_VERSION)))


def restrict_by_landlock(
    *, read: Iterable[str], listed: Iterable[str], write: Iterable[str], ports: Iterable[int]
) -> int:
    """Restrict the calling thread, and whatever it starts, for good.

    A thread that runs already stays as it is, so this is called before there is a second one. The calling
    process must not be able to gain privileges any more.

    Args:
        read: Files and folders that may be read and run, with all that is in them. Missing ones are left out.
        listed: Folders whose names may be listed, also those of the folders in them.
        write: Folders in which files may be read, written, made and removed.
        ports: TCP ports that may be connected to. Without Landlock 4, ports are not restricted.

    Returns:
        The version of Landlock that is in force; 0: the kernel has none, or refused.
    """
    abi = landlock_abi()
    if not abi:
        return 0
    rights = _all_file_rights(abi)
    ruleset = _create_ruleset(abi, rights)
    if ruleset < 0:
        return 0
    try:
        for paths, allowed in (
            (read, _READ),
            (listed, READ_DIR),
            (write, _READ | _WRITE),
            (("/dev/null",), READ_FILE | WRITE_FILE),
        ):
            for path in paths:
                _allow_path(ruleset, path, allowed & rights)
        if abi >= _PORTS_ABI:
            for port in ports:
                _add_rule(ruleset, _NET_PORT, struct.pack("=QQ", CONNECT_TCP, port))
        restricted = ctypes.CDLL(None).syscall(RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)
    return abi if restricted else 0


def _all_file_rights(abi: int) -> int:
    """Return all rights about files that a version knows; what is not allowed of these is refused."""
    return (1 << (13 if abi < 2 else 14 if abi < 3 else 15 if abi < 5 else 16)) - 1


def _create_ruleset(abi: int, rights: int) -> int:
    """Return a descriptor of a set of rules; negative if the kernel refuses it."""
    network = 0b11 if abi >= _PORTS_ABI else 0  # to bind and to connect
    scopes = 0b11 if abi >= SCOPES_ABI else 0  # abstract sockets, and signals
    size = 24 if abi >= SCOPES_ABI else 16 if abi >= _PORTS_ABI else 8
    attributes = struct.pack("=QQQ", rights, network, scopes)
    return int(ctypes.CDLL(None).syscall(CREATE_RULESET, attributes, ctypes.c_size_t(size), 0))


def _allow_path(ruleset: int, path: str, rights: int) -> None:
    with contextlib.suppress(OSError, ValueError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
                rights &= _FILE_RIGHTS
            _add_rule(ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, descriptor))
        finally:
            os.close(descriptor)


def _add_rule(ruleset: int, kind: int, rule: bytes) -> None:
    """Allow something; a rule that the kernel refuses allows nothing."""
    ctypes.CDLL(None).syscall(ADD_RULE, ruleset, kind, rule, 0)
