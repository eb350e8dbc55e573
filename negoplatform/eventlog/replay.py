"""Playing a log again: every event is checked against the rules and folded into the state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from negoplatform.core.events import Event
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.domain.errors import FileProblem, Refused
from negoplatform.domain.seat import BySeat
from negoplatform.domain.utility import Points
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.validator import Referee
from negoplatform.formats.strict_json import in_one_line


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
        own = [log.header.view]
        state = state._replace(private=state.private.only(own), typed=state.typed.only(own))
    referee = Referee(mechanism) if log.header.view == "complete" else None
    for number, event in enumerate(log.events, start=2):
        reason = referee.why_not(state, event) if referee else ""
        if reason:
            raise FileProblem(log.path, f"line {number}", in_one_line(reason))
        try:
            state = apply(state, event, mechanism)
        except Refused as refusal:
            raise FileProblem(log.path, f"line {number}", in_one_line(str(refusal).rstrip("."))) from None
        if referee:
            referee.follow(event, state)
        yield Step(event, state)


def replay(log: SessionLog) -> Replay:
    """Plays a log again to its last event."""
    mechanism = mechanism_of(log.header.game.mechanism)
    state = initial_state(log.header.game, mechanism)
    for step in steps(log):
        state = step.state
    points = BySeat((seat, mechanism.points(state, seat)) for seat in state.game.preferences)
    return Replay(log, state, points)
