"""Training of a policy by the cross-entropy method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import numpy as np

from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.errors import NegoError
from negoplatform.strategies.learned.action_codec import QUIT
from negoplatform.strategies.learned.bargaining_codecs import DemandCodec
from negoplatform.training.episode import Episode, EpisodeSettings
from negoplatform.training.game_seeds import SEEDS
from negoplatform.training.policies.cross_entropy import CrossEntropy, Parameters
from negoplatform.training.policies.policy_network import PolicyNetwork, policy_inputs
from negoplatform.training.policies.rollouts import Rollouts, VectorRollouts, make_rollouts

HOLD_SECONDS = 15.0
"""Usual time for which a policy does not replace its own offer on the table, in seconds."""

SAMPLED_EPISODES = 4
"""Episodes with random actions, whose observations scale the inputs."""


class TrainingEffort(NamedTuple):
    """Number of candidates of a generation, and of the episodes of each against each opponent."""

    candidates: int
    episodes: int


IN_VECTORS, IN_SESSIONS = TrainingEffort(64, 32), TrainingEffort(24, 4)
"""Efforts where many games are played at once, and where each has a session."""


class Generation(NamedTuple):
    """Result of one generation.

    Args:
        number: Its number, from 1.
        steps: The steps of all generations so far.
        mean: The mean score of its candidates.
        best: The score of its best one.
        score: The score of the policy in training itself: the mean of the distribution.
    """

    number: int
    steps: int
    mean: float
    best: float
    score: float


class Training:
    """Training of a policy in one seat against one or more sets of opponents.

    Args:
        opponents: The settings of the episodes, one for each set of opponents; with the same game,
            learner, codec and step.
        seed: The seed of everything random.
        hold: The time for which the policy does not replace its own offer on the table, in seconds.

    Raises:
        NegoError: If they do not fit together.
    """

    def __init__(
        self, opponents: Sequence[EpisodeSettings], *, seed: int, hold: float = HOLD_SECONDS
    ) -> None:
        first = opponents[0]
        codec = first.codec
        if codec is None and first.game.mechanism == BARGAINING:
            codec = DemandCodec.name
        settings = [replace(each, codec=codec, log=None) for each in opponents]
        if any(len(each.learners) != 1 or each.learners != first.learners for each in settings):
            raise NegoError("A policy is trained in one seat; agents take all others.")
        self.settings = settings[0]
        self.seat = first.learners[0]
        self._seed, self._hold = seed, hold
        episode = Episode(self.settings, 0)
        inputs = policy_inputs(episode.game, self.seat, _sampled(self.settings, seed))
        self.network = PolicyNetwork(inputs, episode.learners[self.seat].codec)
        episode.finish()
        self._rollouts: list[Rollouts] = [make_rollouts(each, self.network, hold) for each in settings]
        fast = all(isinstance(each, VectorRollouts) for each in self._rollouts)
        self._effort = IN_VECTORS if fast else IN_SESSIONS
        self._search = CrossEntropy(
            self.network.first(), deviation=1.0, candidates=self._effort.candidates, seed=seed
        )

    @property
    def parameters(self) -> Parameters:
        """The parameters of the policy as it is now."""
        return self._search.mean

    def run(self, steps: int) -> Iterator[Generation]:
        """Yield the generations, until so many steps have been made.

        Args:
            steps: The number of steps, of all learners together; the last generation is finished.
        """
        rng = np.random.default_rng([self._seed, 1])
        made = 0
        while made < steps:
            candidates = self._search.draw()
            seeds = rng.integers(SEEDS, size=self._effort.episodes).tolist()
            scores = np.zeros(len(candidates))
            for rollouts in self._rollouts:
                found, more = rollouts.evaluate(candidates, seeds)
                scores += found / len(self._rollouts)
                made += more
            self._search.update(candidates, scores)
            yield Generation(
                self._search.generation, made, float(scores.mean()), float(scores.max()), float(scores[0])
            )

    def document(self, **content: Any) -> dict[str, Any]:
        """Return the content of the policy's file; ``content`` has further keys of it."""
        game = self.settings.game
        return self.network.document(
            self.parameters,
            game=game.name,
            mechanism=game.mechanism,
            seat=self.seat,
            step_seconds=self.settings.step_seconds,
            holds_offers_seconds=self._hold,
            **content,
        )


def _sampled(settings: EpisodeSettings, seed: int) -> list[Observation]:
    """Return observations of a learner that acts at random."""
    rng, found = Random(f"{seed}/inputs"), []
    for number in range(SAMPLED_EPISODES):
        episode = Episode(settings, number)
        (seat,) = episode.learners
        codec = episode.learners[seat].codec
        while episode.is_active(seat):
            ctx = episode.context(seat)
            found.append(ctx.observation)
            action = codec.init_action()
            choices = [[i for i, is_open in enumerate(mask) if is_open] for mask in codec.masks(ctx)]
            choices[0] = [i for i in choices[0] if codec.heads[i] != QUIT]
            values = [rng.random() for _ in range(action.dim_c)]
            action.set_values({"c": values, "d": [rng.choice(open_ones) for open_ones in choices]})
            episode.act({seat: action})
            episode.advance()
        episode.finish()
    return found
