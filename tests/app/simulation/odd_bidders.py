"""Bidders for the fast path that use their context, their turns and their results in unusual ways."""

from __future__ import annotations

from typing import ClassVar

from negoplatform.agent_api import (
    EMPTY_OFFER,
    Action,
    AgentContext,
    Bidder,
    Event,
    FormalQuit,
    IndexedOutcomes,
    IndexStrategy,
    MessageSubtype,
    Offer,
    Points,
    Seat,
    SendMessage,
    SendOffer,
)


class Plain(Bidder):
    """Bidder at random from a demand that sinks with the number of its bids."""

    steps = 12

    def reset(self) -> None:
        super().reset()
        self.made = 0

    def least(self, ctx: AgentContext) -> Points:
        span = self.bids.highest - self.bids.lowest
        return self.bids.highest - span * min(1.0, self.made / self.steps)

    def next_bid(self, ctx: AgentContext, answered: Offer) -> Offer | None:
        self.made += 1
        return self.bids.any_from(self.least(ctx), ctx.rng)


class FaultyByIndex(Plain):
    """Bidder whose index strategy raises in its first game."""

    def index_strategy(self, outcomes: IndexedOutcomes) -> IndexStrategy:
        return IndexedFault(outcomes)


class IndexedFault(IndexStrategy):
    """Decisions that cannot be made."""

    def least(self, now: float, made: int) -> Points:
        raise ValueError("a fault of the strategy")

    def next_bid(self, now: float, made: int) -> int | None:
        raise ValueError("a fault of the strategy")


class Overriding(FaultyByIndex):
    """Bidder with another demand than the class that has the index strategy."""

    def least(self, ctx: AgentContext) -> Points:
        return super().least(ctx) - 1


class Listening(Plain):
    """Bidder that listens."""

    def hear(self, ctx: AgentContext, sender: Seat, offer: Offer) -> None:
        self.steps = 4


class Mixed(FaultyByIndex, Listening):
    """Bidder with a method that stands between the class with the index strategy and its base class."""


class Partial(Plain):
    """Bidder with partial offers among its bids."""

    steps = 8

    def next_bid(self, ctx: AgentContext, answered: Offer) -> Offer | None:
        whole = super().next_bid(ctx, answered)
        if whole is None:
            return None
        return Offer(whole.terms[: 1 + self.made % len(whole.terms)])


class Inspector(Plain):
    """Bidder that reads everything that the fast path has, and bids by it."""

    def hear(self, ctx: AgentContext, sender: Seat, offer: Offer) -> None:
        last = ctx.get_last_offer(sender)
        assert last is not None
        assert last["offer"] == offer == ctx.current_offer
        assert ctx.current_offer_id == last["offer_id"]
        assert last["sender"] == sender
        self.seen = (
            *(ctx.elapsed_time, ctx.elapsed_seconds, ctx.remaining_time, ctx.remaining_seconds, ctx.turn),
            *(ctx.may_move(), ctx.can_formally_accept(), ctx.own_offer_id, ctx.time_cost, ctx.accepted_by),
            *(ctx.get_agent_utility_percent(), ctx.get_agent_utility(offer), ctx.utility(EMPTY_OFFER)),
            *(ctx.briefing, ctx.round.number, [issue.name for issue in ctx.issues], ctx.seats),
            *(ctx.progress, ctx.remaining_offers, sorted(ctx.game.preferences)),
            *(ctx.game.visibility, ctx.get_last_offer(), last),
        )

    def least(self, ctx: AgentContext) -> Points:
        digest = sum(map(ord, repr(getattr(self, "seen", ""))))
        return super().least(ctx) - digest % 3


class Historian(Plain):
    """Bidder that asks for the history of offers, which the fast path does not have."""

    def hear(self, ctx: AgentContext, sender: Seat, offer: Offer) -> None:
        if self.distinct_offers(sender) == 3:
            self.steps = 5 + len(ctx.get_offer_history())


