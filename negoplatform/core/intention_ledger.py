"""The ledger of intentions: each party's intentions, derived from a session's events.

It is not kept while a session is played, but computed whenever it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any

from negoplatform.core.events import (
    Accepted,
    Event,
    EventType,
    ExpressionShown,
    Message,
    MessageSubtype,
    OfferMade,
    Refusal,
)
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.immutable.persistent_list import PersistentList
from negoplatform.core.mechanisms.registry import find_act_rule
from negoplatform.core.message_readings import MessageReading, readings_by_message
from negoplatform.core.record.notes_and_tasks import Record, Task, TaskStatus
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.core.state import State
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import PLATFORM, Seat

M = MessageSubtype

INTENT_OF_MESSAGE: Mapping[MessageSubtype, str] = MappingProxyType(
    {
        M.OFFER_PROPOSE: "propose",
        M.OFFER_ACCEPT: "accept",
        M.OFFER_REJECT: "reject",
        **dict.fromkeys((M.OFFER_REQUEST_POS, M.OFFER_REQUEST_NEG), "ask"),
        **dict.fromkeys((M.PREF_REQUEST, M.PREF_SPECIFIC_REQUEST, M.BATNA_REQUEST), "ask"),
        **dict.fromkeys((M.FAVOR_REQUEST, M.TIMING_REQUEST, M.CONFUSION), "ask"),
        **dict.fromkeys((M.PREF_INFO, M.BATNA_INFO, M.TIMING_INFO, M.TIMING), "tell"),
        **dict.fromkeys((M.GENERIC, M.CONFIRMATION, M.CLARIFICATION), "tell"),
        **dict.fromkeys((M.FAVOR_ACCEPT, M.FAVOR_REJECT, M.FAVOR_RETURN), "tell"),
        M.PREF_WITHHOLD: "stall",
        M.PROMISE: "promise",
        **dict.fromkeys((M.THREAT, M.THREAT_POS, M.THREAT_NEG), "threaten"),
        **dict.fromkeys((M.GREETING, M.FAREWELL, M.THANKS, M.APOLOGY), "express"),
        **dict.fromkeys((M.GENERIC_POS, M.GENERIC_NEG), "express"),
    }
)
"""Intent of a message, by its subtype, or by the main act that was read from typed words.

A message with a question about preferences has the intent to ask. A proposal in words is a counter while
another seat's offer is on the table, like an offer.
"""

INTENT_OF_VERDICT: Mapping[str, str] = MappingProxyType(
    {"offered": "propose", "edited": "propose", "accepted": "accept"}
)
"""Intent of words whose reading their sender has confirmed, by the verdict."""

INTENT_OF_EVENT: Mapping[str, str] = MappingProxyType(
    {
        EventType.SEND_MESSAGE: "tell",  # a refused one; a sent one goes by its subtype
        EventType.SEND_EXPRESSION: "express",
    }
)
"""Intent of an event; the rules of other acts name theirs, and a type without any is its own.

