"""P7: the log matches the session, for every agent on every game."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, cycle, islice
from pathlib import Path
from random import Random

from negoplatform.app.simulation.simulate import Result, simulate
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.visibility import Observer, view_of, visible_event
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.replay import ReplayStep, replay, steps
from negoplatform.plugins.agent_loader import AgentPlugin
from tests.torture.panels import shown_panels
from tests.torture.rows import Row, Tally
from tests.torture.sessions import read_back, shipped_agents, shipped_games, watching

MOMENTS = 5
"""Moments of a session, in addition to its end, at which every panel is compared."""


LATEST = 20
"""Lines of the transcript that are compared at a moment; at the end all are."""

MOST_STATES = 150
"""States of a session that are compared; of a longer one every second, third, …, and the last."""


def run(scale: float) -> Row:
    """Play, read back and compare."""
    tally, random = Tally(), Random("P7")
    pairings = list(_pairings())
    if scale < 1:
        pairings = random.sample(pairings, max(8, round(len(pairings) * scale)))
    for number, (game, pair) in enumerate(pairings):
        drawn = {seat: "drawn" for seat in game.seats if game.profiles.get(seat)}
        _try(game, pair, number, tally, random, drawn if number % 2 else {})
    return tally.row("P7", "robot sessions replayed: state, points, every panel", counts=["lost"])


def _pairings() -> Iterator[tuple[GameSpec, tuple[AgentPlugin, ...]]]:
    """Yield every game with every pair of agents, which take further seats in turn."""
    for game in shipped_games():
        agents = [agent for agent in shipped_agents() if agent.plays(game)]
        for pair in combinations_with_replacement(agents, 2):
            yield game, tuple(islice(cycle(pair), len(game.seats)))


def _try(
    game: GameSpec,
    pair: Sequence[AgentPlugin],
    seed: int,
    tally: Tally,
    random: Random,
    profiles: dict[Seat, str],
) -> None:
    errors: list[BaseException] = []
    with tempfile.TemporaryDirectory() as folder, watching() as watched:
        results = list(
            simulate(
                game,
                pair,
                games=1,
                seed=seed,
                logs=Path(folder),
                report=errors.append,
                profiles=profiles,
            )
        )
        by_session = {_key(path): path for path in Path(folder).glob("*/events.jsonl")}
        for result, happenings in zip(results, watched.tables, strict=True):
            name = f"{game.name}, {' and '.join(result.agents.values())}, seed {seed}"
            path = by_session.get(tuple(result.agents.values()))
            tally.runs += 1
            if tally.expect(path is not None, f"{name}: there is no log."):
                assert path is not None
                with tally.trying(name):
                    _compare(path, result, happenings, tally, random, name)
    tally.expect(not errors, f"{game.name}, seed {seed}: {errors[:1]!r}.")


def _key(path: Path) -> tuple[str, ...]:
    return tuple(str(who.agent) for who in read_back(path).header.seats.values())


def _compare(
    path: Path, result: Result, happenings: list[PublishedEvent], tally: Tally, random: Random, name: str
) -> None:
    """Compare the log with the observed events."""
    log = read_back(path)
    replayed = list(steps(log))
    live = [happening.event for happening in happenings]
    missing = len({event.seq for event in live} - {event.seq for event in log.events})
    tally.lost += missing
    tally.expect(list(log.events) == live, f"{name}: the log's events are not what happened.")
    # Comparing two states takes as long as their histories are: of a long session not all are.
    stride = 1 + len(live) // MOST_STATES
    pairs = list(zip(happenings, replayed, strict=False))[::stride]
    wrong = [happening.event.seq for happening, step in pairs if happening.state != step.state]
    tally.expect(not wrong, f"{name}: the replayed state differs from event {wrong[:1]} on.")
    again = replay(log)
    tally.expect(again.state == happenings[-1].state, f"{name}: the final state differs.")
    tally.expect(again.points == result.points, f"{name}: {again.points} in place of {result.points}.")
    moments = sorted(random.sample(range(len(live)), min(MOMENTS, len(live))))
    for moment in (*moments, len(live) - 1):
        for seat in log.header.game.seats:
            same = _shown(happenings, moment, seat) == _shown(replayed, moment, seat)
            tally.expect(same, f"{name}: {seat}'s panels differ after event {moment + 1}.")


def _shown(told: Sequence[PublishedEvent | ReplayStep], moment: int, seat: Seat) -> object:
    """Return all contents of a seat's window after an event."""
    observer, state = Observer(seat), told[moment].state
    view = view_of(state, observer)
    finished = moment == len(told) - 1
    latest = told if finished else told[max(0, moment - LATEST) : moment + 1]
    events = [seen for each in latest if (seen := visible_event(each.event, observer))]
    return shown_panels(view, seat, events, finished=finished), view.state
