"""Fast path of a game between two bidders with index strategies: offers are numbers, and there are no agents.

The same game as in ``bidder_engine.py``, with its times, refusals and random numbers, for games with complete
offers alone. What is left of a session is a queue of what is due: the offers and acceptances of both seats,
the ticks of the clock where a seat waits for them, and the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from random import Random
from typing import Any

from negoplatform.agent_api.bidder import BID_DELAY_MS, Bidder
from negoplatform.agent_api.bids import MAX_ENUMERATED_OUTCOMES, list_offers, points_of_listed
from negoplatform.agent_api.index_strategy import IndexedOutcomes, IndexStrategy
from negoplatform.analysis.bidding_measures import SentOffer
from negoplatform.app.session.session_runner import seat_seed
from negoplatform.app.simulation.bidder_context import NeedsFullPathError
from negoplatform.app.simulation.bidder_engine import BidderGameRecord, GameFacts
from negoplatform.core.events import EndedBy, Ending, EventType
from negoplatform.core.mechanisms.bargaining_state import NO_OFFERS_LEFT, REPLACED_OFFER
from negoplatform.core.scheduler import Priority
from negoplatform.domain.agreement_rules import Turns
from negoplatform.domain.game import LAST_ANSWER_SECONDS, Acceptance, GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import Points
from negoplatform.hosting.agent_script_timing import AgentTiming

_PLATFORM, _SEAT = int(Priority.PLATFORM), int(Priority.SEAT)

_DEADLINE, _RUN_OUT, _TICK, _OFFER, _ACCEPT = range(5)
"""Kinds of what is due."""


class LateSeededRandom(Random):
    """Random numbers of one seat for many games, which are seeded when a game draws the first."""

    drawn = False
    """Whether the present game has drawn any."""

    def begin(self, seed: str) -> None:
        """Begin a game; ``seed`` is that of a ``Random`` with the same numbers."""
        self._seed = seed
        if not self.drawn and "random" in self.__dict__:
            return
        self.drawn = False
        self.__dict__.update(random=self._first_random, getrandbits=self._first_bits)

    def _first_random(self) -> float:
        self._draw()
        return self.random()

    def _first_bits(self, bits: int) -> int:
        self._draw()
        return self.getrandbits(bits)

    def _draw(self) -> None:
        if not self.drawn:  # a caller may keep the first method for several draws
            del self.__dict__["random"], self.__dict__["getrandbits"]
            self.seed(self._seed)
            self.drawn = True


@dataclass(frozen=True, slots=True, eq=False)
class IndexPlayer:
    """Bidder of one seat, for many games.

    Args:
        seat: The seat.
        strategy: Its decisions.
        timing: Timing of its answers.
        rng: Its random numbers.
    """

    seat: Seat
    strategy: IndexStrategy
    timing: AgentTiming
    rng: LateSeededRandom


class IndexedGame:
    """Outcomes of a game by index, and its bidders with index strategies, which serve all its games.

    Args:
        facts: The game.
    """

    def __init__(self, facts: GameFacts) -> None:
        game = facts.game
        self._facts = facts
        self._players: dict[tuple[type[Bidder], str, Seat], IndexPlayer | None] = {}
        few = game.issues and game.count_outcomes() <= MAX_ENUMERATED_OUTCOMES
        self.is_suited = bool(few) and game.rules.deadline_seconds is not None
        """Whether the game can be played by index."""

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """All complete offers, by index."""
        return list_offers(self._facts.game.issues, self._facts.game.seats)

    @cached_property
    def _outcomes(self) -> tuple[IndexedOutcomes, ...]:
        game = self._facts.game
        return tuple(
            IndexedOutcomes(
                points_of_listed(game.issues, game.seats, seat.preferences.utility),
                seat.reservation_value,
                seat.visible.rules,
            )
            for seat in self._facts.seats
        )

    def player(
        self,
        seat: int,
        agent_class: type[Bidder],
        config: Mapping[str, Any],
        timing: AgentTiming,
        make: Callable[[], Bidder],
    ) -> IndexPlayer | None:
        """Return the player of a seat; None if the bidder has no index strategy.

        Args:
            seat: The place of the seat in the game's order.
            agent_class: The class of the bidder.
            config: Its settings.
            timing: Timing of its answers.
            make: Function that makes the bidder, where it has not been made before.
        """
        name = self._facts.game.seats[seat]
        key = (agent_class, repr(config), name)
        if key not in self._players:
            strategy = make().index_strategy(self._outcomes[seat]) if _says_all(agent_class) else None
            self._players[key] = (
                None if strategy is None else IndexPlayer(name, strategy, timing, LateSeededRandom())
            )
        return self._players[key]


def _says_all(agent_class: type[Bidder]) -> bool:
    """Return whether the index strategy of a class is its own: the one that has it is not overridden.

    Classes that are derived from that one may have other settings and texts, and no methods.
    """
    lineage = agent_class.__mro__
    place = next(i for i, each in enumerate(lineage) if "index_strategy" in vars(each))
    owner = lineage[place]
    if owner is Bidder or owner.__mro__ != lineage[place:]:
        return False
    added = [pair for each in lineage[:place] for pair in vars(each).items()]
    return not any(
        hasattr(type(value), "__get__") or (name != "Settings" and callable(getattr(owner, name, None)))
        for name, value in added
    )


_Due = tuple[float, int, int, int, int, Any]
"""Step that is due, unless it is dropped before: time, priority, sequence number, kind, seat and value.

