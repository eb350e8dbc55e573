"""Answers to requests for an offer: "What would you give me for this?" and "Make this fairer"."""

from __future__ import annotations

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term
from negoplatform.strategies.dialogue.conversation_memory import HeardMessage
from negoplatform.strategies.dialogue.dialogue import Dialogue, Script
from negoplatform.strategies.dialogue.negotiator import Negotiator
from negoplatform.strategies.dialogue.offer_changes import level_points
from negoplatform.strategies.dialogue.offer_wording import costliest_issues, named_terms

OFFER_REQUESTS = frozenset({MessageSubtype.OFFER_REQUEST_POS, MessageSubtype.OFFER_REQUEST_NEG})
"""Speech acts that ask for an offer, or for a better one."""

MAX_WANTED_TERMS = 2
"""Terms that the agent names as what it wants in return."""


def answer_request_with_terms(agent: Negotiator, ctx: AgentContext, message: HeardMessage) -> Script | None:
    """Return the answer to the question what the sender would get for some terms; None if it names none.

    The answer is a deal with these terms that the agent would accept, in words that fit what it would give
    and get, or a sentence that there is none. A complete offer leaves nothing to ask for: it is None too.
    """
    part = message.reading.offers[0] if len(message.reading.offers) == 1 else EMPTY_OFFER
    if not part.terms or ctx.game.is_complete(part):
        return None
    dialogue = agent.dialogue
    gets, gives = _favourable(dialogue, ctx, part)
    deal = agent.deal_with(ctx, part)
    if deal is None:
        return _refuse(agent, ctx, part, gives)
    if ctx.current_offer_sender == ctx.seat and ctx.current_offer == deal:
        return dialogue.first_of(ctx, "cannot_move", "stand_by")
    if gives and not gets and (want := _wanted_in_return(dialogue, ctx, deal, part)):
        give = dialogue.terms(ctx, gives, to=message.sender)
        return agent.offer_deal(ctx, deal, part, "take_for", give=give, want=want)
    return agent.offer_deal(ctx, deal, part, "swap_yes" if gives else "offer_asked")


def _wanted_in_return(dialogue: Dialogue, ctx: AgentContext, deal: Offer, part: Offer) -> str:
    """Return the terms that a deal adds in the agent's favour, the most important ones, in words."""
    added = Offer({issue: term for issue, term in deal.terms if part.get(issue) != term})
    gets, _ = _favourable(dialogue, ctx, added)
    order = [issue for issue in dialogue.importance() if issue in gets]
    return dialogue.terms(ctx, {issue: gets[issue] for issue in order[:MAX_WANTED_TERMS]})


def _refuse(agent: Negotiator, ctx: AgentContext, part: Offer, gives: dict[str, Term]) -> Script:
    """Say on which issue it can't give way; if it would only get something, say what it would accept."""
    dialogue = agent.dialogue
    if gives:
        title = dialogue.title(ctx, costliest_issues(dialogue, ctx, gives)[0])
        return dialogue.first_of(ctx, "take_not_for_sale", "refuse_issue", "cannot_move", issue=title)
    wanted = agent.wanted_offer(ctx)
    named = "" if wanted is None else named_terms(dialogue, ctx, wanted)
    if named and (words := dialogue.say(ctx, "take_told", terms=named)):
        return words
    text = dialogue.offer_text(ctx, part)
    return dialogue.first_of(ctx, "send_as_offer_no", "cannot_move", offer=text)


def _favourable(
    dialogue: Dialogue, ctx: AgentContext, part: Offer
) -> tuple[dict[str, Term], dict[str, Term]]:
    """Return the terms that are good for the agent rather than for the others, and the other terms."""
    gets: dict[str, Term] = {}
    gives: dict[str, Term] = {}
    for issue, term in part.terms:
        (gets if _is_favourable(dialogue, ctx, issue, term) else gives)[issue] = term
    return gets, gives


def _is_favourable(dialogue: Dialogue, ctx: AgentContext, issue: str, term: Term) -> bool:
    """Return whether the agent gets the larger share of an issue, or a value nearer to its best."""
    points = dialogue.points[issue]
    if isinstance(term, Allocation):
        # Undecided units say nothing: 1 apple for the agent of 6 is a gift.
        own, others = term.of(ctx.seat), term.total - term.undecided - term.of(ctx.seat)
        wants_units = points[term.total] >= points[0]
        return own >= others if wants_units else own <= others
    middle = (max(points.values()) + min(points.values())) / 2
    return level_points(dialogue.points, ctx.seat, issue, term) >= middle
