"""Answers to what typed text asks or remarks, by topic."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.agent_api.bids import keeps
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Preference, Relation
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language import Topic, TopicMention
from negoplatform.language.generation import time_in_words
from negoplatform.strategies.dialogue.conversation_memory import HeardMessage
from negoplatform.strategies.dialogue.dialogue import Script
from negoplatform.strategies.dialogue.manner import Honesty
from negoplatform.strategies.dialogue.negotiator import Negotiator
from negoplatform.strategies.dialogue.offer_changes import offer_changes
from negoplatform.strategies.dialogue.offer_wording import (
    MAX_NAMED_TERMS,
    costliest_issues,
    named_terms,
    shortfall,
)
from negoplatform.strategies.dialogue.statements import disclose, disclose_limit, disclose_something, wish

TopicResponder = Callable[[Negotiator, AgentContext, HeardMessage, TopicMention], Script]

MOVES = frozenset({Topic.FAIRER, Topic.TAKE, Topic.GIVE, Topic.SWAP, Topic.ULTIMATUM})
"""Topics whose answer may be an offer; only one of them is answered at a time."""

REMARKS = frozenset({Topic.QUESTION, Topic.ABOUT_ME, Topic.LIKES})
"""Topics that are answered only where a message has no speech act with an answer either."""

WEAK = REMARKS | {
    *(Topic.OK, Topic.LAUGH, Topic.COMPLIMENT, Topic.MOOD, Topic.HURRY, Topic.UNSURE, Topic.NOT_ANSWERED)
}
"""Topics that are answered only where a message has no other."""

EXPLANATIONS = frozenset({Topic.MEANING, Topic.CONTRADICTION, Topic.OPINION, Topic.OBJECTION})
"""Topics whose answer repeats the agent's last terms; only one of them is answered."""

MAX_ANSWERS = 2
"""Topics of one message that are answered."""


def answer_topics(agent: Negotiator, ctx: AgentContext, message: HeardMessage) -> Script:
    """Return the answers to the topics of a message; nothing if there are none.

    Args:
        agent: The agent.
        ctx: The context.
        message: The message.
    """
    script: Script = []
    answered = 0
    moved = explained = False
    topics = {mention.topic for mention in answerable_topics(message)}
    # What may make an offer comes last: words that belong to something else would seem to be about it.
    for mention in sorted(answerable_topics(message), key=lambda one: one.topic in MOVES):
        explains = mention.topic in EXPLANATIONS
        if answered == MAX_ANSWERS or (moved and mention.topic in MOVES) or (explained and explains):
            continue
        if explained and mention.topic in (Topic.TAKE, Topic.GIVE) and not mention.terms.terms:
            continue  # its terms have just been said
        denies = mention.topic is Topic.CONTRADICTION and not has_gone_back(agent, ctx)
        if Topic.WHY in topics and (denies or mention.topic is Topic.HONEST):
            continue  # the reason is the answer
        agent.dialogue.memory.asked[mention.topic] += 1
        words = RESPONDERS[mention.topic](agent, ctx, message, mention)
        moved = moved or mention.topic in MOVES
        explained = explained or (explains and bool(words))
        answered += bool(words)
        script += words
    return script


def answerable_topics(message: HeardMessage) -> list[TopicMention]:
    """Return the topics of a message that have an answer of their own."""
    strong = [mention for mention in message.topics if mention.topic not in WEAK]
    found = strong or list(message.topics)
    return [mention for mention in found if mention.topic in RESPONDERS]


def _says(*kinds: str) -> TopicResponder:
    """Return a responder that says the first of some kinds of which something is left."""

    def respond(
        agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _mention: TopicMention
    ) -> Script:
        return agent.dialogue.first_of(ctx, *kinds)

    return respond


