"""What the participant's window shows, as plain values computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.core.events import EndedBy, Event, EventType, Expression
from negoplatform.core.mechanisms.bargaining import bargaining, why_not_accept
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import Phase, State
from negoplatform.core.visibility import View
from negoplatform.domain.board import Standing
from negoplatform.domain.game import Visibility
from negoplatform.domain.issue import CategoricalIssue, Issue, QuantityIssue
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import Seat
from negoplatform.gui.draft import Draft
from negoplatform.gui.texts import (
    LOOKS,
    STANDING_WORDS,
    clock_text,
    drawable,
    ending_heading,
    event_text,
    no_deal_text,
    offer_rows,
    points_text,
    short,
    value_choices,
    worth_of_issue,
)

URGENT_SECONDS = 60
"""With so much time left the clock says so in colour and in words."""

LONGEST_NAME = 20
"""Characters of a name that are shown; it stands on buttons."""


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
        kind: ``mine``, ``theirs``, ``offer``, ``note`` or ``refusal``.
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


Row = QuantityRow | ChoiceRow


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
    can_edit: bool


@dataclass(frozen=True, slots=True)
class EndView:
    """The end: heading, the deal if there is one, and own points."""

    heading: str
    rows: tuple[tuple[str, str], ...]
    points: str
    advice: str


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that the window shows at one moment."""

    status: StatusView
    other: OtherView
    story: str
    priorities: tuple[tuple[str, str], ...]
    who_sees_priorities: str
    their_priorities: tuple[tuple[str, str], ...]
    my_expression: Expression
    can_express: bool
    can_talk: bool
    talk_hint: str
    builder: BuilderView
    accept: AcceptView
    end: EndView | None


