"""View of the participant's window at one moment: plain values, without Tk."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Generic, Literal

from negoplatform.core.events import Expression
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.assistant_texts import PlanItem
from negoplatform.presentation.chat.address_view import AddressView
from negoplatform.presentation.chat.phrases import PhrasesView
from negoplatform.presentation.face_mood import ShownFace
from negoplatform.presentation.game_words import GameWords
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import join_names
from negoplatform.presentation.offers.issue_valuation_texts import Priorities
from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.presentation.plots.seat_styles import SeatMark
from negoplatform.presentation.table.work_presenter import IssueReasons, WorkT, WorkT_co

Gaze = Literal["ahead", "line", "card"]
"""Direction of a face's eyes: ahead, to the line that the participant types, or to their newest offer."""


@dataclass(frozen=True, slots=True)
class HeaderView:
    """View of the bar at the top.

    Args:
        title: Title of the game.
        subtitle: Names of the other side and, in games with roles, the participant's role.
        clock: Remaining time, as on a clock.
        clock_words: Label of the clock.
        left: Remaining share of the time, 0 to 1; None without a limit.
        urgent: Whether the last minute is running.
        points: Points of the offer on the table or of the result, as a plain number; empty if there are none.
        points_words: Label of the points.
        compared: Value of no deal, and the comparison of the offer or result with it.
        versus: The comparison as a value.
        colours_points: Whether it is about the points themselves, and colours them too.
        can_walk_away: Whether the participant can walk away.
    """

    title: str
    subtitle: str
    clock: str
    clock_words: str
    left: float | None
    urgent: bool = False
    points: str = ""
    points_words: str = ""
    compared: str = ""
    versus: NoDealComparison = NoDealComparison.OPEN
    colours_points: bool = True
    can_walk_away: bool = False


@dataclass(frozen=True, slots=True)
class OtherView:
    """View of another seat.

    Args:
        seat: The seat.
        name: Display name.
        expression: Current expression, or else the mood.
        expression_text: The expression in words.
        activity: Current activity in words; empty if none is visible.
        role: Its role in the game, and whether it is of the participant's team; empty without either.
        typing: Whether they are typing.
        intensity: How strongly the expression shows, 0 to 1.
        gaze: Direction of the eyes.
        accepted: Whether they have accepted the offer on the table.
        priorities: What matters to them; None unless the game makes it public.
        mark: Mark by which the seat is told apart; None where there is only one other.
    """

    seat: Seat
    name: str
    expression: Expression
    expression_text: str
    activity: str
    role: str = ""
    typing: bool = False
    intensity: float = 1.0
    gaze: Gaze = "ahead"
    accepted: bool = False
    priorities: Priorities | None = None
    mark: SeatMark | None = None

    @property
    def face(self) -> ShownFace:
        """The face that is drawn."""
        return ShownFace(self.expression, self.intensity)


