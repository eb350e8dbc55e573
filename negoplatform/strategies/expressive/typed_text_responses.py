"""Answers of an expressive agent to typed text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype as Subtype
from negoplatform.core.mechanisms.bargaining import is_bindable
from negoplatform.domain.offer import EMPTY_OFFER
from negoplatform.domain.seat_map import Seat
from negoplatform.language import Ambiguity, DialogueAct, Interpretation
from negoplatform.strategies.conversation_helpers import ASKS
from negoplatform.strategies.expressive.agent_state import ExpressiveAgentState
from negoplatform.strategies.expressive.speech_act_responses import (
    answer,
    ask_about_contradiction,
    record_preference_act,
)

_QUESTIONS = (Subtype.PREF_REQUEST, Subtype.PREF_SPECIFIC_REQUEST)


def answer_text(ctx: AgentContext, state: ExpressiveAgentState, sender: Seat) -> list[Action]:
    """Return the answer to the last text: an answer to its speech act, or a question about its meaning.

    An offer in words is none: the other is asked to send it as one. Its statements of preference are learned,
    and questioned where they contradict earlier ones.
    """
    reading = ctx.reading
    if reading is None:
        return state.say(ctx, "unclear")
    main = _main_act(reading)
    learned = _record_preference_acts(ctx, state, sender, [act for act in reading.acts if act is not main])
    return [*learned, *_answer(ctx, state, sender, reading, main), *ask_about_contradiction(ctx, state)]


def _answer(
    ctx: AgentContext,
    state: ExpressiveAgentState,
    sender: Seat,
    reading: Interpretation,
    main: DialogueAct | None,
) -> list[Action]:
    if _is_acceptance(ctx, reading):
        return answer(ctx, state, sender, DialogueAct(Subtype.OFFER_ACCEPT))
    if reading.offers:
        return _answer_offers(ctx, state, reading)
    if reading.doubt is not None:
        return _ask_for_clarification(ctx, state, reading)
    if main is None:
        return state.say(ctx, "unclear")
    if main.subtype is Subtype.OFFER_ACCEPT and reading.hedged:
        return state.say(ctx, "ask_whether_yes")
    if main.subtype is Subtype.CONFIRMATION and is_bindable(ctx.game, state.standing_offer(ctx)):
        return state.say(ctx, "ask_whether_yes")
    return answer(ctx, state, sender, main)


def _is_acceptance(ctx: AgentContext, reading: Interpretation) -> bool:
    """Return whether a text is a yes and nothing more: plain enough to bind, or to the agent's own offer."""
    if reading.accepts:
        return not _adds_terms(ctx, reading)
    if ctx.current_offer_sender != ctx.seat or reading.offers or reading.doubt is not None or reading.hedged:
        return False
    return not reading.refuses and reading.subtype is Subtype.OFFER_ACCEPT


def _adds_terms(ctx: AgentContext, reading: Interpretation) -> bool:
    """Return whether a yes comes with terms that the offer on the table does not have: "ok, and 9 hours"."""
    return any(ctx.current_offer.get(name) != term for offer in reading.offers for name, term in offer.terms)


def _main_act(reading: Interpretation) -> DialogueAct | None:
    """Return the act to answer; None where a statement about the deal takes precedence."""
    if reading.accepts or reading.offers or reading.doubt is not None or not reading.acts:
        return None
    acts = [act for act in reading.acts if act.subtype is reading.subtype]
    main = next((act for act in acts if act.preference is not None), acts[0])
    asked = next((preference for preference in reading.preferences if preference.is_question), None)
    if main.subtype in _QUESTIONS and main.preference is None and asked is not None:
        return replace(main, preference=asked)
    return main


def _answer_offers(ctx: AgentContext, state: ExpressiveAgentState, reading: Interpretation) -> list[Action]:
    agreed = ctx.current_offer if reading.accepts else EMPTY_OFFER
    texts = [state.offer_text(ctx, agreed.with_terms_of(offer)) for offer in reading.offers]
    texts = [words for words in texts if words]
    if len(texts) > 1:
        return state.say(ctx, "ask_either", first=texts[0], second=texts[1])
    if not texts or (reading.soft and reading.has(Subtype.PREF_INFO)):
        return state.say(ctx, "pref_noted")
    return state.say(ctx, "send_as_offer", offer=texts[0])


def _ask_for_clarification(
    ctx: AgentContext, state: ExpressiveAgentState, reading: Interpretation
) -> list[Action]:
    assert reading.doubt is not None  # only called then
    kind = ASKS[reading.doubt]
    if reading.doubt in (Ambiguity.HOW_MANY, Ambiguity.WHICH_VALUE):
        if not reading.about:
            return state.say(ctx, "ask_which_issue")
        return state.say(ctx, kind, issue=state.title(ctx, reading.about[0]))
    return state.say(ctx, kind)


def _record_preference_acts(
    ctx: AgentContext, state: ExpressiveAgentState, sender: Seat, acts: Sequence[DialogueAct]
) -> list[Action]:
    """Learn from statements of preference; if they change the belief, it is noted."""
    stated = [record_preference_act(state, sender, act) for act in acts if act.subtype is Subtype.PREF_INFO]
    return [state.belief_note(ctx, sender)] if any(stated) else []
