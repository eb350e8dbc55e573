"""The fold of events into the state: one pure function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from negoplatform.core.action_rules import CLOSING_ACTIONS
from negoplatform.core.events import (
    GAME_END,
    GAME_START,
    PUBLIC_ORIGIN,
    SEND_OFFER,
    Event,
    EventType,
    ExpressionShown,
    Typing,
    new_tuple,
)
from negoplatform.core.mechanisms.base import Mechanism
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, Record
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal, apply_proposal
from negoplatform.core.rules_faults import is_end_by_fault
from negoplatform.core.state import CLOSING, NEGOTIATING, PrivateState, SeatPresence, State
from negoplatform.core.typed_state.typed_game_state import initial_game_states, update_game_states
from negoplatform.core.visibility import is_addressed_to
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap

UNFOLDED = frozenset({EventType.NOTE, EventType.AGENT_FAILED, EventType.RESUMED})
"""Event types that the log keeps and the state does not."""

DRAFTING_SECONDS = 2.0
"""Seconds for which "is building an offer" is shown after the last sign of it."""


def initial_state(
    game: GameSpec, mechanism: Mechanism, session_id: str = "", record: Record = EMPTY_RECORD
) -> State:
    """Return the state before the first event."""
    own = game.own_state
    return State(
        game=game,
        mechanism_state=mechanism.initial_state(game),
        presence=SeatMap((seat, SeatPresence()) for seat in game.seats),
        private=SeatMap((seat, PrivateState()) for seat in game.seats),
        typed=initial_game_states(own.state_class, game_id=game.name, seats=game.seats, session_id=session_id)
        if own and own.state_class
        else SeatMap(),
        record=record,
        session_id=session_id,
    )


def apply(state: State, event: Event, mechanism: Mechanism) -> State:
    """Return the state after an event. Works on the whole state and on a seat's view of it alike."""
    seq, t, kind, sender, payload, to, _, _, _ = event
    if kind in UNFOLDED:
        return state
    game, play, presence, private, _, _, phase, transcript, ended, ended_at, typed, record, session_id = state
    if kind not in mechanism.untranscribed:
        if to:
            private = _append_private(private, event)
        else:
            transcript = transcript.append(event if event[6:] == PUBLIC_ORIGIN else event.redacted())
    # An end by a fault of the rules is the one event that they are not asked about, nor what follows it.
    ending = payload if kind == GAME_END else ended
    if ending is None or not is_end_by_fault(ending):
        play = mechanism.apply(state, event)
    if game.own_state is not None:
        typed = update_game_states(typed, event, to, sender)
    # Every field by position: this is the most frequent construction of all.
    after = new_tuple(
        State,
        (
            game,
            play,
            presence,
            private,
            seq,
            t,
            phase,
            transcript,
            ended,
            ended_at,
            typed,
            record,
            session_id,
        ),
    )
    change = STATE_UPDATERS.get(kind)
    if change is not None:
        after = change(after, event)
    # Nothing else: everybody sees this, and a seat's proposed change is confidential.
    if phase is CLOSING and kind in CLOSING_ACTIONS:
        words = after.presence[event.sender].closing_actions | {kind}
        after = after.with_presence(event.sender, closing_actions=words)
    return after


def fold(events: Iterable[Event], state: State, mechanism: Mechanism) -> State:
    """Return the state after all events."""
    for event in events:
        state = apply(state, event, mechanism)
    return state


def _append_private(private: SeatMap[PrivateState], event: Event) -> SeatMap[PrivateState]:
    """Return the private states with an addressed event in the transcripts of those that it reaches."""
    seen = event.redacted()
    for seat, part in private.pairs:
        if is_addressed_to(event, seat):
            private = private.with_value(seat, PrivateState(part.transcript.append(seen)))
    return private


def _start(state: State, event: Event) -> State:  # noqa: ARG001 - the same call for every type
    return state._replace(phase=NEGOTIATING)


def _end(state: State, event: Event) -> State:
    return state._replace(phase=CLOSING, ending=event.payload, ended_at=event.t)


def _change_record(state: State, event: Event) -> State:
    proposal: StateProposal = event.payload
    return state._replace(record=apply_proposal(state.record, proposal, event.seq))


def _show_expression(state: State, event: Event) -> State:
    shown: ExpressionShown = event.payload
    until = event.t + shown.duration_ms / 1000
    return state.with_presence(event.sender, expression=shown.expression, expression_until=until)


def _show_typing(state: State, event: Event) -> State:
    typing: Typing = event.payload
    return state.with_presence(event.sender, typing_until=event.t + typing.duration_ms / 1000)


def _show_drafting(state: State, event: Event) -> State:
    return state.with_presence(event.sender, drafting_until=event.t + DRAFTING_SECONDS)


def _clear_typing(state: State, event: Event) -> State:
    # A message to one seat must not show on a face that the others see.
    if event.to or not state.presence[event.sender].typing_until:
        return state
    return state.with_presence(event.sender, typing_until=0.0)


def _clear_drafting(state: State, event: Event) -> State:
    for seat, shown in state.presence.pairs:
        if seat == event.sender and shown.drafting_until:
            return state.with_presence(seat, drafting_until=0.0)
    return state


STATE_UPDATERS: Mapping[str, Callable[[State, Event], State]] = MappingProxyType(
    {
        GAME_START: _start,
        GAME_END: _end,
        EventType.STATE_PROPOSED: _change_record,
        EventType.SEND_EXPRESSION: _show_expression,
        EventType.TYPING: _show_typing,
        EventType.OFFER_IN_PROGRESS: _show_drafting,
        EventType.SEND_MESSAGE: _clear_typing,
        SEND_OFFER: _clear_drafting,
    }
)
"""State changes per type of event, besides transcripts, the mechanism's part and the game's typed state."""
