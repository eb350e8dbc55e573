"""Payloads of events as JSON, and back."""

from __future__ import annotations

import json
import json.encoder
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from negoplatform.core.events import (
    NOTHING,
    Accepted,
    Announced,
    Drafting,
    EndedBy,
    Ending,
    Expression,
    ExpressionShown,
    Failure,
    FailureKind,
    Message,
    MessageSubtype,
    Note,
    Nothing,
    OfferMade,
    Payload,
    Preference,
    Refusal,
    Relation,
    Resumed,
    Tick,
    Typing,
)
from negoplatform.core.notes import NoteKind
from negoplatform.core.proposals import Proposer, ProposerKind, StateProposal
from negoplatform.core.record import FrozenJson
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.formats.strict_json import StrictModel

encode_string = json.encoder.encode_basestring
"""A text as JSON writes it, in C."""

_dump = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode

OfferModel = dict[str, str | int | float | dict[str, Annotated[int, Field(ge=0)]]]
"""An offer in a file: a value, a number, or units per seat and ``undecided``, by issue."""


def dump_offer(offer: Offer) -> dict[str, Any]:
    """An offer as a JSON value."""
    return {
        issue: {**term.units, "undecided": term.undecided} if isinstance(term, Allocation) else term
        for issue, term in offer.terms
    }


def load_offer(form: Mapping[str, str | int | float | dict[str, int]]) -> Offer:
    """The offer that a JSON value describes."""

    def term(form: str | int | float | dict[str, int]) -> Term:
        if not isinstance(form, dict):
            return form
        return Allocation(
            [(seat, n) for seat, n in form.items() if seat != "undecided"], form.get("undecided", 0)
        )

    return Offer((issue, term(value)) for issue, value in form.items())


class PreferenceModel(StrictModel):
    """A stated preference in a file."""

    issue1: str
    relation: Relation
    issue2: str | None
    is_question: bool

    def value(self) -> Preference:
        """The preference."""
        return Preference(self.issue1, self.relation, self.issue2, self.is_question)


class MessageModel(StrictModel):
    """The payload of SEND_MESSAGE."""

    text: str
    subtype: MessageSubtype
    preference: PreferenceModel | None
    batna: float | int | None

    def value(self) -> Payload:
        """The payload."""
        preference = None if self.preference is None else self.preference.value()
        return Message(self.text, self.subtype, preference, self.batna)


class OfferMadeModel(StrictModel):
    """The payload of SEND_OFFER."""

    offer: OfferModel

    def value(self) -> Payload:
        """The payload."""
        return OfferMade(load_offer(self.offer))


class ExpressionModel(StrictModel):
    """The payload of SEND_EXPRESSION."""

    expression: Expression
    duration_ms: int

    def value(self) -> Payload:
        """The payload."""
        return ExpressionShown(self.expression, self.duration_ms)


class DraftingModel(StrictModel):
    """The payload of OFFER_IN_PROGRESS."""

    draft: OfferModel | None

    def value(self) -> Payload:
        """The payload."""
        return Drafting(None if self.draft is None else load_offer(self.draft))


class TypingModel(StrictModel):
    """The payload of TYPING."""

    duration_ms: int

    def value(self) -> Payload:
        """The payload."""
        return Typing(self.duration_ms)


class AcceptedModel(StrictModel):
    """The payload of FORMAL_ACCEPT."""

    offer_id: int

    def value(self) -> Payload:
        """The payload."""
        return Accepted(self.offer_id)


class NothingModel(StrictModel):
    """The payload of an event that says everything by its type."""

    def value(self) -> Payload:
        """The payload."""
        return NOTHING


class TickModel(StrictModel):
    """The payload of TIME."""

    elapsed: float
    remaining: float | None

    def value(self) -> Payload:
        """The payload."""
        return Tick(self.elapsed, self.remaining)


class EndingModel(StrictModel):
    """The payload of GAME_END."""

    ended_by: EndedBy
    by: str | None
    deal: OfferModel | None
    deal_id: int | None
    reason: str

    def value(self) -> Payload:
        """The payload."""
        deal = None if self.deal is None else load_offer(self.deal)
        return Ending(self.ended_by, self.by, deal, self.deal_id, self.reason)


class RefusalModel(StrictModel):
    """The payload of ACTION_REFUSED."""

    action: str
    reason: str

    def value(self) -> Payload:
        """The payload."""
        return Refusal(self.action, self.reason)


class FailureModel(StrictModel):
    """The payload of AGENT_FAILED."""

    seat: str
    reason: str
    strikes: int
    kind: FailureKind = FailureKind.FAILED  # the first logs do not say it

    def value(self) -> Payload:
        """The payload."""
        return Failure(self.seat, self.reason, self.strikes, self.kind)


