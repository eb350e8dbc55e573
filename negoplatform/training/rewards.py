"""Rewards of learners, computed from their own view alone."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from numbers import Real

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.errors import NegoError

Reward = Callable[[AgentContext, AgentContext], float]
"""Reward of a step: called with the seat's context before the step and after it.

A context has the seat's own view and nothing else, so a reward cannot depend on what the seat does not see.
"""

Potential = Callable[[AgentContext], float]
"""Potential of a moment, for :func:`shaped`."""


def final_points(before: AgentContext, after: AgentContext) -> float:
    """Return the points at the end of the game, and 0 before.

    In a bargaining game they are a share of the seat's range, from its worst outcome, 0, to its best, 1; the
    cost of time or a low value of quitting may bring them below 0. In other games they are the points: the
    score of trading, the gain in a market, both in the game's money and without limits.
    """
    if before.ending is not None or after.ending is None:
        return 0.0
    points = after.final_points
    return 0.0 if points is None else _share(after, points)


def score_change(before: AgentContext, after: AgentContext) -> float:
    """Return by how much the points rose that the seat would have if time were up.

    As a share of the seat's range in a bargaining game, else in points. An act counts in the step in which
    its effect is there, such as a transaction when it is settled, and one that never has an effect counts
    nothing. Over an episode it sums up to the points at its end, less what the seat began with. Points that
    depend on a condition which is not known yet count 0 until it is.
    """
    return _points_of(after) - _points_of(before)


def shaped(reward: Reward, potential: Potential, discount: float = 1.0) -> Reward:
    """Return a reward with potential-based shaping, which does not change what the best policy is.

    Ng, Harada and Russell (1999), "Policy invariance under reward transformations: theory and application to
    reward shaping", Proceedings of the 16th International Conference on Machine Learning, 278-287.

    Args:
        reward: The reward.
        potential: The potential of a moment; that of the end counts 0.
        discount: The discount of the learner for one step, from 0 to 1.

    Raises:
        NegoError: If the discount is out of range.
    """
    if not 0 <= discount <= 1:
        raise NegoError(f"A discount is a number from 0 to 1, not {discount!r}.")

    def with_potential(before: AgentContext, after: AgentContext) -> float:
        later = 0.0 if after.ending is not None else potential(after)
        return reward(before, after) + discount * later - potential(before)

    return with_potential


def _points_of(ctx: AgentContext) -> float:
    points = ctx.standing if ctx.ending is None else ctx.final_points
    return 0.0 if points is None else _share(ctx, points)


def _share(ctx: AgentContext, points: float) -> float:
    preferences = ctx.game.preferences.get(ctx.seat)
    if ctx.game.mechanism != BARGAINING or preferences is None:
        return float(points)
    lowest, highest = preferences.utility.lowest, preferences.utility.highest
    return float((points - lowest) / (highest - lowest)) if highest > lowest else 0.0


def _checked(reward: Reward) -> Reward:
    def checked(before: AgentContext, after: AgentContext) -> float:
        found: object = reward(before, after)
        if not isinstance(found, Real) or not isfinite(found):
            raise NegoError(f"The reward of a step is a finite number, not {found!r}.")
        return float(found)

    return checked


REWARDS: dict[str, Reward] = {"final_points": final_points, "score_change": score_change}
"""Rewards by name."""


def reward_of(reward: str | Reward) -> Reward:
    """Return a reward by its name, or of a function whose values are checked: finite numbers, made float.

    Raises:
        NegoError: If there is none of that name.
    """
    if callable(reward):
        return reward if reward in REWARDS.values() else _checked(reward)
    if not isinstance(reward, str) or reward not in REWARDS:
        raise NegoError(f"There is no reward {reward!r}; there are {', '.join(REWARDS)}.")
    return REWARDS[reward]
