"""Words for the acts and facts of a recorded market, as an observer of the whole log reads them. No Tk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from negoplatform.app.playback.playback import FOLLOWING
from negoplatform.core.events import Event
from negoplatform.core.mechanisms.double_auction_state import (
    DecisionMade,
    OrderCancelled,
    OrderPlaced,
    conditions_of,
    current_phase,
    double_auction_state,
    market_terms,
)
from negoplatform.core.mechanisms.market_books import minor_of
from negoplatform.core.mechanisms.market_checks import deciders
from negoplatform.core.mechanisms.market_order_facts import (
    ADD_ORDER,
    ASSET_MOVEMENT,
    CONTRACT_FULFILLED,
    DELETE_ORDER,
    UPDATE_ORDER,
)
from negoplatform.core.mechanisms.market_phase_facts import (
    DECISIONS_MADE,
    PERIOD_RESULT,
    PHASE_TRANSITION,
    SEATED,
)
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import join_names, localized_role, localized_text
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.market.order_book_view import localized_book_name, shown_books
from negoplatform.presentation.market.phase_rule_texts import phase_rule_text
from negoplatform.presentation.market.phase_view import (
    decided_rows,
    phase_begins_text,
    phase_title,
    phase_view,
)
from negoplatform.presentation.replay.event_words import GoodsWords, MomentView
from negoplatform.presentation.replay.seat_occupant_names import SEPARATOR
from negoplatform.presentation.table.work_presenter import WorkClock
from negoplatform.presentation.time_and_points_text import clock_text

MOST_BOOKS = 2
"""Largest number of books whose best prices fit into one line."""


class MarketWords(GoodsWords):
    """Words of a market."""

    def __init__(
        self,
        events: Iterable[Event],
        game: GameSpec,
        names: Mapping[Seat, str],
        translate: Language,
        seat: Seat = "",
    ) -> None:
        super().__init__(events, game, names, translate, seat)
        self._amounts = Amounts(economy_of(game).currency, translate)
        self._transitions = [event for event in self.events.values() if event.type == PHASE_TRANSITION]

    def add(self, event: Event) -> None:
        """Add a later event, to which others may refer."""
        super().add(event)
        if event.type == PHASE_TRANSITION:
            self._transitions.append(event)

    def own_text(self, event: Event) -> str:
        """Return an act or a fact in words; empty for any other event."""
        match event.payload:
            case OrderPlaced():
                return self._order(event.payload, event.sender)
            case OrderCancelled(order_id):
                return self._cancelled(event.sender, order_id)
            case DecisionMade():
                return self._decision(event)
            case _:
                return self._fact(event)

    def has_line(self, event: Event) -> bool:
        """Return whether an event has a line: an order that leaves its book only without an act."""
        return super().has_line(event) and event.type not in FOLLOWING

    def state_text(self, state: State, now: float) -> str:
        """Return the phase with its clock, and the best prices of each book."""
        translate, market = self.translate, double_auction_state(state)
        phase = phase_view(state, now, translate)
        running = current_phase(state) is not None and state.ending is None
        parts = [
            translate("{phase}, {time} left", phase=phase.title, time=phase.clock) if running else phase.title
        ]
        if phase.trades:
            for number in shown_books(self.game, market.realised)[:MOST_BOOKS]:
                best = {
                    side: self._amounts.text(order.price)
                    if (order := market.books[number].best(side))
                    else "–"
                    for side in OrderSide
                }
                parts.append(
                    translate(
                        "{book}: bid {bid}, ask {ask}",
                        book=localized_book_name(self.game, number, translate),
                        bid=best[OrderSide.BID],
                        ask=best[OrderSide.ASK],
                    )
                )
        count = len(market.trades)
        parts.append(translate.plural("{n} trade", "{n} trades", count))
        return SEPARATOR.join(parts)

    def clock(self, state: State, now: float) -> WorkClock:
        """Return the clock of the phase, which seats see; before the start, that of the first phase."""
        phase = phase_view(state, now, self.translate)
        if not phase.clock:
            seconds = float(market_terms(self.game).all_phases[0].seconds)
            return WorkClock(
                clock_text(seconds, self.translate), phase_title(self.game, 1, self.translate), 1.0
            )
        return WorkClock(phase.clock, phase.title, phase.left, phase.urgent)

    def moment(self, state: State) -> MomentView:
        """Return the phase, with the decisions that have been made in it and those that are waited for."""
        market, phase, translate = double_auction_state(state), current_phase(state), self.translate
        if phase is None or state.ending is not None:
            return MomentView(phase_view(state, 0.0, translate).title, super().moment(state).lines)
        title = phase_title(self.game, market.phase, translate)
        lines = [localized_text(phase.text, translate)]
        if phase.decide:
            waiting = []
            # A seat's view has only its own decision, and does not say who else has decided.
            for seat in (seat for seat in deciders(state) if seat in market.decisions):
                decided = market.decision_of(seat, phase)
                if decided is not None:
                    rows = decided_rows(phase, decided.to_dict(), "", self.names, translate)
                    what = "; ".join(f"{field}: {text}" for field, text in rows)
                    lines.append(translate("{name} – {decision}", name=self.name(seat), decision=what))
                else:
                    waiting.append(self.name(seat))
            if waiting:
                lines.append(translate("Now decide: {names}.", names=join_names(waiting, translate)))
        if market.realised:
            holds = localized_role(market.realised, translate)
            lines.append(translate("{condition} holds.", condition=holds))
        return MomentView(title, tuple(filter(None, lines)) or super().moment(state).lines)

    def buyer_and_seller(self, data: Mapping[str, Any]) -> tuple[Seat, Seat]:
        """Return who bought and who sold in a trade; empty where the observer cannot know.

        Args:
            data: The data of its ``contract-fulfilled``, without seats where identities are hidden.
        """
        bid, ask = self.events.get(data["bid_id"]), self.events.get(data["ask_id"])
        buyer = data["to"] or (bid.sender if bid is not None else "")
        seller = data["from"] or (ask.sender if ask is not None else "")
        return buyer, seller

    def trade_text(self, data: Mapping[str, Any]) -> str:
        """Return a trade in words."""
        translate, (buyer, seller) = self.translate, self.buyer_and_seller(data)
        values = {
            "units": self._units(data["quantity"], data["good"], self._condition(data)),
            "price": self.price_text(data["price"]),
        }
        if self.seat and self.seat in (buyer, seller):
            return self._own_trade(buyer, seller, values["units"], values["price"])
        if buyer and seller:
            return translate(
                "{seller} sold {units} to {buyer} for {price}",
                seller=self.name(seller),
                buyer=self.name(buyer),
                **values,
            )
        if buyer:
            return translate("{name} bought {units} for {price}", name=self.name(buyer), **values)
        if seller:
            return translate("{name} sold {units} for {price}", name=self.name(seller), **values)
        return translate("{units} traded for {price}", **values)

    def _own_trade(self, buyer: Seat, seller: Seat, goods: str, amount: str) -> str:
        """Return a trade of the reader's own; an empty seat is one that the reader cannot know."""
        translate, values = self.translate, {"goods": goods, "amount": amount}
        if self.seat == buyer and seller:
            return translate(
                "You bought {goods} from {seller} for {amount}", seller=self.name(seller), **values
            )
        if self.seat == buyer:
            return translate("You bought {goods} for {amount}", **values)
        if buyer:
            return translate("You sold {goods} to {buyer} for {amount}", buyer=self.name(buyer), **values)
        return translate("You sold {goods} for {amount}", **values)

    def pair_text(self, data: Mapping[str, Any]) -> str:
        """Return who has traded, and how many units if more than one; for a list of one book's trades."""
        translate, (buyer, seller) = self.translate, self.buyer_and_seller(data)
        parts = []
        if buyer and seller:
            names = {"seller": self.name(seller), "buyer": self.name(buyer)}
            parts.append(translate("{seller} sold to {buyer}", **names))
        elif buyer:
            parts.append(translate("{name} bought", name=self.name(buyer)))
        elif seller:
            parts.append(translate("{name} sold", name=self.name(seller)))
        if data["quantity"] > 1:
            parts.append(f"× {data['quantity']}")
        return " · ".join(parts)

    def _order(self, order: OrderPlaced, sender: Seat) -> str:
        values = {
            "name": self.name(sender),
            "price": self.price_text(order.price),
            "units": self._units(order.quantity, order.good, order.condition or ""),
        }
        translate = self.translate
        if self.seat == sender:
            return self._own_order(order, values["units"], values["price"])
        if order.side is OrderSide.BID:
            if order.now:
                return translate("{name} buys {units} at once, at up to {price}", **values)
            return translate("{name} bids {price} for {units}", **values)
        if order.now:
            return translate("{name} sells {units} at once, at {price} or more", **values)
        return translate("{name} asks {price} for {units}", **values)

    def _own_order(self, order: OrderPlaced, units: str, price: str) -> str:
        translate = self.translate
        if order.side is OrderSide.BID:
            if order.now:
                return translate("You buy {units} at once, at up to {price}", units=units, price=price)
            return translate("You bid {price} for {units}", units=units, price=price)
        if order.now:
            return translate("You sell {units} at once, at {price} or more", units=units, price=price)
        return translate("You ask {price} for {units}", units=units, price=price)

    def _cancelled(self, sender: Seat, order_id: int) -> str:
        placed, translate, name = self.events.get(order_id), self.translate, self.name(sender)
        own = self.seat == sender
        if placed is None or not isinstance(placed.payload, OrderPlaced):
            return (
                translate("You cancel an order") if own else translate("{name} cancels an order", name=name)
            )
        price = self.price_text(placed.payload.price)
        if own and placed.payload.side is OrderSide.BID:
            return translate("You cancel the bid of {price}", price=price)
        if own:
            return translate("You cancel the ask of {price}", price=price)
        if placed.payload.side is OrderSide.BID:
            return translate("{name} cancels the bid of {price}", name=name, price=price)
        return translate("{name} cancels the ask of {price}", name=name, price=price)

    def _decision(self, event: Event) -> str:
        assert isinstance(event.payload, DecisionMade)
        number = max(
            (each.data["phase"] for each in self._transitions if each.seq < event.seq),
            default=1,
        )
        phase = market_terms(self.game).all_phases[number - 1]
        values = event.payload.values.to_dict()
        rows = decided_rows(phase, values, "", self.names, self.translate)
        return self.translate(
            "{name} decides – {decision}",
            name=self.name(event.sender),
            decision="; ".join(f"{title}: {text}" for title, text in rows),
        )

    def _fact(self, event: Event) -> str:
        translate = self.translate
        match event.type:
            case str() as kind if kind == CONTRACT_FULFILLED:
                return self.trade_text(event.data)
            case str() as kind if kind in (ADD_ORDER, UPDATE_ORDER, DELETE_ORDER):
                return self._book_change(kind, event.data["order"])
            case str() as kind if kind == ASSET_MOVEMENT:
                data = event.data
                if self.seat == data["seat"]:
                    return translate(
                        "You now have {money} and {units}",
                        money=self.price_text(data["balance"]),
                        units=self._units(data["shares"], data["good"], self._condition(data)),
                    )
                return translate(
                    "{name} now has {money} and {units}",
                    name=self.name(data["seat"]),
                    money=self.price_text(data["balance"]),
                    units=self._units(data["shares"], data["good"], self._condition(data)),
                )
            case str() as kind if kind == PHASE_TRANSITION:
                return phase_begins_text(self.game, event.data["phase"], translate)
            case str() as kind if kind == DECISIONS_MADE:
                return translate("The decisions are made.")
            case str() as kind if kind == SEATED and self.seat == event.data["name"]:
                return translate("You take a seat")
            case str() as kind if kind == SEATED:
                return translate("{name} takes a seat", name=self.name(event.data["name"]))
            case str() as kind if kind == PERIOD_RESULT:
                data = event.data
                return translate(
                    "{name} gained {amount} in period {n}",
                    name=self.name(data["seat"]),
                    amount=self.price_text(data["gain"]),
                    n=data["period"],
                )
            case _:
                earlier = (each for each in reversed(self.events.values()) if each.seq < event.seq)
                return phase_rule_text(event, self.game, "", self.names, translate, earlier=earlier)

    def _book_change(self, kind: str, order: Mapping[str, Any]) -> str:
        """Return what happens to an order in a book; its owner is the sender of its PLACE_ORDER."""
        translate, placed = self.translate, self.events.get(order["id"])
        payload = None if placed is None else placed.payload
        if placed is None or not isinstance(payload, OrderPlaced):
            if kind == ADD_ORDER:
                return translate("An order enters the book")
            return (
                translate("An order in the book changes")
                if kind == UPDATE_ORDER
                else translate("An order leaves the book")
            )
        values = {"name": self.name(placed.sender), "price": self.price_text(payload.price)}
        bids = payload.side is OrderSide.BID
        if kind == ADD_ORDER:
            return (
                translate("The bid of {price} from {name} enters the book", **values)
                if bids
                else translate("The ask of {price} from {name} enters the book", **values)
            )
        if kind == UPDATE_ORDER:
            return (
                translate("The bid of {price} from {name} is filled in part", **values)
                if bids
                else translate("The ask of {price} from {name} is filled in part", **values)
            )
        return (
            translate("The bid of {price} from {name} leaves the book", **values)
            if bids
            else translate("The ask of {price} from {name} leaves the book", **values)
        )

    def _condition(self, data: Mapping[str, Any]) -> str:
        number: int = data["condition"]
        return conditions_of(self.game)[number]

    def price_text(self, amount: int | float) -> str:
        """Return an amount of an event as a text."""
        return self._amounts.text(minor_of(self.game, amount))

    def _units(self, count: int, good: str | None, condition: str) -> str:
        """Return units of a good, with the condition under which they are traded: ``2 × Grain``."""
        goods = economy_of(self.game).goods
        found = next((each for each in goods if each.name == good), goods[0])
        text = f"{count} × {localized_text(found.title, self.translate)}"
        return f"{text} ({localized_role(condition, self.translate)})" if condition else text
