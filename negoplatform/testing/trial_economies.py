"""Games of the agent check without issues: trading in pairs, and markets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.app.session.session_plan import with_time_limit
from negoplatform.core.mechanisms.market_terms import (
    CarryOver,
    DecisionField,
    DecisionKind,
    Identities,
    MarketPeriods,
    MarketPhase,
    MarketTerms,
)
from negoplatform.core.mechanisms.trading_state import Tape, TradingTerms
from negoplatform.domain.game import GameSpec, Rules
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import Currency, Economy, Endowment, Good
from negoplatform.domain.trading.worth import ConditionWorth, GoodsWorth, UnitWorth
from negoplatform.plugins.program_and_user_folders import bundled

DEADLINE_SECONDS = 150.0
"""Session time of the trading games."""

Units = Sequence[Sequence[int]]
"""Worth of the first unit of each good, the second and so on, in whole units of money."""


def trading_trial_games() -> list[GameSpec]:
    """Return the trading games: two and three seats, logarithmic and induced worth, no fee and a fee."""
    shipped = find_game(str(bundled("games") / "tac_trading.json"), bundled("games"))
    return [with_time_limit(shipped, DEADLINE_SECONDS), _three_traders()]


def market_trial_games() -> list[GameSpec]:
    """Return the markets: one and two goods, shown and hidden identities, periods, conditions, decisions."""
    land_market = find_game(str(bundled("games") / "land_market"), bundled("games"))
    return [_stall(), _bazaar(), _council(), land_market]


def _three_traders() -> GameSpec:
    """Return a trading game of three seats with induced values, a fee and a public tape."""
    seats: Mapping[Seat, tuple[int, Sequence[int], Units]] = {
        "miller": (40, (3, 0), ((9, 4, 2, 1), (12, 9, 5, 2))),
        "weaver": (40, (0, 3), ((12, 8, 5, 2), (9, 4, 2, 1))),
        "tinker": (30, (2, 2), ((10, 6, 3, 1), (10, 6, 3, 1))),
    }
    terms = TradingTerms(fee=1, tape=Tape.PUBLIC, request_expires_seconds=20)
    return _game("three_traders", "trading", seats, terms, deadline_seconds=DEADLINE_SECONDS)


def _stall() -> GameSpec:
    """Return a market of one buyer and one seller, for one period, with prices in half steps."""
    seats: Mapping[Seat, tuple[int, Sequence[int], Units]] = {
        "buyer": (60, (0,), ((14, 12, 10, 8),)),
        "seller": (0, (4,), ((9, 7, 5, 3),)),
    }
    terms = MarketTerms(tick=0.5, lowest=1, highest=20, periods=MarketPeriods(seconds=60))
    return _game("stall", "market", seats, terms)


def _bazaar() -> GameSpec:
    """Return a market of two goods among three hidden traders, for two periods, each with the endowment."""
    seats: Mapping[Seat, tuple[int, Sequence[int], Units]] = {
        "amber": (80, (0, 4), ((22, 16, 9, 4), (18, 11, 6, 2))),
        "cobalt": (80, (4, 0), ((18, 11, 6, 2), (22, 16, 9, 4))),
        "ochre": (80, (2, 2), ((20, 14, 8, 3), (20, 14, 8, 3))),
    }
    terms = MarketTerms(
        highest=30,
        orders_per_seat=3,
        order_lifetime_seconds=15,
        identities=Identities.HIDDEN,
        periods=MarketPeriods(count=2, seconds=45, break_seconds=5, carry=CarryOver.RESET),
    )
    return _game("bazaar", "market", seats, terms)


def _council() -> GameSpec:
    """Return a game of decisions before and after a market under two conditions, of which one will hold."""
    fields = (
        DecisionField("levy", low=0, high=20, step=5),
        DecisionField("site", DecisionKind.ONE_OF, values=("hill", "harbour")),
        DecisionField("guests", DecisionKind.SOME_OF, values=("baker", "smith", "piper"), most=2),
    )
    terms = MarketTerms(
        highest=40,
        orders_per_seat=2,
        conditions=("dry", "wet"),
        phases=(
            MarketPhase("plan", 20, decide=fields),
            MarketPhase("market", 50, trade=True),
            MarketPhase("vote", 20, decide=fields[1:2]),
        ),
    )
    worth = ConditionWorth(
        (("dry", UnitWorth(((3000, 2000, 1000),))), ("wet", UnitWorth(((1500, 1000, 500),))))
    )
    units = {"smith": 0, "baker": 3, "piper": 1}
    sides = {seat: (Endowment(10_000, (count,)), worth) for seat, count in units.items()}
    return _economy_game("council", "market", terms, sides, goods=1)


def _game(
    name: str,
    mechanism: str,
    seats: Mapping[Seat, tuple[int, Sequence[int], Units]],
    terms: Any,
    **rules: Any,
) -> GameSpec:
    """Return a game; of each seat are given its money, its units and their worth."""
    sides = {
        seat: (
            Endowment(100 * money, tuple(units)),
            UnitWorth(tuple(tuple(100 * each for each in row) for row in worth)),
        )
        for seat, (money, units, worth) in seats.items()
    }
    return _economy_game(name, mechanism, terms, sides, goods=len(next(iter(seats.values()))[1]), **rules)


def _economy_game(
    name: str,
    mechanism: str,
    terms: Any,
    sides: Mapping[Seat, tuple[Endowment, GoodsWorth]],
    *,
    goods: int,
    **rules: Any,
) -> GameSpec:
    economy = Economy(
        tuple(Good(good, good.capitalize()) for good in ("flour", "cloth")[:goods]),
        Currency("€", 2),
        SeatMap((seat, endowment) for seat, (endowment, _) in sides.items()),
        SeatMap((seat, worth) for seat, (_, worth) in sides.items()),
        terms,
    )
    return GameSpec(
        name=name,
        issues=(),
        seats=tuple(sides),
        preferences=SeatMap(),
        mechanism=mechanism,
        rules=Rules(**rules),
        economy=economy,
        title=name.replace("_", " ").capitalize(),
    )
