"""Traders of the trading agent competition of Fetch.ai: a baseline, and one that talks.

The baseline of the competition (github.com/fetchai/agents-tac) buys and sells single units at the marginal
utility, and learns from acceptances which prices others take; this one follows the same idea.
"""

from pydantic import BaseModel, Field

from negoplatform.agent_api import (
    AcceptProposal,
    DeclineProposal,
    MessageSubtype,
    Propose,
    Schedule,
    SendMessage,
    TradingAgent,
)

__all__ = ["TacBaseline", "TalkingTrader"]

MARKUPS = (0.02, 0.1, 0.25, 0.5, 0.8)
"""Shares of the difference between its own marginal worth and its guess of the other's that it asks for."""

AGAIN_AFTER = 60
"""Seconds after which it asks a seat again for a trade that the seat has declined."""


class TacSettings(BaseModel):
    seconds_between_proposals: float = Field(
        6.0, ge=0.5, le=600, title="Time between two proposals", description="In seconds, more or less."
    )
    patience_seconds: float = Field(
        40.0,
        ge=1,
        le=600,
        title="Time for an answer",
        description="In seconds; then it withdraws a proposal.",
    )


class TacBaseline(TradingAgent):
    """Buys and sells single units near its marginal worth, and learns which prices the others accept.

    It takes every proposal that raises its score, and waits for one transaction at a time, so that what it
    agrees to is not worth less by the time it is settled.
    """

    Settings = TacSettings

    def configure(self, config):
        super().configure(config)
        self.pause = self.settings.seconds_between_proposals
        self.patience = self.settings.patience_seconds

    def reset(self):
        super().reset()
        # Successes and failures by good, role and markup, each one more than counted: a Beta distribution.
        self.counts = {}
        # What it has asked each seat: good, role, markup and the time.
        self.asked = {}
        # When each seat has declined or left unanswered: seat, good and role, with the price and the time.
        self.refused = {}
        # When each proposal that was accepted was first seen to wait for nobody.
        self.stale = {}

    def get_name(self):
        return self.get_config("name", "Sasha")

    def on_game_start(self, ctx, event):
        return [self.next_turn(ctx)]

    def next_turn(self, ctx):
        return Schedule(1000 * self.pause * ctx.rng.uniform(0.5, 1.5), self.take_turn)

    def take_turn(self, ctx):
        return [*self.withdraw_old(ctx), *self.propose(ctx), self.next_turn(ctx)]

    # Its own proposals

    def withdraw_old(self, ctx):
        """Withdraw the proposals that were not answered in time, and end those that were never settled."""
        found = []
        for proposal in ctx.trading.proposals:
            asked = self.asked.get(proposal.recipient)
            waits = proposal.maker == ctx.seat and proposal.status == "open"
            if waits and asked and ctx.elapsed_time - asked[3] > self.patience:
                self.learn(ctx, proposal.recipient, accepted=False)
                found.append(DeclineProposal(proposal.proposal_id))
            elif proposal.status != "open" and not ctx.trading.has_requested(proposal):
                since = self.stale.setdefault(proposal.proposal_id, ctx.elapsed_time)
                if ctx.elapsed_time - since > self.patience:
                    found.append(DeclineProposal(proposal.proposal_id))
        return found

    def propose(self, ctx):
        """Propose to buy or to sell one unit, to a seat drawn by chance."""
        busy = {proposal.other(ctx.seat) for proposal in ctx.trading.proposals}
        free = [seat for seat in ctx.trading.others if seat not in busy]
        return self.propose_to(ctx, ctx.rng.choice(free), ctx.trading.goods) if free else []

    def propose_to(self, ctx, seat, goods, *, buyer=None, answers=None):
        """Propose one unit of one of some goods to a seat.

        Args:
            ctx: The context.
            seat: The seat.
            goods: The names of the goods.
            buyer: Whether to buy; None: either.
            answers: The id of the call for proposals that this answers; None: of none.
        """
        ideas = [
            idea
            for good in goods
            for idea in self.ideas(ctx, good)
            if buyer in (None, idea[0]) and not self.was_refused(ctx, seat, idea)
        ]
        if not ideas or self.is_busy(ctx):
            return []
        buys, good, markup, amount = ctx.rng.choice(ideas)
        self.asked[seat] = (good, buys, markup, ctx.elapsed_time, amount)
        return self.say_proposal(ctx, Propose(seat, buys, amount, {good: 1}, answers))

    def ideas(self, ctx, good):
        """Return the trades of one unit of a good that raise the score: buyer, good, markup and amount."""
        trading = ctx.trading
        found = []
        for buyer in (True, False):
            if not buyer and trading.holdings[good] < 1:
                continue
            worth = abs(trading.marginal(good, 1 if buyer else -1))
            markup = self.best_markup(ctx, good, buyer)
            if buyer:
                amount = (worth - trading.fee_share[0]) * (1 - markup)
            else:
                amount = (worth + trading.fee_share[1]) * (1 + markup)
                if amount > trading.game_data.money:
                    continue  # the last unit can be beyond price, and the others began with about as much
            amount = trading.round_amount(max(0.0, amount))
            terms = {"buyer": buyer, "amount": amount, "quantities": {good: 1}}
            if trading.can_trade(**terms) and trading.score_after(**terms) > trading.score():
                found.append((buyer, good, markup, amount))
        return found

    def was_refused(self, ctx, seat, idea):
        """Return whether a seat has declined the same trade, at no worse a price, a short time ago."""
        buyer, good, _markup, amount = idea
        price, t = self.refused.get((seat, good, buyer), (0, None))
        if t is None or ctx.elapsed_time - t > AGAIN_AFTER:
            return False
        return amount <= price if buyer else amount >= price

    def best_markup(self, ctx, good, buyer):
        """Return the markup with the best product of itself and a drawn acceptance rate (Thompson 1933)."""
        drawn = [
            (markup * ctx.rng.betavariate(*self.counts.get((good, buyer, markup), (1, 1))), markup)
            for markup in MARKUPS
        ]
        return max(drawn)[1]

    def say_proposal(self, ctx, proposal):
        """Return the actions that propose a trade of one unit."""
        return [proposal]

    def learn(self, ctx, seat, *, accepted):
        """Count what a seat has answered to the last proposal."""
        asked = self.asked.pop(seat, None)
        if asked:
            good, buyer, _markup, _t, amount = asked
            if not accepted:
                self.refused[seat, good, buyer] = (amount, ctx.elapsed_time)
            successes, failures = self.counts.get(asked[:3], (1, 1))
            self.counts[asked[:3]] = (successes + accepted, failures + (not accepted))

    # Answers

    def on_call_for_proposals(self, ctx, event):
        call = event.payload
        goods = call.goods or ctx.trading.goods
        return self.propose_to(ctx, event.sender, goods, buyer=not call.buyer, answers=event.seq)

    def on_send_message(self, ctx, event):
        """Make the offer that another seat asks for, of the kind that the words name."""
        if event.payload.subtype is not MessageSubtype.OFFER_REQUEST_POS or event.sender in self.asked:
            return []
        words = event.get_text().lower()
        named = [kind for kind in ("buy", "sell") if kind in words]
        buyer = named == ["buy"] if len(named) == 1 else None
        return self.propose_to(ctx, event.sender, ctx.trading.goods, buyer=buyer)

    def on_propose(self, ctx, event):
        proposal = ctx.trading.proposal(event.seq)
        if proposal is None:
            return []
        if self.wants(ctx, proposal):
            return [AcceptProposal(proposal.proposal_id), self.submit(ctx, proposal)]
        return self.say_no(ctx, proposal)

    def say_no(self, ctx, proposal):
        """Return the actions that decline a proposal."""
        return [DeclineProposal(proposal.proposal_id)]

    def on_accept_proposal(self, ctx, event):
        proposal = ctx.trading.proposal(event.payload.proposal_id)
        if proposal is None or ctx.trading.has_requested(proposal):
            return []  # it has been settled, or the other side's request is all that is missing
        is_own = proposal.maker == ctx.seat
        if is_own:
            self.learn(ctx, event.sender, accepted=True)
        if not self.wants(ctx, proposal):
            return [DeclineProposal(proposal.proposal_id)]
        # Of another's proposal that is confirmed late, its own request has expired.
        confirmed = [AcceptProposal(proposal.proposal_id)] if is_own else []
        return [*confirmed, self.submit(ctx, proposal)]

    def on_decline_proposal(self, ctx, event):
        self.learn(ctx, event.sender, accepted=False)
        return []

    def wants(self, ctx, proposal):
        """Return whether a proposal raises the score, and nothing else is about to change it."""
        trading = ctx.trading
        return trading.can_do(proposal) and not self.is_busy(ctx) and trading.gain(proposal) > 0


