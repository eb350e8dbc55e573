"""Workbench of a market: order book, ticket, own orders, chart, list of trades, account and decisions."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from negoplatform.agent_api.mechanism_actions import CancelOrder, Decide, PlaceOrder
from negoplatform.app.session.participant_controller import RepeatFilter
from negoplatform.core.events import EventType
from negoplatform.core.mechanisms.double_auction_state import (
    current_phase,
    double_auction_state,
    market_terms,
)
from negoplatform.core.mechanisms.market_books import number_of
from negoplatform.core.mechanisms.market_terms import DecisionField, DecisionKind
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.offer import Offer
from negoplatform.gui.chat.chat_panel import ChatPanel
from negoplatform.gui.market.account_card import AccountCard
from negoplatform.gui.market.decision_form import DecisionActions
from negoplatform.gui.market.market_column import MarketColumn
from negoplatform.gui.market.price_chart import PriceChart
from negoplatform.gui.market.tape_panel import TapePanel
from negoplatform.gui.market.ticket_panel import TicketActions
from negoplatform.gui.table.keyboard_to_message_field import WINDOW_TAG
from negoplatform.gui.table.side_column import SideCards
from negoplatform.gui.table.workbench import WorkbenchHost
from negoplatform.gui.widgets.widget_bound_callbacks import add_tag, bind_tag
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.market.market_draft import (
    LONGEST_TEXT,
    MarketDraft,
    dump_market_draft,
    load_market_draft,
)
from negoplatform.presentation.market.market_presenter import MarketPanelsView, MarketPresenter, shown_book
from negoplatform.presentation.market.order_book_view import BookRow
from negoplatform.presentation.market.order_outcomes import OrderOutcomes
from negoplatform.presentation.market.phase_view import DecisionView, number_scale
from negoplatform.presentation.market.press_guard import UNREAD_SECONDS, PressGuard, Verdict, changed_notice
from negoplatform.presentation.market.ticket_view import (
    QUANTITY_SCALE,
    Notice,
    OrderButton,
    price_scale,
    stepped_price,
)
from negoplatform.presentation.table.table_view import TableView
from negoplatform.presentation.table.work_presenter import WorkView
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

DOUBLE_CLICK_SECONDS = 0.5
"""Seconds within which the same order again is a double click, or a key that is held down."""

CHART_HEIGHT, LOW_CHART_HEIGHT = 226, 170
"""Height of the chart, for 96 dpi: usual, and in low windows."""

LOW, LOWER, LOWEST = 640, 560, 440
"""Heights of the window, for 96 dpi, below which the chart is low, below which there is none, and below which
there is no list of trades either."""

TAPE_ROWS, LOW_TAPE_ROWS = 4, 2
"""Trades for which the list has room: usual, and in low windows."""

KEY = "work"
"""Key under which a mechanism keeps what is prepared."""


class MarketWorkbench:
    """Workbench of a market; see :class:`~negoplatform.gui.table.workbench.Workbench`."""

    _host: WorkbenchHost
    _presenter: MarketPresenter
    _account: AccountCard
    _chart: PriceChart
    _tape: TapePanel
    _column: MarketColumn
    _chat: ChatPanel
    _trades_rule: tk.Frame
    _trade_frames: list[tk.Widget]
    _are_trades_shown: bool

    def __init__(self) -> None:
        self._draft: MarketDraft | None = None
        self._outcomes: OrderOutcomes | None = None
        self._notice = Notice()
        self._repeats = RepeatFilter(restart_on_repeat=True, seconds=DOUBLE_CLICK_SECONDS)
        self._guard = PressGuard()
        self._shown: MarketPanelsView | None = None
        self._phase, self._phase_began = 0, float("-inf")
        self._is_focus_due, self._ahead = False, 0

    @property
    def reader(self) -> None:
        """Reader of typed text: none, because words trade nothing."""
        return

    # Construction

    def build(self, host: WorkbenchHost) -> None:
        """Begin with an appearance; what is prepared stays."""
        assert isinstance(host.presenter.work, MarketPresenter)
        self._host, self._presenter = host, host.presenter.work
        # Its sentences are in the language of an earlier appearance.
        self._outcomes, self._notice = None, Notice()

    def build_side(self, parent: tk.Misc) -> SideCards:
        """Build the card of the account."""
        self._account = AccountCard(parent, self._host.theme)
        return SideCards(self._account)

    def build_in_talk(self, middle: tk.Widget, chat: ChatPanel) -> None:
        """Build the chart and the list of trades above the chat."""
        theme = self._host.theme
        height = LOW_CHART_HEIGHT if theme.height < LOW else CHART_HEIGHT
        self._chart = PriceChart(middle, theme, height=height)
        self._tape = TapePanel(middle, theme, rows=LOW_TAPE_ROWS if theme.height < LOW else TAPE_ROWS)
        self._chat, self._trades_rule = chat, theme.rule(middle)
        tag = f"Market{chat.entry}"
        for key in ("Return", "KP_Enter"):
            bind_tag(chat.entry, tag, f"<{key}>", self._on_message_enter)
        add_tag(chat.entry, tag)
        self._trade_frames = []
        if theme.height >= LOWER:
            self._trade_frames.append(self._chart.frame)
        if theme.height >= LOWEST:
            self._trade_frames += [self._tape.frame, self._trades_rule]
        self._are_trades_shown = False
        # Tab reaches the chart before the chat, in reading order.
        self._chart.frame.lower(chat.frame)

    def _show_trades(self, *, shown: bool) -> None:
        """Show the chart and the list of trades as soon as there can be any."""
        if shown == self._are_trades_shown:
            return
        self._are_trades_shown = shown
        for frame in self._trade_frames:
            if shown:
                gap = self._host.theme.px(4) if frame is self._trades_rule else 0
                frame.pack(before=self._chat.frame, fill="x", pady=gap)
            else:
                frame.pack_forget()

    def build_column(self, parent: tk.Frame) -> tk.Widget:
        """Build the order book, the ticket, the own orders and the form."""
        self._column = MarketColumn(
            parent,
            self._host.theme,
            ticket=TicketActions(
                choose_side=self._choose_side,
                write_price=lambda text: self._change(lambda draft: draft.with_price(text)),
                write_quantity=lambda text: self._change(lambda draft: draft.with_quantity(text)),
                step_price=self._step_price,
                step_quantity=self._step_quantity,
                press=self._press,
                take_back=self._take_back,
            ),
            decision=DecisionActions(
                write=self._write_entry, step=self._step_entry, choose=self._choose_entry, decide=self._decide
            ),
            on_pick=self._pick_price,
            on_book=self._choose_book,
            on_cancel=self._cancel,
            on_hidden_key=self._type_ahead,
            most_orders=market_terms(self._host.game).orders_per_seat,
        )
        bind_tag(self._column.frame, WINDOW_TAG, "<F4>", lambda _event: self._go_to_column())
        return self._column.frame

    def tab_name(self, translate: Language) -> str:
        """Return the name of the column's tab."""
        return translate("Market")

    # What is shown

    def begin(self, state: State, saved: Mapping[str, Any] | None) -> None:
        """Begin with an empty ticket, or what an interrupted session has kept."""
        kept = None if saved is None else saved.get(KEY)
        self._draft = load_market_draft(kept, state.game, self._host.seat)

    def update(self, state: State) -> None:
        """Find out what has become of the participant's orders."""
        if self._outcomes is None:
            self._outcomes = self._presenter.outcomes(state.game)
        self._outcomes.update(state)
        before, self._notice = self._notice, self._outcomes.notice
        if self._notice != before:
            self._host.announce("notice", text=self._notice.text, tone=self._notice.tone)
        if self._draft is not None:
            self._draft = self._draft.with_book(shown_book(state, self._draft))

    def view(self, state: State, now: float) -> MarketPanelsView:
        """Return the view at a session time in seconds."""
        assert self._draft is not None, "the view comes after the first state"
        refusal = "" if self._outcomes is None else self._outcomes.decision_refusal
        view = self._presenter.view(state, now, self._draft, notice=self._notice, decision_refusal=refusal)
        phase = double_auction_state(state).phase
        if self._guard.on_shown(shown_book(state, self._draft), view.ticket, phase=phase):
            self._notice = changed_notice(self._presenter.translate)
            if self._outcomes is not None:
                self._outcomes.notice = self._notice
            view = replace(view, ticket=replace(view.ticket, notice=self._notice, problem=""))
        return replace(view, ticket=self._guard.with_question(view.ticket, self._presenter.translate))

    def show(self, view: TableView[WorkView]) -> bool:
        """Show a view; return whether the card of the account needs another height."""
        work = view.work
        assert isinstance(work, MarketPanelsView)
        self._shown = work
        economy = economy_of(self._host.game)
        self._chart.show(work.chart, Amounts(economy.currency, self._presenter.translate))
        self._tape.show(work.tape)
        self._show_trades(shown=work.phase.trades or bool(work.tape))
        if view.end is None:
            self._column.show(work)
            self._process_phase(work)
        return self._account.show(work.account)

    def _process_phase(self, work: MarketPanelsView) -> None:
        """As a phase opens, let what is typed next be a price, in place of the one that was not sent."""
        state = self._state()
        if state is None:
            return
        number = double_auction_state(state).phase
        if number != self._phase:
            if self._phase:
                self._phase_began = time.monotonic()
            self._phase, self._is_focus_due = number, work.phase.trades
            self._column.select_price()
        if self._is_focus_due and work.ticket.can_edit and not self._has_talked(state):
            self._is_focus_due = not self._column.take_focus_from(self._chat.home)

    def _has_talked(self, state: State) -> bool:
        """Return whether the participant has begun or sent a message."""
        sent = (
            event.type == EventType.SEND_MESSAGE
            for event in state.transcript_of(self._host.seat)
            if event.sender == self._host.seat
        )
        return bool(self._chat.text) or any(sent)

    def _on_message_enter(self, _event: tk.Event[tk.Misc]) -> str | None:
        """Send no message as a phase begins: Enter may have been meant for the ticket or the form."""
        return "break" if time.monotonic() - self._phase_began < UNREAD_SECONDS else None

    def add_lines(self, lines: Sequence[TranscriptEntry]) -> None:
        """Do nothing: the trades come with the view."""

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        return {
            **self._column.widgets(),
            **self._chart.widgets(),
            "account.bar": self._account.scrollbar,
        }

    def newest_act_place(self) -> tuple[int, int] | None:
        """Return the place of the best ask."""
        return self._column.book.place_of(OrderSide.ASK, 0)

    def click_home(self) -> tk.Misc | None:
        """Return a field of the ticket or of the form: digits after a click are no message."""
        return self._column.click_home()

    def undo(self) -> None:
        """Do nothing: a ticket has two numbers."""

    def redo(self) -> None:
        """Do nothing, as :meth:`undo`."""

    def close_cards(self) -> bool:
        """Return that nothing is open."""
        return False

    def prepare_offer(self, offer: Offer) -> None:
        """Do nothing: there are no offers."""

    def prepared_offer(self) -> None:
        """Return None: there are no offers."""

    def hold(self) -> None:
        """Do nothing: nothing is sent by itself."""

    def close(self) -> None:
        """Do nothing: nothing is open over the column."""

    def to_document(self) -> dict[str, Any]:
        """Return what is prepared as JSON values."""
        assert self._draft is not None, "nothing is kept before the first state"
        return {KEY: dump_market_draft(self._draft)}

    # What is prepared

    def _state(self) -> State | None:
        newest = self._host.updates.newest
        return None if newest is None else newest.view.state

    def _change(self, change: Callable[[MarketDraft], MarketDraft]) -> None:
        """Change what is prepared; a refusal of the last order has been read by then."""
        if self._draft is None or self._state() is None:
            return
        changed = change(self._draft)
        if changed == self._draft:
            return
        self._draft = changed
        self._guard.take_back()
        if self._outcomes is not None:
            self._outcomes.on_changed()
        self._host.redraw()
        self._host.save()
        self._announce()

    def _announce(self) -> None:
        """Report to UI tests what the ticket or the form says."""
        shown = self._shown
        if shown is None:
            return
        if shown.decision is not None:
            self._host.announce(
                "decision", missing=shown.decision.missing, complete=shown.decision.action is not None
            )
            return
        ticket = shown.ticket
        self._host.announce(
            "ticket",
            side=str(ticket.draft.side),
            price=ticket.draft.price,
            quantity=ticket.draft.quantity,
            advice=ticket.advice,
            problem=ticket.problem,
            place=ticket.place.text,
            take=ticket.take.text,
        )

    def _choose_side(self, side: OrderSide) -> None:
        self._change(lambda draft: draft.with_side(side))

    def _choose_book(self, number: int) -> None:
        self._change(lambda draft: draft.with_book(number))

    def _pick_price(self, row: BookRow) -> None:
        """Put the price of a row into the ticket, and the focus at it."""
        state, translate = self._state(), self._presenter.translate
        if state is None or self._shown is None or not self._shown.ticket.can_edit:
            return
        scale = price_scale(state, Amounts(economy_of(state.game).currency, translate))
        text = scale.text(number_of(state.game, row.amount), translate)
        self._change(lambda draft: draft.with_price(text))
        self._column.ticket.focus_price()

    def _type_ahead(self, char: str) -> None:
        """Type a price, or delete the end of it, while the market is closed; it is for when it opens."""
        if self._draft is None:
            return
        before = self._draft.ticket.price if self._ahead == self._phase else ""
        self._ahead = self._phase
        text = (before + char)[:LONGEST_TEXT] if char else before[:-1]
        self._change(lambda draft: draft.with_price(text))

    def _step_price(self, steps: int) -> None:
        state = self._state()
        if state is None or self._draft is None:
            return
        text = stepped_price(state, self._draft.book, self._draft.ticket, steps, self._presenter.translate)
        self._change(lambda draft: draft.with_price(text))

    def _step_quantity(self, steps: int) -> None:
        if self._draft is None:
            return
        translate = self._presenter.translate
        typed = QUANTITY_SCALE.parse(self._draft.ticket.quantity, translate)
        text = QUANTITY_SCALE.text(QUANTITY_SCALE.moved(typed.nearest, steps), translate)
        self._change(lambda draft: draft.with_quantity(text))

    def _write_entry(self, field: DecisionField, text: str) -> None:
        state = self._state()
        phase = None if state is None else current_phase(state)
        if phase is not None:
            self._change(lambda draft: draft.with_entry(phase, field, text))

    def _step_entry(self, field: DecisionField, steps: int) -> None:
        state, translate = self._state(), self._presenter.translate
        phase = None if state is None else current_phase(state)
        if phase is None or self._draft is None:
            return
        scale, entry = number_scale(field), self._draft.entries_of(phase).get(field.name, "")
        typed = scale.parse(entry if isinstance(entry, str) else "", translate)
        text = scale.text(scale.moved(typed.nearest, steps), translate)
        self._change(lambda draft: draft.with_entry(phase, field, text))

    def _choose_entry(self, field: DecisionField, value: str) -> None:
        state = self._state()
        phase = None if state is None else current_phase(state)
        if phase is None or self._draft is None:
            return
        entry: str | tuple[str, ...] = value
        if field.kind is DecisionKind.SOME_OF:
            before = self._draft.entries_of(phase).get(field.name, ())
            chosen = {*before} ^ {value}
            entry = tuple(each for each in field.values if each in chosen)
        self._change(lambda draft: draft.with_entry(phase, field, entry))

    def _go_to_column(self) -> None:
        """Focus the price, or the first field of the form, in whatever column it is."""
        self._host.focus("ticket.price", "decide")
        self._column.focus_first()

    # Acts of the participant

    def _press(self, button: OrderButton, pressed_at: float) -> bool:
        """Place an order as its button said; return whether it was sent.

        A trade at a loss is confirmed first, and a button whose meaning has just changed is shown again.
        """
        match self._guard.press(button, pressed_at):
            case Verdict.PERFORM:
                return self._act(*button.actions)
            case Verdict.ASK:
                orders = [action for action in button.actions if isinstance(action, PlaceOrder)]
                for order in orders:
                    figures = {"price": order.price, "quantity": order.quantity}
                    self._host.participant.note_warning("order_at_a_loss", **figures)
                self._host.redraw()
                self._host.announce("question", loss=button.loss)
            case Verdict.CHANGED:
                if self._outcomes is not None:
                    self._outcomes.notice = changed_notice(self._presenter.translate)
                self._host.redraw()
            case Verdict.IGNORE:
                pass
        return False

    def _take_back(self) -> bool:
        """Take the question about a loss back; return whether there was one."""
        was_asked = self._guard.take_back()
        if was_asked:
            self._host.redraw()
        return was_asked

    def _cancel(self, order_id: int) -> None:
        self._act(CancelOrder(order_id))

    def _decide(self, view: DecisionView) -> None:
        if view.action is not None:
            self._act(view.action)

    def _act(self, *actions: CancelOrder | PlaceOrder | Decide) -> bool:
        if not actions or not self._host.updates.running or self._repeats.is_repeat(actions):
            return False
        self._guard.on_act()
        if self._outcomes is not None:
            self._outcomes.on_sent(actions)
        self._host.participant.act(*(action.as_act() for action in actions))
        self._host.poll_soon()
        return True
