"""Answers to messages: to their topics, to the offers that typed words may mean, and to their speech acts."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.agent_api.bids import keeps
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype as Subtype
from negoplatform.core.events import Preference
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language import Ambiguity, DialogueAct, Interpretation, Topic
from negoplatform.strategies.dialogue.conversation_memory import HeardMessage
from negoplatform.strategies.dialogue.dialogue import Script, makes_offer
from negoplatform.strategies.dialogue.manner import Honesty
from negoplatform.strategies.dialogue.negotiator import Negotiator
from negoplatform.strategies.dialogue.offer_request_answers import (
    OFFER_REQUESTS,
    answer_request_with_terms,
)
from negoplatform.strategies.dialogue.offer_wording import MAX_NAMED_TERMS, costliest_issues, shortfall
from negoplatform.strategies.dialogue.statements import (
    answer_stated_limit,
    disclose,
    disclose_limit,
    disclose_something,
    relation_of,
    wish,
)
from negoplatform.strategies.dialogue.topic_answers import (
    MOVES,
    REMARKS,
    WEAK,
    answer_topics,
    answerable_topics,
    explain_offer,
    most_important_terms,
    own_complete_offers,
    say_time_left,
)

MAX_CONSECUTIVE_COURTESIES = 2
"""Courtesies that are answered in a row; more, and two polite agents would never stop."""

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
"""Speech acts that are answered with words alone, and no more than twice in a row."""

PLEASANTRIES = frozenset(
    {
        *(Subtype.GENERIC_POS, Subtype.GENERIC_NEG, Subtype.CONFIRMATION, Subtype.CLARIFICATION),
        *(Subtype.THANKS, Subtype.PROMISE),
    }
)
"""Courtesies that are not answered where the same text asks a question."""

ASKS = {
    Ambiguity.WHO: "ask_who",
    Ambiguity.HOW_MANY: "ask_how_many",
    Ambiguity.WHICH_ISSUE: "ask_which_issue",
    Ambiguity.WHICH_VALUE: "ask_which_value",
    Ambiguity.EITHER: "unclear",
    Ambiguity.IMPOSSIBLE: "say_impossible",
}
"""Kinds of message that ask for the missing part of an offer in words."""

ABOUT_DEALS = frozenset(
    {
        *(Topic.LIMIT, Topic.REPORT, Topic.SWAP, Topic.TAKE, Topic.GIVE, Topic.NOT_AGREED),
        *(Topic.CONTRADICTION, Topic.RATHER, Topic.WHY, Topic.WANTS, Topic.LOWEST, Topic.FINAL),
    }
)
"""Topics of messages that name terms without proposing them."""

ABOUT_OWN = frozenset({Topic.TAKE, Topic.GIVE, Topic.MEANING, Topic.OPINION, Topic.OBJECTION})
"""Topics whose answer names the agent's own terms."""

NO_YES = ABOUT_DEALS | MOVES | {Topic.STATUS, Topic.OPINION}
"""Topics of messages that are no yes, whatever their words."""

MAX_REFUSED_TERMS = 2
"""Terms of an offer in words that are named as the reason why it is refused."""

LEAST_SURE_YES = 0.7
"""Confidence from which a typed yes to the agent's own offer counts as one; below, the agent asks."""

LASTING_QUESTIONS = frozenset(
    {
        *(Topic.PERSON, Topic.NAME, Topic.ABOUT_YOU, Topic.HOW_ARE_YOU, Topic.PRESENCE, Topic.WHY),
        *(Topic.WANTS, Topic.RATHER, Topic.LOWEST, Topic.RULES),
    }
)
"""Topics of questions that an acceptance does not answer."""

LEAST_SURE_NO = 0.7
"""Confidence from which a typed no counts more than what else the text says."""

FAVOURS = frozenset({Subtype.FAVOR_REQUEST, Subtype.FAVOR_ACCEPT, Subtype.FAVOR_REJECT, Subtype.FAVOR_RETURN})
THREATS = frozenset({Subtype.THREAT, Subtype.THREAT_POS, Subtype.THREAT_NEG})
MOVING_ACTS = OFFER_REQUESTS | THREATS | {Subtype.OFFER_REJECT, Subtype.OFFER_PROPOSE}
"""Speech acts that ask for another offer: not after the agent has accepted the one on the table."""