A SEND_OFFER is "counter" while another seat's offer is on the table.
"""

OFFER_REQUESTS = frozenset({M.OFFER_REQUEST_POS, M.OFFER_REQUEST_NEG})
"""Questions that an offer answers as well as a message does."""

UNTRACKED_EVENTS = frozenset(
    {
        EventType.TIME,
        EventType.TYPING,
        EventType.OFFER_IN_PROGRESS,
        EventType.STATE_PROPOSED,  # entered itself, with its verdict; its refusal is not entered as well
        EventType.NOTE,
        EventType.AGENT_FAILED,
        EventType.RESUMED,
    }
)
"""Time, signs of presence and book-keeping: neither these nor their refusals express an intention."""


def intentions(events: Iterable[Event]) -> list[Task]:
    """Return each party's intended actions, in order: one task for each, the refused ones included.

    An offer is in progress while it is on the table, and done with an ``outcome`` when it is countered,
    accepted or rejected by another seat, replaced by its own maker, or when the game ends. A question is
    pending until another seat that received it speaks; without an answer it stays pending. All others are
    done at once. Typed words have no speech act of their own, so their intent is the one that was read from
    them, where the events hold a reading.

    Args:
        events: The events of a session, in order: all of them, or those that one seat may see.

    Returns:
        Tasks named ``event-<seq>``. Their metadata: ``seq`` and ``event`` always; ``refused`` (the reason)
        and ``action`` of a refusal; the content of the event (``offer_id`` and ``offer``, ``subtype`` and
        ``text``, ``payload`` of another mechanism's act, …); ``decided_by`` where the events hold it;
        ``reading`` of typed words (see ``MessageReading.document``); ``outcome`` of an offer;
        ``answered_by`` (a seq) of a question.
    """
    events = list(events)
    ledger = _LedgerBuilder(readings_by_message(events))
    for event in events:
        ledger.add_event(event)
    return list(ledger.tasks.values())


def ledger(events: Iterable[Event], record: Record) -> list[Task]:
    """Return the intentions, completed from the record, and the record's further tasks after them."""
    return combined_tasks(intentions(events), record.tasks)


def combined_tasks(derived: Iterable[Task], recorded: Iterable[Task]) -> list[Task]:
    """Return the tasks of events, completed from a record, and the record's further tasks after them.

    Where both have a task, the record's intent wins, the further of the two statuses counts, and the record's
    metadata is added to that of the event. What the event itself says cannot be replaced: its time, its
    origin and its metadata. A recorded task of another origin than the event's is left out.
    """
    tasks = {task.task_id: task for task in derived}
    for task in recorded:
        known = tasks.get(task.task_id)
        if known is None:
            tasks[task.task_id] = task
        elif known.agent_origin == task.agent_origin:
            tasks[task.task_id] = replace(
                known,
                intent=task.intent,
                status=max(known.status, task.status, key=_PROGRESS.index),
                metadata=FrozenJson({**task.metadata.to_dict(), **known.metadata.to_dict()}),
            )
    return list(tasks.values())


class SeatLedger:
    """Ledger of what one seat sees, for a program that reads it again and again in the course of a session.

    It adds only the events that are new since it was last read. A view of another session, or of an earlier
    moment, is read from its beginning.
    """

    def __init__(self) -> None:
        self.events_added = 0
        """The number of events that were added, those of earlier readings included."""
        self._begin()

    def _begin(self) -> None:
        self._builder = _LedgerBuilder({})
        self._read: tuple[PersistentList[Event], ...] = ()

    def unanswered_questions(self, state: State, seat: Seat) -> list[Task]:
        """Return the questions that wait for an answer, as :func:`ledger` has them, in their order.

        Args:
            state: The state, whole or as the seat may see it.
            seat: The seat.
        """
        self._add_new(state, seat)
        waiting = [self._builder.tasks[_name(event)] for event, _ in self._builder.questions]
        names = {task.task_id for task in waiting}
        recorded = (
            task
            for task in state.record.tasks
            if task.task_id in names or task.task_id not in self._builder.tasks
        )
        found = combined_tasks(waiting, recorded)
        return [task for task in found if task.intent == "ask" and task.status is TaskStatus.PENDING]

    def _add_new(self, state: State, seat: Seat) -> None:
        """Add the events that the ledger does not hold, oldest first."""
        own = state.private.get(seat)
        transcripts = (state.transcript, PersistentList[Event]() if own is None else own.transcript)
        if not self._read:
            self._read = (PersistentList(), PersistentList())
        new: list[Event] = []
        for before, after in zip(self._read, transcripts, strict=True):
            later = after.since(before)
            if later is None:
                self._begin()
                new = list(state.transcript_of(seat))
                break
            new += later
        for event in sorted(new, key=lambda event: event.seq):
            self._builder.add_event(event)
        self.events_added += len(new)
        self._read = transcripts


_PROGRESS = tuple(TaskStatus)
"""Statuses, the furthest last."""


class _LedgerBuilder:
    """The entries so far, and which of them wait for an answer.

    Args:
        readings: The readings of typed words, by the seq of their message.
    """

    def __init__(self, readings: Mapping[int, MessageReading]) -> None:
        self.tasks: dict[str, Task] = {}
        self._readings = readings
        self._on_table: Event | None = None
        self.questions: list[tuple[Event, MessageSubtype]] = []

    def add_event(self, event: Event) -> None:
        """Add one event."""
        match event.payload:
            case Refusal(action, reason):
                if action not in UNTRACKED_EVENTS:
                    seat = event.to[0] if event.to else event.sender
                    self._add_task(
                        event, seat, self._intent(seat, action), {"refused": reason, "action": str(action)}
                    )
                return
            case StateProposal(proposer, accepted=accepted, reason=reason):
                if proposer.kind is ProposerKind.SEAT:
                    self._add_task(event, proposer.name, "note", {} if accepted else {"refused": reason})
                return
            case _ if event.type == EventType.GAME_END:
                self._answer_offer("ended")
                return
            case _ if event.sender == PLATFORM or event.type in UNTRACKED_EVENTS:
                return
            case Message():
                self._add_message(event, event.payload)
            case OfferMade():
                self._add_offer(event, event.payload.offer)
            case _:
                self._add_task(
                    event, event.sender, self._intent(event.sender, event.type), _event_content(event)
                )
                if event.type == EventType.FORMAL_ACCEPT:
                    self._answer_offer("accepted", by=event.sender)

    def _add_message(self, event: Event, message: Message) -> None:
        self._answer_questions(event)
        reading = self._readings.get(event.seq)
        typed = message.subtype is M.GENERIC and reading is not None
        subtype = reading.subtype if reading is not None and typed else message.subtype
        intent = self._intent_of_words(event, subtype, reading if typed else None)
        if intent == "ask":
            self.questions.append((event, subtype))
        self._add_task(
            event,
            event.sender,
            intent,
            {**_event_content(event), **({"reading": reading.document()} if reading is not None else {})},
            TaskStatus.PENDING if intent == "ask" else TaskStatus.DONE,
        )
        received = self._on_table is not None and (not event.to or self._on_table.sender in event.to)
        if subtype is M.OFFER_REJECT and received:
            self._answer_offer("rejected", by=event.sender)

    def _intent_of_words(self, event: Event, subtype: MessageSubtype, reading: MessageReading | None) -> str:
        preference = event.payload.preference
        if preference is not None and preference.is_question:
            return "ask"
        intent = INTENT_OF_MESSAGE[subtype]
        if reading is not None:
            if reading.adapts:
                intent = "propose"
            elif reading.accepts:
                intent = "accept"
            intent = INTENT_OF_VERDICT.get(reading.verdict, intent)
        return self._intent(event.sender, EventType.SEND_OFFER) if intent == "propose" else intent

    def _add_offer(self, event: Event, offer: Offer) -> None:
        self._answer_questions(event)
        intent = self._intent(event.sender, event.type)
        self._answer_offer("countered", by=event.sender)
        self._answer_offer("replaced")
        self._on_table = event
        self._add_task(
            event,
            event.sender,
            intent,
            {"offer_id": event.seq, "offer": _terms(offer)},
            TaskStatus.IN_PROGRESS,
        )

    def _intent(self, seat: Seat, kind: str) -> str:
        if kind == EventType.SEND_OFFER and self._on_table is not None and self._on_table.sender != seat:
            return "counter"
        if kind in INTENT_OF_EVENT:
            return INTENT_OF_EVENT[kind]
        rule = find_act_rule(kind)
        return rule.intention if rule is not None and rule.intention else str(kind).lower()

    def _answer_offer(self, outcome: str, by: Seat | None = None) -> None:
        """Mark the offer on the table as done; an action of its own maker is no answer to it."""
        if self._on_table is None or self._on_table.sender == by:
            return
        self._close(self._on_table, outcome=outcome)

    def _answer_questions(self, event: Event) -> None:
        waiting = []
        for question, subtype in self.questions:
            if _is_answer(event, question, subtype):
                self._close(question, answered_by=event.seq)
            else:
                waiting.append((question, subtype))
        self.questions = waiting

    def _close(self, event: Event, **metadata: Any) -> None:
        task = self.tasks[_name(event)]
        if task.status is not TaskStatus.DONE:
            known = FrozenJson({**task.metadata.to_dict(), **metadata})
            self.tasks[task.task_id] = replace(task, status=TaskStatus.DONE, metadata=known)

    def _add_task(
        self,
        event: Event,
        seat: Seat,
        intent: str,
        content: dict[str, Any],
        status: TaskStatus = TaskStatus.DONE,
    ) -> None:
        metadata: dict[str, Any] = {"seq": event.seq, "event": str(event.type), **content}
        if event.decided_by is not None:
            metadata["decided_by"] = event.decided_by.value
        self.tasks[_name(event)] = Task(_name(event), event.t, seat, intent, status, FrozenJson(metadata))


def _name(event: Event) -> str:
    return f"event-{event.seq}"


def _is_answer(event: Event, question: Event, subtype: MessageSubtype) -> bool:
    """Return whether an event answers a question: a seat that received it speaks to the one who asked.

    Args:
        event: The event.
        question: The message with the question.
        subtype: What the question asks for.
    """
    if event.sender == question.sender or (question.to and event.sender not in question.to):
        return False
    if event.to and question.sender not in event.to:
        return False
    return event.type == EventType.SEND_MESSAGE or subtype in OFFER_REQUESTS


def _event_content(event: Event) -> dict[str, Any]:
    match event.payload:
        case Message(text, subtype, preference, batna):
            content: dict[str, Any] = {"text": text, "subtype": subtype.value}
            if preference is not None:
                content["preference"] = {
                    "issue1": preference.issue1,
                    "relation": preference.relation.value,
                    "issue2": preference.issue2,
                    "is_question": preference.is_question,
                }
            if batna is not None:
                content["batna"] = batna
            return content if not event.to else {**content, "to": list(event.to)}
        case ExpressionShown(expression):
            return {"expression": expression.value}
        case Accepted(offer_id):
            return {"offer_id": offer_id}
        case payload if is_dataclass(payload) and fields(payload):
            content = {"payload": _plain_value(payload)}
            others = [seat for seat in event.to if seat != event.sender]
            return {**content, "to": others} if others else content
        case _:
            return {}


def _plain_value(value: Any) -> Any:
    """Return a value of a mechanism's payload as a JSON value; one without a JSON form as text."""
    if value is None or isinstance(value, str | int | float):
        return value
    if is_dataclass(value):
        return {each.name: _plain_value(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain_value(each) for key, each in value.items()}
    return [_plain_value(each) for each in value] if isinstance(value, tuple | list) else str(value)


def _terms(offer: Offer) -> dict[str, Any]:
    return {issue: term_document(term) for issue, term in offer.terms}


def term_document(term: Term) -> Any:
    """Return a term as a JSON value, as a log has it."""
    return {**term.units, "undecided": term.undecided} if isinstance(term, Allocation) else term
