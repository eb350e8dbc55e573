"""Many games at once between learners and bidders whose decisions follow from the clock, in NumPy.

The same games as on the fast path, with its times and random numbers. Every game is at a multiple of the step
of its own session time, so all that happens within a step happens at the same times after its beginning: the
learners act, acceptances and bids of the opponents follow, the clock ticks, and the opponents look again at
their own offers.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negoplatform.agent_api.bidder import BID_DELAY_MS
from negoplatform.agent_api.index_strategy import IndexedOutcomes
from negoplatform.app.session.session_runner import seat_seed
from negoplatform.core.mechanisms.bargaining_feature_vectors import LatestTerms, TableOffer
from negoplatform.domain.agreement_rules import Turns
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import Acceptance
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.training.episode import EpisodeSettings
from negoplatform.training.fast_episode import FastEpisodes, FastTable, worth_row
from negoplatform.training.learner_game import ACCEPT_HEAD, NONE, OFFER_HEAD, QUIT_HEAD

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

RUNNING, AGREED, LEFT, OUT_OF_TIME = range(4)
"""Course of a game."""


class Choice(NamedTuple):
    """Choice of profiles, with everything about it that the games look up.

    Args:
        own: The learner's points by outcome.
        theirs: The opponent's points by outcome.
        reservation: The opponent's reservation value.
        ranked: The outcomes from the opponent's worst to its best.
        least: The least points that the opponent accepts, by the number of the tick.
        first: The first place in ``ranked`` of what it may bid, by the number of the tick; ``NONE``: no bid.
        places: The number of places, by the number of the tick.
        template: The observation before the first offer, at 0 s.
        worths: The features of worth that the learner sees, of each seat in order, by outcome.
        table: The table of the fast path.
    """

    own: Floats
    theirs: Floats
    reservation: float
    ranked: Ints
    least: Floats
    first: Ints
    places: Ints
    template: NDArray[np.float32]
    worths: NDArray[np.float32]
    table: FastTable


class Draws:
    """Random numbers of many games, the same as those of ``random.Random`` in each of them.

    Args:
        count: The number of games.
        length: The number of 32-bit words that are kept for each game at first.
    """

    def __init__(self, count: int, length: int) -> None:
        self._length = length
        self._known: dict[str, NDArray[np.uint32]] = {}
        self._words = np.zeros((count, length), dtype=np.uint32)
        self._at = np.zeros(count, dtype=np.int64)
        self._seeds = [""] * count

    def begin(self, game: int, seed: str) -> None:
        """Begin a game; ``seed`` is that of a ``Random`` with the same numbers."""
        words = self._known.get(seed)
        if words is None or len(words) < self._words.shape[1]:
            if len(self._known) >= MOST_KNOWN_DRAWS:
                self._known.clear()
            words = self._known[seed] = _words_of(seed, self._words.shape[1])
        self._words[game] = words
        self._at[game] = 0
        self._seeds[game] = seed

    def below(self, games: Ints, bounds: Ints) -> Ints:
        """Return a number from 0 up and below a bound for each of some games, as ``randrange`` draws it.

        Args:
            games: The numbers of the games, each once.
            bounds: The bounds, 1 or more; of 1 nothing is drawn.
        """
        found = np.zeros(len(games), dtype=np.int64)
        waiting = np.flatnonzero(bounds > 1)
        shifts = 32 - np.frexp(bounds)[1]
        while len(waiting):
            which = games[waiting]
            if self._at[which].max() >= self._words.shape[1]:
                self._extend()
            drawn = self._words[which, self._at[which]].astype(np.int64) >> shifts[waiting]
            self._at[which] += 1
            fits = drawn < bounds[waiting]
            found[waiting[fits]] = drawn[fits]
            waiting = waiting[~fits]
        return found

    def _extend(self) -> None:
        length = 2 * self._words.shape[1]
        self._words = np.array([_words_of(seed, length) for seed in self._seeds], dtype=np.uint32)


def _words_of(seed: str, count: int) -> NDArray[np.uint32]:
    """Return the first words of 32 bits that a generator with a seed gives."""
    number = Random(seed).getrandbits(32 * count)
    return np.frombuffer(number.to_bytes(4 * count, "little"), dtype="<u4")


MOST_KNOWN_DRAWS = 20_000
"""Seeds of which the random numbers are kept."""


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


def _radix(table: FastTable) -> tuple[Ints, Ints]:
    """Return the weight of each term's number in an offer's code, and the outcome of each code."""
    counts = [len(terms) for terms in table.codec.terms]
    strides = np.array([int(np.prod(counts[i + 1 :])) for i in range(len(counts))], dtype=np.int64)
    by_code = np.zeros(int(np.prod(counts)), dtype=np.int64)
    for numbers, outcome in table.index_of.items():
        by_code[int(np.array(numbers) @ strides)] = outcome
    return strides, by_code


class VectorGames:
    """Games of many learners, each in the same seat against the same opponent.

    Args:
        settings: The settings of the episodes.
        count: The number of games.

    Raises:
        NegoError: If the game or the opponent does not allow it; a sentence that says why.
    """

    def __init__(self, settings: EpisodeSettings, count: int) -> None:
        check_suits(settings)
        self.settings, self.count = settings, count
        self._episodes = FastEpisodes(settings, pays_change=False)
        rules = settings.game.rules
        assert rules.deadline_seconds is not None
        self.deadline = float(rules.deadline_seconds)
        self.tick = rules.time_tick_seconds
        self._ticks_per_step = round(settings.step_seconds / self.tick)
        self._maker_accepts = rules.acceptance is Acceptance.MAKER_ACCEPTS
        self.place = settings.game.seats.index(settings.learners[0])
        self._choices: list[Choice] = []
        self._number_of: dict[int, int] = {}
        self._by_table: dict[int, int] = {}
        first = self._choice_of(0)
        table = self._choices[first].table
        self.codec = table.codec
        player = table.play.opponent
        self._opponent = player.seat
        self._breaks_silence = player.strategy.breaks_silence
        pace = rules.counterpart.pace
        self._accept_after = player.timing.act_delay_at(pace)
        self._bid_after = self._accept_after + BID_DELAY_MS / 1000 * pace
        if max(self._accept_after, self._bid_after) >= self.tick or player.timing.opening_delay:
            raise NegoError(
                "Many games at once need an opponent that answers before the next tick of the clock."
            )
        self._radix = _radix(table)
        self._layout_of(table)
        self.on_bid: Callable[[Ints, Ints], object] = lambda _games, _bids: None
        """Called with the games in which opponents have made offers, and with these."""
        ticks = int(np.ceil(self.deadline / self.tick)) + 1
        self._draws = Draws(count, 4 * ticks + 64)
        self._reset_arrays()

    def _layout_of(self, table: FastTable) -> None:
        """Note the places in observations of what changes, and the terms of each outcome."""
        layout, outcomes = table.layout, len(table.play.all_offers)
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
        self.choice = np.zeros(n, dtype=np.int64)
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
        self.course = np.full(n, OUT_OF_TIME, dtype=np.int64)
        self.ended_at = np.zeros(n, dtype=np.float64)

    def _choice_of(self, seed: int) -> int:
        """Return the number of the choice of profiles that a seed has drawn."""
        number = self._number_of.get(seed)
        if number is None:
            table = self._episodes.table_of(seed)
            if table is None:
                raise NegoError(
                    "Many games at once need an opponent with an index strategy, such as boulware."
                )
            number = self._by_table.get(id(table))
            if number is None:
                self._choices.append(self._made(table))
                number = self._by_table[id(table)] = len(self._choices) - 1
                self._stack()
            self._number_of[seed] = number
        return number

    def _made(self, table: FastTable) -> Choice:
        play = table.play
        strategy = play.opponent.strategy
        own, theirs = play.outcomes, strategy.outcomes
        ticks = int(np.ceil(self.deadline / self.tick)) + 1
        spans = [strategy.clock_span(round(number * self.tick, 3)) for number in range(ticks)]
        found = [span for span in spans if span is not None]
        if len(found) < ticks:
            raise NegoError(
                "Many games at once need an opponent whose decisions follow from the clock alone, such as "
                "boulware, linear or conceder; leave the other agents to the single environment."
            )
        none = [theirs.highest < least for least, _, _ in found]
        utilities = [utility for _, utility in table.layout.worths]
        worths = [[worth_row(each, offer) for each in utilities] for offer in play.all_offers]
        return Choice(
            np.array(own.points, dtype=np.float64),
            np.array(theirs.points, dtype=np.float64),
            float(theirs.reservation_value),
            np.array(theirs.ranked, dtype=np.int64),
            np.array([least for least, _, _ in found], dtype=np.float64),
            np.array([NONE if no else start for no, (_, start, _) in zip(none, found, strict=True)]),
            np.array([end - start for _, start, end in found], dtype=np.int64),
            table.layout.template,
            np.array(worths, dtype=np.float32),
            table,
        )

    def _stack(self) -> None:
        """Put what the choices hold together, so that games of different ones can be looked up at once."""
        choices = self._choices
        self._own = np.array([each.own for each in choices])
        self._theirs = np.array([each.theirs for each in choices])
        self._reservation = np.array([each.reservation for each in choices])
        self._ranked = np.array([each.ranked for each in choices])
        self._least = np.array([each.least for each in choices])
        self._first = np.array([each.first for each in choices])
        self._span = np.array([each.places for each in choices])
        plays = [each.table.play for each in choices]
        self._own_reservation = np.array([play.reservation_value for play in plays], dtype=np.float64)
        self._own_quit = np.array([play.quit_value for play in plays], dtype=np.float64)
        self._changes_over_time = np.array([play.changes_over_time for play in plays])
        self._lowest = np.array([each.table.lowest for each in choices], dtype=np.float64)
        self._highest = np.array([each.table.highest for each in choices], dtype=np.float64)
        self._templates = np.array([each.template for each in choices])
        self._worths = np.array([each.worths for each in choices])

    def begin(self, games: Ints, seeds: Ints) -> None:
        """Begin some games.

        Args:
            games: Their numbers.
            seeds: The seed of each.
        """
        for game, seed in zip(games.tolist(), seeds.tolist(), strict=True):
            self.choice[game] = self._choice_of(seed)
            self._draws.begin(game, seat_seed(seed, self._opponent))
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
        self.course[games] = RUNNING
        self.ended_at[games] = 0.0
        self._bid_now(games, is_silent=False)

    def _bid_now(self, games: Ints, *, is_silent: bool) -> None:
        """Let the opponents of some games choose a bid, which is due soon; one that has chosen waits."""
        games = games[~self._pending[games]]
        choice, tick = self.choice[games], self.tick_number[games]
        first = self._first[choice, tick]
        has_some = first >= 0
        games, choice, tick, first = games[has_some], choice[has_some], tick[has_some], first[has_some]
        places = first + self._draws.below(games, self._span[choice, tick])
        bids = self._ranked[choice, places]
        pays = self._theirs[choice, bids] >= self._reservation[choice]
        games, bids = games[pays], bids[pays]
        self._pending[games], self._may_be_dropped[games] = True, is_silent
        self._bid[games], self._bid_is_silent[games] = bids, is_silent

    @property
    def first_table(self) -> FastTable:
        """The game of one choice of profiles."""
        return self._choices[0].table

    def own_outcomes(self, choice: int) -> IndexedOutcomes:
        """Return the outcomes with the learner's points, in one choice of profiles."""
        return self._choices[choice].table.play.outcomes

    def may_accept(self) -> Flags:
        """Return whether each learner may accept what is on the table, and does not lose by it."""
        table = np.maximum(self.outcome, 0)
        enough = self._own[self.choice, table] >= self._own_reservation[self.choice]
        found: Flags = (self.maker >= 0) & ~self.own_accepted & (enough | (self.maker == self.place))
        return found

    def points(self) -> Floats:
        """Return the learners' points, as they are at the end of a game; not a number while it runs."""
        found = np.full(self.count, np.nan)
        agreed = np.flatnonzero(self.course == AGREED)
        found[agreed] = self._own[self.choice[agreed], self.outcome[agreed]]
        for course, worths in ((OUT_OF_TIME, self._own_reservation), (LEFT, self._own_quit)):
            which = np.flatnonzero(self.course == course)
            found[which] = worths[self.choice[which]]
        if self._changes_over_time.any():
            for game in np.flatnonzero(self._changes_over_time[self.choice] & (self.course != RUNNING)):
                at, game_spec = float(self.ended_at[game]), self._choices[self.choice[game]].table.game
                preferences = game_spec.preferences[game_spec.seats[self.place]]
                found[game] = preferences.points_at(float(found[game]), at, game_spec.rules.progress(at, 0))
        return found

    def shares(self) -> Floats:
        """Return :meth:`points` as shares of the learners' ranges."""
        low, high = self._lowest[self.choice], self._highest[self.choice]
        span = np.where(high > low, high - low, 1.0)
        return np.where(high > low, (self.points() - low) / span, 0.0)

    def outcomes_of(self, terms: Ints) -> Ints:
        """Return the outcomes of terms: a row for each game, numbered as in the codec ``terms``."""
        strides, by_code = self._radix
        found: Ints = by_code[terms @ strides]
        return found

    def step(self, heads: Ints, outcomes: Ints) -> None:
        """Perform the actions of all running games, and move each on by one step.

        Args:
            heads: The head of each game, as the codec ``terms`` numbers them.
            outcomes: The offer of each game; used where the head is an offer.
        """
        running = self.course == RUNNING
        leaving = running & (heads == QUIT_HEAD)
        self.course[leaving] = LEFT
        self.ended_at[leaving] = self.tick_number[leaving] * self.tick
        offering = running & (heads == OFFER_HEAD)
        repeated = (self.maker == self.place) & (self.outcome == outcomes)
        self._offer(np.flatnonzero(offering & ~repeated), outcomes)
        accepting = running & (heads == ACCEPT_HEAD) & (self.maker >= 0) & ~self.own_accepted
        self._accept(np.flatnonzero(accepting))
        for _ in range(self._ticks_per_step):
            self._advance(np.flatnonzero(self.course == RUNNING))

    def _offer(self, games: Ints, outcomes: Ints) -> None:
        made = outcomes[games]
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
        choice = self.choice[games]
        worth = self._theirs[choice, outcomes]
        least = self._least[choice, self.tick_number[games]]
        return (worth >= least) & (worth >= self._reservation[choice])

    def _drop_silent_bids(self, games: Ints) -> None:
        dropped = games[self._bid_is_silent[games]]
        self._bid[dropped], self._bid_is_silent[dropped] = NONE, False

    def _accept(self, games: Ints) -> None:
        self.own_accepted[games] = True
        self.own_latest[games] = self.outcome[games]
        agreed = self.their_accepted[games]
        done = games[agreed]
        self._end(done, AGREED, self.tick_number[done] * self.tick)
        rest = games[~agreed]
        self._drop_silent_bids(rest)
        theirs = self.maker[rest] != self.place
        confirming = theirs | self._is_enough(rest, self.outcome[rest])
        self._accepts[rest[confirming]], self._pending[rest[confirming]] = True, False

    def _end(self, games: Ints, course: int, at: NDArray[Any]) -> None:
        self.course[games], self.ended_at[games] = course, np.round(at, 3)

    def _advance(self, games: Ints) -> None:
        """Move some games on to the next tick of the clock, or to the deadline."""
        began = np.round(self.tick_number[games] * self.tick, 3)
        accepting = self._accepts[games] & (np.round(began + self._accept_after, 3) < self.deadline)
        which = games[accepting]
        self._accepts[which] = False
        self.their_accepted[which] = True
        self.their_latest[which] = self.outcome[which]
        agreed = self.own_accepted[which]
        self._end(which[agreed], AGREED, began[accepting][agreed] + self._accept_after)
        running = self.course[games] == RUNNING
        games, began = games[running], began[running]
        bidding = (self._bid[games] >= 0) & (np.round(began + self._bid_after, 3) < self.deadline)
        which = games[bidding]
        bids = self._bid[which]
        self.maker[which], self.outcome[which] = 1 - self.place, bids
        self.their_accepted[which], self.own_accepted[which] = self._maker_accepts, False
        self.their_latest[which] = bids
        self._bid[which], self._bid_is_silent[which], self._pending[which] = NONE, False, False
        if len(which):
            self.on_bid(which, bids)
        late = began + self.tick >= self.deadline
        self._end(games[late], OUT_OF_TIME, np.full(int(late.sum()), self.deadline))
        games = games[~late]
        self.tick_number[games] += 1
        if self._breaks_silence:
            self._look_again(games[self.maker[games] == 1 - self.place])

    def _look_again(self, games: Ints) -> None:
        """Let opponents replace their own offers on the table that ask for more than they want by now."""
        choice, tick = self.choice[games], self.tick_number[games]
        places = self._first[choice, tick]
        places = np.maximum(places, 0) + self._draws.below(games, self._span[choice, tick])
        nearest = self._ranked[choice, places]
        lower = self._theirs[choice, nearest] < self._theirs[choice, self.outcome[games]]
        self._bid_now(games[lower], is_silent=True)

    def observations(self) -> NDArray[np.float32]:
        """Return the observations of all learners, a row for each game."""
        found = self._templates[self.choice]
        on = np.flatnonzero(self.maker >= 0)
        outcome = self.outcome[on]
        # As TableOffer: its maker, the numbers of LatestTerms, and who has accepted it.
        at, end = self._table_at.start, self._table_at.stop
        accepted = (self.own_accepted, self.their_accepted)
        found[on, at] = self.maker[on]
        found[on, at + 1 : end - 2] = self._terms[outcome]
        found[on, end - 2] = accepted[self.place][on]
        found[on, end - 1] = accepted[1 - self.place][on]
        worths = self._worths[self.choice[on], outcome]
        for number, place in enumerate(self._worths_at):
            found[on, place] = worths[:, number]
        for seat, latest in ((self.place, self.own_latest), (1 - self.place, self.their_latest)):
            some = np.flatnonzero(latest >= 0)
            found[some, self._latest_at[seat]] = self._terms[latest[some]]
        now = np.where(self.course == RUNNING, self.tick_number * self.tick, self.ended_at)
        found[:, self._clock] = now
        found[:, self._clock + 1] = np.maximum(0.0, self.deadline - now)
        return found
