"""Tab with the list of a session's events, and the details of the one that is chosen."""

from __future__ import annotations

import tkinter as tk
from bisect import bisect_right
from collections.abc import Callable

from negoplatform.gui.replay.event_details_tab import EventDetailsTab
from negoplatform.gui.replay.recorded_session import RecordedSession
from negoplatform.gui.replay.replay_table import ReplayTable, ReplayTableColumn
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Ticker
from negoplatform.presentation.console.console_presenter import ConsolePresenter

LIST_SHARE = 0.55
"""Share of the height that the list takes; the details have the rest."""

ROWS_AT_A_TIME, NEXT_MS = 120, 15
"""Number of rows that are written in one piece, and the milliseconds until the next ones."""

WIDTHS = {"number": 42, "time": 46, "who": 92, "text": 150}
"""Widths of the columns at 96 dpi."""


class EventsTab:
    """List of all events, which follows the newest one while that is in view, above the chosen one's details.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        session: The session.
        presenter: Has the events in words.
        on_position: Called with the position of a chosen event.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        session: RecordedSession,
        presenter: ConsolePresenter,
        *,
        on_position: Callable[[int], None],
    ) -> None:
        self._theme, self._session, self._presenter = theme, session, presenter
        self._on_position = on_position
        self._at = (0, 0.0)
        self._read = 0
        self._marked = 0
        self._positions: list[int] = []
        self.frame = theme.frame(parent)
        translate = theme.translate
        columns = [
            ReplayTableColumn("number", translate("No."), WIDTHS["number"]),
            ReplayTableColumn("time", translate("Time"), WIDTHS["time"]),
            ReplayTableColumn("who", translate("From"), WIDTHS["who"]),
            ReplayTableColumn("text", translate("Event"), WIDTHS["text"], stretches=True),
        ]
        self.table = ReplayTable(self.frame, theme, columns, on_choose=self._chosen)
        self._details = EventDetailsTab(self.frame, theme, session)
        self.table.frame.place(relwidth=1.0, relheight=LIST_SHARE)
        line = theme.rule(self.frame)
        line.place(relwidth=1.0, rely=LIST_SHARE)
        self._details.frame.place(
            relwidth=1.0, rely=LIST_SHARE, relheight=1 - LIST_SHARE, y=theme.px(6), height=-theme.px(6)
        )
        self._more = Ticker(self.frame, self._write)

    @property
    def focus(self) -> tk.Misc:
        """Widget that takes the keyboard focus."""
        return self.table.widget

    def show(self, position: int, t: float) -> None:
        """Write the events that are new; mark the last one up to a position and show its details."""
        self._at = position, t
        self._write()

    def follow(self) -> None:
        """Follow the newest event again."""
        self.table.scroll_to_end()

    @property
    def is_following(self) -> bool:
        """Whether the newest event is in view."""
        return self.table.is_at_end

    def _write(self) -> None:
        """Write some of the rows that are missing; the others follow."""
        session, table = self._session, self.table
        observed = session.playback.observed_events(session.observer)
        follows = table.is_at_end
        pending = observed[self._read : self._read + ROWS_AT_A_TIME]
        for moment in pending:
            text = session.event_text(moment, self._theme.translate)
            row = self._presenter.event_row(moment, text)
            if row is not None:
                table.add([row.number, row.time, row.who, row.text])
                self._positions.append(row.position)
        self._read += len(pending)
        if self._read < len(observed):
            self._more.schedule(NEXT_MS)
        self._mark(follows=follows)

    def _mark(self, *, follows: bool) -> None:
        position, t = self._at
        number = bisect_right(self._positions, position)
        if not number:
            return
        is_live = position >= len(self._session.playback.events)
        if number != self._marked and (follows or not is_live):
            self._marked = number
            self.table.mark(number)
        self._details.show(self._positions[number - 1], t)

    def _chosen(self, number: int) -> None:
        self._marked = number
        self._on_position(self._positions[number - 1])