PREFERENCE_QUESTIONS = frozenset({Subtype.PREF_REQUEST, Subtype.PREF_SPECIFIC_REQUEST})


def answer_message(agent: Negotiator, ctx: AgentContext, message: HeardMessage) -> Script:
    """Return the answer to a message.

    Args:
        agent: The agent.
        ctx: The context of the answer, which may be later than the message.
        message: The message.
    """
    with agent.dialogue.speaking_to(*listeners(ctx, message)):
        return _answer(agent, ctx, message)


def listeners(ctx: AgentContext, message: HeardMessage) -> tuple[Seat, tuple[Seat, ...]]:
    """Return the seat that an answer to a message addresses, and those that alone read it; none: everyone."""
    private = [message.sender, *(seat for seat in message.to if seat != ctx.seat)] if message.to else []
    return message.sender, tuple(private)


def _answer(agent: Negotiator, ctx: AgentContext, message: HeardMessage) -> Script:
    if message.subtype is not Subtype.GENERIC:
        act = _chosen_act(message)
        if act.subtype in MOVING_ACTS and (reminder := agent.remind_of_acceptance(ctx)) is not None:
            return reminder
        return answer_act(agent, ctx, message, act)
    learned = _learn_side_statements(agent, ctx, message)
    if message.reading.has(Subtype.TIMING_INFO):
        agent.record_wait_request(ctx)  # also where a topic is answered
    return [*learned, *_answer_typed(agent, ctx, message), *ask_about_contradiction(agent, ctx, message)]


def side_answers(
    agent: Negotiator, ctx: AgentContext, message: HeardMessage, *, accepts: bool = False, moves: bool = True
) -> Script:
    """Return the answers to the questions and remarks of a message that came with an offer.

    Args:
        agent: The agent.
        ctx: The context.
        message: The message.
        accepts: Whether the agent accepts the offer: then only questions about itself and the rules are left.
        moves: Whether the answer to the offer answers a request for another one, too.
    """
    topics = {mention.topic for mention in message.topics}
    if (moves and not topics.isdisjoint(MOVES)) or (accepts and topics.isdisjoint(LASTING_QUESTIONS)):
        return []  # the answer to the offer is the answer
    if topics <= WEAK:
        return []
    with agent.dialogue.speaking_to(*listeners(ctx, message)):
        return answer_topics(agent, ctx, message)


def _answer_typed(agent: Negotiator, ctx: AgentContext, message: HeardMessage) -> Script:
    reading = message.reading
    if _is_acceptance(ctx, message):
        return agent.answer_acceptance(ctx, message)
    topics = answerable_topics(message)
    if (
        asks_for_move(message)
        and not reading.accepts
        and (reminder := agent.remind_of_acceptance(ctx)) is not None
    ):
        talk = [] if message.mention(*MOVES) else answer_topics(agent, ctx, message)
        return [*talk, *reminder]
    if (judged := _answer_words_of_offer(agent, ctx, message)) is not None:
        return judged
    kinds = {mention.topic for mention in topics}
    if topics and not _may_accept(message) and not REMARKS.issuperset(kinds):
        talk = _answer_with_topics(agent, ctx, message)
        if talk:
            return talk
    return _answer_by_act(agent, ctx, message)


def _answer_words_of_offer(agent: Negotiator, ctx: AgentContext, message: HeardMessage) -> Script | None:
    """Judge the offer that a text may mean; None if it means none, or is rather about its topics."""
    reading, topics = message.reading, answerable_topics(message)
    kinds = {mention.topic for mention in topics}
    if not reading.offers:
        considered = agent.dialogue.memory.considered
        if message.mention(Topic.AS_YOURS) is None or not considered:
            return None
        offer = agent.own_terms(ctx).with_terms_of(considered[-1])
        return _judge_worded_offer(agent, ctx, offer) if ctx.game.is_complete(offer) else None
    whole = ctx.game.is_complete(reading.offers[0])
    if Topic.SWAP in kinds and whole:
        return answer_worded_offer(agent, ctx, message)
    if reading.subtype is Subtype.OFFER_PROPOSE and kinds:
        beside = {Topic.NOT_AGREED, Topic.CONTRADICTION} if whole else {Topic.NOT_AGREED}
        topics = [] if kinds <= beside else topics  # "no, I changed my mind: 4 for me"
        kinds = {mention.topic for mention in topics}
    about_own = any(each.topic is Topic.MEANING and each.detail == "own" for each in topics)
    if about_own or not ABOUT_DEALS.isdisjoint(kinds):
        return None
    if _repeats_agent(message):
        if reading.halfway:
            return agent.answer_request(ctx, message, fairer=True)
        if not kinds <= WEAK | MOVES and (talk := answer_topics(agent, ctx, message)):
            return talk
        # A yes to terms that the agent has worded itself, or a question about them.
        return agent.dialogue.first_of(ctx, "ask_whether_yes", "idle_prompt_offer")
    talk = [] if kinds <= WEAK | MOVES else answer_topics(agent, ctx, message)
    return [*talk[:1], *answer_worded_offer(agent, ctx, message)]


