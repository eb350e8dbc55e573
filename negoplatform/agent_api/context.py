"""The context of an agent's decision: a frozen snapshot of its own view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Protocol

from negoplatform.agent_api.heard_message import (
    address_of_last_message,
    address_of_text,
    interpretation_of_last_message,
    topics_of_last_message,
)
from negoplatform.agent_api.market_view import MarketView, not_in_this_game
from negoplatform.agent_api.offer_from_values import TermSpec, offer_from_values
from negoplatform.agent_api.offer_schema import terms_from_json
from negoplatform.agent_api.trading_view import TradingView
from negoplatform.core.action_rules import phase_at
from negoplatform.core.events import SEND_OFFER, Ending, Event, EventType
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.immutable.persistent_list import PersistentList
from negoplatform.core.mechanisms.bargaining import (
    BargainingState,
    acceptance_error,
    may_offer,
    offers_made,
    remaining_offers,
    turn_of,
)
from negoplatform.core.mechanisms.base import Mechanism
from negoplatform.core.mechanisms.double_auction_state import DoubleAuctionState
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.mechanisms.trading_state import TradingState
from negoplatform.core.notes_and_tasks_derivation import proposed_sections_diff, record_sections
from negoplatform.core.record.commands import information_for, mandate_of
from negoplatform.core.record.notes_and_tasks import Task
from negoplatform.core.record.notes_and_tasks_update_merge import StateDiff
from negoplatform.core.rounds import SINGLE_ROUND, Round
from negoplatform.core.seat_game_state import seat_game_state
from negoplatform.core.session_features import observation_of
from negoplatform.core.state import NEGOTIATING, GameState, State
from negoplatform.core.visibility import View
from negoplatform.domain.agreement_rules import FREE_TURNS
from negoplatform.domain.briefing import NO_BRIEFING, Briefing
from negoplatform.domain.errors import NotVisible
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import Issue
from negoplatform.domain.issue_status_board import Board
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points, fraction
from negoplatform.language import (
    Address,
    Interpretation,
    TopicMention,
)


class OpponentModel(Protocol):
    """Model of the other side's preferences.

    An agent that has a method ``opponent_model(seat)`` is asked for its models in tournaments, and they are
    compared with the truth. A model may also have ``weights``, the estimated weight of each issue by its name
    (a mapping, or a method that returns one), and ``estimate_utilities(offers)``, which returns a list of the
    same estimates faster.
    """

    def estimate_utility(self, offer: Offer) -> float:
        """Return the estimated utility of an offer for the other side, 0 to 1."""
        ...


class AgentContext:
    """Read-only context of an agent: all of it is the agent's own view; nothing leads back to the session.

    Args:
        view: The view of the agent's seat.
        now: Session time in seconds.
        rng: The seat's own random numbers; the only source that keeps a session reproducible.
        round_: The game's place among those that the agent plays in a row.
    """

    # Slots and not properties, because agents ask for these at every event.
    __slots__ = {
        "_reading": "Interpretation of the last text, once it was asked for.",
        "_round": "Place of this game among the participant's rounds.",
        "_topics": "Topics of the last text, once they were asked for.",
        "_view": "View of the agent's seat.",
        "elapsed_time": "Seconds since the start.",
        "game": "The game, with this seat's preferences and no others.",
        "rng": "This seat's random numbers, seeded from the session's seed.",
        "seat": "The agent's seat.",
        "seats": "All seats, in the game's order.",
    }
    _reading: tuple[Interpretation | None]
    _round: Round
    _topics: tuple[TopicMention, ...]
    _view: View
    elapsed_time: float
    game: GameSpec
    rng: Random
    seat: Seat
    seats: tuple[Seat, ...]

    def __init__(self, view: View, now: float, rng: Random, round_: Round = SINGLE_ROUND) -> None:
        observer, _, game, _, _ = view
        if observer.seat is None:
            raise ValueError("A context belongs to a seat.")
        _set_view(self, view)
        _set_now(self, now)
        _set_rng(self, rng)
        _set_round(self, round_)
        _set_seat(self, observer.seat)
        _set_seats(self, game.seats)
        _set_game(self, game)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"The context is read-only; {name!r} cannot be set.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"The context is read-only; {name!r} cannot be deleted.")

    # Game and time

    @property
    def issues(self) -> list[Issue]:
        """The issues, in the game's order."""
        return list(self._view.state.game.issues)

    @property
    def briefing(self) -> Briefing:
        """Background and reasons of this seat, from the game's file; an empty briefing without any."""
        return self.game.briefings.get(self.seat, NO_BRIEFING)

    @property
    def round(self) -> Round:
        """Place of this game among the participant's rounds: ``number``, ``of``, ``earlier``.

        ``earlier`` has the rounds that this agent has played before, oldest first, each with ``number``,
        ``game`` (its name), ``ended_by``, ``deal`` (an offer, or None) and ``points`` (this agent's own). A
        game outside of rounds is number 1 of 1.
        """
        return self._round

    @property
    def elapsed_seconds(self) -> float:
        """The same as :attr:`elapsed_time`."""
        return self.elapsed_time

    @property
    def remaining_time(self) -> float | None:
        """Seconds until the deadline, 0 or more; None without a deadline."""
        deadline = self._view.state.game.rules.deadline_seconds
        return None if deadline is None else max(0.0, deadline - self.elapsed_time)

    @property
    def remaining_seconds(self) -> float | None:
        """The same as :attr:`remaining_time`."""
        return self.remaining_time

    @property
    def remaining_offers(self) -> int | None:
        """Offers that can still be made, by all seats together; None without ``deadline_offers``."""
        state = self._view.state
        return None if state.game.rules.deadline_offers is None else remaining_offers(state)

    @property
    def progress(self) -> float:
        """Share of the game that is over, from 0 to 1.

        The offers made so far as a share of ``deadline_offers`` in a game with that rule, else the time as a
        share of ``deadline_seconds``; 0 without any deadline.
        """
        state = self._view.state
        return state.game.rules.progress(self.elapsed_time, offers_made(state))

    @property
    def reading(self) -> Interpretation | None:
        """Interpretation of the last text from another seat; None before any, and in a game without issues.

        A guess about words, computed on access: an offer found in them is none before its speaker has sent it
        as one.
        """
        try:
            return self._reading[0]
        except AttributeError:
            found = interpretation_of_last_message(self._view.state, self.seat)
            _set_reading(self, (found,))
            return found

    @property
    def topics(self) -> tuple[TopicMention, ...]:
        """Topics of the last text from another seat, computed on access; empty if none was recognised.

        They complete :attr:`reading`: what the text asks or remarks besides its speech acts and terms. They
        are a guess as well.
        """
        try:
            return self._topics
        except AttributeError:
            found = topics_of_last_message(self._view.state, self.seat)
            _set_topics(self, found)
            return found

    @property
    def address(self) -> Address:
        """Seats that the last text from another seat addresses by name, in a game of more than two seats."""
        return address_of_last_message(self._view.state, self.seat)

    def addressed_by(self, text: str, sender: Seat) -> Address:
        """Return the seats that a text of a seat addresses by name, in a game of more than two seats."""
        return address_of_text(self._view.state, text, sender)

    # Kind of game

    @property
    def legal(self) -> frozenset[str]:
        """Types of the acts that are open to this seat now, such as ``FORMAL_ACCEPT``; none after the end.

        Messages, expressions and typing are not named: they are open while the game runs, unless its rules
        turn talk off (``ctx.game.rules.talk``).
        """
        state = self._view.state
        if state.phase is not NEGOTIATING or self.remaining_time == 0:
            return frozenset()
        return self._mechanism.legal(state, self.seat)

    @property
    def standing(self) -> Points | None:
        """Points that this seat would have if time were up now."""
        return self._mechanism.standing(self._view.state._replace(t=self.elapsed_time), self.seat)

    @property
    def ending(self) -> Ending | None:
        """End of the game with ``ended_by``, ``deal`` and ``by``; None while it runs."""
        return self._view.state.ending

    @property
    def final_points(self) -> Points | None:
        """Points of this seat at the end; None while the game runs, and where the end gives none."""
        return None if self.ending is None else self._mechanism.points(self._view.state, self.seat)

    @property
    def mechanism_state(self) -> Any:
        """The mechanism's part of the state, as far as this seat may see it: a frozen value."""
        return self._view.state.mechanism_state

    @property
    def trading(self) -> TradingView:
        """This seat's own goods, money and dialogues in a trading game.

        Raises:
            NotInThisGame: In another kind of game.
        """
        if not isinstance(self._view.state.mechanism_state, TradingState):
            raise not_in_this_game(self._view.state.game, "no trading in pairs")
        return TradingView(self._view.state, self.seat)

    @property
    def market(self) -> MarketView:
        """The books and this seat's own account and orders in a market game.

        Raises:
            NotInThisGame: In another kind of game.
        """
        if not isinstance(self._view.state.mechanism_state, DoubleAuctionState):
            raise not_in_this_game(self._view.state.game, "no order book")
        return MarketView(self._view.state, self.seat)

    @property
    def _mechanism(self) -> Mechanism:
        return mechanism_of(self._view.state.game.mechanism)

    @property
    def _bargained(self) -> State:
        """The state, in bargaining; whatever is about offers starts from here."""
        state = self._view.state
        if not isinstance(state.mechanism_state, BargainingState):
            raise not_in_this_game(state.game, "no offers")
        return state

    @property
    def _bargaining(self) -> BargainingState:
        play = self._view.state.mechanism_state
        if not isinstance(play, BargainingState):
            raise not_in_this_game(self._view.state.game, "no offers")
        return play

    @property
    def _game_of_offers(self) -> GameSpec:
        """The game as this seat may see it; offers are checked against it."""
        return self._bargained.game

    @property
    def _own_preferences(self) -> Preferences:
        own = self._view.preferences
        if own is None:
            raise not_in_this_game(self._view.state.game, "no utilities of offers")
        return own

    # Table

    @property
    def current_offer(self) -> Offer:
        """The offer on the table: the last one sent; the empty offer before the first."""
        on_table = self._bargaining.on_table
        return on_table.offer if on_table else EMPTY_OFFER

    @property
    def current_offer_id(self) -> int | None:
        """The id of the offer on the table; None before the first."""
        on_table = self._bargaining.on_table
        return on_table.offer_id if on_table else None

    @property
    def current_offer_sender(self) -> Seat | None:
        """Sender of the offer on the table; None before the first."""
        play = self._view.state.mechanism_state
        on_table = (play if type(play) is BargainingState else self._bargaining).on_table
        return on_table.sender if on_table else None

    @property
    def current_offer_is_bindable(self) -> bool:
        """Whether the offer on the table is a deal once enough seats accept it; False before the first."""
        play = self._view.state.mechanism_state
        on_table = (play if type(play) is BargainingState else self._bargaining).on_table
        return on_table is not None and on_table.is_bindable

    @property
    def accepted_by(self) -> tuple[Seat, ...]:
        """The seats that have formally accepted the offer on the table, in the order of their acceptances."""
        return self._bargaining.accepted_by

    @property
    def next_to_answer(self) -> Seat | None:
        """The seat that is to answer the offer on the table.

        That is the first seat after its maker, in the game's order, that has not accepted it. None before the
        first offer, and once every other seat has accepted. With two seats it is the other than the maker.
        """
        on_table = self._bargaining.on_table
        if on_table is None:
            return None
        seats = self._view.state.game.seats
        at = seats.index(on_table.sender)
        waiting = (seat for seat in (*seats[at + 1 :], *seats[:at]) if seat not in self.accepted_by)
        return next(waiting, None)

    @property
    def board(self) -> Board:
        """Each seat's latest terms per issue, and which issues are agreed, open or disputed."""
        return Board(self.seats, self._bargaining.latest)

    def can_formally_accept(self) -> bool:
        """Return whether a formal accept is valid.

        It is if the game runs, the offer on the table may be bound, this seat has not accepted it yet, and,
        in a game with turns, it is this seat's turn or its own offer.
        """
        state = self._view.state
        if type(state.mechanism_state) is not BargainingState:
            state = self._bargained
        deadline = state.game.rules.deadline_seconds
        running = state.phase is NEGOTIATING and (deadline is None or self.elapsed_time < deadline)
        return running and not acceptance_error(state, self.seat)

    @property
    def turn(self) -> Seat | None:
        """The seat whose turn it is to make an offer or accept one; None where turns are free."""
        return turn_of(self._bargained)

    def may_move(self) -> bool:
        """Return whether this seat may make an offer now.

        It may if the game runs, no other seat has the turn, and there are offers left.
        """
        state = self._view.state
        if type(state.mechanism_state) is not BargainingState:
            state = self._bargained
        rules = state.game.rules
        deadline = rules.deadline_seconds
        if state.phase is not NEGOTIATING or (deadline is not None and self.elapsed_time >= deadline):
            return False
        free = rules.turns is FREE_TURNS and rules.deadline_offers is None  # most games
        return free or may_offer(state, self.seat)

    # Points

    def utility(self, offer: Offer) -> Points:
        """Return this seat's points of an offer, before time costs; undecided parts count 0.

        Raises:
            OfferError: If the offer does not fit the game.
        """
        own = self._view.preferences or self._own_preferences
        known = own.known_points.get(id(offer.terms)) if type(offer) is Offer else None
        if known is not None and known[0] is offer.terms:
            return known[1]  # most offers have been asked for before
        self._check(offer)
        return own.known_points.keep(offer.terms, own.utility(offer))

    @property
    def reservation_value(self) -> Points:
        """This seat's points of a timeout, before time costs."""
        return (self._view.preferences or self._own_preferences).reservation_value

    @property
    def time_cost(self) -> Points:
        """The points that time has cost this seat so far; it lowers deal, timeout and quitting alike."""
        return self._own_preferences.cost_at(self.elapsed_time)

    @property
    def discount_factor(self) -> float:
        """Share of all this seat's points that is left at the deadline, above 0 and at most 1.

        Points at the end are multiplied by its power of the progress, after an agreement, a timeout and
        quitting alike.
        """
        return self._own_preferences.discount_factor

    def get_agent_utility(self, offer: Offer | None = None) -> Points:
        """Return this seat's points of an offer; of the one on the table unless given."""
        if offer is not None:
            return self.utility(offer)
        # An offer on the table fits the game; the session has checked it.
        play = self._view.state.mechanism_state
        on_table = (play if type(play) is BargainingState else self._bargaining).on_table
        own = self._view.preferences or self._own_preferences
        on_it = on_table.offer if on_table else EMPTY_OFFER
        known = own.known_points.get(id(on_it.terms))
        if known is not None and known[0] is on_it.terms:
            return known[1]
        return own.known_points.keep(on_it.terms, own.utility(on_it))

    def get_agent_utility_percent(self, offer: Offer | None = None) -> float:
        """Return the points as a share, 0 to 1: ``(u - min) / (max - min)`` over all outcomes, clamped."""
        return fraction(self._own_preferences.utility, self._on_table_or(offer))

    @property
    def opponent_preferences_visible(self) -> bool:
        """Whether :meth:`get_opponent_utility` returns points rather than raises."""
        game = self._bargained.game
        return all(seat in game.preferences for seat in game.others(self.seat))

    def are_preferences_visible(self, seat: Seat) -> bool:
        """Return whether :meth:`get_opponent_utility` returns the points of one of several others."""
        return seat in self._bargained.game.preferences

    def get_opponent_utility(self, offer: Offer | None = None, seat: Seat | None = None) -> Points:
        """Return the other side's points of an offer; of the one on the table unless given.

        Args:
            offer: The offer.
            seat: Which other seat, where there are several.

        Raises:
            NotVisible: If the game keeps those preferences private.
        """
        others = self._bargained.game.others(self.seat)
        if seat is None:
            if len(others) != 1:
                raise NotVisible(f"Say whose points: there are {', '.join(others)}.")
            seat = others[0]
        return self._worth(self._on_table_or(offer), seat)

    def estimate_opponent_utility(self, model: OpponentModel, offer: Offer | None = None) -> float:
        """Return the utility of an offer for the other side, as the agent's own model estimates it, 0 to 1.

        An estimate has another method, so that it is never taken for :meth:`get_opponent_utility`.

        Args:
            model: An object with ``estimate_utility(offer)``, such as a ``FrequencyEstimate``.
            offer: The offer; the one on the table unless given.
        """
        return model.estimate_utility(self._on_table_or(offer))

    def _on_table_or(self, offer: Offer | None) -> Offer:
        """Return the given offer, checked, or the one on the table, which the session has checked."""
        if offer is None:
            return self.current_offer
        self._check(offer)
        return offer

    def _worth(self, offer: Offer, seat: Seat) -> Points:
        return self._preferences(seat).utility(offer)

    def _check(self, offer: Offer) -> None:
        game = self._game_of_offers
        if type(offer) is not Offer or offer.terms:
            game.check_offer(offer)

    def _preferences(self, seat: Seat) -> Preferences:
        game = self._view.state.game
        try:
            return game.preferences[seat]
        except KeyError:
            raise NotVisible(
                f"{game.name} keeps the preferences of {seat!r} private: its file does not set "
                f"seats.{seat}.visibility.preferences to public."
            ) from None

    # Offers

    def outcomes(self) -> Iterator[Offer]:
        """Yield every complete offer, lazily; see ``game.count_outcomes()`` before listing them."""
        return self._game_of_offers.outcomes()

    def make_offer(self, terms: Mapping[str, TermSpec] | str | None = None, /, **more: TermSpec) -> Offer:
        """Return an offer from plain values, by issue name, or from JSON.

        Args:
            terms: For a categorical issue its value, for a number issue its number. For a quantity issue one
                of: the units that this seat gets (with two seats the other gets the rest); units by seat,
                ``{"human": 2}``; or units in the order of the game's seats, ``(2, 1)``. Units missing from
                the quantity stay undecided. None leaves the issue out. Or a JSON text with such values, as
                :func:`offer_schema` describes it.
            more: The same, for issues whose names can be written as keywords.

        Raises:
            OfferError: If it does not fit the game.
        """
        game = self._game_of_offers
        given = terms_from_json(game, terms) if isinstance(terms, str) else terms or {}
        offer = offer_from_values(game, self.seat, {**given, **more})
        self._check(offer)
        return offer

    # State of the session besides the board

    @property
    def state(self) -> GameState:
        """This seat's copy of the session's typed state.

        A game may define its own class; every other game has the plain one, whose ``meta`` holds the game,
        the seat and the phase.
        """
        state = self._view.state
        return seat_game_state(state, self.seat, phase_at(state, self.elapsed_time))

    @property
    def observation(self) -> Observation:
        """The same view in numbers, for programs that learn: the own features and the visible ones of others.

        ``observation.vector()`` is one ``array('f')`` in a fixed order, sorted by feature and field names.
        """
        view = self._view
        return observation_of(
            view.state, self.seat, view.observer.level, self.elapsed_time, shared=view.shared
        )

    def get_state(self) -> dict[str, Any]:
        """Return this seat's copy of the session's record, with what follows from the events that it may see.

        ``tasks`` has the intention behind each of these events, without what the platform read from words,
        and this seat's own tasks; ``deal`` the agreed, open and disputed issues; ``participant`` the
        preferences that were stated, and what was declared public; ``notes`` this seat's own.
        """
        state = self._view.state
        return record_sections(state, state.transcript_of(self.seat))

    @property
    def recorded_tasks(self) -> tuple[Task, ...]:
        """Tasks that were proposed, as far as this seat sees them; without those that follow from events."""
        return self._view.state.record.tasks

    def get_proposed_state_diff(self, proposed_updates: Mapping[str, Any]) -> StateDiff:
        """Return the changes that some updates would make, whether or not ``ProposeChange`` follows."""
        state = self._view.state
        return proposed_sections_diff(state, state.transcript_of(self.seat), proposed_updates)

    # Principal

    @property
    def mandate(self) -> dict[str, Any]:
        """Mandate of this seat's principal so far, values by name; empty without one.

        Advice, such as ``{"reservation_value": 40}``: nothing enforces it. A later mandate changes the values
        that it names.
        """
        state = self._view.state
        return mandate_of(state.record, state.game.upstream_of(self.seat), self.seat)

    @property
    def least_points(self) -> Points:
        """Fewest points to agree to: the seat's reservation value, or that of its mandate if it is higher."""
        view = self._view
        own = (view.preferences or self._own_preferences).reservation_value
        if not view.state.game.principals.pairs:  # as in most games; asked at every decision
            return own
        advised = self.mandate.get("reservation_value")
        if isinstance(advised, bool) or not isinstance(advised, int | float):
            return own
        return max(own, advised)

    @property
    def information(self) -> dict[str, Any]:
        """Information from this seat's principal so far, the newest value by name; empty without any."""
        state = self._view.state
        return information_for(state.record, state.game.upstream_of(self.seat), self.seat)

    # History

    def get_offer_history(self) -> list[dict[str, Any]]:
        """Return all offers, oldest first: ``offer_id``, ``t`` (s), ``sender``, ``offer``, ``complete``."""
        offers = self._bargained.transcript_of(self.seat)
        return [self._offer_entry(event) for event in offers if event.type == SEND_OFFER]

    def get_message_history(self) -> list[dict[str, Any]]:
        """Return all messages that this seat may see, oldest first.

        Keys: ``seq``, ``t`` (s), ``sender``, ``to``, ``text``, ``subtype``, ``preference``, ``batna``.
        """
        return [
            {
                "seq": event.seq,
                "t": event.t,
                "sender": event.sender,
                "to": list(event.to),
                "text": event.payload.text,
                "subtype": event.payload.subtype,
                "preference": event.payload.preference,
                "batna": event.payload.batna,
            }
            for event in self._transcript(EventType.SEND_MESSAGE)
        ]

    def get_last_offer(self, seat: Seat | None = None) -> dict[str, Any] | None:
        """Return a seat's last offer (by default this one's) as in :meth:`get_offer_history`, or None."""
        event = self._last_offer(self.seat if seat is None else seat)
        return None if event is None else self._offer_entry(event)

    @property
    def own_offer_id(self) -> int | None:
        """The id of the last offer that this seat sent; None before any."""
        state = self._view.state
        if type(state.mechanism_state) is not BargainingState:
            state = self._bargained
        seat = self.seat
        events: PersistentList[Event] | None = state.transcript
        while events is not None:  # as in _last_offer, which would be one more call at each event
            event = events.last
            if event is not None and event.sender == seat and event.type == SEND_OFFER:
                return event.seq
            events = events.before
        return None

    def _last_offer(self, seat: Seat) -> Event | None:
        # From the newest backwards: it costs little, however long the history is.
        for event in self._bargained.transcript.iter_backwards():
            if event.sender == seat and event.type == SEND_OFFER:
                return event
        return None

    def _offer_entry(self, event: Event) -> dict[str, Any]:
        offer = event.get_offer()
        return {
            "offer_id": event.seq,
            "t": event.t,
            "sender": event.sender,
            "offer": offer,
            "complete": self._view.state.game.is_complete(offer),
        }

    def _transcript(self, kind: EventType) -> Iterator[Event]:
        return (event for event in self._view.state.transcript_of(self.seat) if event.type == kind)


_set_view, _set_now, _set_rng, _set_round, _set_reading, _set_topics = (
    vars(AgentContext)[slot].__set__
    for slot in ("_view", "elapsed_time", "rng", "_round", "_reading", "_topics")
)
_set_seat, _set_seats, _set_game = (vars(AgentContext)[slot].__set__ for slot in ("seat", "seats", "game"))
"""Setters of the slots: a context is made for each request, and this saves the look-up of their names."""
