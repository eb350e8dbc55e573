"""Start agents that never return, print the ids of their processes, and wait to be killed."""

from __future__ import annotations

import time
from dataclasses import replace
from threading import Thread

from negoplatform.formats.agent_protocol import encode_json_line
from negoplatform.formats.games import load_game
from negoplatform.hosting.agent_process_proxy import AgentProcess, make_process
from negoplatform.hosting.sandbox.readable_paths import sandbox_rules
from negoplatform.plugins.program_and_user_folders import bundled
from tests.hosting.processes import PATIENT, hostile, request_about, started

HARD_SECONDS = 1.5
"""Limit long enough that no process is given up before all are busy."""


def main() -> None:
    """Print the ids of the processes once all of them are busy."""
    game = load_game(bundled("games") / "practice.json")
    # Not the limit of processor time, which is another guard, ends them here.
    budget = replace(PATIENT, hard_seconds=HARD_SECONDS, cpu_seconds=1000)
    names = ("sleeps", "loops", "ignores_signals", "loops_in_c", "starts_a_program")
    idle, loading, describing = [AgentProcess.spawn() for _ in range(3)]
    processes = [make_process(hostile(name, game, budget=budget)) for name in names]
    for process in processes[1:]:
        request = request_about(started(game))
        Thread(target=process.respond, args=(request,), daemon=True).start()
    start_request = hostile("loops_in_c_at_import", game, budget=replace(budget, load_seconds=HARD_SECONDS))
    describe = {
        "kind": "describe",
        "file": {"path": str(start_request.file), "sha256": start_request.sha256},
        "load_seconds": HARD_SECONDS,
        "limits": {"memory_mb": 256, "cpu_seconds": 1000, "file_mb": 1},
        "sandbox": sandbox_rules(start_request.file).model_dump(),
        "output": None,
    }
    # Sent without waiting for a reply: here no parent is left in time to give it up.
    loading._child.send(start_request.encode(), time.monotonic() + HARD_SECONDS)
    describing._child.send(encode_json_line(describe), time.monotonic() + HARD_SECONDS)
    time.sleep(0.3)
    started_here = (idle, loading, describing, *processes)
    assert all(process.alive for process in started_here), "One was given up, and so ended by us."
    print(*[process.pid for process in started_here], flush=True)
    time.sleep(600)


if __name__ == "__main__":
    main()
