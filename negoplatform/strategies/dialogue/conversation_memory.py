"""Memory of one game: the offers, the questions and the statements of all seats."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from negoplatform.core.events import MessageSubtype
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language import NOBODY, Address, Interpretation, Topic, TopicMention


@dataclass(frozen=True, slots=True)
class HeardMessage:
    """Message of another seat as it was understood when it arrived.

    Args:
        sender: The seat.
        text: The text.
        subtype: The speech act that its sender chose; GENERIC for typed text.
        reading: The interpretation.
        topics: What typed text asks or remarks.
        agent_terms: The agent's own terms at that time: a yes does not count for later ones.
        offer_id: The id of the offer that was on the table; None before the first.
        to: The seats for which alone it was; empty: it was for everyone.
        address: The seats that it addresses by name, in a game of more than two.
    """

    sender: Seat
    text: str
    subtype: MessageSubtype
    reading: Interpretation
    topics: tuple[TopicMention, ...] = ()
    agent_terms: Offer = EMPTY_OFFER
    offer_id: int | None = None
    to: tuple[Seat, ...] = ()
    address: Address = NOBODY

    def mention(self, *topics: Topic) -> TopicMention | None:
        """Return the first mention of one of some topics; None if there is none."""
        return next((each for each in self.topics if each.topic in topics), None)


@dataclass
class ConversationMemory:
    """Offers, questions and statements of one game.

    Args:
        received: The offers of each other seat, oldest first.
        asked: The number of times that each topic was mentioned.
        refused: The complete offers of others that the agent has answered with something else than a yes.
        welcomed: The offers in words to which it has said that it would accept them.
        declined: The complete offers in words to which it has said no.
        considered: The terms in words to which it has said that they depend on the rest.
        took_back: Whether it has taken back a concession.
        greeted: Whether it has greeted; its greeting is dropped if another seat speaks first.
        lies: The number of its false statements.
        courtesies: The number of courtesies in a row.
        not_understood: The number of messages that it did not understand.
    """

    received: dict[Seat, list[Offer]] = field(default_factory=dict)
    asked: Counter[Topic] = field(default_factory=Counter)
    refused: set[Offer] = field(default_factory=set)
    welcomed: set[Offer] = field(default_factory=set)
    declined: set[Offer] = field(default_factory=set)
    considered: list[Offer] = field(default_factory=list)
    took_back: bool = False
    greeted: bool = True
    lies: int = 0
    courtesies: int = 0
    not_understood: int = 0

    def record_offer(self, sender: Seat, offer: Offer) -> None:
        """Record an offer of another seat."""
        self.received.setdefault(sender, []).append(offer)

    def offer_before(self, sender: Seat) -> Offer | None:
        """Return the last but one offer of a seat; None if there are fewer than two."""
        offers = self.received.get(sender, [])
        return offers[-2] if len(offers) > 1 else None
