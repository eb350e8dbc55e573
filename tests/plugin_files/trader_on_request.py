"""Trader that does what the participant's messages say, and else accepts and confirms everything."""

from negoplatform.agent_api import (
    AcceptProposal,
    CallForProposals,
    DeclineProposal,
    Propose,
    SendMessage,
    TradingAgent,
)


class TraderOnRequest(TradingAgent):
    """Understands ``sell GOOD AMOUNT``, ``buy GOOD AMOUNT``, ``ask GOOD``, ``withdraw``, ``wait``, and ``Would …``."""

    confirms = True

    def on_send_message(self, ctx, event):
        word, *rest = event.get_text().split()
        other = event.sender
        if word == "Would":
            answer = SendMessage("I have three bales left. One of them is yours for €25.50.")
            return [answer, Propose(other, False, 25.5, {"good_1": 1})]
        if word in ("sell", "buy"):
            return [Propose(other, word == "buy", float(rest[1]), {rest[0]: 1})]
        if word == "ask":
            return [CallForProposals(other, True, (rest[0],))]
        if word == "withdraw":
            mine = [proposal for proposal in ctx.trading.proposals if proposal.maker == ctx.seat]
            return [DeclineProposal(mine[-1].proposal_id, delay_ms=2500)]
        if word == "wait":
            self.confirms = False
        return []

    def on_propose(self, ctx, event):
        return self.confirm(ctx, ctx.trading.proposal(event.seq))

    def on_accept_proposal(self, ctx, event):
        proposal = ctx.trading.proposal(event.payload.proposal_id)
        return self.confirm(ctx, proposal) if proposal and proposal.maker == ctx.seat else []

    def confirm(self, ctx, proposal):
        if proposal is None:
            return []
        accept = [AcceptProposal(proposal.proposal_id)]
        return [*accept, ctx.trading.submit(proposal)] if self.confirms else accept
