"""Harness of the check for bargaining: offers of the other seats, made from the agent's preferences."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from random import Random

from negoplatform.agent_api.bids import Bids
from negoplatform.core.events import Event
from negoplatform.domain.errors import Refused
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.language.generation import offer_in_words
from negoplatform.testing.check_harness import CheckHarness


class BargainingHarness(CheckHarness):
    """Table of a situation in bargaining."""

    # Actions of the others

    def offers(self, offer: Offer) -> Event | None:
        """Send an offer from the other; return its event."""
        with suppress(Refused):
            return self.table.participant(self.others[0]).offers(offer)
        return None

    def says_and_offers(self, offer: Offer) -> None:
        """Send an offer that the other typed: the text, and the offer at the same moment."""
        self.says(offer_in_words(offer, self.game, self.others[0]))
        self.offers(offer)

    def accept(self) -> None:
        """Formally accept the offer on the table, from every other seat."""
        for seat in self.others:
            with suppress(Refused):
                self.table.participant(seat).accepts()

    def works_on(self, draft: Offer) -> None:
        """Type and build an offer, from the other."""
        with suppress(Refused):
            self.table.participant(self.others[0]).types()
            self.table.participant(self.others[0]).drafts(draft)

    # Prepared offers

    @cached_property
    def best_offer(self) -> Offer:
        """Best offer that the agent could get."""
        return Bids(self.table.context(self.seat)).best()

    @cached_property
    def worst_offer(self) -> Offer:
        """An offer among the worst for the agent."""
        bids = Bids(self.table.context(self.seat))
        return bids.near(bids.lowest, Random(1))

    @cached_property
    def partial_offer(self) -> Offer:
        """Best offer for the agent, with one issue or one unit of it left undecided."""
        terms: dict[str, Term] = dict(self.best_offer.terms)
        for issue in self.game.issues:
            term = terms[issue.name]
            if isinstance(issue, QuantityIssue) and isinstance(term, Allocation) and issue.quantity > 1:
                seat = max(term.units, key=term.of)
                terms[issue.name] = Allocation(term.units.with_value(seat, term.of(seat) - 1), 1)
                return Offer(terms)
        if len(terms) > 1:
            del terms[self.game.issues[-1].name]
        return Offer(terms)

    def demand(self, share: float) -> Offer:
        """Return an offer with the other's demand, from their best (1) to their points of no deal (0)."""
        context = self.table.context(self.others[0])
        bids = self._others_bids
        least = max(context.reservation_value, bids.lowest)
        return bids.near(least + share * (bids.highest - least), Random(1))

    @cached_property
    def _others_bids(self) -> Bids:
        return Bids(self.table.context(self.others[0]))

    def is_other_satisfied(self, share: float) -> bool:
        """Return whether the agent's offer on the table meets the other's demand."""
        context = self.table.context(self.others[0])
        on_table = context.current_offer
        if context.current_offer_sender != self.seat or not self.game.is_complete(on_table):
            return False
        return context.utility(on_table) >= context.utility(self.demand(share))