class TalkingTrader(TacBaseline):
    """The baseline in words: it says what it looks for, why it asks and why it declines, in English."""

    def reset(self):
        super().reset()
        # The trades that it has spoken of: seat, good and role; and when it last asked for a proposal.
        self.spoken_of = set()
        self.reminded = {}

    def get_name(self):
        return self.get_config("name", "Noor")

    def on_game_start(self, ctx, event):
        hello = "Hello everyone!" if len(ctx.trading.others) > 1 else "Hello!"
        words = f"{hello} Let us see what each of us can use."
        greeting = SendMessage(words, MessageSubtype.GREETING)
        return [*self.say(ctx, greeting), *super().on_game_start(ctx, event)]

    def say_proposal(self, ctx, proposal):
        (good,) = proposal.quantities
        title = ctx.trading.game_data.good_pbk_to_name[good]
        currency = ctx.game.economy.currency
        price = currency.format(currency.from_number(proposal.amount))
        trade = (proposal.to, good, proposal.buyer)
        if trade in self.spoken_of:
            words = f"What about {price} for one unit of {title}?"
        elif not proposal.buyer:
            words = f"I could spare one unit of {title}. Would you like it for {price}?"
        elif ctx.trading.holdings[good]:
            words = f"I could use one more unit of {title}. Would you sell me one for {price}?"
        else:
            words = f"I’ve got no {title} at all. Would you sell me one unit for {price}?"
        self.spoken_of.add(trade)
        return [
            *self.say(ctx, SendMessage(words, MessageSubtype.OFFER_PROPOSE, to=(proposal.to,))),
            *super().say_proposal(ctx, proposal),
        ]

    def on_send_message(self, ctx, event):
        """Make the offer that another seat asks for; of a price in words, ask for a proposal."""
        offered = super().on_send_message(ctx, event)
        is_to_me = event.to == (ctx.seat,) or len(ctx.trading.others) == 1
        is_typed = event.payload.subtype is MessageSubtype.GENERIC  # the words of a proposal are no offer
        says_price = is_typed and any(sign.isdigit() for sign in event.get_text())
        last = self.reminded.get(event.sender)
        is_new = last is None or ctx.elapsed_time - last >= AGAIN_AFTER
        if offered or not (is_to_me and says_price and is_new):
            return offered
        self.reminded[event.sender] = ctx.elapsed_time
        words = "Please propose that on your ticket, then I can answer."
        return self.say(ctx, SendMessage(words, MessageSubtype.CLARIFICATION, to=(event.sender,)))

    def say_no(self, ctx, proposal):
        maker = proposal.maker
        if self.is_busy(ctx):
            words = "I’m waiting for another trade to be confirmed. Please ask me again in a moment."
        elif proposal.buying_seat == ctx.seat:
            words = "That’s more than it’s worth to me."
        else:
            words = "For that price I’d rather keep it."
        return [
            *self.say(ctx, SendMessage(words, MessageSubtype.OFFER_REJECT, to=(maker,))),
            *super().say_no(ctx, proposal),
        ]

    def on_transaction_confirmation(self, ctx, event):
        other = event.data["seller"] if event.data["buyer"] == ctx.seat else event.data["buyer"]
        return self.say(
            ctx, SendMessage("Thank you, that suits us both.", MessageSubtype.THANKS, to=(other,))
        )

    @staticmethod
    def say(ctx, message):
        """Return the message, or nothing in a game without talk."""
        return [message] if ctx.game.rules.talk else []
