"""Parts of the replay that games of goods and money share: the accounts over time, and the event."""

from __future__ import annotations

import tkinter as tk
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property

from negoplatform.app.playback.playback import Playback
from negoplatform.app.playback.standings import StandingStep, recorded_standings
from negoplatform.core.events import Event
from negoplatform.core.state import State
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.plots.goods_plot_drawings import standings_plot
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.replay.event_details_tab import EventDetailsTab
from negoplatform.gui.replay.goods_tabs import AccountsList, AccountsTab
from negoplatform.gui.replay.recorded_session import FigureKind, RecordedSession
from negoplatform.gui.replay.replay_parts import ReplayTab, TabCallbacks, TabEntry
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.plots.drawing import Drawing
from negoplatform.presentation.replay.goods_accounts import SeatAccountView
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames


class GoodsReplayParts(ABC):
    """Parts of the replay of a game of goods and money; each kind of game adds its own.

    Args:
        playback: The session.
        participants: The names of the session.
    """

    def __init__(self, playback: Playback, participants: SeatOccupantNames) -> None:
        self.session = RecordedSession(playback, participants)

    @cached_property
    def standings(self) -> Mapping[Seat, tuple[StandingStep, ...]]:
        """Worth of each account over time."""
        return recorded_standings(self.session.playback, self.session.observer)

    @abstractmethod
    def scores_title(self, translate: Language) -> str:
        """Return the title of the plot of what the accounts are worth."""

    def live_tabs(self, theme: Theme) -> Mapping[str, TabEntry]:
        """Return the sections, by name in reading order, that follow a session in progress."""
        return {"accounts": TabEntry(theme.translate("Accounts"), self._make_accounts_list)}

    @abstractmethod
    def accounts_at(self, state: State, t: float, translate: Language) -> Sequence[SeatAccountView]:
        """Return the accounts in a state at a session time (s)."""

    def export_drawing(self, which: FigureKind, style: PlotStyle) -> Drawing:
        """Return a picture to be saved.

        Raises:
            NegoError: If a session of this kind of game has no such picture, or it cannot be drawn.
        """
        if which is FigureKind.SCORES:
            return self.scores(style)
        return self.session.export_drawing(which, style)

    def scores(self, style: PlotStyle) -> Drawing:
        """Return the plot of what the accounts are worth."""
        return standings_plot(
            style,
            self.scores_title(style.translate),
            self.standings,
            self.session.seat_styles(style.colours),
            seconds=self.session.playback.seconds,
        )

    def observed_events(self) -> list[Event]:
        """Return the events that the log has for its observer."""
        return [moment.event for moment in self.session.playback.observed_events(self.session.observer)]

    def game_language(self, translate: Language) -> Language:
        """Return a language with the texts of the session's game."""
        return translate.for_game(self.session.game.name)

    def state_at(self, position: int) -> State:
        """Return the state at a position, as the observer may see it."""
        return self.session.playback.view_at(position, self.session.observer).state

    def make_accounts_tab(self, parent: tk.Misc, theme: Theme, on: TabCallbacks) -> ReplayTab:
        """Make the section with the accounts."""
        translate = self.game_language(theme.translate)
        return AccountsTab(
            parent,
            theme,
            self.session,
            on,
            draw=lambda style, _position: self.scores(style),
            accounts=lambda position, t: self.accounts_at(self.state_at(position), t, translate),
        )

    def _make_accounts_list(self, parent: tk.Misc, theme: Theme, on: TabCallbacks) -> ReplayTab:  # noqa: ARG002 - as for every section
        translate = self.game_language(theme.translate)
        return AccountsList(
            parent,
            theme,
            self.session,
            lambda position, t: self.accounts_at(self.state_at(position), t, translate),
        )

    def make_event_tab(self, parent: tk.Misc, theme: Theme, on: TabCallbacks) -> ReplayTab:  # noqa: ARG002 - as for every section
        """Make the section with the event's details."""
        return EventDetailsTab(parent, theme, self.session)
