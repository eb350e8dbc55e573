"""A participant's side of a live session."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from negoplatform.agent_api.actions import (
    FormalQuit,
    MechanismAct,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.app.session.participant_actions import (
    AbortGame,
    AnswerInterpretation,
    RecordInterpretation,
    RecordNote,
    SendShownMessage,
    SettleUnsentText,
    ShownInterpretation,
)
from negoplatform.app.session.participant_seat import ParticipantSeat
from negoplatform.core.events import Expression, Message
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.interpretations import InterpretationVerdict, dump_interpretation
from negoplatform.hosting.seat_actions import AcceptOffer, ShareDraft
from negoplatform.language import Interpretation

REPEAT_SECONDS = 2.0
"""An act that equals the one before it within this time is a repeat."""


class RepeatFilter:
    """Filter for acts that one gesture sends twice: a held key, a double click, a button and a key.

    Args:
        restart_on_repeat: Whether a repeat restarts the time. Then a held key never gets through again;
            otherwise it does after this time.
        now: A monotonic clock in seconds.
        seconds: The time within which an equal act is a repeat.
    """

    def __init__(
        self,
        *,
        restart_on_repeat: bool,
        now: Callable[[], float] = time.monotonic,
        seconds: float = REPEAT_SECONDS,
    ) -> None:
        self._restart_on_repeat = restart_on_repeat
        self._now, self._seconds = now, seconds
        self._last: object = None
        self._at = float("-inf")

    def is_repeat(self, act: object) -> bool:
        """Return whether an act repeats the one before it, and remember it."""
        now = self._now()
        repeated = act == self._last and now - self._at < self._seconds
        if self._restart_on_repeat or not repeated:
            self._last, self._at = act, now
        return repeated


class ParticipantController:
    """Actions of a participant's window, published to the session's queue as proposals.

    An offer that equals the one before it within two seconds is sent once, and so are an expression and a
    request for an offer, whichever control it comes from.

    Args:
        participant_seat: The participant's seat.
        now: A monotonic clock in seconds.
    """

    def __init__(
        self, participant_seat: ParticipantSeat, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._participant_seat = participant_seat
        self._seat = participant_seat.seat
        self._offers = RepeatFilter(restart_on_repeat=True, now=now)
        self._offer_requests = RepeatFilter(restart_on_repeat=True, now=now)
        # An expression that is sent again is shown for longer, which may be wanted.
        self._expressions = RepeatFilter(restart_on_repeat=False, now=now)

    # A message is for everyone unless it has recipients (``to``).

    def send_message(self, message: Message, to: tuple[Seat, ...] = ()) -> None:
        """Send a message."""
        self._participant_seat.propose(_send_message(message, to))

    def send_offer_request(self, message: Message, to: tuple[Seat, ...] = ()) -> bool:
        """Send a request for an offer; return whether it is none that was sent just before."""
        if self._offer_requests.is_repeat((message, to)):
            return False
        self.send_message(message, to)
        return True

    # An interpretation, its message and what follows from them are one script, so that nothing comes between
    # them in the log.

    def send_with_interpretation(
        self,
        message: Message,
        interpretation: Interpretation,
        language: str,
        to: tuple[Seat, ...] = (),
    ) -> None:
        """Send a message, and record its interpretation, which was not shown."""
        data = dump_interpretation(self._seat, interpretation, language)
        self._participant_seat.propose(RecordNote(NoteKind.READING, data), _send_message(message, to))

    def show_interpretation(
        self, interpretation: Interpretation, language: str, offers: Sequence[Offer]
    ) -> ShownInterpretation:
        """Record the interpretation of a text that waits, and the offers shown with it.

        Returns:
            The reference for the answer, which is due.
        """
        shown = ShownInterpretation()
        data = dump_interpretation(self._seat, interpretation, language, offers)
        self._participant_seat.propose(RecordInterpretation(shown, data))
        return shown

    def send_and_show_interpretation(
        self,
        message: Message,
        interpretation: Interpretation,
        language: str,
        offers: Sequence[Offer],
        to: tuple[Seat, ...] = (),
    ) -> ShownInterpretation:
        """Send a message, and record its interpretation and the offers shown with it.

        Returns:
            The reference for the answer, which is due all the same.
        """
        shown = ShownInterpretation()
        data = dump_interpretation(self._seat, interpretation, language, offers)
        self._participant_seat.propose(
            RecordInterpretation(shown, data), SendShownMessage(shown, _send_message(message, to))
        )
        return shown

    def send_shown_message(
        self, shown: ShownInterpretation, message: Message, to: tuple[Seat, ...] = ()
    ) -> None:
        """Send a text that waited; its offer is still shown, and the answer to it is still due."""
        self._participant_seat.propose(SendShownMessage(shown, _send_message(message, to)))

    def offer_as_interpreted(
        self, shown: ShownInterpretation, offer: Offer, *, corrected: bool = False
    ) -> None:
        """Send the offer of a message that was sent before; it was interpreted right, or was corrected."""
        self._answer_with_offer(shown, None, offer, corrected=corrected)

    def send_message_and_offer(
        self,
        shown: ShownInterpretation,
        message: Message,
        offer: Offer,
        to: tuple[Seat, ...] = (),
        *,
        corrected: bool = False,
    ) -> None:
        """Send a text that waited, then its offer; it was interpreted right, or was corrected."""
        self._answer_with_offer(shown, _send_message(message, to), offer, corrected=corrected)

    def send_message_and_accept(
        self, shown: ShownInterpretation, message: Message, offer_id: int, to: tuple[Seat, ...] = ()
    ) -> None:
        """Send a text that was interpreted right, then accept the offer that the participant saw."""
        self._participant_seat.propose(
            AnswerInterpretation(
                shown, InterpretationVerdict.ACCEPTED, _send_message(message, to), AcceptOffer(offer_id)
            )
        )

    def send_message_only(
        self, shown: ShownInterpretation, message: Message, to: tuple[Seat, ...] = ()
    ) -> None:
        """Send a text that waited, and nothing more."""
        self._participant_seat.propose(
            AnswerInterpretation(shown, InterpretationVerdict.ONLY_SAID, _send_message(message, to))
        )

    def dismiss_interpretation(
        self, shown: ShownInterpretation, verdict: InterpretationVerdict, *, by_table: bool = False
    ) -> None:
        """Record that nothing more follows from a text: it is edited or withdrawn."""
        self._participant_seat.propose(AnswerInterpretation(shown, verdict, by_table=by_table))

    def _answer_with_offer(
        self, shown: ShownInterpretation, message: SendMessage | None, offer: Offer, *, corrected: bool
    ) -> None:
        act = None if self._offers.is_repeat(offer) else SendOffer(offer)
        self._participant_seat.propose(
            AnswerInterpretation(shown, InterpretationVerdict.OFFERED, message, act, corrected=corrected)
        )

    def send_offer(self, offer: Offer) -> None:
        """Send an offer."""
        if not self._offers.is_repeat(offer):
            self._participant_seat.propose(SendOffer(offer))

    def send_expression(self, expression: Expression, duration_ms: int) -> None:
        """Show an emotion for a number of milliseconds."""
        if not self._expressions.is_repeat((expression, duration_ms)):
            self._participant_seat.propose(SendExpression(expression, duration_ms))

    def show_drafting(self, draft: Offer) -> None:
        """Show that an offer is being built."""
        self._participant_seat.propose(ShareDraft(draft))

    def show_typing(self) -> None:
        """Show that a message is being typed."""
        self._participant_seat.propose(ShowTyping())

    def save_draft(self, draft: Mapping[str, Any]) -> None:
        """Save what is prepared and not sent, for a session that is resumed."""
        self._participant_seat.save_draft(draft)

    def formal_accept(self, offer_id: int) -> None:
        """Accept the offer that the participant saw."""
        self._participant_seat.propose(AcceptOffer(offer_id))

    def act(self, *actions: MechanismAct) -> None:
        """Perform acts of the game's mechanism in order, until one is refused.

        Their delays are ignored, as a click has none.
        """
        self._participant_seat.propose(*actions)

    def formal_quit(self) -> None:
        """Walk away."""
        self._participant_seat.propose(FormalQuit())

    def note_warning(self, about: str, **figures: float) -> None:
        """Record that the participant was warned."""
        self._record_note(NoteKind.WARNING_SHOWN, about=about, **figures)

    def note_practice(self, outcome: str, step: int, seconds: float) -> None:
        """Record how the practice before the session went."""
        self._record_note(NoteKind.PRACTICE, outcome=outcome, step=step, seconds=seconds)

    def pause(self, page: str) -> None:
        """Pause the session while a page is read."""
        self._participant_seat.pause(page)

    def unpause(self) -> None:
        """Continue the session."""
        self._participant_seat.unpause()

    def send_or_note_unsent(self, text: str, *, send: bool) -> None:
        """Settle the text that is left in the message field when the session closes.

        Args:
            text: The text; empty if there is none.
            send: Whether it is sent as the last message; otherwise, or if that is refused, it is recorded as
                unsent.
        """
        if text.strip():
            self._participant_seat.propose(SettleUnsentText(text, send))

    def show_debriefing(self, debriefings: Sequence[tuple[str, str]]) -> None:
        """Record that a debriefing is shown: the source of each part, and its text."""
        of, text = [source for source, _ in debriefings], "\n\n".join(text for _, text in debriefings)
        self._record_note(NoteKind.DEBRIEFING_SHOWN, of=of, text=text)

    def close_debriefing(self, seconds: float) -> None:
        """Record that the debriefing was closed, and the seconds for which it was shown."""
        self._record_note(NoteKind.DEBRIEFING_CLOSED, seconds=round(seconds, 3))

    def finish_closing(self) -> None:
        """End the session: the participant is done."""
        self._participant_seat.finish_closing()

    def leave(self) -> None:
        """End the running game because its window is closed."""
        self._participant_seat.propose(
            RecordNote(NoteKind.WINDOW_CLOSED, {"seat": self._seat}),
            AbortGame("The participant closed the window."),
        )

    def _record_note(self, kind: NoteKind, **data: Any) -> None:
        self._participant_seat.propose(RecordNote(kind, data))


def _send_message(message: Message, to: tuple[Seat, ...]) -> SendMessage:
    return SendMessage(
        message.text, message.subtype, preference=message.preference, batna=message.batna, to=to
    )
