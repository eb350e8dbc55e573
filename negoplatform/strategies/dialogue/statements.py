"""Messages in which an agent states its preferences or its value of no deal; lies are marked."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action, ProposeChange
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Preference, Relation
from negoplatform.domain.seat_map import Seat
from negoplatform.language.generation import number_in_words, points_in_words
from negoplatform.strategies.dialogue.dialogue import Script, message_text
from negoplatform.strategies.dialogue.manner import Honesty
from negoplatform.strategies.dialogue.negotiator import Negotiator


def relation_of(fact: Preference) -> str:
    """Return the name of a preference's relation in the kinds of message."""
    return "greater" if fact.relation is Relation.LESS else fact.relation.lower()


def disclose(agent: Negotiator, ctx: AgentContext, fact: Preference) -> Script:
    """State a fact about its preferences, with a reason where it has one; a lie is marked in the record."""
    dialogue = agent.dialogue
    kind = f"pref_info_{relation_of(fact)}"
    words = dialogue.message(ctx, kind, dialogue.preference_slots(ctx, fact), preference=fact)
    if not words:
        return []
    if not agent.statements.is_true(fact):
        return [*words, lie_note(agent, ctx, "preference", message_text(words))]
    if fact.relation is Relation.BEST or fact.relation is Relation.GREATER:
        words += dialogue.give_reason(ctx, fact.issue1)
    return words


def disclose_something(agent: Negotiator, ctx: AgentContext, sender: Seat) -> Script:
    """State a fact that it has not stated yet; say that it keeps them to itself, or has told them all."""
    fact = agent.statements.fact(agent.opponent_model(sender))
    if fact is not None and (words := disclose(agent, ctx, fact)):
        return words
    kind = "pref_withhold" if agent.dialogue.manner.honesty is Honesty.RESERVED else "pref_all_told"
    return agent.dialogue.say(ctx, kind)


def wish(agent: Negotiator, ctx: AgentContext, issue: str) -> Script:
    """Say what it would like on an issue, where it is honest about its wishes."""
    wanted = agent.wanted_offer(ctx)
    term = None if wanted is None else wanted.get(issue)
    if term is None or agent.dialogue.manner.honesty is not Honesty.HONEST:
        return []
    return agent.dialogue.say(ctx, "wish", terms=agent.dialogue.terms(ctx, {issue: term}))


def disclose_limit(agent: Negotiator, ctx: AgentContext) -> Script:
    """State its value of no deal, where it is open about that; a false one is marked in the record."""
    if not agent.statements.open_about_limit:
        return agent.dialogue.say(ctx, "batna_request_answer")
    limit = agent.stated_value_of_no_deal(ctx)
    text = points_in_words(limit, agent.dialogue.manner.language)
    words = agent.dialogue.message(ctx, "batna_info", {"value": text}, batna=float(limit))
    if not words:
        return agent.dialogue.say(ctx, "batna_request_answer")
    agent.record_stated_limit(limit)
    if limit == ctx.reservation_value:
        return words
    return [*words, lie_note(agent, ctx, "batna", message_text(words))]


def lie_note(agent: Negotiator, ctx: AgentContext, about: str, statement: str) -> Action:
    """Return the mark of a lie, for the experimenter alone.

    Args:
        agent: The agent.
        ctx: The context.
        about: ``preference``, ``batna`` or ``favour``.
        statement: The false statement.
    """
    agent.dialogue.memory.lies += 1
    lie = {"about": about, "said": statement, "count": agent.dialogue.memory.lies}
    # It is dropped with the statement.
    return ProposeChange({"notes": {ctx.seat: {"lie": lie}}}, flushable=True)


def answer_stated_limit(agent: Negotiator, ctx: AgentContext, sender: Seat, batna: float | None) -> Script:
    """Answer the other's statement of what it gets without a deal; ask if it contradicts an earlier one."""
    other, language = agent.opponent_model(sender), agent.dialogue.manner.language
    before, other.batna = other.batna, batna if batna is not None else other.batna
    if before is not None and batna is not None and batna != before:
        first, second = (number_in_words(value, language) for value in (before, batna))
        return agent.dialogue.say(ctx, "batna_contradiction", first=first, second=second)
    return agent.dialogue.say(ctx, "batna_noted")