class Swallower(Historian):
    """Bidder that asks for more than the fast path has, and goes on whatever comes of it."""

    def hear(self, ctx: AgentContext, sender: Seat, offer: Offer) -> None:
        try:
            super().hear(ctx, sender, offer)
        except BaseException:  # noqa: BLE001 - the point of it
            self.steps = 3


class Raiser(Plain):
    """Bidder that raises in many of its bids."""

    def next_bid(self, ctx: AgentContext, answered: Offer) -> Offer | None:
        if ctx.rng.random() < 0.6:
            raise ValueError("no idea")
        return super().next_bid(ctx, answered)


class LateRaiser(Plain):
    """Bidder that raises after the end."""

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action]:
        raise ValueError("it cannot be over")


class Nonsense(Plain):
    """Bidder with returned values that are no points and no offers."""

    def least(self, ctx: AgentContext) -> Points:
        return "much" if ctx.rng.random() < 0.1 else super().least(ctx)  # type: ignore[return-value]

    def next_bid(self, ctx: AgentContext, answered: Offer) -> Offer | None:
        drawn = ctx.rng.random()
        if drawn < 0.1:
            return EMPTY_OFFER
        if drawn < 0.2:
            return Offer({"no_such_issue": "value"})
        return 7 if drawn > 0.9 else super().next_bid(ctx, answered)  # type: ignore[return-value]


class Reticent(Plain):
    """Bidder that makes no bid now and then."""

    def next_bid(self, ctx: AgentContext, answered: Offer) -> Offer | None:
        return None if ctx.rng.random() < 0.4 else super().next_bid(ctx, answered)


class Insistent(Plain):
    """Bidder that bids again in a silence."""

    def bids_again(self, ctx: AgentContext) -> bool:
        return ctx.rng.random() < 0.7


class SilenceBreaker(Plain):
    """Bidder with its own choice of a bid in a silence, whatever ``bids_again`` says."""

    def bid_in_silence(self, ctx: AgentContext) -> Offer | None:
        return self.next_bid(ctx, EMPTY_OFFER) if ctx.rng.random() < 0.5 else None


class DisguisedSilenceBreaker(Plain):
    """Bidder whose choice of a bid in a silence is replaced in the agent itself."""

    def reset(self) -> None:
        super().reset()
        self.bid_in_silence = lambda ctx: self.next_bid(ctx, EMPTY_OFFER)  # type: ignore[method-assign]


class ClockWatcher(Plain):
    """Bidder with a handler for ticks, which offers out of turn and walks away."""

    def on_time(self, ctx: AgentContext, event: Event) -> list[Action]:
        if ctx.elapsed_time > 15:
            return [FormalQuit(delay_ms=300)]
        bid = self.next_bid(ctx, EMPTY_OFFER) if ctx.rng.random() < 0.3 else None
        return [] if bid is None else [SendOffer(bid, delay_ms=200, flushable=True)]


class DoubleOpener(Plain):
    """Bidder that opens with two offers and a message."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        opening = super().on_game_start(ctx, event)
        word = SendMessage("And this?", MessageSubtype.GENERIC, delay_ms=400)
        return [*opening, word, SendOffer(self.bids.best(), delay_ms=700)]


class Answering(Plain):
    """Bidder with a handler of its own that the engine does not call."""

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [*super().on_send_offer(ctx, event)][:1]


class Disguised(Plain):
    """Bidder with a method that is replaced in the agent itself."""

    def reset(self) -> None:
        super().reset()
        self.on_send_offer = lambda ctx, event: [FormalQuit()]  # type: ignore[method-assign]


class Keeper(Plain):
    """Bidder that keeps every context and bids by an old one."""

    kept: ClassVar[list[AgentContext]] = []

    def reset(self) -> None:
        super().reset()
        self.contexts: list[AgentContext] = []

    def least(self, ctx: AgentContext) -> Points:
        self.contexts.append(ctx)
        first = self.contexts[len(self.contexts) // 2]
        return super().least(ctx) - first.elapsed_time % 5 - len(first.current_offer)