def _why(agent: Negotiator, ctx: AgentContext, message: HeardMessage, mention: TopicMention) -> Script:
    """Give a reason: for the issue that is asked about, else for what it asks of the other's last offer."""
    dialogue = agent.dialogue
    if dialogue.manner.honesty is Honesty.RESERVED:
        return dialogue.first_of(ctx, "why_withheld", "why_all_told")
    own = agent.own_terms(ctx) or agent.wanted_offer(ctx) or EMPTY_OFFER
    theirs = ctx.current_offer if ctx.current_offer_sender not in (None, ctx.seat) else EMPTY_OFFER
    short = shortfall(dialogue, ctx, theirs, own) if theirs.terms else None
    # Who asks about an issue is not told about another one, nor else why one matters little.
    important = filter(dialogue.is_important, dialogue.importance())
    asked = mention.issues or message.reading.about
    order = list(asked) or [*([short] if short else []), *important]
    if dialogue.manner.honesty is Honesty.LYING:
        return _claimed_reason(agent, ctx, message.sender)
    for issue in dict.fromkeys(order):
        if own.terms and own.get(issue) is None and issue not in asked:
            continue
        reason = dialogue.new_reason(ctx, issue, own.get(issue))
        if reason is not None:
            little = issue == dialogue.importance()[-1] and message.mention(Topic.WANTS) is None
            kinds = ("why_little", "why_told") if little else ("why_told",)
            return dialogue.first_of(ctx, *kinds, why=reason)
    if asked or short:
        title = dialogue.title(ctx, next(iter(asked), short or ""))
        if words := dialogue.say(ctx, "why_own", issue=title):
            return words
    elif words := dialogue.say(ctx, "why_own", issue=dialogue.title(ctx, dialogue.importance()[0])):
        return words
    return dialogue.first_of(ctx, *(["why_refused"] if theirs.terms else []), "why_all_told")


def _claimed_reason(agent: Negotiator, ctx: AgentContext, other: Seat) -> Script:
    """Return what a lying agent says: that what it claims to want matters to it."""
    fact = agent.statements.answer(
        Preference("", Relation.BEST, None, is_question=True), agent.opponent_model(other)
    )
    if fact is not None and (words := disclose(agent, ctx, fact)):
        return words
    return agent.dialogue.first_of(ctx, "why_refused", "why_all_told")


def _person(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _mention: TopicMention) -> Script:
    honest = agent.dialogue.manner.honesty is Honesty.HONEST
    return agent.dialogue.say(ctx, "person_program" if honest else "person_evade")


def _name(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _mention: TopicMention) -> Script:
    return agent.dialogue.say(ctx, "name_told", name=agent.get_name())


def _about(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _mention: TopicMention) -> Script:
    fact = agent.dialogue.new_background()
    if fact is None:
        return agent.dialogue.first_of(ctx, "about_nothing", "question_unknown")
    return agent.dialogue.say(ctx, "about_told", background=fact)


def _meaning(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _mention: TopicMention) -> Script:
    return explain_offer(agent, ctx)


def explain_offer(agent: Negotiator, ctx: AgentContext) -> Script:
    """Explain its last offer in words."""
    last = ctx.get_last_offer()
    offer = agent.own_terms(ctx) if last is None else last["offer"]
    if not offer.terms:
        return agent.dialogue.say(ctx, "meaning_none")
    return agent.dialogue.say(ctx, "meaning_offer", offer=agent.dialogue.offer_text(ctx, offer))


def _wants(agent: Negotiator, ctx: AgentContext, message: HeardMessage, mention: TopicMention) -> Script:
    if mention.detail == "level" and mention.issues and (words := wish(agent, ctx, mention.issues[0])):
        return words
    if mention.issues:
        fact = agent.statements.fact_about(mention.issues[0], agent.opponent_model(message.sender))
        if fact is not None and (words := disclose(agent, ctx, fact)):
            return words
    asked = next((each for each in message.reading.preferences if each.is_question), None)
    if asked is not None:  # such as what matters least
        fact = agent.statements.answer(asked, agent.opponent_model(message.sender))
        if fact is not None and (words := disclose(agent, ctx, fact)):
            return words
    return disclose_something(agent, ctx, message.sender)


def _rather(agent: Negotiator, ctx: AgentContext, message: HeardMessage, mention: TopicMention) -> Script:
    if len(mention.issues) < 2:
        return _wants(agent, ctx, message, mention)
    asked = Preference(mention.issues[0], Relation.GREATER, mention.issues[1], is_question=True)
    fact = agent.statements.answer(asked, agent.opponent_model(message.sender))
    words = disclose(agent, ctx, fact) if fact is not None else []
    return words or disclose_something(agent, ctx, message.sender)


def _lowest(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _mention: TopicMention) -> Script:
    return disclose_limit(agent, ctx)


def _limit(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, mention: TopicMention) -> Script:
    """Note the other's limit; say so if the agent's own terms are beyond it."""
    own = agent.own_terms(ctx)
    hard = any(own.get(issue) not in (None, term) for issue, term in mention.terms.terms)
    kinds = ("limit_hard", "limit_noted") if hard else ("limit_noted", "limit_hard")
    return agent.dialogue.first_of(ctx, *kinds)


