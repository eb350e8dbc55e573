"""Environment of Gymnasium: one learner, and agents in all other seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium

from negoplatform.agent_api.context import AgentContext
from negoplatform.app.simulation.bidder_context import NeedsFullPathError
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.training.episode import STEP_SECONDS, Episode, EpisodeSettings
from negoplatform.training.fast_path.fast_episode import FastEpisodes
from negoplatform.training.game_seeds import SEEDS, GameSeeds
from negoplatform.training.negotiation_parallel_env import (
    RENDER_MODES,
    check_forms,
    describe,
    info_of,
)
from negoplatform.training.rewards import Reward, final_points, reward_of, score_change
from negoplatform.training.setup import checked_seed, find_settings, game_seed_of
from negoplatform.training.spaces import (
    action_space,
    observation_space,
    observed,
    vector_action,
)

_Step = tuple[Any, float, bool, bool, dict[str, Any]]


class NegotiationEnv(gymnasium.Env[Any, Any]):
    """Environment of one learner; ``gymnasium.make("negoplatform/Negotiation-v0", game=…)`` makes it.

    Steps, observations, masks, rewards and ends are those of :class:`NegotiationParallelEnv`. Where the game
    and the agents allow it, episodes take the fast path of ``negoplatform simulate``, with the same results:
    in bargaining games of two seats with complete offers, against agents with an index strategy, with the
    codec ``terms``, rewards by name, observations as vectors, no logs and no rendering.

    Args:
        game: The game, or its name or file.
        seat: The learner's seat; None: the first that a participant does not take.
        opponent: The agent of all other seats.
        opponents: Agents of some seats, in place of ``opponent``.
        step_seconds: Session time of a step, in seconds.
        codec: The name of the codec of actions; None: the usual one of this kind of game.
        reward: ``final_points``, ``score_change``, or a function of the seat's context before and after.
        observation: ``vector`` or ``dict``.
        seeds: The seeds of episodes are drawn from 0 and those below this number.
        log: A folder for an ordinary log of every episode; None: no logs.
        fast: Whether episodes may take the fast path.
        render_mode: ``ansi``: :meth:`render` returns a text; None: it returns None.

    Raises:
        NegoError: If there is no such game, seat or agent, or an option does not fit.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012 - as in Gymnasium

    def __init__(
        self,
        game: GameSpec | str | Path = "campsite",
        *,
        seat: Seat | None = None,
        opponent: AgentPlugin | str = "boulware",
        opponents: Mapping[Seat, AgentPlugin | str] | None = None,
        step_seconds: float = STEP_SECONDS,
        codec: str | None = None,
        reward: str | Reward = "final_points",
        observation: str = "vector",
        seeds: int = SEEDS,
        log: Path | str | None = None,
        fast: bool = True,
        render_mode: str | None = None,
    ) -> None:
        check_forms(observation, render_mode)
        self.render_mode = render_mode
        self.settings: EpisodeSettings = find_settings(
            game,
            opponents or {},
            learner=seat,
            opponent=opponent,
            step_seconds=step_seconds,
            codec=codec,
            log=log,
        )
        self.seat: Seat = self.settings.learners[0]
        """The learner's seat."""
        self._seeds = GameSeeds(seeds)
        self._reward = reward_of(reward)
        self._as_dict = observation == "dict"
        first = Episode(replace(self.settings, log=None), 0)
        self._codec = first.learners[self.seat].codec
        self.action_space = action_space(self._codec)
        self.observation_space = observation_space(first.observation(self.seat), as_dict=self._as_dict)
        first.finish()
        by_name = self._reward in (final_points, score_change)
        suited = fast and by_name and not self._as_dict and render_mode is None
        self._fast: FastEpisodes | None = None
        if suited and FastEpisodes.suits(self.settings):
            self._fast = FastEpisodes(self.settings, pays_change=self._reward is score_change)
        self._playing: FastEpisodes | None = None
        """The fast path, while the present episode takes it."""
        self._game_seed = 0
        self.episode: Episode | None = None
        """The present episode's session; None before the first reset, and on the fast path."""
        self._before: AgentContext | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: The seed of the first of the episodes that follow, which are then the same again; None: the
                next one.
            options: ``{"game_seed": N}``: the seed of this episode's session, as that of a game of
                ``negoplatform simulate``; others are ignored.

        Returns:
            The observation, and the info with ``action_mask`` and ``game_seed``.

        Raises:
            NegoError: If a seed is none, an agent cannot be prepared, or the log cannot be written.
        """
        if seed is not None:
            super().reset(seed=checked_seed(seed))
        game_seed = self._seeds.next(self.np_random)
        if options:
            game_seed = game_seed_of(options, game_seed)
        self._game_seed = game_seed
        if self.episode is not None:
            self._close_episode()
        fast = self._fast
        if fast is not None and fast.begin(game_seed):
            self._playing = fast
            info = fast.info()
            info["game_seed"] = game_seed
            return fast.observation(), info
        self._begin_session()
        observation, info = self._observed()
        info["game_seed"] = game_seed
        return observation, info

    def step(self, action: Any) -> _Step:
        """Perform an action of this moment, and move on by one step.

        Args:
            action: An element of the action space, or a :class:`VectorAction`.

        Returns:
            The observation, the reward, whether it is terminated, whether it is truncated, and the info with
            ``action_mask``, ``refused`` and, at the end, ``points``.

        Raises:
            NegoError: If there is no episode, or the action has other dimensions.
        """
        playing = self._playing
        if playing is None:
            return self._step_session(action)
        try:
            return playing.step(action)
        except NeedsFullPathError:
            return self._change_paths(playing.actions)

    def _change_paths(self, actions: Sequence[tuple[int, ...]]) -> _Step:
        """Go on with the episode in a session, which repeats it up to here; return the last step."""
        self._begin_session()
        for action in actions[:-1]:
            self._step_session(action)
        return self._step_session(actions[-1])

    @property
    def has_fast_path(self) -> bool:
        """Whether episodes may take the fast path."""
        return self._fast is not None

    def play_session(self) -> Episode:
        """Go on with the present episode in a session, which repeats it up to here; return it.

        Raises:
            NegoError: If there is no episode.
        """
        if self._playing is not None:
            actions = self._playing.actions
            self._begin_session()
            for action in actions:
                self._step_session(action)
        if self.episode is None:
            raise NegoError("There is no episode; call reset() first.")
        return self.episode

    def _begin_session(self) -> None:
        self._playing = None
        self.episode = Episode(self.settings, self._game_seed)
        self._before = self.episode.context(self.seat)

    def _step_session(self, action: Any) -> _Step:
        episode, before = self.episode, self._before
        if episode is None or before is None:
            raise NegoError("There is no episode; call reset() first.")
        episode.act({self.seat: vector_action(self._codec, action)})
        episode.advance()
        observation, info = self._observed()
        assert self._before is not None
        reward = self._reward(before, self._before)
        terminated, truncated = episode.end_of(self.seat)
        if episode.ending is not None:
            episode.finish()  # last words come after the last observation
        return observation, reward, terminated, truncated, info

    def _observed(self) -> tuple[Any, dict[str, Any]]:
        episode = self.episode
        assert episode is not None
        ctx = self._before = episode.context(self.seat)
        return observed(ctx.observation, as_dict=self._as_dict), info_of(episode, self.seat, ctx)

    def render(self) -> str | None:
        """Return the state of the session in a few lines; None without a render mode."""
        if self.render_mode is None:
            return None
        if self.episode is None:
            raise NegoError("There is no episode; call reset() first.")
        return describe(self.episode)

    def close(self) -> None:
        """End the episode; the log of one that is not over ends where it is."""
        self._close_episode()

    def _close_episode(self) -> None:
        self._playing = None
        if self.episode is not None:
            self.episode.finish()
            self.episode, self._before = None, None
