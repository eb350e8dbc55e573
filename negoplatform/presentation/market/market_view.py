"""View of what only a market shows at one moment: plain values, without Tk."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from negoplatform.presentation.market.account_view import AccountView
from negoplatform.presentation.market.order_book_view import OrderBookView
from negoplatform.presentation.market.phase_view import DecisionView, PhaseView
from negoplatform.presentation.market.ticket_view import TicketView
from negoplatform.presentation.market.trades_view import PriceChartView, TapeRow


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
