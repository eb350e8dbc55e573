"""Entry point of the packaged program."""

from __future__ import annotations

import importlib
import os
import sys

HOOKS = ("pyi_rth_multiprocessing", "pyi_rth_pkgutil", "pyi_rth_inspect")
"""PyInstaller's adaptations of the standard library; the recipe keeps them as modules, run on demand."""

WINDOW = ("play", "replay")
"""Commands that open the window, in whose process no plugin's code runs."""


def _adapt_standard_library() -> None:
    """Make multiprocessing, pkgutil and inspect work in a packaged program.

    A window does without them: loading them takes a fifth of its start.
    """
    for name in HOOKS:
        importlib.import_module(name)
    import multiprocessing

    # Before anything of ours: agents' multiprocessing starts this program too, and such a process ends here.
    multiprocessing.freeze_support()


def _opens_window(arguments: list[str]) -> bool:
    return not arguments or arguments[0] in WINDOW or arguments[0].endswith(".jsonl")


def _give_back_library_path() -> None:
    """Restore the library path: programs started by an agent or the window must not find our libraries first.

    The loader read the variable at the start of the program, so nothing here needs it any more.
    """
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", "")
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before:
        os.environ["LD_LIBRARY_PATH"] = before


def _leave_out_other_tcl() -> None:
    """Remove package paths of the user's own Tcl: ours does not need them, and a fault there stops any."""
    os.environ.pop("TCLLIBPATH", None)


if __name__ == "__main__":
    if not _opens_window(sys.argv[1:]):
        _adapt_standard_library()
    if sys.platform == "linux":
        _give_back_library_path()
    _leave_out_other_tcl()
    from negoplatform.__main__ import main

    main()
