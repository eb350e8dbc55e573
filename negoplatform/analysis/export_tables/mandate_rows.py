"""Rows of the table of mandates: the advice of principals, and whether the seats kept it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from negoplatform.analysis.export_tables.columns import (
    Column,
    ColumnType,
    Row,
    boolean_column,
    integer_column,
    number_column,
    text_column,
)
from negoplatform.analysis.export_tables.event_rows import SESSION_ID, T_MS
from negoplatform.analysis.session_facts import SessionFacts, milliseconds
from negoplatform.core.events import Accepted, Event, Note, OfferMade
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.commands import mandate_of
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, Record
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal, apply_proposal
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points

MANDATE_COLUMNS = (
    SESSION_ID,
    text_column("principal", "Principal that gave the command."),
    integer_column("number", "Number of the command among those of its principal.", "1 up"),
    text_column("to", "Seat or principal that the command is for."),
    integer_column("seq", "The seq of the command."),
    T_MS,
    Column("mandate", ColumnType.JSON, "Values of the mandate; empty if the command has none."),
    text_column("text", "Words that went with it."),
    number_column("reservation_value", "Points below which the seat should not agree.", "points"),
    boolean_column(
        "mandate_kept",
        "Whether the seat decided on no offer or acceptance of complete terms worth fewer points, until the "
        "next command with a reservation value; empty without one, and where the log lacks its points.",
    ),
    number_column("deal_points", "Points of the deal for the seat, before time costs.", "points"),
    integer_column("actions", "Number of acts that were commanded.", "0 up"),
    integer_column("taken_seq", "The seq of the note that the seat took the command; acts alone are taken."),
    Column("steps", ColumnType.JSON, "Commanded acts; docs/log.md has their keys."),
)


def mandate_rows(facts: SessionFacts) -> Iterator[Row]:
    """Yield a row for each command of a principal in a session, in order."""
    events = facts.log.events
    taken = {
        (event.payload.data.get("principal"), event.payload.data.get("number")): event.seq
        for event in events
        if isinstance(event.payload, Note) and event.payload.kind is NoteKind.COMMAND_TAKEN
    }
    record: Record = facts.log.header.initial_record if facts.log.header.record else EMPTY_RECORD
    for place, event in enumerate(events):
        proposal = event.payload
        if not isinstance(proposal, StateProposal) or not proposal.accepted:
            continue
        record = apply_proposal(record, proposal, event.seq)
        giver = proposal.proposer
        if giver.kind is not ProposerKind.PRINCIPAL:
            continue
        own = proposal.updates.to_dict().get("commands", {}).get(giver.name, {})
        for number, form in own.items():
            to = str(form.get("to"))
            mandate: Any = form.get("mandate") or {}
            steps: Any = form.get("actions") or None
            limit = mandate_of(record, giver.name, to).get("reservation_value")
            limit = _number(limit) if "reservation_value" in mandate else None
            later = events[place + 1 :]
            yield {
                "session_id": facts.session_id,
                "principal": giver.name,
                "number": int(number) if number.isdecimal() else None,
                "to": to,
                "seq": event.seq,
                "t_ms": milliseconds(event.t),
                "mandate": json.dumps(mandate, ensure_ascii=False) if mandate else None,
                "text": (form.get("info") or {}).get("text"),
                "reservation_value": limit,
                "mandate_kept": None if limit is None else _kept(facts, to, limit, event, later),
                "deal_points": _deal_points(facts, to),
                "actions": len(form.get("actions", ())),
                "taken_seq": taken.get((giver.name, number)),
                "steps": json.dumps(steps, ensure_ascii=False) if steps else None,
            }


def _kept(
    facts: SessionFacts, seat: Seat, limit: float, command: Event, later: tuple[Event, ...]
) -> bool | None:
    """Return whether a seat kept a reservation value in what it decided since; None: that is not known."""
    principal = command.payload.proposer.name
    if _points(facts, seat, None) is None:
        return None
    made = (event for event in facts.log.events if isinstance(event.payload, OfferMade))
    offers = {event.seq: event.payload.offer for event in made}
    for event in later:
        if _replaces(event.payload, principal, seat):
            return True
        offer: Offer | None = None
        if event.decided_at is not None and event.decided_at < command.t:
            continue
        if event.sender == seat and isinstance(event.payload, OfferMade):
            offer = event.payload.offer
        elif event.sender == seat and isinstance(event.payload, Accepted):
            offer = offers.get(event.payload.offer_id)
        if offer is None or not facts.game.is_complete(offer):
            continue
        points = _points(facts, seat, offer)
        if points is not None and points < limit:
            return False
    return True


def _replaces(proposal: Any, principal: str, seat: Seat) -> bool:
    """Return whether an event gives a seat another reservation value."""
    if not isinstance(proposal, StateProposal) or not proposal.accepted:
        return False
    given = proposal.updates.to_dict().get("commands", {}).get(principal, {})
    return any(
        form.get("to") == seat and "reservation_value" in (form.get("mandate") or {})
        for form in given.values()
        if isinstance(form, Mapping)
    )


def _points(facts: SessionFacts, seat: Seat, offer: Offer | None) -> Points | None:
    """Return a seat's points of an offer, or of no terms; None if the log does not hold its preferences."""
    own = facts.game.preferences.get(seat)
    if own is None:
        return None
    return 0 if offer is None else own.utility(offer)


def _deal_points(facts: SessionFacts, seat: Seat) -> Points | None:
    found = facts.end
    if found is None or found[1].deal is None:
        return None
    return _points(facts, seat, found[1].deal)


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