def _answer_with_topics(agent: Negotiator, ctx: AgentContext, message: HeardMessage) -> Script:
    """Answer the topics of a text and the refusal in it: with a new offer alone, if that makes one."""
    if not _is_refusal(message):
        return answer_topics(agent, ctx, message)
    if message.mention(*ABOUT_OWN) is not None:
        moved = agent.answer_rejection(ctx, message)
        if makes_offer(moved):
            return moved
        talk = answer_topics(agent, ctx, message)
        return talk if makes_offer(talk) else [*talk, *moved]
    talk = answer_topics(agent, ctx, message)
    return talk if makes_offer(talk) else [*talk, *agent.answer_rejection(ctx, message)]


def _answer_by_act(agent: Negotiator, ctx: AgentContext, message: HeardMessage) -> Script:
    """Answer a text by its speech act; one without, by what it remarks in passing."""
    reading, topics = message.reading, answerable_topics(message)
    if reading.halfway:
        return agent.answer_request(ctx, message, fairer=True)
    if reading.doubt is not None:
        return _ask_for_missing_part(agent, ctx, reading)
    main, understood = main_act(reading), message.mention(Topic.OK) is not None
    asked = message.mention(Topic.QUESTION) is not None
    if main is not None and asked and main.subtype in PLEASANTRIES:
        main = None
    if main is not None and asked and main.subtype is Subtype.OFFER_REJECT and not reading.refuses:
        main = None  # "no bus at all?"
    if main is not None and main.subtype is Subtype.PREF_INFO and main.preference is None:
        main = None if message.mention(Topic.ABOUT_ME) is not None else main  # about the weather, say
    if main is not None and not (understood and main.subtype is Subtype.CONFIRMATION):
        if main.subtype is Subtype.OFFER_ACCEPT:
            return agent.dialogue.say(ctx, "ask_whether_yes")  # it may be one
        return answer_act(agent, ctx, message, main)
    if topics:
        return answer_topics(agent, ctx, message)
    return [] if understood else _say_unclear(agent, ctx)


def _say_unclear(agent: Negotiator, ctx: AgentContext) -> Script:
    """Say that it did not understand; from the second time on, with what it asks for."""
    dialogue = agent.dialogue
    dialogue.memory.not_understood += 1
    terms = most_important_terms(agent, ctx)
    if dialogue.memory.not_understood > 1 and terms:
        return dialogue.first_of(ctx, "unclear_offer", "unclear", offer=terms)
    return dialogue.say(ctx, "unclear")


def asks_for_move(message: HeardMessage) -> bool:
    """Return whether a text asks for another offer, refuses, or words one."""
    reading = message.reading
    if reading.offers or reading.halfway or _is_refusal(message) or message.mention(*MOVES) is not None:
        return True
    # A text with another topic is answered by that.
    others = {mention.topic for mention in answerable_topics(message)} - WEAK
    return reading.subtype in MOVING_ACTS and not others


def _may_accept(message: HeardMessage) -> bool:
    """Return whether a text is a yes with nothing else to answer than a remark in passing."""
    acts = message.reading.acts
    sure = max((act.sure for act in acts if act.subtype is Subtype.OFFER_ACCEPT), default=0.0)
    topics = {mention.topic for mention in answerable_topics(message)}
    return message.reading.subtype is Subtype.OFFER_ACCEPT and sure >= LEAST_SURE_YES and topics <= WEAK


def _repeats_agent(message: HeardMessage) -> bool:
    """Return whether the offers that a text may mean are nothing but the agent's own terms."""
    own = message.agent_terms
    return bool(own.terms) and all(
        own.get(name) == term for offer in message.reading.offers for name, term in offer.terms
    )


