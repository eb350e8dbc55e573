"""What every kind of game asks of an act, before its own rules are asked."""

from __future__ import annotations

from negoplatform.core.events import EventType, ExpressionShown, Message, Payload, Typing
from negoplatform.core.state import Phase, State
from negoplatform.domain.errors import Refused
from negoplatform.domain.seat import Seat

LONGEST_MESSAGE = 4000
"""Characters in one message."""

LONGEST_SHOWN_MS = 600_000
"""Milliseconds for which an expression or a typing sign may be shown."""

LAST_WORDS = frozenset({EventType.SEND_MESSAGE, EventType.SEND_EXPRESSION})
"""What each seat may still do once, each, after the end."""


def check_act(
    state: State, seat: Seat, kind: EventType, payload: Payload, to: tuple[Seat, ...], now: float
) -> None:
    """Raises Refused, with a sentence for the player, if a seat may not do this now."""
    if seat not in state.game.seats:
        raise Refused(f"Nobody sits at {seat!r} in this game.")
    for recipient in to:
        if recipient not in state.game.seats or recipient == seat:
            raise Refused(f"A message cannot be sent to {recipient!r}.")
    _check_phase(state, seat, kind, now)
    match payload:
        case Message(text):
            if not text.strip():
                raise Refused("There is nothing to send yet; write something first.")
            if len(text) > LONGEST_MESSAGE:
                raise Refused(f"That message is too long: {len(text):,} of {LONGEST_MESSAGE:,} characters.")
        case ExpressionShown(duration_ms=ms) | Typing(duration_ms=ms):
            if not 0 < ms <= LONGEST_SHOWN_MS:
                raise Refused(f"That can be shown for 1 to {LONGEST_SHOWN_MS:,} ms, not {ms:,}.")
        case _:
            pass


def _check_phase(state: State, seat: Seat, kind: EventType, now: float) -> None:
    match state.phase:
        case Phase.SETUP:
            raise Refused("The game has not started yet.")
        case Phase.NEGOTIATING:
            deadline = state.game.rules.deadline_seconds
            if deadline is not None and now >= deadline:
                raise Refused("The time is up.")
        case Phase.CLOSING:
            if kind == EventType.TYPING:
                return
            if kind not in LAST_WORDS:
                raise Refused("The game is over.")
            if kind in state.presence[seat].last_words:
                raise Refused("The game is over, and you have already said goodbye.")
