"""The table screen of a wizard in a window of its own, with a feed that the test writes."""

from __future__ import annotations

import time
import tkinter as tk
from queue import SimpleQueue
from tkinter import ttk
from typing import Any

from negoplatform.app.session.windows.session_feed import (
    FeedItem,
    FeedSuggestion,
    FeedSuggestionClosed,
    FeedWizard,
    HoldSuggestion,
    WizardEntry,
)
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.domain.seat_map import SeatMap
from negoplatform.formats.games import load_game
from negoplatform.formats.log_header import Header, Occupant
from negoplatform.gui.wizard.wizard_side import WizardPanelInputs, WizardSide
from negoplatform.hosting.agent_runner import ScriptStep
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.appearance import Appearance
from tests.window.table.several_window import SeveralWindow


class WizardWindow(SeveralWindow):
    """Window of the wizard of the first seat of a game.

    Args:
        game: The name of a shipped game.
        mode: The mode in which the session begins.
        appearance: The appearance of the window.
        size: Its size, for 96 dpi.
    """

    def __init__(
        self,
        game: str = "practice",
        *,
        mode: WizardMode = WizardMode.ASSISTED,
        appearance: Appearance | None = None,
        size: tuple[int, int] = (1280, 800),
        **options: Any,
    ) -> None:
        self.items: SimpleQueue[FeedItem] = SimpleQueue()
        self.sent: list[WizardEntry] = []
        super().__init__(
            load_game(bundled("games") / f"{game}.json"),
            appearance,
            size,
            wizard=WizardPanelInputs(self.items, self.sent.append),
            **options,
        )
        self.table.start()
        self.feed(FeedWizard(mode, dict.fromkeys(self.seats)))

    @property
    def side(self) -> WizardSide:  # type: ignore[override]  # the wizard's, not the column with the others
        """The wizard's side of the screen."""
        side = self.screen._wizard
        assert isinstance(side, WizardSide)
        return side

    @property
    def widgets(self) -> dict[str, tk.Misc]:
        """The controls by name."""
        return self.screen._widgets()

    def feed(self, *items: FeedItem) -> None:
        """Let the window get items of the feed."""
        for item in items:
            self.items.put(item)
        self.run()

    @property
    def answers(self) -> list[WizardEntry]:
        """Entries that the wizard has sent, without the holds of suggestions that are edited."""
        return [entry for entry in self.sent if not isinstance(entry, HoldSuggestion)]

    def suggest(self, number: int, *steps: ScriptStep, seconds: float | None = 20.0) -> None:
        """Let a suggestion wait for a number of seconds from now on."""
        newest = self.screen._updates.newest
        assert newest is not None
        now = time.monotonic() - newest.time_origin
        self.feed(FeedSuggestion(number, steps, None if seconds is None else now + seconds))

    def close_suggestion(self, number: int, verdict: SuggestionVerdict) -> None:
        """End the wait of a suggestion."""
        self.feed(FeedSuggestionClosed(number, verdict))

    def is_enabled(self, name: str) -> bool:
        """Return whether a control can be used."""
        widget = self.widgets[name]
        if isinstance(widget, ttk.Widget):
            return not widget.instate(["disabled"])
        return str(widget.cget("state")) == "normal"

    @property
    def focused(self) -> str:
        """The name of the focused control."""
        path = str(self.theme.root.tk.call("focus"))
        return next((name for name, widget in self.widgets.items() if str(widget) == path), path)


def whole_header(window: WizardWindow) -> Header:
    """Return the complete header of the log of a window's session."""
    mine, *others = window.seats
    occupants = {mine: Occupant("agent", "Agent", agent="fair")}
    occupants |= {seat: Occupant("human", "P01", participant="P01") for seat in others}
    return Header("0" * 12, "2026-01-01T00:00:00.000Z", "1", 1, window.table.state.game, SeatMap(occupants))
