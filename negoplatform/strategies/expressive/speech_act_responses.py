"""Answers of an expressive agent to each speech act."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.agent_api.actions import Action, ProposeChange, Schedule
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype as Subtype
from negoplatform.core.events import Preference
from negoplatform.core.mechanisms.bargaining import is_bindable
from negoplatform.domain.offer import EMPTY_OFFER
from negoplatform.domain.seat_map import Seat
from negoplatform.language import DialogueAct
from negoplatform.language.generation import number_in_words
from negoplatform.strategies.conversation_helpers import time_left
from negoplatform.strategies.expressive.agent_state import ExpressiveAgentState, relation_of
from negoplatform.strategies.expressive.favour_ledger import FavourPolicy

WAIT_MS = 3_000
"""Milliseconds to wait for the usual consequence of a message: an offer, or a formal accept."""

ActResponder = Callable[[AgentContext, ExpressiveAgentState, Seat, DialogueAct], list[Action]]

COURTESIES = {
    Subtype.GREETING: "greeting_back",
    Subtype.FAREWELL: "farewell",
    Subtype.THANKS: "thanks",
    Subtype.APOLOGY: "apology",
    Subtype.PROMISE: "promise",
    Subtype.CONFIRMATION: "confirmation",
    Subtype.CLARIFICATION: "clarification",
    Subtype.GENERIC_POS: "small_talk_pos",
    Subtype.GENERIC_NEG: "small_talk_neg",
    Subtype.TIMING: "timing",
    Subtype.PREF_WITHHOLD: "pref_withheld",
}
"""Messages that are answered with words alone, and no more than twice in a row."""


def answer(ctx: AgentContext, state: ExpressiveAgentState, sender: Seat, act: DialogueAct) -> list[Action]:
    """Return the answer to a speech act of another seat.

    Args:
        ctx: The context.
        state: The agent's state.
        sender: The seat that sent it.
        act: The speech act.
    """
    if act.subtype in COURTESIES:
        return state.say(ctx, COURTESIES[act.subtype]) if state.should_answer_courtesy() else []
    if act.subtype is Subtype.TIMING_INFO:
        return _answer_wait_request(ctx, state)
    state.reset_courtesies()
    found = RESPONDERS.get(act.subtype)
    return found(ctx, state, sender, act) if found else state.say(ctx, "unclear")


def _answer_wait_request(ctx: AgentContext, state: ExpressiveAgentState) -> list[Action]:
    """Answer a request for time; near the end, say that there is none left."""
    if not state.should_answer_courtesy():
        return []
    state.wait_requested = not state.late(ctx)
    return state.say(ctx, "take_time" if state.wait_requested else "timing")


def record_preference_act(state: ExpressiveAgentState, sender: Seat, act: DialogueAct) -> bool:
    """Record a speech act about the sender's preferences; return whether it stated one."""
    state.preferences_received = True
    if act.need is not None and act.issue is not None:
        state.others[sender].update_from_need(act.issue, act.need)
    if act.preference is None or act.preference.is_question:
        return False
    state.record_preference(sender, act.preference)
    return True


def ask_about_contradiction(ctx: AgentContext, state: ExpressiveAgentState) -> list[Action]:
    """Ask about two statements that contradict each other; return nothing if there are none."""
    found = state.pop_contradiction()
    if found is None:
        return []
    first, second = (_clause(ctx, state, statement) for statement in found)
    asked = _as_question(found[1])
    return state.say(ctx, "pref_contradiction", preference=asked, first=first, second=second)


def _offer_request(
    ctx: AgentContext, state: ExpressiveAgentState, _sender: Seat, _act: DialogueAct
) -> list[Action]:
    if ctx.current_offer_sender == ctx.seat:
        state.policies.offers.give_way(0.5)
    return state.propose(ctx, "introduce_offer", asked=True)


def _offer_propose(
    _ctx: AgentContext, state: ExpressiveAgentState, _sender: Seat, _act: DialogueAct
) -> list[Action]:
    """Answer a message that introduces an offer: wait for the offer, then ask for it."""
    return [Schedule(WAIT_MS, lambda later: state.say(later, "ask_for_offer"), flushable=True)]


def _offer_accept(
    ctx: AgentContext, state: ExpressiveAgentState, _sender: Seat, _act: DialogueAct
) -> list[Action]:
    accepted_offer_id = ctx.current_offer_id
    return [
        Schedule(
            WAIT_MS, lambda later: _follow_up_acceptance(later, state, accepted_offer_id), flushable=True
        )
    ]


