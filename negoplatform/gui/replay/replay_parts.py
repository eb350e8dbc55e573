"""Parts of the replay of one kind of game: the sections of the researcher's panel, and pictures."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.replay.recorded_session import FigureKind, RecordedSession
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.plots.drawing import Drawing


class ReplayTab(Protocol):
    """Section of the researcher's panel."""

    frame: tk.Frame

    @property
    def focus(self) -> tk.Misc:
        """Widget that takes the keyboard focus and uses the arrow keys itself."""

    def show(self, position: int, t: float) -> None:
        """Show the position of the replay."""


@dataclass(frozen=True, slots=True)
class TabCallbacks:
    """Functions that a section calls.

    Args:
        on_position: Called with the position of an event that was picked.
        on_time: Called with a session time (s) that was clicked.
        on_outcomes: Called when something that takes long has been computed.
        report: Called with an unexpected error.
    """

    on_position: Callable[[int], None]
    on_time: Callable[[float], None]
    on_outcomes: Callable[[], None]
    report: Callable[[BaseException], object]


@dataclass(frozen=True, slots=True)
class TabEntry:
    """Section that can be opened.

    Args:
        title: Its name, in the window's language.
        make: Makes its widgets, when it is first opened.
        figure: The picture that can be saved while it is open.
        uses_arrow_keys: Whether its focus uses the arrow keys to the left and right.
    """

    title: str
    make: Callable[[tk.Misc, Theme, TabCallbacks], ReplayTab]
    figure: FigureKind = FigureKind.TRANSCRIPT
    uses_arrow_keys: bool = False


class ReplayParts(Protocol):
    """Parts of the replay of one kind of game.

    The sections' names are part of the names of widgets in UI tests; the first one is open at the start.
    """

    @property
    def session(self) -> RecordedSession:
        """The session."""

    def tabs(self, theme: Theme) -> Mapping[str, TabEntry]:
        """Return the sections by name, in reading order."""

    def live_tabs(self, theme: Theme) -> Mapping[str, TabEntry]:
        """Return the sections, by name in reading order, that follow a session in progress."""

    def export_drawing(self, which: FigureKind, style: PlotStyle) -> Drawing:
        """Return a picture to be saved.

        Raises:
            NegoError: If a session of this kind of game has no such picture, or it cannot be drawn.
        """
