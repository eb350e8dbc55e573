"""Facts for the tables of an export: a replayed log, and the sides h and a."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from negoplatform.analysis.bidding_measures import (
    BiddingMeasures,
    ProposedOffer,
    bidding_measures,
    offers_sent,
    trace_proposals,
)
from negoplatform.analysis.games.game_measures import integrative_potential, joint_max, opposition
from negoplatform.analysis.outcome_measures import MeasuredGame, SessionMeasures
from negoplatform.analysis.trade_recorder import TradeRecorder
from negoplatform.analysis.trade_records import TRADE_KINDS, TradeRecords
from negoplatform.analysis.trade_session_measures import TradeSessionMeasures, measure_trades
from negoplatform.core.events import EndedBy, Ending, Event, Expression
from negoplatform.core.fold import initial_state
from negoplatform.core.immutable.frozen_json import canonical_json
from negoplatform.core.mechanisms.bargaining import left_out_seats
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks import Record
from negoplatform.core.rules_faults import final_points
from negoplatform.core.state import Phase, State
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap
from negoplatform.domain.utility import Points
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.replay import steps
from negoplatform.formats.games import dump_game
from negoplatform.formats.log_header import Header

SIDES = ("h", "a")
"""Sides of a session with two seats."""

SIDE_NAMES = {"h": "human", "a": "agent"}
"""Words for the sides in the names of some columns, such as points_human."""

SEAT_SEPARATOR = "; "
"""Separator of several seats in one cell; a seat's name may contain spaces."""


@dataclass(frozen=True, slots=True)
class GameFigures:
    """Measures of a game for an export; None if the log does not hold the data for them.

    Args:
        sha256: The hash of the game as the log holds it, as canonical JSON.
        measured: The game with the measures of its sessions.
        joint_max: The highest sum of all seats' points.
        integrative_potential: 0 to 1; see ``negoplatform.analysis.games.game_measures``.
        opposition: 0 up; see there.
    """

    sha256: str
    measured: MeasuredGame | None
    joint_max: Points | None
    integrative_potential: float | None
    opposition: float | None


class GameFiguresCache:
    """Figures of every game, computed once for all of its sessions."""

    def __init__(self) -> None:
        self._known: dict[str, GameFigures] = {}

    def figures(self, game: GameSpec) -> GameFigures:
        """Return the figures of a game."""
        text = canonical_json(dump_game(game))
        sha256 = hashlib.sha256(text.encode("utf-8")).hexdigest()
        if sha256 not in self._known:
            self._known[sha256] = _figures(game, sha256)
        return self._known[sha256]


def _figures(game: GameSpec, sha256: str) -> GameFigures:
    try:
        measured = MeasuredGame(game)
    except NegoError:
        # Preferences are hidden in this log, so measures that need all of them are missing in the tables.
        return GameFigures(sha256, None, None, None, None)
    points = measured.solutions
    if points is None:
        return GameFigures(sha256, measured, None, None, None)
    most = measured.exact.to_points(joint_max(points))
    return GameFigures(sha256, measured, most, integrative_potential(points), opposition(points))


def sides_of(header: Header) -> SeatMap[str]:
    """Return the side of each seat, h or a; empty unless the game has two seats.

    h is the seat of the one human, of two that of the participant of a study, and else the first.
    """
    seats = header.game.seats
    if len(seats) != 2:
        return SeatMap()
    people = [seat for seat in header.people if seat in seats]
    first = people[0] if people else seats[0]
    return SeatMap((seat, "h" if seat == first else "a") for seat in seats)


