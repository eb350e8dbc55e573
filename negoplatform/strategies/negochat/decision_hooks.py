"""Decisions that each agent of this family makes itself."""

from __future__ import annotations

from abc import ABC, abstractmethod

from negoplatform.agent_api.context import AgentContext
from negoplatform.domain.offer import Offer
from negoplatform.strategies.dialogue.conversation_memory import HeardMessage
from negoplatform.strategies.dialogue.offer_wording import Reply
from negoplatform.strategies.negochat.bid_space import Bid, BidTerms
from negoplatform.strategies.negochat.conversational_agent_base import ConversationalAgent, Script


class DecisionHooks(ConversationalAgent, ABC):
    """Hooks of a subclass: the answers to all actions of the other."""

    def begin(self, ctx: AgentContext) -> None:
        """Prepare for a game; ``self.model`` is set."""

    @abstractmethod
    def opening(self, ctx: AgentContext) -> Script:
        """Return the first proposal."""

    @abstractmethod
    def evaluate_offer(self, ctx: AgentContext, bid: Bid) -> bool:
        """Learn from a complete offer, and return whether it is good enough to be bound."""

    @abstractmethod
    def answer_complete_offer(self, ctx: AgentContext, bid: Bid, answers: Reply) -> Script:
        """Answer a complete offer that is not accepted."""

    @abstractmethod
    def answer_partial_offer(self, ctx: AgentContext, asked: BidTerms, answers: Reply) -> Script:
        """Answer a partial offer."""

    @abstractmethod
    def continue_after_yes(self, ctx: AgentContext) -> Script:
        """Answer a yes in words to a proposal that is no complete offer."""

    @abstractmethod
    def answer_rejection(self, ctx: AgentContext, message: HeardMessage) -> Script:
        """Answer a no in words."""

    @abstractmethod
    def would_accept(self, ctx: AgentContext, offer: Offer) -> bool:
        """Return whether it would accept a complete offer now."""

    @abstractmethod
    def deal_with(self, ctx: AgentContext, part: Offer) -> Offer | None:
        """Return a complete offer with some terms that it would accept now; None if there is none."""

    def may_agree(self, ctx: AgentContext, part: Offer) -> bool:
        """Return whether it would accept some complete offer with these terms now."""
        return self.deal_with(ctx, part) is not None

    @abstractmethod
    def wanted_offer(self, ctx: AgentContext) -> Offer | None:
        """Return the offer that it wants at present; None if it has none."""

    @abstractmethod
    def may_yield(self, ctx: AgentContext) -> bool:
        """Return whether it may still ask for less than now."""

    @abstractmethod
    def answer_compromise(self, ctx: AgentContext, about: list[int]) -> Script:
        """Answer the request for a compromise on some issues; without any, on an issue of its choice."""

    def position(self) -> object:
        """Return its position; when that changes, an earlier offer is looked at again as if it were new."""
        return None

    @abstractmethod
    def repeat_proposal(self, ctx: AgentContext, *, in_silence: bool = False) -> Script:
        """Repeat its proposal, because it was asked for or after a silence."""

    def record_verbal_acceptance(self, ctx: AgentContext) -> None:
        """Record that the other accepts, in words, its complete offer on the table."""

    def set_turn(self, turn: int) -> None:
        """Set the turn, from 1; called before every answer."""

    def act_on_new_turn(self, ctx: AgentContext) -> Script:  # noqa: ARG002 - for subclasses
        """Return the actions at the beginning of a turn."""
        return []

    @abstractmethod
    def final_proposal(self, ctx: AgentContext) -> Offer | None:
        """Return the best complete offer for the end of the time; None if there is none."""

    @abstractmethod
    def is_acceptable(self, ctx: AgentContext) -> bool:
        """Return whether the offer on the table, which is another's, may be bound now."""

    def has_agreed(self, asked: BidTerms) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether all terms of a partial offer are agreed already."""
        return False

    def answer_agreed_terms(self, ctx: AgentContext, asked: BidTerms) -> Script:  # noqa: ARG002 - for subclasses
        """Answer a partial offer whose terms are all agreed already, by ``has_agreed``."""
        return []

    def is_agreed(self, bid: Bid) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether a bid is the agreement that was built step by step."""
        return False
