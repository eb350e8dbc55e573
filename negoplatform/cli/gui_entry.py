"""The program as a double click starts it, with nothing on its command line."""

from __future__ import annotations

import gc

from negoplatform.cli.errors import ErrorHandler
from negoplatform.cli.require_tk import require_tk
from negoplatform.cli.run_context import RunContext


def start() -> int:
    """Opens the start window and stays until it is closed; the exit code.

    What reads the command line is not loaded: it would take a quarter of the time until the window is there.
    """
    # Nothing that is loaded now becomes garbage; the program looks for some once it runs.
    gc.disable()
    places = RunContext(opens_window=True)

    def open_it() -> int:
        with require_tk():
            from negoplatform.gui.shell.splash import open_window
        open_window(places.data_dir)
        return 0

    return ErrorHandler(places, announce=False).run_guarded(open_it)
