"""The proposals of a participant's window: frozen values, and the one place that carries them out.

The window publishes scripts of them to a live session's queue; the session's thread takes them out one at a
time. A script is carried out in order, and its first refusal drops the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from secrets import randbits
from typing import Any, assert_never

from negoplatform.agent_api.actions import (
    FormalQuit,
    MechanismAct,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.core.events import EndedBy, Event, EventType, clean_text
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.session import BY_HUMAN, ActionOrigin, Session
from negoplatform.domain.errors import Refused
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.interpretations import InterpretationVerdict, dump_interpretation_answer
from negoplatform.hosting.seat_actions import AcceptOffer, SeatAction, ShareDraft, perform_action

PARTICIPANT_NOTES = frozenset(
    {
        NoteKind.WARNING_SHOWN,
        NoteKind.WINDOW_CLOSED,
        NoteKind.PRACTICE,
        NoteKind.DEBRIEFING_SHOWN,
        NoteKind.DEBRIEFING_CLOSED,
        NoteKind.READING,
    }
)
"""Kinds of notes that a participant's window records."""


@dataclass(frozen=True, slots=True)
class RecordNote:
    """Record a note.

    Args:
        kind: The kind of note, one of :data:`PARTICIPANT_NOTES`.
        data: Its JSON values.
    """

    kind: NoteKind
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ShownInterpretation:
    """Reference to an interpretation that was shown to the participant and waits for their answer.

    Its place in the log is known to the session's thread alone, once the note is written.

    Args:
        number: Unique in the process, and as good as unique among those of a seat's windows, which may come
            back in another process.
    """

    number: int = field(default_factory=count(randbits(48)).__next__)


@dataclass(frozen=True, slots=True)
class RecordInterpretation:
    """Record an interpretation that is shown; its answer is due.

    Args:
        shown: The reference that the answer will use.
        data: The note's JSON values.
    """

    shown: ShownInterpretation
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SendShownMessage:
    """Send the text of a shown interpretation before its answer, which stays due."""

    shown: ShownInterpretation
    message: SendMessage


@dataclass(frozen=True, slots=True)
class AnswerInterpretation:
    """Act on a shown interpretation, and record the participant's answer.

    Args:
        shown: The interpretation.
        verdict: The answer.
        message: The text to send first, if it was not sent before.
        act: The offer or acceptance that follows; dropped if the text is refused.
        by_table: Whether an event withdrew the interpretation rather than the participant.
        corrected: Whether the participant corrected the terms.
    """

    shown: ShownInterpretation
    verdict: InterpretationVerdict
    message: SendMessage | None = None
    act: SendOffer | AcceptOffer | None = None
    by_table: bool = False
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class SettleUnsentText:
    """Send the text that is left in the message field, or record that it was not sent.

    Args:
        text: The text; not empty.
        send: Whether it is sent as the last message; if that is refused, it is recorded as unsent.
    """

    text: str
    send: bool


@dataclass(frozen=True, slots=True)
class AbortGame:
    """End the running game without points.

    Args:
        reason: A sentence for the log.
    """

    reason: str


ParticipantProposal = (
    SendMessage
    | SendOffer
    | SendExpression
    | AcceptOffer
    | FormalQuit
    | MechanismAct
    | ShowTyping
    | ShareDraft
    | RecordNote
    | RecordInterpretation
    | SendShownMessage
    | AnswerInterpretation
    | SettleUnsentText
    | AbortGame
)


class ProposalPerformer:
    """Carries out a participant's proposals at a session, on the session's thread.

    Args:
        session: The session.
        seat: The participant's seat.
        origin: The origin of the acts: the participant, or a wizard in an agent's seat.
    """

    def __init__(self, session: Session, seat: Seat, origin: ActionOrigin = BY_HUMAN) -> None:
        self._session = session
        self._seat = seat
        self._origin = origin
        self._note_seqs: dict[ShownInterpretation, int] = {}
        self._message_seqs: dict[ShownInterpretation, int] = {}

    def perform(self, script: Sequence[ParticipantProposal]) -> None:
        """Carry out a script.

        Raises:
            Refused: At the first refusal; the rest of the script is dropped.
        """
        for proposal in script:
            self._perform(proposal)

    def _perform(self, proposal: ParticipantProposal) -> None:
        session, seat = self._session, self._seat
        match proposal:
            case RecordNote(kind, data):
                self._note(kind, data)
            case RecordInterpretation(shown, data):
                self._note_seqs[shown] = self._note(NoteKind.READING, data).seq
            case SendShownMessage(shown, message):
                self._message_seqs[shown] = perform_action(session, seat, message, self._origin).seq
            case AnswerInterpretation():
                self._answer(proposal)
            case SettleUnsentText(text, send):
                self._settle(text, send=send)
            case AbortGame(reason):
                session.end(EndedBy.ABORTED, reason, by=seat)
            case (
                SendMessage()
                | SendOffer()
                | SendExpression()
                | AcceptOffer()
                | FormalQuit()
                | MechanismAct()
                | ShowTyping()
                | ShareDraft()
            ):
                perform_action(session, seat, proposal, self._origin)
            case _:
                assert_never(proposal)

    def _note(self, kind: NoteKind, data: Mapping[str, Any]) -> Event:
        """Record a note of the window; notes of the platform decide how a session is resumed."""
        if kind not in PARTICIPANT_NOTES:
            raise Refused(f"A participant’s window records no note of the kind {kind!s}.")
        if data.get("seat", self._seat) != self._seat:
            raise Refused(f"The window of {self._seat!r} records no note about another seat.")
        return self._session.note(kind, **data)

    def _act(self, action: SeatAction) -> Event:
        return perform_action(self._session, self._seat, action, self._origin)

    def _answer(self, answer: AnswerInterpretation) -> None:
        done: dict[str, int] = {}
        if answer.shown in self._message_seqs:
            done["message"] = self._message_seqs[answer.shown]
        # A refusal is recorded and shown like every other; the answer is recorded all the same.
        with suppress(Refused):
            if answer.message is not None:
                done["message"] = self._act(answer.message).seq
            if answer.act is not None:
                event = self._act(answer.act)
                done["offer"] = answer.act.offer_id if isinstance(answer.act, AcceptOffer) else event.seq
        if answer.shown in self._note_seqs:
            data = dump_interpretation_answer(
                self._note_seqs[answer.shown],
                answer.verdict,
                by_table=answer.by_table,
                corrected=answer.corrected,
                **done,
            )
            self._session.note(NoteKind.READING_ANSWERED, **data)

    def _settle(self, text: str, *, send: bool) -> None:
        if send and EventType.SEND_MESSAGE not in self._session.state.presence[self._seat].closing_actions:
            with suppress(Refused):
                self._act(SendMessage(text))
                return
        self._session.note(NoteKind.WORDS_LEFT, seat=self._seat, text=clean_text(text))
