"""The last message that a seat has heard: what it seems to mean, as the context of a decision offers it."""

from __future__ import annotations

from negoplatform.core.events import Event, EventType
from negoplatform.core.state import State
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat
from negoplatform.language import (
    NOBODY,
    Address,
    DialogueContext,
    Interpretation,
    TopicMention,
    dialogue_context,
    find_addressees,
    find_topics,
    parse_message,
)


def interpretation_of_last_message(state: State, seat: Seat) -> Interpretation | None:
    """Return the interpretation of the last text from another seat.

    Returns:
        The interpretation, without speech acts where texts in the game's language cannot be parsed; None
        before any text, and in a game without issues.
    """
    heard = _last_message(state, seat)
    if heard is None or not state.game.issues:
        return None
    try:
        return parse_message(heard.payload, _dialogue_before(state, heard))
    except NegoError:  # text in that language cannot be parsed
        return Interpretation(heard.payload.text)


def topics_of_last_message(state: State, seat: Seat) -> tuple[TopicMention, ...]:
    """Return the topics of the last text from another seat; none if none was recognised."""
    heard = _last_message(state, seat)
    if heard is None or not state.game.issues:
        return ()
    try:
        return find_topics(heard.payload.text, _dialogue_before(state, heard))
    except NegoError:  # there are no rules in that language
        return ()


def address_of_last_message(state: State, seat: Seat) -> Address:
    """Return the seats that the last text from another seat addresses by name."""
    heard = _last_message(state, seat)
    return NOBODY if heard is None else find_addressees(heard.payload.text, _dialogue_before(state, heard))


def address_of_text(state: State, text: str, sender: Seat) -> Address:
    """Return the seats that a text of a seat addresses by name."""
    language = state.game.rules.effective_reading_language
    return find_addressees(text, DialogueContext(state.game, sender, language=language))


def _last_message(state: State, seat: Seat) -> Event | None:
    """Return the last message from another seat; None before any."""
    for event in state.iter_transcript_backwards(seat):
        if event.type == EventType.SEND_MESSAGE and event.sender != seat:
            return event
    return None


def _dialogue_before(state: State, event: Event) -> DialogueContext:
    language = state.game.rules.effective_reading_language
    return dialogue_context(state, event.sender, before=event.seq, language=language, to=event.to)
