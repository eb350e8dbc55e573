"""Playing a log again: every event is checked against the rules and folded into the state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from negoplatform.core.events import EndedBy, Ending, Event, EventType, Payload
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.mechanisms.base import Mechanism
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.rules import DONE_BY_SEATS, check_act
from negoplatform.core.state import Phase, State
from negoplatform.domain.errors import FileProblem, Refused
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import PLATFORM, BySeat
from negoplatform.domain.utility import Points
from negoplatform.eventlog.reader import SessionLog


@dataclass(frozen=True, slots=True)
class Step:
    """An event of a log, and the state after it."""

    event: Event
    state: State


@dataclass(frozen=True, slots=True)
class Replay:
    """A log that was played again.

    Args:
        log: The log.
        state: The state after its last event.
        points: The points of each seat whose preferences the log holds; None without an end.
    """

    log: SessionLog
    state: State
    points: BySeat[Points | None]


def steps(log: SessionLog) -> Iterator[Step]:
    """Every event with the state after it, each one checked.

    An exported log of one observer lacks events, so only a complete one is checked against the rules.

    Raises:
        FileProblem: At the first event that the rules would not have allowed.
    """
    mechanism = mechanism_of(log.header.game.mechanism)
    state = initial_state(log.header.game, mechanism)
    if log.header.view != "complete":
        state = replace(state, private=state.private.only([log.header.view]))
    owed: Payload | None = None
    for number, event in enumerate(log.events, start=2):
        if log.header.view == "complete":
            reason = _why_not(state, event, owed, mechanism)
            if reason:
                raise FileProblem(log.path, f"line {number}", reason)
        state = apply(state, event, mechanism)
        owed = mechanism.consequence(state, event) if state.phase is Phase.NEGOTIATING else None
        yield Step(event, state)
    if owed is not None and log.header.view == "complete":
        raise FileProblem(
            log.path, f"line {len(log.events) + 2}", f"{_in_words(owed)} must follow here, but does not"
        )


def replay(log: SessionLog) -> Replay:
    """Plays a log again to its last event."""
    mechanism = mechanism_of(log.header.game.mechanism)
    state = initial_state(log.header.game, mechanism)
    for step in steps(log):
        state = step.state
    points = BySeat((seat, mechanism.points(state, seat)) for seat in state.game.preferences)
    return Replay(log, state, points)


def _why_not(state: State, event: Event, owed: Payload | None, mechanism: Mechanism) -> str:
    """Why an event could not have happened; empty if it could."""
    if owed is not None and (event.type != EventType.GAME_END or event.payload != owed):
        return f"{_in_words(owed)} must follow here, but does not"
    if event.sender == PLATFORM:
        return _why_not_platform(state, event, owed)
    if event.type not in DONE_BY_SEATS:
        return f"only the platform records {event.type}"
    try:
        check_act(state, event.sender, EventType(event.type), event.payload, event.to, event.t)
        mechanism.check(state, event.sender, event.payload)
    except Refused as refusal:
        return f"{event.sender} could not do this: {str(refusal).rstrip('.')}"
    return ""


def _why_not_platform(state: State, event: Event, owed: Payload | None) -> str:
    match event.type:
        case EventType.GAME_START if state.phase is not Phase.SETUP:
            return "the game had started already"
        case EventType.GAME_END if state.phase is not Phase.NEGOTIATING:
            return "no game was running that could end"
        case EventType.GAME_END if owed is None:
            return _why_not_end(state, event)
        case EventType.TIME if state.phase is not Phase.NEGOTIATING:
            return "no game was running"
        case _ if event.type in DONE_BY_SEATS:
            return "the platform takes no part in a negotiation"
        case _:
            return ""


def _why_not_end(state: State, event: Event) -> str:
    """Why the platform could not have ended the game by itself here."""
    deadline = state.game.rules.deadline_seconds
    match event.payload:
        case Ending(ended_by=EndedBy.AGREEMENT) | Ending(deal=Offer()):
            return "not everyone had accepted this deal"
        case Ending(ended_by=EndedBy.QUIT):
            return "nobody had walked away"
        case Ending(ended_by=EndedBy.TIMEOUT) if deadline is None or event.t < round(deadline, 3):
            return "the time was not up"
        case _:
            return ""


def _in_words(owed: Payload) -> str:
    match owed:
        case Ending(ended_by=EndedBy.AGREEMENT, deal_id=deal_id):
            return f"the end of the game by agreement on offer {deal_id}"
        case Ending(ended_by=ended_by, by=seat):
            return f"the end of the game ({ended_by.value} by {seat})"
        case _:
            return "something else"
