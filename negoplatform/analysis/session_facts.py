"""What the tables of an export are made from: a log that was played again, and who is h and who is a."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from negoplatform.analysis.bidding import Proposal, Sent, follow
from negoplatform.analysis.game_measures import integrative_potential, joint_max, opposition
from negoplatform.analysis.measures import MeasuredGame, SessionMeasures
from negoplatform.core.events import EndedBy, Ending, Event, Expression, OfferMade
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import PLATFORM, BySeat, Seat
from negoplatform.domain.utility import Points
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.replay import Step, steps
from negoplatform.formats.games import game_document
from negoplatform.formats.header import Header

SIDES = ("h", "a")
"""The two sides of a session with two seats."""

SIDE_NAMES = {"h": "human", "a": "agent"}
"""The longer names of the sides, where a column carries them."""


@dataclass(frozen=True, slots=True)
class GameFigures:
    """What an export says about a game itself; None where it cannot be computed from what the log holds.

    Args:
        sha256: The hash of the game as the log holds it, as canonical JSON.
        measured: What its sessions are measured by.
        joint_max: The highest sum of all seats' points.
        integrative_potential: 0 to 1; see ``negoplatform.analysis.game_measures``.
        opposition: 0 up; see there.
    """

    sha256: str
    measured: MeasuredGame | None
    joint_max: Points | None
    integrative_potential: float | None
    opposition: float | None


class GameShelf:
    """The figures of every game, worked out once for all of its sessions."""

    def __init__(self) -> None:
        self._known: dict[str, GameFigures] = {}

    def figures(self, game: GameSpec) -> GameFigures:
        """The figures of a game."""
        text = json.dumps(game_document(game), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        sha256 = hashlib.sha256(text.encode("utf-8")).hexdigest()
        if sha256 not in self._known:
            self._known[sha256] = _figures(game, sha256)
        return self._known[sha256]


def _figures(game: GameSpec, sha256: str) -> GameFigures:
    try:
        measured = MeasuredGame(game)
    except NegoError:
        # Preferences that are hidden in this log: what needs everybody's is missing in the tables.
        return GameFigures(sha256, None, None, None, None)
    points = measured.points
    if points is None:
        return GameFigures(sha256, measured, None, None, None)
    most = measured.exact.points(joint_max(points))
    return GameFigures(sha256, measured, most, integrative_potential(points), opposition(points))


def sides_of(header: Header) -> BySeat[str]:
    """Which seat is h and which is a; empty unless the game has two seats.

    h is the seat of the one human. Where both seats are taken by agents, or both by people, h is the first.
    """
    seats = header.game.seats
    if len(seats) != 2:
        return BySeat()
    people = [seat for seat in seats if seat in header.seats and header.seats[seat].kind == "human"]
    first = people[0] if len(people) == 1 else seats[0]
    return BySeat((seat, "h" if seat == first else "a") for seat in seats)


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """A log that was played again, with what several tables need of it.

    Args:
        log: The log.
        steps: Every event with the state after it.
        sides: Which seat is h and which is a; empty unless the game has two seats.
        figures: The game in figures.
        proposals: For each offer, in order, what its seat then proposed as a whole; None where something
            was still undecided, and everywhere if the log does not hold all preferences.
        measures: The session in figures; None while it has no end, or if preferences are missing.
        points: What each seat got whose preferences the log holds; None without an end.
    """

    log: SessionLog
    steps: tuple[Step, ...]
    sides: BySeat[str]
    figures: GameFigures
    proposals: tuple[Proposal | None, ...]
    measures: SessionMeasures | None
    points: BySeat[Points | None]

    @property
    def game(self) -> GameSpec:
        """The game."""
        return self.log.header.game

    @property
    def session_id(self) -> str:
        """The session's id."""
        return self.log.header.session_id

    @property
    def end(self) -> tuple[Event, Ending] | None:
        """The event that ended the game, and how; None if it is not in the log."""
        for event in self.log.events:
            if isinstance(event.payload, Ending):
                return event, event.payload
        return None

    @property
    def state(self) -> State | None:
        """The state after the last event; None without events."""
        return self.steps[-1].state if self.steps else None

    def seat_on(self, side: str) -> Seat | None:
        """The seat of a side; None unless the game has two seats."""
        return next((seat for seat, own in self.sides.items() if own == side), None)

    def actor(self, sender: Seat) -> str:
        """``human``, ``agent`` or ``system``: what kind of sender it is."""
        if sender == PLATFORM:
            return "system"
        who = self.log.header.seats.get(sender)
        return who.kind if who is not None else ""

    def utility(self, seat: Seat | None, offer: Offer) -> Points | None:
        """What an offer is worth to a seat, what is undecided counting 0; None if the log does not say."""
        preferences = self.game.preferences.get(seat) if seat is not None else None
        return None if preferences is None else preferences.utility(offer)

    def who(self, sender: Seat) -> dict[str, str | None]:
        """The columns that say who did something: ``actor``, ``seat`` and ``side``."""
        seat = None if sender == PLATFORM else sender
        return {"actor": self.actor(sender), "seat": seat, "side": self.sides.get(sender)}


def session_facts(log: SessionLog, shelf: GameShelf) -> SessionFacts:
    """Plays a log again and gathers what the tables need.

    Raises:
        FileProblem: At the first event that the rules would not have allowed.
    """
    game = log.header.game
    played = tuple(steps(log))
    figures = shelf.figures(game)
    sent = _sent(log.events)
    measured = figures.measured
    proposals = follow(measured.exact, sent) if measured is not None else [None] * len(sent)
    points: BySeat[Points | None] = BySeat()
    measures = None
    if played and played[-1].state.ending is not None:
        state, ending = played[-1].state, played[-1].state.ending
        mechanism = mechanism_of(game.mechanism)
        points = BySeat((seat, mechanism.points(state, seat)) for seat in game.preferences)
        if measured is not None:
            measures = measured.session(deal=ending.deal, ended_by=ending.ended_by, points=points, offers=sent)
    return SessionFacts(log, played, sides_of(log.header), figures, tuple(proposals), measures, points)


def _sent(events: Iterable[Event]) -> list[Sent]:
    return [
        (event.sender, event.payload.offer, event.t)
        for event in events
        if isinstance(event.payload, OfferMade)
    ]


def outcome_measures(facts: SessionFacts, offer: Offer) -> SessionMeasures | None:
    """What an offer would be as a deal; None for a partial one, or if the log does not hold all preferences."""
    measured = facts.figures.measured
    if measured is None or not facts.game.is_complete(offer):
        return None
    return measured.session(deal=offer, ended_by=EndedBy.AGREEMENT, points={}, offers=[])


def emotion_of(state: State | None, seat: Seat, t: float) -> str:
    """The emotion that a seat shows at a time, after everything in a state."""
    shown = state.presence.get(seat) if state is not None else None
    showing = shown is not None and t < shown.expression_until
    return shown.expression.value if shown is not None and showing else Expression.NEUTRAL.value


def milliseconds(seconds: float | None) -> int | None:
    """Session time in whole milliseconds; events are stamped to the millisecond."""
    return None if seconds is None else round(seconds * 1000)
