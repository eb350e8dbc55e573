"""Fast path of an episode: a game between one learner and one bidder by indices of outcomes.

The same game as in a session, with its times, refusals and random numbers, as in ``index_engine.py``. With
one bidder at most one bid and one acceptance are due at a time, so there is no queue.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from negoplatform.agent_api.bidder import BID_DELAY_MS
from negoplatform.agent_api.index_strategy import IndexedOutcomes, IndexStrategy
from negoplatform.app.session.session_runner import seat_seed
from negoplatform.app.simulation.bidder_context import NeedsFullPathError
from negoplatform.app.simulation.index_engine import IndexPlayer
from negoplatform.core.events import EndedBy
from negoplatform.core.mechanisms.bargaining_state import (
    ALREADY_ACCEPTED,
    NO_OFFER,
    NO_OFFERS_LEFT,
    OUT_OF_TURN,
)
from negoplatform.domain.agreement_rules import Turns
from negoplatform.domain.game import LAST_ANSWER_SECONDS, Acceptance, GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import Points
from negoplatform.strategies.learned.action_codec import QUIT
from negoplatform.strategies.learned.bargaining_codecs import ACCEPT, OFFER, TermsCodec

OFFER_HEAD, ACCEPT_HEAD, QUIT_HEAD = (TermsCodec.heads.index(head) for head in (OFFER, ACCEPT, QUIT))
"""Numbers of the heads of the codecs of offers."""

NONE = -1
"""No seat, and no outcome."""

Table = tuple[int, int, bool, bool, int, int]
"""Values on which the observations depend, apart from the time.

The place of the maker and the outcome of the offer on the table, whether each seat has accepted it, and the
outcomes of the latest terms of the learner and of its opponent.
"""

CLOSED, _NOTHING_TO_ACCEPT, _OPEN = (False, False, False), (True, False, True), (True, True, True)
"""Whether an offer, acceptance and walking away are open."""

_ANSWER, _SILENT, _OPENING = range(3)
"""Kinds of a bid that is due: an answer; one in a silence, dropped by the learner's next act; the opening."""


