"""What the packaged program runs first."""

from __future__ import annotations

import importlib
import os
import sys

HOOKS = ("pyi_rth_multiprocessing", "pyi_rth_pkgutil", "pyi_rth_inspect")
"""What PyInstaller adapts in the standard library; the recipe keeps it as modules, to be run when needed."""

TASKBAR = "NegoPlatform.NegoPlatform"
"""By which Windows knows whose a window is; ``windows/negoplatform.iss`` gives it to the shortcut."""

WINDOW = ("play", "replay")
"""Commands that open the window, in which nobody else's code runs."""


def _adapt_standard_library() -> None:
    """Makes multiprocessing, pkgutil and inspect work in a packaged program.

    A window does without: loading them takes a fifth of its start.
    """
    for name in HOOKS:
        importlib.import_module(name)
    import multiprocessing

    # Before anything of ours: what an agent's multiprocessing starts is this program too, and ends here.
    multiprocessing.freeze_support()


def _opens_window(arguments: list[str]) -> bool:
    return not arguments or arguments[0] in WINDOW or arguments[0].endswith(".jsonl")


def _give_back_library_path() -> None:
    """What an agent or the window starts must not find our libraries before its own.

    The loader has read the variable when the program began, so nothing here needs it any more.
    """
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", "")
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before:
        os.environ["LD_LIBRARY_PATH"] = before


def _join_taskbar_group() -> None:
    """So the window of a log that was double-clicked stands with those from the shortcut."""
    import ctypes

    ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID(TASKBAR)


def _leave_out_other_tcl() -> None:
    """Where somebody's own Tcl looks for packages is nothing to ours, and a fault in it stops any Tcl."""
    os.environ.pop("TCLLIBPATH", None)


if __name__ == "__main__":
    if not _opens_window(sys.argv[1:]):
        _adapt_standard_library()
    elif sys.platform == "win32":
        _join_taskbar_group()
    if sys.platform == "linux":
        _give_back_library_path()
    _leave_out_other_tcl()
    from negoplatform.__main__ import main

    main()