def _chosen_act(message: HeardMessage) -> DialogueAct:
    """Return the speech act that the sender has chosen, with the statement that came with it."""
    acts = [act for act in message.reading.acts if act.subtype is message.subtype]
    return acts[0] if acts else DialogueAct(message.subtype)


def main_act(reading: Interpretation) -> DialogueAct | None:
    """Return the act of a text that is answered; None if it has none."""
    subtype = reading.subtype
    others = [act for act in reading.acts if act.subtype is not Subtype.OFFER_REJECT]
    if subtype is Subtype.OFFER_REJECT and others and not reading.refuses:
        # "Sorry" after an offer may be a no, but it is an apology first.
        rejects = [act for act in reading.acts if act.subtype is Subtype.OFFER_REJECT]
        if max(act.sure for act in rejects) < LEAST_SURE_NO:
            subtype = others[0].subtype
    acts = [act for act in reading.acts if act.subtype is subtype]
    if not acts:
        return None
    main = next((act for act in acts if act.preference is not None), acts[0])
    asked = next((preference for preference in reading.preferences if preference.is_question), None)
    if main.subtype in PREFERENCE_QUESTIONS and main.preference is None and asked is not None:
        return DialogueAct(main.subtype, main.sure, asked, main.batna, main.need, main.issue)
    return main


def _is_acceptance(ctx: AgentContext, message: HeardMessage) -> bool:
    """Return whether a text is a yes and nothing more: plain enough to bind, or to the agent's own offer."""
    reading = message.reading
    if reading.accepts:
        table, own = ctx.current_offer, message.agent_terms
        return all(
            term in (table.get(name), own.get(name)) for offer in reading.offers for name, term in offer.terms
        )
    if reading.offers or reading.doubt is not None or reading.hedged or reading.refuses:
        return False
    if reading.subtype is not Subtype.OFFER_ACCEPT or message.mention(*NO_YES) is not None:
        return False
    return max(act.sure for act in reading.acts if act.subtype is Subtype.OFFER_ACCEPT) >= LEAST_SURE_YES


def _is_refusal(message: HeardMessage) -> bool:
    """Return whether a text with topics is a no as well; an insult or a move is none by itself."""
    reading = message.reading
    if message.mention(*MOVES, Topic.INSULT, Topic.REPORT) is not None or reading.hedged:
        return reading.refuses
    return reading.refuses or reading.subtype is Subtype.OFFER_REJECT


# Typed offers


def answer_worded_offer(agent: Negotiator, ctx: AgentContext, message: HeardMessage) -> Script:
    """Return the judgement of an offer in words, which is none before it is sent as one."""
    dialogue, reading = agent.dialogue, message.reading
    agreed = ctx.current_offer if reading.accepts else EMPTY_OFFER
    offers = [agreed.with_terms_of(offer) for offer in reading.offers]
    if len(offers) > 1:
        first, second = (dialogue.offer_text(ctx, offer) for offer in offers[:2])
        return dialogue.first_of(ctx, "ask_either", "unclear", first=first, second=second)
    if reading.soft and reading.has(Subtype.PREF_INFO):
        return dialogue.say(ctx, "pref_noted")
    offer = offers[0]
    if message.mention(Topic.AS_YOURS) is not None:
        offer = agent.own_terms(ctx).with_terms_of(offer)
    return _judge_worded_offer(agent, ctx, offer)


def _judge_worded_offer(agent: Negotiator, ctx: AgentContext, offer: Offer) -> Script:
    """Return whether an offer in words would be accepted, so that it can be sent as one."""
    dialogue = agent.dialogue
    text = dialogue.offer_text(ctx, offer)
    if ctx.game.is_complete(offer):
        if agent.would_accept(ctx, offer):
            if agent.keeps_judgement:
                dialogue.memory.welcomed.add(offer)
                return dialogue.first_of(ctx, "send_as_offer_yes", "ask_for_offer", offer=text)
            # Nobody is asked for an offer after one of its own, which the other may be looking at.
            own_stands = ctx.current_offer_sender == ctx.seat and ctx.game.is_complete(ctx.current_offer)
            last = [] if own_stands else ["ask_for_offer"]
            return dialogue.first_of(ctx, "send_as_offer_look", *last, offer=text)
        return _refuse_worded_offer(agent, ctx, offer, text)
    if agent.may_agree(ctx, offer) or _has_offered(agent, ctx, offer):
        return dialogue.consider(ctx, offer)
    return _refuse_worded_offer(agent, ctx, offer, text)


