"""Rows of the tables of events and of messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from negoplatform.analysis.columns import Column, Kind, Row, Value, integer, number, words, yes_no
from negoplatform.analysis.session_facts import SessionFacts, emotion_of, milliseconds
from negoplatform.core.events import (
    Accepted,
    DecidedBy,
    Ending,
    Event,
    EventType,
    Expression,
    ExpressionShown,
    Message,
    MessageSubtype,
    Note,
    OfferMade,
    Preference,
    Refusal,
    Relation,
    Typing,
)
from negoplatform.core.state import Phase, State
from negoplatform.domain.errors import NegoError
from negoplatform.domain.exact import WholeGame
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.seat import Seat
from negoplatform.formats.payloads import payload_text

SESSION_ID = words("session_id", "The session; the same in every table.")
ACTOR = words("actor", "What kind of sender.", ("human", "agent", "system"))
SEAT = words("seat", "The seat of the sender, by its role in the game; empty for the platform.")
SIDE = words("side", "Which columns ending in _h and _a are the sender's; games of two seats.", ("h", "a"))
T_MS = integer("t_ms", "Session time, from a clock that never goes back.", "ms")

EVENT_COLUMNS = (
    SESSION_ID,
    words("participant", "The participant's code; empty where only agents play, or where it is not shown."),
    integer("seq", "The event's number in its session.", "1 up"),
    T_MS,
    Column("t_utc", Kind.DATETIME, "The time of day when the event was written, for people.", "UTC"),
    words("phase", "Where the session stands after the event.", Phase),
    ACTOR,
    SEAT,
    SIDE,
    words("to_seats", "The seats that the event was addressed to, with a space between; empty: everyone."),
    words("type", "What kind of event; a game's own announcements have types in small letters.", EventType),
    words(
        "subtype",
        "What a message does, which emotion was shown, what a note is about, which action was refused, or how "
        "the game ended.",
    ),
    integer("offer_id", "The offer that was sent, accepted or agreed: the seq of its SEND_OFFER."),
    integer("reply_to", "The seq of the event that this one answers (cause in the log); complete logs only."),
    words("decided_by", "Who decided what a seat did; complete logs only.", DecidedBy),
    integer("decided_ms", "Session time at which an agent's answer was decided; complete logs only.", "ms"),
    Column("payload", Kind.JSON, "All that the event says; docs/log.md has the keys of every type."),
)

MESSAGE_COLUMNS = (
    SESSION_ID,
    integer("message_id", "The seq of the message in the events."),
    integer("message_no", "The message's number in its session.", "1 up"),
    integer("message_no_actor", "Its number among the messages of its seat.", "1 up"),
    ACTOR,
    SEAT,
    SIDE,
    words("to_seats", "The seats that it was addressed to, with a space between; empty: everyone."),
    T_MS,
    words("phase", "Where the session stood.", Phase),
    words("subtype", "What the message does.", MessageSubtype),
    words("text", "The words, unaltered."),
    words("pref_claim", "The stated preference in short, such as 'grain > wood' or 'grain best'; no questions."),
    words("pref_issue1", "The issue that is spoken of."),
    words("pref_relation", "How it is related to the other; BEST and WORST stand alone.", Relation),
    words("pref_issue2", "The issue that it is compared with."),
    yes_no("pref_question", "Whether a preference is asked for rather than stated."),
    yes_no(
        "claim_true",
        "Whether the stated preference is true of the sender, where an issue weighs as much as the sender's points "
        "range over at it (its best less its worst, without interactions).",
    ),
    yes_no(
        "claim_true_per_unit",
        "The same where an issue weighs as much as one unit of it is worth on average; only where every issue "
        "that is compared is divided in units.",
    ),
    number("batna_claim", "The worth of no deal that the message states.", "points"),
    yes_no("batna_true", "Whether that is the sender's reservation value."),
    words("emotion", "What the sender's face showed at that moment.", Expression),
    integer("typing_ms", "From the first sign of typing after the sender's last message to this one.", "ms"),
    words("decided_by", "Who decided to send it; complete logs only.", DecidedBy),
)


def participant_of(facts: SessionFacts) -> str | None:
    """The code of the participant; None where there is none, or more than one."""
    codes = [who.participant for who in facts.log.header.seats.values() if who.participant]
    return codes[0] if len(codes) == 1 else None


def event_rows(facts: SessionFacts) -> Iterator[Row]:
    """One row for each event."""
    participant = participant_of(facts)
    for step, at in zip(facts.steps, facts.log.times, strict=True):
        event = step.event
        yield {
            "session_id": facts.session_id,
            "participant": participant,
            "seq": event.seq,
            "t_ms": milliseconds(event.t),
            "t_utc": at,
            "phase": step.state.phase.value,
            **facts.who(event.sender),
            "to_seats": " ".join(event.to),
            "type": str(event.type),
            "subtype": _subtype(event),
            "offer_id": _offer_id(event),
            "reply_to": event.cause,
            "decided_by": event.decided_by and event.decided_by.value,
            "decided_ms": milliseconds(event.decided_at),
            "payload": payload_text(event.payload),
        }


def _subtype(event: Event) -> str | None:
    match event.payload:
        case Message(subtype=subtype):
            return subtype.value
        case ExpressionShown(expression):
            return expression.value
        case Note(kind):
            return kind.value
        case Refusal(action):
            return str(action)
        case Ending(ended_by):
            return ended_by.value
        case _:
            return None


def _offer_id(event: Event) -> int | None:
    match event.payload:
        case OfferMade():
            return event.seq
        case Accepted(offer_id):
            return offer_id
        case Ending(deal_id=deal_id):
            return deal_id
        case _:
            return None


def message_rows(facts: SessionFacts) -> Iterator[Row]:
    """One row for each message that was sent."""
    number_of: Counter[Seat] = Counter()
    began: dict[Seat, float] = {}
    before: State | None = None
    for step in facts.steps:
        event, said = step.event, step.event.payload
        if isinstance(said, Typing):
            began.setdefault(event.sender, event.t)
        if isinstance(said, Message):
            number_of[event.sender] += 1
            typed_from = began.pop(event.sender, None)
            yield {
                "session_id": facts.session_id,
                "message_id": event.seq,
                "message_no": number_of.total(),
                "message_no_actor": number_of[event.sender],
                **facts.who(event.sender),
                "to_seats": " ".join(event.to),
                "t_ms": milliseconds(event.t),
                "phase": step.state.phase.value,
                "subtype": said.subtype.value,
                "text": said.text,
                **_claims(facts, event.sender, said),
                "emotion": emotion_of(before, event.sender, event.t),
                "typing_ms": None if typed_from is None else milliseconds(event.t - typed_from),
                "decided_by": event.decided_by and event.decided_by.value,
            }
        before = step.state


def _claims(facts: SessionFacts, seat: Seat, said: Message) -> dict[str, Value]:
    found: dict[str, Value] = {"batna_claim": said.batna}
    preferences = facts.game.preferences.get(seat)
    if said.batna is not None and preferences is not None:
        found["batna_true"] = said.batna == preferences.reservation_value
    stated = said.preference
    if stated is None:
        return found
    found |= {
        "pref_issue1": stated.issue1,
        "pref_relation": stated.relation.value,
        "pref_issue2": stated.issue2,
        "pref_question": stated.is_question,
    }
    if not stated.is_question:
        found["pref_claim"] = in_short(stated)
        found["claim_true"] = claim_true(facts, seat, stated)
        found["claim_true_per_unit"] = claim_true(facts, seat, stated, per_unit=True)
    return found


def in_short(stated: Preference) -> str:
    """A stated preference as a short text."""
    signs = {Relation.GREATER: ">", Relation.LESS: "<", Relation.EQUAL: "="}
    if stated.relation in signs:
        return f"{stated.issue1} {signs[stated.relation]} {stated.issue2 or '?'}"
    return f"{stated.issue1} {stated.relation.value.lower()}"


def claim_true(facts: SessionFacts, seat: Seat, stated: Preference, *, per_unit: bool = False) -> bool | None:
    """Whether a stated preference is true of the one who states it.

    Args:
        facts: The session.
        seat: Who states it.
        stated: What is stated.
        per_unit: Whether an issue weighs what one unit of it is worth on average, rather than what the seat's
            points range over at it.

    Returns:
        None if the log does not hold the seat's preferences, or an issue is unknown or has no units.
    """
    weights = _weights(facts, seat, per_unit=per_unit)
    alone = stated.relation in (Relation.BEST, Relation.WORST)
    compared = [issue.name for issue in facts.game.issues] if alone else [stated.issue1, stated.issue2 or ""]
    if stated.issue1 not in weights or any(name not in weights for name in compared):
        return None
    own, others = weights[stated.issue1], [weights[name] for name in compared]
    match stated.relation:
        case Relation.GREATER:
            return own > others[1]
        case Relation.LESS:
            return own < others[1]
        case Relation.EQUAL:
            return own == others[1]
        case Relation.BEST:
            return own == max(others)
        case Relation.WORST:
            return own == min(others)


def _weights(facts: SessionFacts, seat: Seat, *, per_unit: bool) -> dict[str, float]:
    exact = _exact_of(facts, seat)
    if exact is None:
        return {}
    ranges = {name: max(table.values()) - min(table.values()) for name, table in exact.items()}
    if not per_unit:
        return dict(ranges)
    return {
        issue.name: ranges[issue.name] / issue.quantity
        for issue in facts.game.issues
        if isinstance(issue, QuantityIssue)
    }
