"""Environments of PettingZoo: every seat that has no agent is a learner's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.features.numeric_features import LARGEST_VALUE
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.session_features import feature_states
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.training.episode import STEP_SECONDS, Episode, EpisodeSettings
from negoplatform.training.game_seeds import SEEDS, GameSeeds
from negoplatform.training.rewards import Reward, reward_of
from negoplatform.training.setup import checked_seed, find_settings, game_seed_of
from negoplatform.training.spaces import (
    action_mask,
    action_space,
    observation_space,
    observed,
    vector_action,
)

RENDER_MODES = ["ansi"]


class NegotiationParallelEnv(ParallelEnv[Seat, Any, Any]):  # type: ignore[misc]  # it has no types
    """Parallel environment of a game: all learners act in each step, in the game's order of seats.

    A step performs the actions, moves session time by ``step_seconds`` or to the end of the game, and lets
    the agents of the other seats act on the way. An action that the rules refuse changes nothing.

    An observation is the vector of ``ctx.observation``, or a dict of its features. ``info`` has
    ``action_mask``, the open categories of each choice as ``action_space(seat).sample`` takes them, and
    ``refused``, the reason why the last action was refused; empty if it was not. At the end it has
    ``points``. An episode is terminated by a deal, by quitting or by the end of the last phase, and truncated
    by the deadline.

    Args:
        game: The game, or its name or file.
        opponents: The agents of the other seats, by seat: names, files or plug-ins.
        step_seconds: Session time of a step, in seconds.
        codec: The name of the codec of actions; None: the usual one of this kind of game.
        reward: ``final_points``, ``score_change``, or a function of the seat's context before and after.
        observation: ``vector`` or ``dict``.
        seeds: The seeds of episodes are drawn from 0 and those below this number.
        log: A folder for an ordinary log of every episode; None: no logs.
        render_mode: ``ansi``: :meth:`render` returns a text; None: it returns None.

    Raises:
        NegoError: If there is no such game or agent, or an option does not fit.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as in PettingZoo
        "name": "negoplatform_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        game: GameSpec | str | Path,
        *,
        opponents: Mapping[Seat, AgentPlugin | str] | None = None,
        step_seconds: float = STEP_SECONDS,
        codec: str | None = None,
        reward: str | Reward = "final_points",
        observation: str = "vector",
        seeds: int = SEEDS,
        log: Path | str | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_forms(observation, render_mode)
        self.render_mode = render_mode
        self.settings: EpisodeSettings = find_settings(
            game, opponents or {}, step_seconds=step_seconds, codec=codec, log=log
        )
        self.possible_agents: list[Seat] = list(self.settings.learners)
        self.agents: list[Seat] = []
        self._reward = reward_of(reward)
        self._as_dict = observation == "dict"
        self._rng = np.random.default_rng()
        self.seeds = GameSeeds(seeds)
        """The seeds of episodes."""
        first = Episode(replace(self.settings, log=None), 0)
        self._codecs = {seat: first.learners[seat].codec for seat in self.possible_agents}
        self._action_spaces = {seat: action_space(codec) for seat, codec in self._codecs.items()}
        self._observation_spaces = {
            seat: observation_space(first.observation(seat), as_dict=self._as_dict)
            for seat in self.possible_agents
        }
        self.state_space = spaces.Box(-LARGEST_VALUE, LARGEST_VALUE, (len(raw_state(first)),), np.float32)
        first.finish()
        self.episode: Episode | None = None
        """The present episode; None before the first reset."""
        self._contexts: dict[Seat, AgentContext] = {}

    def observation_space(self, agent: Seat) -> spaces.Space[Any]:
        """Return the space of a seat's observations.

        Raises:
            NegoError: If no learner has the seat.
        """
        self._check_learner(agent)
        return self._observation_spaces[agent]

    def action_space(self, agent: Seat) -> spaces.Space[Any]:
        """Return the space of a seat's actions.

        Raises:
            NegoError: If no learner has the seat.
        """
        self._check_learner(agent)
        return self._action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Seat, Any], dict[Seat, dict[str, Any]]]:
        """Begin an episode.

        Args:
            seed: The seed of the first of the episodes that follow, which are then the same again; None: the
                next one.
            options: ``{"game_seed": N}``: the seed of this episode's session, as that of a game of
                ``negoplatform simulate``; others are ignored.

        Returns:
            Observations and infos of all learners, by seat.

        Raises:
            NegoError: If a seed is none, an agent cannot be prepared, or the log cannot be written.
        """
        if seed is not None:
            self._rng = np.random.default_rng(checked_seed(seed))
        game_seed = game_seed_of(options, self.seeds.next(self._rng))
        self.close()
        self.episode = Episode(self.settings, game_seed)
        self.agents = list(self.possible_agents)
        return self._observations(), {seat: self._info(seat) for seat in self.agents}

    def step(
        self, actions: Mapping[Seat, Any]
    ) -> tuple[
        dict[Seat, Any],
        dict[Seat, float],
        dict[Seat, bool],
        dict[Seat, bool],
        dict[Seat, dict[str, Any]],
    ]:
        """Perform the actions of this moment, and move on by one step.

        Args:
            actions: An element of its action space for each learner that does anything; one that is missing
                waits. Numbers beyond the space are clipped to it. Those of learners that have left are
                ignored.

        Returns:
            Observations, rewards, whether terminated, whether truncated, and infos, by seat.

        Raises:
            NegoError: If there is no episode or it is over, or an action is of no learner, has other
                dimensions or a number that is not finite; nothing has been performed then.
        """
        episode = self._running()
        if not self.agents:
            raise NegoError("This episode is over; call reset() to begin another one.")
        self._check_learners(actions)
        acting, before = list(self.agents), self._contexts
        episode.act(
            {seat: vector_action(self._codecs[seat], actions[seat]) for seat in acting if seat in actions}
        )
        episode.advance()
        observations = self._observations()
        rewards = {seat: self._reward(before[seat], self._contexts[seat]) for seat in acting}
        ends = {seat: episode.end_of(seat) for seat in acting}
        infos = {seat: self._info(seat) for seat in acting}
        self.agents = [seat for seat in acting if not any(ends[seat])]
        if episode.ending is not None:
            episode.finish()  # last words come after the last observation
        terminated = {seat: is_terminated for seat, (is_terminated, _) in ends.items()}
        truncated = {seat: is_truncated for seat, (_, is_truncated) in ends.items()}
        return observations, rewards, terminated, truncated, infos

    def _check_learners(self, actions: object) -> None:
        if not isinstance(actions, Mapping):
            raise NegoError(f"The actions of a step are a mapping by learner, not {actions!r}.")
        for seat in actions:
            self._check_learner(seat)

    def _check_learner(self, seat: Seat) -> None:
        if seat not in self._codecs:
            learners = ", ".join(self.possible_agents)
            raise NegoError(
                f"{self.settings.game.name} has no learner {seat!r}; its learners are {learners}."
            )

    def state(self) -> NDArray[np.float32]:
        """Return everything as numbers, whatever a seat may see: for a centralised critic, never a policy."""
        return raw_state(self._running())

    def render(self) -> str | None:
        """Return the state of the session in a few lines; None without a render mode."""
        if self.render_mode is None:
            return None
        return describe(self._running())

    def close(self) -> None:
        """End the episode; the log of one that is not over ends where it is."""
        if self.episode is not None:
            self.episode.finish()
            self.episode = None
        self.agents = []

    def _running(self) -> Episode:
        if self.episode is None:
            raise NegoError("There is no episode; call reset() first.")
        return self.episode

    def _observations(self) -> dict[Seat, Any]:
        episode = self._running()
        self._contexts = {seat: episode.context(seat) for seat in self.agents}
        return {
            seat: observed(ctx.observation, as_dict=self._as_dict) for seat, ctx in self._contexts.items()
        }

    def _info(self, seat: Seat) -> dict[str, Any]:
        return info_of(self._running(), seat, self._contexts[seat])


