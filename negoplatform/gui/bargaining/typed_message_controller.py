"""Handling of typed text: sent at once, or held until the participant confirms its interpretation. No Tk.

=====================================  =================================================================
interpretation of the text             effect
=====================================  =================================================================
no offer or acceptance                 the text is sent
plain offer or acceptance              the text is held; confirming sends it, then the offer or acceptance
clear offer, but not plain             the text is held; after it is sent alone, the offer stays proposed
clear acceptance, but not plain        the text is held; sent alone, it accepts nothing
possible or incomplete offer           the text is sent; the offer is proposed, or a question is asked
=====================================  =================================================================

A corrected term replaces the interpreted one. The text goes to the recipients that were chosen when it was
submitted; an offer or an acceptance goes to everyone, so it takes more than Enter where the text does not.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Thread

from negoplatform.app.session.participant_actions import ShownInterpretation
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.core.action_rules import LONGEST_MESSAGE
from negoplatform.core.events import Message
from negoplatform.core.state import Phase, State
from negoplatform.domain.offer import Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.interpretations import InterpretationVerdict
from negoplatform.gui.bargaining.offer_confirmations import OfferConfirmations
from negoplatform.language import Interpretation, Parser, dialogue_context, is_language_parsed, parse
from negoplatform.presentation.bargaining.offer_builder_view import accept_view
from negoplatform.presentation.chat.address_view import EVERYONE, Address
from negoplatform.presentation.interpretation.interpretation_view import (
    InterpretationView,
    interpretation_view,
    stale_view,
    terms_text,
)
from negoplatform.presentation.interpretation.interpreted_message import (
    InterpretedMessage,
    TypedTextIntent,
    interpret_message,
    is_still_valid,
    last_act_seq,
)
from negoplatform.presentation.table.session_update_reader import SessionUpdateReader
from negoplatform.presentation.table.table_presenter import TablePresenter


@dataclass(frozen=True, slots=True)
class PendingMessage:
    """Typed text with its interpretation, awaiting the participant's reply; it may have been sent already.

    Args:
        message: The text.
        interpreted: The interpretation.
        note: The note of the interpretation in the log.
        stale: Whether its subject is gone; then only a sentence about that is shown.
    """

    message: Message
    interpreted: InterpretedMessage
    note: ShownInterpretation
    stale: bool = False

    @property
    def entry_text(self) -> str:
        """The text that the message field has to contain while this is pending."""
        return "" if self.interpreted.is_sent else self.message.text


class TypedMessageController:
    """Controller between the message field and the session.

    Args:
        presenter: The presenter of the participant's table.
        updates: The latest update of the session.
        participant: Sends messages, offers and acceptances, and records notes.
        confirmations: Asks for confirmation of binding offers and acceptances.
        on_show: Called with the interpretation to show, or None to hide it.
        address: Returns the recipients of what is submitted; none means everyone.
        on_sent: Called with a message that was sent, and its recipients.
        on_edit: Called with terms to edit in the offer builder.
        announce: Reports to UI tests what is shown.
        report: Called with an exception of the parser; the text is then sent as it is.
        pending: A pending message from before the screen was rebuilt.
        parse: The parser of messages.
    """

    def __init__(
        self,
        *,
        presenter: TablePresenter,
        updates: SessionUpdateReader,
        participant: ParticipantController,
        confirmations: OfferConfirmations,
        on_show: Callable[[InterpretationView | None], None],
        on_sent: Callable[[Message, Address], None],
        on_edit: Callable[[Offer], None],
        announce: Callable[..., None],
        report: Callable[[BaseException], object],
        address: Callable[[], Address] = lambda: EVERYONE,
        pending: PendingMessage | None = None,
        parse: Parser = parse,
    ) -> None:
        self._presenter, self._updates = presenter, updates
        self._participant, self._confirmations = participant, confirmations
        self._on_show, self._on_sent, self._on_edit = on_show, on_sent, on_edit
        self._announce, self._address = announce, address
        self._report = report
        self._parser = parse
        self.pending = pending

    def preload(self) -> None:
        """Load the parser in the background, so that the first message does not wait for it."""
        state = self._state
        if state is None or not _is_parsing_enabled(state):
            return
        situation = dialogue_context(
            state, self._presenter.seat, language=state.game.rules.effective_reading_language
        )

        def load() -> None:
            with suppress(Exception):  # the first message will report any error
                self._parser("", situation)

        Thread(target=load, name="reading", daemon=True).start()

    def submit(self, text: str) -> None:
        """Send typed text, or hold it with its interpretation."""
        self._withdraw()
        message, state, to = Message(text), self._state, self._address()
        reading = None if state is None else self._parse(text, state, to)
        if state is None or reading is None:
            self._participant.send_message(message, to)
            self._on_sent(message, to)
            return
        held, language = (
            interpret_message(reading, state, self._presenter.seat),
            state.game.rules.effective_reading_language,
        )
        if held is None:
            self._participant.send_with_interpretation(message, reading, language, to)
            self._on_sent(message, to)
            return
        held = replace(held, to=to)
        if held.is_sent:
            shown = self._participant.send_and_show_interpretation(
                message, reading, language, held.offers, to
            )
            self._on_sent(message, to)
        else:
            shown = self._participant.show_interpretation(reading, language, held.offers)
        self.pending = PendingMessage(message, held, shown)
        self._announce_shown("reading_shown")

    def refresh(self) -> None:
        """Update what is shown after a change of the session; a pending message may have become stale."""
        waiting, state = self.pending, self._state
        if waiting is None or state is None:
            return
        if not waiting.stale and not is_still_valid(waiting.interpreted, state, self._presenter.seat):
            if waiting.interpreted.is_sent:
                own = last_act_seq(state, self._presenter.seat) != waiting.interpreted.last_act_seq
                self._dismiss(waiting, InterpretationVerdict.WITHDRAWN, by_table=not own)
                return
            self._participant.dismiss_interpretation(
                waiting.note, InterpretationVerdict.WITHDRAWN, by_table=True
            )
            self.pending = waiting = replace(waiting, stale=True)
            self._announce("reading_gone")
        if waiting.stale and state.phase is not Phase.NEGOTIATING:
            self._clear()  # the end needs no further explanation
        elif self._updates.paused:
            self._on_show(None)  # no reply is possible during a pause
        else:
            self._show()

    def on_text_changed(self, words: str) -> None:
        """Drop the pending message if the text in the message field is no longer the interpreted one."""
        if self.pending is not None and words != self.pending.entry_text:
            self._withdraw()

    def on_address_changed(self) -> None:
        """Drop a pending message that was not sent: its text will go to others than the strip says."""
        if self.pending is not None and not self.pending.interpreted.is_sent:
            self._withdraw()

    # Replies of the participant

    def confirm(self, choice: int) -> None:
        """Confirm an interpretation: send the text with the offer, or accept the standing offer."""
        self.refresh()
        waiting, newest = self.pending, self._updates.newest
        if waiting is None or waiting.stale or newest is None or self._updates.paused:
            return
        if choice >= len(waiting.interpreted.offers):
            return
        message, shown = waiting.message, waiting.note
        offer, offer_id = waiting.interpreted.offers[choice], waiting.interpreted.offer_id
        if waiting.interpreted.intent is TypedTextIntent.ACCEPTANCE and offer_id is not None:
            accept = accept_view(
                newest.view.state,
                self._presenter.seat,
                self._presenter.names,
                self._updates.now,
                self._presenter.translate,
            )
            act = self._confirm_once(
                waiting,
                InterpretationVerdict.ACCEPTED,
                lambda: self._participant.send_message_and_accept(
                    shown, message, offer_id, waiting.interpreted.to
                ),
            )
            self._confirmations.accept_shown(accept, act)
        else:
            act = self._confirm_once(
                waiting, InterpretationVerdict.OFFERED, lambda: self._send(waiting, offer)
            )
            self._confirmations.offer(offer, act)

    def correct(self, issue: str, term: Term | None) -> None:
        """Replace the interpreted term of an issue; None: remove it."""
        waiting = self.pending
        if waiting is None or waiting.stale or self._updates.paused or not waiting.interpreted.is_correctable:
            return
        self.pending = replace(waiting, interpreted=waiting.interpreted.with_term(issue, term))
        self._announce_shown("reading_corrected")

    def edit(self) -> None:
        """Put the terms into the offer builder; the text stays."""
        waiting = self.pending
        if waiting is None or waiting.stale or not waiting.interpreted.offers:
            return
        self._dismiss(waiting, InterpretationVerdict.EDITED)
        self._on_edit(waiting.interpreted.offers[0])

    def send_text_only(self) -> None:
        """Send the text without the offer; an offer that is not plain stays proposed."""
        waiting = self.pending
        if waiting is None or waiting.stale or waiting.interpreted.is_sent or self._updates.paused:
            return
        held, state = waiting.interpreted, self._state
        if (
            state is not None
            and held.offers
            and held.intent is not TypedTextIntent.ACCEPTANCE
            and not held.interpretation.plain
        ):
            self._participant.send_shown_message(waiting.note, waiting.message, held.to)
            spoken = replace(held, sent_later=True, last_act_seq=last_act_seq(state, self._presenter.seat))
            self.pending = replace(waiting, interpreted=spoken)
            self._on_sent(waiting.message, held.to)
            self._announce_shown("reading_held_out")
            return
        self._confirm_once(
            waiting,
            InterpretationVerdict.ONLY_SAID,
            lambda: self._participant.send_message_only(waiting.note, waiting.message, held.to),
        )()

    def revert(self) -> None:
        """Undo the corrections; without any, drop the interpretation. The text stays."""
        waiting = self.pending
        if waiting is not None and not waiting.stale and waiting.interpreted.is_corrected:
            self.pending = replace(waiting, interpreted=waiting.interpreted.uncorrected())
            self._announce_shown("reading_corrected")
        else:
            self._withdraw()

    def _withdraw(self) -> None:
        waiting = self.pending
        if waiting is not None and waiting.stale:
            self._clear()
        elif waiting is not None:
            self._dismiss(waiting, InterpretationVerdict.WITHDRAWN)

    def _send(self, waiting: PendingMessage, offer: Offer) -> None:
        corrected = waiting.interpreted.is_corrected
        if waiting.interpreted.is_sent:
            self._participant.offer_as_interpreted(waiting.note, offer, corrected=corrected)
        else:
            self._participant.send_message_and_offer(
                waiting.note, waiting.message, offer, waiting.interpreted.to, corrected=corrected
            )

    def _confirm_once(
        self, waiting: PendingMessage, verdict: InterpretationVerdict, send: Callable[[], None]
    ) -> Callable[[], None]:
        """Return a function that performs the reply unless the message is no longer pending."""

        def act() -> None:
            if self.pending is waiting:
                self._clear()
                send()
                if not waiting.interpreted.is_sent:
                    self._on_sent(waiting.message, waiting.interpreted.to)
                self._announce("reading_answered", verdict=verdict.value)

        return act

    def _dismiss(
        self, waiting: PendingMessage, verdict: InterpretationVerdict, *, by_table: bool = False
    ) -> None:
        self._participant.dismiss_interpretation(waiting.note, verdict, by_table=by_table)
        self._clear()
        self._announce("reading_answered", verdict=verdict.value)

    def _clear(self) -> None:
        self.pending = None
        self._on_show(None)

    # State

    @property
    def _state(self) -> State | None:
        return None if self._updates.newest is None else self._updates.newest.view.state

    def _parse(self, text: str, state: State, to: tuple[Seat, ...]) -> Interpretation | None:
        """Return the interpretation of a text; None if parsing is off or fails, or the text is too long.

        Args:
            text: The text.
            state: The session as the participant sees it.
            to: The seats for which alone the text is; empty: it is for everyone.
        """
        if not _is_parsing_enabled(state) or len(text) > LONGEST_MESSAGE:
            return None
        language = state.game.rules.effective_reading_language
        try:
            return self._parser(text, dialogue_context(state, self._presenter.seat, language=language, to=to))
        except Exception as error:  # noqa: BLE001 - a message can be sent whatever the parser raises
            self._report(error)
            return None

    def _show(self) -> InterpretationView:
        waiting, newest = self.pending, self._updates.newest
        assert waiting is not None, "only words that wait are shown"
        assert newest is not None, "words wait at a table that has told something"
        presenter = self._presenter
        if waiting.stale:
            view = stale_view(presenter.translate)
        else:
            view = interpretation_view(
                waiting.interpreted,
                newest.view.state,
                presenter.seat,
                presenter.names,
                self._updates.now,
                presenter.translate,
            )
        self._on_show(view)
        return view

    def _announce_shown(self, happening: str) -> None:
        """Announce what is shown, with the terms as text."""
        waiting, state, presenter = self.pending, self._state, self._presenter
        assert waiting is not None, "only words that wait are shown"
        assert state is not None, "words wait at a table that has told something"
        view = self._show()
        terms = terms_text(
            waiting.interpreted, state.game, presenter.seat, presenter.names, presenter.translate
        )
        meaning = waiting.interpreted.intent.value
        self._announce(
            happening, meaning=meaning, heading=view.heading, terms=terms, armed=view.confirms_on_enter
        )


def _is_parsing_enabled(state: State) -> bool:
    """Return whether typed text is interpreted in this game."""
    return state.game.rules.reads_talk and is_language_parsed(state.game.rules.effective_reading_language)