@dataclass(frozen=True, slots=True)
class RulesView:
    """Page of rules.

    Args:
        title: Title of the page.
        subtitle: Line below the title.
        sections: Headings with their paragraphs, in the order of a single column.
        issues: Reasons for each issue, below the last paragraph of a section.
        issues_section: Index of that section.
        second_column: Indices of the sections that are in the second of two columns; empty: the last half.
    """

    title: str
    subtitle: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    issues: tuple[IssueReasons, ...] = ()
    issues_section: int = -1
    second_column: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultView:
    """View of the result.

    Args:
        heading: Kind of ending.
        rows: Rows of the deal, if there is one: issue, terms, and the participant's points.
        points: The participant's points in words; empty if unknown.
        compared: Comparison with no deal; empty if there is nothing to compare.
        better: 1 if the points are more than without a deal, 0 if as many, -1 if fewer.
        share: The points as a share, 0 to 1, of the best outcome; None if unknown.
        no_deal_share: Value of no deal as such a share.
        facts: Further facts: pairs of texts.
        left_on_table: Whether another deal would have been better for both, in words; empty if not revealed.
        left_on_table_rows: That deal, as pairs of issue and terms.
        advice: What happens next.
    """

    heading: str
    rows: tuple[tuple[str, str, str], ...]
    points: str
    advice: str
    share: float | None = None
    no_deal_share: float | None = None
    facts: tuple[tuple[str, str], ...] = ()
    compared: str = ""
    better: int = 0
    left_on_table: str = ""
    left_on_table_rows: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TableView(Generic[WorkT_co]):
    """View of the whole window at one moment, except for the transcript's entries.

    ``last_speaker`` is the other seat that spoke last; ``address`` is None where there is only one other;
    ``work`` is what the game's mechanism shows besides, ``coach`` the checklist of a coach.
    """

    header: HeaderView
    others: tuple[OtherView, ...]
    last_speaker: Seat
    my_expression: Expression
    expression_until: float | None
    can_express: bool
    can_talk: bool
    address: AddressView | None
    talk_hint: str
    talk_note: str
    phrases: PhrasesView
    work: WorkT_co
    end: ResultView | None
    coach: tuple[PlanItem, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkState:
    """State of the window's connection to its session in another process.

    Args:
        is_lost: Whether it is lost.
        reason: A sentence for the experimenter; empty: none.
    """

    is_lost: bool = False
    reason: str = ""


def watched(view: TableView[WorkT], note: str) -> TableView[WorkT]:
    """Return the view for a table at which another acts: readable, with everything disabled.

    ``note`` is the sentence below the message field.
    """
    return replace(
        view,
        header=replace(view.header, can_walk_away=False),
        can_express=False,
        can_talk=False,
        address=None if view.address is None else replace(view.address, can_choose=False),
        talk_hint="",
        talk_note=note,
        phrases=replace(view.phrases, can_talk=False),
        work=view.work.disabled(),
    )


def paused(view: TableView[WorkT], translate: Language) -> TableView[WorkT]:
    """Return the view for a frozen session: readable, with everything disabled."""
    view = watched(view, "")
    return replace(view, header=replace(view.header, clock_words=translate("paused"), urgent=False))


def held_while_reading(view: TableView[WorkT], translate: Language) -> TableView[WorkT]:
    """Return the view for a session that is paused while the participant reads."""
    return replace(view, header=replace(view.header, clock_words=translate("clock stopped"), urgent=False))


def without_absent(view: TableView[WorkT], absent: Collection[Seat], translate: Language) -> TableView[WorkT]:
    """Return the view while the connections of some of the others are lost."""
    if not absent:
        return view
    others = tuple(
        replace(other, activity=translate("has lost the connection"), typing=False)
        if other.seat in absent
        else other
        for other in view.others
    )
    return replace(view, others=others)


def absence_note(absent: Collection[Seat], names: Mapping[Seat, str], translate: Language) -> str:
    """Return the sentence about others whose connections are lost; empty if there are none."""
    lost = [name for seat, name in names.items() if seat in absent]
    if not lost:
        return ""
    if len(lost) == 1:
        return translate(
            "{name} has lost the connection. You can go on: everything arrives once the connection "
            "is restored.",
            name=lost[0],
        )
    return translate(
        "{names} have lost the connection. You can go on: everything arrives once the connection "
        "is restored.",
        names=join_names(lost, translate),
    )


def with_author_feedback(view: TableView[WorkT], failure: str, translate: Language) -> TableView[WorkT]:
    """Return the view for an agent's author: the end adds the last failure and how to continue."""
    if view.end is None:
        return view
    then = translate("Play again starts the next game with whatever is saved by then.")
    return replace(view, end=replace(view.end, advice=f"{failure}\n{then}" if failure else then))


def stopped(view: TableView[WorkT], trouble: str, words: GameWords, translate: Language) -> TableView[WorkT]:
    """Return the view for a session that had to stop: the reason, with everything disabled."""
    return replace(
        view,
        header=replace(view.header, clock_words=translate(words.stopped), urgent=False, can_walk_away=False),
        can_talk=False,
        address=None if view.address is None else replace(view.address, can_choose=False),
        talk_hint="",
        talk_note="",
        can_express=False,
        phrases=replace(view.phrases, can_talk=False),
        end=ResultView(
            heading=translate("The session had to stop"), rows=(), points="", advice=translate(trouble)
        ),
    )
