"""Workbenches: interface of the parts of the table screen that differ by mechanism."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.core.events import Message
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.chat.chat_panel import ChatPanel
from negoplatform.gui.chat.interpretation_strip import InterpretationActions
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.table.side_column import SideCards
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import ModalHost
from negoplatform.presentation.chat.address_view import Address
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.table.session_update_reader import SessionUpdateReader
from negoplatform.presentation.table.table_presenter import TablePresenter
from negoplatform.presentation.table.table_view import TableView
from negoplatform.presentation.table.work_presenter import WorkView
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry


@dataclass(frozen=True, slots=True)
class WorkbenchHost:
    """Parts of the table screen that a workbench may use; each appearance has a new host.

    Args:
        theme: The window's theme.
        seat: The participant's seat.
        game: The game, with everything; what is shown comes from the state in ``updates``.
        presenter: The presenter of the table; ``presenter.work`` is that of the mechanism.
        participant: Publishes what the participant does.
        updates: The newest update of the session, and its time.
        dialogs: Asks for confirmation.
        pictures: The pictures of the game.
        redraw: Compute and show the view now.
        save: Save what is unsent soon.
        poll_soon: Look for the session's answer soon; called after every act.
        announce: Report to UI tests what is shown.
        address: Return the recipients of what the participant says.
        choose_address: Change them.
        say: Send a message, as a phrase is sent.
        on_said: Called with a message that the workbench has sent by itself, and its recipients.
        clear_sent: Clear the message field, whose text was sent.
        close_phrases: Close the phrases, which would cover what is shown above the message field.
        focus: Focus the first of the named controls that exists, in whatever column; if there is none, or it
            is disabled, the message field.
    """

    theme: Theme
    seat: Seat
    game: GameSpec
    presenter: TablePresenter
    participant: ParticipantController
    updates: SessionUpdateReader
    dialogs: ModalHost
    pictures: IssuePhotoCache
    redraw: Callable[[], None]
    save: Callable[[], None]
    poll_soon: Callable[[], None]
    announce: Callable[..., None]
    address: Callable[[], Address]
    choose_address: Callable[[Address], None]
    say: Callable[[Message, Address], None]
    on_said: Callable[[Message, Address], None]
    clear_sent: Callable[[], None]
    close_phrases: Callable[[], None]
    focus: Callable[..., None]


class TextReader(InterpretationActions, Protocol):
    """Reader of typed text, which may hold it until the participant confirms what was understood."""

    def preload(self) -> None:
        """Prepare in the background for the first text."""

    def submit(self, text: str) -> None:
        """Send a text, or hold it."""

    def refresh(self) -> None:
        """Adapt what is shown to a change of the session."""

    def on_text_changed(self, words: str) -> None:
        """Process the text in the message field, whenever it changes."""

    def on_address_changed(self) -> None:
        """Process that other recipients are chosen."""


class Workbench(Protocol):
    """Parts of the table screen that differ by mechanism.

    One workbench exists as long as its screen. It is built again with each appearance, in the order of the
    methods ``build…`` below; what the participant has prepared stays.
    """

    @property
    def reader(self) -> TextReader | None:
        """The reader of typed text, after :meth:`build`; None: typed text is simply sent."""

    def build(self, host: WorkbenchHost) -> None:
        """Begin with an appearance; widgets of an earlier one are destroyed already."""

    def build_side(self, parent: tk.Misc) -> SideCards:
        """Build the cards of the left column, below the others."""

    def build_in_talk(self, middle: tk.Widget, chat: ChatPanel) -> None:
        """Build what is above, over or in the chat, which is packed into the middle column already."""

    def build_column(self, parent: tk.Frame) -> tk.Widget:
        """Build the right column, and return its frame."""

    def tab_name(self, translate: Language) -> str:
        """Return the name of the right column's tab."""

    def begin(self, state: State, saved: Mapping[str, Any] | None) -> None:
        """Begin with the first state.

        Args:
            state: The session as the participant sees it.
            saved: What an interrupted session kept, :meth:`to_document` among it; None in a new session.
        """

    def update(self, state: State) -> None:
        """Adapt what is prepared to a new state; the view is computed right after."""

    def view(self, state: State, now: float) -> WorkView:
        """Return the view at a session time in seconds; called after :meth:`begin` only."""

    def show(self, view: TableView[WorkView]) -> bool:
        """Show a view; return whether the cards of the left column need another arrangement.

        ``view.work`` is what :meth:`view` has returned, or its disabled version; once ``view.end`` is not
        None, the result replaces the right column.
        """

    def add_lines(self, lines: Sequence[TranscriptEntry]) -> None:
        """Take note of new lines of the transcript."""

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""

    def newest_act_place(self) -> tuple[int, int] | None:
        """Return the place of the participant's newest act in pixels of the screen, where others look."""

    def click_home(self) -> tk.Misc | None:
        """Return what gets the focus after a click in the right column; None: the message field."""

    def undo(self) -> None:
        """Undo the last change of what is prepared; the message field had nothing to undo."""

    def redo(self) -> None:
        """Redo what was undone."""

    def prepare_offer(self, offer: Offer) -> None:
        """Prepare an offer in place of what is prepared; without effect where there are no offers."""

    def prepared_offer(self) -> Offer | None:
        """Return the offer that is prepared and can be sent; None if there is none."""

    def close_cards(self) -> bool:
        """Close the topmost card that the workbench has opened; return whether there was one."""

    def hold(self) -> None:
        """Send nothing by yourself from now on, until the participant does something."""

    def close(self) -> None:
        """Close what is open over the right column, which is hidden now: the game has ended."""

    def to_document(self) -> dict[str, Any]:
        """Return what would be lost if the program ended now: JSON values, all of them under ``work``.

        It is called after :meth:`begin` only. Only bargaining has other keys, so that its drafts can be read
        by every version of the program.
        """
