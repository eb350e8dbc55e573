"""Base classes of agents in trading and market games."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action, Schedule
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.mechanism_actions import SubmitTransaction
from negoplatform.core.events import Event
from negoplatform.core.mechanisms.trading_state import Proposal

SUBMIT_WITHIN_SECONDS = 10.0
"""Session time (s) within which a request that an agent has decided to submit is there, or was refused."""


class TradingAgent(NegotiationAgent):
    """Agent that plays trading games.

    Override the handlers that you need; ``event.payload`` has what another seat has done, ``event.data`` what
    the platform says, and ``ctx.trading`` this seat's own goods, money and dialogues.
    """

    mechanisms: tuple[str, ...] = ("trading",)

    _submitting: tuple[int | None, float] = (None, 0.0)
    """The proposal whose transaction was submitted last, and the session time of that decision."""

    def reset(self) -> None:
        """Prepare for a new game; a subclass that overrides it calls this one."""
        super().reset()
        self._submitting = (None, 0.0)

    def submit(self, ctx: AgentContext, proposal: Proposal) -> SubmitTransaction:
        """Return the action that requests the transaction of a proposal, which :meth:`is_busy` knows of.

        An agent acts a moment after it has decided. Until then ``ctx.trading.pending`` is empty, and an agent
        that asks only there can agree to give its last unit to two seats.
        """
        self._submitting = (proposal.proposal_id, ctx.elapsed_time)
        return ctx.trading.submit(proposal)

    def is_busy(self, ctx: AgentContext) -> bool:
        """Return whether a transaction of this seat waits for the other side, or is about to be submitted."""
        number, decided_at = self._submitting
        is_open = number is not None and ctx.trading.proposal(number) is not None
        is_decided = is_open and ctx.elapsed_time - decided_at < SUBMIT_WITHIN_SECONDS
        return bool(ctx.trading.pending) or is_decided

    def on_game_data(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle the data of the game: money, endowment, parameters; see ``ctx.trading.game_data``."""
        return []

    def on_call_for_proposals(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle another seat's call for proposals: ``event.payload.buyer`` and ``event.payload.goods``."""
        return []

    def on_propose(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle another seat's proposal: ``ctx.trading.proposal(event.seq)``."""
        return []

    def on_accept_proposal(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle that another seat has accepted this one's proposal, or confirmed its own."""
        return []

    def on_decline_proposal(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle that another seat has declined this one's proposal, or withdrawn its own."""
        return []

    def on_transaction_confirmation(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle a settled transaction of this seat: ``event.data``."""
        return []

    def on_transaction_error(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle a transaction that was not settled: ``event.data["error_code"]`` and ``["reason"]``."""
        return []

    def on_trade_reported(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle a trade of any seats, where the game shows all trades."""
        return []


class MarketAgent(NegotiationAgent):
    """Agent that plays market games.

    Override :meth:`on_turn`, which is called again and again while the market is open, or the handlers that
    you need; ``ctx.market`` has the books and this seat's own account and orders.
    """

    mechanisms: tuple[str, ...] = ("market",)

    every_seconds: tuple[float, float] | None = (1.0, 3.0)
    """Least and greatest time (s) between two calls of :meth:`on_turn`, drawn each time; None: no calls."""

    def on_turn(self, ctx: AgentContext) -> list[Action] | None:
        """Act, while the market is open: return orders, cancellations or nothing."""
        return []

    def on_decide(self, ctx: AgentContext) -> list[Action] | None:
        """Decide what the phase asks: ``ctx.market.decisions`` has the fields."""
        return []

    def on_phase_transition(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle the beginning of a phase: take turns while it trades, and decide where it asks.

        A subclass that overrides it calls this one.
        """
        if ctx.market.decisions:
            return self.on_decide(ctx)
        return self._next_turn(ctx) if ctx.market.is_open else []

    def _next_turn(self, ctx: AgentContext) -> list[Action]:
        if self.every_seconds is None:
            return []
        phase = ctx.market.phase_number
        delay_ms = 1000 * ctx.rng.uniform(*self.every_seconds)

        def take_turn(later: AgentContext) -> list[Action]:
            if later.market.phase_number != phase or not later.market.is_open:
                return []
            return [*(self.on_turn(later) or []), *self._next_turn(later)]

        return [Schedule(delay_ms, take_turn)]

    def on_add_order(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle an order that is now in a book: ``event.data["order"]``; this seat's own too."""
        return []

    def on_update_order(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle that a part of an order was filled."""
        return []

    def on_delete_order(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle that an order is no longer in its book: filled, cancelled, or out of time."""
        return []

    def on_contract_fulfilled(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle a trade of any seats: ``event.data`` has ``price``, ``quantity``, ``from`` and ``to``."""
        return []

    def on_asset_movement(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle a change of this seat's own account: ``balance`` and ``shares``."""
        return []

    def on_period_result(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle what this seat has gained in a trading period that has ended."""
        return []

    def on_decisions_made(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle that all decisions of a phase are made."""
        return []

    def on_condition_realised(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle that it is known which condition holds."""
        return []


EMPTY_HANDLERS = frozenset(
    handler
    for base in (NegotiationAgent, TradingAgent, MarketAgent)
    for name, handler in vars(base).items()
    if name.startswith("on_") and name != "on_phase_transition"
)
"""Handlers of the base classes, which do nothing; of a market's only that of a new phase does something."""
