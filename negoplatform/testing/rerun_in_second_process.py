"""Check of determinism: the same situations in another process, whose sets are in another order."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence

from negoplatform.hosting.child_process import module_search_path
from negoplatform.language_model.call_limit import CallLimit, limited_calls
from negoplatform.plugins.agent_loader import AgentPlugin, make_agent
from negoplatform.testing.case_runner import CaseResult, lines_of, play_case
from negoplatform.testing.check_harness import CheckCase

TIMEOUT_SECONDS = 120.0
"""Seconds after which the other process is given up."""


class SecondProcessError(Exception):
    """Failure to play situations in another process; the text gives the reason, as half a sentence."""


def can_use_second_process() -> bool:
    """Return whether there is a Python whose sets can be in another order.

    The packaged program has none: all of its processes have one order. As this is no fault of the agent, it
    is no finding either.
    """
    return not getattr(sys, "frozen", False)


def play_in_second_process(plugin: AgentPlugin, scenes: Sequence[CheckCase], seed: int) -> list[list[str]]:
    """Return the logs of the situations, as lines, played in a process with another hash seed.

    Raises:
        SecondProcessError: If there can be none, or it came to no end.
    """
    try:
        order = pickle.dumps((plugin, list(scenes), seed))
    except Exception as error:
        raise SecondProcessError(f"the games cannot be handed over ({type(error).__name__})") from error
    paths = os.pathsep.join(module_search_path())
    hash_seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    try:
        done = subprocess.run(
            [
                sys.executable,
                "-P",
                "-c",
                "from negoplatform.testing.rerun_in_second_process import main; main()",
            ],
            input=order,
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": paths},
        )
    except subprocess.TimeoutExpired:
        raise SecondProcessError(f"it took longer than {TIMEOUT_SECONDS:g} s") from None
    except OSError as error:
        raise SecondProcessError(f"it could not be started ({error.strerror})") from error
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise SecondProcessError(f"it failed there ({last[-1] if last else done.returncode})")
    logs: list[list[str]] = json.loads(done.stdout)
    return logs


def main() -> None:
    """Run the other process: read situations from its input, write their logs as JSON."""
    plugin, scenes, seed = pickle.loads(sys.stdin.buffer.read())
    # A program that the agent starts inherits the descriptors 0 to 2, and would write among the logs.
    output = os.dup(sys.stdout.fileno())
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nowhere, descriptor)
    with contextlib.redirect_stdout(io.StringIO()), limited_calls(CallLimit()):
        logs = [_lines(plugin, scene, seed) for scene in scenes]
    with os.fdopen(output, "wb") as file:
        file.write(json.dumps(logs).encode())
    # Not the ordinary exit: a thread of the agent's own would hold it up.
    os._exit(0)


def _lines(plugin: AgentPlugin, scene: CheckCase, seed: int) -> list[str]:
    played = play_case(
        scene, make_agent(plugin, scene.seat, {}, scene.game), seed=seed, timeout=TIMEOUT_SECONDS
    )
    return lines_of(played.events) if isinstance(played, CaseResult) else []
