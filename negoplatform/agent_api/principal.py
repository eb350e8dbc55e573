"""Base class of principals: programs that instruct seats, and write nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from negoplatform.agent_api.actions import ACTIONS, Action, MechanismAction
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.protocols import MemberActions, Messages, Protocol, protocol_of
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.immutable.frozen_json import copy_json
from negoplatform.core.mechanisms.registry import MECHANISMS
from negoplatform.core.record.commands import check_mandate, information_for, mandate_of
from negoplatform.core.session_features import observation_of
from negoplatform.domain.errors import AgentError, NegoError, Refused
from negoplatform.domain.game import GameSpec

MOST_INSTRUCTIONS = 100
"""Instructions of one tick."""


@dataclass(frozen=True, slots=True)
class Instruct:
    """Give a mandate: advice in numbers, which a seat may keep or not.

    Args:
        to: The seat, or the principal, directly below.
        mandate: The values by name, such as ``{"reservation_value": 40}``: numbers, short texts, true or
            false. Values that an earlier mandate has set stay, unless they are named again.
        text: Words that go with it.
    """

    to: str
    mandate: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""

    def __post_init__(self) -> None:
        try:
            check_mandate(self.mandate)
            object.__setattr__(self, "mandate", copy_json(dict(self.mandate)))
        except (NegoError, Refused) as error:
            raise AgentError(f"Instruct: {error}") from None
        if not isinstance(self.text, str):
            raise AgentError("Instruct: the text is a text.")


@dataclass(frozen=True, slots=True, init=False)
class Command:
    """Command acts: the seat performs them at its next turn, in place of its agent's own decision.

    Args:
        to: The seat, or the principal, directly below.
        actions: The actions in order: of a seat such as ``SendOffer``; of a principal ``Instruct``,
            ``Command`` and ``SendInfo``, which replace its own decision at its next tick.
        replace_pending: Whether the commands that still wait there are dropped.
    """

    to: str
    actions: tuple[Any, ...]
    replace_pending: bool

    def __init__(self, to: str, *actions: Any, replace_pending: bool = False) -> None:
        for action in actions:
            if not isinstance(action, (*ACTIONS, MechanismAction, Instruct, Command, SendInfo)):
                raise AgentError(f"Command: {type(action).__name__} is nothing that can be commanded.")
        if not actions and not replace_pending:
            raise AgentError("Command: it needs an action, or replace_pending=True to drop those that wait.")
        object.__setattr__(self, "to", to)
        object.__setattr__(self, "actions", actions)
        object.__setattr__(self, "replace_pending", bool(replace_pending))


@dataclass(frozen=True, slots=True)
class SendInfo:
    """Send information to a seat or a principal directly below.

    Args:
        to: The recipient.
        data: JSON values by name; earlier information stays, unless it is named again.
    """

    to: str
    data: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.data, Mapping):
            raise AgentError("SendInfo: the data are an object of JSON values.")
        try:
            object.__setattr__(self, "data", copy_json(dict(self.data)))
        except Refused as refusal:
            raise AgentError(f"SendInfo: {refusal}") from None


Instruction = Instruct | Command | SendInfo
"""Return value of a principal's tick, which is a list of these."""

INSTRUCTIONS = (Instruct, Command, SendInfo)
"""The classes of :data:`Instruction`, for checks."""


class PrincipalContext(AgentContext):
    """Read-only context of a principal's tick: its own view, as it was when the platform saw its request."""

    __slots__ = ()

    @property
    def _visible_game(self) -> GameSpec:
        return self._view.state.game

    @property
    def level(self) -> int:
        """Level of the principal: 2 over seats, 3 over principals."""
        return self._view.observer.level

    @property
    def subordinates(self) -> tuple[str, ...]:
        """The seats, or the principals, directly below it."""
        return self._visible_game.principals[self.seat].over

    @property
    def protocol(self) -> Protocol:
        """Protocol that the game's file sets for it."""
        return protocol_of(self._visible_game.principals[self.seat].protocol)

    @property
    def observation(self) -> Observation:
        """The same view in numbers, with everything that its level may see of those below it."""
        state, game = self._view.state, self._visible_game
        above = {seat: above for seat in game.seats if (above := game.upstream_of(seat))}
        # The time of the view, which is older than the present where messages take their time.
        return observation_of(state, self.seat, self.level, state.t, principals=above)

    def get_info(self) -> dict[str, dict[str, Any]]:
        """Return what is known of each subordinate, by name, in order.

        ``observation`` has its features, as far as they are visible; ``mandate`` and ``info`` what this
        principal has told it so far. A further value is for the protocol: ``budget``, if its mandate has one.
        """
        observed = self.observation.to_dict().get("global_info", {})
        found: dict[str, dict[str, Any]] = {}
        for name in self.subordinates:
            mandate = mandate_of(self._view.state.record, self.seat, name)
            found[name] = {
                "observation": observed.get(name, {}),
                "mandate": mandate,
                "info": information_for(self._view.state.record, self.seat, name),
            }
            if "budget" in mandate:
                found[name]["budget"] = mandate["budget"]
        return found

    def coordinate(self, decision: Any, **context: Any) -> tuple[Messages, MemberActions]:
        """Return what its protocol makes of a decision: a message and an action for each subordinate.

        Args:
            decision: The decision: a mandate, or a list; None: there is none.
            context: Further values for the protocol.

        Raises:
            NegoError: If the decision does not fit the subordinates; a sentence.
        """
        return self.protocol.coordinate(self.observation, decision, self.get_info(), context)


class PrincipalAgent(NegotiationAgent):
    """Base class of principals, which are asked at every tick of theirs, and about nothing else.

    Override :meth:`decide` for a decision that the protocol turns into mandates or actions, or
    :meth:`on_tick` for full control.
    """

    role = "principal"
    mechanisms = tuple(MECHANISMS)

    def decide(self, ctx: PrincipalContext) -> Any:  # noqa: ARG002 - for those who override it
        """Return the decision of this tick, a mandate or a list of actions; None: there is none."""
        return None

    def on_tick(self, ctx: PrincipalContext) -> Sequence[Instruction] | None:
        """Return the instructions of this tick.

        Unless overridden, in this order: observe and decide, collect what is known of the subordinates,
        coordinate by the protocol, send the messages, then the actions. Without a protocol, a mandate goes to
        every subordinate as it is.
        """
        decision = self.decide(ctx)
        if decision is None:
            return []
        messages, actions = ctx.coordinate(decision)
        if not messages and not actions and isinstance(decision, Mapping):
            messages = {name: dict(decision) for name in ctx.subordinates}
        told: list[Instruction] = [Instruct(name, message) for name, message in messages.items()]
        return [*told, *(Command(name, *_listed(action)) for name, action in actions.items())]


def _listed(action: Any) -> Sequence[Action]:
    return action if isinstance(action, list | tuple) else [action]


def normalize_instructions(returned: object) -> list[Instruction]:
    """Return the instructions that a tick returned.

    Raises:
        AgentError: If it returned anything but a list of instructions or None.
    """
    if returned is None:
        return []
    if isinstance(returned, INSTRUCTIONS):
        returned = [returned]
    if not isinstance(returned, list | tuple) or not all(isinstance(one, INSTRUCTIONS) for one in returned):
        raise AgentError(
            f"on_tick returned {type(returned).__name__}; return a list of Instruct, Command and SendInfo, "
            "or None."
        )
    if len(returned) > MOST_INSTRUCTIONS:
        raise AgentError(
            f"on_tick returned {len(returned):,} instructions; {MOST_INSTRUCTIONS} are the most."
        )
    return list(returned)
