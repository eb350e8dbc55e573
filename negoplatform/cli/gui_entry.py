"""Start of the program by a double click, without arguments."""

from __future__ import annotations

import gc

from negoplatform.cli.errors import ErrorHandler
from negoplatform.cli.require_tk import require_tk
from negoplatform.cli.run_context import RunContext


def start() -> int:
    """Open the start window, run until it is closed, and return the exit code.

    The command line parser is not imported: that would add a quarter to the time until the window appears.
    """
    # Imported objects live as long as the program; garbage collection starts once it runs.
    gc.disable()
    places = RunContext(opens_window=True)

    def open_it() -> int:
        with require_tk():
            from negoplatform.gui.shell.window_startup import open_window
        open_window(places.data_dir)
        return 0

    return ErrorHandler(places, announce=False).run_guarded(open_it)
