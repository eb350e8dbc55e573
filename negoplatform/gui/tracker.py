"""What is agreed, open and disputed, issue by issue: the same for both sides, computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.core.mechanisms.bargaining import board_of
from negoplatform.core.state import State
from negoplatform.domain.board import Standing
from negoplatform.domain.issue import Issue
from negoplatform.domain.offer import Allocation, Term
from negoplatform.domain.seat import Seat
from negoplatform.gui.language import Language
from negoplatform.gui.texts import drawable, term_text
from negoplatform.gui.view import TrackerRow, TrackerView


def tracker_view(state: State, seat: Seat, names: Mapping[Seat, str], say: Language) -> TrackerView:
    """The tracker as the one in a seat reads it; what it says, everybody at the table can see."""
    rows = tuple(_row(state, issue, seat, names, say) for issue in state.game.issues)
    agreed = sum(row.standing is Standing.AGREED for row in rows)
    return TrackerView(rows, say("{n} of {all} agreed", n=agreed, all=len(rows)))


def _row(state: State, issue: Issue, seat: Seat, names: Mapping[Seat, str], say: Language) -> TrackerRow:
    board, title = board_of(state), drawable(issue.title)
    standing, terms = board.standing(issue.name), board.terms(issue.name)
    if standing is Standing.AGREED:
        return TrackerRow(title, standing, _term(issue, next(iter(terms.values())), state, seat, names, say))
    if standing is Standing.DISPUTED:
        return TrackerRow(title, standing, say("you differ"))
    if not terms:
        return TrackerRow(title, standing, say("open"))
    if seat not in terms:
        return TrackerRow(title, standing, say("your turn"))
    if len(terms) < len(state.game.seats):
        return TrackerRow(title, standing, say("their turn"))
    return TrackerRow(title, standing, say("partly undecided"))


def _term(
    issue: Issue, term: Term, state: State, seat: Seat, names: Mapping[Seat, str], say: Language
) -> str:
    if not isinstance(term, Allocation):
        return drawable(term_text(issue, term, say))
    others = [say("{name} {n}", name=names[who], n=term.of(who)) for who in state.game.others(seat)]
    return ", ".join([say("you {n}", n=term.of(seat)), *others])
