"""What a participant's window may do at a live table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from negoplatform.app.session.duplicate_actions import Repeats
from negoplatform.app.session.live_session import LiveTable
from negoplatform.core.events import EndedBy, EventType, Expression, Message, clean_text
from negoplatform.core.notes import NoteKind
from negoplatform.core.session import Session
from negoplatform.domain.errors import Refused
from negoplatform.domain.offer import Offer
from negoplatform.formats.interpretations import Verdict, answer_document, reading_document
from negoplatform.language.parsing.interpretation import Reading


class Shown:
    """A reading that was shown to the participant, and waits for their answer.

    Only the table's thread knows its place in the log: what is written there becomes known there.
    """

    def __init__(self) -> None:
        self.seq = 0
        """The seq of its note; 0 as long as it has none."""
        self.message = 0
        """The seq of its words, where they were said before the answer; else 0."""


class Participant:
    """What a participant's window may do: the session's own verbs, through the table's queue.

    The same offer twice within two seconds is sent once, and so is the same expression, whatever asks for it.

    Args:
        table: The table that the participant sits at.
        now: A monotonic clock in seconds.
    """

    def __init__(self, table: LiveTable, *, now: Callable[[], float] = time.monotonic) -> None:
        self._table = table
        self._seat = table.seat
        self._offers = Repeats(lasting=True, now=now)
        # Sent again, an expression is shown for longer, which may be wanted.
        self._expressions = Repeats(lasting=False, now=now)

    def send_message(self, message: Message) -> None:
        """Says something."""
        self._table.propose(lambda session: session.send_message(self._seat, message))

    # What is typed is read: a reading, the words and what follows from them are one entry of the queue, so
    # that in the log nothing comes between.

    def say_as_read(self, message: Message, reading: Reading, language: str) -> None:
        """Says words at once, and notes what was understood of them."""
        data = reading_document(self._seat, reading, language)

        def say(session: Session) -> None:
            session.note(NoteKind.READING, **data)
            session.send_message(self._seat, message)

        self._table.propose(say)

    def show_reading(self, reading: Reading, language: str, offers: Sequence[Offer]) -> Shown:
        """Notes what was understood of words that wait, and the offers held out; the answer to it is due."""
        shown, data = Shown(), reading_document(self._seat, reading, language, offers)

        def note(session: Session) -> None:
            shown.seq = session.note(NoteKind.READING, **data).seq

        self._table.propose(note)
        return shown

    def say_and_show(
        self, message: Message, reading: Reading, language: str, offers: Sequence[Offer]
    ) -> Shown:
        """Says words at once, and notes what was understood and held out; an answer is due all the same."""
        shown, data = Shown(), reading_document(self._seat, reading, language, offers)

        def say(session: Session) -> None:
            shown.seq = session.note(NoteKind.READING, **data).seq
            shown.message = session.send_message(self._seat, message).seq

        self._table.propose(say)
        return shown

    def say_shown(self, shown: Shown, message: Message) -> None:
        """Say words that waited; their offer is still held out, and the answer to it is still due."""

        def say(session: Session) -> None:
            with suppress(Refused):
                shown.message = session.send_message(self._seat, message).seq

        self._table.propose(say)

    def offer_as_said(self, shown: Shown, offer: Offer, *, corrected: bool = False) -> None:
        """The reading of words that were said was right, or was corrected: puts the offer on the table."""
        self._answer(shown, Verdict.OFFERED, act=self._offering(offer), corrected=corrected)

    def say_and_offer(self, shown: Shown, message: Message, offer: Offer, *, corrected: bool = False) -> None:
        """The reading was right, or was corrected: says the words, then puts the offer on the table."""
        self._answer(shown, Verdict.OFFERED, message, self._offering(offer), corrected=corrected)

    def say_and_accept(self, shown: Shown, message: Message, offer_id: int) -> None:
        """The reading was right: says the words, then accepts the offer that the participant saw."""

        def act(session: Session) -> int:
            session.formal_accept(self._seat, offer_id)
            return offer_id

        self._answer(shown, Verdict.ACCEPTED, message, act)

    def only_say(self, shown: Shown, message: Message) -> None:
        """Says the words that waited, and nothing more."""
        self._answer(shown, Verdict.ONLY_SAID, message)

    def unsaid(self, shown: Shown, verdict: Verdict, *, by_table: bool = False) -> None:
        """Notes that nothing more follows from the words: they are edited, or withdrawn."""
        self._answer(shown, verdict, by_table=by_table)

    def _offering(self, offer: Offer) -> Callable[[Session], int] | None:
        """Return what puts an offer on the table, or None if it was sent a moment ago."""
        if self._offers.is_repeat(offer):
            return None
        return lambda session: session.send_offer(self._seat, offer).seq

    def _answer(
        self,
        shown: Shown,
        verdict: Verdict,
        message: Message | None = None,
        act: Callable[[Session], int] | None = None,
        *,
        by_table: bool = False,
        corrected: bool = False,
    ) -> None:
        def answer(session: Session) -> None:
            done: dict[str, int] = {"message": shown.message} if shown.message else {}
            try:
                if message is not None:
                    done["message"] = session.send_message(self._seat, message).seq
                if act is not None:
                    done["offer"] = act(session)
            except Refused:
                # Recorded and shown like every refusal; that the participant answered is a fact all the same.
                pass
            if shown.seq:
                session.note(
                    NoteKind.READING_ANSWERED,
                    **answer_document(shown.seq, verdict, by_table=by_table, corrected=corrected, **done),
                )

        self._table.propose(answer)

    def send_offer(self, offer: Offer) -> None:
        """Puts an offer on the table."""
        act = self._offering(offer)
        if act is not None:
            self._table.propose(act)

    def send_expression(self, expression: Expression, duration_ms: int) -> None:
        """Shows an emotion for so many milliseconds."""
        if not self._expressions.is_repeat((expression, duration_ms)):
            self._table.propose(lambda session: session.send_expression(self._seat, expression, duration_ms))

    def show_drafting(self, draft: Offer) -> None:
        """Says that an offer is being built."""
        self._table.propose(lambda session: session.offer_in_progress(self._seat, draft))

    def show_typing(self) -> None:
        """Says that a message is being typed."""
        self._table.propose(lambda session: session.show_typing(self._seat))

    def keep_draft(self, draft: Mapping[str, Any]) -> None:
        """Keeps what was prepared and not sent, for a session that is resumed."""
        self._table.keep_draft(draft)

    def formal_accept(self, offer_id: int) -> None:
        """Accepts the offer of that id: the one that the participant saw."""
        self._table.propose(lambda session: session.formal_accept(self._seat, offer_id))

    def formal_quit(self) -> None:
        """Walks away."""
        self._table.propose(lambda session: session.formal_quit(self._seat))

    def note_warning(self, about: str, **figures: float) -> None:
        """Records that the participant was warned."""
        self._table.propose(lambda session: session.note(NoteKind.WARNING_SHOWN, about=about, **figures))

    def note_practice(self, outcome: str, step: int, seconds: float) -> None:
        """Records how the practice before the session went."""
        data = {"outcome": outcome, "step": step, "seconds": seconds}
        self._table.propose(lambda session: session.note(NoteKind.PRACTICE, **data))

    def hold(self, page: str) -> None:
        """Has the session stand still while a page is read."""
        self._table.hold(page)

    def release(self) -> None:
        """Has the session go on."""
        self._table.release()

    def settle(self, words: str, *, say: bool) -> None:
        """Settles what stands in the line when the session closes.

        Args:
            words: What stands in the line; empty if nothing.
            say: Whether it is sent as the last message; else, or if that is refused, it is noted.
        """

        def act(session: Session) -> None:
            if say and EventType.SEND_MESSAGE not in session.state.presence[self._seat].last_words:
                with suppress(Refused):
                    session.send_message(self._seat, Message(words))
                    return
            session.note(NoteKind.WORDS_LEFT, seat=self._seat, text=clean_text(words))

        if words.strip():
            self._table.propose(act)

    def show_debriefing(self, debriefings: Sequence[tuple[str, str]]) -> None:
        """Notes that a debriefing is shown: where each part comes from, and its text."""
        of, text = [source for source, _ in debriefings], "\n\n".join(text for _, text in debriefings)
        self._table.propose(lambda session: session.note(NoteKind.DEBRIEFING_SHOWN, of=of, text=text))

    def close_debriefing(self, seconds: float) -> None:
        """Notes that it was closed, after so many seconds."""
        data = {"seconds": round(seconds, 3)}
        self._table.propose(lambda session: session.note(NoteKind.DEBRIEFING_CLOSED, **data))

    def close(self) -> None:
        """Ends the session: the participant is done with everything."""
        self._table.close()

    def leave(self) -> None:
        """Closes the window of a running game."""

        def close(session: Session) -> None:
            session.note(NoteKind.WINDOW_CLOSED, seat=self._seat)
            session.end(EndedBy.ABORTED, "The participant closed the window.", by=self._seat)

        self._table.propose(close)
