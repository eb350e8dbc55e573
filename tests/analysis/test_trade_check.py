"""Check of trading and market games: what trade can gain, and at which prices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.analysis.games.game_check import FindingKind, check_game
from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.core.visibility import Observer, visible_game
from negoplatform.domain.errors import NotVisible
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.trading.economy import Endowment
from negoplatform.domain.trading.worth import UnitWorth
from tests.mechanisms.grain_market import BUYER, OTHER, SELLER, grain_market
from tests.mechanisms.trading_table import worked_example


def told(game: GameSpec, kind: FindingKind | None = None) -> list[str]:
    """Return the findings with their places, of one kind if given."""
    return [f"{f.place}: {f.text}" for f in check_game(game) if kind in (None, f.kind)]


def warned(game: GameSpec) -> list[str]:
    """Return the warnings with their places."""
    return told(game, FindingKind.WARNING)


def with_economy(game: GameSpec, **changes: object) -> GameSpec:
    """Return a game with another economy."""
    assert game.economy is not None
    return replace(game, economy=replace(game.economy, **changes))  # type: ignore[arg-type]  # any field


@pytest.mark.parametrize("name", ["grain_market", "tac_trading", "tac_market", "land_market"])
def test_the_shipped_games_are_sound(name: str) -> None:
    assert warned(find_game(name, Path("none"))) == []


def test_the_possible_gain_the_best_division_and_the_prices_are_told() -> None:
    found = "\n".join(told(find_game("tac_trading", Path("none"))))

    assert "Trade can gain €103.97 in all." in found
    assert "agent_1 4 × Wool, 1 × Wine; agent_2 1 × Wool, 2 × Wine" in found
    assert "with divisible units: €22.00" in found
    assert "with divisible units: €30.00" in found


def test_drawn_endowments_are_checked_over_seeds_with_few_and_many_seats() -> None:
    found = told(find_game("tac_market", Path("none")))

    for seats in (3, 8):
        assert any(line.startswith(f"gains, {seats} seats: Over 20 seeds, trade can gain") for line in found)


def test_a_market_in_which_nobody_can_gain_is_warned_about() -> None:
    worth = UnitWorth(((50, 40, 30, 20, 10, 5),))
    holders = {BUYER: Endowment(500, (2,)), SELLER: Endowment(0, (2,)), OTHER: Endowment(0, (2,))}
    game = with_economy(
        grain_market(),
        endowments=SeatMap(holders),
        worths=SeatMap((seat, worth) for seat in holders),
    )

    assert warned(game) == ["gains: Nobody can gain from trade: all goods are where they are worth most."]


def test_prices_that_no_order_can_have_and_a_seat_without_anything_are_warned_about() -> None:
    game = grain_market(lowest=1, highest=20)
    assert game.economy is not None
    endowments = game.economy.endowments.with_value(OTHER, Endowment(0, (0,)))

    found = warned(with_economy(game, endowments=endowments))

    assert any("neither money nor goods" in line for line in found)
    assert any(line.startswith("terms: No order can have the equilibrium price of Grain") for line in found)


def test_a_buyer_without_the_money_for_the_equilibrium_is_noted() -> None:
    game = grain_market()
    assert game.economy is not None
    endowments = game.economy.endowments.with_value(BUYER, Endowment(10, (0,)))

    found = told(with_economy(game, endowments=endowments), FindingKind.NOTE)

    assert any("buyer has €10, too little for what it would buy" in line for line in found)


def test_a_fee_above_every_gain_is_warned_about() -> None:
    assert any(line.startswith("terms.fee: ") for line in warned(worked_example(fee=500)))


def test_a_game_with_hidden_sides_is_not_checked() -> None:
    game = visible_game(grain_market(), Observer(BUYER))

    with pytest.raises(NotVisible, match="hidden here"):
        check_game(game)