def check_forms(observation: str, render_mode: str | None) -> None:
    """Check the form of an environment's observations, and its render mode.

    Raises:
        NegoError: If there is no such form or mode.
    """
    if observation not in ("vector", "dict"):
        raise NegoError(f"The observation is 'vector' or 'dict', not {observation!r}.")
    if render_mode not in (None, *RENDER_MODES):
        raise NegoError(f"The render mode is 'ansi' or None, not {render_mode!r}.")


def info_of(episode: Episode, seat: Seat, ctx: AgentContext) -> dict[str, Any]:
    """Return a learner's info: ``action_mask``, ``refused`` and, at the end, ``points``.

    Args:
        episode: The episode.
        seat: The learner's seat.
        ctx: The context of the seat now.
    """
    codec = episode.learners[seat].codec
    info: dict[str, Any] = {
        "action_mask": action_mask(codec, codec.masks(ctx)),
        "refused": episode.refused.get(seat, ""),
    }
    if ctx.ending is not None and ctx.final_points is not None:
        info["points"] = float(ctx.final_points)
    return info


def raw_state(episode: Episode) -> NDArray[np.float32]:
    """Return everything about an episode's session as numbers, whatever a seat may see."""
    states = feature_states(episode.session.state, now=episode.now)
    return np.array([number for state in states.values() for number in state.vector()], dtype=np.float32)


def describe(episode: Episode) -> str:
    """Return the state of an episode's session in a few lines."""
    state = episode.session.state
    mechanism = mechanism_of(state.game.mechanism)
    lines = [f"{state.game.name} at {episode.now:g} s", *mechanism.describe(state)]
    if episode.ending is not None:
        lines.append(f"ended by {episode.ending.ended_by}")
    return "\n".join(lines)


def parallel_env(game: GameSpec | str | Path, **options: Any) -> NegotiationParallelEnv:
    """Return the parallel environment of a game; for the options see :class:`NegotiationParallelEnv`."""
    return NegotiationParallelEnv(game, **options)
