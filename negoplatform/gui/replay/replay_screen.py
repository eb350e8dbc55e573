"""Replay viewer: a session's panels, its timeline, and the researcher's panel."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from pathlib import Path

from negoplatform.app.playback.playback import ObservedEvent, Playback, TimelineMarkKind
from negoplatform.app.playback.playback_clock import LONGEST_SILENCE, SPEEDS, PlaybackClock
from negoplatform.core.visibility import Observer
from negoplatform.domain.errors import NegoError
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.replay.file_dialogs import choose_picture_file
from negoplatform.gui.replay.image_export import SIZE, save_picture
from negoplatform.gui.replay.parts_of_mechanisms import replay_parts
from negoplatform.gui.replay.playback_buttons import PlaybackButtons, PlaybackCallbacks
from negoplatform.gui.replay.read_only_panels import ObserverPanels
from negoplatform.gui.replay.recorded_session import FigureKind
from negoplatform.gui.replay.replay_parts import TabCallbacks
from negoplatform.gui.replay.session_facts_bar import SessionFactsBar
from negoplatform.gui.replay.shortcuts import Shortcuts, bind_keys
from negoplatform.gui.replay.side_panel import SidePanel
from negoplatform.gui.replay.timeline_bar import TimelineBar
from negoplatform.gui.table.columns import place_columns, without_column
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Throttle
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.event_texts import address_text
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.plots.axis_ticks import time_text
from negoplatform.presentation.replay.proposal_words import proposer_name
from negoplatform.presentation.replay.replay_presenter import ReplayPresenter
from negoplatform.presentation.replay.seat_occupant_names import participants_of
from negoplatform.presentation.replay.timeline_view import timeline_rows
from negoplatform.presentation.table.column_arrangement import TableColumn, arrange_columns

TICK_MS = 33
"""Interval at which the line on the timeline moves during playback."""

PANELS_S = 0.1
"""Interval at which the panels, with their clocks, are updated between events during playback."""

SEEK_MS = 33
"""Minimum interval between updates of the panels while the user drags; the line follows at once."""

LOW = 480
"""Height below which the researcher's panel takes the space of header and timeline, at 96 dpi."""


