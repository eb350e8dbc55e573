"""Session under test: games to try, a log that may fail, and an independent check of everything."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from enum import StrEnum
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from pydantic import Field

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.bus import EventBus, PublishedEvent
from negoplatform.core.events import EndedBy, Ending, Event, EventType
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.core.session import Session
from negoplatform.core.state import EventField, GameState, Phase, PrivateInformation, PublicInformation, State
from negoplatform.core.visibility import (
    PUBLIC,
    Observer,
    observer_of,
    restricted_start,
    view_of,
    visible_event,
    visible_game,
)
from negoplatform.domain.agreement_rules import Agreement, Outvoted, Quota, Turns
from negoplatform.domain.announcement import Announcement
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec
from negoplatform.domain.command_settings import PrincipalSpec, TeamSpec
from negoplatform.domain.errors import LogWriteError, Refused
from negoplatform.domain.game import Acceptance, GameSpec, Preferences, Rules, TimeCost, Visibility
from negoplatform.domain.game_state_reference import GameStateReference
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SYSTEM, Seat, SeatMap
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.eventlog.rules_validator import LogValidator
from negoplatform.formats.events import decode_event, encode_event
from tests.eventlog.logs import AT


class Told(PrivateInformation):
    hint: int = EventField(default=0, events=["hint-given"])


class Known(PublicInformation):
    tax: int = EventField(default=0)


class Market(GameState):
    """Typed state of a game: one public number, and one that only a seat receives."""

    private_information: Told = Field(default_factory=Told)
    public_information: Known = Field(default_factory=Known)


CRATES: dict[int, float] = {0: 0, 1: 3, 2: 4}
DAYS: dict[str, float] = {"Friday": -1, "Sunday": 2}
PRICES: dict[float, float] = {1: 0, 1.5: 1, 2: 2}


def secret(seat: Seat) -> float:
    """Return a seat's reservation value: a number that occurs nowhere else."""
    return 7000.25 + sum(map(ord, seat))


def announcements(seats: tuple[Seat, ...]) -> tuple[Announcement, ...]:
    """Return a public one, one for the first seat, and one that does not fit the typed state."""
    return (
        Announcement(1.0, "tax-set", '{"tax": 5}', "The tax is 5."),
        Announcement(1.0, "hint-given", '{"hint": 77}', to=seats[:1]),
        Announcement(2.0, "tax-set", '{"tax": "high"}', "The tax is high."),
    )


@st.composite
def games(draw: DrawFn) -> GameSpec:
    """Draw a game with three small issues of three kinds for two or three seats, under any rules."""
    seats = draw(st.sampled_from([("human", "agent"), ("buyer", "seller", "broker")]))
    tables: dict[str, Any] = {"crates": CRATES, "day": DAYS, "price": PRICES}
    cost = TimeCost(2, 0.5) if draw(st.booleans()) else None
    own_state = GameStateReference(Market, "state.py", "0" * 64) if draw(st.booleans()) else None
    return GameSpec(
        name="bench",
        issues=(
            QuantityIssue("crates", 2),
            CategoricalIssue("day", ("Friday", "Sunday")),
            NumberIssue("price", 1, 2, 0.5),
        ),
        seats=seats,
        preferences=SeatMap(
            (seat, Preferences(AdditiveUtility(seat, tables), secret(seat), 11 if i else None, cost))
            for i, seat in enumerate(seats)
        ),
        visibility=SeatMap(
            (seat, draw(st.sampled_from([*Visibility, Visibility.OWNER, Visibility.PUBLIC])))
            for seat in seats
        ),
        rules=Rules(
            acceptance=draw(st.sampled_from(Acceptance)),
            allow_partial=draw(st.booleans()),
            deadline_seconds=draw(st.sampled_from([None, 30.0, 6.5])),
            share_drafts=draw(st.booleans()),
            agreement=draw(st.just(Quota(2)) | st.sampled_from(Agreement)),
            outvoted=draw(st.sampled_from(Outvoted)),
            turns=draw(st.sampled_from([Turns.FREE, Turns.FREE, Turns.ALTERNATING])),
        ),
        title="Bench",
        announcements=announcements(seats),
        own_state=own_state,
        principals=SeatMap(
            {"head": PrincipalSpec("head", seats[:2]), "chief": PrincipalSpec("chief", ("head",))}
        ),
        teams=(TeamSpec(seats[1:], share=draw(st.sampled_from([(), ("Limits",)]))),)
        if len(seats) > 2
        else (),
        assistants=SeatMap(
            {"coach": AssistantSpec("coach", seat=seats[0], coach=True, kind=AssistantKind.AGENDA)}
        ),
    )


class Outcome(StrEnum):
    """Outcome of an attempted action."""

    DONE = "done"
    REFUSED = "refused"
    NOT_WRITTEN = "not written"


