"""Parts of the replay of trading: accounts with scores, proposals with their states, trades."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence

from negoplatform.core.state import State
from negoplatform.gui.market.row_canvas import CanvasRow, RowCanvas, RowCell, RowColumn
from negoplatform.gui.replay.goods_parts import GoodsReplayParts
from negoplatform.gui.replay.goods_tabs import MOST_ROWS, REDRAW_MS, TradeRows
from negoplatform.gui.replay.recorded_session import FigureKind
from negoplatform.gui.replay.replay_parts import ReplayTab, TabCallbacks, TabEntry
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Throttle
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.plots.axis_ticks import time_text
from negoplatform.presentation.replay.goods_accounts import SeatAccountView, trading_accounts
from negoplatform.presentation.replay.goods_history import (
    ProposalHistory,
    RecordedProposal,
    RecordedTrade,
    settled_trades,
)
from negoplatform.presentation.replay.trading_words import TradingWords

PROPOSAL_COLUMNS = (RowColumn(40), RowColumn(), RowColumn(66, "end"))
"""Time, what is proposed to whom, and the state."""


class TradingReplayParts(GoodsReplayParts):
    """Parts of the replay of trading."""

    def tabs(self, theme: Theme) -> Mapping[str, TabEntry]:
        """Return the sections by name, in reading order."""
        translate = theme.translate
        return {
            "accounts": TabEntry(
                translate("Accounts"), self.make_accounts_tab, FigureKind.SCORES, uses_arrow_keys=True
            ),
            "proposals": TabEntry(translate("Proposals"), self._make_proposals_tab),
            "trades": TabEntry(translate("Trades"), self._make_trades_tab),
            "event": TabEntry(translate("Event"), self.make_event_tab),
        }

    def scores_title(self, translate: Language) -> str:
        """Return the title of the plot of scores."""
        return translate("Scores: money and the worth of the goods")

    def accounts_at(self, state: State, t: float, translate: Language) -> Sequence[SeatAccountView]:
        """Return the accounts in a state at a session time (s)."""
        return trading_accounts(state, self.session.participants.names, t, translate)

    def words(self, translate: Language) -> TradingWords:
        """Return the words of the session's events."""
        names = self.session.participants.names
        return TradingWords(self.observed_events(), self.session.game, names, self.game_language(translate))

    def _make_proposals_tab(self, parent: tk.Misc, theme: Theme, on: TabCallbacks) -> ReplayTab:
        session = self.session
        history = ProposalHistory(session.playback, session.observer, self.words(theme.translate))
        return ProposalsTab(parent, theme, history, on.on_position)

    def _make_trades_tab(self, parent: tk.Misc, theme: Theme, on: TabCallbacks) -> ReplayTab:
        session = self.session
        trades = settled_trades(session.playback, session.observer, self.words(theme.translate))
        return TradesTab(parent, theme, trades, on.on_position)


class ProposalsTab:
    """Proposals made so far with their states, the newest first; picking one goes to it.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        history: The session's proposals.
        on_position: Called with the position of a proposal that was picked.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, history: ProposalHistory, on_position: Callable[[int], None]
    ) -> None:
        self._theme, self._history, self._on_position = theme, history, on_position
        self._position, self._shown = 0, tuple[RecordedProposal, ...]()
        self.frame = theme.frame(parent)
        self._canvas = RowCanvas(self.frame, theme, PROPOSAL_COLUMNS, on_pick=self._picked, row_height=20)
        self._canvas.widget.pack(fill="both", expand=True)
        self._write_soon = Throttle(self.frame, REDRAW_MS, self._write)
        self.frame.bind("<Destroy>", lambda _event: self._write_soon.cancel(), add="+")

    @property
    def focus(self) -> tk.Misc:
        """Widget that takes the keyboard focus."""
        return self._canvas.widget

    def show(self, position: int, t: float) -> None:  # noqa: ARG002 - the same for every section
        """Show the proposals up to a position."""
        self._position = position
        self._write_soon()

    def _write(self) -> None:
        c, translate = self._theme.colours, self._theme.translate
        self._shown = self._history.at(self._position)[:MOST_ROWS]
        if not self._shown:
            nothing = RowCell(translate("No proposals yet"), c.muted)
            self._canvas.show([CanvasRow((RowCell(""), nothing, RowCell("")))])
            return
        self._canvas.show([self._row(proposal) for proposal in self._shown])

    def _row(self, proposal: RecordedProposal) -> CanvasRow:
        c = self._theme.colours
        colour = c.accept if proposal.is_settled else c.ink if proposal.is_live else c.muted
        font = "small_bold" if proposal.is_live or proposal.is_settled else "small"
        return CanvasRow(
            (
                RowCell(time_text(proposal.t), c.muted),
                RowCell(proposal.text, c.ink if proposal.is_live or proposal.is_settled else c.muted),
                RowCell(proposal.status, colour, font),
            )
        )

    def _picked(self, index: int) -> None:
        if index < len(self._shown):
            self._on_position(self._shown[index].position)


class TradesTab:
    """Trades settled so far, the newest first; picking one goes to it.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        trades: All trades of the session, oldest first.
        on_position: Called with the position of a trade that was picked.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        trades: Sequence[RecordedTrade],
        on_position: Callable[[int], None],
    ) -> None:
        self._trades = trades
        self._rows = TradeRows(parent, theme, on_position)
        self.frame = self._rows.frame

    @property
    def focus(self) -> tk.Misc:
        """Widget that takes the keyboard focus."""
        return self._rows.canvas

    def show(self, position: int, t: float) -> None:  # noqa: ARG002 - the same for every section
        """Show the trades up to a position."""
        self._rows.show(self._trades, position)
