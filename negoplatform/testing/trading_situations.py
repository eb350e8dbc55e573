"""Fixed situations of the agent check in trading, and the harness in which the other seats trade."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from negoplatform.agent_api.trading_view import TradingView
from negoplatform.core.events import Event, MessageSubtype
from negoplatform.core.mechanisms.trading_state import Proposal, ProposalStatus, transaction_id_of
from negoplatform.domain.errors import Refused
from negoplatform.domain.seat_map import Seat
from negoplatform.testing.check_harness import CheckHarness, CheckSituation

CHAT = (
    MessageSubtype.GREETING,
    MessageSubtype.GENERIC,
    MessageSubtype.OFFER_REQUEST_POS,
    MessageSubtype.OFFER_REJECT,
    MessageSubtype.THANKS,
    MessageSubtype.FAREWELL,
)


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a transaction of one unit, as the other seat proposes them.

    Args:
        buyer: Whether the other seat would be the buyer.
        good: The good.
        amount: The price, in the game's money.
    """

    buyer: bool
    good: str
    amount: int | float


class TradingHarness(CheckHarness):
    """Table of a situation in trading."""

    def trading(self, seat: Seat | None = None) -> TradingView:
        """Return the trading side of a seat; of the agent's unless given."""
        return self.table.context(self.seat if seat is None else seat).trading

    def good_terms(self, other: Seat) -> Iterator[Terms]:
        """Yield terms with another seat that raise the agent's score and that both can do."""
        yield from self._terms(other, good=True)

    def bad_terms(self, other: Seat) -> Iterator[Terms]:
        """Yield terms with another seat that lower the agent's score and that both can do."""
        yield from self._terms(other, good=False)

    def _terms(self, other: Seat, *, good: bool) -> Iterator[Terms]:
        mine, theirs = self.trading(), self.trading(other)
        for name in mine.goods:
            for other_buys in (False, True):
                units = -1 if other_buys else 1
                if mine.holdings[name] + units < 0:
                    continue
                worth = abs(mine.marginal(name, units))
                share = (3.0 if other_buys else 0.2) if good else (0.0 if other_buys else 3.0)
                for factor in (share, (1 + share) / 2):
                    amount = mine.round_amount(
                        min(worth * factor, theirs.money if other_buys else mine.money)
                    )
                    units_of_it = {name: 1}
                    after = mine.score_after(buyer=not other_buys, amount=amount, quantities=units_of_it)
                    able = all(
                        side.can_trade(buyer=buys, amount=amount, quantities=units_of_it)
                        for side, buys in ((mine, not other_buys), (theirs, other_buys))
                    )
                    if able and (after > mine.score()) is good:
                        yield Terms(other_buys, name, amount)
                        break

    # Actions of the others

    def proposes(self, other: Seat, terms: Terms | None, answers: int | None = None) -> Event | None:
        """Propose terms to the agent; return the event."""
        if terms is not None and self.running:
            with suppress(Refused):
                return self.table.participant(other).proposes(
                    self.seat,
                    buyer=terms.buyer,
                    amount=terms.amount,
                    quantities={terms.good: 1},
                    answers=answers,
                )
        return None

    def accepts(self, proposal: Proposal | Event, other: Seat) -> None:
        """Accept a proposal of the agent, or confirm one's own, as far as that is possible."""
        number = proposal.seq if isinstance(proposal, Event) else proposal.proposal_id
        with suppress(Refused):
            self.table.participant(other).accepts_proposal(number)

    def submits(self, proposal: Proposal | Event, other: Seat, amount: float | None = None) -> None:
        """Submit the transaction of a proposal, with another price if one is given."""
        number = proposal.seq if isinstance(proposal, Event) else proposal.proposal_id
        with suppress(Refused):
            self.table.participant(other).submits(number, amount=amount)

    def next_proposal(self, seconds: float) -> Proposal | None:
        """Wait for an open proposal of the agent; None if there is none."""
        for _ in range(round(seconds)):
            found = [
                proposal
                for proposal in self.trading().proposals
                if proposal.maker == self.seat and proposal.status is ProposalStatus.OPEN
            ]
            if found:
                return found[0]
            if not self.running:
                return None
            self.wait(1)
        return None

    def settles(self, other: Seat, terms: Terms | None) -> None:
        """Propose terms, confirm the agent's acceptance, and submit the transaction."""
        made = self.proposes(other, terms)
        if made is None:
            return
        self.wait(4)
        self.accepts(made, other)
        self.submits(made, other)
        self.wait(4)


def silence(harness: TradingHarness) -> None:
    """Wait: no seat but the agent's acts."""
    harness.wait_until_closed()


def chat(harness: TradingHarness) -> None:
    """Say something of several kinds."""
    for subtype in CHAT:
        harness.says(subtype.replace("_", " ").capitalize(), subtype)
        harness.wait(3)


def calls(harness: TradingHarness) -> None:
    """Call for proposals to buy and to sell, of one good and of any."""
    harness.wait(2)
    for buyer in (True, False):
        for goods in ((), harness.trading().goods[:1]):
            with suppress(Refused):
                harness.table.participant(harness.others[0]).calls_for_proposals(
                    harness.seat, buyer=buyer, goods=goods
                )
            harness.wait(4)


