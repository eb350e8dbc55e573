"""Plans of what a seat has still to do: one subtask per open issue, good or decision, and answers due.

The codes of the intents, with their values in ``metadata``:

=================  ====================================================================================
settle_deal        bargaining: reach an agreement; ``agreed`` and ``issues`` are numbers of issues
settle_issue       agree on ``issue``; ``standing`` is open, agreed or disputed
answer_offer       answer the offer ``offer_id`` of the seat ``of``
confirm_offer      confirm the own offer ``offer_id``, which all others have accepted
answer_questions   answer ``count`` questions; ``events`` are their numbers
trade_goods        trading: exchange goods until no exchange helps; ``wanted`` is the number of goods
get_good           get more of ``good``, of which the seat has ``units``
answer_proposals   answer ``count`` proposals
play_phase         market: the phase ``phase``, the number ``number``
place_orders       place orders while the phase trades
decide             decide ``fields``
=================  ====================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.trading_view import TradingView
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.trading import Trading
from negoplatform.core.record.notes_and_tasks import Task, TaskStatus
from negoplatform.domain.issue_status_board import IssueStatus

PENDING, IN_PROGRESS, DONE = TaskStatus.PENDING, TaskStatus.IN_PROGRESS, TaskStatus.DONE

MakeTask = Callable[..., dict[str, Any]]
"""Maker of tasks: ``(task_id, intent, status, **metadata)``."""


def planned_tasks(ctx: AgentContext, make: MakeTask, questions: Iterable[Task]) -> list[dict[str, Any]]:
    """Return the tasks of a seat, the first one above all others.

    Args:
        ctx: The context of the seat.
        make: Makes a task.
        questions: The questions without an answer that the seat sees.
    """
    if ctx.game.mechanism == Trading.name:
        tasks = _trading_tasks(ctx, make)
    elif ctx.game.mechanism == Market.name:
        tasks = _market_tasks(ctx, make)
    else:
        tasks = _bargaining_tasks(ctx, make)
    return [*tasks, *_question_tasks(ctx, make, questions)]


def task_tree(tasks: list[dict[str, Any]]) -> list[Mapping[str, Any]]:
    """Return tasks as the structure of a plan: the first one, with all others as its subtasks."""
    first, *others = (
        {key: task[key] for key in ("task_id", "intent", "status", "metadata")} for task in tasks
    )
    return [{**first, "subtasks": others}]


def changed_tasks(ctx: AgentContext, tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the tasks that the record does not hold in this form."""
    known = {task.task_id: task.document() for task in ctx.recorded_tasks}
    return [task for task in tasks if known.get(task["task_id"]) != task]


def _bargaining_tasks(ctx: AgentContext, make: MakeTask) -> list[dict[str, Any]]:
    ending, board = ctx.ending, ctx.board
    deal = None if ending is None else ending.deal
    standings: dict[str, IssueStatus] = {}
    for issue in ctx.issues:
        bound = deal is not None and deal.get(issue.name) is not None
        standings[issue.name] = IssueStatus.AGREED if bound else board.standing(issue.name)
    agreed = sum(standing is IssueStatus.AGREED for standing in standings.values())
    begun = any(board.terms(name) for name in standings)
    whole = DONE if deal is not None else IN_PROGRESS if begun else PENDING
    tasks = [make("deal", "settle_deal", whole, agreed=agreed, issues=len(standings))]
    for name, standing in standings.items():
        open_status = IN_PROGRESS if board.terms(name) else PENDING
        status = DONE if standing is IssueStatus.AGREED else open_status
        tasks.append(make(f"issue/{name}", "settle_issue", status, issue=name, standing=standing.value))
    sender = ctx.current_offer_sender
    if sender is not None and sender != ctx.seat and ending is None and ctx.seat not in ctx.accepted_by:
        offer = {"offer_id": ctx.current_offer_id, "of": sender}
        tasks.append(make("answer-offer", "answer_offer", IN_PROGRESS, **offer))
    else:
        tasks += _finished(ctx, make, "answer-offer")
    if sender == ctx.seat and ending is None and set(ctx.accepted_by) == set(ctx.game.others(ctx.seat)):
        tasks.append(make("confirm-offer", "confirm_offer", IN_PROGRESS, offer_id=ctx.current_offer_id))
    else:
        tasks += _finished(ctx, make, "confirm-offer")
    return tasks