class ReplayScreen:
    """Screen that plays a recorded session.

    Args:
        theme: The window's theme.
        playback: The session.
        announcer: Reports what is shown to window tests.
        report: Called with an unexpected error.
        on_done: Called to leave the screen; None if there is no screen to return to.
    """

    def __init__(
        self,
        theme: Theme,
        playback: Playback,
        *,
        announcer: UiTestAnnouncer,
        report: Callable[[BaseException], object],
        on_done: Callable[[], None] | None = None,
    ) -> None:
        self._theme, self._playback, self._announcer = theme, playback, announcer
        self._participants = participants_of(playback.header, theme.translate)
        self._parts = replay_parts(playback, self._participants)
        self._session = self._parts.session
        self._presenters: dict[Observer, ReplayPresenter] = {}
        self._observer = playback.observers[min(1, len(playback.observers) - 1)]
        self._position, self._t = 0, 0.0
        self._requested_t = 0.0
        self._panels_at = 0.0
        self._playing = False
        self._panel = True
        self._ticking = ""
        self._clock = self._new_clock()
        self.frame = theme.frame(theme.root, theme.colours.ground)
        self._seek_soon = Throttle(theme.root, SEEK_MS, self._seek)
        self._build(report, on_done)
        self.frame.bind("<Destroy>", lambda _event: self._stop(), add="+")
        self.view_as(self._observer)
        announcer.announce("replay_ready", events=len(playback.events), problem=str(playback.problem or ""))

    # Building

    def _build(self, report: Callable[[BaseException], object], on_done: Callable[[], None] | None) -> None:
        theme = self._theme
        self._top = theme.frame(self.frame)
        self._top.pack(fill="x")
        self._bar = SessionFactsBar(
            self.frame, theme, self._playback, self._participants,
            on_view=self.view_as, on_panel=self._toggle_panel, on_done=on_done,
        )  # fmt: skip
        self._bar.frame.pack(fill="x")
        body = theme.frame(self.frame, theme.colours.ground)
        bottom = theme.frame(self.frame)
        bottom.pack(side="bottom", fill="x")
        body.pack(fill="both", expand=True)
        self._body = body
        body.rowconfigure(0, weight=1)
        self._left = theme.frame(body, theme.colours.ground)
        self._middle = theme.card(body, 6)
        self._side = SidePanel(
            body,
            theme,
            self._parts.tabs(theme),
            callbacks=TabCallbacks(
                on_position=self.go,
                on_time=self.seek,
                on_outcomes=lambda: self._announcer.announce("replay_outcomes"),
                report=report,
            ),
            on_save=self._choose_picture_file,
        )
        self._build_bottom(bottom)
        self._place_columns()
        body.bind("<Configure>", lambda _event: self._place_columns())
        bind_keys(
            self.frame,
            Shortcuts(self.play_or_pause, self.step, self.step_offer, self._to_end, self._change_speed),
            self._arrow_key_widgets,
            rtl=theme.rtl,
        )

    def _build_bottom(self, bottom: tk.Misc) -> None:
        theme, px = self._theme, self._theme.px
        theme.rule(bottom).pack(fill="x")
        moves = PlaybackCallbacks(
            self.play_or_pause, self.step, self.step_offer, self._set_speed, self._set_pauses_shortened
        )
        self._playback_buttons = PlaybackButtons(
            bottom, theme, moves, self._session.seat_styles(theme.colours)
        )
        self._playback_buttons.frame.pack(fill="x", padx=px(14), pady=(px(6), px(2)))
        self._timeline = TimelineBar(
            bottom,
            theme,
            describe=self._describe_event,
            on_seek=self._drag_to,
            on_pick=lambda moment: self.go(moment.position),
        )
        self._timeline.canvas.pack(fill="x", padx=px(10), pady=(0, px(4)))

    def _place_columns(self) -> None:
        """Place the columns; in a narrow window the researcher's panel replaces the side column or chat."""
        theme = self._theme
        arrangement = arrange_columns(theme.width, theme.height, "offer" if self._panel else "side")
        if not self._panel and len(arrangement.shown) == 1:
            arrangement = arrange_columns(theme.width, theme.height, "talk")
        elif not self._panel:
            arrangement = without_column(arrangement, "offer")
        frames: dict[TableColumn, tk.Widget] = {
            "side": self._left,
            "talk": self._middle,
            "offer": self._side.frame,
        }
        place_columns(self._body, theme, frames, arrangement, row=0)
        self._make_room(low=self._panel and theme.height < LOW)

    def _make_room(self, *, low: bool) -> None:
        """Hide header and timeline if the panel needs their space; a plot can serve as the timeline."""
        px, canvas = self._theme.px, self._timeline.canvas
        if low:
            self._top.pack_forget()
            canvas.pack_forget()
        elif not self._top.winfo_manager():
            self._top.pack(fill="x", before=self._bar.frame)
            canvas.pack(fill="x", padx=px(10), pady=(0, px(4)))

    def _arrow_key_widgets(self) -> tuple[tk.Misc, ...]:
        """Return the widgets that use the arrow keys themselves."""
        return self._observer_panels.transcript, *self._side.arrow_key_widgets()

    # Views

    def view_as(self, observer: Observer) -> None:
        """Show the session as another observer saw it, at the same time."""
        theme, playback = self._theme, self._playback
        self._observer = observer
        if observer not in self._presenters:
            self._presenters[observer] = ReplayPresenter(
                playback, observer, self._participants, theme.translate
            )
        for place in (self._top, self._left, self._middle):
            for child in place.winfo_children():
                child.destroy()
        self._observer_panels = ObserverPanels(
            self._top, self._left, self._middle, theme, self._presenters[observer]
        )
        clock, self._clock = self._clock, self._new_clock()
        self._clock.run_at(clock.speed)
        self._clock.limit_silences(clock.longest_silence)
        self._clock.seek(self._t)
        if self._playing:
            self._clock.play()
        sides = {side.seat: side for side in self._session.seat_styles(theme.colours)}
        marked = playback.markers(observer)
        self._timeline.show(timeline_rows(marked, theme.translate), sides, playback.seconds)
        self._bar.show(observer, panel=self._panel)
        if not self._side.chosen:
            self._side.open_first()
        self._show(self._position, self._t, follow=True)
        self._announcer.announce(
            "replay_view", view=observer.seat or ("complete" if observer.raw else "public")
        )

    def _new_clock(self) -> PlaybackClock:
        times = (moment.event.t for moment in self._playback.markers(self._observer))
        return PlaybackClock(times, self._playback.seconds, now=time.monotonic)

    def _toggle_panel(self) -> None:
        """Hide the researcher's panel, for example while a participant watches, or show it again."""
        self._panel = not self._panel
        self._place_columns()
        self._bar.show(self._observer, panel=self._panel)
        self._announcer.announce("replay_panel", shown=self._panel)

    # Moving

    def go(self, position: int) -> None:
        """Go to a position, counted in events."""
        self._clock.seek(self._playback.time_at(position))
        self._show(position, self._playback.time_at(position), follow=True)

    def seek(self, t: float) -> None:
        """Go to a session time."""
        self._clock.seek(t)
        self._show(self._playback.position_at(t), t, follow=True)

    def step(self, by: int) -> None:
        """Go forward, or backward, by a number of the observer's events."""
        self.go(self._playback.step(self._position, self._observer, by))

    def step_offer(self, by: int) -> None:
        """Go to the next or the previous offer, or trade."""
        find = self._playback.next_marked if by > 0 else self._playback.previous_marked
        found = find(self._position, [TimelineMarkKind.OFFER, TimelineMarkKind.TRADE], self._observer)
        if found is not None:
            self.go(found)

    def play_or_pause(self) -> None:
        """Start playback, from the beginning if the session is at its end, or pause it."""
        if self._playing:
            self._clock.pause()
            self._playing = False
        else:
            # By the clock: the last event may be on screen while the time after it is still running.
            at_end = self._clock.time >= self._playback.seconds
            self._clock.play()
            self._playing = True
            if at_end:
                self._show(0, 0.0, follow=True)
            self._tick()
        self._playback_buttons.show_playing(self._playing)
        self._announcer.announce("replay_playing" if self._playing else "replay_paused", t=self._t)

    def _to_end(self, last: bool) -> None:
        self.go(len(self._playback.events) if last else 0)

    def _drag_to(self, t: float) -> None:
        self._requested_t = t
        self._move_line(self._playback.position_at(t), t)
        self._seek_soon()

    def _seek(self) -> None:
        self.seek(self._requested_t)

    def _set_speed(self, speed: float) -> None:
        self._clock.run_at(speed)
        self._announcer.announce("replay_speed", speed=speed)

    def _change_speed(self, by: int) -> None:
        at = SPEEDS.index(self._clock.speed) + by
        if 0 <= at < len(SPEEDS):
            self._playback_buttons.show_speed(SPEEDS[at])
            self._set_speed(SPEEDS[at])

    def _set_pauses_shortened(self, wanted: bool) -> None:
        self._clock.limit_silences(LONGEST_SILENCE if wanted else None)

    # Playing

    def _tick(self) -> None:
        self._ticking = ""
        if not self._playing:
            return
        t = self._clock.time
        # Of several events at one time, the position may be at the first.
        position = max(self._playback.position_at(t), self._position if t == self._t else 0)
        if position != self._position or time.monotonic() - self._panels_at > PANELS_S:
            self._show(position, t, follow=False)
        else:
            self._move_line(position, t)
        if self._clock.playing:
            self._ticking = self._theme.root.after(TICK_MS, self._tick)
            return
        self._playing = False
        self._playback_buttons.show_playing(False)
        self._announcer.announce("replay_finished", t=self._t)

    def _stop(self) -> None:
        self._playing = False
        self._seek_soon.cancel()
        if self._ticking:
            self._theme.root.after_cancel(self._ticking)
            self._ticking = ""

    # Showing

    def _show(self, position: int, t: float, *, follow: bool) -> None:
        moved = position != self._position or not self._playing
        self._panels_at = time.monotonic()
        self._observer_panels.show(position, t, follow=follow)
        self._side.show(position, t)
        self._move_line(position, t)
        if moved:
            self._announce_state()

    def _move_line(self, position: int, t: float) -> None:
        self._position, self._t = position, t
        moment = self._playback.observed_event_at(position, self._observer)
        self._timeline.move(t, moment)
        self._playback_buttons.show(t, self._playback.seconds, position, len(self._playback.events))

    def _describe_event(self, moment: ObservedEvent) -> str:
        """Return the tooltip of an event on the timeline."""
        event, translate = moment.event, self._theme.translate
        words = " ".join(self._session.event_text(moment, translate).split("\n"))
        who = proposer_name(event, translate) or self._participants.name(event.sender, translate)
        if address := address_text(event, None, self._participants.names, translate):
            who = translate("{name} ({address})", name=who, address=address)
        return translate("{time}  {who}: {what}", time=time_text(event.t), who=who, what=words)

    def _announce_state(self) -> None:
        widgets = {
            **self._observer_panels.widgets,
            **self._bar.widgets(),
            **self._side.widgets(),
            **self._playback_buttons.widgets(),
            "replay.timeline": self._timeline.canvas,
        }
        for name, widget in widgets.items():
            self._announcer.register(name, widget)
        seq = self._playback.events[self._position - 1].seq if self._position else 0
        self._announcer.announce("replay_at", seq=seq, t=self._t)

    # Pictures

    def _choose_picture_file(self, which: FigureKind) -> None:
        path = choose_picture_file(self._theme, which)
        if path is not None:
            self.save(which, path)

    def save(self, which: FigureKind, path: Path) -> None:
        """Save a picture; show an error in the window."""
        theme = self._theme
        style = PlotStyle(theme.colours, theme.translate, *SIZE)
        try:
            save_picture(self._parts.export_drawing(which, style), path, theme.translate, replace=True)
        except NegoError as error:
            self._playback_buttons.show_message(displayable(str(error)))
            self._announcer.announce("replay_not_saved", text=str(error))
            return
        self._playback_buttons.show_message(theme.translate("Saved as {name}.", name=displayable(path.name)))
        self._announcer.announce("replay_saved", path=str(path))
