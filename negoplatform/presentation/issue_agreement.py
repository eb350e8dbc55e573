"""Status of each issue between the seats, for participants; computed without Tk.

The board records where the seats' latest terms are equal. That alone is no agreement: an offer is a package,
and "that salary for these hours" against "that salary for other hours" concedes no salary. An issue is
agreed if every seat has made or accepted the same offer that names it, and still stands by all of it.

    latest terms of the seats             the same offer by every seat         progress
    ------------------------------------  -----------------------------------  --------
    missing, or units undecided           -                                    OPEN
    different                             -                                    DIFFER
    the same                              no                                   SAME
    the same                              yes, and all of it stands            AGREED
    any, after the end without a deal     -                                    OPEN
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from enum import StrEnum

from negoplatform.core.events import Event, EventType, Message, MessageSubtype
from negoplatform.core.mechanisms.bargaining import board_of
from negoplatform.core.state import State
from negoplatform.domain.issue_status_board import Board, IssueStatus
from negoplatform.domain.offer import Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import gettext_noop


class Progress(StrEnum):
    """Status of an issue between the seats."""

    OPEN = "open"
    """A seat has not named the issue yet, or units are undecided."""
    DIFFER = "differ"
    """Two seats' latest terms differ."""
    SAME = "same"
    """Every seat has named the same terms, but in different offers."""
    AGREED = "agreed"
    """The terms are part of an offer that every seat has made or accepted, and stands for as a whole."""


PROGRESS_WORDS: Mapping[Progress, str] = {
    Progress.AGREED: gettext_noop("agreed"),
    Progress.SAME: gettext_noop("same in both offers"),
    Progress.DIFFER: gettext_noop("not agreed"),
    Progress.OPEN: gettext_noop("open"),
}
"""Status of an issue in words."""


def progress(state: State) -> dict[str, Progress]:
    """Return the status of each issue, by issue name."""
    names = [issue.name for issue in state.game.issues]
    if state.ending is not None:
        deal = state.ending.deal
        dealt = deal.issues if isinstance(deal, Offer) else ()
        return {name: Progress.AGREED if name in dealt else Progress.OPEN for name in names}
    board, agreed = board_of(state), agreed_terms(state)
    return {name: _progress(board.standing(name), agreed=name in agreed) for name in names}


def agreed_terms(state: State) -> Offer:
    """Return the terms that are agreed as parts of whole offers; empty if there are none."""
    same = _same_terms(board_of(state), [issue.name for issue in state.game.issues])
    agreed: dict[str, Term] = {}
    backers: dict[Offer, set[Seat]] = defaultdict(set)
    accepted: set[Seat] = set()
    # Newest first: an acceptance precedes its offer.
    for event in state.transcript.iter_backwards() if same else ():
        if event.type == EventType.FORMAL_ACCEPT:
            accepted.add(event.sender)
        elif event.type == EventType.SEND_OFFER:
            offer = event.get_offer()
            if all(same.get(name) == term for name, term in offer.terms):
                backers[offer] |= {event.sender, *accepted}
                if len(backers[offer]) == len(state.game.seats):
                    agreed |= dict(offer.terms)
            accepted = set()
            if len(agreed) == len(same):
                break
    return Offer(agreed)


def declined_by(state: State, offer_id: int) -> frozenset[Seat]:
    """Return the seats whose latest response to an offer, since it was made, declines it in a message."""
    rejected, accepted = set[Seat](), set[Seat]()
    for event in state.transcript.iter_backwards():
        if event.seq == offer_id:
            return frozenset(rejected - {event.sender})
        if event.type == EventType.FORMAL_ACCEPT:
            accepted.add(event.sender)
        elif _declines(event) and event.sender not in accepted:
            rejected.add(event.sender)
    return frozenset()


def _declines(event: Event) -> bool:
    return isinstance(event.payload, Message) and event.payload.subtype is MessageSubtype.OFFER_REJECT


def _progress(status: IssueStatus, *, agreed: bool) -> Progress:
    match status:
        case IssueStatus.OPEN:
            return Progress.OPEN
        case IssueStatus.DISPUTED:
            return Progress.DIFFER
        case IssueStatus.AGREED:
            return Progress.AGREED if agreed else Progress.SAME


def _same_terms(board: Board, names: list[str]) -> dict[str, Term]:
    """Return the terms on which all seats agree, with nothing undecided, by issue."""
    agreed = [name for name in names if board.standing(name) is IssueStatus.AGREED]
    return {name: next(iter(board.terms(name).values())) for name in agreed}
