"""Frame of all screens of a study: title, progress, a body that scrolls, and buttons that stay visible."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tkinter import ttk
from typing import Any, Protocol

from negoplatform.app.visit.visit_drafts import ELAPSED
from negoplatform.domain.errors import Refused
from negoplatform.gui.study.option_cells import put_own_keys_first
from negoplatform.gui.study.step_actions import StepActions
from negoplatform.gui.study.step_header import HelpDialog, StepHeader, add_help_banner
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame, bind_scroll_keys
from negoplatform.gui.widgets.timers import Ticker
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.key_debounce import KeyDebounce
from negoplatform.presentation.study.step_page import StepPage
from negoplatform.presentation.time_and_points_text import clock_text

WIDTH = 720
"""Width of the body, for 96 dpi."""

AROUND = 30
"""Part of the window's width outside of the card, for 96 dpi."""

PADDING, LOW_PADDING = 26, 16
"""Padding of the card, in a window that is high enough and in a low one, for 96 dpi."""

BAR_ROOM = 20
"""Part of the card's width that its scrollbar may take, for 96 dpi."""

LOW = 520
"""Height of a window, for 96 dpi, below which margins are smaller."""

LONGEST_HEADING = 120
"""Number of characters of a title up to which it stays above the body; a longer one scrolls with it."""

DOUBLE_CLICK_SECONDS = 0.35
"""Seconds within which a click belongs to the click before, or to the one that has brought the page."""

DRAFT_MS = 2000
"""Milliseconds after a change until unsent entries are kept."""

TALL = 100_000
"""More than the height of any body: a body requests the height that it needs, and gets what is available."""


class Wrapping(Protocol):
    """Contents that are wrapped at a width."""

    def wrap_to(self, width: int) -> object:
        """Wrap at a width in pixels."""


