"""Typed words: said at once, or held until the participant has said what they are meant as. No Tk.

=====================================  =================================================================
the words                              what follows
=====================================  =================================================================
are nothing but talk                   they are said
are a plain offer or acceptance        they wait; a yes says them and sends the offer or accepts
are surely an offer, and not plain     they wait too; once they are said alone, the offer is held out
are surely an acceptance, not plain    they wait too; said alone, they accept nothing
may be an offer, or lack something     they are said, and the offer is held out, or a question asked back
=====================================  =================================================================

A term that is corrected takes the place of what was read.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Thread

from negoplatform.app.session.participant_controller import Participant, Shown
from negoplatform.core.action_rules import LONGEST_MESSAGE
from negoplatform.core.events import Message
from negoplatform.core.state import Phase, State
from negoplatform.domain.offer import Offer, Term
from negoplatform.formats.interpretations import Verdict
from negoplatform.gui.table.confirmations import Commitments
from negoplatform.language.parsing.dialogue_context import Situation, situation_in
from negoplatform.language.parsing.interpretation import Reading
from negoplatform.language.parsing.parser import understand
from negoplatform.presentation.bargaining.offer_builder_view import accept_view
from negoplatform.presentation.chat.interpretation_language import is_read
from negoplatform.presentation.chat.interpretation_view import StripView, gone_view, strip_view, terms_told
from negoplatform.presentation.chat.pending_interpretation import (
    Held,
    Meaning,
    held_by,
    last_deed,
    still_stands,
)
from negoplatform.presentation.table.session_feed import Feed
from negoplatform.presentation.table.table_presenter import Desk


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for an answer: words, or the offer that words would be which are said already.

    Args:
        message: The words.
        held: What they seem to be meant as.
        shown: The note of it in the log.
        gone: Whether what they were about is no longer there; then nothing waits but a word about that.
    """

    message: Message
    held: Held
    shown: Shown
    gone: bool = False

    @property
    def in_line(self) -> str:
        """What has to stand in the line as long as this waits."""
        return "" if self.held.said else self.message.text