def _has_offered(agent: Negotiator, ctx: AgentContext, part: Offer) -> bool:
    """Return whether these terms are in its last complete offer, or in one that it would still accept."""
    own = own_complete_offers(ctx)
    return any(keeps(offer, part) for offer in own if offer == own[-1] or agent.would_accept(ctx, offer))


def _refuse_worded_offer(agent: Negotiator, ctx: AgentContext, offer: Offer, text: str) -> Script:
    dialogue = agent.dialogue
    if ctx.game.is_complete(offer):
        dialogue.memory.declined.add(offer)
    if len(offer) > MAX_NAMED_TERMS and not all(isinstance(term, Allocation) for _, term in offer.terms):
        costly = costliest_issues(dialogue, ctx, dict(offer.terms))
        named = {issue: term for issue, term in offer.terms if issue in costly[:MAX_REFUSED_TERMS]}
        if words := dialogue.say(ctx, "refuse_terms", terms=dialogue.terms(ctx, named)):
            return [*words, *dialogue.give_reason(ctx, costly[0])]
    wanted = agent.wanted_offer(ctx)
    words = dialogue.say(ctx, "send_as_offer_no", offer=text)
    issue = None if wanted is None else shortfall(dialogue, ctx, offer, wanted)
    if issue is None:
        return words or dialogue.say(ctx, "refuse_plain")
    return [
        *(words or dialogue.say(ctx, "refuse_issue", issue=dialogue.title(ctx, issue))),
        *dialogue.give_reason(ctx, issue),
    ]


def _ask_for_missing_part(agent: Negotiator, ctx: AgentContext, reading: Interpretation) -> Script:
    assert reading.doubt is not None  # only called then
    dialogue = agent.dialogue
    if reading.doubt in (Ambiguity.HOW_MANY, Ambiguity.WHICH_VALUE):
        if not reading.about:
            return dialogue.first_of(ctx, "ask_which_issue", "unclear")
        issue = dialogue.title(ctx, reading.about[0])
        return dialogue.first_of(ctx, ASKS[reading.doubt], "unclear", issue=issue)
    return dialogue.first_of(ctx, ASKS[reading.doubt], "unclear")


# Speech acts


def answer_act(agent: Negotiator, ctx: AgentContext, message: HeardMessage, act: DialogueAct) -> Script:
    """Return the answer to a speech act."""
    memory = agent.dialogue.memory
    if act.subtype in COURTESIES or act.subtype is Subtype.TIMING_INFO:
        memory.courtesies += 1
        if memory.courtesies > MAX_CONSECUTIVE_COURTESIES:
            return []
        if act.subtype is Subtype.TIMING_INFO:
            has_time = agent.record_wait_request(ctx)
            return agent.dialogue.say(ctx, "take_time" if has_time else "timing")
        if act.subtype is Subtype.GREETING and not memory.greeted:
            memory.greeted = True
            with agent.dialogue.speaking_to(None):  # of several, all are greeted
                return agent.dialogue.say(ctx, "greeting")
        return agent.dialogue.say(ctx, COURTESIES[act.subtype])
    memory.courtesies = 0
    if act.subtype in FAVOURS:
        return agent.answer_favour(ctx, act.subtype)
    if act.subtype in THREATS:
        return agent.answer_threat(ctx, message)
    if act.subtype in OFFER_REQUESTS:
        return _answer_offer_request(agent, ctx, message, act)
    responder = ACT_RESPONDERS.get(act.subtype)
    return responder(agent, ctx, message, act) if responder else agent.dialogue.say(ctx, "unclear")


ActResponder = Callable[[Negotiator, AgentContext, HeardMessage, DialogueAct], Script]


def _answer_offer_request(
    agent: Negotiator, ctx: AgentContext, message: HeardMessage, act: DialogueAct
) -> Script:
    """Answer a request for an offer: for one with the terms that it names, or for any."""
    fairer = act.subtype is Subtype.OFFER_REQUEST_NEG
    if not fairer:
        answer = answer_request_with_terms(agent, ctx, message)
        if answer is not None:
            return answer
        if message.reading.offers and message.subtype in OFFER_REQUESTS:
            return answer_worded_offer(agent, ctx, message)  # a complete one
    return agent.answer_request(ctx, message, fairer=fairer)


