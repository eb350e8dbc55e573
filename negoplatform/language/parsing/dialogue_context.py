"""What has to be known to understand what somebody says: the game, who speaks, and what was said before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from negoplatform.core.events import Event, EventType
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat import Seat

MAX_HISTORY = 200
"""So many texts and offers before are looked at, and some more: "as I said before" refers to them."""
_BLOCK = 128
"""The first of them changes once in so many events: what was read of them is read again then."""


@dataclass(frozen=True, slots=True)
class DialogueTurn:
    """Something that was said or offered before.

    Args:
        sender: By whom.
        text: The words; empty for an offer.
        offer: The formal offer; None for words.
    """

    sender: Seat
    text: str = ""
    offer: Offer | None = None


@dataclass(frozen=True, slots=True)
class DialogueContext:
    """Where something is said. Everything in it is what the whole table has heard.

    Args:
        game: The game; only its issues and seats are looked at, never anybody's preferences.
        speaker: Who speaks.
        on_table: The offer on the table; the empty offer before the first.
        maker: Who made it; None before the first.
        history: What was said and offered before, oldest first.
        language: The language of the words, by its folder's name.
        accepted: Whether somebody but the speaker has formally accepted the offer on the table.
    """

    game: GameSpec
    speaker: Seat
    on_table: Offer = EMPTY_OFFER
    maker: Seat | None = None
    history: tuple[DialogueTurn, ...] = ()
    language: str = "en"
    accepted: bool = False


def dialogue_context(
    state: State, speaker: Seat, *, before: int | None = None, language: str = "en"
) -> DialogueContext:
    """Where a seat speaks.

    Args:
        state: A state, or what one seat sees of it.
        speaker: Who speaks.
        before: The seq of the message that is to be understood; None: it comes after everything.
        language: The language of the words.
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
        return DialogueContext(state.game, speaker, history=talk, language=language)
    return DialogueContext(
        state.game,
        speaker,
        standing.get_offer(),
        standing.sender,
        talk,
        language,
        accepted=_is_accepted(state, standing, speaker, before),
    )


def _recent_events(spoken: Iterable[Event]) -> list[Event]:
    """The newest of some events, newest first, from the beginning of a block on."""
    kept: list[Event] = []
    for event in spoken:
        if len(kept) >= MAX_HISTORY and event.seq // _BLOCK != kept[-1].seq // _BLOCK:
            break
        kept.append(event)
    return kept


def _is_accepted(state: State, offer: Event, speaker: Seat, before: int | None) -> bool:
    """Whether somebody but the speaker has formally accepted an offer, which is the newest."""
    for event in state.transcript.iter_backwards():
        if event.seq <= offer.seq:
            break
        if event.type == EventType.FORMAL_ACCEPT and event.sender != speaker:
            return before is None or event.seq < before
    return False


def _public_talk(state: State, before: int | None) -> Iterator[Event]:
    """Words and offers that everybody has heard, newest first."""
    for event in state.transcript.iter_backwards():
        if event.type in (EventType.SEND_MESSAGE, EventType.SEND_OFFER) and (
            before is None or event.seq < before
        ):
            yield event
