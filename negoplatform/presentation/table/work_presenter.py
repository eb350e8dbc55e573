"""Interfaces between the participant's table and what a mechanism shows at it; no Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.core.events import Event
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, Rules
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.presentation.chat.phrases import PhrasesView
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.offers.issue_valuation_texts import Priorities
from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry


class WorkView(Protocol):
    """View of what only one mechanism shows: plain values, without Tk."""

    @property
    def can_send(self) -> bool:
        """Whether what is prepared can be sent."""

    @property
    def note(self) -> str:
        """Missing parts of what is prepared, in words; empty if there is nothing to say."""

    def disabled(self) -> Self:
        """Return the view for a session that is frozen: readable, with everything disabled."""


WorkT = TypeVar("WorkT", bound=WorkView)
WorkT_co = TypeVar("WorkT_co", bound=WorkView, covariant=True)


@dataclass(frozen=True, slots=True)
class WorkClock:
    """Clock of a part of the game, in place of that of the whole game.

    Args:
        clock: Its remaining time, as on a clock.
        words: What ends with it.
        left: Its remaining share, 0 to 1; None without one.
        urgent: Whether it ends soon.
    """

    clock: str
    words: str
    left: float | None
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class HeaderWorth:
    """Points in the bar at the top.

    Args:
        points: Points of what can be had now or of the result, as a plain number; empty if there are none.
        words: Label of the points.
        compared: Comparison with no deal, in words; empty where there is nothing to compare.
        versus: The comparison as a value.
        colours_points: Whether it is about the points themselves, and colours them too.
        cost: Points that the time so far has cost; 0 in a game without time costs.
        can_walk_away: Whether the participant may walk away while the game runs.
        clock: The clock of a part of the game; None: that of the whole game is shown.
        limit: A further limit besides time, for the label of the game's own clock; empty: none.
        subtitle: The line below the title; empty: who negotiates with whom.
    """

    points: str
    words: str
    compared: str = ""
    versus: NoDealComparison = NoDealComparison.OPEN
    colours_points: bool = True
    cost: Points = 0
    can_walk_away: bool = True
    clock: WorkClock | None = None
    limit: str = ""
    subtitle: str = ""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Row of another seat, as far as the mechanism determines it.

    Args:
        accepted: Whether it has accepted the offer on the table, which is shown by a tick.
        activity: What it does in the mechanism, in words, such as that it has the turn; empty: nothing.
        priorities: What matters to it; None unless the game makes it public.
    """

    accepted: bool = False
    activity: str = ""
    priorities: Priorities | None = None


@dataclass(frozen=True, slots=True)
class WorkResult:
    """Result of a game, as far as the mechanism determines it.

    Args:
        points: The participant's points in words; empty if unknown.
        rows: Rows of the deal: what, how much, and the participant's points.
        compared: Comparison with no deal; empty if there is nothing to compare.
        better: 1 if the points are more than without a deal, 0 if as many, -1 if fewer.
        share: The points as a share, 0 to 1, of the best outcome; None if unknown.
        no_deal_share: Value of no deal as such a share; None if unknown.
        facts: Further facts: pairs of texts.
        left_on_table: Whether another deal would have been better, in words; empty if not revealed.
        left_on_table_rows: That deal, as pairs of texts.
        is_last_offer_unanswered: Whether the game ended because its last offer was not accepted in time.
    """

    points: str
    rows: tuple[tuple[str, str, str], ...] = ()
    compared: str = ""
    better: int = 0
    share: float | None = None
    no_deal_share: float | None = None
    facts: tuple[tuple[str, str], ...] = ()
    left_on_table: str = ""
    left_on_table_rows: tuple[tuple[str, str], ...] = ()
    is_last_offer_unanswered: bool = False


@dataclass(frozen=True, slots=True)
class IssueReasons:
    """Reasons why an issue matters to the participant.

    Args:
        title: Title of the issue.
        points: Its worth in a few words; empty if it has no worth by itself.
        reasons: The reasons, in one paragraph; empty without any.
        picture: Name of the issue's picture; empty without one.
    """

    title: str
    points: str
    reasons: str
    picture: str = ""


