"""Codecs of bargaining games: whole offers, term by term or by their worth."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import product
from typing import ClassVar

from negoplatform.agent_api.actions import Action, FormalAccept, SendOffer
from negoplatform.agent_api.bids import Bids
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.frequency_opponent_model import FrequencyEstimate, estimates_of_others
from negoplatform.core.events import Event, EventType, OfferMade
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.strategies.learned.action_codec import QUIT, WAIT, ActionCodec
from negoplatform.strategies.learned.vector_action import VectorAction

OFFER, ACCEPT = "offer", "accept"

MOST_ALLOCATIONS = 1_000
"""Most ways to share an issue that are all numbered; of more, those with equal shares of the others."""

FIT_SHARE = 0.05
"""Share of the own range within which offers count as equally good, and the other side's estimate decides."""

ESTIMATE_DIGITS = 9
"""Decimals to which estimates are compared: equal sums may differ in the last digits."""


class _BargainingCodec(ActionCodec):
    """Codec whose heads are to wait, to make an offer, to accept the one on the table, and to walk away."""

    mechanism = BARGAINING
    heads = (WAIT, OFFER, ACCEPT, QUIT)

    def act(self, head: str, action: VectorAction, ctx: AgentContext) -> list[Action]:
        """Return the acceptance, or the offer that the other values describe.

        Nothing if the same offer of this seat is on the table already.
        """
        if head == ACCEPT:
            return [FormalAccept()]
        offer = self.offer(action, ctx)
        is_there = ctx.current_offer_sender == self.seat and ctx.current_offer == offer
        return [] if is_there else [SendOffer(offer)]

    @abstractmethod
    def offer(self, action: VectorAction, ctx: AgentContext) -> Offer:
        """Return the offer that an action describes; complete."""

    def open_heads(self, ctx: AgentContext) -> frozenset[str]:
        """Return the heads that are open now: an offer in turn, and an acceptance of what is on the table."""
        legal = ctx.legal
        found = {OFFER} if EventType.SEND_OFFER in legal else set()
        if EventType.FORMAL_ACCEPT in legal:
            found.add(ACCEPT)
        return super().open_heads(ctx) | found


class TermsCodec(_BargainingCodec):
    """Offers term by term: one choice for each issue, in the game's order.

    The categories of an issue are its values or numbers in their order. Of a quantity issue with two seats
    they are the own units, from 0 up, and the other seat gets the rest. With more seats they are the ways to
    share it, by the own units and then by those of the others in the order of seats; of more than 1,000 ways
    those in which the others share the rest evenly, the first ones getting what is left over.
    """

    name: ClassVar[str] = "terms"

    def __init__(self, game: GameSpec, seat: Seat) -> None:
        super().__init__(game, seat)
        self.terms = [numbered_terms(issue, game.seats, seat) for issue in game.issues]
        """The terms of each issue, by the numbers of their categories."""
        self.set_dimensions(categories=[len(terms) for terms in self.terms])

    def offer(self, action: VectorAction, ctx: AgentContext) -> Offer:  # noqa: ARG002 - the same at any moment
        """Return the offer of the chosen terms."""
        chosen = zip(self.game.issues, self.terms, action.d[1:], strict=True)
        return Offer({issue.name: terms[number] for issue, terms, number in chosen})

    def all_offers(self) -> Iterator[tuple[tuple[int, ...], Offer]]:
        """Yield every offer of this codec with the numbers of its terms."""
        names = [issue.name for issue in self.game.issues]
        for numbers in product(*(range(len(terms)) for terms in self.terms)):
            chosen = zip(names, self.terms, numbers, strict=True)
            yield numbers, Offer({name: terms[number] for name, terms, number in chosen})


class DemandCodec(_BargainingCodec):
    """Offers by their worth: a number from 0 to 1 says how much the seat demands for itself.

    0 is the reservation value, or the worst outcome where that is worth more; 1 is the best outcome. Of the
    offers that are worth at least as much, and at most 5 percent of the own range more than the cheapest of
    them, the one is made that is worth most to the other seats by estimates from the offers that they have
    made (:class:`FrequencyEstimate`; with several, by the sum). Of equal ones it is the best for the seat.
    """

    name: ClassVar[str] = "demand"

    def __init__(self, game: GameSpec, seat: Seat) -> None:
        super().__init__(game, seat)
        self.set_dimensions(continuous=1)
        self.reset()

    def reset(self) -> None:
        """Forget the offers of the others."""
        self._estimates = estimates_of_others(self.game, self.seat)
        self._bids: Bids | None = None

    def hear(self, event: Event) -> None:
        """Observe another seat's offer; all other events are ignored."""
        estimate: FrequencyEstimate | None = self._estimates.get(event.sender)
        if estimate is not None and isinstance(event.payload, OfferMade):
            estimate.hear(event.payload.offer)

    def offer(self, action: VectorAction, ctx: AgentContext) -> Offer:
        """Return the offer of the demanded worth with the highest estimate for the others."""
        if self._bids is None:
            self._bids = Bids(ctx)
        bids = self._bids
        least = max(bids.lowest, ctx.reservation_value)
        span = max(0, bids.highest - least)
        found = bids.within(least + action.c[0] * span, FIT_SHARE * span)
        totals = [0.0] * len(found)
        for estimate in self._estimates.values():
            totals = [a + b for a, b in zip(totals, estimate.estimate_utilities(found), strict=True)]
        return found[max(range(len(found)), key=lambda i: (round(totals[i], ESTIMATE_DIGITS), i))]


def numbered_terms(issue: Issue, seats: tuple[Seat, ...], seat: Seat) -> Sequence[Term]:
    """Return the terms of an issue in the order in which :class:`TermsCodec` numbers them for a seat."""
    if not isinstance(issue, QuantityIssue):
        return tuple(issue.terms(seats))
    others = [other for other in seats if other != seat]
    if len(others) > 1 and issue.count(seats) <= MOST_ALLOCATIONS:
        ways = [term for term in issue.terms(seats) if isinstance(term, Allocation)]
        return sorted(ways, key=lambda way: tuple(way.of(each) for each in (seat, *others)))
    shared = []
    for own in range(issue.quantity + 1):
        each, more = divmod(issue.quantity - own, len(others))
        rest = [(other, each + (i < more)) for i, other in enumerate(others)]
        shared.append(Allocation([(seat, own), *rest]))
    return shared
