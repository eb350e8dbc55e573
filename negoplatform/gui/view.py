"""What the participant's window shows at one moment: plain values, nothing of Tk."""

from __future__ import annotations

from dataclasses import dataclass, replace

from negoplatform.core.events import Expression
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Number
from negoplatform.domain.seat import Seat


@dataclass(frozen=True, slots=True)
class StatusView:
    """The bar at the top."""

    title: str
    subtitle: str
    clock: str
    clock_words: str
    urgent: bool
    table_points: str
    table_words: str
    draft_points: str
    no_deal: str
    worse: bool
    can_walk_away: bool


@dataclass(frozen=True, slots=True)
class OtherView:
    """Who sits opposite."""

    name: str
    expression: Expression
    looks: str
    doing: str


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of the transcript.

    Args:
        kind: ``mine``, ``theirs``, ``offer_mine``, ``offer_theirs``, ``announcement``, ``note`` or
            ``refusal``.
        who: The name above it; empty for notes.
        text: The words.
        rows: For an offer, issue and terms.
        footer: What stands below it.
    """

    kind: str
    who: str
    text: str
    rows: tuple[tuple[str, str], ...] = ()
    footer: str = ""


@dataclass(frozen=True, slots=True)
class QuantityRow:
    """A quantity issue in the builder: units per seat and undecided ones."""

    issue: QuantityIssue
    title: str
    detail: str
    standing: str
    units: tuple[tuple[Seat, str, int], ...]
    undecided: int


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A categorical issue in the builder: its values with their points, and the index of the chosen one."""

    issue: CategoricalIssue
    title: str
    detail: str
    standing: str
    choices: tuple[str, ...]
    chosen: int | None


@dataclass(frozen=True, slots=True)
class NumberRow:
    """A number issue in the builder.

    Args:
        text: What stands in the field: the number, what was typed and does not fit, or nothing.
        number: The chosen number; None while undecided.
        unit: What it counts; may be empty.
        worth: What it is worth to the participant; empty while undecided.
        problem: Why what was typed does not fit, in a sentence; empty otherwise.
    """

    issue: NumberIssue
    title: str
    detail: str
    standing: str
    text: str
    number: Number | None
    unit: str
    worth: str
    problem: str


Row = QuantityRow | ChoiceRow | NumberRow


@dataclass(frozen=True, slots=True)
class AcceptView:
    """The button that binds, and what it binds.

    Args:
        offer_id: The offer that a click accepts; None if there is nothing to accept.
        text: The button's words.
        hint: What stands below it.
        rows: The terms, for the confirmation.
        points: What the participant would get now.
        no_deal: What no deal would give now.
        closes: Whether this acceptance is the last one that the deal needs.
    """

    offer_id: int | None
    text: str
    hint: str
    rows: tuple[tuple[str, str], ...] = ()
    points: float = 0
    no_deal: float = 0
    closes: bool = False

    @property
    def worse_than_no_deal(self) -> bool:
        """Whether walking on without a deal would pay more."""
        return self.offer_id is not None and self.points < self.no_deal


@dataclass(frozen=True, slots=True)
class BuilderView:
    """The offer builder."""

    rows: tuple[Row, ...]
    worth: str
    note: str
    can_send: bool
    can_clear: bool
    can_edit: bool


@dataclass(frozen=True, slots=True)
class EndView:
    """The end: heading, the deal if there is one, and own points."""

    heading: str
    rows: tuple[tuple[str, str], ...]
    points: str
    advice: str


@dataclass(frozen=True, slots=True)
class IssueWorth:
    """What an issue is worth to one side by itself.

    Args:
        title: The issue.
        text: Its worth in a few words; empty where levels say it.
        levels: Values or numbers with their points.
    """

    title: str
    text: str
    levels: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Priorities:
    """What matters to one side.

    Args:
        issues: What each issue is worth by itself.
        together: What goes together and what that adds, a line each.
    """

    issues: tuple[IssueWorth, ...]
    together: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that the window shows at one moment."""

    status: StatusView
    other: OtherView
    story: str
    priorities: Priorities
    who_sees_priorities: str
    their_priorities: Priorities | None
    my_expression: Expression
    can_express: bool
    can_talk: bool
    talk_hint: str
    builder: BuilderView
    accept: AcceptView
    end: EndView | None


def paused(view: TableView) -> TableView:
    """The same while the session stands still: everything can be read, and nothing can be done."""
    return replace(
        view,
        status=replace(view.status, clock_words="paused", urgent=False, can_walk_away=False),
        can_express=False,
        can_talk=False,
        talk_hint="",
        builder=replace(view.builder, can_send=False, can_clear=False, can_edit=False),
        accept=replace(view.accept, offer_id=None),
    )
