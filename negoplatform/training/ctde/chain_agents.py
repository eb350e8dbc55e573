"""Agents of a chain of command: those of seats, and those of the principals above them.

They decide in the same way in steps and event by event. An action is taken from the first of these that has
one: a command from above, the given action, the own policy. An agent without any of them does nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.principal import (
    INSTRUCTIONS,
    Command,
    Instruct,
    Instruction,
    PrincipalContext,
)
from negoplatform.agent_api.protocols import Protocol as CommandProtocol
from negoplatform.agent_api.protocols import protocol_of
from negoplatform.core.events import Event
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.visibility import View, observer_of, visible_game
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.strategies.learned.action_codec import ActionCodec
from negoplatform.strategies.learned.codec_choice import codec_of
from negoplatform.strategies.learned.vector_action import VectorAction
from negoplatform.training.ctde.commanded_episode import CommandedEpisode, member_context
from negoplatform.training.ctde.proxy_agent import ACTIVE, RESULT, REWARD, TIMED_OUT, LocalState, ProxyAgent

Layered = Mapping[str, Any]
"""Actions of one agent and of those below it: ``{"self": …, "subordinates": {id: {…}}}``."""


class ObservationPolicy(Protocol):
    """Policy of an agent."""

    def forward(self, observation: Observation) -> Any:
        """Return the action for an observation: an action, its numbers in order, or ``{"c": …, "d": …}``.

        NumPy accepts the observation as it is. A principal's policy may also return a mandate or
        instructions.
        """
        ...


class ChainAgent(ABC):
    """Agent of a chain of command. Override the methods of its local state for other results.

    Args:
        agent_id: The seat, the principal, or ``system``.
        level: 1 for a seat, 2 or 3 for a principal, 3 for the system.
        policy: Its policy; None: it does only what it is given.
        subordinates: The agents directly below it.
    """

    action: VectorAction
    """The last action; neutral if it did nothing."""

    def __init__(
        self,
        agent_id: str,
        level: int,
        policy: ObservationPolicy | None = None,
        subordinates: Sequence[ChainAgent] = (),
    ) -> None:
        self.agent_id = agent_id
        self.level = level
        self.policy = policy
        self.subordinates = {one.agent_id: one for one in subordinates}
        self.timestep = 0.0
        """Session time of its last step, in seconds."""
        self._episode: CommandedEpisode | None = None
        self._from_above: Any = None

    def __iter__(self) -> Iterator[ChainAgent]:
        """Iterate over this agent and all below it, top-down."""
        yield self
        for one in self.subordinates.values():
            yield from one

    # Beginning of an episode

    def begin(self, game: GameSpec, codec: str | None) -> None:
        """Begin a game, with a fresh neutral action; those below begin first."""
        for one in self.subordinates.values():
            one.begin(game, codec)
        self.timestep, self._from_above = 0.0, None
        self.action = self.init_action(game, codec)

    def join(self, episode: CommandedEpisode | None, proxy: ProxyAgent) -> None:
        """Join an episode in steps, and register with its proxy; those below do so too."""
        self._episode = episode
        proxy.register_agent(self.agent_id, self.level)
        for one in self.subordinates.values():
            one.join(episode, proxy)

    @abstractmethod
    def init_action(self, game: GameSpec, codec: str | None) -> VectorAction:
        """Return the neutral action, with the dimensions that this game has for it."""

    def neutral(self) -> VectorAction:
        """Return a neutral action with the dimensions of its own."""
        fresh = self.action.copy()
        fresh.reset()
        return fresh

    # Actions

    def set_action(self, action: Any) -> None:
        """Set the action; values beyond their range are clipped.

        Raises:
            NegoError: If it has other dimensions.
        """
        self.action.set_values(action)

    def compute_action(self, observation: Observation) -> None:
        """Set the action that the policy chooses; neutral without a policy."""
        if self.policy is None:
            self.action.reset()
        else:
            self.set_action(self.policy.forward(observation=observation))

    def execute(self, layered: Layered, proxy: ProxyAgent) -> None:
        """Decide in one step: the agent itself, and then those below it."""
        self.handle_self_action(layered["self"], proxy)
        self.handle_subordinate_actions(layered["subordinates"], proxy)

    def handle_self_action(self, action: Any, proxy: ProxyAgent) -> None:
        """Decide: a command from above counts, else the given action, else that of the policy.

        Args:
            action: The given action; None: none is given.
            proxy: The proxy, for the observation of the policy.

        Raises:
            NegoError: If the action does not fit.
        """
        above, self._from_above = self._from_above, None
        if self._follow_command():
            self.action.reset()
            return
        given = action if above is None else above
        if given is not None:
            self.set_action(given)
        elif self.policy is not None:
            self.compute_action(proxy.get_observation(self.agent_id, self.level))
        else:
            self.action.reset()
            return
        self._apply(proxy)

    def handle_subordinate_actions(self, layered: Mapping[str, Layered], proxy: ProxyAgent) -> None:
        """Have those directly below decide, in their order."""
        for name, one in self.subordinates.items():
            one.execute(layered[name], proxy)

    def send_subordinate_action(self, agent_id: str, action: Any) -> None:
        """Set the action of one directly below, which counts before its own; for this step alone."""
        self.subordinates[agent_id]._from_above = action

    def _follow_command(self) -> bool:
        """Follow a command that the record holds; return whether there is one."""
        return False

    @abstractmethod
    def _apply(self, proxy: ProxyAgent) -> None:
        """Apply the action of this step."""

    @property
    def _joined(self) -> CommandedEpisode:
        if self._episode is None:
            raise NegoError("There is no episode in steps; call reset(seed) first.")
        return self._episode

    # Results, from the filtered local state alone

    def compute_local_reward(self, local_state: LocalState) -> float:
        """Return the reward of the last step.

        Args:
            local_state: The own visible features, and ``OwnResult``: vectors by feature.
        """
        return float(local_state[RESULT][REWARD])

    def is_terminated(self, local_state: LocalState) -> bool:
        """Return whether the agent plays no more, and not because time was up."""
        result = local_state[RESULT]
        return not result[ACTIVE] and not result[TIMED_OUT]

    def is_truncated(self, local_state: LocalState) -> bool:
        """Return whether the agent plays no more because time was up."""
        result = local_state[RESULT]
        return not result[ACTIVE] and bool(result[TIMED_OUT])

    def get_local_info(self, local_state: LocalState) -> dict[str, Any]:
        """Return further values, which JSON can hold: the points."""
        return {"points": float(local_state[RESULT][0])}

    def tick_result(self, local_state: LocalState) -> dict[str, Any]:
        """Return the result of a tick, JSON values: reward, terminated, truncated and info."""
        return {
            "reward": self.compute_local_reward(local_state),
            "terminated": self.is_terminated(local_state),
            "truncated": self.is_truncated(local_state),
            "info": self.get_local_info(local_state),
        }


class FieldAgent(ChainAgent):
    """Agent of a seat.

    Args:
        agent_id: The seat.
        policy: Its policy; None: it does only what it is given, or an agent of the session plays the seat.
    """

    codec: ActionCodec
    """Codec of its actions."""

    def __init__(self, agent_id: str, policy: ObservationPolicy | None = None) -> None:
        super().__init__(agent_id, 1, policy)

    def init_action(self, game: GameSpec, codec: str | None) -> VectorAction:
        """Return the action of the seat's codec that waits."""
        self.codec = codec_of(visible_game(game, observer_of(game, self.agent_id)), self.agent_id, codec)
        return self.codec.init_action()

    def script(self, ctx: AgentContext) -> list[Action]:
        """Return the acts that its action means in a moment."""
        return self.codec.decode(self.action, ctx)

    def _follow_command(self) -> bool:
        # The episode performs it in place of whatever is decided here.
        return self._joined.is_commanded(self.agent_id)

    def _apply(self, proxy: ProxyAgent) -> None:  # noqa: ARG002 - that of all agents
        self._joined.decide(self.agent_id, self.action)


