"""Worth of each seat's account over time, in a recorded session of a game of goods and money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.app.playback.playback import Playback
from negoplatform.core.events import EventType
from negoplatform.core.mechanisms.market_order_facts import ASSET_MOVEMENT, CONTRACT_FULFILLED
from negoplatform.core.mechanisms.market_phase_facts import (
    CONDITION_REALISED,
    PERIOD_RESULT,
    PHASE_TRANSITION,
)
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.mechanisms.trading_facts import TRADE_REPORTED, TRANSACTION_CONFIRMATION
from negoplatform.core.visibility import Observer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points

CHANGES = frozenset(
    {
        EventType.GAME_START,
        EventType.GAME_END,
        ASSET_MOVEMENT,
        CONDITION_REALISED,
        CONTRACT_FULFILLED,
        PERIOD_RESULT,
        PHASE_TRANSITION,
        TRADE_REPORTED,
        TRANSACTION_CONFIRMATION,
    }
)
"""Types of events after which an account may be worth something else."""


@dataclass(frozen=True, slots=True)
class StandingStep:
    """Worth of a seat's account from an event on.

    Args:
        position: The position of the event.
        t: Its session time (s).
        points: The seat's points if the game ended then.
    """

    position: int
    t: float
    points: Points


def recorded_standings(playback: Playback, observer: Observer) -> Mapping[Seat, tuple[StandingStep, ...]]:
    """Return the steps of each seat whose account the observer may see; of equal steps only the first."""
    rules, game = mechanism_of(playback.game.mechanism), playback.game
    # Of the facts of one moment the last: between those of one trade, or of one period's end, accounts are
    # half changed.
    last = {
        moment.event.t: moment.position
        for moment in playback.observed_events(observer)
        if moment.event.type in CHANGES
    }
    found: dict[Seat, list[StandingStep]] = {seat: [] for seat in game.seats}
    for t, position in last.items():
        state = playback.view_at(position, observer).state
        for seat, steps in found.items():
            points = rules.standing(state, seat)
            if points is not None and (not steps or steps[-1].points != points):
                steps.append(StandingStep(position, t, points))
    return {seat: tuple(steps) for seat, steps in found.items() if steps}