def _follow_up_acceptance(
    ctx: AgentContext, state: ExpressiveAgentState, accepted_offer_id: int | None
) -> list[Action]:
    """Follow up a yes in words, which binds no one: ask for the formal one, or go on from the agreed terms.

    A yes does not count for later proposals: whether it is meant for one of these is asked.
    """
    offer = ctx.current_offer
    if state.accepted_offer_id is not None and state.accepted_offer_id == ctx.current_offer_id:
        return state.remind(ctx, "yours_missing")
    if not offer.terms:
        return state.say(ctx, "ask_for_offer")
    if ctx.current_offer_sender != ctx.seat:
        return state.say(ctx, "ask_whether_yes" if state.own_offers(ctx) else "think_it_over")
    if ctx.current_offer_id != accepted_offer_id:
        return state.say(ctx, "ask_whether_yes")
    if is_bindable(ctx.game, offer):
        state.verbally_accepted_id = ctx.current_offer_id
        return state.remind(ctx, "offer_agreed")
    state.agreed_terms |= dict(offer.terms)
    return state.propose(ctx, "part_agreed")


def _offer_reject(
    _ctx: AgentContext, state: ExpressiveAgentState, _sender: Seat, _act: DialogueAct
) -> list[Action]:
    return [Schedule(WAIT_MS, lambda later: _follow_up_rejection(later, state), flushable=True)]


def _follow_up_rejection(ctx: AgentContext, state: ExpressiveAgentState) -> list[Action]:
    """Concede some time after a plain no, unless something better came."""
    state.stalled_turns += 1
    if ctx.current_offer_sender != ctx.seat:
        return state.say(ctx, "ask_what_to_change") if state.stalled_turns < 4 else []
    state.agreed_terms = {
        name: term for name, term in state.agreed_terms.items() if ctx.current_offer.get(name) is None
    }
    state.policies.offers.give_way()
    return state.propose(ctx, "counter_offer") if state.stalled_turns < 12 else []


def _preference_info(
    ctx: AgentContext, state: ExpressiveAgentState, sender: Seat, act: DialogueAct
) -> list[Action]:
    if act.preference is not None and act.preference.is_question:
        return _specific_request(ctx, state, sender, act)
    believes = [state.belief_note(ctx, sender)] if record_preference_act(state, sender, act) else []
    if asked := ask_about_contradiction(ctx, state):
        return [*believes, *asked]
    confirmation = state.say(ctx, "pref_noted", flushable=False) or state.say(ctx, "confirmation")
    if ctx.rng.random() < 0.5 and (fact := state.policies.words.fact(state.others[sender])) is not None:
        return [*believes, *confirmation, *state.disclose(ctx, fact)]
    return [*believes, *confirmation]


def _preference_request(
    ctx: AgentContext, state: ExpressiveAgentState, sender: Seat, act: DialogueAct
) -> list[Action]:
    words, other = state.policies.words, state.others[sender]
    if act.preference is not None:
        fact = words.answer(act.preference, other)
    elif act.issue is not None:
        fact = words.fact_about(act.issue, other)
    else:
        fact = words.fact(other)
    if fact is not None:
        return state.disclose(ctx, fact)
    return state.say(ctx, "pref_request_answer" if words.open_about_preferences else "pref_withhold")


def _specific_request(
    ctx: AgentContext, state: ExpressiveAgentState, sender: Seat, act: DialogueAct
) -> list[Action]:
    if act.preference is None:
        return _preference_request(ctx, state, sender, act)
    fact = state.policies.words.answer(act.preference, state.others[sender])
    return state.disclose(ctx, fact) if fact is not None else state.say(ctx, "pref_withhold")


def _batna_request(
    ctx: AgentContext, state: ExpressiveAgentState, _sender: Seat, _act: DialogueAct
) -> list[Action]:
    is_open = state.policies.words.open_about_limit
    return state.disclose_limit(ctx) if is_open else state.say(ctx, "batna_request_answer")


def _batna_info(
    ctx: AgentContext, state: ExpressiveAgentState, sender: Seat, act: DialogueAct
) -> list[Action]:
    other = state.others[sender]
    before, other.batna = other.batna, act.batna if act.batna is not None else other.batna
    if before is not None and act.batna is not None and act.batna != before:
        first, second = (number_in_words(is_open, state.language) for is_open in (before, act.batna))
        return state.say(ctx, "batna_contradiction", first=first, second=second)
    return state.say(ctx, "batna_noted")