def _finished(ctx: AgentContext, make: MakeTask, task_id: str) -> list[dict[str, Any]]:
    """Return a task as done if the record has it, as it is there; nothing otherwise."""
    whole = make(task_id, "", DONE)["task_id"]
    known = next((task for task in ctx.recorded_tasks if task.task_id == whole), None)
    return [] if known is None else [make(task_id, known.intent, DONE, **known.metadata.to_dict())]


def _question_tasks(ctx: AgentContext, make: MakeTask, questions: Iterable[Task]) -> list[dict[str, Any]]:
    others = ctx.game.others(ctx.seat)
    waiting = [task.metadata["seq"] for task in questions if task.agent_origin in others]
    if waiting and ctx.ending is None:
        found = {"count": len(waiting), "events": waiting}
        return [make("answer-questions", "answer_questions", PENDING, **found)]
    return _finished(ctx, make, "answer-questions")


# Trading


def wanted_goods(view: TradingView) -> list[str]:
    """Return the goods of which one more unit is worth more than the last unit of another good that is held.

    So an exchange of one unit for one would help; with prices, others may help too.
    """
    given_up = {good: -view.marginal(good, -1) for good, units in view.holdings.items() if units > 0}
    found = []
    for good in view.goods:
        others = [worth for other, worth in given_up.items() if other != good]
        if others and view.marginal(good) > min(others):
            found.append(good)
    return found


def _trading_tasks(ctx: AgentContext, make: MakeTask) -> list[dict[str, Any]]:
    view = ctx.trading
    wanted = [] if ctx.ending is not None else wanted_goods(view)
    coming: dict[str, bool] = {}
    for proposal in view.proposals:
        buys = proposal.buyer is (proposal.maker == ctx.seat)
        for good, units in view.quantities_of(proposal).items():
            coming[good] = coming.get(good, False) or (buys and units > 0)
    status = DONE if not wanted else IN_PROGRESS if view.confirmed_transactions else PENDING
    tasks = [make("trade", "trade_goods", status, wanted=len(wanted))]
    for good in view.goods:
        if good in wanted:
            kind = IN_PROGRESS if coming.get(good) else PENDING
            tasks.append(make(f"good/{good}", "get_good", kind, good=good, units=view.holdings[good]))
        else:
            tasks += _finished(ctx, make, f"good/{good}")
    due = sum(view.is_waiting_for_me(proposal) for proposal in view.proposals)
    if due and ctx.ending is None:
        return [*tasks, make("answer-proposals", "answer_proposals", PENDING, count=due)]
    return [*tasks, *_finished(ctx, make, "answer-proposals")]


# Market


def _market_tasks(ctx: AgentContext, make: MakeTask) -> list[dict[str, Any]]:
    market = ctx.market
    phase, number, over = market.phase, market.phase_number, ctx.ending is not None
    name = "" if phase is None else phase.label or phase.name
    status = DONE if over else PENDING if phase is None else IN_PROGRESS
    tasks = [make("phase", "play_phase", status, phase=name, number=number)]
    if market.is_open and not over:
        tasks.append(make("orders", "place_orders", IN_PROGRESS))
    else:
        tasks += _finished(ctx, make, "orders")
    fields = [one.label or one.name for one in market.decisions]
    if fields and not over:
        tasks.append(make("decide", "decide", PENDING, fields=fields))
    else:
        tasks += _finished(ctx, make, "decide")
    return tasks
