"""What a participant's window may do at a live table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from negoplatform.app.session.duplicate_actions import RepeatFilter
from negoplatform.app.session.live_session import LiveSession
from negoplatform.core.events import EndedBy, EventType, Expression, Message, clean_text
from negoplatform.core.notes import NoteKind
from negoplatform.core.session import Session
from negoplatform.domain.errors import Refused
from negoplatform.domain.offer import Offer
from negoplatform.formats.interpretations import (
    InterpretationVerdict,
    dump_interpretation,
    dump_interpretation_answer,
)
from negoplatform.language import Interpretation


class ShownInterpretation:
    """A reading that was shown to the participant, and waits for their answer.

    Only the table's thread knows its place in the log: what is written there becomes known there.
    """

    def __init__(self) -> None:
        self.note_seq = 0
        """The seq of its note; 0 as long as it has none."""
        self.message_seq = 0
        """The seq of its words, where they were said before the answer; else 0."""


class ParticipantController:
    """What a participant's window may do: the session's own verbs, through the table's queue.

    The same offer twice within two seconds is sent once, and so is the same expression, whatever asks for it.

    Args:
        table: The table that the participant sits at.
        now: A monotonic clock in seconds.
    """

    def __init__(self, live_session: LiveSession, *, now: Callable[[], float] = time.monotonic) -> None:
        self._live_session = live_session
        self._seat = live_session.seat
        self._offers = RepeatFilter(restart_on_repeat=True, now=now)
        # Sent again, an expression is shown for longer, which may be wanted.
        self._expressions = RepeatFilter(restart_on_repeat=False, now=now)

    def send_message(self, message: Message) -> None:
        """Says something."""
        self._live_session.propose(lambda session: session.send_message(self._seat, message))

    # What is typed is read: a reading, the words and what follows from them are one entry of the queue, so
    # that in the log nothing comes between.

    def send_with_interpretation(self, message: Message, reading: Interpretation, language: str) -> None:
        """Says words at once, and notes what was understood of them."""
        data = dump_interpretation(self._seat, reading, language)

        def say(session: Session) -> None:
            session.note(NoteKind.READING, **data)
            session.send_message(self._seat, message)

        self._live_session.propose(say)

    def show_interpretation(
        self, reading: Interpretation, language: str, offers: Sequence[Offer]
    ) -> ShownInterpretation:
        """Notes what was understood of words that wait, and the offers held out; the answer to it is due."""
        shown, data = ShownInterpretation(), dump_interpretation(self._seat, reading, language, offers)

        def note(session: Session) -> None:
            shown.note_seq = session.note(NoteKind.READING, **data).seq

        self._live_session.propose(note)
        return shown

    def send_and_show_interpretation(
        self, message: Message, reading: Interpretation, language: str, offers: Sequence[Offer]
    ) -> ShownInterpretation:
        """Says words at once, and notes what was understood and held out; an answer is due all the same."""
        shown, data = ShownInterpretation(), dump_interpretation(self._seat, reading, language, offers)

        def say(session: Session) -> None:
            shown.note_seq = session.note(NoteKind.READING, **data).seq
            shown.message_seq = session.send_message(self._seat, message).seq

        self._live_session.propose(say)
        return shown

    def send_shown_message(self, shown: ShownInterpretation, message: Message) -> None:
        """Say words that waited; their offer is still held out, and the answer to it is still due."""

        def say(session: Session) -> None:
            with suppress(Refused):
                shown.message_seq = session.send_message(self._seat, message).seq

        self._live_session.propose(say)

    def offer_as_interpreted(
        self, shown: ShownInterpretation, offer: Offer, *, corrected: bool = False
    ) -> None:
        """The reading of words that were said was right, or was corrected: puts the offer on the table."""
        self._answer_interpretation(
            shown, InterpretationVerdict.OFFERED, act=self._offer_action(offer), corrected=corrected
        )

    def send_message_and_offer(
        self, shown: ShownInterpretation, message: Message, offer: Offer, *, corrected: bool = False
    ) -> None:
        """The reading was right, or was corrected: says the words, then puts the offer on the table."""
        self._answer_interpretation(
            shown, InterpretationVerdict.OFFERED, message, self._offer_action(offer), corrected=corrected
        )

    def send_message_and_accept(self, shown: ShownInterpretation, message: Message, offer_id: int) -> None:
        """The reading was right: says the words, then accepts the offer that the participant saw."""

        def act(session: Session) -> int:
            session.formal_accept(self._seat, offer_id)
            return offer_id

        self._answer_interpretation(shown, InterpretationVerdict.ACCEPTED, message, act)

    def send_message_only(self, shown: ShownInterpretation, message: Message) -> None:
        """Says the words that waited, and nothing more."""
        self._answer_interpretation(shown, InterpretationVerdict.ONLY_SAID, message)

    def dismiss_interpretation(
        self, shown: ShownInterpretation, verdict: InterpretationVerdict, *, by_table: bool = False
    ) -> None:
        """Notes that nothing more follows from the words: they are edited, or withdrawn."""
        self._answer_interpretation(shown, verdict, by_table=by_table)

    def _offer_action(self, offer: Offer) -> Callable[[Session], int] | None:
        """Return what puts an offer on the table, or None if it was sent a moment ago."""
        if self._offers.is_repeat(offer):
            return None
        return lambda session: session.send_offer(self._seat, offer).seq

    def _answer_interpretation(
        self,
        shown: ShownInterpretation,
        verdict: InterpretationVerdict,
        message: Message | None = None,
        act: Callable[[Session], int] | None = None,
        *,
        by_table: bool = False,
        corrected: bool = False,
    ) -> None:
        def answer(session: Session) -> None:
            done: dict[str, int] = {"message": shown.message_seq} if shown.message_seq else {}
            try:
                if message is not None:
                    done["message"] = session.send_message(self._seat, message).seq
                if act is not None:
                    done["offer"] = act(session)
            except Refused:
                # Recorded and shown like every refusal; that the participant answered is a fact all the same.
                pass
            if shown.note_seq:
                session.note(
                    NoteKind.READING_ANSWERED,
                    **dump_interpretation_answer(
                        shown.note_seq, verdict, by_table=by_table, corrected=corrected, **done
                    ),
                )

        self._live_session.propose(answer)

    def send_offer(self, offer: Offer) -> None:
        """Puts an offer on the table."""
        act = self._offer_action(offer)
        if act is not None:
            self._live_session.propose(act)

    def send_expression(self, expression: Expression, duration_ms: int) -> None:
        """Shows an emotion for so many milliseconds."""
        if not self._expressions.is_repeat((expression, duration_ms)):
            self._live_session.propose(
                lambda session: session.send_expression(self._seat, expression, duration_ms)
            )

    def show_drafting(self, draft: Offer) -> None:
        """Says that an offer is being built."""
        self._live_session.propose(lambda session: session.offer_in_progress(self._seat, draft))

    def show_typing(self) -> None:
        """Says that a message is being typed."""
        self._live_session.propose(lambda session: session.show_typing(self._seat))

    def save_draft(self, draft: Mapping[str, Any]) -> None:
        """Keeps what was prepared and not sent, for a session that is resumed."""
        self._live_session.save_draft(draft)

    def formal_accept(self, offer_id: int) -> None:
        """Accepts the offer of that id: the one that the participant saw."""
        self._live_session.propose(lambda session: session.formal_accept(self._seat, offer_id))

    def formal_quit(self) -> None:
        """Walks away."""
        self._live_session.propose(lambda session: session.formal_quit(self._seat))

    def note_warning(self, about: str, **figures: float) -> None:
        """Records that the participant was warned."""
        self._live_session.propose(
            lambda session: session.note(NoteKind.WARNING_SHOWN, about=about, **figures)
        )

    def note_practice(self, outcome: str, step: int, seconds: float) -> None:
        """Records how the practice before the session went."""
        data = {"outcome": outcome, "step": step, "seconds": seconds}
        self._live_session.propose(lambda session: session.note(NoteKind.PRACTICE, **data))

    def pause(self, page: str) -> None:
        """Has the session stand still while a page is read."""
        self._live_session.pause(page)

    def unpause(self) -> None:
        """Has the session go on."""
        self._live_session.unpause()

    def send_or_note_unsent(self, text: str, *, send: bool) -> None:
        """Settles what stands in the line when the session closes.

        Args:
            text: What stands in the line; empty if nothing.
            send: Whether it is sent as the last message; else, or if that is refused, it is noted.
        """

        def act(session: Session) -> None:
            if send and EventType.SEND_MESSAGE not in session.state.presence[self._seat].closing_actions:
                with suppress(Refused):
                    session.send_message(self._seat, Message(text))
                    return
            session.note(NoteKind.WORDS_LEFT, seat=self._seat, text=clean_text(text))

        if text.strip():
            self._live_session.propose(act)

    def show_debriefing(self, debriefings: Sequence[tuple[str, str]]) -> None:
        """Notes that a debriefing is shown: where each part comes from, and its text."""
        of, text = [source for source, _ in debriefings], "\n\n".join(text for _, text in debriefings)
        self._live_session.propose(lambda session: session.note(NoteKind.DEBRIEFING_SHOWN, of=of, text=text))

    def close_debriefing(self, seconds: float) -> None:
        """Notes that it was closed, after so many seconds."""
        data = {"seconds": round(seconds, 3)}
        self._live_session.propose(lambda session: session.note(NoteKind.DEBRIEFING_CLOSED, **data))

    def finish_closing(self) -> None:
        """Ends the session: the participant is done with everything."""
        self._live_session.finish_closing()

    def leave(self) -> None:
        """Closes the window of a running game."""

        def close(session: Session) -> None:
            session.note(NoteKind.WINDOW_CLOSED, seat=self._seat)
            session.end(EndedBy.ABORTED, "The participant closed the window.", by=self._seat)

        self._live_session.propose(close)