class Reader:
    """Stands between the line for writing and the table.

    Args:
        desk: The participant's place at the table.
        feed: What the table has told.
        participant: Says, offers and accepts, and has it noted.
        commitments: Asks where an offer or an acceptance has to be asked about.
        on_show: Is given what words seem to be meant as; None when nothing is to be shown any more.
        on_spoken: Is given words that are on their way.
        on_edit: Is given the terms that shall be changed in the builder.
        tell: Announces a happening.
        report: Is given an error of the reading; the words are then said as they are.
        waiting: Words that have been waiting since before the screen was built anew.
        read: What understands words.
    """

    def __init__(
        self,
        *,
        desk: Desk,
        feed: Feed,
        participant: Participant,
        commitments: Commitments,
        on_show: Callable[[StripView | None], None],
        on_spoken: Callable[[Message], None],
        on_edit: Callable[[Offer], None],
        tell: Callable[..., None],
        report: Callable[[BaseException], object],
        waiting: Waiting | None = None,
        read: Callable[[str, Situation], Reading] = understand,
    ) -> None:
        self._desk, self._feed = desk, feed
        self._participant, self._commitments = participant, commitments
        self._on_show, self._on_spoken, self._on_edit = on_show, on_spoken, on_edit
        self._tell = tell
        self._report = report
        self._read = read
        self.waiting = waiting

    def prepare(self) -> None:
        """Has what reading needs loaded beside the window, so that the first words do not wait for it."""
        state = self._state
        if state is None or not _reads(state):
            return
        situation = situation_in(state, self._desk.seat, language=state.game.rules.reads_in)

        def load() -> None:
            with suppress(Exception):  # the first words that are typed will show what is wrong
                self._read("", situation)

        Thread(target=load, name="reading", daemon=True).start()

    def take(self, text: str) -> None:
        """Takes words that shall be said."""
        self._put_away()
        message, state = Message(text), self._state
        reading = None if state is None else self._understood(text, state)
        if state is None or reading is None:
            self._participant.send_message(message)
            self._on_spoken(message)
            return
        held, language = held_by(reading, state, self._desk.seat), state.game.rules.reads_in
        if held is None:
            self._participant.say_as_read(message, reading, language)
            self._on_spoken(message)
            return
        if held.said:
            shown = self._participant.say_and_show(message, reading, language, held.offers)
            self._on_spoken(message)
        else:
            shown = self._participant.show_reading(reading, language, held.offers)
        self.waiting = Waiting(message, held, shown)
        self._tell_shown("reading_shown")

    def look(self) -> None:
        """Something may have changed at the table: what is shown follows, or says that it is gone."""
        waiting, state = self.waiting, self._state
        if waiting is None or state is None:
            return
        if not waiting.gone and not still_stands(waiting.held, state, self._desk.seat):
            if waiting.held.said:
                own = last_deed(state, self._desk.seat) != waiting.held.deed
                self._unsaid(waiting, Verdict.WITHDRAWN, by_table=not own)
                return
            self._participant.unsaid(waiting.shown, Verdict.WITHDRAWN, by_table=True)
            self.waiting = waiting = replace(waiting, gone=True)
            self._tell("reading_gone")
        if waiting.gone and state.phase is not Phase.NEGOTIATING:
            self._let_go()  # the end says enough
        elif self._feed.paused:
            self._on_show(None)  # nothing can be answered while everything stands still
        else:
            self._show()

    def words_are(self, words: str) -> None:
        """The line has these words by now: what was understood of others no longer holds."""
        if self.waiting is not None and words != self.waiting.in_line:
            self._put_away()

    # What the participant answers

    def yes(self, choice: int) -> None:
        """Words and deed: the offer is sent, or the one on the table is accepted."""
        self.look()
        waiting, newest = self.waiting, self._feed.newest
        if waiting is None or waiting.gone or newest is None or self._feed.paused:
            return
        if choice >= len(waiting.held.offers):
            return
        message, shown = waiting.message, waiting.shown
        offer, offer_id = waiting.held.offers[choice], waiting.held.offer_id
        if waiting.held.meaning is Meaning.ACCEPTANCE and offer_id is not None:
            accept = accept_view(
                newest.view.state, self._desk.seat, self._desk.names, self._feed.now, self._desk.say
            )
            act = self._once(
                waiting,
                Verdict.ACCEPTED,
                lambda: self._participant.say_and_accept(shown, message, offer_id),
            )
            self._commitments.accept_as_shown(accept, act)
        else:
            act = self._once(waiting, Verdict.OFFERED, lambda: self._send(waiting, offer))
            self._commitments.offer(offer, act)

    def correct(self, issue: str, term: Term | None) -> None:
        """Put another term in the place of what was read for an issue; None: no term."""
        waiting = self.waiting
        if waiting is None or waiting.gone or self._feed.paused or not waiting.held.can_be_corrected:
            return
        self.waiting = replace(waiting, held=waiting.held.with_term(issue, term))
        self._tell_shown("reading_corrected")

    def edit(self) -> None:
        """The terms go into the builder; the words stay."""
        waiting = self.waiting
        if waiting is None or waiting.gone or not waiting.held.offers:
            return
        self._unsaid(waiting, Verdict.EDITED)
        self._on_edit(waiting.held.offers[0])

    def only_say(self) -> None:
        """Say the words, and nothing more; an offer that was not read plainly is held out all the same."""
        waiting = self.waiting
        if waiting is None or waiting.gone or waiting.held.said or self._feed.paused:
            return
        held, state = waiting.held, self._state
        if state is not None and held.offers and held.meaning is not Meaning.ACCEPTANCE and not held.armed:
            self._participant.say_shown(waiting.shown, waiting.message)
            spoken = replace(held, spoken=True, deed=last_deed(state, self._desk.seat))
            self.waiting = replace(waiting, held=spoken)
            self._on_spoken(waiting.message)
            self._tell_shown("reading_held_out")
            return
        self._once(
            waiting,
            Verdict.ONLY_SAID,
            lambda: self._participant.only_say(waiting.shown, waiting.message),
        )()

    def back(self) -> None:
        """Undo the corrections; where there are none, nothing is done, and the words stay."""
        waiting = self.waiting
        if waiting is not None and not waiting.gone and waiting.held.corrected:
            self.waiting = replace(waiting, held=waiting.held.as_read())
            self._tell_shown("reading_corrected")
        else:
            self._put_away()

    def _put_away(self) -> None:
        waiting = self.waiting
        if waiting is not None and waiting.gone:
            self._let_go()
        elif waiting is not None:
            self._unsaid(waiting, Verdict.WITHDRAWN)

    def _send(self, waiting: Waiting, offer: Offer) -> None:
        corrected = waiting.held.corrected
        if waiting.held.said:
            self._participant.offer_as_said(waiting.shown, offer, corrected=corrected)
        else:
            self._participant.say_and_offer(waiting.shown, waiting.message, offer, corrected=corrected)

    def _once(self, waiting: Waiting, verdict: Verdict, say: Callable[[], None]) -> Callable[[], None]:
        """What answers with a yes; nothing if by then nothing waits for one."""

        def act() -> None:
            if self.waiting is waiting:
                self._let_go()
                say()
                if not waiting.held.said:
                    self._on_spoken(waiting.message)
                self._tell("reading_answered", verdict=verdict.value)

        return act

    def _unsaid(self, waiting: Waiting, verdict: Verdict, *, by_table: bool = False) -> None:
        self._participant.unsaid(waiting.shown, verdict, by_table=by_table)
        self._let_go()
        self._tell("reading_answered", verdict=verdict.value)

    def _let_go(self) -> None:
        self.waiting = None
        self._on_show(None)

    # What is known

    @property
    def _state(self) -> State | None:
        return None if self._feed.newest is None else self._feed.newest.view.state

    def _understood(self, text: str, state: State) -> Reading | None:
        """What the words say; None where nothing is read, or they will be refused."""
        if not _reads(state) or len(text) > LONGEST_MESSAGE:
            return None
        language = state.game.rules.reads_in
        try:
            return self._read(text, situation_in(state, self._desk.seat, language=language))
        except Exception as error:  # noqa: BLE001 - nobody shall be unable to speak because of how they speak
            self._report(error)
            return None

    def _show(self) -> StripView:
        waiting, newest = self.waiting, self._feed.newest
        assert waiting is not None, "only words that wait are shown"
        assert newest is not None, "words wait at a table that has told something"
        desk = self._desk
        if waiting.gone:
            view = gone_view(desk.say)
        else:
            view = strip_view(
                waiting.held, newest.view.state, desk.seat, desk.names, self._feed.now, desk.say
            )
        self._on_show(view)
        return view

    def _tell_shown(self, happening: str) -> None:
        """Announce what is shown, with the terms in words."""
        waiting, state, desk = self.waiting, self._state, self._desk
        assert waiting is not None, "only words that wait are shown"
        assert state is not None, "words wait at a table that has told something"
        view = self._show()
        terms = terms_told(waiting.held, state.game, desk.seat, desk.names, desk.say)
        meaning = waiting.held.meaning.value
        self._tell(happening, meaning=meaning, heading=view.heading, terms=terms, armed=view.armed)


def _reads(state: State) -> bool:
    """Whether typed words are read at all."""
    return state.game.rules.reads_talk and is_read(state.game.rules.reads_in)
