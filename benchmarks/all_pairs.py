"""Benchmark of every pair of shipped agents at every shipped game, in both seatings, each game played twice.

Run it with ``python benchmarks/all_pairs.py [SEEDS]``; the default is 20 seeds. It prints a line per game and
exits with 1 if an agent failed, a game ended irregularly, or the logs of two runs with the same seed differ.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections import Counter
from itertools import combinations_with_replacement, cycle, islice
from pathlib import Path

from negoplatform.app.catalogue.catalogue import list_agents, list_games
from negoplatform.app.session.session_runner import SessionRunner, run_session
from negoplatform.app.simulation.simulate import seatings
from negoplatform.core.events import EndedBy, Event, EventType
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.game import GameSpec
from negoplatform.formats.events import encode_event
from negoplatform.plugins.agent_loader import AgentPlugin, make_agent

NOWHERE = Path("none")


class DigestLog:
    """Log that keeps only its hash and the types of its events."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.types: Counter[str] = Counter()

    def write(self, event: Event) -> None:
        """Add an event to the hash."""
        self.digest.update(encode_event(event, ""))
        self.types[event.type] += 1

    def close(self) -> None:
        """Do nothing."""


def played(game: GameSpec, seating: tuple[AgentPlugin, ...], seed: int) -> tuple[DigestLog, EndedBy]:
    """Play one game; return its log and how it ended."""
    log, clock, errors = DigestLog(), VirtualClock(), []
    table = SessionRunner(game, seed=seed, clock=clock, log=log, report=errors.append)
    for seat, plugin in zip(game.seats, seating, strict=True):
        table.assign_agent(seat, make_agent(plugin, seat, {}))
    run_session(table, clock)
    ending = table.session.state.ending
    if ending is None or errors:
        raise SystemExit(f"{game.name}, seed {seed}: {[plugin.name for plugin in seating]} {errors}")
    return log, ending.ended_by


def main(seeds: int) -> int:
    """Play all games; return 1 if anything is wrong."""
    agents = [row.item for row in list_agents(NOWHERE) if row.item is not None]
    wrong = 0
    for game in (row.item for row in list_games(NOWHERE) if row.item is not None):
        started, games, events = time.perf_counter(), 0, 0
        ends: Counter[EndedBy] = Counter()
        for pair in combinations_with_replacement(agents, 2):
            # Two agents take the further seats of a larger game in turn: all groups of three would take days.
            for seating in seatings(tuple(islice(cycle(pair), len(game.seats)))):
                for seed in range(1, seeds + 1):
                    (log, ended_by), (again, _) = played(game, seating, seed), played(game, seating, seed)
                    games, events = games + 1, events + log.types.total()
                    ends[ended_by] += 1
                    bad_end = ended_by not in (EndedBy.AGREEMENT, EndedBy.TIMEOUT)
                    different = log.digest.digest() != again.digest.digest()
                    if different or bad_end or log.types[EventType.AGENT_FAILED]:
                        wrong += 1
                        names = " ".join(plugin.name for plugin in seating)
                        print(f"WRONG: {game.name}, {names}, seed {seed}: {ended_by.value}")
        told = ", ".join(f"{why.value} {n}" for why, n in ends.items())
        seconds = time.perf_counter() - started
        print(f"{game.name:18} {games:5} games twice, {events:9,} events each time, {seconds:6.1f} s: {told}")
    print("All logs of equal seeds are equal." if not wrong else f"{wrong} games are wrong.")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))
