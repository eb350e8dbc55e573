"""Console of a session in progress: both sides as they act, read only."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue

from negoplatform.app.session.windows.session_feed import FeedItem
from negoplatform.gui.console.events_tab import EventsTab
from negoplatform.gui.console.seats_bar import SeatsBar
from negoplatform.gui.replay.parts_of_mechanisms import replay_parts
from negoplatform.gui.replay.read_only_panels import ObserverPanels
from negoplatform.gui.replay.replay_parts import ReplayTab, TabCallbacks, TabEntry
from negoplatform.gui.replay.side_panel import SidePanel
from negoplatform.gui.table.columns import Tabs, place_columns, widened
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Ticker
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.console.console_presenter import ConsolePresenter, ConsoleView
from negoplatform.presentation.console.watched_session import WatchedSession
from negoplatform.presentation.plots.axis_ticks import time_text
from negoplatform.presentation.table.column_arrangement import TableColumn, arrange_columns

TICK_MS, BUSY_MS = 100, 20
"""Milliseconds between two looks at the feed: usually, and while items wait."""

BUSY_SECONDS = 0.4
"""Seconds between two drawings while items wait, as on joining a long session."""

ITEMS_AT_A_TIME = 60
"""Number of items that are taken in one piece, so that the window stays responsive on joining."""

TALK_WIDTH = 460
"""Width of the transcript at 96 dpi from which on the list of events has what is left."""

TICKS_PER_CLOCK = 3
"""Number of looks at the feed after which the clocks are drawn again though nothing has happened."""


class ConsoleScreen:
    """Screen of a window that watches a session.

    It follows the newest event. A chosen event stops that, and shows what the session was like then; a button
    returns to the present. Nothing here acts in the session.

    Args:
        theme: The window's theme.
        session: The session as far as it is known.
        items: The items of the feed that have not been taken.
        announcer: Reports what is shown to window tests.
        report: Called with an unexpected error.
    """

    def __init__(
        self,
        theme: Theme,
        session: WatchedSession,
        items: SimpleQueue[FeedItem],
        *,
        announcer: UiTestAnnouncer,
        report: Callable[[BaseException], object],
    ) -> None:
        self._theme, self._session, self._items = theme, session, items
        self._announcer, self._report = announcer, report
        self._position: int | None = None
        self._link_words = ""
        self._column: TableColumn = "offer"
        self._quiet_ticks = 0
        self._was_over = False
        self._shown_at = 0.0
        self._parts = replay_parts(session.playback, session.participants)
        self._events_tab: EventsTab | None = None
        self._presenter = ConsolePresenter(session, theme.translate)
        self.frame = theme.frame(theme.root, theme.colours.ground)
        self._build()
        self._ticker = Ticker(self.frame, self._tick)
        announcer.set_screen_widgets(self.frame, self.widgets)
        self._show()
        announcer.announce("console", role=session.role.kind.value)
        self._tick()

    @property
    def session(self) -> WatchedSession:
        """The session, which stays when the screen is rebuilt."""
        return self._session

    def widgets(self) -> Mapping[str, tk.Misc]:
        """Return the widgets that can be pressed or have the focus, by name."""
        named = {**self._panels.widgets, **self._side.widgets(), "console.live": self.live_button}
        named |= {f"console.column.{column}": button for column, button in self._tabs.buttons.items()}
        return {name.replace("replay.", "console."): widget for name, widget in named.items()}

    def show_link(self, words: str) -> None:
        """Show that the connection is lost, in a sentence; empty: it is there again."""
        if words != self._link_words:
            self._link_words = words
            self._show()

    def go(self, position: int) -> None:
        """Show the session as it was at a position, counted in events."""
        self._position = position
        self._show()
        self._announcer.announce("console_at", position=position)

    def return_to_live(self) -> None:
        """Follow the newest event again."""
        self._position = None
        if self._events_tab is not None:
            self._events_tab.follow()
        self._show()
        self._panels.scroll_to_end()
        self._announcer.announce("console_live")

    # Building

    def _build(self) -> None:
        theme, px = self._theme, self._theme.px
        top = theme.frame(self.frame)
        top.pack(fill="x")
        if self._presenter.notice:
            self._add_notice(self._presenter.notice)
        facts = theme.frame(self.frame)
        facts.pack(fill="x")
        self._seats = SeatsBar(
            facts,
            theme,
            self._parts.session.seat_styles(theme.colours),
            self._presenter.view(None).seats,
        )
        self._seats.frame.pack(fill="x", padx=px(20), pady=px(6))
        theme.rule(facts).pack(fill="x")
        self._build_bottom()
        body = self._body = theme.frame(self.frame, theme.colours.ground)
        body.pack(fill="both", expand=True)
        body.rowconfigure(0, weight=1)
        self._left = theme.frame(body, theme.colours.ground)
        self._middle = theme.card(body, 6)
        self._side = SidePanel(
            body,
            theme,
            {
                "events": TabEntry(theme.translate("Events"), self._make_events_tab),
                **self._parts.live_tabs(theme),
            },
            callbacks=TabCallbacks(
                on_position=self.go,
                on_time=lambda _t: None,
                on_outcomes=lambda: None,
                report=self._report,
            ),
        )
        self._panels = ObserverPanels(top, self._left, self._middle, theme, self._presenter.replay)
        self._side.open_first()
        self._place_columns()
        body.bind("<Configure>", lambda _event: self._place_columns())

    def _add_notice(self, sentence: str) -> None:
        theme, c = self._theme, self._theme.colours
        bar = theme.frame(self.frame, c.theirs_soft)
        bar.pack(fill="x")
        words = theme.label(bar, sentence, "small_bold", c.ink, ground=c.theirs_soft, wrap=1200)
        words.pack(anchor=theme.west, padx=theme.px(20), pady=theme.px(4))
        bar.bind("<Configure>", lambda event: words.wrap_to(event.width - theme.px(40)))

    def _build_bottom(self) -> None:
        theme, px = self._theme, self._theme.px
        bottom = theme.frame(self.frame)
        bottom.pack(side="bottom", fill="x")
        theme.rule(bottom).pack(fill="x")
        strip = theme.frame(bottom)
        strip.pack(fill="x", padx=px(20), pady=px(6))
        self.live_button = theme.button(
            strip, theme.translate("Back to live"), "Toggle.TButton", self.return_to_live
        )
        self.live_button.pack(side=theme.end, padx=theme.padx(12, 0))
        self._time = theme.label(strip, "", "small_bold")
        self._time.pack(side=theme.end, padx=theme.padx(12, 0))
        self._tab_area = theme.frame(strip)
        self._tabs = Tabs(self._tab_area, theme, on_choose=self._choose_column)
        self._tabs.write(
            {
                "side": theme.translate("All sides"),
                "talk": theme.translate("What happened"),
                "offer": theme.translate("Events"),
            }
        )
        self._status = theme.label(strip, "", "small")
        self._status.configure(anchor=theme.west)
        self._status.pack(side=theme.start, fill="x")

    def _make_events_tab(self, parent: tk.Misc, theme: Theme, on: TabCallbacks) -> ReplayTab:
        self._events_tab = EventsTab(
            parent, theme, self._parts.session, self._presenter, on_position=on.on_position
        )
        return self._events_tab

    def _choose_column(self, column: TableColumn) -> None:
        """Show a column in a window that has no room for all of them."""
        self._column = column
        self._place_columns()
        self._announcer.announce("console_column", shown=column)

    def _place_columns(self) -> None:
        theme = self._theme
        frames: dict[TableColumn, tk.Widget] = {
            "side": self._left,
            "talk": self._middle,
            "offer": self._side.frame,
        }
        arrangement = arrange_columns(theme.width, theme.height, self._column)
        shown = next((column for column in arrangement.shown if column in arrangement.tabs), self._column)
        self._tabs.show(arrangement.tabs, shown)
        if arrangement.tabs:
            self._tab_area.pack(side=theme.start, padx=theme.padx(0, 12), before=self._status)
        else:
            self._tab_area.pack_forget()
        if {"talk", "offer"} <= set(arrangement.shown):
            arrangement = widened(arrangement, "offer", TALK_WIDTH)
        place_columns(self._body, theme, frames, arrangement, row=0)

    # Following the session

    def _tick(self) -> None:
        """Take what the feed has, and show it."""
        count = len(self._session.playback.events)
        taken = 0
        try:
            while taken < ITEMS_AT_A_TIME:
                self._session.take(self._items.get_nowait())
                taken += 1
        except Empty:
            pass
        if len(self._session.playback.events) > count:
            self._presenter.extend()
        is_busy = taken == ITEMS_AT_A_TIME
        self._quiet_ticks = 0 if taken else self._quiet_ticks + 1
        since = time.monotonic() - self._shown_at
        if since >= BUSY_SECONDS if is_busy else taken or self._quiet_ticks >= TICKS_PER_CLOCK:
            self._quiet_ticks = 0
            self._show()
        if taken:
            self._announce_news()
        self._ticker.schedule(BUSY_MS if is_busy else TICK_MS)

    def _show(self) -> None:
        self._shown_at = time.monotonic()
        view = self._presenter.view(self._position)
        position = len(self._session.playback.events) if self._position is None else self._position
        self._panels.show_frame(view.frame, position, follow=self._position is not None)
        self._side.show(position, view.t)
        self._seats.show(view.seats)
        self._show_status(view)

    def _show_status(self, view: ConsoleView) -> None:
        theme, c = self._theme, self._theme.colours
        is_urgent = view.is_urgent or bool(self._link_words)
        self._status.write(self._link_words or view.status, c.warning if is_urgent else c.ink)
        self._time.write(theme.translate("Session time {time}", time=time_text(view.t)))
        is_live = self._position is None and (self._events_tab is None or self._events_tab.is_following)
        self.live_button.state(["disabled" if is_live else "!disabled"])

    def _announce_news(self) -> None:
        events = self._session.playback.events
        status = self._session.status
        self._announcer.announce(
            "console_news",
            seq=events[-1].seq if events else 0,
            started=status.started,
            finished=status.finished,
            absent=list(status.absent),
        )
        if status.finished and not self._was_over:
            self._was_over = True
            self._announcer.announce("console_over")