def _accept(agent: Negotiator, ctx: AgentContext, message: HeardMessage, _act: DialogueAct) -> Script:
    return agent.answer_acceptance(ctx, message)


def _reject(agent: Negotiator, ctx: AgentContext, message: HeardMessage, _act: DialogueAct) -> Script:
    return agent.answer_rejection(ctx, message)


def _propose(agent: Negotiator, ctx: AgentContext, message: HeardMessage, _act: DialogueAct) -> Script:
    return agent.answer_announcement(ctx, message)


def _preference_info(agent: Negotiator, ctx: AgentContext, message: HeardMessage, act: DialogueAct) -> Script:
    if act.preference is not None and act.preference.is_question:
        return _preference_request(agent, ctx, message, act)
    learned = agent.learn_act(ctx, message.sender, act)
    if asked := ask_about_contradiction(agent, ctx, message):
        return [*learned, *asked]
    dialogue = agent.dialogue
    words = dialogue.first_of(ctx, "pref_noted", "confirmation")
    if dialogue.happens(ctx, 0.5):
        fact = agent.statements.fact(agent.opponent_model(message.sender))
        if fact is not None:
            words = [*words, *disclose(agent, ctx, fact)]
    return [*learned, *words]


def _preference_request(
    agent: Negotiator, ctx: AgentContext, message: HeardMessage, act: DialogueAct
) -> Script:
    other = agent.opponent_model(message.sender)
    fact = None
    if act.preference is not None:
        fact = agent.statements.answer(act.preference, other)
    elif act.issue is not None:
        fact = agent.statements.fact_about(act.issue, other)
    if act.issue is not None and act.preference is None and (words := wish(agent, ctx, act.issue)):
        return words
    if fact is not None and (words := disclose(agent, ctx, fact)):
        return words
    if agent.dialogue.manner.honesty is Honesty.RESERVED:
        return agent.dialogue.say(ctx, "pref_withhold")
    return disclose_something(agent, ctx, message.sender)


def _batna_request(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _act: DialogueAct) -> Script:
    return disclose_limit(agent, ctx)


def _batna_info(agent: Negotiator, ctx: AgentContext, message: HeardMessage, act: DialogueAct) -> Script:
    return answer_stated_limit(agent, ctx, message.sender, act.batna)


def _confusion(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _act: DialogueAct) -> Script:
    return explain_offer(agent, ctx)


def _timing_request(
    agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _act: DialogueAct
) -> Script:
    return say_time_left(agent, ctx)


ACT_RESPONDERS: dict[Subtype, ActResponder] = {
    Subtype.OFFER_ACCEPT: _accept,
    Subtype.OFFER_REJECT: _reject,
    Subtype.OFFER_PROPOSE: _propose,
    Subtype.PREF_INFO: _preference_info,
    Subtype.PREF_REQUEST: _preference_request,
    Subtype.PREF_SPECIFIC_REQUEST: _preference_request,
    Subtype.BATNA_REQUEST: _batna_request,
    Subtype.BATNA_INFO: _batna_info,
    Subtype.CONFUSION: _confusion,
    Subtype.TIMING_REQUEST: _timing_request,
}


# What it learns


def _learn_side_statements(agent: Negotiator, ctx: AgentContext, message: HeardMessage) -> Script:
    """Learn from the statements of preference in a text that are not its main act."""
    main = None if message.reading.offers or message.reading.accepts else main_act(message.reading)
    acts = [act for act in message.reading.acts if act is not main and act.subtype is Subtype.PREF_INFO]
    return [note for act in acts for note in agent.learn_act(ctx, message.sender, act)]


def ask_about_contradiction(agent: Negotiator, ctx: AgentContext, message: HeardMessage) -> Script:
    """Ask about two statements that contradict each other; nothing if there are none."""
    found = agent.opponent_model(message.sender).pop_contradiction()
    if found is None:
        return []
    dialogue = agent.dialogue
    first, second = (
        dialogue.sentences.part(
            f"clause_{relation_of(statement)}", ctx.rng, **dialogue.preference_slots(ctx, statement)
        )
        for statement in found
    )
    later = found[1]
    asked = Preference(later.issue1, later.relation, later.issue2, is_question=True)
    slots = {"first": first, "second": second}
    return dialogue.message(ctx, "pref_contradiction", slots, preference=asked)
