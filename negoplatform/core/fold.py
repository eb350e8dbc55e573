"""How the state follows from the events: one pure function."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from negoplatform.core.events import Drafting, Event, EventType, ExpressionShown, Typing
from negoplatform.core.mechanisms.base import Mechanism
from negoplatform.core.state import Phase, Presence, Private, State
from negoplatform.core.visibility import reaches
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import BySeat

UNFOLDED = frozenset({EventType.NOTE, EventType.AGENT_FAILED, EventType.RESUMED})
"""Facts that the log keeps and the state does not."""

NOT_IN_TRANSCRIPT = frozenset({EventType.TIME, EventType.TYPING, EventType.OFFER_IN_PROGRESS})
"""What passes without leaving a line in anybody's transcript."""

DRAFTING_SECONDS = 2.0
"""How long "is building an offer" is shown after the last sign of it."""


def initial_state(game: GameSpec, mechanism: Mechanism) -> State:
    """The state before the first event."""
    return State(
        game=game,
        play=mechanism.begin(game),
        presence=BySeat((seat, Presence()) for seat in game.seats),
        private=BySeat((seat, Private()) for seat in game.seats),
    )


def apply(state: State, event: Event, mechanism: Mechanism) -> State:
    """The state after an event. Works on the whole state and on a seat's view of it alike."""
    if event.type in UNFOLDED:
        return state
    after = replace(
        state,
        play=mechanism.apply(state, event),
        version=event.seq,
        t=event.t,
        private=state.private if event.type in NOT_IN_TRANSCRIPT else _write_transcripts(state, event),
    )
    match event.type:
        case EventType.GAME_START:
            return replace(after, phase=Phase.NEGOTIATING)
        case EventType.GAME_END:
            return replace(after, phase=Phase.CLOSING, ending=event.payload, ended_at=event.t)
        case _ if event.sender in state.presence:
            return _show(after, event)
        case _:
            return after


def fold(events: Iterable[Event], state: State, mechanism: Mechanism) -> State:
    """The state after all events."""
    for event in events:
        state = apply(state, event, mechanism)
    return state


def _write_transcripts(state: State, event: Event) -> BySeat[Private]:
    seen = event.without_experimenters_part()
    return BySeat(
        (seat, Private(part.transcript.plus(seen)) if reaches(event, seat) else part)
        for seat, part in state.private.items()
    )


def _show(state: State, event: Event) -> State:
    """What the sender now shows of itself."""
    seat, until = event.sender, event.t
    match event.payload:
        case ExpressionShown(expression, duration_ms):
            state = state.with_presence(
                seat, expression=expression, expression_until=until + duration_ms / 1000
            )
        case Typing(duration_ms):
            state = state.with_presence(seat, typing_until=until + duration_ms / 1000)
        case Drafting():
            state = state.with_presence(seat, drafting_until=until + DRAFTING_SECONDS)
        case _ if event.type == EventType.SEND_MESSAGE and not event.to:
            # A message to one seat must not show on a face that the others see.
            state = state.with_presence(seat, typing_until=0.0)
        case _ if event.type == EventType.SEND_OFFER:
            state = state.with_presence(seat, drafting_until=0.0)
        case _:
            pass
    if state.phase is Phase.CLOSING:
        words = state.presence[seat].last_words | {event.type}
        state = state.with_presence(seat, last_words=words)
    return state
