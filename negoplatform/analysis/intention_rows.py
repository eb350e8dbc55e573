"""The ledger of intentions: each party's intentions, derived from a session's events.

It is not kept while a session is played, but computed from the log.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
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
from negoplatform.core.frozen_json import FrozenJson
from negoplatform.core.notes_and_tasks import Record, Task, TaskStatus
from negoplatform.core.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.domain.offer import Allocation, Offer
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
"""Intent of a message, by its subtype. A message with a question about preferences has the intent to ask."""

INTENT_OF_EVENT: Mapping[str, str] = MappingProxyType(
    {
        EventType.SEND_MESSAGE: "tell",  # a refused one; a sent one goes by its subtype
        EventType.SEND_OFFER: "propose",  # "counter" while another seat's offer is on the table
        EventType.SEND_EXPRESSION: "express",
        EventType.FORMAL_ACCEPT: "accept",
        EventType.FORMAL_QUIT: "quit",
    }
)
"""Intent of an event; a type that a mechanism registered is an intent of the same name."""

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

COLUMNS = (
    "task_id",
    "timestamp",
    "agent_origin",
    "intent",
    "status",
    "seq",
    "event",
    "outcome",
    "refused",
    "text",
    "metadata",
)
"""The columns of the ledger as a table."""


def intentions(events: Iterable[Event]) -> list[Task]:
    """Return each party's intended actions, in order: one task for each, the refused ones included.

    An offer is in progress while it is on the table, and done with an ``outcome`` when it is countered,
    accepted or rejected by another seat, replaced by its own maker, or when the game ends. A question is
    pending until another seat that received it speaks; without an answer it stays pending. All others are
    done at once.

    Args:
        events: The events of a session, in order.

    Returns:
        Tasks named ``event-<seq>``. Their metadata: ``seq`` and ``event`` always; ``refused`` (the reason)
        and ``action`` of a refusal; the content of the event (``offer_id`` and ``offer``, ``subtype`` and
        ``text``, …); ``decided_by`` where the events hold it; ``outcome`` of an offer; ``answered_by``
        (a seq) of a question.
    """
    ledger = _LedgerBuilder()
    for event in events:
        ledger.add_event(event)
    return list(ledger.tasks.values())


def ledger(events: Iterable[Event], record: Record) -> list[Task]:
    """Return the intentions, completed from the record, and the record's further tasks after them.

    Where both have a task, the record's fields win, and its metadata is added to the event's.
    """
    tasks = {task.task_id: task for task in intentions(events)}
    for task in record.tasks:
        known = tasks.get(task.task_id)
        if known is not None:
            task = replace(task, metadata=FrozenJson({**known.metadata.to_dict(), **task.metadata.to_dict()}))
        tasks[task.task_id] = task
    return list(tasks.values())


def ledger_rows(tasks: Iterable[Task]) -> list[dict[str, str | float]]:
    """Return the ledger as flat rows, each with all of ``COLUMNS``; empty text for missing values.

    ``metadata`` is one JSON text.
    """
    rows: list[dict[str, str | float]] = []
    for task in tasks:
        metadata = task.metadata.to_dict()
        row: dict[str, str | float] = {
            "task_id": task.task_id,
            "timestamp": task.timestamp,
            "agent_origin": task.agent_origin,
            "intent": task.intent,
            "status": task.status.value,
        }
        row.update({name: _cell(metadata.get(name)) for name in COLUMNS[5:-1]})
        rows.append({**row, "metadata": task.metadata.text})
    return rows


def _cell(value: Any) -> str | float:
    if value is None:
        return ""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


class _LedgerBuilder:
    """The entries so far, and which of them wait for an answer."""

    def __init__(self) -> None:
        self.tasks: dict[str, Task] = {}
        self._on_table: Event | None = None
        self._questions: list[Event] = []

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
        asks_about_preferences = message.preference is not None and message.preference.is_question
        intent = "ask" if asks_about_preferences else INTENT_OF_MESSAGE[message.subtype]
        if intent == "ask":
            self._questions.append(event)
        self._add_task(
            event,
            event.sender,
            intent,
            _event_content(event),
            TaskStatus.PENDING if intent == "ask" else TaskStatus.DONE,
        )
        received = self._on_table is not None and (not event.to or self._on_table.sender in event.to)
        if message.subtype is M.OFFER_REJECT and received:
            self._answer_offer("rejected", by=event.sender)

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
        return INTENT_OF_EVENT.get(kind, str(kind).lower())

    def _answer_offer(self, outcome: str, by: Seat | None = None) -> None:
        """Mark the offer on the table as done; an action of its own maker is no answer to it."""
        if self._on_table is None or self._on_table.sender == by:
            return
        self._close(self._on_table, outcome=outcome)

    def _answer_questions(self, event: Event) -> None:
        waiting = []
        for question in self._questions:
            if _is_answer(event, question):
                self._close(question, answered_by=event.seq)
            else:
                waiting.append(question)
        self._questions = waiting

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


def _is_answer(event: Event, question: Event) -> bool:
    """Return whether an event answers a question: a seat that received it speaks to the one who asked."""
    if event.sender == question.sender or (question.to and event.sender not in question.to):
        return False
    if event.to and question.sender not in event.to:
        return False
    asked = question.payload.subtype
    return event.type == EventType.SEND_MESSAGE or asked in OFFER_REQUESTS


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
        case _:
            return {}


def _terms(offer: Offer) -> dict[str, Any]:
    return {
        issue: {**term.units, "undecided": term.undecided} if isinstance(term, Allocation) else term
        for issue, term in offer.terms
    }