class LearnerGame:
    """Games between a learner and a bidder with an index strategy, one after the other.

    Args:
        game: The game, with resolved profiles and a deadline in seconds.
        offers: Its complete offers, by index.
        outcomes: The same with the learner's points.
        learner: The place of the learner's seat.
        opponent: The bidder.
    """

    def __init__(
        self,
        game: GameSpec,
        offers: Sequence[Offer],
        outcomes: IndexedOutcomes,
        learner: int,
        opponent: IndexPlayer,
    ) -> None:
        rules = game.rules
        assert rules.deadline_seconds is not None
        self.game, self.all_offers, self.outcomes = game, offers, outcomes
        self.learner, self.opponent = learner, opponent
        self._other = 1 - learner
        self._deadline, self._most_offers = rules.deadline_seconds, rules.deadline_offers
        self._tick_seconds = rules.time_tick_seconds
        self._alternates = rules.turns is not Turns.FREE
        self._maker_accepts = rules.acceptance is Acceptance.MAKER_ACCEPTS
        self._is_limited = self._alternates or self._most_offers is not None
        pace = rules.counterpart.pace
        self._act_delay = opponent.timing.act_delay_at(pace)
        self._bid_delay = BID_DELAY_MS / 1000 * pace
        self._opening_delay = round(opponent.timing.opening_delay, 3)
        self._opening_due = round(max(self._act_delay, self._opening_delay) + self._bid_delay, 3)
        # Rounding takes longer than looking a time up; times are those of steps and ticks, so they are few.
        self._bid_due_at: dict[float, float] = {}
        self._accept_due_at: dict[float, float] = {}
        strategy = opponent.strategy
        self._least, self._next_bid, self._bids_again = strategy.least, strategy.next_bid, strategy.bids_again
        self._hear = None if type(strategy).hear is IndexStrategy.hear else strategy.hear
        self._reset = None if type(strategy).reset is IndexStrategy.reset else strategy.reset
        strategy.reset(opponent.rng)
        self._their_points = strategy.outcomes.points
        self._their_reservation = strategy.outcomes.reservation_value
        preferences = game.preferences[game.seats[learner]]
        self._preferences = preferences
        self.reservation_value: Points = outcomes.reservation_value
        """The learner's points of a timeout, before the cost of time."""
        self.quit_value: Points = preferences.quit_value
        """The learner's points of walking away, before the cost of time."""
        self.changes_over_time = preferences.discount_factor != 1 or preferences.time_cost is not None
        """Whether the learner's points depend on the time of the end."""
        self._first_tick = self._tick_seconds if strategy.breaks_silence else inf
        self._tick_times = [round(self._first_tick, 3) if self._first_tick < self._deadline else inf]
        """Times of the ticks that are looked at, by number from 0, as far as one has been played."""
        self._next_tick = self._first_tick
        self.ended_by: EndedBy | None = None
        """End of the game; None while it runs."""
        self.last_time = 0.0
        """Session time of what happened last, in seconds."""
        self.offer_count = 0
        """Number of offers so far."""

    def begin(self, seed: int) -> None:
        """Begin the game of a seed."""
        player = self.opponent
        player.rng.begin(seat_seed(seed, player.seat))
        if self._reset is not None:
            self._reset(player.rng)
        self.ended_by, self.last_time, self.offer_count = None, 0.0, 0
        self._own_latest = self._their_latest = self._maker = self._outcome = NONE
        self._own_accepted = self._their_accepted = self._may_be_dropped = False
        self._bids_made, self._pending_after = 0, NONE
        self._bid, self._bid_due, self._bid_kind = NONE, inf, _ANSWER
        self._accept_due = inf
        self._ends_at = self._deadline
        self._tick_number, self._tick_due = 0, self._tick_times[0]
        self._opens_at = self._opening_delay
        if not (self._alternates and self._other):
            bid = self._choose_bid(0.0)
            if bid is not None:
                self._bid, self._bid_due, self._bid_kind = bid, self._opening_due, _OPENING

    @property
    def table(self) -> Table:
        """Values on which the observations depend, apart from the time."""
        first, second = self._own_accepted, self._their_accepted
        if self.learner:
            first, second = second, first
        return (self._maker, self._outcome, first, second, self._own_latest, self._their_latest)

    def step(self, head: int, outcome: int, now: float, until: float) -> str:
        """Perform an action of the learner, and play on.

        Args:
            head: Its head.
            outcome: Its offer; used where the head is an offer.
            now: Session time, in seconds.
            until: Session time up to which the game goes on, in seconds.

        Returns:
            Why the action was refused; empty if it was not.

        Raises:
            NeedsFullPathError: If a session has to go on with the game.
        """
        refused = ""
        if head == OFFER_HEAD:
            if self._maker != self.learner or self._outcome != outcome:
                refused = self._offer_fault() if self._is_limited else ""
                if not refused:
                    self._make_offer(outcome, now)
        elif head == ACCEPT_HEAD:
            refused = self._acceptance_fault()
            if not refused:
                self.last_time = now
                self._accept()
        elif head == QUIT_HEAD:
            self.last_time = now
            self.ended_by = EndedBy.QUIT
            return ""
        if self.ended_by is None:
            self._run_until(until)
        return refused

    def open_heads(self) -> tuple[bool, bool, bool]:
        """Return whether the learner may make an offer, accept and walk away now."""
        if self.ended_by is not None:
            return CLOSED
        if self._is_limited:
            return (not self._offer_fault(), not self._acceptance_fault(), True)
        return _NOTHING_TO_ACCEPT if self._maker == NONE or self._own_accepted else _OPEN

    def final_points(self) -> Points:
        """Return the learner's points at the end of the game."""
        if self.ended_by is EndedBy.AGREEMENT:
            worth = self.outcomes.points[self._outcome]
        else:
            worth = self.quit_value if self.ended_by is EndedBy.QUIT else self.reservation_value
        return self.points_at(worth, self.last_time) if self.changes_over_time else worth

    def points_at(self, worth: Points, now: float) -> Points:
        """Return what the learner's points are worth at a session time (s)."""
        if not self.changes_over_time:
            return worth
        progress = self.game.rules.progress(now, self.offer_count)
        return self._preferences.points_at(worth, now, progress)

    # Acts of the learner

    def _offer_fault(self) -> str:
        """Return why the learner cannot make an offer now; empty if it can."""
        if self._most_offers is not None and self.offer_count >= self._most_offers:
            return NO_OFFERS_LEFT
        return OUT_OF_TURN if self._alternates and not self._has_turn(self.learner) else ""

    def _acceptance_fault(self) -> str:
        """Return why the learner cannot accept the offer on the table now; empty if it can."""
        if self._maker == NONE:
            return NO_OFFER
        if self._own_accepted:
            return ALREADY_ACCEPTED
        free = not self._alternates or self._maker == self.learner
        return "" if free or self._has_turn(self.learner) else OUT_OF_TURN

    def _has_turn(self, seat: int) -> bool:
        """Return whether a seat has the turn in a game with turns."""
        if self._maker == NONE:
            return seat == 0
        answered = self._their_accepted if self._maker == self.learner else self._own_accepted
        return (seat == self._maker) is answered

    def _make_offer(self, outcome: int, now: float) -> None:
        """Put an offer of the learner on the table; the opponent decides about it."""
        self.last_time = now
        self._maker, self._outcome = self.learner, outcome
        self._own_accepted, self._their_accepted = self._maker_accepts, False
        self._own_latest = outcome
        self.offer_count = made = self.offer_count + 1
        if made == self._most_offers:
            self._limit_time()
        if self._bid_kind == _SILENT or self._opens_at > now:
            self._flush()
        if self._may_be_dropped:
            self._pending_after, self._may_be_dropped = NONE, False
        if self._hear is not None:
            self._hear(outcome)
        self._accept_due = inf  # an acceptance that was due is of an offer that has been replaced
        if now >= self._deadline:
            return
        worth = self._their_points[outcome]
        if worth >= self._least(now, made) and worth >= self._their_reservation:
            self._accept_soon()
            return
        bid = self._choose_bid(now)
        if bid is not None:
            self._bid_soon(bid, now, _ANSWER)

    def _accept(self) -> None:
        """Accept the offer on the table; the opponent confirms its own, or decides about it once more."""
        self._own_accepted = True
        self._own_latest = self._outcome
        if self._their_accepted:
            self.ended_by = EndedBy.AGREEMENT
            return
        self._flush()
        if self._maker == self._other or self._is_enough(self._outcome):
            self._accept_soon()

    def _limit_time(self) -> None:
        """Let the game end soon after the last offer."""
        self._ends_at = min(self._ends_at, round(self.last_time + LAST_ANSWER_SECONDS, 3))

    # The opponent

    def _flush(self) -> None:
        """Drop a bid that was chosen in a silence, and make an opening that waits due earlier."""
        if self._bid_kind == _SILENT:
            self._bid, self._bid_due, self._bid_kind = NONE, inf, _ANSWER
        before, now = self._opens_at, self.last_time
        if before > now:
            self._opens_at = min(before, round(now + self._act_delay, 3))
            if self._bid_kind == _OPENING and self._bid != NONE:
                self._bid_due = round(self._bid_due - (before - self._opens_at), 3)

    def _is_enough(self, outcome: int) -> bool:
        least = self._least(self.last_time, self.offer_count)
        worth = self._their_points[outcome]
        return worth >= least and worth >= self._their_reservation

    def _accept_soon(self) -> None:
        self._pending_after = NONE
        now = self.last_time
        due = self._accept_due_at.get(now)
        if due is None:
            due = self._accept_due_at[now] = round(now + self._act_delay, 3)
        if due < self._accept_due:  # one that is on its way to the same offer comes first
            self._accept_due = due

    def _bid_soon(self, bid: int, now: float, kind: int) -> None:
        if self._bid != NONE:
            raise NeedsFullPathError  # two bids are due
        due = self._bid_due_at.get(now)
        if due is None:
            due = self._bid_due_at[now] = round(now + self._act_delay + self._bid_delay, 3)
        self._bid, self._bid_due, self._bid_kind = bid, due, kind

    def _choose_bid(self, now: float) -> int | None:
        """Return the outcome to bid for the opponent that has the turn, as ``Bidder`` chooses it."""
        made = self.offer_count
        if made == self._most_offers or now >= self._deadline or self._pending_after == self._bids_made:
            return None
        bid = self._next_bid(now, made)
        if bid is None or self._their_points[bid] < self._their_reservation:
            return None
        self._pending_after, self._may_be_dropped = self._bids_made, False
        return bid

    # Time

    def _run_until(self, until: float) -> None:
        """Play on to the end, or until nothing more is due by a session time (s)."""
        while True:
            bid_due, accept_due, tick_due = self._bid_due, self._accept_due, self._tick_due
            due = accept_due if accept_due < bid_due else bid_due
            is_tick = tick_due <= due
            first = tick_due if is_tick else due
            # What is the platform's comes before the acts of seats at the same time.
            if self._ends_at <= until and self._ends_at <= first:
                self.last_time = self._ends_at
                self.ended_by = EndedBy.TIMEOUT
                return
            if first > until:
                return
            self.last_time = first
            if is_tick:
                self._replace_bid(first)
            elif accept_due < bid_due:
                self._accept_due = inf
                self._take_acceptance()
                if self.ended_by is not None:
                    return
            else:
                self._take_bid()

    def _take_acceptance(self) -> None:
        self._their_accepted = True
        self._their_latest = self._outcome
        if self._own_accepted:
            self.ended_by = EndedBy.AGREEMENT

    def _take_bid(self) -> None:
        """Put the bid that is due on the table, unless no offers are left."""
        bid, self._bid, self._bid_due, self._bid_kind = self._bid, NONE, inf, _ANSWER
        if self.offer_count == self._most_offers:
            return
        if self._alternates and not self._has_turn(self._other):
            raise NeedsFullPathError
        self._maker, self._outcome = self._other, bid
        self._their_accepted, self._own_accepted = self._maker_accepts, False
        self._their_latest = bid
        self._accept_due = inf
        self._bids_made += 1
        self.offer_count += 1
        if self.offer_count == self._most_offers:
            self._limit_time()

    def _replace_bid(self, now: float) -> None:
        """Let the opponent replace its own offer on the table at a tick of the clock."""
        self._tick_number += 1
        if self._tick_number == len(self._tick_times):
            self._next_tick += self._tick_seconds
            self._tick_times.append(round(self._next_tick, 3) if self._next_tick < self._deadline else inf)
        self._tick_due = self._tick_times[self._tick_number]
        if self._maker != self._other or now >= self._deadline:
            return
        if not self._bids_again(now, self.offer_count, self._outcome):
            return
        bid = None if self._alternates and not self._own_accepted else self._choose_bid(now)
        if bid is not None:
            self._bid_soon(bid, now, _SILENT)
            self._may_be_dropped = True
