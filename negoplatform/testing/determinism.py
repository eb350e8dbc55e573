"""The same scenes in another process, whose sets are in another order."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence

from negoplatform.plugins.loader import AgentPlugin, make_agent
from negoplatform.testing.case_runner import Played, lines_of, play
from negoplatform.testing.check_situations import Scene

LONGEST_SECONDS = 120.0
"""After that the other process is given up."""


class NoSecondProcess(Exception):
    """The scenes could not be played in another process; the text says why, as half a sentence."""


def can_play_elsewhere() -> bool:
    """Whether there is a Python whose sets can be in another order.

    The packaged program has none: all of its processes have one order. That says nothing about an agent, so
    it is no finding either.
    """
    return not getattr(sys, "frozen", False)


def play_elsewhere(plugin: AgentPlugin, scenes: Sequence[Scene], seed: int) -> list[list[str]]:
    """The logs of the scenes, as lines, played in a process with another hash seed.

    Raises:
        NoSecondProcess: If there can be none, or it came to no end.
    """
    try:
        order = pickle.dumps((plugin, list(scenes), seed))
    except Exception as error:
        raise NoSecondProcess(f"the games cannot be handed over ({type(error).__name__})") from error
    paths = os.pathsep.join(path for path in sys.path if path)
    hash_seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    try:
        done = subprocess.run(
            [sys.executable, "-c", "from negoplatform.testing.determinism import main; main()"],
            input=order,
            capture_output=True,
            timeout=LONGEST_SECONDS,
            check=False,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": paths},
        )
    except subprocess.TimeoutExpired:
        raise NoSecondProcess(f"it took longer than {LONGEST_SECONDS:g} s") from None
    except OSError as error:
        raise NoSecondProcess(f"it could not be started ({error.strerror})") from error
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NoSecondProcess(f"it failed there ({last[-1] if last else done.returncode})")
    logs: list[list[str]] = json.loads(done.stdout)
    return logs


def main() -> None:
    """What the other process does: reads scenes from its input, writes their logs as JSON."""
    plugin, scenes, seed = pickle.loads(sys.stdin.buffer.read())
    with contextlib.redirect_stdout(io.StringIO()):
        logs = [_lines(plugin, scene, seed) for scene in scenes]
    sys.stdout.write(json.dumps(logs))
    sys.stdout.flush()
    # Not the ordinary way out: a thread of the agent's own would hold it up.
    os._exit(0)


def _lines(plugin: AgentPlugin, scene: Scene, seed: int) -> list[str]:
    played = play(scene, make_agent(plugin, scene.seat, {}, scene.game), seed=seed, patience=LONGEST_SECONDS)
    return lines_of(played.events) if isinstance(played, Played) else []
