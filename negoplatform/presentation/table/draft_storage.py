"""What a participant has not sent yet, as it is kept for the case that the program ends: JSON values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import NumberIssue
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.formats.event_payloads import dump_offer, load_offer
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.number_format import parse_number


def dump_draft(
    draft: Draft, words: str, sent: Sequence[str] = (), answered: int | None = None
) -> dict[str, Any]:
    """A draft with what was typed for its numbers, and the words that may be lost.

    Args:
        draft: The draft.
        words: What stands in the line and was not sent.
        sent: The messages that are on their way, in their order.
        answered: How many messages before these have been recorded or refused; None: not counted.
    """
    return {
        "offer": dump_offer(draft.offer) if draft.offer.terms else None,
        "fields": dict(draft.invalid_entries),
        "words": words,
        "sent": list(sent),
        "answered": answered,
    }


def load_draft(kept: Mapping[str, Any] | None, game: GameSpec) -> Draft:
    """The draft as it was kept; what does not fit the game is left out, so that no draft stops a session."""
    if kept is None:
        return Draft(game)
    draft = Draft(game, _offer(kept.get("offer"), game))
    fields = kept.get("fields")
    for name, typed in fields.items() if isinstance(fields, dict) else ():
        issue = next((issue for issue in game.issues if issue.name == name), None)
        if isinstance(issue, NumberIssue) and isinstance(typed, str) and parse_number(typed, issue).problem:
            draft = draft.write(issue, typed)
    return draft


def unsent_text(kept: Mapping[str, Any] | None, answers: Sequence[str | None]) -> str:
    """The words as they were kept, without those that were said after all.

    The program may have ended between writing them down as said and forgetting them as unsaid.

    Args:
        kept: What was kept.
        answers: What has become of the participant's messages by now: the words if they were said, None if
            they were refused.
    """
    kept = kept or {}
    words, sent, answered = kept.get("words"), kept.get("sent"), kept.get("answered")
    if not isinstance(words, str):
        return ""
    if not isinstance(sent, list) or not isinstance(answered, int):
        # Kept by a program that did not count; the same words said twice cannot be told apart.
        said = next((text for text in reversed(answers) if text is not None), "")
        return "" if words.strip() == said.strip() else words
    since = answers[answered:]
    back = [text for place, text in enumerate(sent) if place >= len(since) or since[place] is None]
    if all(answer is None for answer in since[len(sent) :]):
        back.append(words)  # otherwise the line was sent after it was kept
    return " ".join(filter(None, back))


def _offer(document: object, game: GameSpec) -> Offer:
    if not isinstance(document, dict) or not document:
        return EMPTY_OFFER
    try:
        offer = load_offer(document)
        game.check_offer(offer)
    except (NegoError, TypeError, ValueError, AttributeError):
        return EMPTY_OFFER
    return offer
