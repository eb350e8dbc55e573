"""Summaries of a session for the seat that played it: items with codes, and the same in plain English.

The codes of the items, with their values:

================  ========================================================================================
outcome           ``ended_by``: agreement, timeout, quit, agent_failure, aborted, completed; ``by``: the seat
deal              ``terms`` by issue, ``of``: the seat that proposed it
points            ``points`` at the end and, in bargaining, ``reservation``: those of no deal
offers            ``own`` and ``others``: numbers of offers
messages          ``own`` and ``others``: numbers of messages
trades            ``count``: transactions of the seat
seconds           ``seconds`` from the start to the end
================  ========================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.intention_ledger import term_document
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.mechanisms.trading import Trading
from negoplatform.core.record.notes_and_tasks import TaskStatus

OUTCOMES: Mapping[str, str] = {
    "agreement": "The negotiation ended with an agreement.",
    "timeout": "The time was up.",
    "quit": "The negotiation was broken off.",
    "agent_failure": "The other side could not continue.",
    "aborted": "The session was stopped.",
    "completed": "The game was played to its end.",
}
"""Sentence of each reason for an end."""


def summary_items(ctx: AgentContext) -> list[dict[str, Any]]:
    """Return the summary of a session that has ended, for the seat of the context; before the end none."""
    ending = ctx.ending
    if ending is None:
        return []
    items: list[dict[str, Any]] = [{"code": "outcome", "ended_by": ending.ended_by.value, "by": ending.by}]
    points: dict[str, Any] = {"code": "points", "points": ctx.final_points}
    if ctx.game.mechanism == BARGAINING:
        history = ctx.get_offer_history()
        if ending.deal is not None:
            terms = {name: term_document(term) for name, term in ending.deal.terms}
            of = next((each["sender"] for each in history if each["offer_id"] == ending.deal_id), None)
            items.append({"code": "deal", "terms": terms, "of": of})
        points["reservation"] = ctx.reservation_value
        own = sum(each["sender"] == ctx.seat for each in history)
        counts: list[dict[str, Any]] = [{"code": "offers", "own": own, "others": len(history) - own}]
    elif ctx.game.mechanism == Trading.name:
        counts = [{"code": "trades", "count": len(ctx.trading.confirmed_transactions)}]
    elif ctx.game.mechanism == Market.name:
        trades = [trade for book in ctx.market.books for trade in book.trades]
        own = sum(ctx.seat in (trade.buyer, trade.seller) for trade in trades)
        counts = [{"code": "trades", "count": own}]
    else:
        counts = []
    messages = ctx.get_message_history()
    said = sum(each["sender"] == ctx.seat for each in messages)
    return [
        *items,
        points,
        *counts,
        {"code": "messages", "own": said, "others": len(messages) - said},
        {"code": "seconds", "seconds": round(ctx.elapsed_seconds, 1)},
    ]


def summary_text(items: list[dict[str, Any]]) -> str:
    """Return a summary in plain English."""
    return " ".join(sentence for item in items if (sentence := _sentence(item)))


def _sentence(item: dict[str, Any]) -> str:
    match item:
        case {"code": "outcome", "ended_by": ended_by}:
            return OUTCOMES.get(ended_by, "The session is over.")
        case {"code": "deal", "of": str() as of}:
            return f"The deal is the offer of {of}."
        case {"code": "points", "points": points, "reservation": reservation} if points is not None:
            return f"It is worth {points:g} points; no deal would have been worth {reservation:g}."
        case {"code": "points", "points": points} if points is not None:
            return f"The result is {points:g} points."
        case {"code": "offers" | "messages" as kind, "own": own, "others": others}:
            return f"There were {own} own {kind} and {others} of others."
        case {"code": "trades", "count": count}:
            return f"There were {count} own trades."
        case {"code": "seconds", "seconds": seconds}:
            return f"It took {seconds:g} seconds."
        case _:
            return ""


def finished_tasks(ctx: AgentContext) -> list[dict[str, Any]]:
    """Return the tasks in the record that are over with the end of the session, as done.

    With a deal, or in a game without deals, these are all; otherwise the answers that were due: a deal that
    was not reached stays open.
    """
    ending = ctx.ending
    reached = ending is not None and (ending.deal is not None or ctx.game.mechanism != BARGAINING)
    over = [
        task
        for task in ctx.recorded_tasks
        if task.status is not TaskStatus.DONE
        and task.agent_origin != ctx.seat
        and (reached or task.intent.startswith("answer_"))
    ]
    return [{"task_id": task.task_id, "status": TaskStatus.DONE.value} for task in over]
