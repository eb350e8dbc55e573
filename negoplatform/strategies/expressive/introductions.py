"""With which words an expressive agent brings out an offer: with none that the offer gives the lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from negoplatform.agent_api.context import AgentContext
from negoplatform.domain.offer import Offer

if TYPE_CHECKING:
    from negoplatform.strategies.expressive.mind import Mind

SLIGHT = 1e-9
"""A difference in worth that is none."""

WITHOUT_MOVING = {"counter_offer": "counter_offer", "threat_give_way": "threat_offer"}
"""What it says with an offer that is no step towards the other, by what it says with one that may be."""

WITH_A_STEP = {"counter_offer": "offer_giving_way", "threat_give_way": "threat_give_way"}
"""What it says with one that is."""


def introduction(ctx: AgentContext, mind: Mind, kind: str, offer: Offer) -> str:
    """The kind of words that goes with an offer.

    Args:
        ctx: The context.
        mind: What it knows.
        kind: What the offer is meant as.
        offer: The offer.
    """
    before = mind.proposed(ctx)
    part = not ctx.game.is_complete(offer)
    if kind == "hurry":
        return kind if mind.standing(ctx) != offer else "hurry_standing"
    if kind in (*WITHOUT_MOVING, "introduce_offer") and before and before[-1] == offer:
        return "offer_same_again"
    if kind == "complete_offer":
        return "offer_one_more" if part else kind
    if kind in WITHOUT_MOVING:
        if before and gives_way(ctx, mind, before[-1], offer):
            return WITH_A_STEP[kind]
        return "part_offer" if part and kind == "counter_offer" else WITHOUT_MOVING[kind]
    return "part_offer" if part and kind == "introduce_offer" else kind


def gives_way(ctx: AgentContext, mind: Mind, before: Offer, offer: Offer) -> bool:
    """Whether an offer is a step towards the others after another one of the same issues: it costs the
    agent something, and is worth more to them as far as it can tell.
    """
    if before.issues != offer.issues:
        return False
    more = mind.deals.worth_to_others(offer) - mind.deals.worth_to_others(before)
    return more > SLIGHT and ctx.utility(offer) < ctx.utility(before)
