"""The program without the sandbox of its agents' processes: what every attack achieves there."""

from __future__ import annotations

import sys
from unittest.mock import patch

from negoplatform.__main__ import main
from negoplatform.formats.agent_permissions import NO_SANDBOX
from negoplatform.hosting import agent_main, child_process


def run() -> None:
    """Run the program, or an agent's process of it, without the sandbox."""
    command = [sys.executable, "-P", "-s", "-X", "utf8", "-m", "tests.window.attacks.unprotected"]
    with (
        patch.object(agent_main, "enter_sandbox", lambda rules: NO_SANDBOX),
        patch.object(child_process, "guard_program", lambda: None),
        patch.object(child_process, "end_left_behind", lambda own: 0),
        patch.object(child_process, "agent_command", lambda: [*command, child_process.AGENT_PROCESS]),
    ):
        main()


if __name__ == "__main__":
    run()