def _favour_request(
    ctx: AgentContext, state: ExpressiveAgentState, _sender: Seat, _act: DialogueAct
) -> list[Action]:
    if not state.ledger.handle_request():
        why = state.ledger.refusal_reason()
        return state.say(ctx, f"favor_reject_{why}" if why else "favor_reject")
    words = state.say(ctx, "favor_return" if state.ledger.owes else "favor_accept", flushable=False)
    if words and state.ledger.way is FavourPolicy.BETRAYING:
        words.append(state.lie_note(ctx, "favour", "It promises a favour and will not do it."))
    return [*words, *ledger_note(ctx, state), *state.propose(ctx, "introduce_offer")]


def _favour_granted(
    ctx: AgentContext, state: ExpressiveAgentState, _sender: Seat, _act: DialogueAct
) -> list[Action]:
    state.ledger.record_granted()
    return [*state.say(ctx, "favor_taken"), *ledger_note(ctx, state)]


def _favour_refused(
    ctx: AgentContext, state: ExpressiveAgentState, _sender: Seat, _act: DialogueAct
) -> list[Action]:
    return state.say(ctx, "favor_refused")


def ask_favour(ctx: AgentContext, state: ExpressiveAgentState) -> list[Action]:
    """Ask for a favour and say that it will be returned; marked as a lie if it will not."""
    words = state.say(ctx, "favor_request", flushable=False)
    if words and state.ledger.way is FavourPolicy.BETRAYING:
        words.append(state.lie_note(ctx, "favour", "It says that it would return a favour, and will not."))
    return [*words, *ledger_note(ctx, state)]


def ledger_note(ctx: AgentContext, state: ExpressiveAgentState) -> list[Action]:
    """Return the ledger, noted in the record."""
    return [ProposeChange({"notes": {ctx.seat: {"ledger": state.ledger.as_note()}}})]


def _threat(ctx: AgentContext, state: ExpressiveAgentState, _sender: Seat, _act: DialogueAct) -> list[Action]:
    face = state.show(state.policies.faces.to_threat())
    if not state.policies.offers.yields_to_threats:
        return [*face, *state.say(ctx, "threat_answer")]
    state.policies.offers.give_way()
    return [*face, *state.propose(ctx, "threat_give_way", asked=True)]


def _confusion(
    ctx: AgentContext, state: ExpressiveAgentState, _sender: Seat, _act: DialogueAct
) -> list[Action]:
    """Answer confusion: repeat the last offer."""
    last = ctx.get_last_offer()
    if last is None or last["offer"] == EMPTY_OFFER:
        return state.say(ctx, "confusion_no_offer")
    return state.say(ctx, "confusion", offer=state.offer_text(ctx, last["offer"]))


def _timing_request(
    ctx: AgentContext, state: ExpressiveAgentState, _sender: Seat, _act: DialogueAct
) -> list[Action]:
    kind, slots = time_left(ctx, state.language)
    return state.say(ctx, kind, **slots)


def _clause(ctx: AgentContext, state: ExpressiveAgentState, statement: Preference) -> str:
    """Return a statement of the other as a part of a sentence."""
    return state.messages.clause(f"clause_{relation_of(statement)}", ctx.rng, **state.slots(ctx, statement))


def _as_question(statement: Preference) -> Preference:
    return Preference(statement.issue1, statement.relation, statement.issue2, is_question=True)


RESPONDERS: dict[Subtype, ActResponder] = {
    Subtype.OFFER_REQUEST_POS: _offer_request,
    Subtype.OFFER_REQUEST_NEG: _offer_request,
    Subtype.OFFER_PROPOSE: _offer_propose,
    Subtype.OFFER_ACCEPT: _offer_accept,
    Subtype.OFFER_REJECT: _offer_reject,
    Subtype.PREF_INFO: _preference_info,
    Subtype.PREF_REQUEST: _preference_request,
    Subtype.PREF_SPECIFIC_REQUEST: _specific_request,
    Subtype.BATNA_REQUEST: _batna_request,
    Subtype.BATNA_INFO: _batna_info,
    Subtype.FAVOR_REQUEST: _favour_request,
    Subtype.FAVOR_ACCEPT: _favour_granted,
    Subtype.FAVOR_RETURN: _favour_granted,
    Subtype.FAVOR_REJECT: _favour_refused,
    Subtype.THREAT: _threat,
    Subtype.THREAT_POS: _threat,
    Subtype.THREAT_NEG: _threat,
    Subtype.CONFUSION: _confusion,
    Subtype.TIMING_REQUEST: _timing_request,
}
"""Responders to all other speech acts; text without one is parsed first, see :mod:`.typed_text_responses`."""
