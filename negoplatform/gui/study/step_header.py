"""Line above the card of a study's screen: progress, time that is left, help, and the mark of tests."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.theming.theme import FIELD_FONT, Theme
from negoplatform.gui.widgets.dialogs import Dialog
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.study.step_page import StepPage

BAR_WIDTH, BAR_HEIGHT = 150, 6
"""Width and height of the progress bar, for 96 dpi."""

GAP = 12
"""Distance between two parts, for 96 dpi."""

LONGEST_QUESTION = 2000
"""Maximum number of characters of a question to the experimenter."""


class StepHeader:
    """Line above the card; parts of the progress are left out if there is no room for them.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        page: What the screen shows.
        announcer: Reports the positions of controls to UI tests.
        on_ask: Called for a question to the experimenter; None: it is not offered.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        page: StepPage,
        *,
        announcer: UiTestAnnouncer,
        on_ask: Callable[[], None] | None,
    ) -> None:
        self._theme = theme
        c, px, translate = theme.colours, theme.px, theme.translate
        self.frame = theme.frame(parent, c.ground)
        self._fixed: list[tk.Misc] = []
        self._optional: list[tuple[int, tk.Widget]] = []
        """Parts of the progress in reading order, each with its rank; the highest is left out first."""
        self._width = 0
        if page.is_test:
            mark = theme.label(self.frame, translate("TEST"), "bold", c.on_danger, ground=c.danger)
            mark.configure(padx=px(8), pady=px(2))
            mark.pack(side=theme.start, padx=theme.padx(0, GAP))
            self._fixed.append(mark)
        number, count = page.progress
        if count:
            self._optional.append((2, self._bar(number / count)))
            self._optional.append((3, self._quiet(translate("Step {n} of {of}", n=number, of=count))))
        if page.pages > 1:
            text = translate("Page {n} of {of}", n=page.page + 1, of=page.pages)
            self._optional.append((1, self._quiet(text)))
        if on_ask is not None:
            button = theme.button(
                self.frame, translate("I have a question"), "Ground.Quiet.TButton", on_ask, icon="help"
            )
            button.pack(side=theme.end)
            announcer.register("help", button)
            self._fixed.append(button)
        self._time = theme.label(self.frame, "", "bold", c.muted, ground=c.ground)
        self._time.pack(side=theme.end, padx=theme.padx(0, GAP))
        self._fixed.append(self._time)
        self.frame.bind("<Configure>", lambda event: self._resized(event.width))

    def show_time(self, text: str) -> None:
        """Show the time that is left."""
        before = self._time.winfo_reqwidth()
        self._time.write(text)
        if self._width and self._time.winfo_reqwidth() != before:
            self._fit()

    def _quiet(self, text: str) -> tk.Widget:
        c = self._theme.colours
        return self._theme.label(self.frame, text, "small", c.muted, ground=c.ground)

    def _bar(self, share: float) -> tk.Widget:
        theme, px, c = self._theme, self._theme.px, self._theme.colours
        track = tk.Frame(self.frame, bg=c.track, bd=0, width=px(BAR_WIDTH), height=max(2, px(BAR_HEIGHT)))
        done = tk.Frame(track, bg=c.primary, bd=0)
        done.place(relx=1 - share if theme.rtl else 0, y=0, relwidth=share, relheight=1)
        return track

    def _resized(self, width: int) -> None:
        if width > 1 and width != self._width:
            self._width = width
            self._fit()

    def _fit(self) -> None:
        """Place as many parts of the progress as there is room for."""
        gap = self._theme.px(GAP)
        room = self._width - sum(part.winfo_reqwidth() + gap for part in self._fixed)
        shown = set()
        for _rank, part in sorted(self._optional, key=lambda ranked: ranked[0]):
            room -= part.winfo_reqwidth() + gap
            if room >= 0:
                shown.add(part)
        for _rank, part in self._optional:
            part.pack_forget()
            if part in shown:
                part.pack(side=self._theme.start, padx=self._theme.padx(0, GAP))


def add_help_banner(
    parent: tk.Misc, theme: Theme, *, announcer: UiTestAnnouncer, on_experimenter: Callable[[], None]
) -> tk.Frame:
    """Return a line about a call for the experimenter, with the experimenter's button."""
    px, c = theme.px, theme.colours
    banner = tk.Frame(parent, bg=c.card, bd=0, padx=px(16), pady=px(6))
    button = theme.button(
        banner, theme.translate("Experimenter"), "Plain.TButton", on_experimenter, icon="lock"
    )
    button.pack(side=theme.end)
    announcer.register("experimenter", button)
    text = theme.translate("Please wait for the experimenter. If nobody comes, raise your hand or call.")
    theme.label(banner, text, "bold", wrap=max(200, theme.width - 260)).pack(side=theme.start)
    return banner


class HelpDialog(Dialog):
    """Dialog with a field for a question, which may stay empty.

    Args:
        theme: Theme of the window.
        announcer: Test announcer for opening and closing.
        on_ask: Called with the question.
    """

    def __init__(self, theme: Theme, *, announcer: UiTestAnnouncer, on_ask: Callable[[str], None]) -> None:
        translate = theme.translate
        super().__init__(theme, translate("I have a question"), announcer=announcer)
        self._on_ask = on_ask
        self.add_paragraph(
            translate(
                "Your screen will show that you need the experimenter. If you like, write your question here."
            ),
            theme.colours.muted,
        )
        self._field = ttk.Entry(self.body, font=theme.font(FIELD_FONT), justify=theme.justify)
        self._field.pack(fill="x", pady=theme.px(6))
        self._field.bind("<Return>", lambda _event: self._ask())
        self.add_buttons(
            translate("Call the experimenter"), translate("Cancel"), "Primary.TButton", self._ask
        )
        announcer.register("question", self._field)

    def initial_focus(self) -> tk.Misc:
        """Return the field for the question."""
        return self._field

    def _ask(self) -> None:
        question = self._field.get().strip()[:LONGEST_QUESTION]
        self.close()
        self._on_ask(question)
