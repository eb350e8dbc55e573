"""JSON forms of offers and of the payloads of events."""

from __future__ import annotations

import json
import json.encoder
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from negoplatform.core.events import (
    Announced,
    Ending,
    Failure,
    Message,
    OfferMade,
    Payload,
    Resumed,
    announced,
    shared_data,
)
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.domain.offer import Allocation, Offer, Term, TermsMemo
from negoplatform.domain.trading.economy import Quantities
from negoplatform.formats.dataclass_codec import Shape, describe, encode, register
from negoplatform.formats.strict_json import StrictModel

encode_string = json.encoder.encode_basestring
"""JSON string encoder, implemented in C."""

OfferModel = dict[str, str | int | float | dict[str, Annotated[int, Field(ge=0)]]]
"""Offer in a file: by issue a value, a number, or units per seat and ``undecided``."""


def dump_offer(offer: Offer) -> dict[str, Any]:
    """Return an offer as a JSON value."""
    return {
        issue: {**term.units, "undecided": term.undecided} if isinstance(term, Allocation) else term
        for issue, term in offer.terms
    }


def load_offer(document: Mapping[str, str | int | float | dict[str, int]]) -> Offer:
    """Return the offer of a JSON value.

    Raises:
        OfferError: If a number is too large.
    """

    def load_term(term: str | int | float | dict[str, int]) -> Term:
        if not isinstance(term, dict):
            return term
        return Allocation(
            [(seat, n) for seat, n in term.items() if seat != "undecided"], term.get("undecided", 0)
        )

    return Offer((issue, load_term(term)) for issue, term in document.items())


class AnnouncedModel(StrictModel):
    """Payload, in a log, of an event that a game announces."""

    data: dict[str, Any]
    text: str


def _load_announced(model: AnnouncedModel) -> Announced:
    return announced(model.data, model.text)


NotNegative = Annotated[int, Field(ge=0)]

OFFER = Shape(OfferModel, load_offer, dump_offer)

register(Offer, OFFER)
register(Quantities, Shape(dict[str, NotNegative], Quantities, dict))
register(FrozenJson, Shape(dict[str, Any], FrozenJson, FrozenJson.to_dict))
register(
    Announced, Shape(AnnouncedModel, _load_announced, lambda a: {"data": shared_data(a.json), "text": a.text})
)
describe(Message, batna=float | int | None)
describe(Ending, omitted=["signed_by"])
describe(Failure, optional=["kind"])  # absent from the first logs
describe(StateProposal, base_version=NotNegative)
describe(Resumed, torn_bytes=NotNegative)


def encode_payload(payload: Payload) -> str:
    """Return a payload as JSON text."""
    # Offers, messages and announcements are most events, so they are formatted by hand.
    if type(payload) is OfferMade:
        return _offer_payload(payload.offer)
    if type(payload) is Announced:
        return f'{{"data":{payload.json},"text":{encode_string(payload.text)}}}'
    if isinstance(payload, Message):
        preference = "null" if payload.preference is None else encode(payload.preference)
        batna = "null" if payload.batna is None else encode(payload.batna)
        return (
            f'{{"text":{encode_string(payload.text)},"subtype":"{payload.subtype}",'
            f'"preference":{preference},"batna":{batna}}}'
        )
    return encode(payload)


def _offer_payload(offer: Offer) -> str:
    """Return the payload of an offer as JSON text, and keep it for the next event with these terms."""
    known = OFFER_PAYLOADS.get(id(offer.terms))
    if known is not None and known[0] is offer.terms:
        return known[1]
    terms = ",".join([_encode_term(issue, term) for issue, term in offer.terms])
    return OFFER_PAYLOADS.keep(offer.terms, f'{{"offer":{{{terms}}}}}')


OFFER_PAYLOADS: TermsMemo[str] = TermsMemo()
"""JSON texts of offers; equal offers may differ in the order of their seats."""


def _encode_term(issue: str, term: Term) -> str:
    if not isinstance(term, Allocation):
        value = encode_string(term) if type(term) is str else encode(term)
        return f"{encode_string(issue)}:{value}"
    units = "".join([f"{encode_string(seat)}:{n}," for seat, n in term.units.items()])
    return f'{encode_string(issue)}:{{{units}"undecided":{term.undecided}}}'
