"""The participant's talk at the table: what is sent, to whom, and what has not been sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.participant_seat import ParticipantSeat
from negoplatform.core.events import Event, Expression, Message
from negoplatform.core.state import State
from negoplatform.gui.chat.chat_panel import ChatPanel
from negoplatform.gui.table.workbench import Workbench
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Throttle
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.chat.address_view import EVERYONE, Address
from negoplatform.presentation.table.unsent_input import UnsentInput

SAVES_PER_SECOND = 4
TYPING_PER_SECOND = 1


class TalkController:
    """Controller of what the participant says; it lasts as long as its screen.

    Args:
        theme: The window's theme.
        table: The participant's seat.
        participant: Publishes what the participant does.
        workbench: Reads typed text, and prepares what is kept with it.
        announcer: Reports to UI tests that the recipients change.
        chat: Returns the chat of the present appearance.
        redraw: Show the view again.
        poll_soon: Look for the session's answer soon.
        can_save: Returns whether what is unsent can be saved now.
    """

    def __init__(
        self,
        theme: Theme,
        table: ParticipantSeat,
        participant: ParticipantController,
        workbench: Workbench,
        *,
        announcer: UiTestAnnouncer,
        chat: Callable[[], ChatPanel],
        redraw: Callable[[], None],
        poll_soon: Callable[[], None],
        can_save: Callable[[], bool],
    ) -> None:
        self._table, self._participant, self._workbench = table, participant, workbench
        self._announcer, self._chat = announcer, chat
        self._redraw, self._poll_soon, self._can_save = redraw, poll_soon, can_save
        self._unsent: UnsentInput | None = None
        self.show_typing = Throttle(theme.root, 1000 // TYPING_PER_SECOND, participant.show_typing)
        """Shows the others that the participant is typing."""
        self.save_soon = Throttle(theme.root, 1000 // SAVES_PER_SECOND, self._save)
        """Saves what is unsent, in case the program ends."""

    @property
    def has_begun(self) -> bool:
        """Whether the first state is known."""
        return self._unsent is not None

    @property
    def address(self) -> Address:
        """The recipients of what the participant says."""
        return EVERYONE if self._unsent is None else self._unsent.address

    def begin(self, state: State, kept: Mapping[str, Any] | None) -> str:
        """Begin with the first state, and what an interrupted session kept; return the restored text."""
        self._unsent = UnsentInput(self._table.seat, state.game, kept, state.transcript_of(self._table.seat))
        if self._unsent.restored_text:
            self._chat().restore_text(self._unsent.restored_text)
        if (reader := self._workbench.reader) is not None:
            reader.preload()
        return self._unsent.restored_text

    def on_event(self, event: Event) -> None:
        """Process an event: text of the participant that was recorded, or refused and restored."""
        if self._unsent is None:
            return
        settled, back = self._unsent.resolve(event)
        if back:
            self._chat().restore_text(back)
        if settled:
            self.save_soon()

    def take_undelivered(self) -> str:
        """Return the text that was not delivered before the session ended, and forget it."""
        return "" if self._unsent is None else self._unsent.take_undelivered()

    def hold(self) -> None:
        """Send nothing that no press has asked for, not even a typing sign."""
        self.show_typing.cancel()
        self._workbench.hold()

    def choose_address(self, address: Address) -> None:
        """Change the recipients of what is said from now on."""
        if self._unsent is None or address == self._unsent.address:
            return
        self._unsent.address = address
        if (reader := self._workbench.reader) is not None:
            reader.on_address_changed()
        self._redraw()
        self._announcer.announce("address", to=list(address))
        self.save_soon()

    def send_phrase(self, message: Message) -> None:
        """Send a phrase to the chosen recipients; the text in the message field stays."""
        self.send_message(message, self.address)

    def submit_text(self, text: str) -> None:
        """Send typed text, or show its interpretation."""
        self.show_typing.cancel()
        if (reader := self._workbench.reader) is not None:
            reader.submit(text)
            return
        self.send_message(Message(text), self.address)
        self._chat().clear_sent()

    def send_message(self, message: Message, to: Address) -> None:
        """Send a message."""
        self._participant.send_message(message, to)
        self.on_message_sent(message, to)

    def on_message_sent(self, message: Message, to: Address) -> None:
        """Remember a message that was sent until it is recorded."""
        self.show_typing.cancel()
        if self._unsent is not None:
            self._unsent.add(message, to)
        self._poll_soon()

    def on_text_changed(self) -> None:
        """Process a change of the text in the message field."""
        if (reader := self._workbench.reader) is not None:
            reader.on_text_changed(self._chat().text)
        self.save_soon()

    def send_expression(self, expression: Expression, duration_ms: int) -> None:
        """Show an emotion for a number of milliseconds."""
        self._participant.send_expression(expression, duration_ms)
        self._poll_soon()

    def _save(self) -> None:
        """Save the draft and the text, including text not yet delivered."""
        if self._unsent is not None and self._can_save():
            self._participant.save_draft(
                self._unsent.to_document(self._chat().text, self._workbench.to_document())
            )
