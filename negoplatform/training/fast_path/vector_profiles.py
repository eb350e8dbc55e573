"""Combinations of profiles of many games at once: what the games look up, as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negoplatform.agent_api.bidder import BID_DELAY_MS
from negoplatform.domain.agreement_rules import Turns
from negoplatform.domain.errors import NegoError
from negoplatform.training.episode import EpisodeSettings
from negoplatform.training.fast_path.fast_episode import FastEpisodes, PreparedGame, worth_row
from negoplatform.training.fast_path.learner_game import NONE
from negoplatform.training.fast_path.vector_draws import Ints

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

CLOCK_AGENTS = "boulware, linear or conceder"
"""Agents of the program whose decisions follow from the clock alone."""

MOST_SEEDS = 1_000_000
"""Seeds below this number are kept with the combinations of profiles that they draw."""


def check_suits(settings: EpisodeSettings) -> None:
    """Check that many games of some episodes can be played at once.

    Raises:
        NegoError: If not; a sentence that says why.
    """
    game = settings.game
    if not FastEpisodes.suits(settings):
        raise NegoError(
            "Many games at once are bargaining games of two seats with complete offers, one learner, no logs "
            f"and the codec terms; {game.name} is not played so here."
        )
    rules = game.rules
    if rules.turns is not Turns.FREE or rules.deadline_offers is not None:
        raise NegoError("Many games at once have neither turns nor a limited number of offers.")
    ticks = settings.step_seconds / rules.time_tick_seconds
    if abs(ticks - round(ticks)) > 1e-9 or round(ticks) < 1:
        raise NegoError(
            f"In many games at once a step is a multiple of the {rules.time_tick_seconds:g} s between two "
            f"ticks of the clock, not {settings.step_seconds:g} s."
        )
    if rules.time_tick_seconds != round(rules.time_tick_seconds, 3):
        raise NegoError("In many games at once the clock ticks after whole milliseconds.")


class ProfileCombination(NamedTuple):
    """Combination of profiles.

    Args:
        own: The learner's points by outcome.
        theirs: The opponent's points by outcome.
        reservation: The opponent's reservation value.
        ranked: The outcomes from the opponent's worst to its best.
        least: The least points that the opponent accepts, by the number of the tick.
        first: The first place in ``ranked`` of what it may bid, by the number of the tick; ``NONE``: no bid.
        places: The number of places, by the number of the tick.
        scores: What the learner would have if time were up, as a share of its range, by the tick's number.
        template: The observation before the first offer, at 0 s.
        worths: The features of worth that the learner sees, of each seat in order, by outcome.
        prepared: The prepared game of the fast path.
    """

    own: Floats
    theirs: Floats
    reservation: float
    ranked: Ints
    least: Floats
    first: Ints
    places: Ints
    scores: Floats
    template: NDArray[np.float32]
    worths: NDArray[np.float32]
    prepared: PreparedGame


class ProfileCombinations:
    """Combinations of profiles that the seeds of many games have drawn, one array for all of them.

    The numbers of a combination by outcome are in the flat arrays from ``combination * outcomes`` on, those
    by tick from ``combination * len(times)`` on.

    Args:
        settings: The settings of the episodes.

    Raises:
        NegoError: If the game or the opponent does not allow many games at once; a sentence that says why.
    """

    def __init__(self, settings: EpisodeSettings) -> None:
        check_suits(settings)
        self._episodes = FastEpisodes(settings, pays_change=False)
        rules = settings.game.rules
        assert rules.deadline_seconds is not None
        self.deadline = float(rules.deadline_seconds)
        """Session time of the deadline, in seconds."""
        ticks = int(np.ceil(self.deadline / rules.time_tick_seconds)) + 1
        self.times: Floats = np.array([round(number * rules.time_tick_seconds, 3) for number in range(ticks)])
        """Session times of the ticks, in seconds, by number."""
        self._combinations: list[ProfileCombination] = []
        self._by_prepared: dict[int, int] = {}
        self._by_seed = np.full(0, NONE, dtype=np.int64)
        """Combinations of the seeds below its length; ``NONE``: not known yet."""
        self._first_of_seeds([0])
        player = self.prepared.play.opponent
        pace = rules.counterpart.pace
        self.accept_after = player.timing.act_delay_at(pace)
        """Time between an act of the learner and the opponent's acceptance, in seconds."""
        self.bid_after = self.accept_after + BID_DELAY_MS / 1000 * pace
        """The same of its bid."""
        if max(self.accept_after, self.bid_after) >= rules.time_tick_seconds or player.timing.opening_delay:
            raise NegoError(
                "Many games at once need an opponent that answers before the next tick of the clock."
            )

    @property
    def prepared(self) -> PreparedGame:
        """The prepared game of one combination."""
        return self._combinations[0].prepared

    def prepared_at(self, combination: int) -> PreparedGame:
        """Return the prepared game of a combination."""
        return self._combinations[combination].prepared

    @property
    def outcomes(self) -> int:
        """Number of outcomes."""
        return len(self._combinations[0].own)

    def of_seeds(self, seeds: Ints) -> Ints:
        """Return the numbers of the combinations of seeds."""
        if seeds.size and int(seeds.min()) >= 0 and int(seeds.max()) < len(self._by_seed):
            found: Ints = self._by_seed[seeds]
            missing = found == NONE
            if missing.any():
                found[missing] = self._first_of_seeds(seeds[missing].tolist())
            return found
        highest = int(seeds.max(initial=0))
        if highest < MOST_SEEDS and int(seeds.min(initial=0)) >= 0:
            more = np.full(
                max(2 * len(self._by_seed), highest + 1) - len(self._by_seed), NONE, dtype=np.int64
            )
            self._by_seed = np.concatenate([self._by_seed, more])
        return np.array(self._first_of_seeds(seeds.tolist()), dtype=np.int64)

    def _first_of_seeds(self, seeds: list[int]) -> list[int]:
        """Return the numbers of the combinations of seeds, and keep those of small ones."""
        before = len(self._combinations)
        found = [self._of_seed(seed) for seed in seeds]
        if len(self._combinations) > before:
            self._stack()
        for seed, number in zip(seeds, found, strict=True):
            if 0 <= seed < len(self._by_seed):
                self._by_seed[seed] = number
        return found

    def _of_seed(self, seed: int) -> int:
        prepared = self._episodes.prepared_of(seed)
        if prepared is None:
            raise NegoError(
                f"Many games at once need an opponent with an index strategy, such as {CLOCK_AGENTS}."
            )
        number = self._by_prepared.get(id(prepared))
        if number is None:
            number = self._by_prepared[id(prepared)] = len(self._combinations)
            self._combinations.append(self._made(prepared))
        return number

    def _made(self, prepared: PreparedGame) -> ProfileCombination:
        play = prepared.play
        strategy = play.opponent.strategy
        own, theirs = play.outcomes, strategy.outcomes
        times = self.times.tolist()
        found = [span for span in map(strategy.clock_span, times) if span is not None]
        if len(found) < len(times):
            raise NegoError(
                "Many games at once need an opponent whose decisions follow from the clock alone, such as "
                f"{CLOCK_AGENTS}."
            )
        none = [theirs.highest < least for least, _, _ in found]
        utilities = [utility for _, utility in prepared.layout.worths]
        worths = [[worth_row(each, offer) for each in utilities] for offer in play.all_offers]
        shape = (len(worths), len(utilities), 2)
        return ProfileCombination(
            np.array(own.points, dtype=np.float64),
            np.array(theirs.points, dtype=np.float64),
            float(theirs.reservation_value),
            np.array(theirs.ranked, dtype=np.int64),
            np.array([least for least, _, _ in found], dtype=np.float64),
            np.array([NONE if no else start for no, (_, start, _) in zip(none, found, strict=True)]),
            np.array([end - start for _, start, end in found], dtype=np.int64),
            np.array([prepared.share(play.points_at(play.reservation_value, now)) for now in times]),
            prepared.layout.template,
            np.array(worths, dtype=np.float32).reshape(shape),
            prepared,
        )

    def _stack(self) -> None:
        combinations = self._combinations
        plays = [each.prepared.play for each in combinations]
        self.own: Floats = np.concatenate([each.own for each in combinations])
        """The learners' points, by combination and outcome."""
        self.theirs: Floats = np.concatenate([each.theirs for each in combinations])
        """The opponents' points, by combination and outcome."""
        self.ranked: Ints = np.concatenate([each.ranked for each in combinations])
        """Outcomes from the opponent's worst to its best, by combination."""
        self.reservation: Floats = np.array([each.reservation for each in combinations])
        """The opponents' reservation values, by combination."""
        self.least: Floats = np.concatenate([each.least for each in combinations])
        """Least points that the opponents accept, by combination and tick."""
        self.first: Ints = np.concatenate([each.first for each in combinations])
        """First places in ``ranked`` of what they may bid, by combination and tick."""
        self.places: Ints = np.concatenate([each.places for each in combinations])
        """Numbers of these places, by combination and tick."""
        self.scores: Floats = np.concatenate([each.scores for each in combinations])
        """Learners' shares if time were up, by combination and tick."""
        self.templates: NDArray[np.float32] = np.array([each.template for each in combinations])
        """Observations before the first offer, by combination."""
        self.worths: NDArray[np.float32] = np.concatenate([each.worths for each in combinations])
        """Features of worth, by combination and outcome."""
        self.own_reservation: Floats = np.array([play.reservation_value for play in plays], dtype=np.float64)
        self.own_quit: Floats = np.array([play.quit_value for play in plays], dtype=np.float64)
        self.changes_over_time: Flags = np.array([play.changes_over_time for play in plays])
        self.lowest: Floats = np.array([each.prepared.lowest for each in combinations], dtype=np.float64)
        self.highest: Floats = np.array([each.prepared.highest for each in combinations], dtype=np.float64)


def radix(prepared: PreparedGame) -> tuple[Ints, Ints]:
    """Return the weight of each term's number in an offer's code, and the outcome of each code."""
    counts = [len(terms) for terms in prepared.codec.terms]
    strides = np.array([int(np.prod(counts[i + 1 :])) for i in range(len(counts))], dtype=np.int64)
    by_code: NDArray[Any] = np.zeros(int(np.prod(counts)), dtype=np.int64)
    for numbers, outcome in prepared.index_of.items():
        by_code[int(np.array(numbers) @ strides)] = outcome
    return strides, by_code
