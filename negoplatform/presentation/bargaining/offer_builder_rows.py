"""Rows of the offer builder, one for each issue; computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import board_of
from negoplatform.core.state import State
from negoplatform.domain.game import Preferences
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Number
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.issue_agreement import PROGRESS_WORDS, Progress, progress
from negoplatform.presentation.issue_number_text import parse_number, plain_number, range_text
from negoplatform.presentation.localized_names import displayable, localized_text
from negoplatform.presentation.offers.issue_valuation_texts import (
    issue_valuation,
    linked_issue_titles,
    term_difference_text,
    term_points_text,
    value_choices,
)
from negoplatform.presentation.plots.seat_styles import SeatMark, shown_marks


@dataclass(frozen=True, slots=True)
class RowHeaderView:
    """Header of an issue's row.

    Args:
        title: Title of the issue.
        detail: Number of units and their worth, or valid numbers.
        progress_text: Status of the issue in words; empty before any offer names it.
        progress: Status of the issue.
        problem: Sentence about an invalid entry; empty if there is none.
    """

    title: str
    detail: str
    progress_text: str = ""
    progress: Progress = Progress.OPEN
    problem: str = ""


@dataclass(frozen=True, slots=True)
class QuantityRow:
    """Row of a quantity issue: units per seat, the participant's own first, and undecided units.

    ``marks`` are those of the seats; empty where there is only one other.
    """

    issue: QuantityIssue
    head: RowHeaderView
    units: tuple[tuple[Seat, str, int], ...]
    undecided: int
    marks: tuple[tuple[Seat, SeatMark], ...] = ()


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """Row of a categorical issue.

    Args:
        issue: The issue.
        head: Header of the row.
        choices: Values with their points, for a list.
        values: Values alone.
        worths: Points of each value, signed; empty texts if unknown.
        chosen: Index of the chosen value; None if undecided.
    """

    issue: CategoricalIssue
    head: RowHeaderView
    choices: tuple[str, ...]
    values: tuple[str, ...]
    worths: tuple[str, ...]
    chosen: int | None


@dataclass(frozen=True, slots=True)
class NumberRow:
    """Row of a number issue.

    Args:
        issue: The issue.
        head: Header of the row.
        text: Text of the field: the number, an invalid entry, or nothing.
        number: Chosen number; None if undecided.
        unit: Unit of the number; may be empty.
        worth: Points of the number for the participant; empty if undecided.
    """

    issue: NumberIssue
    head: RowHeaderView
    text: str
    number: Number | None
    unit: str
    worth: str


BuilderRow = QuantityRow | ChoiceRow | NumberRow


def builder_rows(
    state: State, seat: Seat, names: Mapping[Seat, str], draft: Draft, translate: Language
) -> tuple[BuilderRow, ...]:
    """Return the rows for a seat, in the game's order."""
    builder = _RowBuilder(state, seat, names, draft, progress(state), translate)
    return tuple(builder.row(issue) for issue in state.game.issues)


@dataclass(frozen=True, slots=True)
class _RowBuilder:
    """Builder of the rows for one seat's draft."""

    state: State
    seat: Seat
    names: Mapping[Seat, str]
    draft: Draft
    progress: Mapping[str, Progress]
    translate: Language

    def row(self, issue: Issue) -> BuilderRow:
        match issue:
            case QuantityIssue():
                return self._quantity(issue)
            case CategoricalIssue():
                return self._choice(issue)
            case NumberIssue():
                return self._number(issue)

    @property
    def _mine(self) -> Preferences:
        return self.state.game.preferences[self.seat]

    def _quantity(self, issue: QuantityIssue) -> QuantityRow:
        available = self.translate.plural("{n} available", "{n} available", issue.quantity)
        worth = issue_valuation(issue, self._mine, self.translate).text
        allocation = self.draft.allocation(issue)
        units = [(seat, self.names[seat], allocation.of(seat)) for seat in self.state.game.others(self.seat)]
        return QuantityRow(
            issue,
            self._head(issue, available, worth),
            ((self.seat, self.translate("You"), allocation.of(self.seat)), *units),
            allocation.undecided,
            tuple(shown_marks(self.state.game.seats, self.seat).items()),
        )

    def _choice(self, issue: CategoricalIssue) -> ChoiceRow:
        value = self.draft.value(issue)
        return ChoiceRow(
            issue,
            self._head(issue),
            choices=value_choices(issue, self._mine, self.translate),
            values=tuple(localized_text(value, self.translate) for value in issue.values),
            worths=tuple(
                term_difference_text(issue, value, self._mine, self.translate) for value in issue.values
            ),
            chosen=None if value is None else issue.values.index(value),
        )

    def _number(self, issue: NumberIssue) -> NumberRow:
        value, typed = self.draft.number(issue), self.draft.invalid_text(issue)
        problem = parse_number(typed, issue, self.translate).problem
        return NumberRow(
            issue,
            self._head(issue, range_text(issue, self.translate), problem=problem),
            text=typed if value is None else self.translate.localize_number(plain_number(value)),
            number=value,
            unit=localized_text(issue.unit, self.translate),
            worth="" if value is None else term_points_text(issue, value, self._mine, self.translate),
        )

    def _head(self, issue: Issue, *details: str, problem: str = "") -> RowHeaderView:
        partners = linked_issue_titles(issue, self.state.game, self._mine, self.translate)
        more = self.translate("also counts together with {issues}", issues=partners) if partners else ""
        detail = " · ".join(part for part in (*details, more) if part)
        status, terms = self.progress[issue.name], board_of(self.state).terms(issue.name)
        # A term that is the same for both is mentioned only while the draft keeps it; the tracker always has
        # it.
        unchanged = self.draft.offer.get(issue.name) in terms.values()
        is_shown = len(terms) > 0 and (unchanged or status in (Progress.OPEN, Progress.DIFFER))
        return RowHeaderView(
            title=localized_text(issue.title, self.translate),
            detail=displayable(detail[:1].upper() + detail[1:]),
            progress_text=self._progress_text(status) if is_shown else "",
            progress=status,
            problem=displayable(problem),
        )

    def _progress_text(self, status: Progress) -> str:
        if status is Progress.SAME and len(self.state.game.seats) > 2:
            return self.translate("same in all offers")
        return self.translate(PROGRESS_WORDS[status])
