"""Table with a trading game, and the views of the window of its first seat."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from negoplatform.core.state import State
from negoplatform.core.visibility import Observer, view_of
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.trading.dialogue_history import DialogueHistory
from negoplatform.presentation.trading.proposal_cards import ALL, ProposalCardView
from negoplatform.presentation.trading.trade_ticket import TradeTicketDraft, TradeTicketView
from negoplatform.presentation.trading.trading_presenter import TradingPresenter, TradingWorkView
from tests.mechanisms.trading_table import ONE, THREE, TWO, Table, table

NAMES = {TWO: "Rowan", THREE: "Noa"}

BUY_ONE = TradeTicketDraft(TWO, buys=True).with_units("good_1", 1)
"""Purchase of a unit of the first good from Rowan, without a price."""


class SeatViews:
    """Views of the first seat; the test moves all seats.

    Args:
        seats: The number of seats.
        translate: The window's language.
        terms: The game's terms.
    """

    def __init__(self, seats: int = 2, translate: Language = ENGLISH, **terms: Any) -> None:
        self.table: Table = table(seats=seats, **terms)
        names = {seat: NAMES[seat] for seat in self.table.state.game.seats if seat != ONE}
        self.presenter = TradingPresenter(ONE, names, translate)
        self.history = DialogueHistory(ONE)

    @property
    def state(self) -> State:
        """The state as the participant sees it."""
        return view_of(self.table.state, Observer(ONE)).state

    def view(
        self,
        *,
        chosen: str = ALL,
        problems: Mapping[int, str] = MappingProxyType({}),
        now: float | None = None,
    ) -> TradingWorkView:
        """Return what the window shows."""
        state = self.state
        self.history.update(state)
        at = state.t if now is None else now
        return self.presenter.view(state, at, history=self.history, chosen=chosen, problems=problems)

    def cards(self, chosen: str = ALL) -> tuple[ProposalCardView, ...]:
        """Return the cards of a tab."""
        return self.view(chosen=chosen).dialogues.cards

    def ticket(self, draft: TradeTicketDraft) -> TradeTicketView:
        """Return the view of a ticket."""
        return self.presenter.ticket.view(self.state, draft, "")

    def lines(self) -> list[str]:
        """Return the lines of the transcript about trading."""
        state = self.state
        events = state.transcript_of(ONE)
        lines = [line for event in events for line in self.presenter.transcript_entries(state, event)]
        return [line.text for line in lines if line.text]
