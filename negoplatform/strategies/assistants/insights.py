"""Insights about the other seats: how they concede, what matters to them, and what could be done next.

The codes of next steps, with their values:

==================  ===================================================================================
accept_offer        the offer ``offer_id`` of ``of`` is worth ``points``, at least the seat's own last demand
time_is_short       less than a tenth of the time is left
give_on             concede on ``issue``, which matters most to ``of``
ask_for             ask for ``issue``, which matters least to ``of``
return_concession   ``of`` has conceded: answer with a concession
hold_firm           ``of`` has taken something back: do not concede first
change_package      ``of`` has not moved in its last three offers: propose other combinations
learn_priorities    ``of`` has made fewer than two offers: ask what matters to it
==================  ===================================================================================
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.frequency_opponent_model import FrequencyEstimate
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.step_analysis import STEPS_TOWARDS_OPPONENT, StepClass, classify_step

MOVED = 0.03
"""Least change of a utility, as a share of its range, that counts as a move (NegoLog, Dogru et al. 2024)."""

SHORT_TIME = 0.9
"""Progress from which the time is short."""

UNMOVED = 3
"""Offers in a row without a move after which another combination is worth a try."""


def insights_about(ctx: AgentContext, other: Seat) -> dict[str, Any]:
    """Return the insights about another seat at a bargaining table.

    Keys: ``offers``, their number; ``moves``, how many of each class of steps (see ``classify_step``; the
    mover's side is the game's preferences where the seat sees them, and an estimate elsewhere);
    ``last_move``; ``given``, the change of this seat's own utility from the other's first offer to its last,
    as a share of its range; ``pattern``: conceding, firm, hardening or unknown; ``estimated``, whether the
    mover's side is an estimate; ``priorities``: the estimated weights of the issues, the highest first.
    """
    offers = [each["offer"] for each in ctx.get_offer_history() if each["sender"] == other]
    estimate = FrequencyEstimate(ctx.game, other)
    for offer in offers:
        estimate.hear(offer)
    known = ctx.are_preferences_visible(other)
    own = [ctx.get_agent_utility_percent(offer) for offer in offers]
    theirs = _utilities_of_mover(ctx, other, offers, estimate) if offers else []
    moves = [
        classify_step(b[0] - a[0], b[1] - a[1], MOVED, MOVED)
        for a, b in pairwise(zip(theirs, own, strict=True))
    ]
    weights = sorted(estimate.weights.items(), key=lambda pair: -pair[1])
    return {
        "offers": len(offers),
        "moves": {kind.value: count for kind, count in sorted(Counter(moves).items())},
        "last_move": moves[-1].value if moves else None,
        "given": round(own[-1] - own[0], 3) if own else 0.0,
        "pattern": _pattern(own),
        "estimated": not known,
        "priorities": [{"issue": name, "weight": round(weight, 3)} for name, weight in weights],
    }


def _utilities_of_mover(
    ctx: AgentContext, other: Seat, offers: list[Offer], estimate: FrequencyEstimate
) -> list[float]:
    """Return the utility of each offer for the seat that made it, as a share of the range."""
    if not ctx.are_preferences_visible(other):
        return [estimate.estimate_utility(offer) for offer in offers]
    points = [float(ctx.get_opponent_utility(offer, other)) for offer in offers]
    low, high = min(points), max(points)
    return [(one - low) / (high - low) if high > low else 1.0 for one in points]


def _pattern(own: list[float]) -> str:
    """Return how a seat has moved so far, by what its offers are worth to the reader."""
    if len(own) < 2:
        return "unknown"
    change = own[-1] - own[0]
    if abs(change) < MOVED:
        return "firm"
    return "conceding" if change > 0 else "hardening"


def next_steps(ctx: AgentContext, insights: dict[Seat, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the seat could do next, the most useful first."""
    if ctx.ending is not None:
        return []
    steps = _acceptances(ctx)
    if ctx.progress >= SHORT_TIME:
        steps.append({"code": "time_is_short", "seconds": ctx.remaining_seconds})
    for other, found in insights.items():
        steps += _steps_towards(other, found)
    return steps


def _acceptances(ctx: AgentContext) -> list[dict[str, Any]]:
    sender, own = ctx.current_offer_sender, ctx.get_last_offer()
    if sender is None or sender == ctx.seat or not ctx.can_formally_accept():
        return []
    points = ctx.get_agent_utility()
    demanded = None if own is None else ctx.utility(own["offer"])
    late = ctx.progress >= SHORT_TIME and points >= ctx.reservation_value
    if late or (demanded is not None and points >= demanded):
        offer = {"offer_id": ctx.current_offer_id, "of": sender, "points": points}
        return [{"code": "accept_offer", **offer}]
    return []


def _steps_towards(other: Seat, found: dict[str, Any]) -> list[dict[str, Any]]:
    if found["offers"] < 2:
        return [{"code": "learn_priorities", "of": other}]
    steps: list[dict[str, Any]] = []
    moves, last = found["moves"], found["last_move"]
    if last is not None and StepClass(last) in STEPS_TOWARDS_OPPONENT:
        steps.append({"code": "return_concession", "of": other})
    elif last == StepClass.SELFISH:
        steps.append({"code": "hold_firm", "of": other})
    elif found["offers"] > UNMOVED and moves.get(StepClass.SILENT.value, 0) >= UNMOVED:
        steps.append({"code": "change_package", "of": other})
    priorities = found["priorities"]
    if len(priorities) > 1 and priorities[0]["weight"] > priorities[-1]["weight"]:
        steps.append({"code": "give_on", "of": other, "issue": priorities[0]["issue"]})
        steps.append({"code": "ask_for", "of": other, "issue": priorities[-1]["issue"]})
    return steps
