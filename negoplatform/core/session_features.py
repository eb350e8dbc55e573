"""Features of a session: all information at one of its moments, as numbers.

All vectors of a game have the same length at every moment. Numbers are 32 bits wide: points and prices beyond
16 million, or with many decimals, are rounded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from negoplatform.core.events import Expression
from negoplatform.core.features.numeric_feature_set import FeatureState
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.features.observation_vectors import Observation, get_observation
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.core.visibility import NOTHING_SHARED
from negoplatform.core.visibility_rule import NO_PRINCIPAL, SEAT_LEVEL, SYSTEM_LEVEL
from negoplatform.domain.game import GameSpec, Visibility
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap

NO_DEADLINE = -1
"""Remaining time where there is no deadline."""

EXPRESSIONS = tuple(Expression)
"""The order in which expressions are numbered."""


class Clock(Feature):
    """Time: seconds since the start, and seconds to the deadline, -1 where there is none."""

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    elapsed: float = 0.0
    remaining: float = -1.0


class Presence(Feature):
    """A seat's presence: the number of its expression, and whether it types or builds an offer."""

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    expression: int = 0
    typing: bool = False
    drafting: bool = False


def feature_states(
    state: State,
    *,
    now: float | None = None,
    principals: Mapping[Seat, str] | None = None,
    shared: SeatMap[tuple[Feature, ...]] = NOTHING_SHARED,
) -> dict[str, FeatureState]:
    """Return the feature states of a session, by owner: the seats in order, then the platform.

    Each seat has Presence, and the platform has Clock; both are public. The mechanism's features follow.

    Args:
        state: The whole state, or a view of it.
        now: The session time, in seconds; that of the last event unless given.
        principals: The registered principal of each seat that has one, in place of the game's; no requestor
            is above the others.
        shared: The features that a view shows of the observer's allies, by seat.
    """
    at = state.t if now is None else now
    game = state.game
    own = mechanism_of(game.mechanism).features(state, at)
    states = {}
    for seat in game.seats:
        features = [_presence(state, seat, at), *own.get(seat, ())]
        there = {feature.feature_name for feature in features}
        features += [each for each in shared.get(seat, ()) if each.feature_name not in there]
        above = game.upstream_of(seat) if principals is None else principals.get(seat)
        team = game.team_of(seat)
        states[seat] = FeatureState(
            seat,
            SEAT_LEVEL,
            features,
            above or NO_PRINCIPAL,
            allies=game.allies_of(seat),
            shared=() if team is None else team.share,
        )
    table = [_clock(game, at), *own.get(PLATFORM, ())]
    return {**states, PLATFORM: FeatureState(PLATFORM, SYSTEM_LEVEL, table, NO_PRINCIPAL)}


def observation_of(
    state: State,
    requestor_id: str | None,
    requestor_level: int,
    timestamp: float,
    *,
    principals: Mapping[Seat, str] | None = None,
    shared: SeatMap[tuple[Feature, ...]] = NOTHING_SHARED,
) -> Observation:
    """Return a requestor's observation of a session.

    Args:
        state: The whole state, or the requestor's view of it: both give the same, where the latter comes with
            what the requestor's allies share.
        requestor_id: A seat, a principal, ``platform``; None without a name.
        requestor_level: 1 for a seat, 2 for a principal, 3 for the system.
        timestamp: The session time, in seconds.
        principals: The registered principal of each seat that has one, in place of the game's.
        shared: The ``shared`` of the requestor's view.
    """
    # The given time, not the last event's: that event may be hidden from the requestor.
    states = feature_states(state, now=timestamp, principals=principals, shared=shared)
    return get_observation(states, requestor_id, requestor_level, timestamp)


def _clock(game: GameSpec, now: float) -> Clock:
    deadline = game.rules.deadline_seconds
    return Clock(elapsed=now, remaining=NO_DEADLINE if deadline is None else max(0.0, deadline - now))


def _presence(state: State, seat: Seat, now: float) -> Presence:
    shown = state.presence[seat]
    return Presence(
        expression=EXPRESSIONS.index(shown.expression_at(now)),
        typing=now < shown.typing_until,
        drafting=now < shown.drafting_until,
    )
