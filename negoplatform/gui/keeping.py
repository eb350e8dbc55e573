"""What a participant has not sent yet, as it is kept for the case that the program ends: JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import NumberIssue
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.formats.payloads import offer_document, offer_of
from negoplatform.gui.draft import Draft
from negoplatform.gui.numbers import read_number


def kept_document(draft: Draft, words: str) -> dict[str, Any]:
    """A draft with what was typed for its numbers, and words that were not sent."""
    return {
        "offer": offer_document(draft.offer) if draft.offer.terms else None,
        "fields": dict(draft.unfit),
        "words": words,
    }


def kept_draft(kept: Mapping[str, Any] | None, game: GameSpec) -> Draft:
    """The draft as it was kept; what does not fit the game is left out, so that no draft stops a session."""
    if kept is None:
        return Draft(game)
    draft = Draft(game, _offer(kept.get("offer"), game))
    fields = kept.get("fields")
    for name, typed in fields.items() if isinstance(fields, dict) else ():
        issue = next((issue for issue in game.issues if issue.name == name), None)
        if isinstance(issue, NumberIssue) and isinstance(typed, str) and read_number(typed, issue).problem:
            draft = draft.write(issue, typed)
    return draft


def kept_words(kept: Mapping[str, Any] | None, last_said: str) -> str:
    """The words as they were kept; none if they are what was said last.

    The program may have ended between writing them down as said and forgetting them as unsaid.
    """
    words = (kept or {}).get("words")
    return words if isinstance(words, str) and words.strip() != last_said.strip() else ""


def _offer(document: object, game: GameSpec) -> Offer:
    if not isinstance(document, dict) or not document:
        return EMPTY_OFFER
    try:
        offer = offer_of(document)
        game.check_offer(offer)
    except (NegoError, TypeError, ValueError, AttributeError):
        return EMPTY_OFFER
    return offer
