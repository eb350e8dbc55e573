"""Agent that plays a trained policy."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field

from negoplatform.agent_api.actions import Action, Schedule, SendMessage, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, MessageSubtype
from negoplatform.core.visibility import observer_of
from negoplatform.core.visible_fold import VisibleFold
from negoplatform.domain.errors import AgentError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.strategies.learned.action_codec import ActionCodec
from negoplatform.strategies.learned.bargaining_codecs import ACCEPT, OFFER
from negoplatform.strategies.learned.codec_choice import codec_of
from negoplatform.strategies.learned.policy_file import Policy
from negoplatform.strategies.learned.trained_seat import TrainedSeat

GREETINGS = {
    "en": "Hello! Let us see what suits us both.",
    "de": "Guten Tag! Schauen wir, was uns beiden passt.",
}
"""Greeting in each language."""

COMMENTS = {
    "en": (
        "I would like this instead.",
        "Not quite. What about this?",
        "That does not work for me yet. This would.",
        "How about this?",
    ),
    "de": (
        "Ich hätte lieber das hier.",
        "Noch nicht ganz. Wie wäre es damit?",
        "Das passt für mich noch nicht. Das hier würde passen.",
        "Was halten Sie davon?",
    ),
}
"""Words that go with an offer, in each language, in turn."""


class TrainedPolicy(NegotiationAgent):
    """Plays a trained policy: it decides at the start, and then again after each step of session time.

    The same decisions as in training, from the same numbers. Unless its file says otherwise, it never accepts
    or offers what is worth less to it than no deal, and it confirms an offer of its own that all others have
    accepted.
    """

    policy: ClassVar[Policy]
    """The policy; each file's agent is a subclass with its own."""

    class Settings(BaseModel):
        """Settings of the agent."""

        language: Literal["en", "de"] | None = Field(
            None, title="Language", description="By default that of the window, if it’s one of these."
        )
        quiet: bool = Field(False, title="Offers only", description="No words.")

    def get_name(self) -> str:
        """Return the name in the settings, or that in the policy's file."""
        return str(self.get_config("name", self.policy.model.name))

    def check_game(self, game: GameSpec) -> None:
        """Check that the policy is for this kind of game, and for a seat with so many numbers.

        In games of offers with more than two seats it plays in the one that it was trained in.

        Raises:
            AgentError: If it does not.
        """
        model = self.policy.model
        if TrainedSeat(game, self.agent_id, model.seat).is_incompatible:
            raise AgentError(
                f"This policy was trained in the seat {model.seat} of {model.game}, and its numbers mean "
                f"something else in the seat {self.agent_id}; give it the seat {model.seat}."
            )
        try:
            codec = codec_of(game, self.agent_id, model.codec)
            start = VisibleFold(game, observer_of(game, self.agent_id)).view()
            self.policy.check_fits(codec, len(AgentContext(start, 0.0, Random(0)).observation.vector()))
        except NegoError as error:
            raise AgentError(str(error)) from None

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002 - the handler's signature
        """Greet, and decide for the first time."""
        self.codec: ActionCodec = codec_of(ctx.game, ctx.seat, self.policy.model.codec)
        self.policy.check_fits(self.codec, len(ctx.observation.vector()))
        self._trained_seat = TrainedSeat(ctx.game, ctx.seat, self.policy.model.seat)
        self._hold = OfferHold(self.policy.model.holds_offers_seconds)
        self._comment_count = 0
        greeting = (
            [SendMessage(GREETINGS[self._language], MessageSubtype.GREETING)] if self._speaks(ctx) else []
        )
        return [*greeting, Schedule(0, self.decide)]

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002 - the handler's signature
        """Observe another seat's offer."""
        self.codec.hear(event)
        return []

    def decide(self, ctx: AgentContext) -> list[Action]:
        """Return the actions of this step, and the next decision."""
        if ctx.ending is not None:
            return []
        masks = self._masks(ctx)
        action = self.policy.forward(self._trained_seat.vector(ctx.observation), self.codec, masks, ctx.rng)
        script = self.codec.decode(action, ctx)
        if self.policy.model.keeps_reservation_value:
            script = [each for each in script if not loses(each, ctx)]
        self._hold.observe(script, ctx)
        later = Schedule(1000 * self.policy.model.step_seconds, self.decide)
        return [*self._comment(ctx, script), *script, later]

    def _masks(self, ctx: AgentContext) -> Sequence[array[int]]:
        masks = self.codec.masks(ctx)
        if self.policy.model.keeps_reservation_value:
            close_losses(self.codec, masks, ctx)
        self._hold.close(self.codec, masks, ctx)
        if self.policy.model.confirms_own_offers:
            close_all_but_confirmation(self.codec, masks, ctx)
        return masks

    def _comment(self, ctx: AgentContext, script: Sequence[Any]) -> list[Action]:
        """Return words that go with an offer which answers another seat's."""
        answers = ctx.game.issues and ctx.current_offer_sender not in (None, ctx.seat)
        if not answers or not self._speaks(ctx) or not any(isinstance(each, SendOffer) for each in script):
            return []
        self._comment_count += 1
        comments = COMMENTS[self._language]
        words = comments[(self._comment_count - 1) % len(comments)]
        return [SendMessage(words, MessageSubtype.OFFER_PROPOSE)]

    @property
    def _language(self) -> str:
        return self.get_config("language") or "en"

    def _speaks(self, ctx: AgentContext) -> bool:
        return ctx.game.rules.talk and not self.get_config("quiet", False)