The value is the outcome of an offer, the id of an accepted offer, or the unrounded time of a tick. Two steps
never compare by more than their sequence numbers.
"""


class IndexGame:
    """Games between two bidders with index strategies, one after the other.

    Args:
        game: The game, with resolved profiles and a deadline in seconds.
        offers: Its complete offers, by index.
        players: The players of its seats.
    """

    def __init__(self, game: GameSpec, offers: Sequence[Offer], players: Sequence[IndexPlayer]) -> None:
        rules = game.rules
        assert rules.deadline_seconds is not None
        self.game, self.players = game, players
        self._seats, self._all_offers = game.seats, offers
        self._deadline, self._most_offers = rules.deadline_seconds, rules.deadline_offers
        self._tick_seconds = rules.time_tick_seconds
        self._alternates = rules.turns is not Turns.FREE
        self._maker_accepts = rules.acceptance is Acceptance.MAKER_ACCEPTS
        pace = rules.counterpart.pace
        self._pause = BID_DELAY_MS / 1000 * pace
        self._act_delays = [player.timing.act_delay_at(pace) for player in players]
        self._opening_delays = [round(player.timing.opening_delay, 3) for player in players]
        self._strategies = [player.strategy for player in players]
        self._ticks = any(strategy.breaks_silence for strategy in self._strategies)
        self._points: list[list[Points]] = [player.strategy.outcomes.points for player in players]
        self._reservation = [player.strategy.outcomes.reservation_value for player in players]
        self._change_over_time = any(
            each.discount_factor != 1 or each.time_cost for each in game.preferences.values()
        )
        self._ending: Ending | None = None

    def play(self, seed: int) -> BidderGameRecord:
        """Play the game of a seed to its end.

        Raises:
            NeedsFullPathError: If a seat acts out of turn.
        """
        for player in self.players:
            player.rng.begin(seat_seed(seed, player.seat))
            player.strategy.reset(player.rng)
        self._begin()
        heap, dropped = self._heap, self._dropped
        while (ending := self._ending) is None:
            self._t, _, sequence, kind, seat, value = heappop(heap)
            if kind == _OFFER:
                if sequence not in dropped:
                    self._send_offer(sequence, seat, value)
            elif kind == _ACCEPT:
                self._accept(seat, value)
            elif kind == _TICK:
                self._tick(value)
            elif kind == _DEADLINE or self._has_run_out():
                self._ending = Ending(EndedBy.TIMEOUT)
        seats, all_offers = self._seats, self._all_offers
        sent: list[SentOffer] = [(seats[seat], all_offers[index], t) for seat, index, t in self._offers]
        return BidderGameRecord(ending, self._t, sent, self._refusals, ())

    def points(self, record: BidderGameRecord) -> SeatMap[Points | None]:
        """Return each seat's points of the end of a game."""
        deal = self._on_table if record.ending.deal is not None else None
        worths = self._reservation if deal is None else [points[deal[2]] for points in self._points]
        if self._change_over_time:
            progress = self.game.rules.progress(record.ended_at, len(record.offers))
            preferences = [self.game.preferences[seat] for seat in self._seats]
            worths = [
                each.points_at(worth, record.ended_at, progress)
                for each, worth in zip(preferences, worths, strict=True)
            ]
        return SeatMap(zip(self._seats, worths, strict=True))

    @property
    def has_drawn(self) -> bool:
        """Whether the last game has drawn a random number."""
        return any(player.rng.drawn for player in self.players)

    def _begin(self) -> None:
        self._heap: list[_Due] = []
        self._sequence = 0
        self._dropped: set[int] = set()
        # Openings and bids in a silence, which the other's move drops or brings forward; whether the latter.
        self._droppable: tuple[dict[int, tuple[_Due, bool]], ...] = ({}, {})
        self._t = 0.0
        self._id = 1
        self._on_table: tuple[int, int, int] | None = None  # its id, its sender and its outcome
        self._accepted = [False, False]
        self._own_ids = [0, 0]
        self._pending: list[int | None] = [None, None]
        self._may_be_dropped = [False, False]
        self._opens_at = [*self._opening_delays]
        self._offers: list[tuple[int, int, float]] = []
        self._refusals: list[tuple[Seat, str]] = []
        self._ends_at: float | None = None
        self._ending = None
        self._push(self._deadline, _PLATFORM, _DEADLINE)
        if self._ticks:
            self._push_tick(self._tick_seconds)
        for seat in (0, 1):
            bid = None if self._alternates and seat else self._choose_bid(seat)
            if bid is not None:
                at = max(self._act_delays[seat], self._opens_at[seat]) + self._pause
                due = self._push(at, _SEAT, _OFFER, seat, bid)
                self._droppable[seat][due[2]] = due, False

    def _push(self, when: float, priority: int, kind: int, seat: int = 0, value: Any = 0) -> _Due:
        self._sequence += 1
        due = (round(when, 3), priority, self._sequence, kind, seat, value)
        heappush(self._heap, due)
        return due

    # Time

    def _push_tick(self, t: float) -> None:
        if t < self._deadline:
            self._push(t, _PLATFORM, _TICK, value=t)

    def _tick(self, t: float) -> None:
        if self._has_run_out():
            self._ending = Ending(EndedBy.TIMEOUT)
            return
        self._push_tick(t + self._tick_seconds)
        if self._on_table is None or self._t >= self._deadline:
            return
        _, seat, index = self._on_table
        strategy = self._strategies[seat]
        if not strategy.breaks_silence or not strategy.bids_again(self._t, len(self._offers), index):
            return
        # Where turns alternate it is the other's, unless that seat has accepted.
        bid = None if self._alternates and not self._accepted[1 - seat] else self._choose_bid(seat)
        if bid is not None:
            self._may_be_dropped[seat] = True
            at = self._t + self._act_delays[seat] + self._pause
            due = self._push(at, _SEAT, _OFFER, seat, bid)
            self._droppable[seat][due[2]] = due, True

    def _has_run_out(self) -> bool:
        return self._ends_at is not None and self._ends_at <= self._t

    # Acts

    def _send_offer(self, sequence: int, seat: int, index: int) -> None:
        offers, other = self._offers, 1 - seat
        if self._droppable[seat]:
            self._droppable[seat].pop(sequence, None)
        self._id += 1
        if len(offers) == self._most_offers:
            self._refusals.append((self._seats[seat], f"{EventType.SEND_OFFER}: {NO_OFFERS_LEFT}"))
            return
        if self._alternates and self._turn() != seat:
            raise NeedsFullPathError
        self._on_table = self._id, seat, index
        self._accepted[seat], self._accepted[other] = self._maker_accepts, False
        self._own_ids[seat] = self._id
        offers.append((seat, index, self._t))
        if len(offers) == self._most_offers:
            self._ends_at = round(self._t + LAST_ANSWER_SECONDS, 3)
            self._push(self._ends_at, _PLATFORM, _RUN_OUT)
        if self._droppable[other] or self._opens_at[other] > self._t:
            self._flush(other)
        self._answer(other, index)

    def _answer(self, seat: int, index: int) -> None:
        """Let a seat decide about an offer of the other, which has passed the turn to it."""
        t, made, strategy = self._t, len(self._offers), self._strategies[seat]
        if self._may_be_dropped[seat]:
            self._pending[seat], self._may_be_dropped[seat] = None, False
        strategy.hear(index)
        if t >= self._deadline:
            return
        points, reservation = self._points[seat], self._reservation[seat]
        least, worth = strategy.least(t, made), points[index]
        if worth >= least and worth >= reservation:
            self._push_acceptance(seat)
            return
        own = self._own_ids[seat]
        if made == self._most_offers or self._pending[seat] == own:
            return
        bid = strategy.next_bid(t, made)  # as in _choose_bid: a call less for every offer
        if bid is None or points[bid] < reservation:
            return
        self._pending[seat], self._may_be_dropped[seat] = own, False
        self._sequence += 1
        when = round(t + self._act_delays[seat] + self._pause, 3)
        heappush(self._heap, (when, _SEAT, self._sequence, _OFFER, seat, bid))

    def _push_acceptance(self, seat: int) -> None:
        assert self._on_table is not None
        self._pending[seat] = None
        self._push(self._t + self._act_delays[seat], _SEAT, _ACCEPT, seat, self._on_table[0])

    def _choose_bid(self, seat: int) -> int | None:
        """Return the outcome to bid for a seat that has the turn, as ``Bidder`` chooses it."""
        t, made, own = self._t, len(self._offers), self._own_ids[seat]
        if made == self._most_offers or t >= self._deadline or self._pending[seat] == own:
            return None
        bid = self._strategies[seat].next_bid(t, made)
        if bid is None or self._points[seat][bid] < self._reservation[seat]:
            return None
        self._pending[seat], self._may_be_dropped[seat] = own, False
        return bid

    def _turn(self) -> int:
        """Return the seat whose turn it is in a game with turns."""
        if self._on_table is None:
            return 0
        maker = self._on_table[1]
        return maker if self._accepted[1 - maker] else 1 - maker

    def _accept(self, seat: int, offer_id: int) -> None:
        on_table, other = self._on_table, 1 - seat
        self._id += 1
        assert on_table is not None
        if on_table[0] != offer_id:
            self._refusals.append((self._seats[seat], f"{EventType.FORMAL_ACCEPT}: {REPLACED_OFFER}"))
            return
        may = not self._alternates or on_table[1] == seat or self._turn() == seat
        if self._accepted[seat] or not may or self._t >= self._deadline:
            raise NeedsFullPathError
        self._accepted[seat] = True
        if self._accepted[other]:
            by, deal = self._seats[seat], self._all_offers[on_table[2]]
            self._ending = Ending(EndedBy.AGREEMENT, by=by, deal=deal, deal_id=offer_id)
            return
        self._flush(other)
        if on_table[1] == seat:
            raise NeedsFullPathError  # it has accepted its own offer first
        self._push_acceptance(other)

    def _flush(self, seat: int) -> None:
        """Drop what the other's move makes pointless, and bring forward an opening that waits."""
        droppable = self._droppable[seat]
        for due, in_silence in [*droppable.values()]:
            if in_silence:
                self._drop(seat, due)
        before = self._opens_at[seat]
        if before <= self._t:
            return
        self._opens_at[seat] = opens = min(before, round(self._t + self._act_delays[seat], 3))
        for due, _ in [*droppable.values()] if opens < before else ():
            self._drop(seat, due)
            moved = self._push(due[0] - (before - opens), _SEAT, _OFFER, seat, due[5])
            droppable[moved[2]] = moved, False

    def _drop(self, seat: int, due: _Due) -> None:
        self._dropped.add(due[2])
        del self._droppable[seat][due[2]]
