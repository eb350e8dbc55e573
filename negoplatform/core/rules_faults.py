"""Faults of a mechanism: what it answered instead of what its interface promises, and what follows then."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

from negoplatform.core.action_rules import tick_at
from negoplatform.core.events import Announced, EndedBy, Ending, Event, EventType, Refusal
from negoplatform.core.mechanisms.base import Fact, Mechanism, game_end
from negoplatform.core.session_features import observation_of
from negoplatform.core.state import State
from negoplatform.core.visibility import PUBLIC, observer_of, view_of
from negoplatform.core.visibility_rule import SEAT_LEVEL
from negoplatform.domain.errors import NegoError, text_of
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap
from negoplatform.domain.utility import Points

FAULTY_RULES = "Something went wrong in this game’s rules, so the session was stopped."
"""Reason for the end of a session whose rules failed."""

NOTHING_CHANGED = "Something went wrong in this game’s rules, so nothing was changed."
"""Reason for refusing an act that the rules failed to check or to apply."""

END_BY_FAULT = game_end(Ending(EndedBy.ABORTED, reason=FAULTY_RULES))
"""The fact that the session ends because its rules failed."""


def is_end_by_fault(payload: object) -> bool:
    """Return whether a payload ends the session because its rules failed."""
    return isinstance(payload, Ending) and payload == END_BY_FAULT.payload


def describe_fault(error: BaseException) -> str:
    """Return the class of an error, and its text if it has any, for a sentence."""
    text = text_of(error).rstrip(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def due_time(mechanism: Mechanism, state: State) -> float | None:
    """Return the session time (s) at which something falls due; None: at none.

    Raises:
        TypeError: If the rules return no finite number.
    """
    at = mechanism.next_due(state)
    if at is None:
        return None
    if isinstance(at, bool) or not isinstance(at, int | float) or not isfinite(at):
        raise TypeError(f"next_due returned {at!r}; it returns seconds, a finite number, or None")
    return at


def checked_facts(mechanism: Mechanism, state: State, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return facts that the rules have named.

    Raises:
        TypeError: If one is no fact, of a type that the mechanism does not declare, or for an unknown seat.
        UnicodeError: If its words cannot be written.
    """
    facts = tuple(facts)
    known_types = mechanism.fact_types(state.game) if facts else frozenset()
    for fact in facts:
        kind, payload, to = fact
        if kind == EventType.GAME_END:
            known = type(payload) is Ending and not to
        else:
            known = kind in known_types and type(payload) is Announced
            known = known and type(to) is tuple and all(seat in state.game.seats for seat in to)
        if not known:
            raise TypeError(f"{fact!r} is no fact of {mechanism.name!r} in this game")
        if type(payload) is Announced:
            f"{payload.json}{payload.text}".encode()
    return facts


def find_fault(mechanism: Mechanism, state: State) -> Exception | None:
    """Return an error of the rules in a state: at an event of the platform, or at what seats may see and do.

    None if there is none.
    """
    try:
        seq, t = state.version + 1, state.t
        mechanism.apply(state, Event(seq, t, EventType.TIME, PLATFORM, tick_at(t, state.game)))
        for ended_by in (EndedBy.TIMEOUT, EndedBy.ABORTED):
            mechanism.apply(state, Event(seq, t, EventType.GAME_END, PLATFORM, Ending(ended_by)))
        for seat in state.game.seats:
            refusal = Refusal(EventType.FORMAL_QUIT, NOTHING_CHANGED)
            mechanism.apply(state, Event(seq, t, EventType.ACTION_REFUSED, PLATFORM, refusal, (seat,)))
        for seat in state.game.seats:
            seen = view_of(state, observer_of(state.game, seat)).state
            mechanism.legal(seen, seat)
            mechanism.standing(seen, seat)
            observation_of(seen, seat, SEAT_LEVEL, seen.t)
        view_of(state, PUBLIC)
    except Exception as error:  # noqa: BLE001 - whatever the rules raise
        return error
    return None


def final_points(mechanism: Mechanism, state: State, seats: Iterable[Seat]) -> SeatMap[Points | None]:
    """Return the points of seats in the state after a session.

    Raises:
        NegoError: If the rules fail at them; a sentence, with the error as its cause.
    """
    points = []
    for seat in seats:
        try:
            points.append((seat, mechanism.points(state, seat)))
        except Exception as error:
            raise NegoError(
                f"The rules of the kind {mechanism.name!r} cannot say the points of {seat} "
                f"({describe_fault(error)})."
            ) from error
    return SeatMap(points)
