"""Games of an agent against scripted people and other agents, checked for contradictions.

Run ``python -m tests.consistency.play --games 5000 --agents fair conceding`` for the long form.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from negoplatform.core.events import EventType
from negoplatform.testing import TrialTable
from tests.agents.seating import load, shipped
from tests.consistency.checks import NO_ACCEPT, Fault, faults, own_terms_refused, unanswered
from tests.consistency.people import ScriptedPerson

GAMES = ("campsite", "practice", "resource_exchange", "job_candidate", "used_car", "flatmates")
TALKERS = (
    *("fair", "conceding", "competitive", "building", "lying"),
    *("favours_fair", "favours_limited", "favours_betraying"),
    *("negochat", "negochat_a", "kb_agent", "qo_agent"),
)
"""Agents that talk."""

AS_PUBLISHED = ("negochat", "negochat_a", "kb_agent", "qo_agent")
"""Agents whose offers are as published, so that they may follow their own acceptance."""

GAME_SECONDS = 240.0
"""Deadline of a game."""


def play_person(name: str, game_name: str, seed: int) -> tuple[TrialTable, list[Fault]]:
    """Return the table of a game against a scripted person, and its faults."""
    game = load(game_name).resolve_profiles(seed)
    game = replace(game, rules=replace(game.rules, deadline_seconds=GAME_SECONDS))
    seat, other = (game.seats[1], game.seats[0]) if seed % 2 else (game.seats[0], game.seats[1])
    agent = shipped(name)
    table = TrialTable(game, seed=seed)
    table.seat(agent, seat)
    person = ScriptedPerson(game, other, seed)
    person.play(table, GAME_SECONDS)
    table.wait(30)
    voice = agent.settings.persona
    found = faults_of(name, table, seat, voice)
    found += unanswered(table.events, seat, person.questions, voice)
    found += own_terms_refused(table.events, game, seat, person.questions, voice)
    found += _failures(table)
    return table, found


def play_agents(first: str, second: str, game_name: str, seed: int) -> tuple[TrialTable, list[Fault]]:
    """Return the table of a game of two agents, and the faults of both."""
    game = load(game_name).resolve_profiles(seed)
    game = replace(game, rules=replace(game.rules, deadline_seconds=GAME_SECONDS))
    table = TrialTable(game, seed=seed)
    found: list[Fault] = []
    agents = {seat: shipped(name) for seat, name in zip(game.seats, (first, second), strict=True)}
    for seat, agent in agents.items():
        table.seat(agent, seat)
    table.wait(GAME_SECONDS + 30)
    for (seat, agent), name in zip(agents.items(), (first, second), strict=True):
        found += faults_of(name, table, seat, agent.settings.persona)
    return table, [*found, *_failures(table)]


def faults_of(name: str, table: TrialTable, seat: str, voice: str) -> list[Fault]:
    """Return the faults of an agent, without those that belong to it: betrayal, and published offers."""
    found = faults(table.events, table.state.game, seat, voice, betrays=name == "favours_betraying")
    if name not in AS_PUBLISHED:
        return found
    return [fault for fault in found if fault.rule != "acceptance denied" or NO_ACCEPT in fault.text]


def _failures(table: TrialTable) -> list[Fault]:
    return [
        Fault("failure", event.t, event.payload.reason)
        for event in table.events
        if event.type == EventType.AGENT_FAILED
    ]


def cases(name: str, games: int) -> Iterator[tuple[str, str, str, int]]:
    """Yield the games of an agent: its opponent, which is empty for a scripted person, game and seed."""
    for seed in range(games):
        opponent = TALKERS[seed // 5 % len(TALKERS)] if seed % 5 == 4 else ""
        yield name, opponent, GAMES[seed % len(GAMES)], seed


def run_case(case: tuple[str, str, str, int]) -> tuple[tuple[str, str, str, int], list[Fault]]:
    """Return the faults of a case."""
    name, opponent, game, seed = case
    if opponent:
        return case, play_agents(name, opponent, game, seed)[1]
    return case, play_person(name, game, seed)[1]


def main(arguments: Sequence[str]) -> int:
    """Play the games and print what was found; return 1 if there was a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--agents", nargs="+", default=list(TALKERS))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--show", type=int, default=3)
    options = parser.parse_args(arguments)
    bad = 0
    for name in options.agents:
        found: Counter[str] = Counter()
        shown: Counter[str] = Counter()
        with ProcessPoolExecutor(options.processes) as pool:
            for case, problems in pool.map(run_case, cases(name, options.games), chunksize=8):
                for fault in problems:
                    found[fault.rule] += 1
                    if shown[fault.rule] < options.show:
                        shown[fault.rule] += 1
                        print(
                            f"  {case[1] or 'person'} {case[2]} {case[3]} {fault.t:.1f} "
                            f"{fault.rule}: {fault.text}"
                        )
        bad += sum(found.values())
        print(f"{name}: {options.games} games, {dict(found)}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
