"""Parts of the replay of bargaining: utilities, possible deals and a table of offers."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping

from negoplatform.app.playback.outcome_space import OutcomeSpace
from negoplatform.app.playback.playback import Playback
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.replay.event_details_tab import EventDetailsTab
from negoplatform.gui.replay.offers_tab import OffersTab
from negoplatform.gui.replay.plot_tabs import OutcomesTab, UtilitiesTab
from negoplatform.gui.replay.recorded_session import FigureKind
from negoplatform.gui.replay.replay_parts import ReplayTab, TabCallbacks, TabEntry
from negoplatform.gui.replay.session_plots import SessionPlots
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.background_task import in_background
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.plots.drawing import Drawing
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames


class BargainingReplayParts:
    """Parts of the replay of bargaining.

    Args:
        playback: The session.
        participants: The names of the session.
    """

    def __init__(self, playback: Playback, participants: SeatOccupantNames) -> None:
        self.session = SessionPlots(playback, participants)

    def tabs(self, theme: Theme) -> Mapping[str, TabEntry]:
        """Return the sections by name, in reading order."""
        translate = theme.translate
        return {
            "utilities": TabEntry(
                translate("Utilities"), self._utilities, FigureKind.UTILITIES, uses_arrow_keys=True
            ),
            "outcomes": TabEntry(
                translate("Outcomes"), self._outcomes, FigureKind.OUTCOMES, uses_arrow_keys=True
            ),
            "offers": TabEntry(translate("Offers"), self._offers),
            "event": TabEntry(
                translate("Event"), lambda parent, theme, _on: EventDetailsTab(parent, theme, self.session)
            ),
        }

    def live_tabs(self, theme: Theme) -> Mapping[str, TabEntry]:
        """Return the sections, by name in reading order, that follow a session in progress."""
        return {"offers": TabEntry(theme.translate("Offers"), self._offers)}

    def export_drawing(self, which: FigureKind, style: PlotStyle) -> Drawing:
        """Return a picture to be saved."""
        return self.session.export_drawing(which, style)

    def _utilities(self, parent: tk.Misc, theme: Theme, on: TabCallbacks) -> ReplayTab:
        return UtilitiesTab(parent, theme, self.session, on_position=on.on_position, on_time=on.on_time)

    def _offers(self, parent: tk.Misc, theme: Theme, on: TabCallbacks) -> ReplayTab:
        return OffersTab(parent, theme, self.session, on_position=on.on_position)

    def _outcomes(self, parent: tk.Misc, theme: Theme, on: TabCallbacks) -> ReplayTab:
        """Make the section and compute the outcomes in the background: a large game has millions of them."""
        tab = OutcomesTab(
            parent, theme, self.session, on_position=on.on_position, on_time=lambda _value: None
        )
        if self.session.space is not None:
            return tab
        translate = theme.translate
        tab.show_message(translate("Looking at every possible deal…"))

        def failed(problem: str) -> None:
            if tab.frame.winfo_exists():
                tab.show_message(displayable(problem))
                on.on_outcomes()

        def found(space: OutcomeSpace) -> None:
            if tab.frame.winfo_exists():
                tab.set_outcomes(space)
                on.on_outcomes()

        in_background(
            theme.root,
            self.session.compute_outcomes,
            found,
            failed,
            report=on.report,
            translate=translate,
        )
        return tab
