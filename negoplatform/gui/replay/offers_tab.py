"""Table of a session's offers: sender, time, points and step class."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from types import MappingProxyType

from negoplatform.app.playback.offer_metrics import RecordedOffer
from negoplatform.domain.step_analysis import StepClass
from negoplatform.gui.replay.replay_table import ReplayTable, ReplayTableColumn
from negoplatform.gui.replay.session_plots import SessionPlots
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Throttle
from negoplatform.presentation.i18n import gettext_noop
from negoplatform.presentation.localized_names import truncate
from negoplatform.presentation.plots.axis_ticks import time_text
from negoplatform.presentation.time_and_points_text import format_number

STEPS: Mapping[StepClass, str] = MappingProxyType(
    {
        StepClass.FORTUNATE: gettext_noop("fortunate"),
        StepClass.SELFISH: gettext_noop("selfish"),
        StepClass.CONCESSION: gettext_noop("concession"),
        StepClass.UNFORTUNATE: gettext_noop("unfortunate"),
        StepClass.NICE: gettext_noop("nice"),
        StepClass.SILENT: gettext_noop("silent"),
    }
)

WIDTHS = {"number": 28, "time": 44, "who": 66, "points": 48, "step": 104}
"""Widths of the columns at 96 dpi; there is a column of points for every side with known preferences."""

MOST_SEATS = 3
"""Largest number of sides whose columns of points fit; more are scrolled."""

AT_MOST_EVERY_MS = 100
"""Interval between updates while the user drags: finding a row among thousands is slow."""


class OffersTab:
    """Table with a row per offer; the latest offer is selected, and choosing another goes to it.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        plots: The session's figures.
        on_position: Called with the position of a chosen offer.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, plots: SessionPlots, *, on_position: Callable[[int], None]
    ) -> None:
        self._theme, self._plots, self._on_position = theme, plots, on_position
        self._current: RecordedOffer | None = None
        self._marked_row = Throttle(theme.root, AT_MOST_EVERY_MS, self._mark_now)
        self._rows: list[RecordedOffer] = []
        self._names = {side.seat: side.name for side in plots.seat_styles(theme.colours)}
        self.frame = theme.frame(parent)
        self._table = ReplayTable(
            self.frame,
            theme,
            self._columns(),
            on_choose=self._chosen,
            scrolls_across=len(plots.scales) > MOST_SEATS,
        )
        self._table.frame.pack(fill="both", expand=True)
        self._fill()
        self.frame.bind("<Destroy>", lambda _event: self._marked_row.cancel())

    @property
    def focus(self) -> tk.Misc:
        """Widget that takes the keyboard focus."""
        return self._table.widget

    def show(self, position: int, t: float) -> None:  # noqa: ARG002 - the same for every section
        """Select the offer that was sent last."""
        self._fill()
        offer = self._plots.offer_at(position)
        if offer is not self._current:
            self._current = offer
            self._marked_row()

    def _mark_now(self) -> None:
        self._table.mark(None if self._current is None else self._current.number)

    def _columns(self) -> list[ReplayTableColumn]:
        translate = self._theme.translate
        return [
            ReplayTableColumn("number", translate("No."), WIDTHS["number"]),
            ReplayTableColumn("time", translate("Time"), WIDTHS["time"]),
            ReplayTableColumn("who", translate("From"), WIDTHS["who"], stretches=True),
            *(
                ReplayTableColumn(f"points{i}", truncate(self._names[scale.seat], 9), WIDTHS["points"])
                for i, scale in enumerate(self._plots.scales)
            ),
            ReplayTableColumn("step", translate("Step"), WIDTHS["step"], stretches=True),
        ]

    def _fill(self) -> None:
        """Write the rows that are new or have changed."""
        rows = self._rows
        for index, offer in enumerate(self._plots.offers):
            if index == len(rows):
                self._table.add(self._cells(offer))
                rows.append(offer)
            elif rows[index] is not offer:
                self._table.change(offer.number, self._cells(offer))
                rows[index] = offer

    def _cells(self, offer: RecordedOffer) -> list[str]:
        translate = self._theme.translate
        step = translate(STEPS[offer.step]) if offer.step is not None else "–"
        if offer.deal:
            step = translate("{step}, deal", step=step) if offer.step is not None else translate("deal")
        points = [format_number(offer.points[scale.seat], translate) for scale in self._plots.scales]
        return [str(offer.number), time_text(offer.t), self._names[offer.seat], *points, step]

    def _chosen(self, number: int) -> None:
        self._current = self._plots.offers[number - 1]
        self._on_position(self._current.position)
