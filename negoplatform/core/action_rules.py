"""Rules for actions in every kind of game, checked before the mechanism's own rules."""

from __future__ import annotations

from negoplatform.core.events import (
    EventType,
    ExpressionShown,
    Message,
    Payload,
    Preference,
    Tick,
    Typing,
    clean_text,
)
from negoplatform.core.mechanisms.base import COMMON_ACTS, EVERYONE, ActAudience, ActRule
from negoplatform.core.state import NEGOTIATING, Phase, State
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat

LONGEST_MESSAGE = 4000
"""Characters in one message, at most."""

MAX_STATED_POINTS = 1_000_000_000
"""Largest absolute value of points stated in a message."""

MAX_DISPLAY_MS = 600_000
"""Milliseconds for which an expression or a typing sign may be shown, at most."""

EVENTS_PER_INSTANT = 1000
"""Most events at one instant: more mean that time no longer moves, and the session is aborted.

What follows from an event does not count.
"""

TALK = frozenset({EventType.SEND_MESSAGE, EventType.SEND_EXPRESSION, EventType.TYPING})
"""Actions that a game without talk does not have."""

CLOSING_ACTIONS = frozenset({EventType.SEND_MESSAGE, EventType.SEND_EXPRESSION})
"""Actions that each seat may still perform after the end, each of them once."""


def validate_action(
    state: State, rule: ActRule, seat: Seat, kind: str, payload: Payload, to: tuple[Seat, ...], now: float
) -> None:
    """Raise Refused, with a sentence for the player, if a seat may not do this now."""
    if seat not in state.game.seats:
        raise Refused(f"Nobody sits at {seat!r} in this game.")
    if type(payload) is not rule.payload_class:
        raise Refused(f"{kind} cannot be done with {type(payload).__name__}.")
    if to or rule.audience is not EVERYONE:
        _check_audience(state, rule, seat, to)
    if kind in TALK and not state.game.rules.talk:
        raise Refused("There is no talk in this game.")
    if state.phase is not NEGOTIATING:
        _check_not_negotiating(state, seat, kind, to, now)
    else:
        deadline = state.game.rules.deadline_seconds
        if deadline is not None and now >= deadline:
            raise Refused("Time is up.")
    if kind in COMMON_ACTS:  # the mechanism checks its own
        _check_payload(state, payload)


def _check_payload(state: State, payload: Payload) -> None:
    match payload:
        case Message():
            _check_message(state, payload)
        case ExpressionShown(duration_ms=ms) | Typing(duration_ms=ms):
            if not 0 < ms <= MAX_DISPLAY_MS:
                raise Refused(f"That can be shown for 1 to {MAX_DISPLAY_MS:,} ms and no other time.")
        case _:
            pass


def _check_audience(state: State, rule: ActRule, seat: Seat, to: tuple[Seat, ...]) -> None:
    """Raise Refused if an act of this rule cannot be addressed to these seats."""
    match rule.audience:
        case ActAudience.EVERYONE if to:
            # The board and a face are visible to everyone, so an event that changes them has to be.
            raise Refused("Only a message can be addressed; everything else is for everyone at the table.")
        case ActAudience.SENDER if to != (seat,):
            raise Refused("This is seen by nobody else, so it cannot be addressed.")
        case ActAudience.ONE_SEAT if len(to) != 1:
            raise Refused("This has to be addressed to exactly one other seat.")
        case ActAudience.ONE_SEAT | ActAudience.CHOSEN:
            for recipient in to:
                if recipient not in state.game.seats or recipient == seat:
                    what = "A message" if rule.audience is ActAudience.CHOSEN else "This"
                    raise Refused(f"{what} cannot be sent to {recipient!r}.")
            if len(set(to)) < len(to):
                raise Refused("This is addressed to one seat twice; name each seat once.")
        case _:
            return


def _check_message(state: State, message: Message) -> None:
    text = message.text
    if message.batna is not None and not _is_number(message.batna):
        raise Refused("The stated value of no deal is no finite number.")
    if message.preference is not None:
        _check_preference(state, message.preference)
    if not text.strip():
        raise Refused("There’s nothing to send yet. Type something first.")
    if len(text) > LONGEST_MESSAGE:
        raise Refused(f"That message is too long: {len(text):,} of {LONGEST_MESSAGE:,} characters.")
    if text != clean_text(text):
        raise Refused("That message contains characters that can’t be saved.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MAX_STATED_POINTS


def _check_preference(state: State, preference: Preference) -> None:
    if not isinstance(preference, Preference):
        raise Refused("The stated preference is none.")
    names = [issue.name for issue in state.game.issues]
    stated = [preference.issue1, *([] if preference.issue2 is None else [preference.issue2])]
    if any(name not in names for name in stated):
        raise Refused(f"A preference is about the issues of this game: {', '.join(names)}.")


def _check_not_negotiating(state: State, seat: Seat, kind: str, to: tuple[Seat, ...], now: float) -> None:
    if state.phase is Phase.SETUP:
        raise Refused("The game hasn’t started yet.")
    if now > closing_deadline(state):
        raise Refused("The session is over.")
    if kind == EventType.TYPING:
        return
    if kind not in CLOSING_ACTIONS:
        raise Refused("The game is over.")
    if to:
        # Everyone sees which seats have said goodbye, so the goodbye has to be visible to everyone.
        raise Refused("The game is over; a last word is for everyone at the table.")
    if kind in state.presence[seat].closing_actions:
        raise Refused("The game is over, and you’ve already sent your last message.")


def closing_deadline(state: State) -> float:
    """Return the session time (s) until which closing messages are recorded; endless while the game runs.

    It is rounded to milliseconds, as the times of events are, so that an event at this very time is in time.
    """
    return float("inf") if state.ended_at is None else round(state.ended_at + state.game.rules.closing, 3)


def phase_at(state: State, now: float) -> Phase:
    """Return the phase at a session time (s) after the last event: DONE behind the closing."""
    return Phase.DONE if now > closing_deadline(state) else state.phase


def tick_at(now: float, game: GameSpec) -> Tick:
    """Return the payload of a TIME event at a session time (s)."""
    deadline = game.rules.deadline_seconds
    return Tick(now, None if deadline is None else max(0.0, round(deadline - now, 3)))
