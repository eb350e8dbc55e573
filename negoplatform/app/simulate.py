"""Games among agents, headless and on a virtual clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from negoplatform.app.plugins import AgentPlugin
from negoplatform.app.sitting import Sitting, seat_agent, with_time_limit
from negoplatform.app.table import Table, play_through
from negoplatform.core.bus import Happening
from negoplatform.core.clock import VirtualClock
from negoplatform.core.events import EndedBy, EventType
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import BySeat
from negoplatform.domain.utility import Points
from negoplatform.eventlog.writer import EventSink, NoLog

DEFAULT_LIMIT = 1800.0
"""Seconds after which a simulated game without a deadline times out; somebody has to end it."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one simulated game ended.

    Args:
        seed: Its seed.
        agents: The agents' names, by seat.
        ended_by: Why it ended.
        points: Each seat's points; None where the end gives none.
        seconds: Session time at the end.
        offers: How many offers were sent.
        failures: How often an agent failed.
        refusals: How many actions were refused.
    """

    seed: int
    agents: BySeat[str]
    ended_by: EndedBy
    points: BySeat[Points | None]
    seconds: float
    offers: int
    failures: int
    refusals: int


@dataclass(frozen=True, slots=True)
class Summary:
    """Many games of one seating, in figures.

    Args:
        agents: The agents' names, by seat.
        games: How many games.
        agreements: How many ended in agreement.
        points: Mean points by seat over the games that gave points; None if none did.
        seconds: Mean session time.
        offers: Mean number of offers.
        ends: How many ended in each way.
        failures: Agents' failures in all.
        refusals: Refused actions in all.
    """

    agents: BySeat[str]
    games: int
    agreements: int
    points: BySeat[float | None]
    seconds: float
    offers: float
    ends: Mapping[EndedBy, int]
    failures: int
    refusals: int


def seatings(agents: Sequence[AgentPlugin]) -> list[tuple[AgentPlugin, ...]]:
    """As given, and turned round where that makes a difference."""
    given, turned = tuple(agents), tuple(reversed(agents))
    return [given] if [a.origin for a in given] == [a.origin for a in turned] else [given, turned]


def simulate(
    game: GameSpec,
    agents: Sequence[AgentPlugin],
    *,
    games: int,
    seed: int,
    logs: Path | None,
    report: Callable[[BaseException], object],
) -> Iterator[Result]:
    """Plays ``games`` games in each seating; game ``i`` has the seed ``seed + i`` in every one.

    Raises:
        NegoError: If the numbers do not fit.
    """
    if len(agents) != len(game.seats):
        raise NegoError(
            f"{game.name} has {len(game.seats)} seats ({', '.join(game.seats)}); name as many agents."
        )
    if game.rules.deadline_seconds is None:
        game = with_time_limit(game, DEFAULT_LIMIT)
    for seating in seatings(_told_apart(agents)):
        for i in range(games):
            yield _play(game, seating, seed + i, logs, report)


def _told_apart(agents: Sequence[AgentPlugin]) -> list[AgentPlugin]:
    """Different agents of one name are called by their files."""
    names = {agent.name for agent in agents}
    clash = len(names) < len({agent.origin for agent in agents})
    return [replace(agent, name=str(agent.file)) for agent in agents] if clash else list(agents)


def summarize(results: Sequence[Result]) -> list[Summary]:
    """One summary per seating, in the order in which they were played."""
    by_seating: dict[tuple[str, ...], list[Result]] = {}
    for result in results:
        by_seating.setdefault(tuple(result.agents.values()), []).append(result)
    return [_summary(group) for group in by_seating.values()]


def _summary(group: list[Result]) -> Summary:
    def mean_points(seat: str) -> float | None:
        known = [points for result in group if (points := result.points[seat]) is not None]
        return fmean(known) if known else None

    first = group[0]
    return Summary(
        agents=first.agents,
        games=len(group),
        agreements=sum(result.ended_by is EndedBy.AGREEMENT for result in group),
        points=BySeat((seat, mean_points(seat)) for seat in first.agents),
        seconds=fmean(result.seconds for result in group),
        offers=fmean(result.offers for result in group),
        ends=Counter(result.ended_by for result in group),
        failures=sum(result.failures for result in group),
        refusals=sum(result.refusals for result in group),
    )


def _play(
    game: GameSpec,
    agents: tuple[AgentPlugin, ...],
    seed: int,
    logs: Path | None,
    report: Callable[[BaseException], object],
) -> Result:
    seated = BySeat(
        (seat, seat_agent(plugin, seat, {})) for seat, plugin in zip(game.seats, agents, strict=True)
    )
    sitting = Sitting(game=game, seed=seed, human_seat=None, participant="", agents=seated)
    log: EventSink = NoLog() if logs is None else sitting.log_in(logs)
    clock = VirtualClock()
    table = Table(game, seed=seed, clock=clock, log=log, report=report)
    for seat, who in seated.items():
        table.seat_agent(seat, who.agent, who.timing)
    counts = dict.fromkeys((EventType.SEND_OFFER, EventType.AGENT_FAILED, EventType.ACTION_REFUSED), 0)

    def count(happening: Happening) -> None:
        if happening.event.type in counts:
            counts[EventType(happening.event.type)] += 1

    table.subscribe(count)
    play_through(table, clock)
    state = table.session.state
    if state.ending is None or state.ended_at is None:
        raise NegoError(f"The game with seed {seed} came to no end.")
    mechanism = mechanism_of(game.mechanism)
    return Result(
        seed=seed,
        agents=BySeat((seat, who.plugin.name) for seat, who in seated.items()),
        ended_by=state.ending.ended_by,
        points=BySeat((seat, mechanism.points(state, seat)) for seat in game.seats),
        seconds=state.ended_at,
        offers=counts[EventType.SEND_OFFER],
        failures=counts[EventType.AGENT_FAILED],
        refusals=counts[EventType.ACTION_REFUSED],
    )
