"""Status of the issues, the same for both sides; computed without Tk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import board_of
from negoplatform.core.state import State
from negoplatform.domain.issue import Issue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat import Seat
from negoplatform.presentation.agreement_status import Progress, progress
from negoplatform.presentation.formatting import displayable, join_names, localized_text, term_text
from negoplatform.presentation.i18n import Language


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


WaitingText = Callable[[Mapping[Seat, Term]], str]
"""Function that returns a text about an open issue, from the terms that some seats have named."""


def progress_view(state: State, seat: Seat, names: Mapping[Seat, str], translate: Language) -> ProgressView:
    """Return the tracker's contents for a seat; they are based on public information only."""
    return build_progress_view(
        state,
        translate,
        term=lambda issue, term: _term_text(issue, term, state, seat, names, translate),
        waiting=lambda terms: _waiting_text(state, terms, seat, names, translate),
    )


def build_progress_view(
    state: State, translate: Language, *, term: Callable[[Issue, Term], str], waiting: WaitingText
) -> ProgressView:
    """Return the tracker's contents; ``term`` and ``waiting`` return the texts for their reader."""
    how_far, board, deal = progress(state), board_of(state), state.ending and state.ending.deal
    rows = []
    for issue in state.game.issues:
        terms = board.terms(issue.name)
        dealt = deal.get(issue.name) if isinstance(deal, Offer) else None
        match how_far[issue.name]:
            case Progress.AGREED:
                words = term(issue, next(iter(terms.values())) if dealt is None else dealt)
            case Progress.SAME:
                words = translate("{terms} in both offers", terms=term(issue, next(iter(terms.values()))))
            case Progress.OPEN if state.ending is None:
                words = waiting(terms)
            case Progress.OPEN | Progress.DIFFER:
                words = translate("not agreed")
        rows.append(ProgressRow(localized_text(issue.title, translate), how_far[issue.name], words))
    if state.ending is not None and not isinstance(deal, Offer):
        return ProgressView(tuple(rows), translate("No deal"))
    agreed = sum(row.progress is Progress.AGREED for row in rows)
    return ProgressView(tuple(rows), translate("{n} of {all} agreed", n=agreed, all=len(rows)))


def _waiting_text(
    state: State, terms: Mapping[Seat, Term], seat: Seat, names: Mapping[Seat, str], translate: Language
) -> str:
    if not terms:
        return translate("open")
    if seat not in terms:
        return translate("waiting for you")
    silent = [names[other] for other in state.game.others(seat) if other not in terms]
    if silent:
        return translate("waiting for {names}", names=join_names(silent, translate))
    return translate("partly undecided")


def _term_text(
    issue: Issue, term: Term, state: State, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> str:
    if not isinstance(term, Allocation):
        return displayable(term_text(issue, term, translate))
    others = [translate("{name} {n}", name=names[who], n=term.of(who)) for who in state.game.others(seat)]
    return ", ".join([translate("you {n}", n=term.of(seat)), *others])
