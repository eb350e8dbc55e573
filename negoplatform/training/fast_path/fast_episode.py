"""Episodes on the fast path: the observations, masks and rewards of a session, without the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negoplatform.agent_api.index_strategy import IndexedOutcomes
from negoplatform.app.simulation.fast_path import FastPath
from negoplatform.app.simulation.simulated_game import SimulatedGame
from negoplatform.core.events import EndedBy
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.fold import initial_state
from negoplatform.core.mechanisms.bargaining_feature_vectors import (
    LatestTerms,
    OfferCount,
    TableOffer,
    Worth,
)
from negoplatform.core.mechanisms.bargaining_state import BargainingState
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.session_features import Clock
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap
from negoplatform.domain.utility import Points, UtilityFunction, fraction
from negoplatform.strategies.learned.bargaining_codecs import TermsCodec
from negoplatform.training.episode import EpisodeSettings, LearnerSeat
from negoplatform.training.fast_path.learner_game import (
    ACCEPT_HEAD,
    CLOSED,
    NONE,
    OFFER_HEAD,
    QUIT_HEAD,
    LearnerGame,
    Table,
)
from negoplatform.training.spaces import vector_action

Vector = NDArray[np.float32]

MOST_KNOWN = 50_000
"""Actions whose heads and outcomes are kept."""

MOST_KNOWN_SEEDS = 100_000
"""Seeds of which the combination of profiles is kept."""


class TermRows:
    """Numbers of a seat's latest terms, as in :class:`LatestTerms`, by outcome; computed when asked for.

    Args:
        offers: All complete offers, by index.
        compute: Returns the numbers of an offer.
    """

    def __init__(self, offers: Sequence[Offer], compute: Callable[[Offer], Vector]) -> None:
        self._offers, self._compute = offers, compute
        self._known: dict[int, Vector] = {}

    def __getitem__(self, outcome: int) -> Vector:
        found = self._known.get(outcome)
        if found is None:
            found = self._known[outcome] = self._compute(self._offers[outcome])
        return found


class ObservationLayout:
    """Places of what changes in the observations of a seat, and their contents by outcome.

    Args:
        game: The game, with resolved profiles.
        learner: The seat.
        offers: All complete offers, by index.
        rows: The terms of these offers, if they are known; the same for all combinations of profiles.
    """

    def __init__(
        self, game: GameSpec, learner: LearnerSeat, offers: Sequence[Offer], rows: TermRows | None = None
    ) -> None:
        self._learner = learner
        self._start = initial_state(game, mechanism_of(game.mechanism))
        first = self._observation(BargainingState())
        self.template: Vector = np.array(first.vector(), dtype=np.float32)
        """Observation before the first offer, at 0 s."""
        self.places = places = feature_places(first, learner.seat)
        """Places of the features, by owner and name."""
        self.elapsed = places[PLATFORM, Clock.feature_name].start
        """Place of the session time; that of the remaining time follows."""
        counted = places.get((PLATFORM, OfferCount.feature_name))
        self.made = None if counted is None else counted.start
        """Place of the number of offers made; that of those left follows. None: they are not counted."""
        self.rows = TermRows(offers, self._terms) if rows is None else rows
        self._offers = offers
        self._table = places[PLATFORM, TableOffer.feature_name]
        own = game.seats.index(learner.seat)
        self._latest = [places[game.seats[i], LatestTerms.feature_name] for i in (own, 1 - own)]
        self.worths = [
            (places[seat, Worth.feature_name], game.preferences[seat].utility)
            for seat in game.seats
            if (seat, Worth.feature_name) in places
        ]
        """Places of the worth of the offer on the table for the seats whose preferences are seen."""
        self._offered: dict[int, Vector] = {}
        """Templates with an offer on the table, by its outcome."""

    def _observation(self, play: BargainingState) -> Observation:
        # Other times change the clock alone.
        return self._learner.context(self._start._replace(mechanism_state=play), 0.0).observation

    def _terms(self, offer: Offer) -> Vector:
        seat = self._learner.seat
        observed = self._observation(BargainingState(latest=SeatMap([(seat, offer)])))
        return np.array(observed.local[LatestTerms.feature_name], dtype=np.float32)

    def at(self, table: Table) -> Vector:
        """Return the observation at 0 s in a moment of the game."""
        maker, outcome, first, second, own, theirs = table
        if maker == NONE:
            return self.template.copy()
        offered = self._offered.get(outcome)
        if offered is None:
            offered = self._offered[outcome] = self._with_offer(outcome)
        found: Vector = offered.copy()
        found[self._table.start] = maker
        end = self._table.stop
        found[end - 2], found[end - 1] = first, second
        if own != NONE:
            found[self._latest[0]] = self.rows[own]
        if theirs != NONE:
            found[self._latest[1]] = self.rows[theirs]
        return found

    def _with_offer(self, outcome: int) -> Vector:
        """Return the template with the terms and the worth of an offer on the table."""
        found = self.template.copy()
        # As TableOffer: its maker, the numbers of LatestTerms, and who has accepted it.
        found[self._table.start + 1 : self._table.stop - 2] = self.rows[outcome]
        offer = self._offers[outcome]
        for place, utility in self.worths:
            found[place] = worth_row(utility, offer)
        return found


def worth_row(utility: UtilityFunction, offer: Offer) -> Vector:
    """Return the numbers of :class:`Worth` of an offer."""
    return np.array((utility(offer), fraction(utility, offer)), dtype=np.float32)


def feature_places(observation: Observation, seat: Seat) -> dict[tuple[str, str], slice]:
    """Return the place of each feature in the vector of an observation, by its owner and its name.

    Args:
        observation: The observation.
        seat: The observing seat.
    """
    found, at = {}, 0
    owners = [(seat, observation.local), *sorted(observation.global_info.items())]
    for owner, features in owners:
        for name in sorted(features):
            found[owner, name] = slice(at, at + len(features[name]))
            at += len(features[name])
    return found


READY = 128
"""Masks that are made at once: rows of one array, which share nothing."""


class Masks:
    """Masks of the codec ``terms`` by the heads that are open, new arrays each time.

    Args:
        ncats: The number of categories of each choice.
    """

    def __init__(self, ncats: tuple[int, ...]) -> None:
        self._ncats = ncats
        self._ready: dict[tuple[bool, bool, bool], list[tuple[NDArray[np.int8], ...]]] = {}
        for heads in product((False, True), (False, True), (False, True)):
            self._ready[heads] = []

    def of(self, heads: tuple[bool, bool, bool]) -> tuple[NDArray[np.int8], ...]:
        """Return the masks of all choices; ``heads``: whether an offer, acceptance and leaving are open."""
        ready = self._ready[heads]
        if not ready:
            rows = [np.ones((READY, count), dtype=np.int8) for count in self._ncats]
            rows[0][:, [OFFER_HEAD, ACCEPT_HEAD, QUIT_HEAD]] = heads
            ready.extend(zip(*rows, strict=True))
        return ready.pop()


class PreparedGame:
    """Game with one combination of profiles, prepared for the fast path.

    Args:
        game: The game, with resolved profiles.
        layout: The learner's observations.
        play: The games of the learner and its opponent.
        codec: The learner's codec.
        outcomes: The outcomes with the learner's points.
    """

    def __init__(
        self,
        game: GameSpec,
        layout: ObservationLayout,
        play: LearnerGame,
        codec: TermsCodec,
        outcomes: Sequence[Offer],
    ) -> None:
        self.game, self.layout, self.play, self.codec = game, layout, play, codec
        self.deadline = float(game.rules.deadline_seconds or 0)
        self.most_offers = game.rules.deadline_offers or 0
        seat = game.seats[play.learner]
        utility = game.preferences[seat].utility
        self.lowest, self.highest = utility.lowest, utility.highest
        by_terms = {offer: index for index, offer in enumerate(outcomes)}
        self.index_of = {numbers: by_terms[offer] for numbers, offer in codec.all_offers()}
        """Outcomes by the numbers of their terms."""
        self.first_score = self.share(play.points_at(play.reservation_value, 0.0))
        """Learner's share if time were up at 0 s."""

    def share(self, points: Points) -> float:
        """Return points as a share of the learner's range."""
        span = self.highest - self.lowest
        return float((points - self.lowest) / span) if span > 0 else 0.0


