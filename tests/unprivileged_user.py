"""Programs run as an ordinary user: neither permissions nor limits apply to root."""

from __future__ import annotations

import os
import shutil

NOBODY = 65534
"""Id of an ordinary user, to whom permissions and limits apply."""


def become_ordinary() -> None:
    """Turn this process, if root runs it, into one of an ordinary user; for other users nothing changes."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def can_be_ordinary() -> bool:
    """Return whether programs can be run as an ordinary user, as they always can without root."""
    return os.geteuid() != 0 or shutil.which("setpriv") is not None


def ordinary_command() -> list[str]:
    """Return the prefix of a command that runs it as an ordinary user; empty where that is impossible.

    One right of root remains, to read: the interpreter may be in a folder that other users cannot read.
    """
    setpriv = shutil.which("setpriv")
    if os.geteuid() != 0 or setpriv is None:
        return []
    user = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return [setpriv, *user, *(f"--{kind}-caps=-all,+dac_read_search" for kind in ("inh", "ambient"))]
