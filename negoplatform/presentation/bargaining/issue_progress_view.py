"""Status of the issues, the same for both sides; computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import board_of
from negoplatform.core.state import State
from negoplatform.domain.issue import Issue
from negoplatform.domain.offer import Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.issue_agreement import Progress, progress
from negoplatform.presentation.localized_names import localized_text, names_or_number
from negoplatform.presentation.offers.term_texts import term_words


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """Status of one issue.

    Args:
        title: Title of the issue.
        progress: Status of the issue.
        words: Status in words; the terms if they are agreed or the same.
    """

    title: str
    progress: Progress
    words: str


@dataclass(frozen=True, slots=True)
class ProgressView:
    """Agreed, open and disputed issues; the same for both sides.

    Args:
        rows: Rows of the issues.
        summary: Number of agreed issues, in words.
    """

    rows: tuple[ProgressRow, ...]
    summary: str


def progress_view(
    state: State, seat: Seat | None, names: Mapping[Seat, str], translate: Language
) -> ProgressView:
    """Return the tracker in its reader's words; the facts in it are the same for every reader.

    ``seat`` is the reader's; None for an observer, for whom ``names`` has every seat.
    """

    def words_for(issue: Issue, term: Term) -> str:
        return term_words(issue, term, state.game, seat, names, translate)

    how_far, board, deal = progress(state), board_of(state), state.ending and state.ending.deal
    rows = []
    for issue in state.game.issues:
        terms = board.terms(issue.name)
        dealt = deal.get(issue.name) if isinstance(deal, Offer) else None
        match how_far[issue.name]:
            case Progress.AGREED:
                words = words_for(issue, next(iter(terms.values())) if dealt is None else dealt)
            case Progress.SAME:
                same = words_for(issue, next(iter(terms.values())))
                if len(state.game.seats) > 2:
                    words = translate("{terms} in all offers", terms=same)
                else:
                    words = translate("{terms} in both offers", terms=same)
            case Progress.OPEN if state.ending is None:
                words = _waiting_text(state, terms, seat, names, translate)
            case Progress.OPEN | Progress.DIFFER:
                words = translate("not agreed")
        rows.append(ProgressRow(localized_text(issue.title, translate), how_far[issue.name], words))
    if state.ending is not None and not isinstance(deal, Offer):
        return ProgressView(tuple(rows), translate("No deal"))
    agreed = sum(row.progress is Progress.AGREED for row in rows)
    return ProgressView(tuple(rows), translate("{n} of {all} agreed", n=agreed, all=len(rows)))


def _waiting_text(
    state: State,
    terms: Mapping[Seat, Term],
    seat: Seat | None,
    names: Mapping[Seat, str],
    translate: Language,
) -> str:
    """Return what is missing on an issue, by the terms that some seats have named."""
    if not terms:
        return translate("not discussed yet") if seat is None else translate("open")
    if seat is not None and seat not in terms:
        return translate("waiting for you")
    silent = [names[other] for other in state.game.seats if other not in terms]
    if silent:
        return translate("waiting for {names}", names=names_or_number(silent, translate))
    return translate("partly undecided")