def _take(agent: Negotiator, ctx: AgentContext, message: HeardMessage, mention: TopicMention) -> Script:
    """Say what it would want for a term, what its offer is, or make an offer that it would say yes to."""
    part = mention.more.with_terms_of(mention.terms)
    if not part.terms and len(message.reading.offers) == 1:
        part = message.reading.offers[0]
    if part.terms and not ctx.game.is_complete(part):
        return _price(agent, ctx, message, part)
    terms = most_important_terms(agent, ctx)
    kind = "take_told" if ctx.game.is_complete(own := agent.own_terms(ctx)) else "take_first"
    standing = ctx.current_offer_sender == ctx.seat and own.terms
    if standing and (words := agent.dialogue.say(ctx, kind, terms=terms)):
        return words
    return agent.answer_request(ctx, message, fairer=False)


def most_important_terms(agent: Negotiator, ctx: AgentContext) -> str:
    """Return those of its own terms that matter most to it, as a noun phrase; empty if it has none."""
    own = agent.own_terms(ctx)
    if ctx.game.is_complete(own) and all(isinstance(term, Allocation) for _, term in own.terms):
        return agent.dialogue.offer_text(ctx, own)  # short, as the rest need not be named
    return named_terms(agent.dialogue, ctx, own) if own.terms else ""


def _price(agent: Negotiator, ctx: AgentContext, message: HeardMessage, part: Offer) -> Script:
    """Return a deal with some terms, and what the agent wants in return."""
    dialogue = agent.dialogue
    deal = agent.deal_with(ctx, part)
    if deal is None:
        title = dialogue.title(ctx, costliest_issues(dialogue, ctx, dict(part.terms))[0])
        final = () if agent.may_yield(ctx) else ("take_not_for_sale",)
        return dialogue.first_of(ctx, *final, "refuse_issue", "cannot_move", issue=title)
    rest = {issue: term for issue, term in deal.terms if part.get(issue) is None}
    takes = dict(offer_changes(dialogue.points, ctx.seat, agent.own_terms(ctx), deal).takes)
    # What it asks for beyond its last terms first: nothing may be hidden in the offer.
    order = sorted((issue for issue in dialogue.importance() if issue in rest), key=lambda i: i not in takes)
    wants = dialogue.terms(ctx, {issue: rest[issue] for issue in order[:MAX_NAMED_TERMS]})
    if not wants:
        return agent.offer_deal(ctx, deal, part, "swap_yes")
    gives = dialogue.terms(ctx, dict(part.terms), to=message.sender)
    return agent.offer_deal(ctx, deal, part, "take_for", give=gives, want=wants)


def _swap(agent: Negotiator, ctx: AgentContext, message: HeardMessage, mention: TopicMention) -> Script:
    """Answer a swap: a deal that contains it, or why not; without amounts, ask for them."""
    part = mention.terms.with_terms_of(mention.more)
    if not part.terms and len(message.reading.offers) == 1:
        part = message.reading.offers[0]
    dialogue = agent.dialogue
    if not part.terms:
        words = dialogue.say(ctx, "swap_ask")
        return words or agent.answer_request(ctx, message, fairer=False)
    if keeps(agent.own_terms(ctx), part):  # it has offered that: something else is meant
        return dialogue.first_of(ctx, "swap_ask", "unclear")
    deal = agent.deal_with(ctx, part)
    if deal is not None and not _is_worse_for_others(agent, ctx, deal):
        return agent.offer_deal(ctx, deal, part, "swap_yes")
    asked = mention.more if mention.more.terms else part
    return dialogue.say(ctx, "swap_no", issue=dialogue.title(ctx, asked.terms[0][0])) or dialogue.say(
        ctx, "cannot_move"
    )


def _is_worse_for_others(agent: Negotiator, ctx: AgentContext, deal: Offer) -> bool:
    """Return whether a deal seems to be worth less to the others than its last complete offer."""
    worth = agent.dialogue.worth_to_others
    own = agent.own_terms(ctx)
    return worth is not None and ctx.game.is_complete(own) and worth(deal) < worth(own)


def _fairer(agent: Negotiator, ctx: AgentContext, message: HeardMessage, _mention: TopicMention) -> Script:
    return agent.answer_request(ctx, message, fairer=True)


def _ultimatum(agent: Negotiator, ctx: AgentContext, message: HeardMessage, _mention: TopicMention) -> Script:
    return agent.answer_threat(ctx, message)


def _final(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _mention: TopicMention) -> Script:
    return agent.dialogue.first_of(ctx, "final_no" if agent.may_yield(ctx) else "final_yes", "stand_by")


def _honest(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _mention: TopicMention) -> Script:
    lying = agent.dialogue.manner.honesty is Honesty.LYING or agent.promise() == "betrayed"
    return agent.dialogue.first_of(ctx, *(() if lying else ("honest_told",)), "question_unknown")