@dataclass(frozen=True, slots=True)
class WorkRules:
    """Sentences of a mechanism on the page of rules.

    Args:
        how: How people act besides talking.
        ends_when: How a result comes about, before the sentence about the time limit.
        without: What there is without a result, after that sentence.
        who_sees: Who sees what.
        matters: What matters to the participant, in paragraphs.
        issues: What matters to the participant, issue by issue, with the reasons.
        has_own_clock: Whether ``ends_when`` says how long the game takes, so that the table does not.
        subtitle: The line below the title; empty: who negotiates with whom.
        who_heading: Heading of who is there; empty: that of negotiations.
        how_heading: Heading of ``how``; empty: that of negotiations.
    """

    how: tuple[str, ...]
    ends_when: tuple[str, ...]
    without: tuple[str, ...]
    who_sees: tuple[str, ...]
    matters: tuple[str, ...] = ()
    issues: tuple[IssueReasons, ...] = ()
    has_own_clock: bool = False
    subtitle: str = ""
    who_heading: str = ""
    how_heading: str = ""


@dataclass(frozen=True, slots=True)
class WorkHelp:
    """Sentences of a mechanism on the help page.

    Args:
        places: What is where in the window, in its order.
        reading: What the program does with typed words; empty where it only sends them.
        sections: Headings with paragraphs about how to act.
        ends: How the game ends.
        recorded: What is saved.
        seen: What the others see.
        for_everyone: What is always for everyone, where messages may be for some.
        keys: Keys of the right-hand column; empty: none of its own.
    """

    places: tuple[str, ...]
    reading: tuple[str, ...]
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    ends: tuple[str, ...]
    recorded: str
    seen: str
    for_everyone: str
    keys: tuple[str, ...] = ()


class WorkPresenter(Protocol):
    """Presenter of one mechanism for one seat; it stores nothing but seat, names and language.

    States are as visible to the seat; times are session times in seconds.
    """

    def header(self, state: State, at: float) -> HeaderWorth:
        """Return the points in the bar at the top; ``at``: now, or the end of the game."""

    def time_key(self, state: State, now: float) -> tuple[object, ...]:
        """Return the time-dependent parts of the views; while they are equal, no update is needed."""

    def walk_away_question(self, state: State, now: float) -> ConfirmationQuestion:
        """Return the question before walking away, with what it would give now."""

    def phrases(self, state: State, now: float, *, can_talk: bool) -> PhrasesView:
        """Return the menu of phrases."""

    def talk_note(self, state: State) -> str:
        """Return a sentence below the message field; empty: none."""

    def seat_row(self, state: State, seat: Seat) -> SeatRow:
        """Return what is shown of another seat."""

    def transcript_entries(self, state: State, event: Event, /) -> Sequence[TranscriptEntry]:
        """Return the transcript's entries of an act or a fact of the mechanism.

        Events that every game knows, and offers, have entries already; for them, there are none. Entries of a
        fact with words take the place of these; a single entry without text leaves no line.
        """

    def result(self, state: State, improvement: ParetoImprovement | None) -> WorkResult:
        """Return what is shown of the result of a game that has ended.

        ``improvement``: possible improvement by another deal, if the game reveals it.
        """

    def rules(self, game: GameSpec) -> WorkRules:
        """Return the sentences on the page of rules; ``game`` as visible to the seat."""


USUAL_RULES = Rules()
"""Rules of a game whose file sets none."""


class WorkPresenterFactory(Protocol):
    """The class of a mechanism's presenter."""

    def __call__(self, seat: Seat, names: Mapping[Seat, str], translate: Language, /) -> WorkPresenter:
        """Return the presenter for a seat.

        ``names``: displayed names of the other seats, in the game's order.
        """

    def help(self, translate: Language, *, several: bool = False, rules: Rules = USUAL_RULES) -> WorkHelp:
        """Return the sentences on the help page.

        ``several``: whether there are several others; ``rules``: the game's.
        """
