"""What each agent of this family decides for itself."""

from __future__ import annotations

from abc import ABC, abstractmethod

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype
from negoplatform.domain.offer import Offer
from negoplatform.strategies.negochat.bid_space import Bid, BidTerms
from negoplatform.strategies.negochat.conversational_agent import ConversationalAgent, Script


class DecisionHooks(ConversationalAgent, ABC):
    """What a subclass says: the answer to everything that the other may do."""

    unchanged_kind = "issue_stands"
    """The kind of words for a refusal that holds on to what it has proposed."""

    def begin(self, ctx: AgentContext) -> None:
        """Make ready for a game; ``self.kit`` is there."""

    @abstractmethod
    def opening(self, ctx: AgentContext) -> Script:
        """Return the first proposal."""

    @abstractmethod
    def evaluate_offer(self, ctx: AgentContext, bid: Bid) -> bool:
        """Learn from a complete offer, and says whether it is good enough to be bound."""

    @abstractmethod
    def answer_complete_offer(self, ctx: AgentContext, bid: Bid) -> Script:
        """Answer a complete offer that is not accepted."""

    @abstractmethod
    def answer_partial_offer(self, ctx: AgentContext, asked: BidTerms) -> Script:
        """Answer a partial offer."""

    @abstractmethod
    def answer_acceptance(self, ctx: AgentContext) -> Script:
        """Answer a yes in words to a proposal that is no complete offer."""

    @abstractmethod
    def answer_rejection(self, ctx: AgentContext) -> Script:
        """Answer a no in words."""

    @abstractmethod
    def answer_compromise(self, ctx: AgentContext, about: list[int]) -> Script:
        """Answer the wish for a compromise at some issues; without any, wherever it likes."""

    @abstractmethod
    def answer_query(self, ctx: AgentContext, about: list[int], *, least: bool) -> Script:
        """Say what it wants at some issues; without any, what it wants most, or least."""

    def position(self) -> object:
        """What it stands for; when that changes, an offer that was heard before is new again."""
        return None

    @abstractmethod
    def position_text(self, ctx: AgentContext) -> str:
        """What it proposes at the moment; empty if that is nothing."""

    @abstractmethod
    def repeat_proposal(self, ctx: AgentContext, kind: str, subtype: MessageSubtype) -> Script:
        """Say again what it proposes, in words of a kind."""

    def record_verbal_acceptance(self, ctx: AgentContext) -> None:
        """The other says yes to the complete offer of its own that is on the table."""

    def set_turn(self, turn: int) -> None:
        """Told before every answer which turn it is, from 1."""

    def act_on_new_turn(self, ctx: AgentContext) -> Script:  # noqa: ARG002 - for subclasses
        """Return a new turn has begun."""
        return []

    @abstractmethod
    def final_proposal(self, ctx: AgentContext) -> Offer | None:
        """Return the best complete offer to be made when time runs out; None if there is none."""

    @abstractmethod
    def is_acceptable(self, ctx: AgentContext) -> bool:
        """Return whether the offer on the table, which is another's, may be bound now."""

    def has_agreed(self, asked: BidTerms) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether all that a partial offer asks for is agreed already."""
        return False

    def answer_agreed_terms(self, ctx: AgentContext, asked: BidTerms) -> Script:  # noqa: ARG002 - for subclasses
        """Answer a partial offer of which everything is agreed already: where ``has_agreed`` knows that."""
        return []

    def is_agreed(self, bid: Bid) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether a bid is what was agreed step by step."""
        return False
