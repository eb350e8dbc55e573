"""Vector environment of Gymnasium: one learner in each of many games, which are played at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.training.episode import STEP_SECONDS
from negoplatform.training.fast_path.fast_episode import Masks
from negoplatform.training.fast_path.vector_draws import Ints
from negoplatform.training.fast_path.vector_games import OUT_OF_TIME, REFUSALS, RUNNING, VectorGames
from negoplatform.training.fast_path.vector_profiles import Floats
from negoplatform.training.game_seeds import SEEDS, VectorSeeds
from negoplatform.training.rewards import final_points, reward_of, score_change
from negoplatform.training.setup import checked_options, checked_seed, find_settings
from negoplatform.training.spaces import action_space, vector_space

ALTERNATIVE = "For others make many single environments: gymnasium.make_vec(…, vectorization_mode='sync')."

Batch = tuple[NDArray[np.float32], Floats, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
"""Result of a step: observations, rewards, terminations, truncations and infos."""


class NegotiationVectorEnv(VectorEnv[NDArray[np.float32], Any, NDArray[Any]]):
    """Environments of one learner each, as many as wanted, all of which are played at once in NumPy.

    ``gymnasium.make_vec("negoplatform/Negotiation-v0", num_envs=…, game=…, opponent=…,
    vectorization_mode="vector_entry_point")`` makes it. It is equal to a ``SyncVectorEnv`` of as many
    :class:`NegotiationEnv`, with the same seeds, apart from the form of the masks.

    It plays bargaining games of two seats with complete offers and without turns, against agents whose
    decisions follow from the clock alone, with the codec ``terms``.

    Infos have ``action_mask``, an array of ``num_envs`` rows with the masks of all choices side by side, 1
    or 0 each; ``refused``, the reasons why the last actions were refused, empty where they were not;
    ``game_seed`` of the games that have just begun; and ``points`` of those that have ended. As in
    Gymnasium, ``_game_seed`` and so on say in which environments there is such a value, and with the mode
    ``SAME_STEP`` ``final_obs`` and ``final_info`` have the last observations and infos of the games that
    have ended.

    Args:
        game: The game, or its name or file.
        num_envs: The number of environments.
        seat: The learner's seat; None: the first that a participant does not take.
        opponent: The agent of the other seat.
        opponents: The agent of the other seat, by seat, in place of ``opponent``.
        step_seconds: Session time of a step, in seconds.
        codec: ``terms``, or None.
        reward: ``final_points`` or ``score_change``.
        seeds: The seeds of games are drawn from 0 and those below this number.
        autoreset_mode: When environments whose games have ended begin the next one; see Gymnasium's
            ``AutoresetMode``.

    Raises:
        NegoError: If there is no such game, seat or agent, an option does not fit, or the game or the agent
            cannot be played so.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as in Gymnasium

    def __init__(
        self,
        game: GameSpec | str | Path = "campsite",
        *,
        num_envs: int = 1,
        seat: Seat | None = None,
        opponent: AgentPlugin | str = "boulware",
        opponents: Mapping[Seat, AgentPlugin | str] | None = None,
        step_seconds: float = STEP_SECONDS,
        codec: str | None = None,
        reward: str = "final_points",
        seeds: int = SEEDS,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **others: Any,
    ) -> None:
        _check_others(others)
        if isinstance(num_envs, bool) or not isinstance(num_envs, int) or num_envs < 1:
            raise NegoError(f"The number of environments is a whole number from 1 up, not {num_envs!r}.")
        paid = reward_of(reward)
        if paid not in (final_points, score_change):
            raise NegoError(
                f"The reward of many games at once is final_points or score_change. {ALTERNATIVE}"
            )
        self._seeds = VectorSeeds(num_envs, seeds)
        self._pays_change = paid is score_change
        self._mode = _mode_of(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        settings = find_settings(
            game,
            opponents or {},
            learner=seat,
            opponent=opponent,
            step_seconds=step_seconds,
            codec=codec,
            log=None,
        )
        try:
            self._games = games = VectorGames(settings, num_envs)
        except NegoError as error:
            raise NegoError(f"{error} {ALTERNATIVE}") from error
        self.seat: Seat = settings.learners[0]
        """The learners' seat."""
        self.num_envs = num_envs
        self.single_action_space = action_space(games.codec)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = vector_space(games.combinations.templates.shape[1])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._all_games = np.arange(num_envs)
        self._has_ended = np.ones(num_envs, dtype=bool)
        self._has_begun = np.zeros(num_envs, dtype=bool)
        self._scores: Floats = np.zeros(num_envs)
        self._masks = _all_masks(games.codec.ncats)
        self._refusals = np.array(REFUSALS, dtype=object)
        self._ncats = np.array(games.codec.ncats, dtype=np.int64)

    # A tuple, and not to be set, as in Gymnasium's own vector environments.

    @property  # type: ignore[misc]  # it can be set there
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The generators of the environments, from which the seeds of games are drawn."""
        return tuple(self._seeds.generators)

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seeds of the generators of the environments."""
        return tuple(self._seeds.generator_seeds)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a game in each environment.

        Args:
            seed: The seed of the first environment, of which the others' seeds follow; or the seed of each,
                where None goes on with the seeds that it has; None: all go on.
            options: ``{"game_seed": N}``: the seed of the games, or of each; ``{"reset_mask": FLAGS}``:
                whether to begin a game in each environment, an array of booleans. Others are ignored.

        Returns:
            The observations and infos.

        Raises:
            NegoError: If a seed is none, there are fewer or more seeds or flags than environments, or no flag
                is set. Nothing is changed then.
        """
        given = checked_options(options)
        games, seeds = self._masked(given), self._seeds_of(seed)
        of_games = self._game_seeds(given["game_seed"]) if "game_seed" in given else None
        self._seeds.reseed(games, seeds)
        drawn = self._seeds.draw(games)  # a seed that is given takes the place of one, as in a single one
        if of_games is not None:
            drawn = of_games[games]
        self._begin(games, drawn)
        infos = self._infos(games)
        _add(infos, "game_seed", self.num_envs, games, drawn)
        return self._games.observations(), infos

    def _masked(self, options: Mapping[str, Any]) -> Ints:
        mask = options.get("reset_mask")
        if mask is None:
            return self._all_games
        flags = np.asarray(mask)
        if flags.dtype != np.bool_ or flags.shape != (self.num_envs,) or not flags.any():
            raise NegoError(
                f"A reset mask is an array of {self.num_envs} booleans, at least one of them True."
            )
        return flags.nonzero()[0]

    def _seeds_of(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if not isinstance(seed, list | tuple | range | np.ndarray):
            first = checked_seed(seed)
            return range(first, first + self.num_envs)
        self._check_count(seed)
        return [None if each is None else checked_seed(each) for each in seed]

    def _game_seeds(self, given: object) -> Ints:
        if isinstance(given, list | tuple | range | np.ndarray):
            self._check_count(given)
            return np.array([checked_seed(each, "game_seed") for each in given], dtype=np.int64)
        return np.full(self.num_envs, checked_seed(given, "game_seed"), dtype=np.int64)

    def _check_count(self, seeds: Sized) -> None:
        if len(seeds) != self.num_envs:
            raise NegoError(f"There are {self.num_envs} environments, and here are {len(seeds)} seeds.")

    def _begin(self, games: Ints, seeds: Ints) -> None:
        self._games.begin(games, seeds)
        self._has_ended[games], self._has_begun[games] = False, True
        if self._pays_change:
            self._scores[games] = self._games.scores()[games]

    def step(self, actions: Any) -> Batch:
        """Perform an action in each environment, and move on by one step.

        Args:
            actions: An element of the action space: a row for each environment.

        Returns:
            The observations, the rewards, whether each is terminated, whether each is truncated, and the
            infos. With the mode ``NEXT_STEP``, an environment whose game ended in the step before begins the
            next one and ignores its action.

        Raises:
            NegoError: If there is an environment without a game, or the actions have other dimensions.
        """
        if not self._has_begun.all():
            raise NegoError("There are no games; call reset() first.")
        chosen = self._checked(actions)
        games, renewed = self._games, self._has_ended.nonzero()[0]
        if len(renewed) and self._mode is AutoresetMode.DISABLED:
            raise NegoError(f"The game of environment {renewed[0]} has ended; reset it first.")
        games.step(chosen[:, 0], games.outcomes_of(chosen[:, 1:]))
        ended = games.course != RUNNING
        seeds = np.zeros(0, dtype=np.int64)
        if len(renewed):
            # Their earlier games are still over here: games that have ended take no action.
            seeds = self._seeds.draw(renewed)
            self._begin(renewed, seeds)
            ended[renewed] = False
        out_of_time = ended & (games.course == OUT_OF_TIME)
        over = ended.nonzero()[0]
        rewards, points = self._rewards(ended, over, renewed)
        self._has_ended = ended
        terminated = ended & ~out_of_time
        if len(over) and self._mode is AutoresetMode.SAME_STEP:
            infos = self._begin_next(over, points)
        else:
            infos = self._infos(self._all_games)
            _add(infos, "game_seed", self.num_envs, renewed, seeds)
            _add(infos, "points", self.num_envs, over, points)
        return games.observations(), rewards, terminated, out_of_time, infos

    def _checked(self, actions: Any) -> Ints:
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs, len(self._ncats)) or not np.issubdtype(chosen.dtype, np.integer):
            raise NegoError(
                f"The actions are {self.num_envs} rows of {len(self._ncats)} whole numbers, and here is an "
                f"array of the shape {chosen.shape} and the type {chosen.dtype}."
            )
        # Clipped as in VectorAction.
        found: Ints = np.clip(chosen, 0, self._ncats - 1)
        return found

    def _rewards(self, ended: NDArray[np.bool_], over: Ints, renewed: Ints) -> tuple[Floats, Floats]:
        """Return the rewards of all, and the points of those whose games have just ended."""
        games = self._games
        points = games.points(over)
        shares = games.shares(over, points)
        rewards: Floats = np.zeros(self.num_envs)
        rewards[over] = shares
        if self._pays_change:
            scores = games.scores()
            scores[ended] = shares
            rewards = scores - self._scores
            rewards[renewed] = 0.0
            self._scores = scores
        return rewards, points

    def _begin_next(self, over: Ints, points: Floats) -> dict[str, Any]:
        """Begin the next games where the last ones have ended; return the infos of all."""
        final_obs = np.full(self.num_envs, None, dtype=object)
        for game, row in zip(over.tolist(), self._games.observations(over), strict=True):
            final_obs[game] = row
        final_info = self._infos(over)
        _add(final_info, "points", self.num_envs, over, points)
        seeds = self._seeds.draw(over)
        self._begin(over, seeds)
        infos = self._infos(self._all_games)
        _add(infos, "game_seed", self.num_envs, over, seeds)
        there = np.zeros(self.num_envs, dtype=bool)
        there[over] = True
        infos |= {"final_obs": final_obs, "_final_obs": there}
        infos |= {"final_info": final_info, "_final_info": there.copy()}
        return infos

    def _infos(self, which: Ints) -> dict[str, Any]:
        """Return the masks and refusals of some environments, with rows for all."""
        games = self._games
        running = games.course == RUNNING
        masks = self._masks[running * 2 + (running & games.has_offer())]
        refused = self._refusals[games.refused]
        there = np.ones(self.num_envs, dtype=bool)
        if len(which) < self.num_envs:
            there[:] = False
            there[which] = True
            masks[~there], refused[~there] = 0, None
        return {
            "action_mask": masks,
            "_action_mask": there,
            "refused": refused,
            "_refused": there.copy(),
        }

    def render(self) -> None:
        """Return None: there is no render mode."""


def _check_others(others: Mapping[str, Any]) -> None:
    """Check options of the single environment that many games at once do not have.

    Raises:
        NegoError: If one of them is not what it is without being given.
    """
    usual = {
        "observation": "vector",
        "log": None,
        "fast": True,
        "render_mode": None,
        "max_episode_steps": None,
    }
    for name, value in others.items():
        if name not in usual:
            raise NegoError(f"The environment has no option {name!r}.")
        if value != usual[name]:
            raise NegoError(f"Many games at once have no option {name}={value!r}. {ALTERNATIVE}")


def _mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(each.value for each in AutoresetMode)
        raise NegoError(f"There is no autoreset mode {mode!r}; there are {modes}.") from None


def _all_masks(ncats: tuple[int, ...]) -> NDArray[np.int8]:
    """Return the masks side by side: after the end, without an offer to accept, unused, and with one."""
    masks = Masks(ncats)
    heads = [(running, running and offer, running) for running, offer in product((False, True), repeat=2)]
    return np.array([np.concatenate(masks.of(each)) for each in heads], dtype=np.int8)


def _add(infos: dict[str, Any], name: str, count: int, games: Ints, values: NDArray[Any]) -> None:
    """Add values of some environments to infos; nothing if there are none."""
    if not len(games):
        return
    found, there = np.zeros(count, dtype=values.dtype), np.zeros(count, dtype=bool)
    found[games], there[games] = values, True
    infos[name], infos[f"_{name}"] = found, there
