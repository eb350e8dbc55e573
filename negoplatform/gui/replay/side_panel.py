"""Researcher's panel with its tabs."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk

from negoplatform.app.playback.outcome_space import OutcomeSpace
from negoplatform.gui.replay.event_details_tab import EventDetailsTab
from negoplatform.gui.replay.offers_tab import OffersTab
from negoplatform.gui.replay.plot_tabs import OutcomesTab, ReplayTab, UtilitiesTab
from negoplatform.gui.replay.session_plots import FigureKind, SessionPlots
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.background_task import in_background
from negoplatform.presentation.localized_names import displayable

WIDTH = 384
"""Width of the card at 96 dpi: as wide as the builder in a negotiation."""

WIDE = 560
"""Width of the card from which the save button is next to the tabs' names, at 96 dpi."""

TAB_FIGURES = {"utilities": FigureKind.UTILITIES, "outcomes": FigureKind.OUTCOMES}
"""Tabs that are pictures themselves; in the other tabs the transcript can be saved."""


class SidePanel:
    """Card with tabs; each tab is created when it is first opened.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        plots: The session's figures.
        on_position: Called with the position of an offer or a mark that was picked.
        on_time: Called with a session time that was clicked.
        on_save: Called with the kind of picture to be saved.
        report: Called with an unexpected error.
        on_outcomes: Called when the outcomes have been computed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        plots: SessionPlots,
        *,
        on_position: Callable[[int], None],
        on_time: Callable[[float], None],
        on_save: Callable[[FigureKind], None],
        report: Callable[[BaseException], object],
        on_outcomes: Callable[[], None],
    ) -> None:
        self._theme, self._plots, self._report = theme, plots, report
        self._on_outcomes = on_outcomes
        self._at = (0, 0.0)
        self._outcomes_requested = False
        self._tabs: dict[str, ReplayTab] = {}
        self.chosen = ""
        self.frame = theme.card(parent, 10)
        self.frame.configure(width=theme.px(WIDTH))
        self.frame.pack_propagate(False)
        translate = theme.translate
        titles = {
            "utilities": translate("Utilities"),
            "outcomes": translate("Outcomes"),
            "offers": translate("Offers"),
            "event": translate("Event"),
        }
        self._head = head = theme.frame(self.frame)
        head.pack(fill="x", pady=(0, theme.px(6)))
        self.buttons = {
            name: theme.button(head, title, "Toggle.TButton", partial(self.choose, name))
            for name, title in titles.items()
        }
        for button in self.buttons.values():
            button.pack(side=theme.start, padx=theme.padx(0, 4))
        self._place = theme.frame(self.frame)
        self.save = theme.button(
            self.frame,
            translate("Save picture…"),
            "Quiet.TButton",
            lambda: on_save(self.picture),
            icon="image",
        )
        self._place.pack(fill="both", expand=True)
        self._place_save(0)
        self.frame.bind("<Configure>", lambda event: self._place_save(event.width))
        # Tab follows the stacking order, which has to be the reading order.
        self.save.lift()
        self._make: dict[str, Callable[[tk.Misc, Theme, SessionPlots], ReplayTab]] = {
            "utilities": partial(UtilitiesTab, on_position=on_position, on_time=on_time),
            "outcomes": partial(OutcomesTab, on_position=on_position, on_time=lambda _value: None),
            "offers": partial(OffersTab, on_position=on_position),
            "event": EventDetailsTab,
        }

    @property
    def picture(self) -> FigureKind:
        """Kind of picture that can be saved now."""
        return TAB_FIGURES.get(self.chosen, FigureKind.TRANSCRIPT)

    def _place_save(self, width: int) -> None:
        """Place the save button below everything, or next to the tabs' names if there is space."""
        theme = self._theme
        if width > theme.px(WIDE):
            self.save.pack(in_=self._head, side=theme.end)
        else:
            self.save.pack(in_=self.frame, side="bottom", anchor=theme.west, before=self._place)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the widgets that can be pressed, by name."""
        named: dict[str, tk.Misc] = {f"replay.tab.{name}": button for name, button in self.buttons.items()}
        if self.chosen:
            named[f"replay.{self.chosen}"] = self._tabs[self.chosen].focus
        return {**named, "replay.save": self.save}

    def choose(self, name: str) -> None:
        """Open a tab."""
        if name == self.chosen:
            return
        theme = self._theme
        if self.chosen:
            self._tabs[self.chosen].frame.pack_forget()
        self.chosen = name
        if name not in self._tabs:
            self._tabs[name] = self._make[name](self._place, theme, self._plots)
        tab = self._tabs[name]
        tab.frame.pack(fill="both", expand=True)
        for each, button in self.buttons.items():
            self._style_button(button, chosen=each == name)
        transcript = self.picture is FigureKind.TRANSCRIPT
        theme.set_button_text(
            self.save,
            theme.translate("Save the transcript…") if transcript else theme.translate("Save picture…"),
        )
        tab.show(*self._at)
        if isinstance(tab, OutcomesTab):
            self._find_outcomes(tab)

    def show(self, position: int, t: float) -> None:
        """Show the position of the replay."""
        self._at = position, t
        if self.chosen:
            self._tabs[self.chosen].show(position, t)

    def _style_button(self, button: ttk.Button, *, chosen: bool) -> None:
        button.configure(style="Chosen.Toggle.TButton" if chosen else "Toggle.TButton")

    def _find_outcomes(self, tab: OutcomesTab) -> None:
        """Compute the outcomes in the background; a large game has millions of them."""
        if self._outcomes_requested:
            return
        self._outcomes_requested = True
        if self._plots.space is not None:
            return
        translate = self._theme.translate
        tab.show_message(translate("Looking at every possible deal…"))

        def failed(problem: str) -> None:
            if self.frame.winfo_exists():
                tab.show_message(displayable(problem))
                self._on_outcomes()

        def found(space: OutcomeSpace) -> None:
            if self.frame.winfo_exists():
                tab.set_outcomes(space)
                self._on_outcomes()

        in_background(
            self._theme.root,
            self._plots.compute_outcomes,
            found,
            failed,
            report=self._report,
            translate=translate,
        )
