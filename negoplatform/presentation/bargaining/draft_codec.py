"""Storage format of an offer that is built and not sent, in case the program ends: JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import NumberIssue
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.formats.event_payloads import dump_offer, load_offer
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.issue_number_text import parse_number


def dump_draft(draft: Draft) -> dict[str, Any]:
    """Return a draft and its invalid entries as JSON values."""
    return {
        "offer": dump_offer(draft.offer) if draft.offer.terms else None,
        "fields": dict(draft.invalid_entries),
    }


def load_draft(kept: Mapping[str, Any] | None, game: GameSpec) -> Draft:
    """Return a stored draft; parts that do not fit the game are dropped, so no draft stops a session."""
    if kept is None:
        return Draft(game)
    draft = Draft(game, _offer(kept.get("offer"), game))
    fields = kept.get("fields")
    for name, typed in fields.items() if isinstance(fields, dict) else ():
        issue = next((issue for issue in game.issues if issue.name == name), None)
        if isinstance(issue, NumberIssue) and isinstance(typed, str) and parse_number(typed, issue).problem:
            draft = draft.write(issue, typed)
    return draft


def _offer(document: object, game: GameSpec) -> Offer:
    if not isinstance(document, dict) or not document:
        return EMPTY_OFFER
    try:
        offer = load_offer(document)
        game.check_offer(offer)
    except (NegoError, TypeError, ValueError, AttributeError):
        return EMPTY_OFFER
    return offer