class FastEpisodes:
    """Episodes of an environment with one learner, one after the other.

    Args:
        settings: The settings.
        pays_change: Whether the reward is the change of the score, and not the final points alone.
    """

    def __init__(self, settings: EpisodeSettings, *, pays_change: bool) -> None:
        self._settings = settings
        self._pays_change = pays_change
        self._seat = settings.learners[0]
        self._place = settings.game.seats.index(self._seat)
        self._kind = SimulatedGame(settings.game)
        self._path = FastPath(self._kind, None)
        self._prepared: dict[tuple[str, ...], PreparedGame | None] = {}
        self._by_seed: dict[int, PreparedGame | None] = {}
        self._step = settings.step_seconds
        self._times = [0.0]
        """Session times by the number of steps, as far as one has been played."""
        self._decoded: dict[tuple[int, ...], tuple[int, int]] = {}
        """Heads and outcomes of actions that have been made, by their numbers; the same in all games."""
        self.actions: list[tuple[int, ...]] = []
        """Actions of the present episode."""
        self._rows: TermRows | None = None
        codec = LearnerSeat(settings.game, self._seat, Random(0), settings.codec).codec
        self._masks_of = Masks(codec.ncats).of

    @staticmethod
    def suits(settings: EpisodeSettings) -> bool:
        """Return whether episodes may be played on the fast path, as far as the game is concerned."""
        game = settings.game
        return (
            settings.log is None
            and len(settings.learners) == 1
            and settings.codec in (None, TermsCodec.name)
            and FastPath.suits(game)
            and bool(game.issues)
            and not game.rules.allow_partial
        )

    def begin(self, seed: int) -> bool:
        """Begin the episode of a seed; return whether it can be played here.

        Raises:
            NegoError: If the opponent cannot be prepared.
        """
        prepared = self.prepared_of(seed)
        if prepared is None:
            return False
        self._now, self.prepared, self.play = 0.0, prepared, prepared.play
        self._has_ended = False
        self.actions = []
        self._score = prepared.first_score
        prepared.play.begin(seed)
        return True

    def prepared_of(self, seed: int) -> PreparedGame | None:
        """Return the prepared game of a seed; None if it cannot be played here.

        Raises:
            NegoError: If the opponent cannot be prepared.
        """
        if seed not in self._by_seed:
            if len(self._by_seed) >= MOST_KNOWN_SEEDS:
                self._by_seed.clear()
            names = self._kind.game.profiles_of_seed(seed)
            if names not in self._prepared:
                self._prepared[names] = self._made(self._kind.settled(seed, None), seed)
            self._by_seed[seed] = self._prepared[names]
        return self._by_seed[seed]

    def _made(self, game: GameSpec, seed: int) -> PreparedGame | None:
        facts, indexed = self._kind.facts(game)
        opponent = 1 - self._place
        plugin = self._settings.opponents[game.seats[opponent]]
        player = self._path.index_player(game, plugin, opponent, seed)
        if player is None:
            return None
        own = facts.seats[self._place]
        learner = LearnerSeat(game, self._seat, Random(0), self._settings.codec)
        assert isinstance(learner.codec, TermsCodec)
        worths = [own.preferences.utility(offer) for offer in indexed.offers]
        outcomes = IndexedOutcomes(worths, own.reservation_value, own.visible.rules)
        play = LearnerGame(game, indexed.offers, outcomes, self._place, player)
        layout = ObservationLayout(game, learner, indexed.offers, self._rows)
        self._rows = layout.rows
        return PreparedGame(game, layout, play, learner.codec, indexed.offers)

    def step(self, action: Any) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Perform an action, and move on by one step.

        Returns:
            The observation, the reward, whether it is terminated, whether it is truncated, and the info.

        Raises:
            NegoError: If the action has other dimensions.
            NeedsFullPathError: If a session has to go on with the episode.
        """
        play, actions = self.play, self.actions
        try:
            numbers = tuple(action.tolist())
            head, outcome = self._decoded[numbers]
        except (AttributeError, KeyError, TypeError):
            numbers, head, outcome = self._decode(action)
        if self._has_ended:
            return self._result("")
        actions.append(numbers)
        now, done = self._now, len(actions)
        if done == len(self._times):
            self._times.append(round(now + self._step, 3))
        self._now = until = self._times[done]
        refused = play.step(head, outcome, now, until)
        if play.ended_by is not None:
            return self._result(refused)
        info = {"action_mask": self._masks_of(play.open_heads()), "refused": refused}
        return self.observation(), self._change() if self._pays_change else 0.0, False, False, info

    def _decode(self, action: Any) -> tuple[tuple[int, ...], int, int]:
        """Return an action's numbers, clipped, its head and its outcome.

        Raises:
            NegoError: If it has other dimensions.
        """
        numbers = tuple(vector_action(self.prepared.codec, action).d)
        found = numbers[0], self.prepared.index_of[numbers[1:]]
        if len(self._decoded) >= MOST_KNOWN:
            self._decoded.clear()
        self._decoded[numbers] = found
        return numbers, *found

    def _result(self, refused: str) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Return the result of a step at the end of the game, or after it."""
        play = self.play
        self._now = play.last_time
        found = play.final_points()
        points = self.prepared.share(found)
        reward = 0.0 if self._has_ended else points - self._score if self._pays_change else points
        self._has_ended = True
        out_of_time = play.ended_by is EndedBy.TIMEOUT
        info = {
            "action_mask": self._masks_of(CLOSED),
            "refused": refused,
            "points": float(found),
        }
        return self.observation(), reward, not out_of_time, out_of_time, info

    def info(self) -> dict[str, Any]:
        """Return the info at the beginning."""
        return {"action_mask": self._masks_of(self.play.open_heads()), "refused": ""}

    def _change(self) -> float:
        play = self.play
        score = self.prepared.share(play.points_at(play.reservation_value, self._now))
        change, self._score = score - self._score, score
        return change

    def observation(self) -> Vector:
        """Return the observation."""
        layout, play, now = self.prepared.layout, self.play, self._now
        found = layout.at(play.table)
        clock = layout.elapsed
        found[clock] = now
        deadline = self.prepared.deadline
        if now < deadline:
            found[clock + 1] = deadline - now
        else:
            found[clock + 1] = 0.0
        if layout.made is not None:
            made = play.offer_count
            found[layout.made], found[layout.made + 1] = made, self.prepared.most_offers - made
        return found
