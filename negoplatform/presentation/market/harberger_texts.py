"""Rules ``harberger`` in the briefing, in the form of speculators and in the result. No Tk."""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.core.events import Event
from negoplatform.core.mechanisms.double_auction_state import double_auction_state, market_terms
from negoplatform.core.mechanisms.harberger import PLOTS, Harberger, HarbergerParameters, harberger_parameters
from negoplatform.core.mechanisms.market_books import book_place, minor_of
from negoplatform.core.mechanisms.market_terms import DecisionField
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.market.phase_rule_texts import DECLARATIONS
from negoplatform.presentation.market.trades_view import is_own, own_trades, placed_orders


def is_harberger(game: GameSpec) -> bool:
    """Return whether a game has these rules."""
    return market_terms(game).rules == Harberger.name


def harberger_rules(game: GameSpec, seat: Seat, translate: Language) -> tuple[str, ...]:
    """Return the sentences for the page of rules: what decides, what is paid, and what counts."""
    lines = [
        translate(
            "What will hold is decided by the first declarations: that for which they add up to the most. "
            "From then on only the declarations for it are taxed and traded at."
        ),
        translate(
            "Whoever declares nothing in time is taken to declare the least that the plot can be worth. "
            "Whoever chooses no plots in time buys none."
        ),
        translate(
            "At the end the whole final tax is paid out to the shares, the same amount to each. Before that "
            "a share is worth nothing but what others pay for it."
        ),
    ]
    if seat in harberger_parameters(game).values:
        lines.append(
            translate(
                "Your plot is not part of what you begin with: at the end you are paid what it is worth "
                "under what holds, and that is part of your gain."
            )
        )
    return tuple(lines)


def plot_note(state: State, field: DecisionField, owner: str, amounts: Amounts, translate: Language) -> str:
    """Return what a plot costs and can be worth; empty for any other value of a decision."""
    game, realised = state.game, double_auction_state(state).realised
    if not is_harberger(game) or field.name != PLOTS or not realised:
        return ""
    place = market_terms(game).conditions.index(realised)
    declared = [event for event in state.transcript if event.type == DECLARATIONS]
    ranges = harberger_parameters(game).values.get(owner)
    if not declared or ranges is None:
        return ""
    price = next(
        (plot["values"][place] for plot in declared[-1].data["plots"] if plot["owner"] == owner), None
    )
    if price is None:
        return ""
    low, high = (amounts.text(minor_of(game, number)) for number in ranges[place])
    return translate(
        "declared {price}, worth {low} to {high}",
        price=amounts.text(minor_of(game, price)),
        low=low,
        high=high,
    )


@dataclass(frozen=True, slots=True)
class _Gains:
    """Parts of a seat's gain, in minor units."""

    taxes: tuple[int, ...]
    speculation: int | None
    traded: int
    plot: int | None


def harberger_rows(
    state: State, seat: Seat, gained: int, amounts: Amounts, translate: Language
) -> tuple[tuple[str, str, str], ...]:
    """Return the parts that a seat's gain is made of, or nothing if the game was not played to its end.

    Args:
        state: The state as the seat sees it, after the end.
        seat: The seat.
        gained: The seat's gain, in minor units.
        amounts: Texts of amounts.
        translate: The window's language.
    """
    game, market = state.game, double_auction_state(state)
    parts = _gains(state, seat, harberger_parameters(game)) if market.realised else None
    if parts is None:
        return ()
    condition = market_terms(game).conditions.index(market.realised)
    units = sum(market.accounts[seat].units[condition])
    # What is left is what the shares were paid, to the cent that rounding has given or taken.
    shares = gained + sum(parts.taxes) - (parts.speculation or 0) - parts.traded - (parts.plot or 0)
    rows: list[tuple[str, str, str]] = []
    if parts.plot is not None:
        rows.append((translate("Worth of your plot"), amounts.signed(parts.plot), ""))
    for name, tax in zip((translate("First tax"), translate("Final tax")), parts.taxes, strict=False):
        rows.append((name, amounts.signed(-tax), ""))
    if parts.speculation is not None:
        rows.append((translate("Speculation"), amounts.signed(parts.speculation), ""))
    rows.append((translate("Shares bought and sold"), amounts.signed(parts.traded), ""))
    each = ""
    # A rounded price would not make the amount.
    if units and round(shares) % units == 0:
        each = translate("{n} at {price}", n=units, price=amounts.text(shares / units))
    rows.append((translate("Paid to your shares"), amounts.signed(shares), each))
    return tuple(rows)


def _gains(state: State, seat: Seat, parameters: HarbergerParameters) -> _Gains | None:
    game, market = state.game, double_auction_state(state)
    place = market_terms(game).conditions.index(market.realised)
    events = list(state.transcript_of(seat))
    declared = [_own_plot(event, seat, place) for event in events if event.type == DECLARATIONS]
    if len(declared) < 2:
        return None
    rates = parameters.initial_tax_rate, parameters.final_tax_rate
    taxes = tuple(
        minor_of(game, worth * rate / 100)
        for worth, rate in zip(declared, rates, strict=False)
        if worth is not None
    )
    profits = [minor_of(game, event.data["profit"]) for event in events if event.type == "profit"]
    worths = [
        minor_of(game, event.data["property"]["values"][place])
        for event in events
        if event.type == "property-value" and event.data["property"]["owner"] == seat
    ]
    traded, placed = 0, placed_orders(state, seat)
    for book in range(len(market.books)):
        if book_place(game, book)[0] != place:
            continue
        for trade in own_trades(state, seat, book):
            paid = trade.price * trade.quantity
            traded += -paid if is_own(trade, seat, placed) is OrderSide.BID else paid
    return _Gains(taxes, sum(profits) if profits else None, traded, worths[0] if worths else None)


def _own_plot(event: Event, seat: Seat, place: int) -> float | None:
    return next((plot["values"][place] for plot in event.data["plots"] if plot["owner"] == seat), None)
