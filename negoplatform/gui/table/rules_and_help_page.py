"""Page of text over another screen: the rules of the game, or the help page."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterable
from tkinter import ttk

from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.table.table_view import RulesView
from negoplatform.presentation.table.work_presenter import IssueReasons

WIDTH = 620
"""Width of the text, for 96 dpi."""

WIDE, GAP = 970, 34
"""Width of two columns of text, and the gap between them, for 96 dpi."""

BESIDE = 100
"""Part of the window's width without text (the card's edges, the ground around it), for 96 dpi."""

SHORT_FOOT, NOTE = 560, 32
"""Text width below which the note is above the buttons, and the height that it takes there, for 96 dpi."""

MOST, AROUND = 530, 165
"""Greatest height of the text, and the height taken by everything else, for 96 dpi."""

ASKING = 52
"""Height of the button for questions and its note, above the page, for 96 dpi."""

MOST_OF_BRIEFING = 640
"""Greatest height of the text where it has reasons for issues, which are long."""

PICTURE = 18
"""Size of an issue's picture, for 96 dpi."""


class RulesAndHelpPage:
    """Page that covers its parent, with a button to continue.

    Args:
        parent: The widget that the page covers.
        theme: The window's theme.
        view: The text of the page.
        button: The text of its button.
        icon: The icon of its button.
        note: Text next to the button; empty: none.
        escape: Whether Escape presses the button too.
        wide: Whether to use two columns if they fit.
        pictures: Pictures of issues; None: issues are shown without.
        below: The widget at the top that stays visible; None: the page covers everything.
        on_close: Called when the button is pressed.
        on_help: Called to show the help page; None: it is not offered.
        back_label: The text and the command of the button that goes back; None: no button.
        on_ask: Called for a question to the experimenter; None: it is not offered.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        view: RulesView,
        *,
        button: str,
        icon: str = "",
        note: str = "",
        escape: bool,
        wide: bool = False,
        pictures: IssuePhotoCache | None = None,
        below: tk.Misc | None = None,
        on_close: Callable[[], None],
        on_help: Callable[[], None] | None = None,
        back_label: tuple[str, Callable[[], None]] | None = None,
        on_ask: Callable[[], None] | None = None,
    ) -> None:
        px, c = theme.px, theme.colours
        self._theme, self._view, self._pictures = theme, view, pictures
        self.frame = theme.frame(parent, c.ground)
        asking = 0 if on_ask is None else ASKING
        area = theme.frame(self.frame, c.ground)
        area.place(y=px(asking), relwidth=1, relheight=1, height=-px(asking))
        card = theme.card(area, 28)
        card.place(relx=0.5, rely=0.48, anchor="center")
        room = round(theme.width) - BESIDE
        wide, width = wide and room >= WIDE, min(WIDTH, room)
        theme.label(card, view.title, "big", wrap=width).pack(anchor=theme.west)
        theme.label(card, view.subtitle, "body", c.muted, wrap=width).pack(
            anchor=theme.west, pady=(px(2), px(6))
        )
        above = 0 if below is None else round(below.winfo_height() / theme.scale)
        apart = bool(note) and width < SHORT_FOOT
        most = MOST_OF_BRIEFING if view.issues else MOST
        height = min(most, round(theme.height) - AROUND - asking - above - apart * NOTE)
        rows = ScrolledFrame(card, theme, width=WIDE if wide else width, height=height)
        rows.frame.pack(fill="x")
        if wide:
            self._write_two(rows.inside)
        else:
            self._write(rows.inside, range(len(view.sections)), width - 16)
        rows.bind_scrolling(rows.inside)
        foot = theme.frame(card)
        foot.pack(fill="x", pady=(px(16), 0))
        self.button = theme.button(foot, button, "Primary.TButton", on_close, icon=icon)
        self.button.pack(side=theme.end)
        self._focus_stops: list[tk.Misc] = [rows.canvas, self.button]
        self.help: ttk.Button | None = None
        self.back: ttk.Button | None = None
        self.ask: ttk.Button | None = None
        if on_ask is not None:
            # Above the text, where it is on the other pages of a study.
            self.ask = theme.button(
                self.frame, theme.translate("I have a question"), "Ground.Quiet.TButton", on_ask, icon="help"
            )
            self.ask.place(relx=0.0 if theme.rtl else 1.0, x=px(18 if theme.rtl else -18), y=px(12))
            self.ask.place_configure(anchor="nw" if theme.rtl else "ne")
            self._focus_stops.append(self.ask)
            self._note_above = theme.label(
                self.frame, "", "bold", c.primary, ground=c.ground, wrap=max(200, round(theme.width) - 260)
            )
            side, gap = (1.0, px(-24)) if theme.rtl else (0.0, px(24))
            self._note_above.place(relx=side, x=gap, y=px(18), anchor="ne" if theme.rtl else "nw")
        self._add_optional_buttons(theme, foot, on_help, back_label)
        if note:
            if apart:
                theme.label(card, note, "small", c.muted, wrap=width).pack(
                    before=foot, anchor=theme.west, pady=(px(8), 0)
                )
            else:
                theme.label(foot, note, "small", c.muted, wrap=width - 340).pack(side=theme.start)
        for stop in self._focus_stops:
            stop.bind("<<NextWindow>>", lambda _event: self._move_focus(1))
            stop.bind("<<PrevWindow>>", lambda _event: self._move_focus(-1))
            if escape:
                stop.bind("<Escape>", lambda _event: on_close())
        self._cover(below)
        self.frame.tkraise()
        self.button.focus_set()

    def show_note(self, text: str) -> None:
        """Show a note above the page, where there is a button for questions."""
        if self.ask is not None:
            self._note_above.write(text)

    def _add_optional_buttons(
        self,
        theme: Theme,
        foot: tk.Frame,
        on_help: Callable[[], None] | None,
        back_label: tuple[str, Callable[[], None]] | None,
    ) -> None:
        """Add the buttons for the help page and for going back, where they are offered."""
        if on_help is not None:
            self.help = theme.button(
                foot, theme.translate("How this works"), "Quiet.TButton", on_help, icon="help"
            )
            self.help.pack(side=theme.end, padx=theme.px(8))
            self._focus_stops.insert(1, self.help)
        if back_label is not None:
            text, go_back = back_label
            self.back = theme.button(foot, text, "Quiet.TButton", go_back)
            self.back.pack(side=theme.start, padx=theme.padx(0, 8))
            self._focus_stops.insert(1, self.back)

    def _write_two(self, parent: tk.Misc) -> None:
        theme, count = self._theme, len(self._view.sections)
        parent.grid_anchor(theme.west)
        second = self._view.second_column or range((count + 1) // 2, count)
        first = [index for index in range(count) if index not in second]
        for column, part in enumerate((first, second)):
            frame = theme.frame(parent)
            frame.grid(
                row=0,
                column=theme.column(column, 2),
                sticky="n" + theme.west,
                padx=theme.padx(GAP if column else 0, 0),
            )
            self._write(frame, part, (WIDE - GAP - 16) / 2)

    def _write(self, parent: tk.Misc, indices: Iterable[int], width: float) -> None:
        theme = self._theme
        for index in indices:
            heading, paragraphs = self._view.sections[index]
            theme.label(parent, heading, "bold").pack(anchor=theme.west, pady=(theme.px(10), theme.px(2)))
            for text in paragraphs:
                theme.label(parent, text, "body", wrap=width).pack(anchor=theme.west, pady=theme.px(2))
            if index == self._view.issues_section:
                for issue in self._view.issues:
                    self._write_issue(parent, issue, width)

    def _write_issue(self, parent: tk.Misc, issue: IssueReasons, width: float) -> None:
        """Write an issue's title and worth on one line, and its reasons below."""
        theme, c = self._theme, self._theme.colours
        head = theme.frame(parent)
        head.pack(anchor=theme.west, pady=(theme.px(5), 0))
        picture = self._pictures.get(issue.picture, theme.px(PICTURE)) if self._pictures else None
        if picture is not None:
            image = tk.Label(head, image=picture, bg=c.card, bd=0, padx=0, pady=0)
            image.pack(side=theme.start, padx=theme.padx(0, 6))
        theme.label(head, issue.title, "body").pack(side=theme.start)
        theme.label(head, issue.points, "small", c.muted).pack(side=theme.start, padx=theme.padx(8, 0))
        indent = PICTURE + 6 if picture is not None else 0
        theme.label(parent, issue.reasons, "small", c.muted, wrap=width - indent).pack(
            anchor=theme.west, padx=theme.padx(indent, 0)
        )

    def _cover(self, below: tk.Misc | None) -> None:
        """Cover the parent, or the part of it below a widget that stays visible."""
        room = 0 if below is None else below.winfo_height()
        self.frame.place(x=0, y=room, relwidth=1, relheight=1, height=-room)

    def close(self) -> None:
        """Destroy the page; the caller sets the focus."""
        self.frame.destroy()

    def _move_focus(self, step: int) -> str:
        """Move the focus among the buttons and the text, if it scrolls; not to what the page covers."""
        rows = self._focus_stops[0]
        scrolls = int(str(rows.cget("takefocus"))) == 1
        stops = self._focus_stops if scrolls else self._focus_stops[1:]
        now = str(rows.tk.call("focus"))
        at = next((index for index, stop in enumerate(stops) if str(stop) == now), len(stops) - 1)
        stops[(at + step) % len(stops)].focus_set()
        return "break"
