"""Many games at once between learners and bidders whose decisions follow from the clock, in NumPy.

The same games as on the fast path, with its times and random numbers. Every game is at a multiple of the step
of its own session time, so all that happens within a step happens at the same times after its beginning: the
learners act, acceptances and bids of the opponents follow, the clock ticks, and the opponents decide
whether to replace their own offers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from negoplatform.agent_api.index_strategy import IndexedOutcomes
from negoplatform.app.session.session_runner import seat_seed
from negoplatform.core.mechanisms.bargaining_feature_vectors import LatestTerms, TableOffer
from negoplatform.core.mechanisms.bargaining_state import ALREADY_ACCEPTED, NO_OFFER
from negoplatform.domain.game import Acceptance
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.training.episode import EpisodeSettings
from negoplatform.training.fast_path.fast_episode import PreparedGame
from negoplatform.training.fast_path.learner_game import ACCEPT_HEAD, NONE, OFFER_HEAD, QUIT_HEAD
from negoplatform.training.fast_path.vector_draws import Ints, VectorDraws
from negoplatform.training.fast_path.vector_profiles import Flags, Floats, ProfileCombinations, radix

RUNNING, AGREED, LEFT, OUT_OF_TIME = range(4)
"""Course of a game."""

REFUSALS = ("", NO_OFFER, ALREADY_ACCEPTED)
"""Why an action was refused, by the number in :attr:`VectorGames.refused`."""


class VectorGames:
    """Games of many learners, each in the same seat against the same opponent.

    Args:
        settings: The settings of the episodes.
        count: The number of games.

    Raises:
        NegoError: If the game or the opponent does not allow it; a sentence that says why.
    """

    def __init__(self, settings: EpisodeSettings, count: int) -> None:
        self.settings, self.count = settings, count
        self.combinations = combinations = ProfileCombinations(settings)
        rules = settings.game.rules
        self.deadline = combinations.deadline
        self._times = combinations.times
        self._ticks_per_step = round(settings.step_seconds / rules.time_tick_seconds)
        self._maker_accepts = rules.acceptance is Acceptance.MAKER_ACCEPTS
        self.place = settings.game.seats.index(settings.learners[0])
        self.codec = combinations.prepared.codec
        player = combinations.prepared.play.opponent
        self._breaks_silence = player.strategy.breaks_silence
        self._accept_after = combinations.accept_after
        # What is due at the deadline or after it does not happen any more.
        self._is_accepted_in_time = np.round(self._times + combinations.accept_after, 3) < self.deadline
        self._is_bid_in_time = np.round(self._times + combinations.bid_after, 3) < self.deadline
        self._is_last = self._times + rules.time_tick_seconds >= self.deadline
        self._radix = radix(combinations.prepared)
        self._layout_of(combinations.prepared)
        self.on_bid: Callable[[Ints, Ints], object] = lambda _games, _bids: None
        """Called with the games in which opponents have made offers, and with these."""
        self._draws = VectorDraws(count, partial(seat_seed, seat=player.seat))
        self._reset_arrays()

    def _layout_of(self, prepared: PreparedGame) -> None:
        """Note the places in observations of what changes, and the terms of each outcome."""
        layout, outcomes = prepared.layout, len(prepared.play.all_offers)
        self._clock = layout.elapsed
        places = layout.places
        seats = self.settings.game.seats
        self._latest_at = [places[seat, LatestTerms.feature_name] for seat in seats]
        self._worths_at = [place for place, _ in layout.worths]
        self._table_at = places[PLATFORM, TableOffer.feature_name]
        rows = [layout.rows[outcome] for outcome in range(outcomes)]
        self._terms: NDArray[np.float32] = np.array(rows, dtype=np.float32)

    def _reset_arrays(self) -> None:
        n = self.count
        self.combination = np.zeros(n, dtype=np.int64)
        self._outcomes_from = np.zeros(n, dtype=np.int64)
        """Place of the first outcome in the arrays by combination and outcome."""
        self._ticks_from = np.zeros(n, dtype=np.int64)
        """Place of the first tick in the arrays by combination and tick."""
        self.tick_number = np.zeros(n, dtype=np.int64)
        self.maker = np.full(n, NONE, dtype=np.int64)
        """Place of the seat of the offer on the table."""
        self.outcome = np.full(n, NONE, dtype=np.int64)
        """The offer on the table."""
        self.own_accepted = np.zeros(n, dtype=bool)
        self.their_accepted = np.zeros(n, dtype=bool)
        self.own_latest = np.full(n, NONE, dtype=np.int64)
        self.their_latest = np.full(n, NONE, dtype=np.int64)
        self._bid = np.full(n, NONE, dtype=np.int64)
        self._bid_is_silent = np.zeros(n, dtype=bool)
        self._accepts = np.zeros(n, dtype=bool)
        self._pending = np.zeros(n, dtype=bool)
        self._may_be_dropped = np.zeros(n, dtype=bool)
        self.refused = np.zeros(n, dtype=np.int8)
        """Number of the refusal of the last action, in :data:`REFUSALS`."""
        self.course = np.full(n, OUT_OF_TIME, dtype=np.int8)
        self.ended_at = np.zeros(n, dtype=np.float64)

    def begin(self, games: Ints, seeds: Ints) -> None:
        """Begin some games.

        Args:
            games: Their numbers.
            seeds: The seed of each.
        """
        self.combination[games] = combination = self.combinations.of_seeds(seeds)
        self._outcomes_from[games] = combination * self.combinations.outcomes
        self._ticks_from[games] = combination * len(self._times)
        self._draws.begin(games, seeds)
        self.tick_number[games] = 0
        for array in (self.maker, self.outcome, self.own_latest, self.their_latest, self._bid):
            array[games] = NONE
        for flags in (
            self.own_accepted,
            self.their_accepted,
            self._bid_is_silent,
            self._accepts,
            self._pending,
            self._may_be_dropped,
        ):
            flags[games] = False
        self.refused[games] = 0
        self.course[games] = RUNNING
        self.ended_at[games] = 0.0
        self._bid_now(games, is_silent=False)

    def _bid_now(self, games: Ints, *, is_silent: bool) -> None:
        """Let the opponents of some games choose a bid, which is due soon; one that has chosen waits."""
        games = games[~self._pending[games]]
        moment = self._moment(games)
        first = self.combinations.first[moment]
        if first.size and first.min() < 0:
            has_some = first >= 0
            games, moment, first = games[has_some], moment[has_some], first[has_some]
        places = first + self._draws.below(games, self.combinations.places[moment])
        start = self._outcomes_from[games]
        bids = self.combinations.ranked[start + places]
        pays = (
            self.combinations.theirs[start + bids] >= self.combinations.reservation[self.combination[games]]
        )
        if not pays.all():
            games, bids = games[pays], bids[pays]
        self._pending[games], self._may_be_dropped[games] = True, is_silent
        self._bid[games], self._bid_is_silent[games] = bids, is_silent

    def _moment(self, games: Ints) -> Ints:
        """Return the places in the arrays by combination and tick."""
        found: Ints = self._ticks_from[games] + self.tick_number[games]
        return found

    @property
    def first_prepared(self) -> PreparedGame:
        """The prepared game of one combination of profiles."""
        return self.combinations.prepared

    def own_outcomes(self, combination: int) -> IndexedOutcomes:
        """Return the outcomes with the learner's points, in one combination of profiles."""
        return self.combinations.prepared_at(combination).play.outcomes

    def may_accept(self) -> Flags:
        """Return whether each learner may accept what is on the table, and does not lose by it."""
        worth = self.combinations.own[self._outcomes_from + np.maximum(self.outcome, 0)]
        enough = worth >= self.combinations.own_reservation[self.combination]
        found: Flags = self.has_offer() & (enough | (self.maker == self.place))
        return found

    def has_offer(self) -> Flags:
        """Return whether there is an offer on the table that each learner has not accepted."""
        found: Flags = (self.maker >= 0) & ~self.own_accepted
        return found

    def points(self, games: Ints) -> Floats:
        """Return the learners' points of some games, as they are at the end; not a number while one runs."""
        found, course, combination = np.full(len(games), np.nan), self.course[games], self.combination[games]
        agreed = course == AGREED
        at = games[agreed]
        found[agreed] = self.combinations.own[self._outcomes_from[at] + self.outcome[at]]
        for other, worths in (
            (OUT_OF_TIME, self.combinations.own_reservation),
            (LEFT, self.combinations.own_quit),
        ):
            which = course == other
            found[which] = worths[combination[which]]
        for number in np.flatnonzero(self.combinations.changes_over_time[combination] & (course != RUNNING)):
            play = self.combinations.prepared_at(int(combination[number])).play
            found[number] = play.points_at(float(found[number]), float(self.ended_at[games[number]]))
        return found

    def shares(self, games: Ints, points: Floats) -> Floats:
        """Return points of the learners of some games as shares of their ranges."""
        combination = self.combination[games]
        low, high = self.combinations.lowest[combination], self.combinations.highest[combination]
        span = np.where(high > low, high - low, 1.0)
        return np.where(high > low, (points - low) / span, 0.0)

    def scores(self) -> Floats:
        """Return what each learner would have if time were up, as a share of its range."""
        found: Floats = self.combinations.scores[self._ticks_from + self.tick_number]
        return found

    def outcomes_of(self, terms: Ints) -> Ints:
        """Return the outcomes of terms: a row for each game, numbered as in the codec ``terms``."""
        strides, by_code = self._radix
        code = terms[:, 0] * strides[0]
        for number in range(1, len(strides)):
            code += terms[:, number] * strides[number]
        found: Ints = by_code[code]
        return found

    def step(self, heads: Ints, outcomes: Ints) -> None:
        """Perform the actions of all running games, and move each on by one step.

        Args:
            heads: The head of each game, as the codec ``terms`` numbers them.
            outcomes: The offer of each game; used where the head is an offer.
        """
        running = self.course == RUNNING
        self.refused[running] = 0
        leaving = (running & (heads == QUIT_HEAD)).nonzero()[0]
        self._end(leaving, LEFT, self._times[self.tick_number[leaving]])
        accepting = (running & (heads == ACCEPT_HEAD)).nonzero()[0]
        offering = running & (heads == OFFER_HEAD)
        offering &= (self.maker != self.place) | (self.outcome != outcomes)
        games = offering.nonzero()[0]
        self._offer(games, outcomes[games])
        self._accept(accepting)
        for _ in range(self._ticks_per_step):
            self._advance((self.course == RUNNING).nonzero()[0])

    def _offer(self, games: Ints, made: Ints) -> None:
        self.maker[games], self.outcome[games] = self.place, made
        self.own_accepted[games], self.their_accepted[games] = self._maker_accepts, False
        self.own_latest[games] = made
        self._drop_silent_bids(games)
        dropped = games[self._may_be_dropped[games]]
        self._pending[dropped] = self._may_be_dropped[dropped] = False
        enough = self._is_enough(games, made)
        accepting = games[enough]
        self._accepts[accepting], self._pending[accepting] = True, False
        self._bid_now(games[~enough], is_silent=False)

    def _is_enough(self, games: Ints, outcomes: Ints) -> Flags:
        worth = self.combinations.theirs[self._outcomes_from[games] + outcomes]
        least = self.combinations.least[self._moment(games)]
        found: Flags = (worth >= least) & (worth >= self.combinations.reservation[self.combination[games]])
        return found

    def _drop_silent_bids(self, games: Ints) -> None:
        dropped = games[self._bid_is_silent[games]]
        self._bid[dropped], self._bid_is_silent[dropped] = NONE, False

    def _accept(self, games: Ints) -> None:
        done = self.own_accepted[games]
        if (self.maker[games] < 0).any() or done.any():
            absent = self.maker[games] < 0
            self.refused[games[absent]] = REFUSALS.index(NO_OFFER)
            self.refused[games[done & ~absent]] = REFUSALS.index(ALREADY_ACCEPTED)
            games = games[~absent & ~done]
        self.own_accepted[games] = True
        self.own_latest[games] = self.outcome[games]
        agreed = self.their_accepted[games]
        done = games[agreed]
        self._end(done, AGREED, self._times[self.tick_number[done]])
        rest = games[~agreed]
        self._drop_silent_bids(rest)
        theirs = self.maker[rest] != self.place
        confirming = theirs | self._is_enough(rest, self.outcome[rest])
        self._accepts[rest[confirming]], self._pending[rest[confirming]] = True, False

    def _end(self, games: Ints, course: int, at: Floats | float) -> None:
        self.course[games], self.ended_at[games] = course, at

    def _advance(self, games: Ints) -> None:
        """Move some games on to the next tick of the clock, or to the deadline."""
        number = self.tick_number[games]
        accepting = self._accepts[games]
        if accepting.any():
            accepting &= self._is_accepted_in_time[number]
            which = games[accepting]
            self._accepts[which] = False
            self.their_accepted[which] = True
            self.their_latest[which] = self.outcome[which]
            agreed = which[self.own_accepted[which]]
            now = self._times[self.tick_number[agreed]] + self._accept_after
            self._end(agreed, AGREED, np.round(now, 3))
            if len(agreed):
                running = self.course[games] == RUNNING
                games, number = games[running], number[running]
        which = games[(self._bid[games] >= 0) & self._is_bid_in_time[number]]
        bids = self._bid[which]
        self.maker[which], self.outcome[which] = 1 - self.place, bids
        self.their_accepted[which], self.own_accepted[which] = self._maker_accepts, False
        self.their_latest[which] = bids
        self._bid[which], self._bid_is_silent[which], self._pending[which] = NONE, False, False
        if len(which):
            self.on_bid(which, bids)
        late = self._is_last[number]
        if late.any():
            self._end(games[late], OUT_OF_TIME, self.deadline)
            games = games[~late]
        self.tick_number[games] += 1
        if self._breaks_silence:
            self._replace_bids(games[self.maker[games] == 1 - self.place])

    def _replace_bids(self, games: Ints) -> None:
        """Let opponents replace their own offers on the table, if they ask for less by now."""
        moment, start = self._moment(games), self._outcomes_from[games]
        places = np.maximum(self.combinations.first[moment], 0)
        places += self._draws.below(games, self.combinations.places[moment])
        nearest = self.combinations.ranked[start + places]
        worths = self.combinations.theirs
        lower = games[worths[start + nearest] < worths[start + self.outcome[games]]]
        if len(lower):
            self._bid_now(lower, is_silent=True)

    def observations(self, games: Ints | None = None) -> NDArray[np.float32]:
        """Return the observations of learners, a row for each game.

        Args:
            games: The numbers of the games; None: all.
        """
        every = slice(None) if games is None else games
        combination, maker, outcome = self.combination[every], self.maker[every], self.outcome[every]
        found = self.combinations.templates.take(combination, axis=0)
        on = (maker >= 0).nonzero()[0]
        is_full = len(on) == len(maker)
        on_table: slice | Ints = slice(None) if is_full else on
        offered = outcome[on_table]
        # As TableOffer: its maker, the numbers of LatestTerms, and who has accepted it.
        at, end = self._table_at.start, self._table_at.stop
        accepted = (self.own_accepted[every], self.their_accepted[every])
        found[on_table, at] = maker[on_table]
        found[on_table, at + 1 : end - 2] = self._terms.take(offered, axis=0)
        found[on_table, end - 2] = accepted[self.place][on_table]
        found[on_table, end - 1] = accepted[1 - self.place][on_table]
        worths = self.combinations.worths.take(self._outcomes_from[every][on_table] + offered, axis=0)
        for number, place in enumerate(self._worths_at):
            found[on_table, place] = worths[:, number]
        for seat, latest in (
            (self.place, self.own_latest[every]),
            (1 - self.place, self.their_latest[every]),
        ):
            some = (latest >= 0).nonzero()[0]
            rows = slice(None) if len(some) == len(latest) else some
            found[rows, self._latest_at[seat]] = self._terms.take(latest[rows], axis=0)
        now = np.where(
            self.course[every] == RUNNING, self._times[self.tick_number[every]], self.ended_at[every]
        )
        found[:, self._clock] = now
        found[:, self._clock + 1] = np.maximum(0.0, self.deadline - now)
        return found
