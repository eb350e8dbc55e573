"""The participant's place at the table: computes what its window shows, without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.core.events import Announced, EndedBy, Event, EventType, Expression
from negoplatform.core.mechanisms.bargaining import bargaining, board_of, why_not_accept
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import Phase, State
from negoplatform.core.visibility import View
from negoplatform.domain.board import Standing
from negoplatform.domain.game import GameSpec, Preferences, Visibility
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import Seat
from negoplatform.gui.draft import Draft
from negoplatform.gui.numbers import plain_text, range_text, read_number
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
    role,
    short,
    signed,
)
from negoplatform.gui.view import (
    AcceptView,
    BuilderView,
    ChoiceRow,
    EndView,
    Line,
    NumberRow,
    OtherView,
    Priorities,
    QuantityRow,
    Row,
    StatusView,
    TableView,
)
from negoplatform.gui.worth import (
    added_together,
    counts_with,
    together_lines,
    value_choices,
    worth_of_issue,
    worth_of_term,
)

URGENT_SECONDS = 60
"""With so much time left the clock says so in colour and in words."""

LONGEST_NAME = 20
"""Characters of a name that are shown; it stands on buttons."""

NO_ROLES = ("human", "agent")
"""Seats whose names say who sits there, not which role they play."""


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
            priorities=_priorities(game, mine),
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

    def _their_priorities(self, state: State) -> Priorities | None:
        """What matters to the other side, where the game shows it."""
        theirs = state.game.preferences.get(state.game.others(self.seat)[0])
        return None if theirs is None else _priorities(state.game, theirs)

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
            case _ if isinstance(event.payload, Announced):
                return Line("announcement", "", text)
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
            subtitle=self._subtitle(),
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
        return BuilderView(
            rows=tuple(self._row(state, issue, draft) for issue in state.game.issues),
            worth=points_text(worth) if draft.offer.terms else "–",
            note=self._builder_note(draft, mine),
            can_send=running and draft.ready,
            can_clear=running and bool(draft.offer.terms or draft.unfit),
            can_edit=running,
        )

    def _builder_note(self, draft: Draft, mine: Preferences) -> str:
        points, together = mine.utility(draft.offer), added_together(draft.offer, mine)
        if draft.unfit:
            titles = " and ".join(drawable(draft.game.issue(name).title) for name, _ in draft.unfit)
            return f"Nothing can be sent until {titles} is clear."
        if not draft.offer.terms:
            return "Nothing decided yet."
        if draft.undecided:
            return f"{draft.undecided} still undecided; what is undecided counts 0. {together}".strip()
        # Time costs lower a deal and no deal alike.
        against = signed(points - mine.reservation_value)
        return f"Complete offer, {against} compared with no deal. {together}".strip()

    def _row(self, state: State, issue: Issue, draft: Draft) -> Row:
        mine, title = state.game.preferences[self.seat], drawable(issue.title)
        partners = counts_with(issue, state.game, mine)
        more = f"counts together with {partners} too" if partners else ""
        standing = self._standing(state, issue)
        match issue:
            case QuantityIssue():
                detail = _detail(
                    f"{issue.quantity} available, {worth_of_issue(issue, mine).text}".removesuffix(", "), more
                )
                allocation = draft.allocation(issue)
                units = tuple(
                    (seat, "You" if seat == self.seat else self.names[seat], allocation.of(seat))
                    for seat in (self.seat, *state.game.others(self.seat))
                )
                return QuantityRow(issue, title, detail, standing, units, allocation.undecided)
            case CategoricalIssue():
                value = draft.value(issue)
                chosen = None if value is None else issue.values.index(value)
                return ChoiceRow(issue, title, _detail(more), standing, value_choices(issue, mine), chosen)
            case NumberIssue():
                return self._number_row(issue, draft, mine, standing, more)

    def _number_row(
        self, issue: NumberIssue, draft: Draft, mine: Preferences, standing: str, more: str
    ) -> NumberRow:
        value, typed = draft.number(issue), draft.typed(issue)
        return NumberRow(
            issue=issue,
            title=drawable(issue.title),
            detail=drawable(_detail(range_text(issue), more)),
            standing=standing,
            text=typed if value is None else plain_text(value),
            number=value,
            unit=drawable(issue.unit),
            worth="" if value is None else worth_of_term(issue, value, mine),
            problem=drawable(read_number(typed, issue).problem),
        )

    def _standing(self, state: State, issue: Issue) -> str:
        board = board_of(state)
        standing = board.standing(issue.name)
        spoken = len(board.terms(issue.name)) > 0
        return STANDING_WORDS[standing] if spoken or standing is not Standing.OPEN else ""

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

    def _subtitle(self) -> str:
        """With whom, and as whom where the game has roles."""
        if self.seat in NO_ROLES:
            return f"You negotiate with {self._others()}"
        others = " and ".join(
            f"{name} ({role(seat)})" for seat, name in self.names.items() if seat != self.seat
        )
        return f"You are the {role(self.seat)} and negotiate with {others}"


def _detail(*parts: str) -> str:
    text = "; ".join(part for part in parts if part)
    return text[:1].upper() + text[1:]


def _priorities(game: GameSpec, preferences: Preferences) -> Priorities:
    return Priorities(
        tuple(worth_of_issue(issue, preferences) for issue in game.issues),
        together_lines(game, preferences),
    )