class Step(NamedTuple):
    """Event as it was read back, and the states before and after it."""

    before: State
    event: Event
    after: State


class Bench:
    """Session between a log that may fail and a bus, with an independent check of everything.

    The check is folded from the bytes of the log, event by event; so are the views of the seats.

    Args:
        game: The game.
    """

    def __init__(self, game: GameSpec) -> None:
        self.game = game
        self.clock = 0.0
        self.lines: list[bytes] = []
        self.events: list[Event] = []
        self.published: list[PublishedEvent] = []
        self.errors: list[BaseException] = []
        self.writes_until_failure: int | None = None
        self.reaction: Callable[[], object] | None = None
        self.closed_with: int | None = None
        self.attempts = 0
        self.failed_writes = 0
        self.unsure = False
        self.steps: list[Step] = []
        self.mechanism = mechanism_of(game.mechanism)
        bus = EventBus()
        bus.subscribe(self.published.append)
        bus.subscribe(self._react)
        self.session = Session(
            game,
            mechanism=self.mechanism,
            clock=lambda: self.clock,
            log=self._write,
            publish=bus.publish,
            report=self.errors.append,
        )
        self._referee = LogValidator(self.mechanism)
        self.folded = initial_state(game, self.mechanism)
        self.observers = [
            *(observer_of(game, name) for name in (*game.seats, *game.principals, SYSTEM)),
            PUBLIC,
        ]
        self._seen = {observer: self._first_view(observer) for observer in self.observers}
        self.said_after_end: set[tuple[Seat, str]] = set()
        self.offered: Event | None = None
        self.accepted: set[Seat] = set()
        self.next_seat = game.seats[0]

    # Inputs of the session

    def _write(self, event: Event) -> None:
        if self.writes_until_failure is not None:
            self.writes_until_failure -= 1
            if self.writes_until_failure < 0:
                self.writes_until_failure = None
                raise self._no_room()
        self.lines.append(encode_event(event, AT))
        self.events.append(event)

    def _no_room(self) -> LogWriteError:
        self.failed_writes += 1
        return LogWriteError("The disk is full.")

    def _react(self, happening: PublishedEvent) -> None:
        reaction, self.reaction = self.reaction, None
        if reaction is not None:
            self.attempt(reaction)

    def attempt(self, act: Callable[[], object]) -> Outcome:
        """Try an action and return its outcome."""
        self.attempts += 1
        state, count, simple = self.session.state, len(self.lines), self.reaction is None
        outcome = Outcome.DONE
        try:
            act()
        except Refused:
            outcome = Outcome.REFUSED
        except LogWriteError:
            outcome = Outcome.NOT_WRITTEN
            if simple and len(self.lines) == count:
                assert self.session.state is state, "a failed write changes nothing"
        self.unsure = outcome is Outcome.NOT_WRITTEN
        self._follow()
        return outcome

    # Permissions, by the contract and not by the code

    def may(self, seat: Seat, kind: EventType, to: tuple[Seat, ...] = ()) -> bool:
        """Return whether a seat may do such a thing now, as far as time and addressees are concerned."""
        state = self.session.state
        if seat not in self.game.seats or self.is_over or state.phase is Phase.SETUP:
            return False
        if to and (kind != EventType.SEND_MESSAGE or seat in to or not set(to) <= set(self.game.seats)):
            return False
        if len(set(to)) < len(to):
            return False
        if state.phase is Phase.NEGOTIATING:
            return not self.time_is_up
        last_word = kind in (EventType.SEND_MESSAGE, EventType.SEND_EXPRESSION)
        return kind == EventType.TYPING or (last_word and not to and (seat, kind) not in self.said_after_end)

    @property
    def is_over(self) -> bool:
        """Whether nothing can be recorded any more."""
        ended_at = self.session.state.ended_at
        late = ended_at is not None and self.session.now() > round(ended_at + self.game.rules.closing, 3)
        return late or self.closed_with is not None

    @property
    def time_is_up(self) -> bool:
        """Whether the deadline has passed."""
        deadline = self.game.rules.deadline_seconds
        return deadline is not None and self.session.now() >= deadline

    def has_turn(self, seat: Seat) -> bool:
        """Return whether a seat need not wait for another seat's move."""
        return self.game.rules.turns is Turns.FREE or self.next_seat == seat

    @property
    def is_agreed(self) -> bool:
        """Whether enough seats have accepted the newest offer, its maker among them."""
        enough = len(self.game.seats) if self.game.rules.agreement is Agreement.UNANIMOUS else 2
        maker = self.offered.sender if self.offered else None
        return maker in self.accepted and len(self.accepted) >= enough

    def may_accept(self, seat: Seat, offer_id: int) -> bool:
        """Return whether a seat may formally accept the offer with that id now."""
        offer = self.offered
        return (
            self.may(seat, EventType.FORMAL_ACCEPT)
            and offer is not None
            and (seat == offer.sender or self.has_turn(seat))
            and offer.seq == offer_id
            and seat not in self.accepted
            and (self.game.rules.allow_partial or decides_everything(offer.get_offer()))
        )

    def context(self, seat: Seat) -> AgentContext:
        """Return the context that an agent in a seat would get now."""
        view = view_of(self.session.state, Observer(seat))
        return AgentContext(view, now=self.session.now(), rng=None)  # type: ignore[arg-type]  # nothing draws

    # Invariants

    def _follow(self) -> None:
        """Fold the new lines of the log into the independent state and into every view."""
        while len(self.steps) < len(self.lines):
            number = len(self.steps)
            event, _ = decode_event(self.lines[number], "log", f"line {number + 2}")
            before = self.folded
            found = self._referee.find_violation(before, event)
            assert found == "", (found, event)
            self.folded = apply(before, event, self.mechanism)
            self._referee.advance(before, event, self.folded)
            for observer, seen in self._seen.items():
                shown = visible_event(event, observer)
                if shown is not None:
                    self._seen[observer] = apply(seen, shown, self.mechanism)
            self._count(event, before)
            self.steps.append(Step(before, event, self.folded))

    def _count(self, event: Event, before: State) -> None:
        """Track, as simply as possible, which seats stand for which offer."""
        if event.type == EventType.SEND_OFFER:
            self.offered = event
            by_maker = self.game.rules.acceptance is Acceptance.MAKER_ACCEPTS
            binds = self.game.rules.allow_partial or decides_everything(event.get_offer())
            self.accepted = {event.sender} if by_maker and binds else set()
            self.next_seat = self._after(event.sender)
        elif event.type == EventType.FORMAL_ACCEPT:
            self.accepted.add(event.sender)
            if self.offered is not None and event.sender != self.offered.sender:
                self.next_seat = self._after(event.sender)
        elif before.phase is Phase.CLOSING:
            self.said_after_end.add((event.sender, event.type))

    def _after(self, seat: Seat) -> Seat:
        seats = self.game.seats
        return seats[(seats.index(seat) + 1) % len(seats)]

    def folded_view(self, observer: Observer) -> State:
        """Return the state of an observer who has folded the events visible to it."""
        return self._seen[observer]

    def _first_view(self, observer: Observer) -> State:
        start = initial_state(visible_game(self.game, observer), self.mechanism)
        return restricted_start(start, observer)

    def points_due(self, seat: Seat, ending: Ending, seconds: float) -> float | None:
        """Return a seat's points by the contract."""
        preferences = self.game.preferences[seat]
        match ending.ended_by:
            case EndedBy.AGREEMENT:
                assert ending.deal is not None
                out = self.game.rules.outvoted is Outvoted.LEFT_OUT and seat not in self.accepted
                worth: float = secret(seat) if out else worth_of(ending.deal, seat)
            case EndedBy.TIMEOUT:
                worth = secret(seat)
            case EndedBy.QUIT:
                worth = secret(seat) if seat == self.game.seats[0] else 11
            case _:
                return None
        return worth - (2 * (round(seconds * 1000) // 500) if preferences.time_cost else 0)


def decides_everything(offer: Offer) -> bool:
    """Return whether an offer leaves nothing open."""
    terms = dict(offer.terms)
    crates = terms.get("crates")
    return (
        set(terms) == {"crates", "day", "price"} and isinstance(crates, Allocation) and not crates.undecided
    )


def worth_of(offer: Offer, seat: Seat) -> float:
    """Return the points of an offer before time costs."""
    terms = dict(offer.terms)
    crates = terms.get("crates")
    units = CRATES[crates.of(seat)] if isinstance(crates, Allocation) else 0
    price = terms.get("price")
    return (
        units + DAYS.get(str(terms.get("day")), 0) + (PRICES[price] if isinstance(price, int | float) else 0)
    )


def holds_secret_of(value: object, seat: Seat) -> bool:
    """Return whether a seat's reservation value can be found in a value."""
    return struct.pack(">d", secret(seat)) in pickle.dumps(value)


def may_hold_secret(game: GameSpec, seat: Seat, observer: Observer) -> bool:
    """Return whether an observer may see another seat's reservation value, by the contract."""
    team = game.team_of(seat)
    is_ally = team is not None and observer.seat in team.members
    if is_ally and team is not None and "Limits" in team.share:
        return True
    match game.visibility[seat]:
        case Visibility.PUBLIC:
            return True
        case Visibility.TEAM:
            return is_ally
        case Visibility.UPPER_LEVEL:
            return observer.seat == "head" and seat in observer.over
        case Visibility.SYSTEM:
            return observer.seat in ("chief", SYSTEM)  # the two on level 3
        case Visibility.OWNER:
            return False


def is_refused(event: Event) -> bool:
    """Return whether an event is a rejected proposal."""
    return isinstance(event.payload, StateProposal) and not event.payload.accepted
