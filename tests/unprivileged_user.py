"""Programs run as an ordinary user: neither permissions nor limits bind root."""

from __future__ import annotations

import os
import shutil

NOBODY = 65534
"""An ordinary user whom neither permissions nor limits spare."""


def become_ordinary() -> None:
    """From now on this process is an ordinary user; for root only, for anybody else nothing changes."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def can_be_ordinary() -> bool:
    """Whether programs can be run as an ordinary user; whoever is not root is one."""
    return os.geteuid() != 0 or shutil.which("setpriv") is not None


def ordinary_command() -> list[str]:
    """What stands before a command so that it runs as an ordinary user; nothing where that cannot be.

    One right of root is kept, to read: the interpreter may lie where nobody else may look.
    """
    setpriv = shutil.which("setpriv")
    if os.geteuid() != 0 or setpriv is None:
        return []
    user = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return [setpriv, *user, *(f"--{kind}-caps=-all,+dac_read_search" for kind in ("inh", "ambient"))]
