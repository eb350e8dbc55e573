"""Context in which a text is parsed: the game, the speaker and the public dialogue so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from negoplatform.core.events import Event, EventType
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat

MAX_HISTORY = 200
"""Minimum number of past messages and offers in a context: "as I said before" refers to them."""
_BLOCK = 128
"""Number of events by which the start of a long history moves; interpretations are cached by the start."""


@dataclass(frozen=True, slots=True)
class DialogueTurn:
    """Message or formal offer of the past.

    Args:
        sender: The sender's seat.
        text: The text; empty for an offer.
        offer: The formal offer; None for a message.
    """

    sender: Seat
    text: str = ""
    offer: Offer | None = None


@dataclass(frozen=True, slots=True)
class DialogueContext:
    """Context of a text. All of it is public.

    Args:
        game: The game; only its issues and seats are used, never a preference.
        speaker: The speaker's seat.
        on_table: The offer on the table; the empty offer before the first.
        maker: The seat that made it; None before the first.
        history: The messages and offers before the text, oldest first.
        language: The language of the text, by its folder's name.
        accepted: Whether a seat other than the speaker has formally accepted the offer on the table.
        to: The seats for which alone the text is; empty: it is for everyone.
    """

    game: GameSpec
    speaker: Seat
    on_table: Offer = EMPTY_OFFER
    maker: Seat | None = None
    history: tuple[DialogueTurn, ...] = ()
    language: str = "en"
    accepted: bool = False
    to: tuple[Seat, ...] = ()


def dialogue_context(
    state: State,
    speaker: Seat,
    *,
    before: int | None = None,
    language: str = "en",
    to: tuple[Seat, ...] = (),
) -> DialogueContext:
    """Return the context in which a seat speaks.

    Args:
        state: A state, or one seat's view of it.
        speaker: The speaker's seat.
        before: The seq of the message to be parsed; None: it follows all events.
        language: The language of the text.
        to: The seats for which alone the text is; empty: it is for everyone.
    """
    earlier = _recent_events(_public_talk(state, before))
    talk = tuple(
        DialogueTurn(
            event.sender, event.get_text(), event.get_offer() if event.type == EventType.SEND_OFFER else None
        )
        for event in reversed(earlier)
    )
    standing = next(
        (event for event in _public_talk(state, before) if event.type == EventType.SEND_OFFER), None
    )
    if standing is None:
        return DialogueContext(state.game, speaker, history=talk, language=language, to=to)
    return DialogueContext(
        state.game,
        speaker,
        standing.get_offer(),
        standing.sender,
        talk,
        language,
        accepted=_is_accepted(state, standing, speaker, before),
        to=to,
    )


def _recent_events(spoken: Iterable[Event]) -> list[Event]:
    """Return the newest events, newest first, back to the start of a block."""
    kept: list[Event] = []
    for event in spoken:
        if len(kept) >= MAX_HISTORY and event.seq // _BLOCK != kept[-1].seq // _BLOCK:
            break
        kept.append(event)
    return kept


def _is_accepted(state: State, offer: Event, speaker: Seat, before: int | None) -> bool:
    """Return whether a seat other than the speaker has formally accepted the newest offer."""
    for event in state.transcript.iter_backwards():
        if event.seq <= offer.seq:
            break
        if event.type == EventType.FORMAL_ACCEPT and event.sender != speaker:
            return before is None or event.seq < before
    return False


def _public_talk(state: State, before: int | None) -> Iterator[Event]:
    """Yield public messages and offers, newest first."""
    for event in state.transcript.iter_backwards():
        if event.type in (EventType.SEND_MESSAGE, EventType.SEND_OFFER) and (
            before is None or event.seq < before
        ):
            yield event
