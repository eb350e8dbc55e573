"""Sandbox that an agent's process enters before it loads foreign code, as far as the system has one."""

from __future__ import annotations

import ctypes
import sys

from negoplatform.formats.agent_permissions import NO_SANDBOX, SandboxLevel
from negoplatform.formats.agent_protocol import SandboxRulesModel
from negoplatform.hosting.sandbox.landlock import SCOPES_ABI, landlock_abi, restrict_by_landlock
from negoplatform.hosting.sandbox.seccomp import forbid_new_privileges, has_seccomp, install_filter

_OWN_TASKS = "/proc/self/task"
"""Files in which the system lists the children of a process, which it ends with itself."""

_SET_DUMPABLE, _SET_CHILD_SUBREAPER = 4, 36

_reached: list[SandboxLevel] = []
"""Level of this process, once it has entered its sandbox."""


def available_sandbox() -> SandboxLevel:
    """Return the level of the sandbox that agents' processes reach on this computer."""
    if not sys.platform.startswith("linux"):
        return NO_SANDBOX
    return SandboxLevel(landlock_abi(), has_seccomp())


def current_sandbox() -> SandboxLevel:
    """Return the level of the sandbox of this process."""
    return _reached[-1] if _reached else NO_SANDBOX


def enter_sandbox(rules: SandboxRulesModel) -> SandboxLevel:
    """Restrict this process for good; called before it has a second thread.

    What the system does not have is left out.

    Returns:
        The level that was reached.
    """
    if not sys.platform.startswith("linux"):
        return NO_SANDBOX
    # Processes that its processes leave behind become its own children, and are found there.
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if not forbid_new_privileges():
        return NO_SANDBOX
    abi = restrict_by_landlock(
        read=[*rules.read, _OWN_TASKS], listed=rules.listed, write=rules.write, ports=rules.ports
    )
    seccomp = install_filter(network=bool(rules.ports), signals=abi >= SCOPES_ABI)
    _reached.append(SandboxLevel(abi, seccomp))
    return current_sandbox()


def guard_program() -> None:
    """Keep other processes of the same user from this one's memory, environment and descriptors.

    It also becomes the parent of processes that an agent leaves behind. No core file of it is written any
    more.
    """
    if sys.platform.startswith("linux"):
        library = ctypes.CDLL(None)
        library.prctl(_SET_DUMPABLE, 0, 0, 0, 0)
        library.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
