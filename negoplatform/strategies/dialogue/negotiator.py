"""Interface of the agents whose words the dialogue layer finds: judgement, statements and moves."""

from __future__ import annotations

from typing import Protocol

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.language import DialogueAct
from negoplatform.strategies.dialogue.conversation_memory import HeardMessage
from negoplatform.strategies.dialogue.dialogue import Dialogue, Script
from negoplatform.strategies.dialogue.disclosures import PlainWords
from negoplatform.strategies.dialogue.opponent_model import ExpressiveOpponentModel


class Negotiator(Protocol):
    """Agent whose words the dialogue layer finds."""

    @property
    def dialogue(self) -> Dialogue:
        """The dialogue of this game."""

    @property
    def statements(self) -> PlainWords:
        """Policy of what it states about itself."""

    @property
    def keeps_judgement(self) -> bool:
        """Whether an offer that it would accept now is accepted when it is sent."""

    def get_name(self) -> str:
        """Return its name."""

    # Judgement

    def would_accept(self, ctx: AgentContext, offer: Offer) -> bool:
        """Return whether it would accept a complete offer now."""

    def deal_with(self, ctx: AgentContext, part: Offer) -> Offer | None:
        """Return a complete offer with some terms that it would make now; None if there is none."""

    def may_agree(self, ctx: AgentContext, part: Offer) -> bool:
        """Return whether it would accept some complete offer with these terms now."""

    def wanted_offer(self, ctx: AgentContext) -> Offer | None:
        """Return the offer that it wants at present; None if it has none."""

    def own_terms(self, ctx: AgentContext) -> Offer:
        """Return its own latest terms, issue by issue; empty before the first."""

    def may_yield(self, ctx: AgentContext) -> bool:
        """Return whether it may still ask for less than now."""

    # Moves

    def remind_of_acceptance(self, ctx: AgentContext) -> Script | None:
        """Return a reminder that it has accepted the offer on the table; None if it has not.

        The script is empty if it has said so often enough.
        """

    def answer_acceptance(self, ctx: AgentContext, message: HeardMessage) -> Script:
        """Answer a yes in words."""

    def answer_rejection(self, ctx: AgentContext, message: HeardMessage) -> Script:
        """Answer a no in words."""

    def answer_request(self, ctx: AgentContext, message: HeardMessage, *, fairer: bool) -> Script:
        """Answer a request for an offer.

        Args:
            ctx: The context.
            message: The message.
            fairer: Whether a better one than its last is asked for.
        """

    def answer_announcement(self, ctx: AgentContext, message: HeardMessage) -> Script:
        """Answer a message that introduces an offer which has not arrived."""

    def answer_threat(self, ctx: AgentContext, message: HeardMessage) -> Script:
        """Answer a threat to leave."""

    def answer_favour(self, ctx: AgentContext, subtype: MessageSubtype) -> Script:
        """Answer a message about favours."""

    def offer_deal(self, ctx: AgentContext, deal: Offer, part: Offer, kind: str, **slots: str) -> Script:
        """Return a deal that it was asked for, with words of a kind; or words alone.

        Args:
            ctx: The context.
            deal: The deal.
            part: The terms that it was asked for.
            kind: The kind of message.
            slots: Its slots.
        """

    # What it learns and states

    def opponent_model(self, seat: Seat) -> ExpressiveOpponentModel:
        """Return its model of another seat."""

    def learn_act(self, ctx: AgentContext, sender: Seat, act: DialogueAct) -> Script:
        """Learn from a statement about the sender's preferences, and note down what changed."""

    def stated_value_of_no_deal(self, ctx: AgentContext) -> Points:
        """Return the value of no deal that it states."""

    def record_stated_limit(self, limit: Points) -> None:
        """Record that it has stated a value of no deal."""

    def record_wait_request(self, ctx: AgentContext) -> bool:
        """Record that the other needs time; return whether there is any left."""

    def forget_agreement(self) -> None:
        """Forget what the other has agreed to in words."""

    def promise(self) -> str:
        """Return the state of its favours: ``none``, ``given`` or ``betrayed``."""
