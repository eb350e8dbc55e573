"""The program with a part of the sandbox of its agents' processes, or without any.

``python -m tests.window.attacks.weakened none|filter …`` is ``negoplatform …`` without a sandbox, or as on a
kernel without Landlock.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from unittest.mock import patch

from negoplatform.__main__ import main
from negoplatform.formats.agent_permissions import NO_SANDBOX
from negoplatform.hosting import agent_main, agent_stdio, child_process
from negoplatform.hosting.sandbox import landlock


def run() -> None:
    """Run the program, or an agent's process of it, with what the first argument leaves of the sandbox."""
    left = sys.argv.pop(1)
    command = [sys.executable, "-P", "-s", "-X", "utf8", "-m", "tests.window.attacks.weakened", left]
    with ExitStack() as patches:
        enter = patches.enter_context
        enter(patch.object(child_process, "agent_command", lambda: [*command, child_process.AGENT_PROCESS]))
        if left == "filter":
            enter(patch.object(landlock, "landlock_abi", lambda: 0))
        else:
            enter(patch.object(agent_main, "enter_sandbox", lambda rules: NO_SANDBOX))
            enter(patch.object(child_process, "guard_program", lambda: None))
            enter(patch.object(child_process, "end_left_behind", lambda own: 0))
            enter(patch.object(agent_stdio, "end_own_children", lambda: None))
        main()


if __name__ == "__main__":
    run()
