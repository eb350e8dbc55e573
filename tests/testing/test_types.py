"""Types for an author's editor: a typed agent fits the public names, and its inputs have types.

mypy checks the assertions on types, strictly, as in all of these files; the test plays the agent.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any, assert_type

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    ProposeChange,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
)
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.bids import Bids
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.frequency_opponent_model import FrequencyEstimate
from negoplatform.core.events import Event, Expression, MessageSubtype, Preference
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.state import GameState
from negoplatform.domain.issue import Issue
from negoplatform.domain.issue_status_board import Board
from negoplatform.domain.offer import Offer
from negoplatform.language import Interpretation
from negoplatform.strategies.expressive import ConcedingOffers, ExpressiveAgent, Faces, Policies
from negoplatform.testing import TrialTable, trial_games


class Typed(NegotiationAgent):
    """Agent with high demands, written with types, as an author may."""

    bids: Bids
    other: FrequencyEstimate
    share: float

    def configure(self, config: dict[str, Any]) -> None:
        super().configure(config)
        self.share = self.get_fraction("share", 0.5)

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.bids = Bids(ctx)
        self.other = FrequencyEstimate(ctx.game, "human")
        assert_type(ctx.reading, Interpretation | None)
        assert_type(ctx.state, GameState)
        assert_type(ctx.board, Board)
        assert_type(ctx.observation, Observation)
        assert_type(ctx.issues, list[Issue])
        assert_type(ctx.remaining_time, float | None)
        assert_type(ctx.get_agent_utility(), float)
        assert_type(ctx.get_offer_history(), list[dict[str, Any]])  # binding, by the table that it follows
        assert_type(ctx.get_message_history(), list[dict[str, Any]])
        return [
            SendMessage("Hello.", MessageSubtype.GREETING),
            SendOffer(self.bids.near(self.bids.highest * self.share, ctx.rng)),
            SendExpression(Expression.HAPPY),
            Schedule(1000, self.note),
        ]

    def note(self, ctx: AgentContext) -> Action:
        return ProposeChange({"notes": {ctx.seat: {"best": self.bids.highest}}})

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        assert_type(event.get_offer(), Offer)
        assert_type(event.get_text(), str)
        assert_type(event.get_expression(), Expression | None)
        assert_type(event.get_preference(), Preference | None)
        self.other.hear(event.get_offer())
        if ctx.can_formally_accept() and ctx.get_agent_utility() >= ctx.reservation_value:
            return [FormalAccept()]
        return None


class Mixed(ExpressiveAgent):
    """Agent with an author's policies, with types."""

    def policies(self) -> Policies:
        return Policies(ConcedingOffers(step=0.1), faces=Sad())


class Sad(Faces):
    """Faces that are never happy about an offer."""

    def to_offer(self, fairness: float) -> Expression | None:
        return Expression.SAD


def test_a_typed_agent_plays() -> None:
    table = TrialTable(trial_games()[0])
    table.seat(Typed(), at="agent")

    table.wait(3)
    table.human.offers(apples=1, day="Sunday")
    table.wait(2)
    table.human.accepts()
    table.wait(1)

    assert table.state.ending is not None
    assert table.state.ending.ended_by == "agreement"


def test_the_package_says_that_it_is_typed() -> None:
    assert (files("negoplatform") / "py.typed").is_file()
