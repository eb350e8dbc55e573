"""View of the ticket: the order that a participant prepares, what it would gain, and its buttons. No Tk."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal, Self

from negoplatform.agent_api.mechanism_actions import CancelOrder, PlaceOrder
from negoplatform.core.mechanisms.double_auction_state import (
    conditions_of,
    double_auction_state,
    market_terms,
)
from negoplatform.core.mechanisms.market_books import book_place, minor_of, number_of
from negoplatform.core.mechanisms.order_book import BookOrder, OrderSide
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import MOST_UNITS, Money
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.market.amounts import Amounts, NumberScale
from negoplatform.presentation.market.market_draft import TicketDraft
from negoplatform.presentation.market.order_check import why_not, without_order
from negoplatform.presentation.market.unit_worths import UnitWorths

Tone = Literal["plain", "good", "bad"]
"""Tone of a sentence; its colour says the same as its words."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Sentence about what became of an act.

    Args:
        text: The sentence; empty: none.
        tone: Its tone.
        is_news: Whether nothing was changed in the ticket since; then it is more important than a problem of
            the next order.
    """

    text: str = ""
    tone: Tone = "plain"
    is_news: bool = field(default=True, compare=False)


NO_NOTICE = Notice()


class ButtonKind(StrEnum):
    """Kind of a button of the ticket."""

    PLACE = "place"
    TAKE = "take"


@dataclass(frozen=True, slots=True)
class OrderButton:
    """Button that places an order.

    Args:
        text: Its text, which names the price.
        actions: What it does, in order; none: it is disabled.
        why: Why it is disabled; empty where that is obvious.
        gain: What a trade at once would gain or lose, or at what price an order would trade at once, in
            words; empty where that is not known, or it would not.
        tone: Whether it would gain or lose.
        loss: The amount that it would lose; empty if it would not, or that is not known.
        kind: Whether it places an order or takes one.
        replaces: The own order that the new one takes the place of; None: there is none.
    """

    text: str
    actions: tuple[CancelOrder | PlaceOrder, ...] = ()
    why: str = ""
    gain: str = ""
    tone: Tone = "plain"
    loss: str = ""
    kind: ButtonKind = ButtonKind.PLACE
    replaces: int | None = None

    def disabled(self) -> Self:
        """Return the same button, disabled."""
        return replace(self, actions=())


@dataclass(frozen=True, slots=True)
class TicketView:
    """View of the ticket.

    Args:
        draft: The order that is prepared.
        unit: The unit of the price.
        market_price: At what price could be traded at once, in words.
        advice: What the order would gain, in words; empty where that is not known.
        tone: Whether it would gain or lose.
        problem: Why the order cannot be placed, in words; empty if it can, or nothing is typed.
        place: Button that puts the order into the book.
        take: Button that trades at once at the best price in the book.
        notice: What became of the last act.
        can_edit: Whether the ticket can be changed.
    """

    draft: TicketDraft
    unit: str
    market_price: str
    advice: str
    tone: Tone
    problem: str
    place: OrderButton
    take: OrderButton
    notice: Notice = NO_NOTICE
    can_edit: bool = True

    def disabled(self) -> Self:
        """Return the view for a session that is frozen."""
        return replace(self, place=self.place.disabled(), take=self.take.disabled(), can_edit=False)


def price_scale(state: State, amounts: Amounts) -> NumberScale:
    """Return the prices that an order may have."""
    terms = market_terms(state.game)
    return NumberScale(terms.lowest, terms.highest, terms.tick, amounts.unit)


QUANTITY_SCALE = NumberScale(1, MOST_UNITS)
"""Quantities that an order may have."""


def stepped_price(state: State, book: int, draft: TicketDraft, steps: int, translate: Language) -> str:
    """Return the price of a ticket changed by steps, as text.

    Without a price, the first step leads to the best order of the ticket's side, or else to the last price.
    """
    amounts = Amounts(economy_of(state.game).currency, translate)
    scale, market = price_scale(state, amounts), double_auction_state(state)
    typed = scale.parse(draft.price, translate)
    if typed.nearest is None:
        best, recent = market.books[book].best(draft.side), market.recent_prices[book]
        start = best.price if best is not None else recent[-1] if recent else None
        if start is not None:
            return scale.text(number_of(state.game, start), translate)
    return scale.text(scale.moved(typed.nearest, steps), translate)


class TicketPresenter:
    """Presenter of one ticket, for one book at one moment.

    Args:
        state: The state as the seat sees it.
        seat: The participant's seat.
        book: The number of the book.
        draft: The ticket.
        amounts: Texts of amounts.
        translate: The window's language.
    """

    def __init__(
        self, state: State, seat: Seat, book: int, draft: TicketDraft, amounts: Amounts, translate: Language
    ) -> None:
        self._state, self._seat, self._book = state, seat, book
        self._draft, self._amounts, self._translate = draft, amounts, translate
        self._market = double_auction_state(state)
        condition, good = book_place(state.game, book)
        self._good = economy_of(state.game).good_names[good]
        self._condition: str | None = conditions_of(state.game)[condition] or None
        self._worths = UnitWorths(state, seat, book)
        self._price = price_scale(state, amounts).parse(draft.price, translate)
        self._quantity = QUANTITY_SCALE.parse(draft.quantity, translate)

    def view(self, notice: Notice, *, is_open: bool) -> TicketView:
        """Return the view; ``notice``: what became of the last act."""
        gain, place, take = self._gain(), self._place_button(), self._take_button()
        if gain is not None and gain < 0:
            place = replace(place, tone="bad", loss=self._amounts.text(-gain))
        problem = place.why if self._draft.price.strip() or self._quantity.problem else ""
        view = TicketView(
            self._draft,
            self._amounts.unit,
            self._market_price(),
            self._advice(gain),
            _tone(gain),
            "" if notice.text and notice.is_news else problem,
            place,
            take,
            notice,
        )
        return view if is_open else replace(view.disabled(), problem="", advice="")

    # The market

    def _best(self, side: OrderSide) -> BookOrder | None:
        """Return the best order of the others on a side."""
        own = self._market.own_orders[self._seat]
        queue = self._market.books[self._book].queue(side)
        return next((order for order in queue if order.order_id not in own), None)

    def _opposite(self) -> OrderSide:
        return OrderSide.ASK if self._draft.side is OrderSide.BID else OrderSide.BID

    def _market_price(self) -> str:
        ask, bid = self._best(OrderSide.ASK), self._best(OrderSide.BID)
        text, translate = self._amounts.text, self._translate
        if ask is not None and bid is not None:
            return translate(
                "The others sell at {ask} and buy at {bid} now.", ask=text(ask.price), bid=text(bid.price)
            )
        if ask is not None:
            return translate("The others sell at {ask} now.", ask=text(ask.price))
        if bid is not None:
            return translate("The others buy at {bid} now.", bid=text(bid.price))
        return translate("Nobody else has an order in the book.")

    # Buttons

    def _order(self, price: int | float, quantity: int, *, now: bool = False) -> PlaceOrder:
        return PlaceOrder(
            self._draft.side, price, quantity, good=self._good, condition=self._condition, now=now
        )

    def _why_not(self, state: State, order: PlaceOrder, *, replaced: BookOrder | None = None) -> str:
        bid = 0 if replaced is None or replaced.side is OrderSide.ASK else replaced.price * replaced.quantity
        payload = order.as_act().payload
        return why_not(state, self._seat, payload, self._amounts, self._translate, bid=bid)

    def _replaced_order(self) -> int | None:
        """Return the own order that a new one takes the place of: the only one that the game allows."""
        own = list(self._market.own_orders[self._seat].items())
        if market_terms(self._state.game).orders_per_seat != 1 or not own:
            return None
        order_id, number = own[0]
        order = self._market.books[number].get(order_id)
        same = order is not None and (number, order.side) == (self._book, self._draft.side)
        return order_id if same else None

    def _place_button(self) -> OrderButton:
        bids, price, quantity = self._draft.side is OrderSide.BID, self._price.number, self._quantity.number
        translate, old = self._translate, self._replaced_order()
        if price is None or quantity is None:
            why = self._price.problem or self._quantity.problem
            why = why or translate("Type a price first, or choose one in the book.")
            text = translate("Place bid") if bids else translate("Place ask")
            return OrderButton(text, why=why, replaces=old)
        order = self._order(price, int(quantity))
        state = self._state if old is None else without_order(self._state, self._seat, old)
        cancelled = () if old is None else (CancelOrder(old),)
        text = self._place_text(minor_of(self._state.game, price), int(quantity), old)
        replaced = None if old is None else self._market.books[self._book].get(old)
        why = self._why_not(state, order, replaced=replaced)
        if not why and old is not None and self._is_same(old, order):
            return OrderButton(text, replaces=old)
        at_once = "" if why else self._at_once(order, minor_of(self._state.game, price))
        return OrderButton(text, () if why else (*cancelled, order), why, at_once, replaces=old)

    def _place_text(self, price: Money, quantity: int, old: int | None) -> str:
        """Return what the button that places an order says: what it does, with the units if not one."""
        bids, translate = self._draft.side is OrderSide.BID, self._translate
        amount = self._amounts.text(price)
        before = None if old is None else self._market.books[self._book].get(old)
        if before is not None and (quantity, before.quantity) != (1, 1):
            return (
                translate("Change bid: {n} at {price}", n=quantity, price=amount)
                if bids
                else translate("Change ask: {n} at {price}", n=quantity, price=amount)
            )
        if before is not None:
            return (
                translate("Change bid to {price}", price=amount)
                if bids
                else translate("Change ask to {price}", price=amount)
            )
        if quantity == 1:
            return (
                translate("Place bid at {price}", price=amount)
                if bids
                else translate("Place ask at {price}", price=amount)
            )
        return (
            translate("Place bid: {n} at {price}", n=quantity, price=amount)
            if bids
            else translate("Place ask: {n} at {price}", n=quantity, price=amount)
        )

    def _is_same(self, order_id: int, order: PlaceOrder) -> bool:
        old = self._market.books[self._book].get(order_id)
        price = minor_of(self._state.game, order.price)
        return old is not None and (old.price, old.quantity) == (price, order.quantity)

    def _take_button(self) -> OrderButton:
        bids, translate = self._draft.side is OrderSide.BID, self._translate
        best = self._best(self._opposite())
        if best is None:
            text = translate("Nobody sells now") if bids else translate("Nobody buys now")
            return OrderButton(text, kind=ButtonKind.TAKE)
        wanted = int(self._quantity.number or 1)
        units = min(wanted, self._units_at(best.price))
        order = self._order(number_of(self._state.game, best.price), units, now=True)
        text = self._take_text(self._amounts.text(best.price), units, wanted)
        why = self._why_not(self._state, order)
        words, tone, loss = self._gain_of_taking(best.price, units)
        return OrderButton(text, () if why else (order,), why, words, tone, loss, kind=ButtonKind.TAKE)

    def _take_text(self, price: str, units: int, wanted: int) -> str:
        bids, translate = self._draft.side is OrderSide.BID, self._translate
        if units < wanted:
            return (
                translate("Buy {n} of {all} at {price}", n=units, all=wanted, price=price)
                if bids
                else translate("Sell {n} of {all} at {price}", n=units, all=wanted, price=price)
            )
        if units == 1:
            return (
                translate("Buy at {price}", price=price)
                if bids
                else translate("Sell at {price}", price=price)
            )
        return (
            translate("Buy {n} at {price}", n=units, price=price)
            if bids
            else translate("Sell {n} at {price}", n=units, price=price)
        )

    def _gain_of_taking(self, price: Money, units: int) -> tuple[str, Tone, str]:
        """Return what trading at once at a price would gain, in words, the tone, and the loss."""
        translate, side = self._translate, self._draft.side
        worth = self._worths.change(side, units, after=0)
        if worth is None:
            return "", "plain", ""
        gain = round(worth - price * units if side is OrderSide.BID else price * units - worth)
        if gain < 0:
            loss = self._amounts.text(-gain)
            return translate("You’d lose {loss}!", loss=loss), "bad", loss
        if not gain:
            return translate("You’d gain nothing."), "plain", ""
        return translate("You’d gain {gain}.", gain=self._amounts.text(gain)), "good", ""

    def _units_at(self, price: Money) -> int:
        """Return the units that others trade at a price."""
        own = self._market.own_orders[self._seat]
        queue = self._market.books[self._book].queue(self._opposite())
        return sum(order.quantity for order in queue if order.price == price and order.order_id not in own)

    # What it would gain

    def _gain(self) -> Money | None:
        """Return what the order would gain; None without a price, or if the game does not say."""
        quantity = int(self._quantity.number or 1)
        worth = self._worths.change(self._draft.side, quantity, after=self._units_in_orders())
        if worth is None or self._price.number is None:
            return None
        total = self._total(minor_of(self._state.game, self._price.number), quantity)
        return round(worth - total if self._draft.side is OrderSide.BID else total - worth)

    def _advice(self, gain: Money | None) -> str:
        """Return what the order would gain, or without a price what a unit is worth."""
        translate, text, side = self._translate, self._amounts.text, self._draft.side
        quantity = int(self._quantity.number or 1)
        worth = self._worths.change(side, quantity, after=self._units_in_orders())
        if worth is None:
            return ""
        if gain is None and quantity == 1:
            if side is OrderSide.BID:
                return translate("One more unit is worth {worth} to you.", worth=text(worth))
            return translate("The unit you’d sell is worth {worth} to you.", worth=text(worth))
        if quantity == 1:
            known = translate("Worth {worth} to you.", worth=text(worth))
        elif 0 < (some := self._units_with_worth(quantity)) < quantity:
            known = translate.plural(
                "{n} of {all} units is worth something to you: {worth}.",
                "{n} of {all} units are worth something to you: {worth} in all.",
                some,
                all=quantity,
                worth=text(worth),
            )
        else:
            known = translate("{n} units are worth {worth} to you.", n=quantity, worth=text(worth))
        if gain is None:
            return known
        if gain > 0 and quantity == 1:
            gained = translate("You’d gain {gain} on this unit.", gain=text(gain))
        elif gain > 0:
            gained = translate("You’d gain {gain}.", gain=text(gain))
        elif gain < 0:
            gained = translate("You’d lose {loss}!", loss=text(-gain))
        else:
            gained = translate("You’d gain nothing.")
        return f"{known} {gained}"

    def _units_with_worth(self, quantity: int) -> int:
        """Return how many of the units of the order are worth anything by themselves."""
        before = self._units_in_orders()
        changes = (
            self._worths.change(self._draft.side, 1, after=before + n)
            for n in range(min(quantity, MOST_UNITS))
        )
        return sum(1 for change in changes if change)

    def _at_once(self, order: PlaceOrder, price: Money) -> str:
        """Return that an order trades at once, and at what price; empty if it waits in the book."""
        translate = self._translate
        fills = self._market.books[self._book].match(self._draft.side, price, order.quantity)
        filled = sum(fill.quantity for fill in fills)
        prices = {fill.resting.price for fill in fills}
        if not filled:
            return ""
        if filled < order.quantity:
            return translate("{n} of {all} trades at once", n=filled, all=order.quantity)
        if len(prices) == 1:
            return translate("trades at once at {price}", price=self._amounts.text(prices.pop()))
        total = self._amounts.text(sum(fill.resting.price * fill.quantity for fill in fills))
        return translate("trades at once for {total} in all", total=total)

    def _units_in_orders(self) -> int:
        """Return the units of own orders in this book on the same side that would be traded before."""
        replaced_order, book = self._replaced_order(), self._market.books[self._book]
        found = 0
        for order_id, number in self._market.own_orders[self._seat].items():
            order = book.get(order_id) if number == self._book else None
            if order is not None and order.side is self._draft.side and order_id != replaced_order:
                found += order.quantity
        return found

    def _total(self, price: Money, quantity: int) -> Money:
        """Return what the order would cost or bring: at the prices in the book, and the rest at its own."""
        fills = self._market.books[self._book].match(self._draft.side, price, quantity)
        filled = sum(fill.quantity for fill in fills)
        return sum(fill.resting.price * fill.quantity for fill in fills) + price * (quantity - filled)


def _tone(gain: Money | None) -> Tone:
    return "plain" if not gain else "good" if gain > 0 else "bad"