def good_proposals(harness: TradingHarness) -> None:
    """Propose what raises the agent's score, from every other seat, and settle it."""
    harness.wait(2)
    for other in harness.others:
        for terms in list(harness.good_terms(other)):
            harness.settles(other, terms)


def bad_proposals(harness: TradingHarness) -> None:
    """Propose what lowers the agent's score, and submit it at once."""
    harness.wait(2)
    for other in harness.others:
        for terms in list(harness.bad_terms(other)):
            made = harness.proposes(other, terms)
            if made is not None:
                harness.submits(made, other)
                harness.wait(5)


def many_proposals(harness: TradingHarness) -> None:
    """Propose everything that is good for the agent at once, and settle whatever it accepts."""
    harness.wait(2)
    made = [
        (other, event)
        for other in harness.others
        for terms in list(harness.good_terms(other))
        for _ in range(2)
        if (event := harness.proposes(other, terms)) is not None
    ]
    harness.wait(3)
    for other, event in made:
        harness.accepts(event, other)
        harness.submits(event, other)
    harness.wait(10)


def withdrawn_proposal(harness: TradingHarness) -> None:
    """Withdraw a good proposal before the agent's answer is sent."""
    harness.wait(2)
    other = harness.others[0]
    for terms in list(harness.good_terms(other)):
        made = harness.proposes(other, terms)
        harness.wait(0.5)
        if made is not None:
            with suppress(Refused):
                harness.table.participant(other).declines(made)
        harness.wait(4)


def own_proposal_accepted(harness: TradingHarness) -> None:
    """Accept the agent's proposals, and submit them."""
    for _ in range(3):
        proposal = harness.next_proposal(40)
        if proposal is None:
            return
        other = proposal.recipient
        harness.accepts(proposal, other)
        harness.submits(proposal, other)
        harness.wait(5)
        its_id = transaction_id_of(proposal.proposal_id)
        settled = any(trade.transaction_id == its_id for trade in harness.trading().confirmed_transactions)
        waits = any(request.transaction_id == its_id for request in harness.trading(other).pending)
        if settled or waits:
            harness.confirmed = bool(harness.confirmed) or settled


def counterproposal(harness: TradingHarness) -> None:
    """Answer the agent's proposals with other ones."""
    for _ in range(3):
        proposal = harness.next_proposal(20)
        if proposal is None:
            return
        other = proposal.recipient
        harness.proposes(other, next(harness.good_terms(other), None), answers=proposal.proposal_id)
        harness.wait(5)


def not_submitted(harness: TradingHarness) -> None:
    """Accept the agent's proposal and confirm one's own, and never submit a transaction."""
    harness.wait(2)
    other = harness.others[0]
    made = harness.proposes(other, next(harness.good_terms(other), None))
    harness.wait(4)
    if made is not None:
        harness.accepts(made, other)
    proposal = harness.next_proposal(20)
    if proposal is not None:
        harness.accepts(proposal, proposal.recipient)
    harness.wait(45)


def not_matching(harness: TradingHarness) -> None:
    """Submit transactions with another price than was agreed."""
    harness.wait(2)
    other = harness.others[0]
    for terms in list(harness.good_terms(other))[:2]:
        made = harness.proposes(other, terms)
        harness.wait(4)
        if made is not None:
            harness.accepts(made, other)
            harness.submits(made, other, amount=terms.amount + 1)
        harness.wait(10)


def restart(harness: TradingHarness) -> None:
    """Settle a trade, restart the agent, and settle another one."""
    harness.wait(2)
    other = harness.others[0]
    harness.settles(other, next(harness.good_terms(other), None))
    harness.restart_agent()
    harness.settles(other, next(harness.good_terms(other), None))
    harness.wait(10)


def other_leaves(harness: TradingHarness) -> None:
    """Leave the market while the agent is about to answer."""
    harness.wait(2)
    other = harness.others[0]
    harness.proposes(other, next(harness.good_terms(other), None))
    harness.wait(0.5)
    harness.quits()
    harness.wait(20)


TRADING_SITUATIONS = (
    CheckSituation("nobody else does anything", silence, in_another_process=True),
    CheckSituation("another seat says something of several kinds", chat),
    CheckSituation("another seat calls for proposals", calls),
    CheckSituation("proposals that raise its score", good_proposals, in_another_process=True),
    CheckSituation("proposals that lower its score", bad_proposals),
    CheckSituation("many good proposals at once", many_proposals),
    CheckSituation("a proposal that is withdrawn at once", withdrawn_proposal),
    CheckSituation("its own proposals are accepted", own_proposal_accepted, in_another_process=True),
    CheckSituation("its own proposals are answered by others", counterproposal),
    CheckSituation("the other side never submits", not_submitted),
    CheckSituation("the other side submits another price", not_matching),
    CheckSituation("a restart after a trade", restart),
    CheckSituation("another seat leaves", other_leaves),
    CheckSituation("a second game", good_proposals, games=2),
)
