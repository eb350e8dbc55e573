"""List of studies for the experimenter: interrupted visits first, then a card for each study."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.study.study_card import StudiesView, StudyCard, VisitCard, join_ids

WIDTH = 980
"""Largest width of the cards, for 96 dpi."""

AROUND = 96
"""Part of the window's width outside of the cards' texts, for 96 dpi."""


class StudiesScreen:
    """Studies and interrupted visits.

    Args:
        theme: Theme of the window.
        view: What is shown.
        announcer: Reports the positions of controls to UI tests.
        on_start: Called with the key of the study that participants begin.
        on_try: Called with the key of the study that is tried out.
        on_go_on: Called with the key of the visit that goes on.
        on_close: Called with the key of the visit that is ended.
        on_install: Called to install a study from an archive.
        on_open: Called to open a folder with a study.
        on_refresh: Called to look for studies again.
        on_back: Called to go back.
    """

    def __init__(
        self,
        theme: Theme,
        view: StudiesView,
        *,
        announcer: UiTestAnnouncer,
        on_start: Callable[[str], None],
        on_try: Callable[[str], None],
        on_go_on: Callable[[str], None],
        on_close: Callable[[str], None],
        on_install: Callable[[], None],
        on_open: Callable[[], None],
        on_refresh: Callable[[], None],
        on_back: Callable[[], None],
    ) -> None:
        self._theme, self._announcer = theme, announcer
        self._on_start, self._on_try = on_start, on_try
        self._on_go_on, self._on_close = on_go_on, on_close
        self._text_width = min(WIDTH, round(theme.width) - AROUND)
        translate, px = theme.translate, theme.px
        self.frame = theme.frame(theme.root, theme.colours.ground)
        self._add_header(
            ("studies.back", translate("Back"), "leave", on_back),
            ("studies.refresh", translate("Refresh"), "again", on_refresh),
            ("studies.open", translate("Open folder…"), "folder", on_open),
            ("studies.install", translate("Install a study…"), "plus", on_install),
        )
        card = theme.card(self.frame, 16)
        card.pack(fill="both", expand=True, padx=px(18), pady=(0, px(16)))
        self._add_station(card, view.station)
        self._message = theme.label(card, "", "bold", theme.colours.muted, wrap=self._text_width)
        self._message.pack(side="bottom", anchor=theme.west, pady=(px(8), 0))
        self._rows = ScrolledFrame(card, theme, width=self._text_width, height=100_000)
        self._rows.frame.pack(fill="both", expand=True, pady=(px(10), 0))
        self._show_rows(view)

    @property
    def station(self) -> str:
        """The name of this computer in its field."""
        return self._station.get()

    def update(self, view: StudiesView) -> None:
        """Show other studies and visits; the name of this computer and the scroll position stay."""
        seen = self._rows.canvas.yview()[0]
        for child in self._rows.inside.winfo_children():
            child.destroy()
        self._show_rows(view)
        self._rows.inside.update_idletasks()
        self._rows.canvas.yview_moveto(seen)

    def show_message(self, sentence: str) -> None:
        """Show a message below the list."""
        self._message.write(displayable(sentence), self._theme.colours.muted)
        self._announcer.announce("studies_message", text=sentence)

    def show_error(self, sentence: str) -> None:
        """Show an error message below the list."""
        self._message.write(displayable(sentence), self._theme.colours.danger)
        self._announcer.announce("problem", text=sentence)

    def _add_header(self, *tools: tuple[str, str, str, Callable[[], None]]) -> None:
        theme, ground = self._theme, self._theme.colours.ground
        header = theme.frame(self.frame, ground)
        header.pack(fill="x", padx=theme.px(22), pady=theme.px(12))
        theme.label(header, theme.translate("Studies"), "big", ground=ground).pack(side=theme.start)
        earlier: list[ttk.Button] = []
        for name, text, icon, command in tools:
            button = theme.button(header, text, "Ground.Quiet.TButton", command, icon=icon)
            button.pack(side=theme.end, padx=theme.padx(8 if earlier else 0, 0))
            for other in earlier:
                other.lift()  # Tab follows the stacking order, which must be the reading order
            self._announcer.register(name, button)
            earlier.append(button)

    def _add_station(self, card: tk.Misc, station: str) -> None:
        theme = self._theme
        row = theme.frame(card)
        row.pack(fill="x")
        theme.label(row, theme.translate("Name of this computer:"), "bold").pack(side=theme.start)
        self._station = ttk.Entry(row, font=theme.font("body"), width=20, justify=theme.justify)
        self._station.insert(0, station)
        self._station.pack(side=theme.start, padx=theme.padx(10, 10))
        note = theme.translate("It is recorded with each visit.")
        theme.label(row, note, "small", theme.colours.muted).pack(side=theme.start)
        self._announcer.register("station", self._station)

    def _show_rows(self, view: StudiesView) -> None:
        theme, translate, inside = self._theme, self._theme.translate, self._rows.inside
        if view.visits:
            heading = translate.plural(
                "{n} visit was interrupted", "{n} visits were interrupted", len(view.visits)
            )
            theme.label(inside, heading, "heading").pack(anchor=theme.west, pady=(0, theme.px(4)))
            for number, visit in enumerate(view.visits):
                self._add_visit(visit, number)
        if not view.studies:
            text = translate("There are no studies here yet. Install one, or open a study’s folder.")
            theme.label(inside, text, colour=theme.colours.muted, wrap=self._text_width).pack(
                anchor=theme.west, pady=theme.px(10)
            )
        for number, study in enumerate(view.studies):
            self._add_study(study, number)
        self._rows.bind_scrolling(inside)

    def _add_visit(self, visit: VisitCard, number: int) -> None:
        theme, px = self._theme, self._theme.px
        row = self._add_row()
        buttons = theme.frame(row)
        buttons.pack(side=theme.end, anchor="n")
        room = self._text_width - 240
        theme.label(row, visit.title, "bold", wrap=room).pack(anchor=theme.west)
        theme.label(row, visit.facts, "small", theme.colours.muted, wrap=room).pack(anchor=theme.west)
        if visit.problem:
            theme.label(row, visit.problem, "small", theme.colours.danger, wrap=room).pack(anchor=theme.west)
        else:
            self._add_button(
                buttons,
                theme.translate("Resume"),
                "Primary.TButton",
                f"go_on.{number}",
                self._on_go_on,
                visit.key,
            ).pack(side=theme.start, padx=theme.padx(0, 8))
            self._add_button(
                buttons,
                theme.translate("End it"),
                "Plain.TButton",
                f"end.{number}",
                self._on_close,
                visit.key,
            ).pack(side=theme.start)
        theme.frame(row).pack(pady=px(2))

    def _add_study(self, study: StudyCard, number: int) -> None:
        theme, px, c, translate = self._theme, self._theme.px, self._theme.colours, self._theme.translate
        row = self._add_row()
        buttons = theme.frame(row)
        buttons.pack(side=theme.end, anchor="n")
        room = self._text_width - 240
        theme.label(row, study.title, "heading", wrap=room).pack(anchor=theme.west)
        if study.problem:
            theme.label(row, study.problem, "body", c.danger, wrap=room).pack(anchor=theme.west, pady=px(4))
            return
        facts = theme.label(row, study.facts, "small_bold", c.ink if study.is_frozen else c.danger, wrap=room)
        facts.pack(anchor=theme.west, pady=(px(2), px(4)))
        theme.label(row, study.stages, "small", c.muted, wrap=room).pack(anchor=theme.west)
        self._add_cells(row, study, room)
        self._add_findings(row, study, room)
        start = self._add_button(
            buttons, translate("Start here"), "Primary.TButton", f"start.{number}", self._on_start, study.key
        )
        start.configure(state="normal" if study.can_start else "disabled")
        start.pack(side=theme.start, padx=theme.padx(0, 8))
        tried = self._add_button(
            buttons, translate("Try it out"), "Plain.TButton", f"try.{number}", self._on_try, study.key
        )
        tried.configure(state="normal" if study.can_try else "disabled")
        tried.pack(side=theme.start)

    def _add_cells(self, row: tk.Misc, study: StudyCard, room: int) -> None:
        if not study.cells:
            return
        theme = self._theme
        cells = [f"{name}: {count}" for name, count in study.cells]
        counts = join_ids(cells, "·", theme.translate)
        text = theme.translate("Visits here, finished/begun: {counts}", counts=counts)
        theme.label(row, text, "small", wrap=room).pack(anchor=theme.west, pady=(theme.px(4), 0))

    def _add_findings(self, row: tk.Misc, study: StudyCard, room: int) -> None:
        theme, c = self._theme, self._theme.colours
        if study.findings is None:
            return
        if not study.findings:
            text = theme.translate("The check found no mistakes.")
            theme.label(row, text, "small", c.muted, wrap=room).pack(anchor=theme.west, pady=(theme.px(4), 0))
        for is_error, text in study.findings:
            theme.label(row, text, "small", c.danger if is_error else c.muted, wrap=room).pack(
                anchor=theme.west, pady=(theme.px(3), 0)
            )

    def _add_row(self) -> tk.Frame:
        theme = self._theme
        theme.rule(self._rows.inside).pack(fill="x")
        row = theme.frame(self._rows.inside)
        row.pack(fill="x", pady=theme.px(10), padx=theme.px(4))
        return row

    def _add_button(
        self, parent: tk.Misc, text: str, style: str, name: str, command: Callable[[str], None], key: str
    ) -> ttk.Button:
        button = self._theme.button(parent, text, style, lambda: command(key))
        self._announcer.register(name, button)
        return button
