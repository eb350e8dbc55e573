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
from negoplatform.language_model.call_limit import CallLimit
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.testing.check import CheckCounts, check_agent
from negoplatform.testing.finding import Finding, Severity

TIMEOUT_SECONDS = 600.0
"""Seconds after which the check is given up."""

_PROGRAM = "from negoplatform.testing.check_in_own_process import main; main()"


def check_in_own_process(
    plugin: AgentPlugin,
    games: Sequence[GameSpec] | None = None,
    *,
    seed: int = 1,
    counts: CheckCounts | None = None,
) -> list[Finding]:
    """Return the findings of ``check_agent``, called in another process; it has no sandbox.

    Args:
        plugin: The agent.
        games: The games; None: the usual ones.
        seed: Seed for everything random.
        counts: The numbers of the check, as for ``check_agent``.
    """
    counts = CheckCounts() if counts is None else counts
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _PROGRAM],
            input=pickle.dumps((plugin, games, seed, counts.calls.allowed)),
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
    document = json.loads(done.stdout)
    counts.calls.made, counts.calls.prevented = document["calls"]
    counts.refused, counts.sentences = document["refused"], document["sentences"]
    return [Finding(**{**found, "severity": Severity(found["severity"])}) for found in document["findings"]]


def _unfinished(sentence: str) -> Finding:
    return Finding(Severity.ERROR, "the whole check", sentence)


def main() -> None:
    """Run the other process: read the agent and the games from its input, write the findings as JSON."""
    plugin, games, seed, allowed = pickle.loads(sys.stdin.buffer.read())
    counts = CheckCounts(CallLimit(allowed))
    with contextlib.redirect_stdout(io.StringIO()):
        found = check_agent(
            replace(plugin, own_process=False),
            games=games,
            seed=seed,
            in_another_process=False,  # all processes in which it runs have the same order of sets
            counts=counts,
        )
    document = {
        "findings": [asdict(finding) for finding in found],
        "calls": [counts.calls.made, counts.calls.prevented],
        "refused": counts.refused,
        "sentences": counts.sentences,
    }
    sys.stdout.write(json.dumps(document))
    sys.stdout.flush()
    # Not the ordinary exit: a thread of the agent's own would hold it up.
    os._exit(0)
