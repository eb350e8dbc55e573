"""Environment of PettingZoo in which learners act one after the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.conversions import parallel_to_aec

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.training.game_seeds import GameSeeds
from negoplatform.training.negotiation_env import NegotiationEnv
from negoplatform.training.negotiation_parallel_env import (
    NegotiationParallelEnv,
    raw_state,
)
from negoplatform.training.setup import checked_seed, game_seed_of


class NegotiationAECEnv(AECEnv[Seat, Any, Any]):  # type: ignore[misc]  # it has no types
    """Environment of one learner on the fast path, with the loop of ``agent_iter`` and ``last``.

    Equal to the converted :class:`NegotiationParallelEnv`, which plays sessions.

    Args:
        single: The environment of the learner.
        seeds: The seeds of episodes.
    """

    metadata: dict[str, Any] = NegotiationParallelEnv.metadata

    def __init__(self, single: NegotiationEnv, seeds: GameSeeds) -> None:
        super().__init__()
        self._single = single
        self._seat = single.seat
        self.possible_agents: list[Seat] = [single.seat]
        self.agents: list[Seat] = []
        self.render_mode = None
        self._rng = np.random.default_rng()
        self._seeds = seeds

    def _check_learner(self, agent: Seat) -> None:
        if agent != self._seat:
            game = self._single.settings.game.name
            raise NegoError(f"{game} has no learner {agent!r}; its learners are {self._seat}.")

    def observation_space(self, agent: Seat) -> spaces.Space[Any]:
        """Return the space of the learner's observations.

        Raises:
            NegoError: If the learner has another seat.
        """
        self._check_learner(agent)
        return self._single.observation_space

    def action_space(self, agent: Seat) -> spaces.Space[Any]:
        """Return the space of the learner's actions.

        Raises:
            NegoError: If the learner has another seat.
        """
        self._check_learner(agent)
        return self._single.action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; for the arguments see :meth:`NegotiationParallelEnv.reset`."""
        if seed is not None:
            self._rng = np.random.default_rng(checked_seed(seed))
        game_seed = game_seed_of(options, self._seeds.next(self._rng))
        self._observation, info = self._single.reset(options={"game_seed": game_seed})
        del info["game_seed"]
        seat = self._seat
        self.agents, self.agent_selection = [seat], seat
        self.rewards, self._cumulative_rewards = {seat: 0.0}, {seat: 0.0}
        self.terminations, self.truncations = {seat: False}, {seat: False}
        self.infos = {seat: info}

    def observe(self, agent: Seat) -> Any:  # noqa: ARG002 - there is one
        """Return the learner's observation."""
        return self._observation

    def step(self, action: Any) -> None:
        """Perform an action, and move on by one step; None after the end of the episode.

        Raises:
            NegoError: If there is no episode, or the action has other dimensions.
        """
        seat = self._seat
        if not self.agents:
            raise NegoError("There is no episode; call reset() first.")
        if self.terminations[seat] or self.truncations[seat]:
            if action is not None:
                raise NegoError("The episode is over; its last step is None.")
            self._leave()
            return
        self._observation, reward, terminated, truncated, info = self._single.step(action)
        self.rewards[seat] = self._cumulative_rewards[seat] = reward
        self.terminations[seat], self.truncations[seat] = terminated, truncated
        self.infos[seat] = info

    def _leave(self) -> None:
        """Remove the learner, as ``_was_dead_step`` does for one of several."""
        self.agents.clear()
        values: dict[Seat, Any]
        for values in (
            self.rewards,
            self._cumulative_rewards,
            self.terminations,
            self.truncations,
            self.infos,
        ):
            values.clear()

    def state(self) -> NDArray[np.float32]:
        """Return everything as numbers, as :meth:`NegotiationParallelEnv.state`.

        The episode goes on in a session.
        """
        return raw_state(self._single.play_session())

    def render(self) -> None:
        """Return None: there is no render mode."""

    def close(self) -> None:
        """End the episode."""
        self._single.close()
        self.agents = []


def env(game: GameSpec | str | Path, **options: Any) -> AECEnv[Seat, Any, Any]:
    """Return the environment of a game in which the learners act one after the other.

    As :func:`parallel_env`, with the loop of ``agent_iter`` and ``last``. One learner plays on the fast path
    where :class:`NegotiationEnv` does.
    """
    parallel = NegotiationParallelEnv(game, **options)
    settings = parallel.settings
    if len(settings.learners) == 1 and options.get("render_mode") is None and settings.log is None:
        kept = {name: options[name] for name in ("reward", "observation") if name in options}
        single = NegotiationEnv(
            settings.game,
            seat=settings.learners[0],
            opponents=settings.opponents,
            step_seconds=settings.step_seconds,
            codec=settings.codec,
            **kept,
        )
        if single.has_fast_path:
            return NegotiationAECEnv(single, parallel.seeds)
    return parallel_to_aec(parallel)
