"""Check of an agent that never runs in the program: the whole check takes place in another process."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace

from negoplatform.domain.game import GameSpec
from negoplatform.hosting.child_process import module_search_path
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.testing.check import check_agent
from negoplatform.testing.finding import Finding, Severity

TIMEOUT_SECONDS = 600.0
"""Seconds after which the check is given up."""

_PROGRAM = "from negoplatform.testing.check_in_own_process import main; main()"


def check_in_own_process(
    plugin: AgentPlugin, games: Sequence[GameSpec] | None = None, *, seed: int = 1
) -> list[Finding]:
    """Return the findings of ``check_agent``, called in another process; it has no sandbox.

    Args:
        plugin: The agent.
        games: The games; None: the usual ones.
        seed: Seed for everything random.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _PROGRAM],
            input=pickle.dumps((plugin, games, seed)),
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(module_search_path()), "PYTHONHASHSEED": "0"},
        )
    except subprocess.TimeoutExpired:
        return [_unfinished(f"It took longer than {TIMEOUT_SECONDS:g} s.")]
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return [_unfinished(f"Its process ended ({last[-1] if last else f'exit code {done.returncode}'}).")]
    return [
        Finding(**{**found, "severity": Severity(found["severity"])}) for found in json.loads(done.stdout)
    ]


def _unfinished(sentence: str) -> Finding:
    return Finding(Severity.ERROR, "the whole check", sentence)


def main() -> None:
    """Run the other process: read the agent and the games from its input, write the findings as JSON."""
    plugin, games, seed = pickle.loads(sys.stdin.buffer.read())
    with contextlib.redirect_stdout(io.StringIO()):
        found = check_agent(
            replace(plugin, own_process=False),
            games=games,
            seed=seed,
            in_another_process=False,  # all processes in which it runs have the same order of sets
        )
    sys.stdout.write(json.dumps([asdict(finding) for finding in found]))
    sys.stdout.flush()
    # Not the ordinary exit: a thread of the agent's own would hold it up.
    os._exit(0)