class StepFrame:
    """Screen with a title, a body and buttons; subclasses add the contents.

    An action is performed once: after it was not refused, nothing on the screen has an effect.

    Args:
        theme: Theme of the window.
        page: What is shown.
        actions: Actions of the participant.
        announcer: Reports the positions of controls to UI tests.
        picture: Returns the file of a picture; None if there is none.
        fills: Whether the card has the height of the window, so that its buttons stay where they are from
            page to page; otherwise it is as high as its contents.
        width: Width of the body, for 96 dpi.
    """

    enter_continues = True
    """Whether Enter presses the main button while no control has the keyboard focus."""

    def __init__(
        self,
        theme: Theme,
        page: StepPage,
        actions: StepActions,
        *,
        announcer: UiTestAnnouncer,
        picture: Callable[[str], Path | None],
        fills: bool = True,
        width: int = WIDTH,
    ) -> None:
        self.theme, self.page, self.actions = theme, page, actions
        self.announcer, self.picture = announcer, picture
        self.is_done = False
        self._most_width = width
        self._shown_at = time.monotonic() - page.elapsed_seconds
        self._page_shown_at = time.monotonic() - float(page.answers.get(ELAPSED, 0)) / 1000
        self._has_timed_out = False
        self._wraps: list[tuple[Wrapping, int]] = []
        self._width = 0
        self._debounce = KeyDebounce()
        self._clicked_at = time.monotonic()
        self._click_counts = True
        self._further_buttons: list[ttk.Button] = []
        self._banner: tk.Frame | None = None
        self.continue_button: ttk.Button | None = None
        self._may_continue: Callable[[], bool] = lambda: True
        low = theme.height < LOW
        px, c = theme.px, theme.colours
        self._padding = LOW_PADDING if low else PADDING
        self.frame = theme.frame(theme.root, c.ground)
        for column in (0, 2):
            self.frame.columnconfigure(column, weight=1)
        self.frame.rowconfigure(1, weight=1)
        self._make_header(low)
        self._card = theme.card(self.frame, self._padding)
        sticky = "nsew" if fills else "ew"
        self._card.grid(row=1, column=1, sticky=sticky, pady=(0, px(6 if low else 18)))
        scrolls = len(page.title) > LONGEST_HEADING
        if not scrolls:
            self._add_heading(self._card, low)
        self._make_footer(low)
        # The card has the same width with a scrollbar and without: its column is as wide as both.
        self.scrolled = ScrolledFrame(self._card, theme, width=100, height=TALL)
        self._set_card_width()
        self.scrolled.frame.pack(fill="both", expand=True)
        self.body = self.scrolled.inside
        if scrolls:
            self._add_heading(self.body, low)
        self._draft = Ticker(self.frame, self._keep_draft)
        self._clock = Ticker(self.frame, self._on_second)
        self.frame.bind("<Configure>", self._resized)

    # For subclasses

    def wrap(self, contents: Wrapping, indent: int = 0) -> None:
        """Wrap contents at the width of the body less an indentation in pixels, now and after a resize."""
        self._wraps.append((contents, indent))
        contents.wrap_to(self.width - indent)

    @property
    def width(self) -> int:
        """Width of the body's contents in pixels."""
        return self.theme.px(self._room)

    def finish(self) -> None:
        """Complete the screen: the last call of a subclass's constructor."""
        self._order_tab_stops()
        self.scrolled.bind_scrolling(self.body)
        put_own_keys_first(self.body)
        bind_scroll_keys(self.frame.bind, self.scrolled.canvas.yview_scroll)
        if self.enter_continues:
            self.bind_enter(self.frame)
        self._debounce.on_shown(time.monotonic())
        self.refresh_continue()
        self.show_time()
        # Not now, because an action may replace the screen before the caller has received it.
        self._clock.schedule(1)
        self.announcer.announce("study_screen", kind=self.page.kind, step=self.page.step, page=self.page.page)

    def add_continue(
        self,
        text: str,
        command: Callable[[], None],
        *,
        icon: str = "",
        may: Callable[[], bool] = lambda: True,
        name: str = "continue",
    ) -> ttk.Button:
        """Add the main button.

        Args:
            text: Its text.
            command: The action, which may raise ``Refused``.
            icon: Its icon.
            may: Returns whether it can be pressed now, apart from the minimum time of the page.
            name: Its name in UI tests.
        """
        theme = self.theme
        button = theme.button(self._footer, text, "Primary.TButton", lambda: self.perform(command), icon=icon)
        button.pack(side=theme.end)
        self._hint.pack(side=theme.end, padx=theme.padx(0, 12))
        for key in ("Return", "KP_Enter", "space"):
            button.bind(f"<{key}>", self._reject_held_key)
            button.bind(f"<KeyRelease-{key}>", lambda event: self._debounce.on_release(event.time))
        # Clicks that were made while the page was built follow this event.
        button.bind("<Map>", self._on_button_shown)
        button.bind("<ButtonPress-1>", self._reject_double_click)
        button.bind("<ButtonRelease-1>", self._reject_release)
        self.continue_button, self._may_continue = button, may
        self.announcer.register(name, button)
        return button

    def add_button(
        self,
        text: str,
        command: Callable[[], None],
        *,
        name: str,
        style: str = "Quiet.TButton",
        icon: str = "",
    ) -> ttk.Button:
        """Add a further button at the starting side of the footer."""
        button = self.theme.button(self._footer, text, style, command, icon=icon)
        button.pack(side=self.theme.start, padx=self.theme.padx(0, 8))
        self._further_buttons.append(button)
        self.announcer.register(name, button)
        return button

    def perform(self, action: Callable[[], None]) -> None:
        """Perform an action once; if it is refused, show why, and let the participant go on."""
        if self.is_done:
            return
        self.is_done = True
        self._draft.stop()
        try:
            action()
        except Refused as refusal:
            self.is_done = False
            self.show_problem(self.theme.translate(str(refusal)))
        except BaseException:
            self.is_done = False
            raise

    def perform_without_leaving(self, action: Callable[[], None]) -> None:
        """Perform an action that does not leave the screen; if it is refused, show why."""
        if self.is_done:
            return
        try:
            action()
        except Refused as refusal:
            self.show_problem(self.theme.translate(str(refusal)))

    def show_problem(self, sentence: str) -> None:
        """Show a sentence above the buttons; an empty one removes it, and its room stays."""
        if sentence:
            self._problem.write(sentence)
            gap = self.theme.px(8)
            self._problem.pack(side="bottom", after=self._footer, anchor=self.theme.west, pady=(gap, 0))
            self.announcer.announce("study_problem", text=sentence)
            # The sentence makes the body smaller.
            focused = self.frame.focus_get()
            if focused is not None and str(focused).startswith(f"{self.body}."):
                self.reveal(focused)
        else:
            # Without its room, what is clicked next would move under the pointer.
            self._problem.clear_but_keep_room()

    def changed(self) -> None:
        """Record that an entry has changed; it is kept shortly afterwards."""
        if not self.is_done:
            self._draft.schedule(DRAFT_MS)

    def press_continue(self, event: tk.Event[tk.Misc]) -> str:
        """Press the main button on Enter outside of it, unless the key is held or the page is new."""
        if self._debounce.is_confirmation(event.time, time.monotonic()) and self.continue_button is not None:
            self.continue_button.invoke()
        return "break"

    def release_key(self, event: tk.Event[tk.Misc]) -> None:
        """Record the release of Enter."""
        self._debounce.on_release(event.time)

    def bind_enter(self, widget: tk.Misc, on_enter: Callable[[tk.Event[tk.Misc]], str] | None = None) -> None:
        """Let Enter in a widget press the main button, or call a function."""
        for key in ("Return", "KP_Enter"):
            widget.bind(f"<{key}>", on_enter or self.press_continue)
            widget.bind(f"<KeyRelease-{key}>", self.release_key)

    def reveal(self, widget: tk.Misc) -> None:
        """Scroll so that a widget of the body is visible, with some room above it."""
        self.frame.update_idletasks()
        needed = max(1, self.body.winfo_reqheight())
        top = widget.winfo_rooty() - self.body.winfo_rooty()
        room = self.scrolled.canvas.winfo_height()
        seen = self.scrolled.canvas.canvasy(0)
        if not seen <= top <= top + widget.winfo_height() <= seen + room:
            self.scrolled.canvas.yview_moveto(max(0, top - room // 8) / needed)

    @property
    def ms(self) -> int:
        """Milliseconds for which the page has been shown."""
        return round((time.monotonic() - self._page_shown_at) * 1000)

    @property
    def elapsed_seconds(self) -> float:
        """Seconds for which the step has been open."""
        return time.monotonic() - self._shown_at

    def show_time(self) -> None:
        """Update what changes with time; called about once a second."""
        limit = self.page.timeout_seconds
        if limit is not None and self.page.shows_time:
            self._header.show_time(clock_text(max(0.0, limit - self.elapsed_seconds), self.theme.translate))

    def act_on_time(self) -> None:
        """Perform the action whose time has come, if there is one; called about once a second."""
        limit = self.page.timeout_seconds
        if limit is not None and self.elapsed_seconds >= limit and not self._has_timed_out:
            self._has_timed_out = True
            self.perform_without_leaving(self.actions.time_out)

    def refresh_continue(self) -> None:
        """Enable or disable the main button."""
        left = self.page.at_least_seconds - self.elapsed_seconds
        if self.continue_button is None:
            return
        may = left <= 0 and self._may_continue()
        if may == self.continue_button.instate(["disabled"]):
            self.continue_button.state(["!disabled" if may else "disabled"])
        self._hint.write(
            self.theme.translate("You can continue in {time}.", time=clock_text(left, self.theme.translate))
            if left > 0
            else self.hint
        )

    @property
    def hint(self) -> str:
        """Sentence next to the main button; empty: none."""
        return ""

    # For the controller

    def entered(self) -> Mapping[str, Any]:
        """Return the unsent entries."""
        return {ELAPSED: self.ms}

    def focus_first(self) -> None:
        """Give the keyboard focus to the main button, or to no control where there is more to read."""
        self.frame.update_idletasks()
        scrolls = self.body.winfo_reqheight() > self.scrolled.canvas.winfo_height()
        if self.continue_button is not None and not scrolls and self.continue_button.instate(["!disabled"]):
            self.continue_button.focus_set()
        else:
            self.focus_nothing()

    def focus_nothing(self) -> None:
        """Give the keyboard focus to no control: arrow keys scroll, and Enter presses the main button."""
        self.frame.focus_set()

    def close(self) -> None:
        """Stop all timers."""
        self.is_done = True
        self._draft.stop()
        self._clock.stop()

    # Parts

    @property
    def _room(self) -> int:
        """Width of the body's contents, for 96 dpi."""
        around = AROUND + 2 * self._padding + BAR_ROOM
        return min(self._most_width, round(self.theme.width) - around)

    def _set_card_width(self) -> None:
        px = self.theme.px
        self.frame.columnconfigure(1, minsize=px(self._room) + px(BAR_ROOM) + 2 * px(self._padding))

    def _make_header(self, low: bool) -> None:
        theme, px, page = self.theme, self.theme.px, self.page
        can_ask = page.has_help and not page.help_is_open and page.kind != "over"
        self._header = StepHeader(
            self.frame, theme, page, announcer=self.announcer, on_ask=self._ask if can_ask else None
        )
        self._header.frame.grid(
            row=0, column=0, columnspan=3, sticky="ew", padx=px(18), pady=px(4 if low else 12)
        )
        if page.help_is_open:
            theme.rule(self.frame).grid(row=2, column=0, columnspan=3, sticky="ew")
            banner = add_help_banner(
                self.frame,
                theme,
                announcer=self.announcer,
                on_experimenter=lambda: self.perform_without_leaving(self.actions.ask_experimenter),
            )
            banner.grid(row=3, column=0, columnspan=3, sticky="ew")
            self._banner = banner

    def _add_heading(self, parent: tk.Misc, low: bool) -> None:
        if self.page.title:
            theme = self.theme
            heading = theme.label(parent, self.page.title, "big" if not low else "heading")
            heading.pack(anchor=theme.west, pady=(0, theme.px(8)), padx=theme.px(2))
            self.wrap(heading)

    def _make_footer(self, low: bool) -> None:
        theme, px, c = self.theme, self.theme.px, self.theme.colours
        self._footer = theme.frame(self._card)
        self._footer.pack(side="bottom", fill="x", pady=(px(8 if low else 14), 0))
        self._problem = theme.label(self._card, "", "bold", c.danger)
        self.wrap(self._problem)
        self._hint = theme.label(self._footer, "", "small", c.muted)

    def _order_tab_stops(self) -> None:
        """Let Tab go from the body to the main button, then to the other buttons and the header.

        Tab follows the stacking order.
        """
        for widget in (self._footer, *self._further_buttons, self._banner, self._header.frame):
            if widget is not None:
                widget.lift()

    def _reject_held_key(self, event: tk.Event[tk.Misc]) -> str | None:
        return None if self._debounce.is_confirmation(event.time, time.monotonic()) else "break"

    def _on_button_shown(self, _event: object) -> None:
        self._clicked_at = time.monotonic()

    def _reject_double_click(self, _event: object) -> str | None:
        """Reject a click that belongs to one on the page before, whose button was at the same place."""
        now, before = time.monotonic(), self._clicked_at
        self._clicked_at, self._click_counts = now, now - before >= DOUBLE_CLICK_SECONDS
        return None if self._click_counts else "break"

    def _reject_release(self, _event: object) -> str | None:
        """Reject the end of a rejected click: Tk takes a pointer on a new button for a press."""
        if self._click_counts or self.continue_button is None:
            return None
        self.continue_button.state(["!pressed"])
        return "break"

    def _ask(self) -> None:
        HelpDialog(self.theme, announcer=self.announcer, on_ask=self._send_question).open()

    def _send_question(self, text: str) -> None:
        self.perform_without_leaving(partial(self.actions.ask_for_help, text))

    def _keep_draft(self) -> None:
        if not self.is_done:
            self.perform_without_leaving(lambda: self.actions.keep_draft(self.entered()))

    def _on_second(self) -> None:
        if self.is_done:
            return
        self.refresh_continue()
        self.show_time()
        self.act_on_time()
        if not self.is_done:
            self._clock.schedule(1000 - round(self.elapsed_seconds * 1000) % 1000)

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is not self.frame or self.width == self._width or event.width <= 1:
            return
        self._width = self.width
        self._set_card_width()
        for contents, indent in self._wraps:
            contents.wrap_to(self.width - indent)