class CoordinatorAgent(ChainAgent):
    """Agent of a principal.

    Its action is the actions of those directly below it, one after the other. The protocol of the game's file
    decomposes it; what a member's part means becomes a command, and a part that waits leaves the member its
    own decision. Instead of an action it may decide on a mandate (values by name) or on instructions.

    Args:
        agent_id: The principal.
        level: Its level, 2 or 3.
        policy: Its policy.
        subordinates: The agents directly below it.
    """

    decision: Mapping[str, Any] | list[Instruction] | None = None
    """The last mandate or instructions; None if it decided on an action."""

    def init_action(self, game: GameSpec, codec: str | None) -> VectorAction:
        """Return the neutral action: first all continuous values of the members, then all their choices."""
        self.decision = None
        own = visible_game(game, observer_of(game, self.agent_id))
        self._codecs = {seat: codec_of(own, seat, codec) for seat in game.seats_below(self.agent_id)}
        return joined_action([one.action for one in self.subordinates.values()])

    def hear(self, event: Event) -> None:
        """Observe an event that the principal sees."""
        for codec in self._codecs.values():
            codec.hear(event)

    def join(self, episode: CommandedEpisode | None, proxy: ProxyAgent) -> None:
        """Join an episode in steps, and observe what the principal sees of it."""
        super().join(episode, proxy)
        if episode is not None:
            episode.listen(self.agent_id, self.hear)

    def set_action(self, action: Any) -> None:
        """Set the action: numbers, a mandate (values by name), or a list of instructions.

        Raises:
            NegoError: If it has other dimensions, or the list has anything but instructions.
        """
        self.decision = None
        if isinstance(action, Mapping) and not {"c", "d"}.issuperset(action):
            self.decision = dict(action)
        elif isinstance(action, INSTRUCTIONS):
            self.decision = [action]
        elif isinstance(action, list | tuple) and any(isinstance(one, INSTRUCTIONS) for one in action):
            self.decision = list(action)
            if not all(isinstance(one, INSTRUCTIONS) for one in action):
                raise NegoError(f"The instructions of {self.agent_id} are Instruct, Command and SendInfo.")
        else:
            super().set_action(action)
            return
        self.action.reset()

    def compute_action(self, observation: Observation) -> None:
        """Set the decision of the policy; none without a policy."""
        self.decision = None
        super().compute_action(observation)

    def instructions(self, view: View, now: float) -> list[Instruction]:
        """Return the instructions that its decision means in a moment.

        Args:
            view: The principal's view.
            now: Session time, in seconds.

        Raises:
            NegoError: If its protocol cannot decompose the decision; a sentence.
        """
        if isinstance(self.decision, list):
            return self.decision
        protocol = protocol_of(view.state.game.principals[self.agent_id].protocol)
        if self.decision is None:
            return self._commands(self.action, protocol, view, now, self._codecs)
        ctx = PrincipalContext(view, now, Random(0))
        messages, _ = protocol.coordinate(ctx.observation, self.decision, ctx.get_info(), {})
        # Without a protocol each member gets the mandate as it is.
        mandates = messages or {name: dict(self.decision) for name in self.subordinates}
        return [Instruct(name, mandate) for name, mandate in mandates.items()]

    def _commands(
        self,
        action: VectorAction,
        protocol: CommandProtocol,
        view: View,
        now: float,
        codecs: Mapping[str, ActionCodec],
    ) -> list[Instruction]:
        """Return an action as commands, as far as the view of the agent at the top of them allows."""
        if action == self.neutral():
            return []
        found: list[Instruction] = []
        for name, part in decompose(action, self.subordinates, protocol, now, self.agent_id).items():
            member = self.subordinates[name]
            inner: Sequence[Any]
            if isinstance(member, CoordinatorAgent):
                below = protocol_of(view.state.game.principals[name].protocol)
                inner = member._commands(part, below, view, now, codecs)
            else:
                inner = codecs[name].decode(part, member_context(view, name, now))
            if inner:
                found.append(Command(name, *inner, replace_pending=True))
        return found

    def _follow_command(self) -> bool:
        return self._joined.pass_on(self.agent_id)

    def _apply(self, proxy: ProxyAgent) -> None:  # noqa: ARG002 - that of all agents
        episode = self._joined
        episode.give(self.agent_id, self.instructions(episode.view(self.agent_id), episode.now))