class OfferHold:
    """Time for which an own offer on the table is not replaced, so that the other side can consider it.

    Args:
        seconds: The session time from the decision on, in seconds; 0: none.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since = 0.0

    def observe(self, script: Sequence[object], ctx: AgentContext) -> None:
        """Observe what the seat does now."""
        if any(isinstance(each, SendOffer) for each in script):
            self._since = ctx.elapsed_time

    def close(self, codec: ActionCodec, masks: Sequence[array[int]], ctx: AgentContext) -> None:
        """Close the head of an offer while the last one is on the table and too recent."""
        if OFFER not in codec.heads or not ctx.game.issues or ctx.current_offer_sender != ctx.seat:
            return
        if ctx.elapsed_time - self._since < self._seconds:
            masks[0][codec.heads.index(OFFER)] = 0


def close_losses(codec: ActionCodec, masks: Sequence[array[int]], ctx: AgentContext) -> None:
    """Close the head of acceptance where the offer on the table is worth less than no deal."""
    if ACCEPT not in codec.heads or not ctx.game.issues or ctx.current_offer_sender in (None, ctx.seat):
        return
    if ctx.get_agent_utility() < ctx.least_points:
        masks[0][codec.heads.index(ACCEPT)] = 0


def close_all_but_confirmation(codec: ActionCodec, masks: Sequence[array[int]], ctx: AgentContext) -> None:
    """Close all heads but acceptance where all others have accepted an offer of the seat's own.

    Not if the offer is worth less than no deal, or there is nothing left to confirm.
    """
    if ACCEPT not in codec.heads or not ctx.game.issues or ctx.current_offer_sender != ctx.seat:
        return
    others = {seat for seat in ctx.game.seats if seat != ctx.seat}
    if not ctx.can_formally_accept() or not others <= {*ctx.accepted_by}:
        return
    if ctx.get_agent_utility() >= ctx.least_points:
        masks[0][:] = array("b", (head == ACCEPT for head in codec.heads))


def loses(action: object, ctx: AgentContext) -> bool:
    """Return whether an action is an offer that is worth less to the seat than no deal."""
    return isinstance(action, SendOffer) and ctx.utility(action.offer) < ctx.least_points


def agent_class_of(policy: Policy, module: str) -> type[TrainedPolicy]:
    """Return the class of the agent that plays a policy.

    Args:
        policy: The policy.
        module: The name of the module that it belongs to.
    """
    content = {
        "policy": policy,
        "mechanisms": (policy.model.mechanism,),
        "__module__": module,
        "__doc__": policy.model.description,
    }
    return type("Policy", (TrainedPolicy,), content)
