"""Codecs of games without issues: orders in a market, and trades in pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.mechanism_actions import (
    AcceptProposal,
    CallForProposals,
    CancelOrder,
    Decide,
    DeclineProposal,
    PlaceOrder,
    Propose,
)
from negoplatform.core.mechanisms.double_auction_state import conditions_of, market_terms
from negoplatform.core.mechanisms.market import CANCEL_ORDER, DECIDE, PLACE_ORDER
from negoplatform.core.mechanisms.market_terms import DecisionField, DecisionKind
from negoplatform.core.mechanisms.trading import (
    ACCEPT_PROPOSAL,
    CALL_FOR_PROPOSALS,
    DECLINE_PROPOSAL,
    PROPOSE,
    SUBMIT_TRANSACTION,
)
from negoplatform.core.mechanisms.trading_state import Proposal, ProposalStatus
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.strategies.learned.action_codec import QUIT, WAIT, ActionCodec
from negoplatform.strategies.learned.vector_action import VectorAction

BID, ASK, CANCEL, DECIDE_HEAD = "bid", "ask", "cancel", "decide"

CALL_TO_BUY, CALL_TO_SELL = "call_to_buy", "call_to_sell"
PROPOSE_TO_BUY, PROPOSE_TO_SELL = "propose_to_buy", "propose_to_sell"
ACCEPT_IT, DECLINE_IT, SUBMIT_IT = "accept", "decline", "submit"

_ABOUT_PROPOSALS = (
    (ACCEPT_PROPOSAL, ACCEPT_IT),
    (SUBMIT_TRANSACTION, SUBMIT_IT),
    (DECLINE_PROPOSAL, DECLINE_IT),
)
"""Acts about a proposal, with their heads."""

MOST_ORDERED_UNITS = 5
"""Most units of an order."""

MOST_PROPOSED_UNITS = 3
"""Most units of each good in a proposal."""

USUAL_MONEY = 100.0
"""Largest amount of a proposal, in the game's money, of a seat that begins without money."""


class OrderCodec(ActionCodec):
    """Orders in a market, and the decisions that its phases ask for.

    Choices after the head: the book, by condition and then by good, where there are several; the units of an
    order, from 1 to 5; then, for each field that a phase asks the seat, one choice for a value out of some,
    or one for each value of which any may be chosen. Continuous values: the price, from the lowest, 0, to the
    highest, 1, rounded to the step between prices; then each field that is a number, from its least to its
    greatest.

    The head ``cancel`` takes the oldest order in the book away. Where a seat has as many orders as it may
    have, ``bid`` and ``ask`` take the oldest one away first.
    """

    name: ClassVar[str] = "order"
    mechanism: ClassVar[str] = "market"
    heads = (WAIT, BID, ASK, CANCEL, DECIDE_HEAD, QUIT)

    def __init__(self, game: GameSpec, seat: Seat) -> None:
        super().__init__(game, seat)
        terms = market_terms(game)
        self._books = len(economy_of(game).goods) * len(conditions_of(game))
        asked = [phase for phase in terms.all_phases if not phase.by or seat in phase.by]
        self.fields = {(phase.name, field.name): field for phase in asked for field in phase.decide}
        """Fields that the phases ask the seat, by the names of phase and field."""
        categories = [self._books] if self._books > 1 else []
        categories.append(MOST_ORDERED_UNITS)
        for field in self.fields.values():
            categories += _categories(field)
        numbers = [field for field in self.fields.values() if field.kind is DecisionKind.NUMBER]
        self.set_dimensions(continuous=1 + len(numbers), categories=categories)

    def open_heads(self, ctx: AgentContext) -> frozenset[str]:
        """Return the heads that are open in this phase, with these orders."""
        legal, found = ctx.legal, set[str]()
        if CANCEL_ORDER in legal:
            found.add(CANCEL)
        # One more order than the seat may have replaces another one.
        if PLACE_ORDER in legal or (CANCEL in found and ctx.market.is_open):
            found |= {BID, ASK}
        if DECIDE in legal:
            found.add(DECIDE_HEAD)
        return super().open_heads(ctx) | found

    def act(self, head: str, action: VectorAction, ctx: AgentContext) -> list[Action]:
        """Return an order, a cancellation or a decision; nothing where there is none to make."""
        if head == DECIDE_HEAD:
            return self._decision(action, ctx)
        choices = iter(action.d[1:])
        book = ctx.market.books[next(choices) if self._books > 1 else 0]
        if head == CANCEL:
            return [CancelOrder(order.order_id) for order in book.own_orders[:1]]
        market, terms = ctx.market, market_terms(self.game)
        price = market.round_price(market.lowest + action.c[0] * (market.highest - market.lowest))
        own = sorted(order.order_id for each in market.books for order in each.own_orders)
        too_many = own[: max(0, len(own) - terms.orders_per_seat + 1)]
        order = PlaceOrder(head, price, next(choices) + 1, good=book.good, condition=book.condition or None)
        return [*map(CancelOrder, too_many), order]

    def _decision(self, action: VectorAction, ctx: AgentContext) -> list[Action]:
        asked = {field.name for field in ctx.market.decisions}
        phase = ctx.market.phase
        if phase is None or not asked:
            return []
        numbers, choices = iter(action.c[1:]), iter(action.d[2 if self._books > 1 else 1 :][1:])
        values: dict[str, Any] = {}
        for (phase_name, name), field in self.fields.items():
            value = _value(field, numbers, choices)
            if phase_name == phase.name and name in asked:
                values[name] = value
        return [Decide(values)]


