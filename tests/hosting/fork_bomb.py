"""Run an agent that starts processes without end, as an ordinary user, to whom limits apply."""

from __future__ import annotations

import time

from negoplatform.formats.games import load_game
from negoplatform.hosting.agent_process_proxy import make_process
from negoplatform.plugins.program_and_user_folders import bundled
from tests.hosting.processes import hostile, processes_of_group, request_about, started


def main() -> None:
    """Print the outcome."""
    game = load_game(bundled("games") / "practice.json")
    process = make_process(hostile("forks", game))
    answer = process.respond(request_about(started(game)))
    process.stop()
    print(answer.failure)
    print("lost" if answer.lost else "not lost")
    until = time.monotonic() + 10
    while (left := processes_of_group(process.pid)) and time.monotonic() < until:
        time.sleep(0.01)  # killed processes take a moment to go
    print(f"left: {left}" if left else "nobody left")


if __name__ == "__main__":
    main()
