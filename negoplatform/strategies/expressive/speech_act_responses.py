"""What an expressive agent answers to each speech act."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.agent_api.actions import Action, ProposeChange, Schedule
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype as Subtype
from negoplatform.core.events import Preference
from negoplatform.core.mechanisms.bargaining import may_be_bound
from negoplatform.domain.offer import EMPTY_OFFER
from negoplatform.domain.seat import Seat
from negoplatform.language.generation.verbalizer import number_in_words
from negoplatform.language.parsing.interpretation import Act
from negoplatform.strategies.expressive.agent_state import Mind, relation_of
from negoplatform.strategies.expressive.favour_ledger import Way
from negoplatform.strategies.talk import time_left

WAIT_MS = 3_000
"""So long it waits for what usually follows such words: an offer, or a formal accept."""

Answer = Callable[[AgentContext, Mind, Seat, Act], list[Action]]

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
"""What is answered with words alone, and no more than twice in a row."""


def answer(ctx: AgentContext, mind: Mind, sender: Seat, act: Act) -> list[Action]:
    """What it does about something that another seat said.

    Args:
        ctx: The context.
        mind: What it knows.
        sender: Who said it.
        act: What was said.
    """
    if act.subtype in COURTESIES:
        return mind.say(ctx, COURTESIES[act.subtype]) if mind.is_courteous() else []
    if act.subtype is Subtype.TIMING_INFO:
        return _needs_time(ctx, mind)
    mind.hear_matter()
    found = ANSWERS.get(act.subtype)
    return found(ctx, mind, sender, act) if found else mind.say(ctx, "unclear")


def _needs_time(ctx: AgentContext, mind: Mind) -> list[Action]:
    """They need a moment; near the end such words say that there is no time left."""
    if not mind.is_courteous():
        return []
    mind.asked_to_wait = not mind.late(ctx)
    return mind.say(ctx, "take_time" if mind.asked_to_wait else "timing")


def learn(mind: Mind, sender: Seat, act: Act) -> bool:
    """Remembers what another seat said about its preferences; whether it has stated one."""
    mind.told = True
    if act.need is not None and act.issue is not None:
        mind.others[sender].hear_need(act.issue, act.need)
    if act.preference is None or act.preference.is_question:
        return False
    mind.hear_preference(sender, act.preference)
    return True


def ask_which_holds(ctx: AgentContext, mind: Mind) -> list[Action]:
    """Asks about two statements that contradict each other; nothing if there are none to ask about."""
    found = mind.take_contradiction()
    if found is None:
        return []
    first, second = (_clause(ctx, mind, said) for said in found)
    asked = _as_question(found[1])
    return mind.say(ctx, "pref_contradiction", preference=asked, first=first, second=second)


def _offer_request(ctx: AgentContext, mind: Mind, _sender: Seat, _act: Act) -> list[Action]:
    if ctx.current_offer_sender == ctx.seat:
        mind.policies.offers.give_way(0.5)
    return mind.propose(ctx, "introduce_offer", asked=True)


def _offer_propose(_ctx: AgentContext, mind: Mind, _sender: Seat, _act: Act) -> list[Action]:
    """Words that introduce an offer: the offer follows, or is asked for."""
    return [Schedule(WAIT_MS, lambda later: mind.say(later, "ask_for_offer"), flushable=True)]


def _offer_accept(ctx: AgentContext, mind: Mind, _sender: Seat, _act: Act) -> list[Action]:
    said_to = ctx.current_offer_id
    return [Schedule(WAIT_MS, lambda later: _after_yes(later, mind, said_to), flushable=True)]


def _after_yes(ctx: AgentContext, mind: Mind, said_to: int | None) -> list[Action]:
    """A yes in words binds nobody; it asks for the formal one, or goes on from what is agreed so far.

    A yes counts for nothing that was put forward after it: whether it is meant for that is asked.
    """
    offer = ctx.current_offer
    if mind.accepted is not None and mind.accepted == ctx.current_offer_id:
        return mind.remind(ctx, "yours_missing")
    if not offer.terms:
        return mind.say(ctx, "ask_for_offer")
    if ctx.current_offer_sender != ctx.seat:
        return mind.say(ctx, "ask_whether_yes" if mind.proposed(ctx) else "think_it_over")
    if ctx.current_offer_id != said_to:
        return mind.say(ctx, "ask_whether_yes")
    if may_be_bound(ctx.game, offer):
        mind.liked = ctx.current_offer_id
        return mind.remind(ctx, "offer_agreed")
    mind.nodded |= dict(offer.terms)
    return mind.propose(ctx, "part_agreed")


def _offer_reject(_ctx: AgentContext, mind: Mind, _sender: Seat, _act: Act) -> list[Action]:
    return [Schedule(WAIT_MS, lambda later: _after_no(later, mind), flushable=True)]


def _after_no(ctx: AgentContext, mind: Mind) -> list[Action]:
    """Some time after a plain no: unless something better came, it gives way."""
    mind.stuck += 1
    if ctx.current_offer_sender != ctx.seat:
        return mind.say(ctx, "ask_what_to_change") if mind.stuck < 4 else []
    mind.nodded = {name: term for name, term in mind.nodded.items() if ctx.current_offer.get(name) is None}
    mind.policies.offers.give_way()
    return mind.propose(ctx, "counter_offer") if mind.stuck < 12 else []


def _preference_info(ctx: AgentContext, mind: Mind, sender: Seat, act: Act) -> list[Action]:
    if act.preference is not None and act.preference.is_question:
        return _specific_request(ctx, mind, sender, act)
    believes = [mind.believes(ctx, sender)] if learn(mind, sender, act) else []
    if asked := ask_which_holds(ctx, mind):
        return [*believes, *asked]
    heard = mind.say(ctx, "pref_noted", flushable=False) or mind.say(ctx, "confirmation")
    if ctx.rng.random() < 0.5 and (fact := mind.policies.words.fact(mind.others[sender])) is not None:
        return [*believes, *heard, *mind.state(ctx, fact)]
    return [*believes, *heard]


def _preference_request(ctx: AgentContext, mind: Mind, sender: Seat, act: Act) -> list[Action]:
    words, other = mind.policies.words, mind.others[sender]
    if act.preference is not None:
        fact = words.answer(act.preference, other)
    elif act.issue is not None:
        fact = words.fact_about(act.issue, other)
    else:
        fact = words.fact(other)
    if fact is not None:
        return mind.state(ctx, fact)
    return mind.say(ctx, "pref_request_answer" if words.open_about_preferences else "pref_withhold")


def _specific_request(ctx: AgentContext, mind: Mind, sender: Seat, act: Act) -> list[Action]:
    if act.preference is None:
        return _preference_request(ctx, mind, sender, act)
    fact = mind.policies.words.answer(act.preference, mind.others[sender])
    return mind.state(ctx, fact) if fact is not None else mind.say(ctx, "pref_withhold")


def _batna_request(ctx: AgentContext, mind: Mind, _sender: Seat, _act: Act) -> list[Action]:
    told = mind.policies.words.open_about_limit
    return mind.state_limit(ctx) if told else mind.say(ctx, "batna_request_answer")


def _batna_info(ctx: AgentContext, mind: Mind, sender: Seat, act: Act) -> list[Action]:
    other = mind.others[sender]
    before, other.batna = other.batna, act.batna if act.batna is not None else other.batna
    if before is not None and act.batna is not None and act.batna != before:
        first, second = (number_in_words(told, mind.language) for told in (before, act.batna))
        return mind.say(ctx, "batna_contradiction", first=first, second=second)
    return mind.say(ctx, "batna_noted")


def _favour_request(ctx: AgentContext, mind: Mind, _sender: Seat, _act: Act) -> list[Action]:
    if not mind.ledger.is_asked():
        why = mind.ledger.why_not()
        return mind.say(ctx, f"favor_reject_{why}" if why else "favor_reject")
    words = mind.say(ctx, "favor_return" if mind.ledger.owes else "favor_accept", flushable=False)
    if words and mind.ledger.way is Way.BETRAYING:
        words.append(mind.lie(ctx, "favour", "It promises a favour and will not do it."))
    return [*words, *noted(ctx, mind), *mind.propose(ctx, "introduce_offer")]


def _favour_granted(ctx: AgentContext, mind: Mind, _sender: Seat, _act: Act) -> list[Action]:
    mind.ledger.is_granted()
    return [*mind.say(ctx, "favor_taken"), *noted(ctx, mind)]


def _favour_refused(ctx: AgentContext, mind: Mind, _sender: Seat, _act: Act) -> list[Action]:
    return mind.say(ctx, "favor_refused")


def ask_favour(ctx: AgentContext, mind: Mind) -> list[Action]:
    """Asks for a favour and says that it will be returned; marked as a lie if it will not."""
    words = mind.say(ctx, "favor_request", flushable=False)
    if words and mind.ledger.way is Way.BETRAYING:
        words.append(mind.lie(ctx, "favour", "It says that it would return a favour, and will not."))
    return [*words, *noted(ctx, mind)]


def noted(ctx: AgentContext, mind: Mind) -> list[Action]:
    """The ledger, noted in the record."""
    return [ProposeChange({"notes": {ctx.seat: {"ledger": mind.ledger.as_note()}}})]


def _threat(ctx: AgentContext, mind: Mind, _sender: Seat, _act: Act) -> list[Action]:
    face = mind.show(mind.policies.faces.to_threat())
    if not mind.policies.offers.yields_to_threats:
        return [*face, *mind.say(ctx, "threat_answer")]
    mind.policies.offers.give_way()
    return [*face, *mind.propose(ctx, "threat_give_way", asked=True)]


def _confusion(ctx: AgentContext, mind: Mind, _sender: Seat, _act: Act) -> list[Action]:
    """It says once more what it offered last."""
    last = ctx.get_last_offer()
    if last is None or last["offer"] == EMPTY_OFFER:
        return mind.say(ctx, "confusion_no_offer")
    return mind.say(ctx, "confusion", offer=mind.in_words(ctx, last["offer"]))


def _timing_request(ctx: AgentContext, mind: Mind, _sender: Seat, _act: Act) -> list[Action]:
    kind, slots = time_left(ctx, mind.language)
    return mind.say(ctx, kind, **slots)


def _clause(ctx: AgentContext, mind: Mind, said: Preference) -> str:
    """A statement of the other's, as a part of a sentence."""
    return mind.speech.clause(f"clause_{relation_of(said)}", ctx.rng, **mind.slots(ctx, said))


def _as_question(said: Preference) -> Preference:
    return Preference(said.issue1, said.relation, said.issue2, is_question=True)


ANSWERS: dict[Subtype, Answer] = {
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
"""Every other speech act; words of no kind are read first, see :mod:`.typed`."""