def _contradiction(
    agent: Negotiator, ctx: AgentContext, message: HeardMessage, mention: TopicMention
) -> Script:
    if (reminder := agent.remind_of_acceptance(ctx)) is not None:
        return reminder
    dialogue = agent.dialogue
    if has_gone_back(agent, ctx):
        if (earlier := _earlier_offer(agent, ctx)) is not None:
            return dialogue.first_of(
                ctx, "still_open", "changed_admit", offer=dialogue.offer_text(ctx, earlier)
            )
        return dialogue.first_of(ctx, "changed_admit", "small_talk_neg")
    if _was_only_considered(agent, message, mention) and (words := dialogue.say(ctx, "considered_only")):
        return words
    own = agent.own_terms(ctx)
    if not own.terms:
        return dialogue.first_of(ctx, "meaning_none", "unclear")
    return dialogue.say(ctx, "changed_deny", offer=dialogue.offer_text(ctx, own)) or explain_offer(agent, ctx)


def own_complete_offers(ctx: AgentContext) -> list[Offer]:
    """Return its own complete offers, oldest first."""
    history = ctx.get_offer_history()
    return [entry["offer"] for entry in history if entry["sender"] == ctx.seat and entry["complete"]]


def _earlier_offer(agent: Negotiator, ctx: AgentContext) -> Offer | None:
    """Return its first complete offer that is not its last and that it would still accept; None if none."""
    own = own_complete_offers(ctx)
    older = (offer for offer in own if offer != own[-1])
    return next((offer for offer in older if agent.would_accept(ctx, offer)), None)


def _was_only_considered(agent: Negotiator, message: HeardMessage, mention: TopicMention) -> bool:
    """Return whether a message is about terms to which it has said that they depend on the rest."""
    about = {*message.reading.about, *mention.issues}
    return any(about & set(offer.issues) for offer in agent.dialogue.memory.considered)


def has_gone_back(agent: Negotiator, ctx: AgentContext) -> bool:
    """Return whether it has taken something back, or its last offer asks for more than an earlier one."""
    if agent.dialogue.memory.took_back:
        return True
    own = own_complete_offers(ctx)
    points = agent.dialogue.points
    return bool(own) and any(offer_changes(points, ctx.seat, before, own[-1]).takes for before in own[:-1])


def _promise_broken(
    agent: Negotiator, ctx: AgentContext, message: HeardMessage, _mention: TopicMention
) -> Script:
    match agent.promise():
        case "betrayed":
            return agent.dialogue.say(ctx, "promise_excuse")
        case "given":
            words = agent.dialogue.say(ctx, "promise_admit")
            return [*words, *agent.answer_request(ctx, message, fairer=True)]
        case _:
            return agent.dialogue.say(ctx, "promise_none")


def _not_agreed(
    agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _mention: TopicMention
) -> Script:
    agent.forget_agreement()
    return agent.dialogue.say(ctx, "not_agreed_told")


def _insult(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, _mention: TopicMention) -> Script:
    dialogue = agent.dialogue
    if dialogue.memory.asked[Topic.INSULT] > 1:
        return dialogue.say(ctx, "insult_again")
    sharp = dialogue.manner.politeness < 0.3
    return dialogue.first_of(ctx, "insult_sharp" if sharp else "insult_calm", "insult_again")


def _rules(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, mention: TopicMention) -> Script:
    match mention.detail:
        case "no_deal":
            return agent.dialogue.first_of(ctx, "rules_no_deal", "question_unknown")
        case "points":
            kind = "rules_help" if ctx.opponent_preferences_visible else "rules_points"
            return agent.dialogue.first_of(ctx, kind, "question_unknown")
        case "time":
            return say_time_left(agent, ctx)
        case "turns":
            return agent.dialogue.first_of(ctx, "rules_turns", "rules_help")
        case _:
            return agent.dialogue.first_of(ctx, "rules_help", "question_unknown")


def say_time_left(agent: Negotiator, ctx: AgentContext) -> Script:
    """Say how much time is left."""
    left = ctx.remaining_time
    if left is None:
        return agent.dialogue.say(ctx, "timing_no_deadline")
    value = time_in_words(max(left, 1), agent.dialogue.manner.language)
    return agent.dialogue.say(ctx, "timing_answer", value=value)


def _mood(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, mention: TopicMention) -> Script:
    if mention.detail == "good":
        return agent.dialogue.first_of(ctx, "mood_good", "small_talk_pos")
    return agent.dialogue.first_of(ctx, "mood_bad", "small_talk_neg")