def joined_action(members: Sequence[VectorAction]) -> VectorAction:
    """Return the neutral action with the values of several ones: first the continuous, then the choices."""
    low = [number for one in members for number in one.range[0]]
    high = [number for one in members for number in one.range[1]]
    ncats = [count for one in members for count in one.ncats]
    return VectorAction(len(low), len(ncats), (low, high), ncats)


def decompose(
    action: VectorAction,
    members: Mapping[str, ChainAgent],
    protocol: CommandProtocol,
    now: float,
    whose: str,
) -> dict[str, VectorAction]:
    """Return the parts of an action for each member, as a protocol decomposes it.

    Args:
        action: The action of the one above them, as of :func:`joined_action`.
        members: The members, in order.
        protocol: The protocol.
        now: Session time, in seconds.
        whose: The one above them, for errors.

    Raises:
        NegoError: If the protocol decomposes no actions.
    """
    numbers: list[float] = []
    at_c = at_d = 0
    for member in members.values():
        own = member.action
        numbers += [*action.c[at_c : at_c + own.dim_c], *action.d[at_d : at_d + own.dim_d]]
        at_c, at_d = at_c + own.dim_c, at_d + own.dim_d
    known = {name: {"action_size": one.action.dim_c + one.action.dim_d} for name, one in members.items()}
    _, parts = protocol.coordinate(None, numbers, known, {"timestamp": now})
    if not parts:
        raise NegoError(
            f"The protocol of {whose} decomposes no action; set it to 'vertical' in the game's file, or give "
            "a mandate or instructions."
        )
    found = {}
    for name, part in parts.items():
        found[name] = members[name].neutral()
        found[name].set_values(part)
    return found
