"""Answers of an expressive agent to messages about favours, by its ledger."""

from __future__ import annotations

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype
from negoplatform.domain.seat_map import Seat
from negoplatform.strategies.dialogue.dialogue import Script, makes_offer
from negoplatform.strategies.dialogue.negotiator import Negotiator
from negoplatform.strategies.dialogue.statements import lie_note
from negoplatform.strategies.expressive.agent_state import ExpressiveAgentState
from negoplatform.strategies.expressive.favour_ledger import FavourPolicy
from negoplatform.strategies.expressive.favour_ledger_by_seat import LedgerBySeat


def begin_with_favour(agent: Negotiator, state: ExpressiveAgentState, ctx: AgentContext) -> Script | None:
    """Return a favour in words, or ask for one, at the beginning of a round; None if there is none."""
    ledger = state.ledger
    if isinstance(ledger, LedgerBySeat):
        to_repay = ledger.seat_to_repay(state.tables)
        if to_repay is not None:
            return _return_favour(state, ctx, to_repay)
        to_ask = ledger.seat_to_ask(state.tables)
        return None if to_ask is None else _ask_favour(agent, state, ctx, to_ask)
    if ledger.decide_return(state.tables):
        return _return_favour(state, ctx, None)
    return _ask_favour(agent, state, ctx, None) if ledger.should_request(state.tables) else None


def _return_favour(state: ExpressiveAgentState, ctx: AgentContext, seat: Seat | None) -> Script:
    with state.dialogue.speaking_to(seat):
        words = state.dialogue.say(ctx, "favor_return")
    return [*words, state.ledger_note(ctx), *_offer_with_favour(state, ctx)]


def _offer_with_favour(state: ExpressiveAgentState, ctx: AgentContext) -> Script:
    """Return the offer that goes with a favour; of several seats, it waits until it is this seat's."""
    return state.propose(ctx) if len(ctx.game.seats) == 2 else []


def _ask_favour(
    agent: Negotiator, state: ExpressiveAgentState, ctx: AgentContext, seat: Seat | None
) -> Script:
    """Ask for a favour and say that it will be returned; marked as a lie if it will not."""
    with state.dialogue.speaking_to(seat):
        words = state.dialogue.message(ctx, "favor_request", flushable=False)
    if words and state.ledger.way is FavourPolicy.BETRAYING:
        words.append(lie_note(agent, ctx, "favour", "It says that it would return a favour, and will not."))
    return [*words, state.ledger_note(ctx)]


def answer_favour(
    agent: Negotiator, state: ExpressiveAgentState, ctx: AgentContext, subtype: MessageSubtype
) -> Script:
    """Answer a message about favours of the seat to which the agent speaks, by that seat's ledger."""
    say = state.dialogue.say
    match subtype:
        case MessageSubtype.FAVOR_REQUEST:
            return _answer_request(agent, state, ctx)
        case MessageSubtype.FAVOR_REJECT:
            return say(ctx, "favor_refused")
        case _:
            state.ledger_with(state.dialogue.listener).record_granted()
            # The favour is the reason to ask for more than before.
            state.deals.cap = state.deals.best_points
            state.favour_granted = True
            return [*say(ctx, "favor_taken"), state.ledger_note(ctx)]


def _answer_request(agent: Negotiator, state: ExpressiveAgentState, ctx: AgentContext) -> Script:
    ledger = state.ledger_with(state.dialogue.listener)
    if not ledger.handle_request():
        why = ledger.refusal_reason()
        return state.dialogue.say(ctx, f"favor_reject_{why}" if why else "favor_reject")
    kind = "favor_return" if ledger.owes else "favor_accept"
    words = state.dialogue.message(ctx, kind, flushable=False)
    if words and ledger.way is FavourPolicy.BETRAYING:
        words.append(lie_note(agent, ctx, "favour", "It promises a favour and will not do it."))
        return [*words, state.ledger_note(ctx), *_offer_with_favour(state, ctx)]
    # A favour that the other has granted is no reason any more to ask for more than before.
    state.favour_granted = False
    own = state.own_offers(ctx)
    if own and ctx.game.is_complete(own[-1]):
        state.deals.cap = min(state.deals.cap, ctx.utility(own[-1]))
    offer = _offer_with_favour(state, ctx)
    return [*words, state.ledger_note(ctx), *(offer if makes_offer(offer) else [])]
