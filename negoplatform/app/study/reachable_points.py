"""Points that a participant can reach, and usually reaches, in the games of a study."""

from __future__ import annotations

from fractions import Fraction

from negoplatform.app.session.agent_placement import participant_seat
from negoplatform.app.study.partner_check import chosen_values
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.core.mechanisms.double_auction_state import conditions_of, market_terms
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.market_terms import CarryOver
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Economy, surplus
from negoplatform.study.stages import PlayedGame
from negoplatform.study.study_file import StudyModel

TRIED_DRAWS = 8
"""Number of draws of a game whose points are compared with the payment."""

USUAL_MINUTES = 60
"""Minutes of a game without a limit."""

USUAL_SHARE = Fraction(1, 2)
"""Share of the best possible points that people usually get."""


def usual_points(folder: StudyFolder, model: StudyModel, played: PlayedGame) -> Fraction:
    """Return the points that people usually get in a game of a study.

    In bargaining these are half of the best possible points; in a game of goods, the points without any trade
    and an equal part of half of what trade can gain in all.

    Raises:
        NegoError: If the game cannot be used.
    """
    name = chosen_values(model, played.game, "game")[0]
    game = played.with_seats(folder.game(name)).resolve_profiles(0, played.profile)
    seat = participant_seat(game, played.seat)
    if game.economy is None:
        return Fraction(str(game.preferences[seat].utility.highest)) * USUAL_SHARE
    economy, conditions = game.economy, _conditions(game)
    possible = [_gain_of_trade(economy, condition) for condition in conditions]
    gain = _times(game) * sum(possible) / len(possible) / len(game.seats)
    before = 0.0 if game.mechanism == Market.name else _holdings(economy, seat, conditions[0])
    return _points(economy, before) + _points(economy, gain) * USUAL_SHARE


def points_range(
    folder: StudyFolder, model: StudyModel, played: PlayedGame
) -> tuple[Fraction, Fraction] | None:
    """Return bounds of the points of a game of a study: the least and the most that are possible.

    In a game of goods these are the points of a seat that has nothing, and of one that has everything.

    Returns:
        The lowest and the highest points; None where rules of the game pay for decisions, since these have
        no bounds.

    Raises:
        NegoError: If a game cannot be used.
    """
    points: list[Fraction] = []
    for name in chosen_values(model, played.game, "game"):
        for seed in range(TRIED_DRAWS):
            game = played.with_seats(folder.game(name)).resolve_profiles(seed, played.profile)
            seat = participant_seat(game, played.seat)
            if game.economy is not None:
                if game.mechanism == Market.name and market_terms(game).rules:
                    return None
                points += _range_of_goods(game, game.economy, seat)
                continue
            mine = game.preferences[seat]
            lowest = min(mine.utility.lowest, mine.reservation_value, mine.quit_value)
            # At the deadline; points below 0 are worth the least at the start.
            late = mine.points_at(lowest, 60 * float(played.minutes or USUAL_MINUTES), 1.0)
            worst = min(late, lowest)
            best = max(mine.utility.highest, mine.reservation_value, mine.quit_value)
            points += [Fraction(str(worst)), Fraction(str(best))]
    return min(points), max(points)


def _gain_of_trade(economy: Economy, condition: str) -> float:
    """Return what trade can gain in all, in minor units."""
    held = {seat: endowment.units for seat, endowment in economy.endowments.items()}
    return surplus(economy, held, condition).possible


def _range_of_goods(game: GameSpec, economy: Economy, seat: Seat) -> list[Fraction]:
    """Return the points of a seat that has nothing at the end, and of one that has everything."""
    money = sum(endowment.money for endowment in economy.endowments.values())
    everything = [sum(units) for units in zip(*(e.units for e in economy.endowments.values()), strict=True)]
    found: list[float] = []
    for condition in _conditions(game):
        worth = economy.worths[seat]
        before = _holdings(economy, seat, condition) if game.mechanism == Market.name else 0.0
        nothing = worth.of([0] * len(everything), condition)
        found += [nothing - before, money + worth.of(everything, condition) - before]
    return [_points(economy, _times(game) * amount) for amount in found]


def _conditions(game: GameSpec) -> tuple[str, ...]:
    return conditions_of(game) if game.mechanism == Market.name else ("",)


def _times(game: GameSpec) -> int:
    """Return how many times the endowments are traded."""
    if game.mechanism != Market.name:
        return 1
    terms = market_terms(game)
    return terms.periods.count if not terms.phases and terms.periods.carry is CarryOver.RESET else 1


def _holdings(economy: Economy, seat: Seat, condition: str) -> float:
    """Return what a seat begins with: money and the worth of its goods, in minor units."""
    endowment = economy.endowments[seat]
    return endowment.money + float(economy.worths[seat].of(endowment.units, condition))


def _points(economy: Economy, amount: float) -> Fraction:
    return Fraction(str(economy.currency.to_number(amount)))
