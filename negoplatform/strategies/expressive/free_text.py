"""What an expressive agent answers to words that somebody typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype as Subtype
from negoplatform.core.mechanisms.bargaining import may_be_bound
from negoplatform.domain.offer import EMPTY_OFFER
from negoplatform.domain.seat import Seat
from negoplatform.language.parsing.interpretation import Act, Doubt, Reading
from negoplatform.strategies.expressive.agent_state import Mind
from negoplatform.strategies.expressive.speech_act_responses import answer, ask_which_holds, learn
from negoplatform.strategies.talk import ASKS

_QUESTIONS = (Subtype.PREF_REQUEST, Subtype.PREF_SPECIFIC_REQUEST)


def answer_text(ctx: AgentContext, mind: Mind, sender: Seat) -> list[Action]:
    """What it does about the last text: it answers what the words do, or asks what they mean.

    An offer in words is none: the other is asked to send it as one. What the words say about preferences
    besides is learned, and asked about where it contradicts what was said before.
    """
    reading = ctx.reading
    if reading is None:
        return mind.say(ctx, "unclear")
    main = _main(reading)
    learned = _learn_all(ctx, mind, sender, [act for act in reading.acts if act is not main])
    return [*learned, *_answer(ctx, mind, sender, reading, main), *ask_which_holds(ctx, mind)]


def _answer(ctx: AgentContext, mind: Mind, sender: Seat, reading: Reading, main: Act | None) -> list[Action]:
    if _says_yes(ctx, reading):
        return answer(ctx, mind, sender, Act(Subtype.OFFER_ACCEPT))
    if reading.offers:
        return _about_offers(ctx, mind, reading)
    if reading.doubt is not None:
        return _in_doubt(ctx, mind, reading)
    if main is None:
        return mind.say(ctx, "unclear")
    if main.subtype is Subtype.OFFER_ACCEPT and reading.hedged:
        return mind.say(ctx, "ask_whether_yes")
    if main.subtype is Subtype.CONFIRMATION and may_be_bound(ctx.game, mind.standing(ctx)):
        return mind.say(ctx, "ask_whether_yes")
    return answer(ctx, mind, sender, main)


def _says_yes(ctx: AgentContext, reading: Reading) -> bool:
    """Whether words are a yes and nothing more: plain enough to bind, or to the agent's own offer."""
    if reading.accepts:
        return not _adds(ctx, reading)
    if ctx.current_offer_sender != ctx.seat or reading.offers or reading.doubt is not None or reading.hedged:
        return False
    return not reading.refuses and reading.subtype is Subtype.OFFER_ACCEPT


def _adds(ctx: AgentContext, reading: Reading) -> bool:
    """Whether a yes comes with terms that the offer on the table does not have: "ok, and 9 hours"."""
    return any(ctx.current_offer.get(name) != term for offer in reading.offers for name, term in offer.terms)


def _main(reading: Reading) -> Act | None:
    """The act that is answered; None where what is said about the deal goes before."""
    if reading.accepts or reading.offers or reading.doubt is not None or not reading.acts:
        return None
    acts = [act for act in reading.acts if act.subtype is reading.subtype]
    main = next((act for act in acts if act.preference is not None), acts[0])
    asked = next((said for said in reading.preferences if said.is_question), None)
    if main.subtype in _QUESTIONS and main.preference is None and asked is not None:
        return replace(main, preference=asked)
    return main


def _about_offers(ctx: AgentContext, mind: Mind, reading: Reading) -> list[Action]:
    agreed = ctx.current_offer if reading.accepts else EMPTY_OFFER
    told = [mind.in_words(ctx, agreed.with_terms_of(offer)) for offer in reading.offers]
    told = [words for words in told if words]
    if len(told) > 1:
        return mind.say(ctx, "ask_either", first=told[0], second=told[1])
    if not told or (reading.soft and reading.has(Subtype.PREF_INFO)):
        return mind.say(ctx, "pref_noted")
    return mind.say(ctx, "send_as_offer", offer=told[0])


def _in_doubt(ctx: AgentContext, mind: Mind, reading: Reading) -> list[Action]:
    assert reading.doubt is not None  # asked only then
    kind = ASKS[reading.doubt]
    if reading.doubt in (Doubt.HOW_MANY, Doubt.WHICH_VALUE):
        if not reading.about:
            return mind.say(ctx, "ask_which_issue")
        return mind.say(ctx, kind, issue=mind.title(ctx, reading.about[0]))
    return mind.say(ctx, kind)


def _learn_all(ctx: AgentContext, mind: Mind, sender: Seat, acts: Sequence[Act]) -> list[Action]:
    """Learns from statements of preference; what it believes by now is noted if they changed it."""
    stated = [learn(mind, sender, act) for act in acts if act.subtype is Subtype.PREF_INFO]
    return [mind.believes(ctx, sender)] if any(stated) else []