class Desk:
    """What the participant's place knows: their seat and the others' names. Computes views, keeps nothing.

    Args:
        seat: The participant's seat.
        names: The names of the other seats.
    """

    def __init__(self, seat: Seat, names: Mapping[Seat, str]) -> None:
        self.seat = seat
        self.names = {who: short(drawable(name), LONGEST_NAME) for who, name in names.items()}

    def view(self, view: View, now: float, draft: Draft, *, finished: bool = False) -> TableView:
        """Everything that is shown at session time ``now`` (s)."""
        state = view.state
        game, mine = state.game, state.game.preferences[self.seat]
        running = state.phase is Phase.NEGOTIATING
        shown = state.presence[self.seat]
        said = shown.last_words
        can_talk = running or (
            not finished and EventType.SEND_MESSAGE not in said and state.phase is Phase.CLOSING
        )
        return TableView(
            status=self._status(state, now, draft),
            other=self._other(state, now),
            story=drawable(f"{game.stories.get(self.seat, '')} {no_deal_text(mine)}".strip()),
            priorities=tuple((drawable(issue.title), worth_of_issue(issue, mine)) for issue in game.issues),
            their_priorities=self._their_priorities(state),
            who_sees_priorities=(
                "The other side can see this too"
                if game.visibility.get(self.seat) is Visibility.PUBLIC
                else "Only you can see this"
            ),
            my_expression=shown.expression if now < shown.expression_until else Expression.NEUTRAL,
            can_express=running
            or (not finished and EventType.SEND_EXPRESSION not in said and state.phase is Phase.CLOSING),
            can_talk=can_talk,
            talk_hint=self._talk_hint(running, can_talk),
            builder=self._builder(state, now, draft),
            accept=self._accept(state, now),
            end=self._end(state, finished),
        )

    def _their_priorities(self, state: State) -> tuple[tuple[str, str], ...]:
        """What matters to the other side, where the game shows it."""
        theirs = state.game.preferences.get(state.game.others(self.seat)[0])
        if theirs is None:
            return ()
        return tuple((drawable(issue.title), worth_of_issue(issue, theirs)) for issue in state.game.issues)

    def _talk_hint(self, running: bool, can_talk: bool) -> str:
        if running:
            return f"Write to {self._others()} and press Enter"
        return "You may say one last thing in the next seconds" if can_talk else ""

    def lines(self, state: State, events: list[Event]) -> list[Line]:
        """The transcript's lines for some events."""
        return [line for event in events if (line := self._line(state, event)) is not None]

    def _line(self, state: State, event: Event) -> Line | None:
        text = event_text(event, self.seat, self.names)
        if not text:
            return None
        mine = event.sender == self.seat
        who = "You" if mine else self.names.get(event.sender, "")
        match event.type:
            case EventType.SEND_MESSAGE:
                return Line("mine" if mine else "theirs", who, text)
            case EventType.SEND_OFFER:
                offer = event.get_offer()
                points = state.game.preferences[self.seat].utility(offer)
                footer = f"{points_text(points)} for you"
                if state.game.preferences[self.seat].time_cost is not None:
                    footer += " before time costs"
                if not state.game.is_complete(offer):
                    footer += ", partial offer"
                rows = offer_rows(offer, state.game, self.seat, self.names)
                return Line("offer_mine" if mine else "offer_theirs", who, text, rows, footer)
            case EventType.ACTION_REFUSED:
                return Line("refusal", "", text)
            case _:
                return Line("note", "", text)

    def _status(self, state: State, now: float, draft: Draft) -> StatusView:
        game, mine = state.game, state.game.preferences[self.seat]
        deadline = game.rules.deadline_seconds
        ended = state.ended_at is not None
        at = now if state.ended_at is None else state.ended_at
        left = None if deadline is None else max(0.0, deadline - at)
        urgent = left is not None and left <= URGENT_SECONDS and not ended
        points, words = self._worth_on_table(state, at)
        cost = mine.cost_at(at)
        return StatusView(
            title=drawable(game.title),
            subtitle=f"You negotiate with {self._others()}",
            clock=clock_text(left),
            clock_words="negotiation ended" if ended else "hurry: time left" if urgent else "time left",
            urgent=urgent,
            table_points=points,
            table_words=words,
            draft_points=points_text(mine.utility(draft.offer) - cost) if draft.offer.terms else "empty",
            no_deal=points_text(mine.reservation_value - cost),
            worse=self._accept(state, at).worse_than_no_deal,
            can_walk_away=state.phase is Phase.NEGOTIATING,
        )

    def _worth_on_table(self, state: State, at: float) -> tuple[str, str]:
        """Own points of the offer on the table, or of the result, and which of the two it is."""
        result = mechanism_of(state.game.mechanism).points(state, self.seat)
        if result is not None:
            return points_text(result), "your result"
        mine, on_table = state.game.preferences[self.seat], bargaining(state).on_table
        if on_table is None or state.ending is not None:
            return "no offer yet" if state.ending is None else "no result", "offer on the table, for you"
        return points_text(mine.utility(on_table.offer) - mine.cost_at(at)), "offer on the table, for you"

    def _other(self, state: State, now: float) -> OtherView:
        seat = state.game.others(self.seat)[0]
        shown = state.presence[seat]
        expression = shown.expression if now < shown.expression_until else Expression.NEUTRAL
        doing = ""
        if now < shown.typing_until:
            doing = "is typing …"
        elif now < shown.drafting_until:
            doing = "is building an offer …"
        return OtherView(self.names[seat], expression, LOOKS[expression], doing)

    def _builder(self, state: State, now: float, draft: Draft) -> BuilderView:
        mine = state.game.preferences[self.seat]
        running = state.phase is Phase.NEGOTIATING
        worth = mine.utility(draft.offer) - mine.cost_at(now)
        against = worth - (mine.reservation_value - mine.cost_at(now))
        open_things = draft.undecided
        if not draft.offer.terms:
            note = "Nothing decided yet."
        elif open_things:
            note = f"{open_things} still undecided; what is undecided counts 0."
        else:
            note = f"Complete offer, {against:+g} compared with no deal."
        return BuilderView(
            rows=tuple(self._row(state, issue, draft) for issue in state.game.issues),
            worth=points_text(worth) if draft.offer.terms else "–",
            note=note,
            can_send=running and bool(draft.offer.terms),
            can_edit=running,
        )

    def _row(self, state: State, issue: Issue, draft: Draft) -> Row:
        mine = state.game.preferences[self.seat]
        board = bargaining(state).board
        standing = board.standing(issue.name)
        spoken = len(board.terms(issue.name)) > 0
        words = STANDING_WORDS[standing] if spoken or standing is not Standing.OPEN else ""
        if isinstance(issue, CategoricalIssue):
            value = draft.value(issue)
            chosen = None if value is None else issue.values.index(value)
            return ChoiceRow(issue, drawable(issue.title), "", words, value_choices(issue, mine), chosen)
        allocation = draft.allocation(issue)
        seats = (self.seat, *state.game.others(self.seat))
        units = tuple(
            (seat, "You" if seat == self.seat else self.names[seat], allocation.of(seat)) for seat in seats
        )
        detail = f"{issue.quantity} available, {worth_of_issue(issue, mine)}"
        return QuantityRow(issue, drawable(issue.title), detail, words, units, allocation.undecided)

    def _accept(self, state: State, now: float) -> AcceptView:
        play, mine = bargaining(state), state.game.preferences[self.seat]
        on_table = play.on_table
        if state.phase is not Phase.NEGOTIATING or on_table is None:
            return AcceptView(
                None, "Accept offer", "There is no offer to accept yet." if on_table is None else ""
            )
        points = mine.utility(on_table.offer) - mine.cost_at(now)
        if self.seat in play.accepted_by:
            return AcceptView(
                None, "You accepted this offer", f"Waiting for {self._others()} to accept it too."
            )
        whose = "your own offer" if on_table.sender == self.seat else f"{self.names[on_table.sender]}’s offer"
        everyone_else = set(play.accepted_by) == set(state.game.others(self.seat))
        text = f"{'Confirm the deal' if everyone_else else f'Accept {whose}'} ({points_text(points)})"
        reason = why_not_accept(state, self.seat, on_table.offer_id)
        if reason:
            return AcceptView(None, text, reason)
        return AcceptView(
            offer_id=on_table.offer_id,
            text=text,
            hint=self._hint(play.accepted_by),
            rows=offer_rows(on_table.offer, state.game, self.seat, self.names),
            points=points,
            no_deal=mine.reservation_value - mine.cost_at(now),
            closes=everyone_else,
        )

    def _hint(self, accepted_by: tuple[Seat, ...]) -> str:
        others = [self.names[seat] for seat in accepted_by if seat != self.seat]
        if others:
            return f"{' and '.join(others)} accepted it; once you do too, it is a deal."
        return "A deal binds once everyone has accepted the same offer."

    def _end(self, state: State, finished: bool) -> EndView | None:
        if state.ending is None:
            return None
        deal = state.ending.deal
        points = mechanism_of(state.game.mechanism).points(state, self.seat)
        advice = (
            "Everything is saved. You can close this window." if finished else "You may still say goodbye."
        )
        if state.ending.ended_by in (EndedBy.ABORTED, EndedBy.AGENT_FAILURE) and state.ending.reason:
            advice = f"{state.ending.reason} {advice}"
        return EndView(
            heading=ending_heading(state.ending, self.seat),
            rows=offer_rows(deal, state.game, self.seat, self.names) if isinstance(deal, Offer) else (),
            points="" if points is None else f"You get {points_text(points)}.",
            advice=advice,
        )

    def _others(self) -> str:
        return " and ".join(name for seat, name in self.names.items() if seat != self.seat)
