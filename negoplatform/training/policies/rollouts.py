"""Rollouts: the mean rewards of candidate policies over episodes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from negoplatform.domain.errors import NegoError
from negoplatform.strategies.learned.bargaining_codecs import DemandCodec
from negoplatform.strategies.learned.policy_agent import (
    OfferHold,
    close_all_but_confirmation,
    close_losses,
    loses,
)
from negoplatform.strategies.learned.vector_action import VectorAction
from negoplatform.training.episode import Episode, EpisodeSettings
from negoplatform.training.fast_path.learner_game import ACCEPT_HEAD, OFFER_HEAD
from negoplatform.training.fast_path.vector_demands import VectorDemands
from negoplatform.training.fast_path.vector_games import RUNNING, VectorGames
from negoplatform.training.policies.cross_entropy import Parameters
from negoplatform.training.policies.policy_network import PolicyNetwork
from negoplatform.training.rewards import final_points

MOST_GAMES = 8_192
"""Most games that are played at once."""


class Rollouts(ABC):
    """Episodes against one set of opponents, in which candidates are tried.

    Args:
        settings: The settings of the episodes; with one learner.
        network: The network of the candidates.
        hold: The time for which an own offer on the table is not replaced, in seconds.
    """

    def __init__(self, settings: EpisodeSettings, network: PolicyNetwork, hold: float) -> None:
        self.settings, self.network, self.hold = settings, network, hold

    @abstractmethod
    def evaluate(self, candidates: Parameters, seeds: Sequence[int]) -> tuple[NDArray[np.float64], int]:
        """Return the mean final points of each candidate, and the number of steps that were made.

        Args:
            candidates: The candidates, a row each.
            seeds: The seeds of the episodes, the same for all candidates.
        """


class SessionRollouts(Rollouts):
    """Episodes in sessions, one after the other; for every kind of game."""

    def evaluate(self, candidates: Parameters, seeds: Sequence[int]) -> tuple[NDArray[np.float64], int]:
        """Return the mean final points of each candidate, and the number of steps that were made."""
        scores, steps = np.zeros(len(candidates)), 0
        for number in range(len(candidates)):
            parts = self.network.split(candidates[number : number + 1])
            for seed in seeds:
                reward, made = self._play(parts, seed)
                scores[number] += reward / len(seeds)
                steps += made
        return scores, steps

    def _play(self, parts: Sequence[NDArray[np.float64]], seed: int) -> tuple[float, int]:
        episode = Episode(self.settings, seed)
        (seat,) = episode.learners
        codec = episode.learners[seat].codec
        hold = OfferHold(self.hold)
        steps = 0
        before = episode.context(seat)
        while episode.is_active(seat):
            masks = codec.masks(before)
            close_losses(codec, masks, before)
            hold.close(codec, masks, before)
            close_all_but_confirmation(codec, masks, before)
            observed = np.array(before.observation.vector(), dtype=np.float32)[None, None]
            action = greedy_action(self.network, self.network.outputs(parts, observed)[0, 0], masks)
            script = codec.decode(action, before)
            if any(loses(each, before) for each in script):  # which the policy's agent leaves out
                action, script = codec.init_action(), []
            hold.observe(script, before)
            episode.act({seat: action})
            episode.advance()
            steps += 1
            earlier, before = before, episode.context(seat)
        reward = final_points(earlier, before) if steps else 0.0
        if before.ending is None:  # it has left a game that goes on without it
            reward = float(before.standing or 0.0)
        episode.finish()
        return reward, steps


def greedy_action(
    network: PolicyNetwork, outputs: NDArray[np.float64], masks: Sequence[Sequence[int]]
) -> VectorAction:
    """Return the action with the highest output of each choice, as ``Policy.forward`` chooses it."""
    chosen, at = [], 0
    for mask in masks:
        scores = np.where(np.array(mask) > 0, outputs[at : at + len(mask)], -np.inf)
        chosen.append(int(np.argmax(scores)))
        at += len(mask)
    action = network.codec.init_action()
    action.set_values({"c": _logistic(outputs[at:]).tolist(), "d": chosen})
    return action


class VectorRollouts(Rollouts):
    """Many games at once in NumPy; for the games and opponents that :class:`VectorGames` plays.

    Args:
        settings: The settings of the episodes, with the codec ``demand``.
        network: The network of the candidates.
        hold: The time for which an own offer on the table is not replaced, in seconds.

    Raises:
        NegoError: If the game or the opponent does not allow it.
    """

    def __init__(self, settings: EpisodeSettings, network: PolicyNetwork, hold: float) -> None:
        super().__init__(settings, network, hold)
        if settings.codec != DemandCodec.name:
            raise NegoError(f"Many games at once are trained with the codec {DemandCodec.name}.")
        self._game_settings = replace(settings, codec=None)  # the codec of the games is terms
        VectorGames(self._game_settings, 1)

    def evaluate(self, candidates: Parameters, seeds: Sequence[int]) -> tuple[NDArray[np.float64], int]:
        """Return the mean final points of each candidate, and the number of steps that were made."""
        share = max(1, MOST_GAMES // len(seeds))
        scores, steps = [], 0
        for at in range(0, len(candidates), share):
            found, made = self._evaluate(candidates[at : at + share], seeds)
            scores.append(found)
            steps += made
        return np.concatenate(scores), steps

    def _evaluate(self, candidates: Parameters, seeds: Sequence[int]) -> tuple[NDArray[np.float64], int]:
        shape = (len(candidates), len(seeds))
        count = shape[0] * shape[1]
        games = VectorGames(self._game_settings, count)
        demands = VectorDemands(games)
        all_games = np.arange(count)
        games.begin(all_games, np.tile(np.array(seeds, dtype=np.int64), shape[0]))
        demands.begin(all_games)
        parts = self.network.split(candidates)
        heads_count = len(self.network.codec.heads)
        outcomes = np.zeros(count, dtype=np.int64)
        offered_at = np.zeros(count)
        steps, now = 0, 0.0
        while (running := games.course == RUNNING).any():
            steps += int(running.sum())
            observed = games.observations().reshape(*shape, -1)
            outputs = self.network.outputs(parts, observed).reshape(count, -1)
            scores = outputs[:, :heads_count]
            may_accept = games.may_accept()
            scores[~may_accept, ACCEPT_HEAD] = -np.inf
            is_own = games.maker == games.place
            scores[is_own & (now - offered_at < self.hold), OFFER_HEAD] = -np.inf
            heads = np.argmax(scores, axis=1)
            heads[is_own & games.their_accepted & may_accept] = ACCEPT_HEAD
            offering = np.flatnonzero(running & (heads == OFFER_HEAD))
            demanded = _logistic(outputs[offering, heads_count]).astype(np.float32)
            outcomes[offering] = demands.offers(offering, demanded)
            changed = offering[~is_own[offering] | (games.outcome[offering] != outcomes[offering])]
            offered_at[changed] = now
            games.step(heads, outcomes)
            now = round(now + self.settings.step_seconds, 3)
        return games.shares(all_games, games.points(all_games)).reshape(shape).mean(1), steps


def _logistic(outputs: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.5 * (1 + np.tanh(outputs / 2))


def make_rollouts(settings: EpisodeSettings, network: PolicyNetwork, hold: float) -> Rollouts:
    """Return rollouts in many games at once where that is possible, else in sessions."""
    try:
        return VectorRollouts(settings, network, hold)
    except NegoError:
        return SessionRollouts(settings, network, hold)
