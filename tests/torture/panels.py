"""Panels and transcript of a seat's window in a game of any kind, without a window."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.core.events import Event
from negoplatform.core.mechanisms.bargaining import Bargaining
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.trading import Trading
from negoplatform.core.visibility import View
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.market.market_draft import empty_draft
from negoplatform.presentation.market.market_presenter import MarketPresenter
from negoplatform.presentation.table.table_presenter import TablePresenter
from negoplatform.presentation.trading.dialogue_history import DialogueHistory
from negoplatform.presentation.trading.proposal_cards import ALL
from negoplatform.presentation.trading.trading_presenter import TradingPresenter
from tests.presentation.bargaining_desk import BargainingDesk


def shown_panels(view: View, seat: Seat, events: Sequence[Event], *, finished: bool) -> tuple[object, object]:
    """Return all panels of a seat's window at a moment, and the transcript of some events.

    Raises:
        ValueError: If the kind of game has no panels here.
    """
    state = view.state
    names = {other: other.title() for other in state.game.others(seat)}
    match state.game.mechanism:
        case Bargaining.name:
            desk = BargainingDesk(seat, names, ENGLISH)
            panels: object = desk.table(view, state.t, Draft(state.game), finished=finished)
            return panels, desk.transcript_entries(state, events)
        case Market.name:
            market = TablePresenter(seat, names, ENGLISH, MarketPresenter)
            assert isinstance(market.work, MarketPresenter)
            work = market.work.view(state, state.t, empty_draft(state.game, seat))
            panels = market.view(view, state.t, work, finished=finished)
            return panels, market.transcript_entries(state, events)
        case Trading.name:
            trading = TablePresenter(seat, names, ENGLISH, TradingPresenter)
            assert isinstance(trading.work, TradingPresenter)
            history = DialogueHistory(seat)
            history.update(state)
            cards = trading.work.view(state, state.t, history=history, chosen=ALL, problems={})
            panels = trading.view(view, state.t, cards, finished=finished)
            return panels, trading.transcript_entries(state, events)
        case kind:
            raise ValueError(f"the panels of the kind {kind} are not known here")
