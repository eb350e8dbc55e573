"""Findings about games in which goods are traded: what trade can gain, and at which prices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from negoplatform.analysis.games.game_finding import GameFinding, note, warning
from negoplatform.analysis.trade_measures import Equilibrium, equilibrium, walras_prices
from negoplatform.core.mechanisms.double_auction_state import conditions_of, market_terms
from negoplatform.core.mechanisms.trading_state import trading_terms
from negoplatform.domain.errors import NotVisible
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Economy, best_allocation, surplus

SEEDS = 20
"""Number of seeds for which endowments are drawn."""


def trade_findings(game: GameSpec) -> Iterator[GameFinding]:
    """Yield the findings about a trading or market game: size, time, each seat, and the gains of trade.

    Raises:
        NotVisible: If a seat's endowment or worth is hidden in this game, as in an exported log.
    """
    economy = economy_of(game)
    drawn = economy.drawn is not None
    for seat in () if drawn else game.seats:
        if seat not in economy.worths or seat not in economy.endowments:
            raise NotVisible(
                f"What {seat} has is hidden here, and a game is checked with the goods of every seat; "
                f"check the game file itself."
            )
    goods = len(economy.goods)
    seats = len(game.seats)
    fewest = f" ({game.fewest_seats} at least)" if game.fewest_seats else ""
    yield note("goods", f"{seats} seats{fewest} trade {goods} good{'s' * (goods != 1)}.")
    yield from _time_findings(game)
    if drawn:
        for count in sorted({game.fewest_seats or seats, seats}):
            yield from _drawn_findings(game.with_seats(count))
        return
    yield from _seat_findings(game)
    if game.mechanism == "market" and market_terms(game).rules:
        yield note("terms.rules", "What the rules pay for decisions is not part of the gains below.")
    for condition in conditions_of(game) if game.mechanism == "market" else ("",):
        yield from _gain_findings(game, economy, condition)


def _time_findings(game: GameSpec) -> Iterator[GameFinding]:
    if game.mechanism == "market":
        terms = market_terms(game)
        periods = sum(phase.trade for phase in terms.all_phases)
        yield note(
            "terms",
            f"{periods} trading period{'s' * (periods != 1)}; "
            f"all phases take up to {terms.total_seconds:g} s.",
        )
        if not periods:
            yield warning("terms.phases", "No phase trades, so nobody can place an order.")
    elif game.rules.deadline_seconds is None:
        yield warning("rules.deadline_seconds", "There is no deadline, so only leaving ends the game.")


def _seat_findings(game: GameSpec) -> Iterator[GameFinding]:
    for seat in game.seats:
        endowment = economy_of(game).endowments[seat]
        if not endowment.money and not any(endowment.units):
            yield warning(
                f"seats.{seat}.endowment", f"{seat} has neither money nor goods, so it can never trade."
            )


def _gain_findings(game: GameSpec, economy: Economy, condition: str) -> Iterator[GameFinding]:
    """Yield what trade gains in all, the best division, and the prices, under one condition."""
    place = f"gains, {condition}" if condition else "gains"
    best = best_allocation(economy, condition)
    held = {seat: economy.endowments[seat].units for seat in game.seats}
    possible = surplus(economy, held, condition, best).possible
    if possible <= 1e-9:
        if game.mechanism == "market" and market_terms(game).rules:
            yield note(place, "By the worths alone, nobody can gain from trade.")
        else:
            yield warning(place, "Nobody can gain from trade: all goods are where they are worth most.")
        return
    yield note(place, f"Trade can gain {_amount(economy, possible)} in all.")
    yield note(place, f"The goods are worth most so: {_division(economy, best)}.")
    prices = [equilibrium(economy, good, condition, best) for good in range(len(economy.goods))]
    walras = walras_prices(economy)
    for good, found in enumerate(prices):
        yield from _price_findings(game, good, found, None if walras is None else walras[good], place)
    yield from _fee_findings(game, possible)
    yield from _money_findings(economy, best, prices, place)


def _price_findings(
    game: GameSpec, good: int, found: Equilibrium | None, walras: float | None, place: str
) -> Iterator[GameFinding]:
    economy = economy_of(game)
    title = economy.goods[good].title
    divisible = "" if walras is None else f" (with divisible units: {_amount(economy, walras)})"
    if found is None:
        yield note(
            place, f"{title}: nothing is gained by trading it, or no price clears the market{divisible}."
        )
        return
    low, high = _amount(economy, found.lowest), _amount(economy, found.highest)
    price = f"{low} to {high}" if low != high else f"{low}"
    units = "1 unit changes" if found.quantity == 1 else f"{found.quantity} units change"
    yield note(place, f"{title}: the equilibrium price is {price}{divisible}; up to {units} hands.")
    if game.mechanism == "market":
        terms = market_terms(game)
        lowest, highest = (economy.currency.from_number(each) for each in (terms.lowest, terms.highest))
        if found.highest < lowest or found.lowest > highest:
            yield warning(
                "terms",
                f"No order can have the equilibrium price of {title}: prices go from "
                f"{_amount(economy, lowest)} to {_amount(economy, highest)}.",
            )


def _fee_findings(game: GameSpec, possible: float) -> Iterator[GameFinding]:
    if game.mechanism != "trading":
        return
    economy, fee = economy_of(game), trading_terms(game).fee
    if fee and economy.currency.from_number(fee) >= possible:
        yield warning(
            "terms.fee", f"One transaction costs {fee:,} in fees, as much as trade can gain in all, or more."
        )


def _money_findings(
    economy: Economy,
    best: dict[Seat, tuple[int, ...]],
    prices: Sequence[Equilibrium | None],
    place: str,
) -> Iterator[GameFinding]:
    """Yield the seats that cannot pay for what they would buy in equilibrium."""
    for seat, units in best.items():
        endowment = economy.endowments[seat]
        changes = [after - before for after, before in zip(units, endowment.units, strict=True)]
        cost = sum(change * price.lowest for change, price in zip(changes, prices, strict=True) if price)
        if cost > endowment.money:
            yield note(
                place,
                f"{seat} has {_amount(economy, endowment.money)}, too little for what it would buy at the "
                f"equilibrium prices: {_amount(economy, cost)} in all.",
            )


def _drawn_findings(game: GameSpec) -> Iterator[GameFinding]:
    """Yield the gains of trade over many seeds, where the seed draws endowments and worths."""
    place = f"gains, {len(game.seats)} seats"
    gains, lows, highs = [], [], []
    for seed in range(1, SEEDS + 1):
        economy = economy_of(game).settled(game.seats, seed)
        best = best_allocation(economy)
        held = {seat: economy.endowments[seat].units for seat in game.seats}
        gains.append(surplus(economy, held, "", best).possible)
        found = [equilibrium(economy, good, "", best) for good in range(len(economy.goods))]
        lows += [each.lowest for each in found if each]
        highs += [each.highest for each in found if each]
    economy = economy_of(game)
    yield note(
        place,
        f"Over {SEEDS} seeds, trade can gain {_amount(economy, min(gains))} to "
        f"{_amount(economy, max(gains))} in all, {_amount(economy, sum(gains) / SEEDS)} on average.",
    )
    if lows:
        yield note(
            place,
            f"Equilibrium prices go from {_amount(economy, min(lows))} to {_amount(economy, max(highs))}.",
        )
    none = sum(gain <= 1e-9 for gain in gains)
    if none:
        yield warning(place, f"In {none} of {SEEDS} seeds nobody can gain from trade.")
    yield from _fee_findings(game, min(gains))


def _amount(economy: Economy, amount: float) -> str:
    """Return an amount in minor units, rounded, for people."""
    return economy.currency.format(round(amount))


def _division(economy: Economy, best: dict[Seat, tuple[int, ...]]) -> str:
    return "; ".join(f"{seat} {economy.describe_units(units)}" for seat, units in best.items())
