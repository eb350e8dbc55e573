"""The rows of the offer builder, one for each issue: computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import board_of
from negoplatform.core.state import State
from negoplatform.domain.game import Preferences
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Number
from negoplatform.domain.seat import Seat
from negoplatform.presentation.agreement_status import Progress, progress
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.formatting import PROGRESS_WORDS, displayable, localized_text
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.number_format import parse_number, plain_number, range_text
from negoplatform.presentation.offers.preference_texts import (
    issue_valuation,
    linked_issue_titles,
    term_difference_text,
    term_points_text,
    value_choices,
)


@dataclass(frozen=True, slots=True)
class RowHeaderView:
    """What stands above what is decided about an issue.

    Args:
        title: The issue.
        detail: How many there are and what they are worth, or what fits.
        progress_text: How far the seats are, in words; empty before anybody has spoken.
        progress: The same as a value.
        problem: Why what was typed does not fit, in a sentence; empty otherwise.
    """

    title: str
    detail: str
    progress_text: str = ""
    progress: Progress = Progress.OPEN
    problem: str = ""


@dataclass(frozen=True, slots=True)
class QuantityRow:
    """A quantity issue in the builder: units per seat, the participant's own first, and undecided ones."""

    issue: QuantityIssue
    head: RowHeaderView
    units: tuple[tuple[Seat, str, int], ...]
    undecided: int


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A categorical issue in the builder.

    Args:
        choices: Its values with their points, for a list.
        values: The values alone.
        worths: What each adds to the points; empty texts where that is not known.
        chosen: The index of the chosen one; None while undecided.
    """

    issue: CategoricalIssue
    head: RowHeaderView
    choices: tuple[str, ...]
    values: tuple[str, ...]
    worths: tuple[str, ...]
    chosen: int | None


@dataclass(frozen=True, slots=True)
class NumberRow:
    """A number issue in the builder.

    Args:
        text: What stands in the field: the number, what was typed and does not fit, or nothing.
        number: The chosen number; None while undecided.
        unit: What it counts; may be empty.
        worth: What it is worth to the participant; empty while undecided.
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
    """The rows as the one in a seat sees them, in the game's order."""
    place = _RowBuilder(state, seat, names, draft, progress(state), translate)
    return tuple(place.row(issue) for issue in state.game.issues)


@dataclass(frozen=True, slots=True)
class _RowBuilder:
    """Whose draft it is, and where: makes the rows."""

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
        how_far, terms = self.progress[issue.name], board_of(self.state).terms(issue.name)
        # What is the same for both is said beside a draft that leaves it so; the tracker says it in any case.
        left_so = self.draft.offer.get(issue.name) in terms.values()
        spoken = len(terms) > 0 and (left_so or how_far in (Progress.OPEN, Progress.DIFFER))
        return RowHeaderView(
            title=localized_text(issue.title, self.translate),
            detail=displayable(detail[:1].upper() + detail[1:]),
            progress_text=self.translate(PROGRESS_WORDS[how_far]) if spoken else "",
            progress=how_far,
            problem=displayable(problem),
        )
