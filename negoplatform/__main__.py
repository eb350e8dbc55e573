"""The program: ``python -m negoplatform`` and the command ``negoplatform``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; without a command, open the start window."""
    # Checked before anything else is loaded: an agent's process needs neither the command line nor Tk.
    if sys.argv[1:] == ["agent-process"]:
        from negoplatform.hosting.process_limits import lower_priority

        lower_priority()  # before the imports, which keep a processor busy for a while
        from negoplatform.hosting.agent_main import serve

        serve()
    elif len(sys.argv) == 1:
        from negoplatform.cli.gui_entry import start

        raise SystemExit(start())
    else:
        from negoplatform.cli.main import run

        raise SystemExit(run())


if __name__ == "__main__":
    main()
