"""The agent at the top of a chain of command: it plays episodes, in steps or event by event."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from negoplatform.agent_api.protocols import VerticalProtocol
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.visibility_rule import SYSTEM_LEVEL
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SYSTEM, Seat
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.command.chain import Chain
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.strategies.learned.vector_action import VectorAction
from negoplatform.training.ctde.chain_agents import (
    ChainAgent,
    CoordinatorAgent,
    FieldAgent,
    ObservationPolicy,
    decompose,
    joined_action,
)
from negoplatform.training.ctde.commanded_episode import CommandedEpisode, in_steps
from negoplatform.training.ctde.message_mode import MessageEpisode
from negoplatform.training.ctde.proxy_agent import ProxyAgent, StepResults, TickResult
from negoplatform.training.episode import STEP_SECONDS
from negoplatform.training.rewards import Reward, reward_of
from negoplatform.training.setup import find_settings

Observations = dict[str, Observation]
Infos = dict[str, dict[str, Any]]


class SystemAgent(ChainAgent):
    """System of a game: above all its principals, and above the seats that have none.

    Its own action, if it is given one, is the actions of those directly below it, which then counts before
    what they are given or would decide themselves.

    Args:
        game: The game, or its name or file.
        policies: The policies of seats, principals and ``system``, by name.
        agents: Agents of further classes by seat or principal, for results or decisions of their own.
        opponents: Agents of the session by seat: names, files or plug-ins. No action is given to these seats.
        step_seconds: Session time of a step, in seconds.
        codec: The name of the codec of actions; None: the usual one of this kind of game.
        reward: ``final_points``, ``score_change``, or a function of a seat's context before and after.
        log: A folder for an ordinary log of every episode; None: no logs.

    Raises:
        NegoError: If there is no such game or agent, a name is not in the game, or an option does not fit.
    """

    def __init__(
        self,
        game: GameSpec | str | Path,
        *,
        policies: Mapping[str, ObservationPolicy] | None = None,
        agents: Mapping[str, ChainAgent] | None = None,
        opponents: Mapping[Seat, AgentPlugin | str] | None = None,
        step_seconds: float = STEP_SECONDS,
        codec: str | None = None,
        reward: str | Reward = "final_points",
        log: Path | str | None = None,
    ) -> None:
        self.settings = find_settings(game, opponents or {}, step_seconds=step_seconds, codec=codec, log=log)
        self.chain = Chain.of(self.settings.game)
        own, given = dict(policies or {}), dict(agents or {})
        known = self.chain.levels
        if strange := [name for name in (*own, *given) if name not in known]:
            raise NegoError(f"{strange[0]!r} is nowhere in the chain of command: {', '.join(known)}.")
        below = [self._make(name, own, given) for name in self.chain.below[SYSTEM]]
        super().__init__(SYSTEM, SYSTEM_LEVEL, own.get(SYSTEM), below)
        self.proxy = ProxyAgent()
        """The proxy of all episodes."""
        self._reward = reward_of(reward)

    def _make(
        self, name: str, policies: Mapping[str, ObservationPolicy], given: Mapping[str, ChainAgent]
    ) -> ChainAgent:
        below = [self._make(one, policies, given) for one in self.chain.below.get(name, ())]
        agent, policy = given.get(name), policies.get(name)
        if agent is None and name in self.settings.game.seats:
            return FieldAgent(name, policy)
        if agent is None:
            return CoordinatorAgent(name, self.chain.levels[name], policy, below)
        if agent.agent_id != name:
            raise NegoError(f"The agent given for {name!r} has the id {agent.agent_id!r}.")
        agent.subordinates = {one.agent_id: one for one in below}
        agent.policy = policy or agent.policy
        return agent

    # Episodes in steps

    def reset(self, seed: int) -> tuple[Observations, Infos]:
        """Begin an episode in steps: scheduler, broker, proxy and all agents begin afresh.

        Args:
            seed: The seed of everything random in it.

        Returns:
            Observations, which NumPy takes as arrays, and infos of all agents, by id.
        """
        self.close()
        episode = CommandedEpisode(in_steps(self.settings), seed, self._reward)
        self._begin(episode)
        self.join(episode, self.proxy)
        self.proxy.init_global_state()
        return self.observe(self.proxy), self._infos(episode)

    def _begin(self, episode: CommandedEpisode | MessageEpisode) -> None:
        self.begin(episode.game, self.settings.codec)
        self.proxy.attach(episode)

    def execute(self, actions: Mapping[str, Any], proxy: ProxyAgent) -> StepResults:  # type: ignore[override]  # the top is given flat actions
        """Execute one step, and return the results of all agents.

        In this order: commands top-down, then the acts of the seats in the game's order; the session, up to
        the next step; observations of all; rewards, from the filtered local states; the results.

        Args:
            actions: The actions of any agents, by id. An agent without one decides by its policy.
            proxy: The proxy.

        Raises:
            NegoError: If there is no episode, it is over, or an action does not fit.
        """
        episode = self._joined
        if episode.ending is not None:
            raise NegoError("The episode is over; call reset(seed) for the next one.")
        episode.begin_step()
        for agent in self:
            episode.begin_reward(agent.agent_id)
        self.act(actions, proxy)
        self.simulate()
        obs = self.observe(proxy)
        states = {one.agent_id: proxy.get_local_state(one.agent_id, one.level) for one in self}
        proxy.set_step_result(
            obs,
            {one.agent_id: one.compute_local_reward(states[one.agent_id]) for one in self},
            {one.agent_id: one.is_terminated(states[one.agent_id]) for one in self},
            {one.agent_id: one.is_truncated(states[one.agent_id]) for one in self},
            {
                name: info | self._agent_of(name).get_local_info(states[name])
                for name, info in self._infos(episode).items()
            },
        )
        episode.finish_if_over()
        return proxy.get_step_results()

    def layer_actions(self, actions: Mapping[str, Any]) -> dict[str, Any]:
        """Return actions by id as the tree of the chain: ``{"self": …, "subordinates": {id: {…}}}``.

        Raises:
            NegoError: If an action is of a name that is not in the chain.
        """
        return self.chain.layer(actions)

    def act(self, actions: Mapping[str, Any], proxy: ProxyAgent) -> None:
        """Apply actions: commands top-down, then the acts of the seats in the game's order."""
        layered = self.layer_actions(actions)
        self.handle_self_action(layered["self"], proxy)
        self.handle_subordinate_actions(layered["subordinates"], proxy)
        self._joined.perform()

    def simulate(self) -> None:
        """Move the session on by one step: what is due happens, by the rules of the game."""
        episode = self._joined
        episode.advance()
        for agent in self:
            agent.timestep = episode.now

    def observe(self, proxy: ProxyAgent) -> Observations:
        """Return the observations of all agents, by id."""
        return {one.agent_id: proxy.get_observation(one.agent_id, one.level) for one in self}

    def close(self) -> None:
        """End the episode; the log of one that is not over ends where it is."""
        if self._episode is not None:
            self._episode.finish()
        for agent in self:
            agent._episode = None
        self.proxy.reset()

    # Episodes event by event

    def run_event_driven(
        self, seed: int, timings: AgentTiming | Mapping[Seat, AgentTiming] | None = None
    ) -> dict[str, list[TickResult]]:
        """Play an episode event by event, to its end, with the same agents; return their tick results.

        Each agent decides at its ticks by its policy, with the observation that it was sent: requests,
        answers and effects take their time on the session's clock. Seats have a tick at the start and at
        those of the game's clock that are ``tick_interval`` apart, principals have the timing of the game's
        file. A decision whose effect is due after the end has no effect and no result of its own.

        Args:
            seed: The seed of everything random in it.
            timings: The timing of each seat, or of all.
        """
        self.close()
        seats = self.settings.learners
        of_seats = timings if isinstance(timings, Mapping) else dict.fromkeys(seats, timings or AgentTiming())
        if strange := [seat for seat in of_seats if seat not in seats]:
            raise NegoError(f"No learner takes the seat {strange[0]!r}, so it gets no timing.")
        self.join(None, self.proxy)
        episode = MessageEpisode(
            self.settings,
            seed,
            self._reward,
            agents={one.agent_id: one for one in self if one is not self},
            timings=of_seats,
            proxy=self.proxy,
            begin=self._begin,
        )
        episode.play()
        return self.proxy.get_tick_results()

    # The system's own action

    def init_action(self, game: GameSpec, codec: str | None) -> VectorAction:  # noqa: ARG002 - that of all agents
        """Return the neutral action: the values of all those directly below it."""
        return joined_action([one.action for one in self.subordinates.values()])

    def _apply(self, proxy: ProxyAgent) -> None:  # noqa: ARG002 - likewise
        parts = decompose(self.action, self.subordinates, VerticalProtocol(), self.timestep, self.agent_id)
        for name, part in parts.items():
            if part != self.subordinates[name].neutral():
                self.send_subordinate_action(name, part)

    def _agent_of(self, name: str) -> ChainAgent:
        return next(agent for agent in self if agent.agent_id == name)

    def _infos(self, episode: CommandedEpisode) -> Infos:
        """Return the infos of all agents: open categories, refusals, and whether a command was followed."""
        found: Infos = {}
        for agent in self:
            name = agent.agent_id
            found[name] = {
                "refused": episode.refused.get(name, ""),
                "commanded": name in episode.commanded,
            }
            if name in episode.learners:
                masks = episode.learners[name].codec.masks(episode.context(name))
                found[name]["action_mask"] = tuple(np.array(mask, dtype=np.int8) for mask in masks)
        return found