class AnnouncedModel(StrictModel):
    """The payload of what a game announces, under types of its own."""

    data: dict[str, Any]
    text: str

    def value(self) -> Payload:
        """The payload."""
        return Announced(json.dumps(self.data, ensure_ascii=False, allow_nan=False), self.text)


class ProposerModel(StrictModel):
    """Who proposed a change of the record."""

    kind: ProposerKind
    name: str


class ProposalModel(StrictModel):
    """The payload of STATE_PROPOSED."""

    proposer: ProposerModel
    base_version: Annotated[int, Field(ge=0)]
    updates: dict[str, Any]
    accepted: bool
    reason: str

    def value(self) -> Payload:
        """The payload."""
        return StateProposal(
            Proposer(self.proposer.kind, self.proposer.name),
            self.base_version,
            FrozenJson(self.updates),
            self.accepted,
            self.reason,
        )


class ResumedModel(StrictModel):
    """The payload of RESUMED."""

    torn_bytes: Annotated[int, Field(ge=0)]

    def value(self) -> Payload:
        """The payload."""
        return Resumed(self.torn_bytes)


class NoteModel(StrictModel):
    """The payload of NOTE."""

    kind: NoteKind
    data: dict[str, Any]

    def value(self) -> Payload:
        """The payload."""
        return Note(self.kind, self.data)


PayloadModel = (
    MessageModel
    | OfferMadeModel
    | ExpressionModel
    | DraftingModel
    | TypingModel
    | AcceptedModel
    | NothingModel
    | TickModel
    | EndingModel
    | RefusalModel
    | FailureModel
    | AnnouncedModel
    | ProposalModel
    | ResumedModel
    | NoteModel
)


def encode_payload(payload: Payload) -> str:
    """A payload as JSON text."""
    if not isinstance(payload, OfferMade):
        return _dump(_dump_payload(payload))
    return f'{{"offer":{{{",".join([_encode_term(issue, term) for issue, term in payload.offer.terms])}}}}}'


def _encode_term(issue: str, term: Term) -> str:
    if type(term) is str:
        return f"{encode_string(issue)}:{encode_string(term)}"
    if not isinstance(term, Allocation):
        return f"{encode_string(issue)}:{_dump(term)}"
    units = "".join([f"{encode_string(seat)}:{n}," for seat, n in term.units.items()])
    return f'{encode_string(issue)}:{{{units}"undecided":{term.undecided}}}'


def _dump_payload(payload: Payload) -> dict[str, Any]:  # noqa: C901 - one shape per kind, each plain
    match payload:
        case OfferMade(offer):
            return {"offer": dump_offer(offer)}
        case Message():
            return {
                "text": payload.text,
                "subtype": payload.subtype.value,
                "preference": payload.preference and dump_preference(payload.preference),
                "batna": payload.batna,
            }
        case ExpressionShown(expression, duration_ms):
            return {"expression": expression.value, "duration_ms": duration_ms}
        case Drafting(draft):
            return {"draft": None if draft is None else dump_offer(draft)}
        case Typing(duration_ms):
            return {"duration_ms": duration_ms}
        case Accepted(offer_id):
            return {"offer_id": offer_id}
        case Nothing():
            return {}
        case Tick(elapsed, remaining):
            return {"elapsed": elapsed, "remaining": remaining}
        case Ending():
            return {
                "ended_by": payload.ended_by.value,
                "by": payload.by,
                "deal": None if payload.deal is None else dump_offer(payload.deal),
                "deal_id": payload.deal_id,
                "reason": payload.reason,
            }
        case Refusal(action, reason):
            return {"action": str(action), "reason": reason}
        case Failure(seat, reason, strikes, kind):
            return {"seat": seat, "reason": reason, "strikes": strikes, "kind": kind.value}
        case Announced():
            return {"data": payload.data, "text": payload.text}
        case StateProposal(proposer, base_version, updates, accepted, reason):
            return {
                "proposer": {"kind": proposer.kind.value, "name": proposer.name},
                "base_version": base_version,
                "updates": updates.to_dict(),
                "accepted": accepted,
                "reason": reason,
            }
        case Resumed(torn_bytes):
            return {"torn_bytes": torn_bytes}
        case Note(kind, data):
            return {"kind": kind.value, "data": dict(data)}


def dump_preference(preference: Preference) -> dict[str, Any]:
    """A stated preference as a JSON value."""
    return {
        "issue1": preference.issue1,
        "relation": preference.relation.value,
        "issue2": preference.issue2,
        "is_question": preference.is_question,
    }