def _status(agent: Negotiator, ctx: AgentContext, _message: HeardMessage, mention: TopicMention) -> Script:
    """Say that there is no deal yet; if only the other's acceptance is missing, that."""
    if (reminder := agent.remind_of_acceptance(ctx)) is not None:
        return reminder
    own_stands = ctx.current_offer_sender == ctx.seat and ctx.game.is_complete(ctx.current_offer)
    kinds = ["accept_how"] if mention.detail == "accept" and own_stands else []
    return agent.dialogue.first_of(ctx, *kinds, "deal_open", "not_agreed_told")


def _objection(agent: Negotiator, ctx: AgentContext, message: HeardMessage, mention: TopicMention) -> Script:
    """Say what it does not like in the other's last offer; without one, what its own offer is."""
    if (reminder := agent.remind_of_acceptance(ctx)) is not None:
        return reminder
    dialogue = agent.dialogue
    last = ctx.get_last_offer(message.sender)
    theirs = EMPTY_OFFER if last is None else last["offer"]
    wanted = agent.wanted_offer(ctx)
    asked = [issue for issue in mention.issues if theirs.get(issue) is not None]
    terms = {issue: term for issue, term in theirs.terms if not asked or issue in asked}
    issue = None if wanted is None or asked else shortfall(dialogue, ctx, theirs, wanted)
    if terms and issue is None:
        issue = costliest_issues(dialogue, ctx, terms)[0]
    if issue is None:
        return _why(agent, ctx, message, mention) if mention.issues else explain_offer(agent, ctx)
    words = dialogue.first_of(ctx, "refuse_issue", "cannot_move", issue=dialogue.title(ctx, issue))
    return [*words, *dialogue.give_reason(ctx, issue)]


def _opinion(agent: Negotiator, ctx: AgentContext, message: HeardMessage, _mention: TopicMention) -> Script:
    """Say what is missing in the other's offer, or explain its own."""
    if message.reading.offers or message.reading.doubt is not None:
        return []  # the terms of the message are answered
    if (reminder := agent.remind_of_acceptance(ctx)) is not None:
        return reminder
    dialogue = agent.dialogue
    wanted = agent.wanted_offer(ctx)
    if ctx.current_offer_sender not in (None, ctx.seat) and wanted is not None:
        issue = shortfall(dialogue, ctx, ctx.current_offer, wanted)
        if issue is not None and (
            words := dialogue.say(ctx, "refuse_issue", issue=dialogue.title(ctx, issue))
        ):
            return [*words, *dialogue.give_reason(ctx, issue)]
    if agent.own_terms(ctx).terms:
        return explain_offer(agent, ctx)
    return disclose_something(agent, ctx, message.sender)


RESPONDERS: dict[Topic, TopicResponder] = {
    Topic.WHY: _why,
    Topic.PERSON: _person,
    Topic.NAME: _name,
    Topic.ABOUT_YOU: _about,
    Topic.HOW_ARE_YOU: _says("how_are_you", "present"),
    Topic.PRESENCE: _says("present"),
    Topic.MEANING: _meaning,
    Topic.WANTS: _wants,
    Topic.RATHER: _rather,
    Topic.LOWEST: _lowest,
    Topic.LIMIT: _limit,
    Topic.TAKE: _take,
    Topic.GIVE: _take,
    Topic.SWAP: _swap,
    Topic.FAIRER: _fairer,
    Topic.ULTIMATUM: _ultimatum,
    Topic.FINAL: _final,
    Topic.REPORT: _says("report_answer"),
    Topic.HONEST: _honest,
    Topic.CONTRADICTION: _contradiction,
    Topic.PROMISE_BROKEN: _promise_broken,
    Topic.NOT_AGREED: _not_agreed,
    Topic.UNFAIR: _says("unfair_answer", "small_talk_neg"),
    Topic.INSULT: _insult,
    Topic.JOKE: _says("joke_answer", "laugh_answer"),
    Topic.LAUGH: _says("laugh_answer"),
    Topic.COMPLIMENT: _says("compliment_answer", "small_talk_pos"),
    Topic.HURRY: _says("hurried"),
    Topic.ORDERS: _says("orders_answer", "question_unknown"),
    Topic.RULES: _rules,
    Topic.MOOD: _mood,
    Topic.STATUS: _status,
    Topic.OBJECTION: _objection,
    Topic.OPINION: _opinion,
    Topic.UNSURE: _says("unsure_answer", "question_unknown"),
    Topic.NOT_ANSWERED: _says("not_answered", "unclear"),
    Topic.ABOUT_ME: _says("listening"),
    Topic.LIKES: _says("pref_noted", "listening"),
    Topic.QUESTION: _says("question_unknown", "unclear"),
}
"""Responders by topic; a mere "ok" needs no answer."""
