"""Draft of a participant in a market: a ticket for each book, and a decision for each phase. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from negoplatform.core.mechanisms.double_auction_state import conditions_of, market_terms
from negoplatform.core.mechanisms.market_terms import DecisionField, DecisionKind, MarketPhase
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat

LONGEST_TEXT = 60
"""Largest number of characters of a field that are stored."""

Entry = str | tuple[str, ...]
"""Entry of a decision's field: the text of a number, or the chosen values."""


@dataclass(frozen=True, slots=True)
class TicketDraft:
    """Order that is being prepared.

    Args:
        side: To buy or to sell.
        price: The text of its price.
        quantity: The text of its quantity.
    """

    side: OrderSide
    price: str = ""
    quantity: str = "1"


@dataclass(frozen=True, slots=True)
class MarketDraft:
    """Draft of everything that a participant has prepared and not sent.

    Args:
        tickets: The ticket of each book.
        book: The number of the book that is shown.
        entries: The entries of each phase's decision, by the phase's name and then by the field's.
    """

    tickets: tuple[TicketDraft, ...]
    book: int = 0
    entries: tuple[tuple[str, tuple[tuple[str, Entry], ...]], ...] = ()

    @property
    def ticket(self) -> TicketDraft:
        """The ticket of the book that is shown."""
        return self.tickets[self.book]

    def with_book(self, number: int) -> MarketDraft:
        """Return the draft with another book shown; a number that is no book changes nothing."""
        return replace(self, book=number) if 0 <= number < len(self.tickets) else self

    def with_side(self, side: OrderSide) -> MarketDraft:
        """Return the draft with another side of the ticket; its price is for that side too."""
        return self._with_ticket(replace(self.ticket, side=side))

    def with_price(self, text: str) -> MarketDraft:
        """Return the draft with another price in the ticket."""
        return self._with_ticket(replace(self.ticket, price=text))

    def with_quantity(self, text: str) -> MarketDraft:
        """Return the draft with another quantity in the ticket."""
        return self._with_ticket(replace(self.ticket, quantity=text))

    def entries_of(self, phase: MarketPhase) -> Mapping[str, Entry]:
        """Return the entries of a phase's decision, by the field's name."""
        return dict(dict(self.entries).get(phase.name, ()))

    def with_entry(self, phase: MarketPhase, field: DecisionField, entry: Entry) -> MarketDraft:
        """Return the draft with another entry of a decision's field."""
        changed = tuple({**self.entries_of(phase), field.name: entry}.items())
        return replace(self, entries=tuple({**dict(self.entries), phase.name: changed}.items()))

    def _with_ticket(self, ticket: TicketDraft) -> MarketDraft:
        tickets = (*self.tickets[: self.book], ticket, *self.tickets[self.book + 1 :])
        return replace(self, tickets=tickets)


def empty_draft(game: GameSpec, seat: Seat) -> MarketDraft:
    """Return the draft with which a seat begins: to sell for a seat that has goods and no money."""
    economy = economy_of(game)
    endowment = economy.endowments.get(seat)
    tickets = []
    for _ in conditions_of(game):
        for good in range(len(economy.goods)):
            sells = endowment is not None and not endowment.money and endowment.units[good] > 0
            tickets.append(TicketDraft(OrderSide.ASK if sells else OrderSide.BID))
    return MarketDraft(tuple(tickets))


def dump_market_draft(draft: MarketDraft) -> dict[str, Any]:
    """Return a draft as JSON values."""
    return {
        "book": draft.book,
        "tickets": [
            {"side": str(each.side), "price": each.price, "quantity": each.quantity} for each in draft.tickets
        ],
        "decisions": {
            phase: {name: entry if isinstance(entry, str) else list(entry) for name, entry in fields}
            for phase, fields in draft.entries
        },
    }


def load_market_draft(kept: object, game: GameSpec, seat: Seat) -> MarketDraft:
    """Return a stored draft; parts that do not fit the game are dropped, so no draft stops a session."""
    draft = empty_draft(game, seat)
    if not isinstance(kept, Mapping):
        return draft
    stored = kept.get("tickets")
    if isinstance(stored, list) and len(stored) == len(draft.tickets):
        tickets = (_load_ticket(each, start) for each, start in zip(stored, draft.tickets, strict=True))
        draft = replace(draft, tickets=tuple(tickets))
    book = kept.get("book")
    if type(book) is int:
        draft = draft.with_book(book)
    decisions = kept.get("decisions")
    if not isinstance(decisions, Mapping):
        return draft
    for phase in market_terms(game).phases:
        entries = decisions.get(phase.name)
        if not isinstance(entries, Mapping):
            continue
        for field in phase.decide:
            entry = _load_entry(entries.get(field.name), field)
            draft = draft if entry is None else draft.with_entry(phase, field, entry)
    return draft


def _load_ticket(kept: object, start: TicketDraft) -> TicketDraft:
    if not isinstance(kept, Mapping):
        return start
    side, price, quantity = kept.get("side"), kept.get("price"), kept.get("quantity")
    return TicketDraft(
        OrderSide(side) if side in list(OrderSide) else start.side,
        price[:LONGEST_TEXT] if isinstance(price, str) else start.price,
        quantity[:LONGEST_TEXT] if isinstance(quantity, str) else start.quantity,
    )


def _load_entry(kept: object, field: DecisionField) -> Entry | None:
    if field.kind is DecisionKind.SOME_OF:
        return tuple(value for value in field.values if value in kept) if isinstance(kept, list) else None
    if not isinstance(kept, str):
        return None
    if field.kind is DecisionKind.ONE_OF:
        return kept if kept in field.values else None
    return kept[:LONGEST_TEXT]
