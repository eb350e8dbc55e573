"""The parts of the agent check by kind of game: games, situations, remarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.trading_agents import MarketAgent
from negoplatform.core.mechanisms.double_auction_state import market_terms
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.testing.bargaining_harness import BargainingHarness
from negoplatform.testing.behaviour_checks import bargaining_remarks, bargaining_silence_remarks
from negoplatform.testing.case_runner import CaseResult
from negoplatform.testing.check_harness import CheckCase, CheckHarness, CheckSituation
from negoplatform.testing.check_situations import SITUATIONS
from negoplatform.testing.finding import Remark
from negoplatform.testing.market_checks import market_remarks, market_silence_remarks
from negoplatform.testing.market_situations import MARKET_SITUATIONS, MarketHarness
from negoplatform.testing.trading_checks import trading_remarks, trading_silence_remarks
from negoplatform.testing.trading_situations import TRADING_SITUATIONS, TradingHarness
from negoplatform.testing.trial_economies import market_trial_games, trading_trial_games
from negoplatform.testing.trial_games import trial_games


@dataclass(frozen=True, slots=True)
class MechanismCheck:
    """Check of games of one kind.

    Args:
        games: Returns the games in which an agent of a class is played unless others are named.
        seats: Returns the seats of a game in which the agent is played.
        situations: The situations.
        harness: The class of the table on which they are played.
        remarks: Yields remarks on what the agent did in one situation.
        silence_remarks: Returns remarks on what it did in no situation.
    """

    games: Callable[[type[NegotiationAgent]], list[GameSpec]]
    seats: Callable[[GameSpec], Sequence[Seat]]
    situations: tuple[CheckSituation, ...]
    harness: type[CheckHarness]
    remarks: Callable[[CaseResult], Iterator[Remark]]
    silence_remarks: Callable[[Sequence[CaseResult]], list[Remark]]


def _seats_in_pairs(game: GameSpec) -> Sequence[Seat]:
    """Return both seats of a game for two, and the last seat of any other."""
    return game.seats if len(game.seats) == 2 else game.seats[-1:]


def _seats_by_part(game: GameSpec) -> Sequence[Seat]:
    """Return the last seat of each part: what it decides, and whether it begins with money and with goods."""
    by_part: dict[object, Seat] = {}
    for seat in game.seats:
        endowment = economy_of(game).endowments[seat]
        decides = [
            phase.name
            for phase in market_terms(game).all_phases
            if phase.decide and seat in (phase.by or game.seats)
        ]
        by_part[(*decides, endowment.money > 0, any(endowment.units))] = seat
    return list(by_part.values())


def _markets_for(agent: type[NegotiationAgent]) -> list[GameSpec]:
    """Return the markets; those with decisions only for an agent that decides anything."""
    decides = not issubclass(agent, MarketAgent) or agent.on_decide is not MarketAgent.on_decide
    games = market_trial_games()
    return [
        game for game in games if decides or not any(phase.decide for phase in market_terms(game).all_phases)
    ]


MECHANISM_CHECKS: Mapping[str, MechanismCheck] = MappingProxyType(
    {
        "bargaining": MechanismCheck(
            games=lambda _agent: trial_games(),
            seats=_seats_in_pairs,
            situations=SITUATIONS,
            harness=BargainingHarness,
            remarks=bargaining_remarks,
            silence_remarks=bargaining_silence_remarks,
        ),
        "trading": MechanismCheck(
            games=lambda _agent: trading_trial_games(),
            seats=_seats_in_pairs,
            situations=TRADING_SITUATIONS,
            harness=TradingHarness,
            remarks=trading_remarks,
            silence_remarks=trading_silence_remarks,
        ),
        "market": MechanismCheck(
            games=_markets_for,
            seats=_seats_by_part,
            situations=MARKET_SITUATIONS,
            harness=MarketHarness,
            remarks=market_remarks,
            silence_remarks=market_silence_remarks,
        ),
    }
)
"""The check of each kind of game, by the name of its mechanism."""


def check_cases(
    games: Sequence[GameSpec], refuses: Callable[[Seat, GameSpec], bool] = lambda _seat, _game: False
) -> list[CheckCase]:
    """Return every situation in every game, as each of the seats that its kind names.

    Args:
        games: The games.
        refuses: Whether the agent refuses to play a game in a seat. If it refuses all the seats that the kind
            names, the other seats that it does not refuse take their place.
    """

    def seats(game: GameSpec) -> Sequence[Seat]:
        usual = MECHANISM_CHECKS[game.mechanism].seats(game)
        if not all(refuses(seat, game) for seat in usual):
            return usual
        others = [seat for seat in game.seats if seat not in usual and not refuses(seat, game)]
        return others or usual

    return [
        CheckCase(game, seat, situation, MECHANISM_CHECKS[game.mechanism].harness)
        for game in games
        for seat in seats(game)
        for situation in MECHANISM_CHECKS[game.mechanism].situations
        if game.rules.deadline_seconds is not None or not situation.needs_deadline
    ]
