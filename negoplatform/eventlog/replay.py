"""Replay of a log: every event is checked against the rules and folded into the state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from negoplatform.core.events import Event
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.rules_faults import final_points
from negoplatform.core.state import State
from negoplatform.core.visibility import restricted_start
from negoplatform.domain.errors import InputFileError, Refused
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import Points
from negoplatform.eventlog.observer_export import observer_named
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.rules_validator import LogValidator, describe_failure
from negoplatform.formats.strict_json import single_line


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """An event of a log, and the state after it."""

    event: Event
    state: State


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed log.

    Args:
        log: The log.
        state: The state after its last event.
        points: The points of each seat whose side of the game the log holds; None without an end.
    """

    log: SessionLog
    state: State
    points: SeatMap[Points | None]


def steps(log: SessionLog) -> Iterator[ReplayStep]:
    """Yield every event with the state after it, each one checked.

    An exported log of one observer lacks events, so only a complete one is checked against the rules.

    Raises:
        InputFileError: At the first event that the rules would not have allowed.
    """
    mechanism = mechanism_of(log.header.game.mechanism)
    state = initial_state(log.header.game, mechanism, log.header.session_id, log.header.initial_record)
    if log.header.view != "complete":
        state = restricted_start(state, observer_named(log.header.view, log.header.game))
    referee = LogValidator(mechanism, log.header) if log.header.view == "complete" else None
    for number, event in enumerate(log.events, start=2):
        reason = referee.find_violation(state, event) if referee else ""
        if reason:
            raise InputFileError(log.path, f"line {number}", single_line(reason))
        before = state
        try:
            state = apply(before, event, mechanism)
        except Refused as refusal:
            raise InputFileError(log.path, f"line {number}", single_line(str(refusal).rstrip("."))) from None
        except Exception as error:
            raise InputFileError(log.path, f"line {number}", single_line(describe_failure(error))) from error
        if referee:
            referee.advance(before, event, state)
        yield ReplayStep(event, state)


def replay(log: SessionLog) -> Replay:
    """Replay a log to its last event."""
    mechanism = mechanism_of(log.header.game.mechanism)
    state = initial_state(log.header.game, mechanism, log.header.session_id, log.header.initial_record)
    for step in steps(log):
        state = step.state
    return Replay(log, state, final_points(mechanism, state, state.game.known_seats))
