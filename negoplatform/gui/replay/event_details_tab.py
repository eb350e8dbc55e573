"""Tab with all recorded details of one event."""

from __future__ import annotations

import tkinter as tk

from negoplatform.app.playback.playback import ObservedEvent
from negoplatform.gui.replay.recorded_session import RecordedSession
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.label_pairs import build_pair_row
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.timers import Throttle
from negoplatform.presentation.replay.event_details import event_details

WIDTH = 340

AT_MOST_EVERY_MS = 80
"""Interval between updates while the user drags through a session, when nothing can be read faster."""


class EventDetailsTab:
    """Tab with the latest event: its facts and its contents.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        session: The session.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, session: RecordedSession) -> None:
        self._theme, self._session = theme, session
        self._requested: ObservedEvent | None = None
        self._shown: ObservedEvent | None = None
        self._redraw = Throttle(theme.root, AT_MOST_EVERY_MS, self._write)
        self.frame = theme.frame(parent)
        self._heading = theme.label(self.frame, "", "bold", wrap=WIDTH)
        self._heading.pack(anchor=theme.west, padx=theme.px(8), pady=(theme.px(4), theme.px(6)))
        self._list = ScrolledFrame(self.frame, theme, width=WIDTH, height=2000)
        self._list.frame.pack(fill="both", expand=True, padx=(theme.px(6), 0))
        self.frame.bind("<Destroy>", lambda _event: self._redraw.cancel())

    @property
    def focus(self) -> tk.Misc:
        """Widget that takes the keyboard focus."""
        return self._list.canvas

    def show(self, position: int, t: float) -> None:  # noqa: ARG002 - the same for every section
        """Show the last event before a position."""
        self._requested = self._session.playback.observed_event_at(position, self._session.observer)
        if self._requested is not self._shown or self._requested is None:
            self._redraw()

    def _write(self) -> None:
        theme, moment, session = self._theme, self._requested, self._session
        self._shown = moment
        inside = self._list.inside
        for child in inside.winfo_children():
            child.destroy()
        if moment is None:
            self._heading.write(theme.translate("Nothing has happened yet."))
            return
        translate = theme.translate.for_game(session.game.name)
        self._heading.write(session.event_text(moment, theme.translate))
        facts, contents = event_details(
            moment,
            session.game,
            session.participants,
            translate,
            session.interpretation_of(moment),
        )
        for pair in facts:
            build_pair_row(theme, inside, pair, width=WIDTH - 14, font="small", share=0.4, quiet=True)
        if contents:
            theme.rule(inside).pack(fill="x", pady=theme.px(8))
        for pair in contents:
            build_pair_row(theme, inside, pair, width=WIDTH - 14, font="small", share=0.4)
        self._list.bind_scrolling(inside)