def _categories(field: DecisionField) -> list[int]:
    if field.kind is DecisionKind.NUMBER:
        return []
    return [len(field.values)] if field.kind is DecisionKind.ONE_OF else [2] * len(field.values)


def _value(field: DecisionField, numbers: Iterator[float], choices: Iterator[int]) -> Any:
    """Return the value of a field, and use up its numbers or choices."""
    match field.kind:
        case DecisionKind.NUMBER:
            steps = round(next(numbers) * (field.high - field.low) / field.step)
            return min(field.low + steps * field.step, field.high)
        case DecisionKind.ONE_OF:
            return field.values[next(choices)]
        case DecisionKind.SOME_OF:
            chosen = [value for value in field.values if next(choices)]
            return chosen[: field.most or None]


class TradeCodec(ActionCodec):
    """Dialogues and transactions of a trading game.

    Choices after the head: the other seat, in the game's order, where there are several; then the units of
    each good in a proposal, from 0 to 3; a proposal of no units is not made. The continuous value is the
    amount of a proposal, as a share of the money that the seat began with, or of 100 if it began with none.

    ``accept`` accepts the oldest proposal of the other seat that waits for this one, or confirms that its own
    was accepted; ``decline`` refuses or withdraws the oldest open proposal between the two; ``submit``
    requests the transaction of the oldest agreed one.
    """

    name: ClassVar[str] = "trade"
    mechanism: ClassVar[str] = "trading"
    heads = (
        WAIT,
        CALL_TO_BUY,
        CALL_TO_SELL,
        PROPOSE_TO_BUY,
        PROPOSE_TO_SELL,
        ACCEPT_IT,
        DECLINE_IT,
        SUBMIT_IT,
        QUIT,
    )

    def __init__(self, game: GameSpec, seat: Seat) -> None:
        super().__init__(game, seat)
        self.others = game.others(seat)
        """The other seats, by the numbers of their category."""
        self.goods = economy_of(game).good_names
        """Names of the goods, in the order of their choices."""
        seats = [len(self.others)] if len(self.others) > 1 else []
        self.set_dimensions(continuous=1, categories=[*seats, *[MOST_PROPOSED_UNITS + 1] * len(self.goods)])

    def open_heads(self, ctx: AgentContext) -> frozenset[str]:
        """Return the heads that are open now; those about proposals if there is one."""
        legal, found = ctx.legal, set[str]()
        if CALL_FOR_PROPOSALS in legal:
            found |= {CALL_TO_BUY, CALL_TO_SELL}
        if PROPOSE in legal:
            found |= {PROPOSE_TO_BUY, PROPOSE_TO_SELL}
        for act, head in _ABOUT_PROPOSALS:
            if act in legal and any(_suits(proposal, head, ctx) for proposal in ctx.trading.proposals):
                found.add(head)
        return super().open_heads(ctx) | found

    def act(self, head: str, action: VectorAction, ctx: AgentContext) -> list[Action]:
        """Return a call, a proposal, or an act about a proposal; nothing where there is none."""
        choices = list(action.d[1:])
        other = self.others[choices.pop(0) if len(self.others) > 1 else 0]
        if head in (CALL_TO_BUY, CALL_TO_SELL):
            return [CallForProposals(other, buyer=head == CALL_TO_BUY)]
        if head in (PROPOSE_TO_BUY, PROPOSE_TO_SELL):
            money = ctx.trading.game_data.money or USUAL_MONEY
            amount = ctx.trading.round_amount(action.c[0] * money)
            units = dict(zip(self.goods, choices, strict=True))
            # A proposal of no units cannot be made, so this one means nothing.
            return [Propose(other, head == PROPOSE_TO_BUY, amount, units)] if any(choices) else []
        for proposal in ctx.trading.proposals:
            if other == proposal.other(self.seat) and _suits(proposal, head, ctx):
                return [_about(head, proposal, ctx)]
        return []


def _suits(proposal: Proposal, head: str, ctx: AgentContext) -> bool:
    """Return whether a head can be about a proposal."""
    if head == ACCEPT_IT:
        return ctx.trading.is_waiting_for_me(proposal)
    if head == SUBMIT_IT:
        agreed = proposal.status is ProposalStatus.MATCHED
        return agreed and not ctx.trading.has_requested(proposal)
    return True


def _about(head: str, proposal: Proposal, ctx: AgentContext) -> Action:
    """Return the act of a head about a proposal."""
    if head == ACCEPT_IT:
        return AcceptProposal(proposal.proposal_id)
    if head == SUBMIT_IT:
        return ctx.trading.submit(proposal)
    return DeclineProposal(proposal.proposal_id)
