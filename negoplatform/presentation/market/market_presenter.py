"""Presenter of a market for one seat: its part of the table's views, without Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.double_auction_state import DecisionMade, double_auction_state, market_terms
from negoplatform.core.mechanisms.market_books import book_place, minor_of
from negoplatform.core.mechanisms.market_checks import deciders
from negoplatform.core.mechanisms.market_phase_facts import (
    CONDITION_REALISED,
    DECISIONS_MADE,
    PERIOD_RESULT,
    PHASE_TRANSITION,
)
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.chat.phrases import SMALL_TALK_GROUP, PhrasesView, common_groups
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.market.account_view import AccountView, account_view
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.market.market_draft import MarketDraft
from negoplatform.presentation.market.market_result import market_result, period_rows
from negoplatform.presentation.market.market_rules import market_help, market_rules, market_subtitle
from negoplatform.presentation.market.order_book_view import OrderBookView, order_book_view, shown_books
from negoplatform.presentation.market.order_outcomes import OrderOutcomes
from negoplatform.presentation.market.phase_rule_texts import phase_rule_text
from negoplatform.presentation.market.phase_view import (
    DecisionView,
    PhaseView,
    asked_fields,
    decision_text,
    decision_view,
    phase_begins_text,
    phase_view,
)
from negoplatform.presentation.market.ticket_view import NO_NOTICE, Notice, TicketPresenter, TicketView
from negoplatform.presentation.market.trades_view import (
    PriceChartView,
    TapeRow,
    is_trading,
    price_chart_view,
    tape_rows,
)
from negoplatform.presentation.market.unit_worths import gain_so_far
from negoplatform.presentation.table.work_presenter import (
    HeaderWorth,
    SeatRow,
    WorkClock,
    WorkResult,
    WorkRules,
)
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry


@dataclass(frozen=True, slots=True)
class MarketPanelsView:
    """View of a market.

    Args:
        phase: The phase and its clock.
        account: Money, units, worths and own orders.
        book: The order book that is shown.
        ticket: The order that is prepared.
        decision: The form of a phase with decisions; None in one with trade.
        tape: The trades, the newest first.
        chart: The trades over time.
    """

    phase: PhaseView
    account: AccountView
    book: OrderBookView
    ticket: TicketView
    decision: DecisionView | None
    tape: tuple[TapeRow, ...]
    chart: PriceChartView

    @property
    def can_send(self) -> bool:
        """Whether what is prepared can be sent."""
        if self.decision is not None:
            return self.decision.action is not None
        return bool(self.ticket.place.actions)

    @property
    def note(self) -> str:
        """Missing part of what is prepared, in words."""
        return self.ticket.problem if self.decision is None else self.decision.missing

    def disabled(self) -> Self:
        """Return the view for a session that is frozen: readable, with everything disabled."""
        return replace(
            self,
            account=replace(self.account, can_cancel=False),
            ticket=self.ticket.disabled(),
            decision=None if self.decision is None else self.decision.disabled(),
        )


class MarketPresenter:
    """Presenter of a market for one seat.

    Args:
        seat: Seat of the participant.
        names: Displayed names of the other seats, in the game's order.
        translate: Translation into the window's language.
    """

    def __init__(self, seat: Seat, names: Mapping[Seat, str], translate: Language) -> None:
        self._seat, self._names = seat, names
        self.translate = self._translate = translate
        """Translation into the window's language."""

    help = staticmethod(market_help)

    def view(
        self,
        state: State,
        now: float,
        draft: MarketDraft,
        *,
        notice: Notice = NO_NOTICE,
        decision_refusal: str = "",
    ) -> MarketPanelsView:
        """Return the view at a session time in seconds.

        Args:
            state: The state as the seat sees it.
            now: The session time.
            draft: What the participant has prepared.
            notice: What became of the last order.
            decision_refusal: Why the last decision was refused; empty if it was not.
        """
        seat, names, translate = self._seat, self._names, self._translate
        amounts, trading = self._amounts(state.game), is_trading(state) and not self._has_left(state)
        book = shown_book(state, draft)
        ticket = TicketPresenter(state, seat, book, draft.tickets[book], amounts, translate)
        account = account_view(state, seat, book, amounts, translate, can_trade=trading)
        return MarketPanelsView(
            phase=phase_view(state, now, translate),
            account=account,
            book=order_book_view(state, seat, names, book, amounts, translate, is_open=trading),
            ticket=_with_advice(ticket.view(notice, is_open=trading), account),
            decision=decision_view(
                state,
                seat,
                names,
                draft,
                translate,
                refused=decision_refusal,
                results=[row[:2] for row in period_rows(state, seat, amounts, translate, fewest=1)],
            ),
            tape=tape_rows(state, seat, names, book, amounts, translate),
            chart=price_chart_view(state, seat, names, book, amounts, translate),
        )

    def outcomes(self, game: GameSpec) -> OrderOutcomes:
        """Return a new reader of what becomes of the participant's orders."""
        return OrderOutcomes(self._seat, game, self._amounts(game), self._translate)

    # What every mechanism has

    def header(self, state: State, at: float) -> HeaderWorth:
        """Return what has been gained, the money, and the clock of the phase."""
        translate, amounts = self._translate, self._amounts(state.game)
        gained = gain_so_far(state, self._seat)
        account = double_auction_state(state).accounts[self._seat]
        books = shown_books(state.game, double_auction_state(state).realised)
        held = {account.money[book_place(state.game, book)[0]] for book in books}
        # Where it depends on the condition that will hold, the account says so.
        money = translate("Money: {amount}", amount=amounts.text(held.pop())) if len(held) == 1 else ""
        phase = phase_view(state, at, translate)
        clock = WorkClock(phase.clock, phase.title, phase.left, phase.urgent) if phase.clock else None
        if gained is None:
            return HeaderWorth(
                "",
                money,
                can_walk_away=not self._has_left(state),
                clock=clock,
                subtitle=market_subtitle(state.game, self._seat, translate),
            )
        return HeaderWorth(
            amounts.text(gained),
            translate("gained so far") if state.ending is None else translate("gained – your result"),
            compared=money,
            can_walk_away=not self._has_left(state),
            clock=clock,
            subtitle=market_subtitle(state.game, self._seat, translate),
        )

    def time_key(self, state: State, now: float) -> tuple[object, ...]:
        """Return the clock of the phase, as it is displayed."""
        phase = phase_view(state, now, self._translate)
        return phase.clock, phase.urgent

    def walk_away_question(self, state: State, now: float) -> ConfirmationQuestion:  # noqa: ARG002 - as every game's
        """Return the question before leaving the market."""
        translate = self._translate
        several = len(state.game.seats) - len(double_auction_state(state).left) > 2
        return ConfirmationQuestion(
            title=translate("Leave the market?"),
            text=translate(
                "Your orders are cancelled, and you can’t trade any more. You keep what you have, and the "
                "market goes on without you."
            )
            if several
            else translate("The market ends at once, for both sides. You keep what you have."),
            yes_label=translate("Leave the market"),
            no_label=translate("Stay"),
            style="Danger.TButton",
        )

    def phrases(self, state: State, now: float, *, can_talk: bool) -> PhrasesView:  # noqa: ARG002 - as every game's
        """Return the menu of phrases: those that are not about offers."""
        groups = common_groups(self._translate, trades=True)
        kept = tuple(group for group in groups if group.name == SMALL_TALK_GROUP)
        return PhrasesView(kept, (), None, can_talk)

    def talk_note(self, state: State) -> str:  # noqa: ARG002 - as every game's
        """Return an empty text: it is plain that words trade nothing."""
        return ""

    def seat_row(self, state: State, seat: Seat) -> SeatRow:
        """Return whether a seat decides now, or has left."""
        translate = self._translate
        if seat in double_auction_state(state).left:
            return SeatRow(activity=translate("has left"))
        if seat in deciders(state) and state.ending is None:
            return SeatRow(activity=translate("decides now"))
        return SeatRow()

    def transcript_entries(self, state: State, event: Event, /) -> Sequence[TranscriptEntry]:
        """Return the entries of phases, decisions, results and facts of rules, in the window's language."""
        translate, kind = self._translate, "note"
        if event.type == EventType.GAME_START:
            text = translate("The market game starts")
        elif event.type == PHASE_TRANSITION:
            text, kind = phase_begins_text(state.game, event.data["phase"], translate), "announcement"
        elif event.type == DECISIONS_MADE:
            text, kind = translate("The decisions are made."), "announcement"
        elif isinstance(event.payload, DecisionMade) and event.sender == self._seat:
            text = self._decision_text(state, event)
        elif event.type == PERIOD_RESULT:
            text = self._period_text(state.game, event.data["period"], event.data["gain"])
        else:
            earlier = (each for each in state.iter_transcript_backwards(self._seat) if each.seq < event.seq)
            text, kind = (
                phase_rule_text(event, state.game, self._seat, self._names, translate, earlier=earlier),
                "announcement",
            )
            if not text:
                return ()
        return (TranscriptEntry(kind, "", text, seq=event.seq, t=event.t),)

    def result(self, state: State, improvement: ParetoImprovement | None) -> WorkResult:  # noqa: ARG002 - of deals
        """Return the gain, by period, and what was traded."""
        return market_result(state, self._seat, self._amounts(state.game), self._translate)

    def rules(self, game: GameSpec) -> WorkRules:
        """Return the sentences about orders, phases and worths."""
        return market_rules(game, self._seat, self._names, self._translate)

    def _amounts(self, game: GameSpec) -> Amounts:
        return Amounts(economy_of(game).currency, self._translate)

    def _has_left(self, state: State) -> bool:
        return self._seat in double_auction_state(state).left

    def _period_text(self, game: GameSpec, period: int, gain: float) -> str:
        """Return the result of a period in one sentence."""
        minor, amounts, translate = minor_of(game, gain), self._amounts(game), self._translate
        if minor < 0:
            return translate("Period {n} is over. You lost {amount}.", n=period, amount=amounts.text(-minor))
        return translate("Period {n} is over. You gained {amount}.", n=period, amount=amounts.text(minor))

    def _decision_text(self, state: State, event: Event) -> str:
        """Return an own decision in words; the phase is the one that was running."""
        own = [
            other
            for other in state.transcript_of(self._seat)
            if other.type == event.type and other.sender == self._seat and other.seq <= event.seq
        ]
        made = double_auction_state(state).decisions[self._seat]
        if len(own) > len(made):
            return ""
        name, values = made[len(own) - 1]
        phase = next(each for each in market_terms(state.game).all_phases if each.name == name)
        was_known = any(
            other.type == CONDITION_REALISED and other.seq < event.seq
            for other in state.iter_transcript_backwards(self._seat)
        )
        fields = asked_fields(state, phase) if was_known else phase.decide
        asked = {field.name: values.to_dict().get(field.name) for field in fields}
        return decision_text(phase, asked, self._seat, self._names, self._translate)


def _with_advice(ticket: TicketView, account: AccountView) -> TicketView:
    """Return the ticket that also says which own order would lose now, unless something else is wrong."""
    advice = next((row.advice for row in account.orders if row.advice), "")
    notice = ticket.notice
    # What has just been placed was confirmed at its loss.
    is_other_news = bool(notice.text) and notice.tone != "good" and notice.is_news
    if not advice or not ticket.can_edit or ticket.problem or is_other_news:
        return ticket
    if notice.text and notice.tone == "good":
        return replace(ticket, notice=replace(notice, text=f"{notice.text} {advice}", tone="bad"))
    return replace(ticket, problem=advice)


def shown_book(state: State, draft: MarketDraft) -> int:
    """Return the number of the book that is shown: the chosen one if it can still be traded in."""
    numbers = shown_books(state.game, double_auction_state(state).realised)
    return draft.book if draft.book in numbers else numbers[0]
