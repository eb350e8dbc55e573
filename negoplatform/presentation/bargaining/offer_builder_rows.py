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
from negoplatform.presentation.formatting import PROGRESS_WORDS, drawable, shown
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.number_format import plain_text, range_text, read_number
from negoplatform.presentation.offers.preference_texts import (
    added_by_term,
    counts_with,
    value_choices,
    worth_of_issue,
    worth_of_term,
)


@dataclass(frozen=True, slots=True)
class Head:
    """What stands above what is decided about an issue.

    Args:
        title: The issue.
        detail: How many there are and what they are worth, or what fits.
        standing: How far the seats are, in words; empty before anybody has spoken.
        how_far: The same as a value.
        problem: Why what was typed does not fit, in a sentence; empty otherwise.
    """

    title: str
    detail: str
    standing: str = ""
    how_far: Progress = Progress.OPEN
    problem: str = ""


@dataclass(frozen=True, slots=True)
class QuantityRow:
    """A quantity issue in the builder: units per seat, the participant's own first, and undecided ones."""

    issue: QuantityIssue
    head: Head
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
    head: Head
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
    head: Head
    text: str
    number: Number | None
    unit: str
    worth: str


Row = QuantityRow | ChoiceRow | NumberRow


def builder_rows(
    state: State, seat: Seat, names: Mapping[Seat, str], draft: Draft, say: Language
) -> tuple[Row, ...]:
    """The rows as the one in a seat sees them, in the game's order."""
    place = _Place(state, seat, names, draft, progress(state), say)
    return tuple(place.row(issue) for issue in state.game.issues)


@dataclass(frozen=True, slots=True)
class _Place:
    """Whose draft it is, and where: makes the rows."""

    state: State
    seat: Seat
    names: Mapping[Seat, str]
    draft: Draft
    how_far: Mapping[str, Progress]
    say: Language

    def row(self, issue: Issue) -> Row:
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
        available = self.say.count("{n} available", "{n} available", issue.quantity)
        worth = worth_of_issue(issue, self._mine, self.say).text
        allocation = self.draft.allocation(issue)
        units = [(seat, self.names[seat], allocation.of(seat)) for seat in self.state.game.others(self.seat)]
        return QuantityRow(
            issue,
            self._head(issue, available, worth),
            ((self.seat, self.say("You"), allocation.of(self.seat)), *units),
            allocation.undecided,
        )

    def _choice(self, issue: CategoricalIssue) -> ChoiceRow:
        value = self.draft.value(issue)
        return ChoiceRow(
            issue,
            self._head(issue),
            choices=value_choices(issue, self._mine, self.say),
            values=tuple(shown(value, self.say) for value in issue.values),
            worths=tuple(added_by_term(issue, value, self._mine, self.say) for value in issue.values),
            chosen=None if value is None else issue.values.index(value),
        )

    def _number(self, issue: NumberIssue) -> NumberRow:
        value, typed = self.draft.number(issue), self.draft.typed(issue)
        problem = read_number(typed, issue, self.say).problem
        return NumberRow(
            issue,
            self._head(issue, range_text(issue, self.say), problem=problem),
            text=typed if value is None else self.say.number(plain_text(value)),
            number=value,
            unit=shown(issue.unit, self.say),
            worth="" if value is None else worth_of_term(issue, value, self._mine, self.say),
        )

    def _head(self, issue: Issue, *details: str, problem: str = "") -> Head:
        partners = counts_with(issue, self.state.game, self._mine, self.say)
        more = self.say("also counts together with {issues}", issues=partners) if partners else ""
        detail = " · ".join(part for part in (*details, more) if part)
        how_far, terms = self.how_far[issue.name], board_of(self.state).terms(issue.name)
        # What is the same for both is said beside a draft that leaves it so; the tracker says it in any case.
        left_so = self.draft.offer.get(issue.name) in terms.values()
        spoken = len(terms) > 0 and (left_so or how_far in (Progress.OPEN, Progress.DIFFER))
        return Head(
            title=shown(issue.title, self.say),
            detail=drawable(detail[:1].upper() + detail[1:]),
            standing=self.say(PROGRESS_WORDS[how_far]) if spoken else "",
            how_far=how_far,
            problem=drawable(problem),
        )
