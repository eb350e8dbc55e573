"""Storage format of a participant's unsent text, in case the program ends: JSON values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.chat.address_view import EVERYONE, Address


def dump_unsent(
    work: Mapping[str, Any],
    words: str,
    sent: Sequence[str] = (),
    answered: int | None = None,
    *,
    to: Address = EVERYONE,
    sent_to: Sequence[Address] = (),
) -> dict[str, Any]:
    """Return what the mechanism keeps and the unsent text as JSON values.

    Args:
        work: What the mechanism keeps: JSON values under ``work``, or bargaining's keys.
        words: Unsent text in the line.
        sent: Messages without an outcome yet, in order.
        answered: Number of earlier messages that were recorded or refused; None if not counted.
        to: Recipients of the unsent text; stored unless they are everyone.
        sent_to: Recipients of each message without an outcome; stored unless all are for everyone.
    """
    document: dict[str, Any] = {
        **work,
        "words": words,
        "sent": list(sent),
        "answered": answered,
    }
    if to:
        document["to"] = list(to)
    if any(sent_to):
        document["sent_to"] = [list(address) for address in sent_to]
    return document


def unsent_text(kept: Mapping[str, Any] | None, answers: Sequence[str | None]) -> str:
    """Return the stored text, without messages that were recorded after all.

    The program may have ended after a message was recorded and before it was removed from storage.

    Args:
        kept: Stored values.
        answers: Outcomes of the participant's messages so far: the text if recorded, None if refused.
    """
    kept = kept or {}
    words, sent, answered = kept.get("words"), kept.get("sent"), kept.get("answered")
    if not isinstance(words, str):
        return ""
    if not isinstance(sent, list) or not isinstance(answered, int):
        # Stored by a version without the count; it cannot distinguish repeated texts.
        said = next((text for text in reversed(answers) if text is not None), "")
        return "" if words.strip() == said.strip() else words
    back = [sent[place] for place in _undelivered(sent, answers[answered:])]
    if all(answer is None for answer in answers[answered + len(sent) :]):
        back.append(words)  # otherwise the line was sent after it was stored
    return " ".join(filter(None, back))


def stored_address(
    kept: Mapping[str, Any] | None, answers: Sequence[str | None], game: GameSpec, seat: Seat
) -> Address:
    """Return the recipients of the stored text; everyone if the stored ones are no seats of others.

    If a message comes back into the line that was not for everyone, the whole line is for its recipients: a
    text for one person must not reach everyone.

    Args:
        kept: Stored values.
        answers: Outcomes of the participant's messages so far, as for :func:`unsent_text`.
        game: The game.
        seat: Seat of the participant.
    """
    kept = kept or {}
    sent, sent_to, answered = kept.get("sent"), kept.get("sent_to"), kept.get("answered")
    addresses = []
    if isinstance(sent, list) and isinstance(sent_to, list) and isinstance(answered, int):
        places = _undelivered(sent, answers[answered:])
        addresses = [sent_to[place] for place in places if place < len(sent_to)]
    known = (_address(document, game, seat) for document in [*addresses, kept.get("to")])
    return next((address for address in known if address), EVERYONE)


def _undelivered(sent: Sequence[object], outcomes: Sequence[str | None]) -> list[int]:
    """Return the positions of messages that were not recorded."""
    return [place for place in range(len(sent)) if place >= len(outcomes) or outcomes[place] is None]


def _address(document: object, game: GameSpec, seat: Seat) -> Address:
    if not isinstance(document, list) or not all(one in game.others(seat) for one in document):
        return EVERYONE
    return tuple(document)
