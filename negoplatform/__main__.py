"""The program: ``python -m negoplatform`` and the command ``negoplatform``."""

from __future__ import annotations

import gc
import sys

YOUNG_OBJECTS = 50_000
"""New objects after which garbage is collected."""


def main() -> None:
    """Run the command line; without a command, open the start window."""
    # Python's own threshold of 700 adds an eighth to the time in which the modules are imported.
    gc.set_threshold(YOUNG_OBJECTS, 10, 10)
    # Checked before anything else is loaded: an agent's process needs neither the command line nor Tk.
    if sys.argv[1:] == ["agent-process"]:
        from negoplatform.hosting.processes.process_limits import lower_priority

        lower_priority()  # before the imports, which keep a processor busy for a while
        from negoplatform.hosting.agent_main import serve

        serve()
    elif len(sys.argv) == 1:
        from negoplatform.cli.gui_entry import start

        raise SystemExit(start())
    else:
        try:
            from negoplatform.cli.main import run

            code = run()
        except KeyboardInterrupt:  # Ctrl-C while the modules are loaded
            sys.stderr.write("Stopped.\n")
            code = 130
        raise SystemExit(code)


if __name__ == "__main__":
    main()
