"""Check of plug-ins without a seat: principals and assistants, in whole games among agents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.app.catalogue.catalogue import find_shipped_agent
from negoplatform.app.session.session_plan import with_time_limit
from negoplatform.app.session.session_runner import SessionRunner, run_session, seat_rng
from negoplatform.core.events import Event, Failure
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec
from negoplatform.domain.command_settings import PrincipalSpec
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.plugins.agent_loader import AgentPlugin, call_with_timeout, make_agent
from negoplatform.testing.case_runner import first_difference, lines_of
from negoplatform.testing.finding import Remark, Severity
from negoplatform.testing.trial_games import trial_games

SUBJECT = "subject"
"""Name of the checked plug-in in a game that names no principal or assistant of its kind."""

GAME_SECONDS = 120.0
"""Session time (s) after which a game is over."""

BIDDER = "linear"
"""Shipped agent in all seats of the games."""


def seatless_remarks(plugin: AgentPlugin, games: Sequence[GameSpec] | None, seed: int) -> Iterator[Remark]:
    """Yield the faults that a principal or an assistant shows in whole games, each played twice.

    Args:
        plugin: The plug-in.
        games: The games, of the kind bargaining; None: the usual ones.
        seed: Seed for everything random.
    """
    for game in trial_games() if games is None else games:
        where = f"the game {game.name}"
        if game.mechanism != BARGAINING:
            sentence = f"The check of plug-ins without a seat plays bargaining, not {game.mechanism}."
            yield Remark(("kind of game",), Severity.WARNING, where, sentence)
            continue
        played = with_time_limit(_with_subject(game.resolve_profiles(seed), plugin), GAME_SECONDS)
        try:
            once, again = (
                call_with_timeout(lambda: _play(played, plugin, seed), f"{where}: playing it")  # noqa: B023 - called at once
                for _ in range(2)
            )
        except NegoError as error:
            yield Remark(("itself",), Severity.ERROR, where, str(error))
            return
        yield from _remarks_on(once, plugin, where)
        difference = first_difference(lines_of(once), lines_of(again))
        if difference:
            sentence = (
                f"Played twice with the same seed it does not do the same: {difference}; take all chance "
                "from ctx.rng, and keep nothing in classes and modules."
            )
            yield Remark(("chance",), Severity.ERROR, where, sentence)


def _with_subject(game: GameSpec, plugin: AgentPlugin) -> GameSpec:
    """Return a game with the plug-in as the only one of its kind."""
    if plugin.role == "principal":
        principal = PrincipalSpec(SUBJECT, game.seats)
        return replace(game, principals=SeatMap({SUBJECT: principal}), assistants=SeatMap())
    kind = AssistantKind(plugin.role)
    spec = AssistantSpec(SUBJECT, plugin.name, game.seats[-1], kind=kind)
    return replace(game, principals=SeatMap(), assistants=SeatMap({SUBJECT: spec}))


def _play(game: GameSpec, plugin: AgentPlugin, seed: int) -> list[Event]:
    """Play a game among shipped agents with the plug-in; return its events."""
    clock, events, errors = VirtualClock(), list[Event](), list[BaseException]()
    runner = SessionRunner(game, seed=seed, clock=clock, log=NoLog(), report=errors.append)
    runner.subscribe(lambda published: events.append(published.event))
    subject = _assignment(make_agent(plugin, SUBJECT, {}, game), game, seed)
    if plugin.role == "principal":
        runner.assign_principal(SUBJECT, subject)
    else:
        runner.assign_assistants({SUBJECT: subject})
    bidder = find_shipped_agent(BIDDER)
    for seat in game.seats:
        runner.assign_agent(seat, make_agent(bidder, seat, {}, game))
    run_session(runner, clock)
    return events


def _assignment(made: NegotiationAgent, game: GameSpec, seed: int) -> SeatAssignment:
    rng = seat_rng(seed, SUBJECT)
    return SeatAssignment(lambda: AgentRunner(made, rng), replace(game.rules.agents, restarts=0))


def _remarks_on(events: Sequence[Event], plugin: AgentPlugin, where: str) -> Iterator[Remark]:
    proposed = 0
    for event in events:
        payload, at = event.payload, f"{where}, at {event.t:g} s"
        if isinstance(payload, Failure) and payload.seat == SUBJECT:
            yield Remark(("failure", payload.reason), Severity.ERROR, at, payload.reason)
        elif isinstance(payload, StateProposal) and payload.proposer.name == SUBJECT:
            proposed += 1
            if not payload.accepted:
                sentence = f"Its proposal was refused: {payload.reason}"
                yield Remark(("refused", payload.reason), Severity.ERROR, at, sentence)
    if not proposed:
        sentence = (
            "It gives no mandate, information or command; return some from on_tick."
            if plugin.role == "principal"
            else "It proposes nothing in the whole game."
        )
        yield Remark(("silent",), Severity.WARNING, where, sentence)
