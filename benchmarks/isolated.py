"""Benchmark of games between agents in processes, compared with the same games in one process.

Two shipped agents play on a virtual clock, each in both seats, without logs: in the program, in processes
that are used for all games of a seating, and in fresh processes for every game. Run it with
``python -m benchmarks.isolated [GAMES]``; the default is 100 games in each seating.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from unittest.mock import patch

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.simulation import agent_processes
from negoplatform.app.simulation.simulate import Result, simulate

GAME, AGENTS = "practice", ("fair", "boulware")
NOWHERE = Path("none")


def play(games: int, *, isolated: bool) -> list[Result]:
    """Play some games in each seating."""
    agents = [find_agent(name, NOWHERE) for name in AGENTS]
    return list(
        simulate(
            find_game(GAME, NOWHERE), agents, games=games, seed=1, logs=None, report=print, isolated=isolated
        )
    )


def seconds_per_game(games: int, *, isolated: bool) -> tuple[float, float, list[Result]]:
    """Return the seconds of a first game in each seating, those of each further game, and all results."""
    times = []
    for count in (1, games):
        began = time.perf_counter()
        results = play(count, isolated=isolated)
        times.append(time.perf_counter() - began)
    return times[0], (times[1] - times[0]) / (2 * (games - 1)), results


def main(games: int) -> int:
    """Play the games and print the rates; return 1 if their results differ."""
    play(1, isolated=False)
    start, here, expected = seconds_per_game(games, isolated=False)
    print(f"in the program                {1 / here:8.2f} games/s   first two {start:6.2f} s")
    start, used, found = seconds_per_game(games, isolated=True)
    with patch.object(agent_processes, "GAMES_PER_PROCESS", 1):
        _, fresh, few = seconds_per_game(3, isolated=True)
    print(
        f"a process per agent and seat  {1 / used:8.2f} games/s   first two {start:6.2f} s   "
        f"{here / used:.3f} of that, {fresh / used:.1f} times the next"
    )
    print(f"fresh processes for a game    {1 / fresh:8.2f} games/s")
    if found != expected or few != [*expected[:3], *expected[games : games + 3]]:
        print("The results differ.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
