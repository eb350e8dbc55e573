"""Fast path of a game between two bidders: the game that a session would play, without the session.

It keeps the offer on the table, the acceptances and the due steps of both seats, and calls the agents at the
session times at which a session would call them. In a session the same order follows from the scheduler
(``core/scheduler.py``), the host of each seat (``hosting/agent_host.py``) and the rules of bargaining
(``core/mechanisms/bargaining.py``). Anything else raises ``NeedsFullPathError``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from random import Random
from typing import Any, NamedTuple

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    SendOffer,
    normalize_actions,
)
from negoplatform.agent_api.bidder import BID_DELAY_MS, Answer, Bidder
from negoplatform.analysis.bidding_measures import SentOffer
from negoplatform.app.simulation.bidder_context import (
    MOST_KNOWN_OFFERS,
    BidderContext,
    BidderMoment,
    NeedsFullPathError,
    SeatFacts,
    SentOfferRecord,
    turn_of_two,
)
from negoplatform.core.action_rules import tick_at
from negoplatform.core.events import (
    NOTHING,
    Accepted,
    DecidedBy,
    EndedBy,
    Ending,
    Event,
    EventType,
    OfferMade,
    Refusal,
    clean_text,
    new_tuple,
)
from negoplatform.core.mechanisms.bargaining import StandingOffer, has_agreement, is_bindable
from negoplatform.core.mechanisms.bargaining_state import NO_OFFERS_LEFT, REPLACED_OFFER
from negoplatform.core.scheduler import Priority
from negoplatform.domain.errors import OfferError
from negoplatform.domain.game import LAST_ANSWER_SECONDS, Acceptance, GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import PLATFORM, Seat
from negoplatform.hosting.agent_script_timing import TALK_ACTIONS, AgentTiming

OPENING = 1
"""Number of the event that starts a game, which the opening answers."""

MOST_WAITING_ACTS = 500
"""Acts of a seat that may wait at once here; a session allows more, and no bidder needs as many."""


class GameFacts:
    """Facts about a game that are the same in all games with the same profiles.

    Args:
        game: The game of two seats, with resolved profiles.
    """

    def __init__(self, game: GameSpec) -> None:
        self.game = game
        self.seats = (SeatFacts(game, game.seats[0]), SeatFacts(game, game.seats[1]))
        self.maker_accepts = game.rules.acceptance is Acceptance.MAKER_ACCEPTS
        self._bindable: dict[int, tuple[Offer, bool]] = {}

    def is_bindable(self, offer: Offer) -> bool:
        """Return whether an offer, once accepted, can be a deal."""
        found = self._bindable.get(id(offer))
        if found is None:
            if len(self._bindable) >= MOST_KNOWN_OFFERS:
                self._bindable.clear()
            found = self._bindable[id(offer)] = (offer, is_bindable(self.game, offer))
        return found[1]


@dataclass(slots=True)
class BidderSeat:
    """Seat of a bidder in one game.

    Args:
        agent: The agent, configured.
        rng: Its random numbers.
        timing: Timing of its answers.
    """

    agent: Bidder
    rng: Random
    timing: AgentTiming


@dataclass(slots=True)
class _Place:
    """A bidder's place at the table during a game.

    ``droppable`` has the waiting acts that the other's move drops or brings forward, by their sequence number
    in the queue, each with the time at which it is due.
    """

    index: int
    seat: Seat
    agent: Bidder
    facts: SeatFacts
    act_delay: float
    opens_at: float
    watches_clock: bool
    bids_in_silence: bool
    last: SentOfferRecord | None = None
    waiting: int = 0
    droppable: dict[int, tuple[float, _Act]] = field(default_factory=dict)


class _Act(NamedTuple):
    """Act of a seat that is due at a time, unless it is dropped before."""

    place: _Place
    kind: str
    payload: Any
    cause: int
    decided_at: float
    flushable: bool = False


@dataclass(frozen=True, slots=True)
class BidderGameRecord:
    """Course of a game.

    Args:
        ending: Its end.
        ended_at: The session time of the end in seconds.
        offers: The offers, in order.
        refusals: The refused actions, in order: the seat, and the type of the action with the reason as text.
        events: All events; empty unless they were kept.
    """

    ending: Ending
    ended_at: float
    offers: Sequence[SentOffer]
    refusals: Sequence[tuple[Seat, str]]
    events: Sequence[Event]


class BidderGame:
    """Game between two bidders.

    Args:
        facts: The game.
        bidders: The bidder of each seat, in the game's order.
        keep_events: Whether the events are kept, for a log.
    """

    def __init__(self, facts: GameFacts, bidders: Sequence[BidderSeat], *, keep_events: bool) -> None:
        self._facts = facts
        self._game = facts.game
        self._pace = facts.game.rules.counterpart.pace
        self._deadline = facts.game.rules.deadline_seconds
        self._most_offers = facts.game.rules.deadline_offers
        self._ends_at: float | None = None
        self._places = [self._place(i, bidder) for i, bidder in enumerate(bidders)]
        self._heap: list[tuple[float, int, int, Any]] = []
        self._sequence = 0
        self._dropped: set[int] = set()
        self._seq = 0
        self._t = 0.0
        self._on_table: StandingOffer | None = None
        self._accepted_by: tuple[Seat, ...] = ()
        self._ending: Ending | None = None
        self._offers: list[SentOffer] = []
        self._refusals: list[tuple[Seat, str]] = []
        self._events: list[Event] | None = [] if keep_events else None

    def _place(self, index: int, bidder: BidderSeat) -> _Place:
        agent, timing, facts = bidder.agent, bidder.timing, self._facts.seats[index]
        facts.rng, facts.gave_up = bidder.rng, False
        kind = type(agent)
        watches = kind.on_time is not Bidder.on_time
        return _Place(
            index=index,
            seat=facts.seat,
            agent=agent,
            facts=facts,
            act_delay=timing.act_delay_at(self._pace),
            opens_at=round(timing.opening_delay, 3),
            watches_clock=watches,
            bids_in_silence=not watches
            and (kind.bids_again, kind.bid_in_silence) != (Bidder.bids_again, Bidder.bid_in_silence),
        )

    def play(self) -> BidderGameRecord:
        """Play the game to its end.

        Raises:
            NeedsFullPathError: If an agent needs more than the fast path has.
            Exception: Whatever an agent raises.
        """
        self._start()
        heap, dropped = self._heap, self._dropped
        while self._ending is None:
            self._t, _, sequence, due = heappop(heap)
            if type(due) is not _Act:
                due()
            elif sequence not in dropped:
                due.place.waiting -= 1
                due.place.droppable.pop(sequence, None)
                if due.kind == EventType.SEND_OFFER:
                    self._send_offer(due)
                else:
                    self._accept_or_quit(due)
        if any(place.facts.gave_up for place in self._places):
            raise NeedsFullPathError  # an agent has caught the first one
        return BidderGameRecord(self._ending, self._t, self._offers, self._refusals, self._events or ())

    # Time

    def _start(self) -> None:
        tick = self._game.rules.time_tick_seconds
        if self._deadline is not None:
            self._push(self._deadline, Priority.PLATFORM, self._time_out)
        self._push_tick(tick)
        event = self._record(EventType.GAME_START, PLATFORM, NOTHING)
        for place in self._places:
            place.agent.reset()
            returned = place.agent.on_game_start(self._context(place), event)
            self._schedule(place, returned, OPENING)

    def _push(self, when: float, priority: Priority, due: _Act | Callable[[], object]) -> float:
        self._sequence += 1
        when = round(when, 3)
        heappush(self._heap, (when, priority, self._sequence, due))
        return when

    def _push_tick(self, t: float) -> None:
        if self._deadline is None or t < self._deadline:
            self._push(t, Priority.PLATFORM, lambda: self._tick(t))

    def _tick(self, t: float) -> None:
        if self._has_run_out():
            return
        self._push_tick(t + self._game.rules.time_tick_seconds)
        self._record_tick()

    def _record_tick(self) -> None:
        event = self._record(EventType.TIME, PLATFORM, tick_at(self._t, self._game))
        for place in self._places:
            if place.watches_clock:
                self._schedule(place, place.agent.on_time(self._context(place), event), event.seq)
            elif place.bids_in_silence and self._on_table is not None and self._on_table.sender == place.seat:
                ctx = self._context(place)
                bid = None if ctx.remaining_time == 0 else place.agent.bid_in_silence(ctx)
                if bid is not None:
                    self._add_bid(place, bid, event.seq, flushable=True)

    def _time_out(self) -> None:
        if self._has_run_out():
            return
        self._record_tick()
        self._end(Ending(EndedBy.TIMEOUT))

    def _has_run_out(self) -> bool:
        """End the game if the time to answer the last offer is over; return whether so."""
        if self._ends_at is None or self._ends_at > self._t:
            return False
        self._end(Ending(EndedBy.TIMEOUT))
        return True

    # Acts

    def _send_offer(self, act: _Act) -> None:
        place, offer, t = act.place, act.payload, self._t
        if len(self._offers) == self._most_offers:
            self._refuse(act, NO_OFFERS_LEFT)
            return
        if place.facts.alternates:
            turn = turn_of_two(place.facts.seats, self._on_table, self._accepted_by)
            if turn != place.seat:
                raise NeedsFullPathError
        seq = self._seq = self._seq + 1
        binding = self._facts.is_bindable(offer)
        self._on_table = new_tuple(StandingOffer, (seq, place.seat, offer, binding))
        self._accepted_by = (place.seat,) if binding and self._facts.maker_accepts else ()
        place.last = new_tuple(SentOfferRecord, (seq, t, offer))
        self._offers.append((place.seat, offer, t))
        if self._events is not None:
            self._keep(seq, EventType.SEND_OFFER, place.seat, OfferMade(offer), act)
        if len(self._offers) == self._most_offers:
            self._ends_at = self._push(t + LAST_ANSWER_SECONDS, Priority.PLATFORM, self._has_run_out)
        other = self._places[1 - place.index]
        if other.droppable or other.opens_at > t:
            self._flush(other)
        answer = other.agent.answer_to_offer(self._context(other), place.seat, offer)
        if answer is not None:
            self._schedule_answer(other, answer, seq)

    def _schedule_answer(self, place: _Place, answer: Offer | Answer, cause: int) -> None:
        if isinstance(answer, Offer):
            self._add_bid(place, answer, cause)
        elif answer is Answer.ACCEPT:
            self._add(
                place, EventType.FORMAL_ACCEPT, self._offer_on_table(), self._t + place.act_delay, cause
            )
        elif answer is Answer.LEAVE:
            self._add(place, EventType.FORMAL_QUIT, None, self._t + place.act_delay, cause)
        else:
            raise NeedsFullPathError

    def _accept_or_quit(self, act: _Act) -> None:
        place, on_table = act.place, self._on_table
        other = self._places[1 - place.index]
        if act.kind == EventType.FORMAL_QUIT:
            self._record(EventType.FORMAL_QUIT, place.seat, NOTHING, act)
            self._end(Ending(EndedBy.QUIT, by=place.seat))
            return
        if on_table is not None and on_table.offer_id != act.payload:
            self._refuse(act, REPLACED_OFFER)
            return
        if on_table is None or not self._context(place).can_formally_accept():
            raise NeedsFullPathError
        event = self._record(EventType.FORMAL_ACCEPT, place.seat, Accepted(on_table.offer_id), act)
        self._accepted_by = (*self._accepted_by, place.seat)
        self._flush(other)
        self._schedule(other, other.agent.on_formal_accept(self._context(other), event), event.seq)
        if has_agreement(self._game, on_table.sender, self._accepted_by):
            deal, deal_id = on_table.offer, on_table.offer_id
            self._end(Ending(EndedBy.AGREEMENT, by=place.seat, deal=deal, deal_id=deal_id))

    def _refuse(self, act: _Act, reason: str) -> None:
        seat = act.place.seat
        self._refusals.append((seat, f"{act.kind}: {reason}"))
        self._record(EventType.ACTION_REFUSED, PLATFORM, Refusal(act.kind, clean_text(reason)), act, (seat,))

    def _end(self, ending: Ending) -> None:
        event = self._record(EventType.GAME_END, PLATFORM, ending)
        self._ending = ending
        for place in self._places:
            said = normalize_actions(place.agent.on_game_end(self._context(place), event), "on_game_end")
            if any(self._game.rules.talk or not isinstance(action, TALK_ACTIONS) for action in said):
                raise NeedsFullPathError  # its last words

    # Agents

    def _context(self, place: _Place) -> BidderContext:
        first, second = self._places
        moment = (
            self._t,
            self._on_table,
            self._accepted_by,
            (first.last, second.last),
            self._ending is None,
            len(self._offers),
            place.facts,
        )
        return BidderContext(new_tuple(BidderMoment, moment))

    def _flush(self, place: _Place) -> None:
        """Drop what the other's move makes pointless, and bring forward an opening that waits."""
        for sequence, (_, act) in [*place.droppable.items()]:
            if act.flushable:
                self._drop(place, sequence)
        if place.opens_at <= self._t:
            return
        before = place.opens_at
        place.opens_at = min(before, round(self._t + place.act_delay, 3))
        for sequence, (when, act) in [*place.droppable.items()]:
            if act.cause == OPENING and place.opens_at < before:
                self._drop(place, sequence)
                self._push_act(when - (before - place.opens_at), act)

    def _drop(self, place: _Place, sequence: int) -> None:
        self._dropped.add(sequence)
        place.waiting -= 1
        del place.droppable[sequence]

    def _schedule(self, place: _Place, returned: object, cause: int) -> None:
        """Schedule the script that a handler returned."""
        actions = normalize_actions(returned, "a handler")
        if not actions:
            return
        base = max(self._t, place.opens_at) if cause == OPENING else self._t
        at = max(self._t + place.act_delay, base)
        for action in actions:
            payload: Any = None
            at += getattr(action, "delay_ms", 0) / 1000 * self._pace
            match action:
                case SendOffer(offer):
                    try:
                        self._game.check_offer(offer)
                    except OfferError:  # a session refuses it when it is due
                        raise NeedsFullPathError from None
                    kind, payload = EventType.SEND_OFFER, offer
                case FormalAccept():
                    kind, payload = EventType.FORMAL_ACCEPT, self._offer_on_table()
                case FormalQuit():
                    kind = EventType.FORMAL_QUIT
                case _ if isinstance(action, TALK_ACTIONS) and not self._game.rules.talk:
                    continue
                case _:
                    raise NeedsFullPathError
            self._add(place, kind, payload, at, cause, flushable=action.flushable)

    def _add_bid(self, place: _Place, offer: Offer, cause: int, *, flushable: bool = False) -> None:
        if not offer.terms:
            raise NeedsFullPathError  # it is refused
        at = self._t + place.act_delay + BID_DELAY_MS / 1000 * self._pace
        self._add(place, EventType.SEND_OFFER, offer, at, cause, flushable=flushable)

    def _add(
        self, place: _Place, kind: str, payload: Any, at: float, cause: int, *, flushable: bool = False
    ) -> None:
        self._push_act(at, new_tuple(_Act, (place, kind, payload, cause, self._t, flushable)))

    def _push_act(self, at: float, act: _Act) -> None:
        when, place = self._push(at, Priority.SEAT, act), act.place
        place.waiting += 1
        if act.flushable or act.cause == OPENING:
            place.droppable[self._sequence] = (when, act)
        if place.waiting > MOST_WAITING_ACTS:
            raise NeedsFullPathError

    def _offer_on_table(self) -> int:
        if self._on_table is None or not self._on_table.is_bindable:
            raise NeedsFullPathError
        return self._on_table.offer_id

    # Events

    def _record(
        self,
        kind: EventType,
        sender: Seat,
        payload: Any,
        act: _Act | None = None,
        to: tuple[Seat, ...] = (),
    ) -> Event:
        """Count an event, keep it for the log, and return it as a seat sees it."""
        self._seq += 1
        if self._events is not None:
            self._keep(self._seq, kind, sender, payload, act, to)
        return Event(self._seq, self._t, kind, sender, payload, to)

    def _keep(
        self,
        seq: int,
        kind: EventType,
        sender: Seat,
        payload: Any,
        act: _Act | None,
        to: tuple[Seat, ...] = (),
    ) -> None:
        assert self._events is not None
        cause, by, decided_at = None, None, None
        if act is not None:
            cause, by, decided_at = act.cause, DecidedBy.AGENT, act.decided_at
        event = Event(seq, self._t, kind, sender, payload, to, cause, by, decided_at)
        self._events.append(event)
