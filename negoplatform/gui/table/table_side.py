"""Interface of a panel at the end side of the table, such as that of a wizard."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import ModalHost
from negoplatform.presentation.chat.phrases import PhrasesView
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.table.session_update_reader import SessionUpdateReader


@dataclass(frozen=True, slots=True)
class TableSideHost:
    """Parts of the table screen that the side panel may use; each appearance has a new host.

    Args:
        theme: The window's theme.
        seat: The seat of the table.
        game: The game as the seat may see it.
        names: The displayed names of the other seats.
        updates: The newest update of the session, and its time.
        dialogs: Asks for confirmation.
        announce: Report to UI tests what is shown.
        redraw: Show the table again: whether the seat can act has changed.
        phrases: Return the phrases of the window; None: they are not known yet.
        type_text: Type a text into the message field, at its cursor.
        keep_text: Put a text into the message field, ahead of what is typed there.
        prepare_offer: Put an offer into the offer builder.
        prepared_offer: Return the offer of the offer builder, if it can be sent.
        focus_home: Give the message field the focus.
        is_covered: Return whether a page, a dialog or a pause covers the table.
    """

    theme: Theme
    seat: Seat
    game: GameSpec
    names: Mapping[Seat, str]
    updates: SessionUpdateReader
    dialogs: ModalHost
    announce: Callable[..., None]
    redraw: Callable[[], None]
    phrases: Callable[[], PhrasesView | None]
    type_text: Callable[[str], None]
    keep_text: Callable[[str], None]
    prepare_offer: Callable[[Offer], object]
    prepared_offer: Callable[[], Offer | None]
    focus_home: Callable[[], None]
    is_covered: Callable[[], bool]


class TableSide(Protocol):
    """Side panel of one table screen; it is built again with each appearance."""

    @property
    def can_act(self) -> bool:
        """Whether the seat can act at the table."""

    @property
    def watching_note(self) -> str:
        """Sentence below the message field while it cannot."""

    def make_area(self, parent: tk.Frame, theme: Theme) -> tk.Frame:
        """Return the frame in which the table itself is built, before :meth:`build`."""

    def build(self, parent: tk.Frame, host: TableSideHost) -> None:
        """Build the panel of an appearance, after the table."""

    def keep_edits(self) -> None:
        """Keep what is being edited for the next appearance; its widgets are destroyed afterwards."""

    def poll(self) -> None:
        """Take what the session has queued, and show the result."""

    def show(self) -> None:
        """Show the present state and the time that is left."""

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""

    def leave_question(self, translate: Language) -> ConfirmationQuestion:
        """Return the question before the window is closed in a running game, which goes on."""


class TableSideInputs(Protocol):
    """Inputs of a side panel."""

    def make_side(self) -> TableSide:
        """Return the panel for a new table screen."""