@dataclass(frozen=True, slots=True)
class ReplayedEvent:
    """Event with its context.

    Args:
        event: The event.
        phase: The phase of the session after it.
        emotion: The expression of its sender's face at that time; None for the platform.
    """

    event: Event
    phase: Phase
    emotion: Expression | None


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """Replayed log, with everything that several tables need.

    Args:
        log: The log.
        replayed_events: Every event, in order. States are not kept: an export may have thousands of sessions.
        record: The session's record after the last event.
        sides: The side of each seat, h or a; empty unless the game has two seats.
        figures: The figures of the game.
        proposals: For each offer, in order, the complete proposal of its seat after it; None where something
            was still undecided, and everywhere if the log does not hold all preferences.
        bidding: The bidding measures of each seat; None if the log does not hold all preferences.
        measures: The measures of the session; None while it has no end, or if preferences are missing.
        points: The points of each seat whose side of the game the log holds; None without an end.
        trade_records: Orders, proposals, trades and accounts of a trading or market game; None for others.
        trade_measures: The measures of such a game; None for others.
    """

    log: SessionLog
    replayed_events: tuple[ReplayedEvent, ...]
    record: Record
    sides: SeatMap[str]
    figures: GameFigures
    proposals: tuple[ProposedOffer | None, ...]
    bidding: SeatMap[BiddingMeasures] | None
    measures: SessionMeasures | None
    points: SeatMap[Points | None]
    trade_records: TradeRecords | None = None
    trade_measures: TradeSessionMeasures | None = None

    @property
    def game(self) -> GameSpec:
        """Game of the session."""
        return self.log.header.game

    @property
    def session_id(self) -> str:
        """Id of the session."""
        return self.log.header.session_id

    @property
    def end(self) -> tuple[Event, Ending] | None:
        """Event that ended the game, with its payload; None if it is not in the log."""
        for event in self.log.events:
            if isinstance(event.payload, Ending):
                return event, event.payload
        return None

    def seat_on(self, side: str) -> Seat | None:
        """Return the seat of a side; None unless the game has two seats."""
        return next((seat for seat, own in self.sides.items() if own == side), None)

    def actor(self, sender: Seat) -> str:
        """Return the kind of a sender: ``human``, ``agent`` or ``system``."""
        if sender == PLATFORM:
            return "system"
        who = self.log.header.seats.get(sender)
        return who.kind if who is not None else ""

    def utility(self, seat: Seat | None, offer: Offer) -> Points | None:
        """Return a seat's utility of an offer, 0 for undecided terms; None if the log does not hold it."""
        preferences = self.game.preferences.get(seat) if seat is not None else None
        return None if preferences is None else preferences.utility(offer)

    def sender_cells(self, sender: Seat) -> dict[str, str | None]:
        """Return the cells ``actor``, ``seat`` and ``side`` of a sender."""
        seat = None if sender == PLATFORM else sender
        return {"actor": self.actor(sender), "seat": seat, "side": self.sides.get(sender)}


def session_facts(log: SessionLog, cache: GameFiguresCache) -> SessionFacts:
    """Replay a log and gather the facts for the tables.

    Raises:
        InputFileError: At the first event that the rules do not allow.
    """
    game = log.header.game
    moments, after, trade_records = _replay_events(log)
    figures = cache.figures(game)
    measured, sent = figures.measured, offers_sent(log.events)
    points: SeatMap[Points | None] = SeatMap()
    measures = None
    if after.ending is not None:
        mechanism = mechanism_of(game.mechanism)
        points = final_points(mechanism, after, game.known_seats)
        if measured is not None:
            measures = measured.measure_session(
                deal=after.ending.deal,
                ended_by=after.ending.ended_by,
                points=points,
                offers=sent,
                left_out=left_out_seats(game, after.ending),
            )
    return SessionFacts(
        log=log,
        replayed_events=moments,
        record=after.record,
        sides=sides_of(log.header),
        figures=figures,
        proposals=tuple([None] * len(sent) if measured is None else trace_proposals(measured.exact, sent)),
        bidding=None if measured is None else bidding_measures(measured.exact, sent),
        measures=measures,
        points=points,
        trade_records=trade_records,
        trade_measures=None if trade_records is None else measure_trades(trade_records, points),
    )


def _replay_events(log: SessionLog) -> tuple[tuple[ReplayedEvent, ...], State, TradeRecords | None]:
    """Return the events of a log with their context, the state after the last of them, and the trades."""
    state = initial_state(
        log.header.game,
        mechanism_of(log.header.game.mechanism),
        log.header.session_id,
        log.header.initial_record,
    )
    recorder = TradeRecorder(state) if log.header.game.mechanism in TRADE_KINDS else None
    moments = []
    for step in steps(log):
        if recorder is not None:
            recorder.add(step.event, step.state)
        moments.append(ReplayedEvent(step.event, step.state.phase, _emotion(state, step.event)))
        state = step.state
    return tuple(moments), state, None if recorder is None else recorder.records()


def _emotion(before: State, event: Event) -> Expression | None:
    shown = before.presence.get(event.sender)
    return None if shown is None else shown.expression_at(event.t)


def outcome_measures(facts: SessionFacts, offer: Offer) -> SessionMeasures | None:
    """Return the measures of an offer as if it were the deal; None if partial or without preferences."""
    measured = facts.figures.measured
    if measured is None or not facts.game.is_complete(offer):
        return None
    return measured.measure_session(deal=offer, ended_by=EndedBy.AGREEMENT, points={}, offers=[])


def milliseconds(seconds: float | None) -> int | None:
    """Return session time in whole milliseconds; events are stamped to the millisecond."""
    return None if seconds is None else round(seconds * 1000)
