"""The one visibility filter: an observer's view of a game, of an event and of the state.

The agent's context, the participant's window and a log's export all use it.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from negoplatform.core.events import Event, EventType, new_tuple
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.mechanisms.registry import is_confidential, mechanism_of
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, Record
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind, StateProposal
from negoplatform.core.record.record_visibility import (
    RecordReader,
    visible_proposal,
    visible_record,
    visible_sections,
)
from negoplatform.core.state import GameState, PrivateState, State
from negoplatform.core.visibility_rule import NO_PRINCIPAL, SEAT_LEVEL, SYSTEM_LEVEL, is_visible
from negoplatform.domain.game import GameSpec, Preferences, Visibility, economy_of
from negoplatform.domain.seat_map import PLATFORM, SYSTEM, Seat, SeatMap

EXPERIMENTER_ONLY_EVENTS = frozenset({EventType.NOTE, EventType.AGENT_FAILED})
"""Event types that no seat sees."""

RESTRICTED_EVENTS = EXPERIMENTER_ONLY_EVENTS | {EventType.STATE_PROPOSED}
"""Event types that not every seat sees whole, even without recipients."""


@dataclass(frozen=True, slots=True)
class Observer:
    """Observer of a session.

    Args:
        seat: The observing seat, or the name of a principal or of the system; None for the public.
        raw: Whether everything is shown: the experimenter's own right.
        level: 1 for a seat and the public, 2 or 3 for a principal, 3 for the system.
        over: The seats below: the observer sees what is addressed to them, or sent by them to some seats.
        sources: Whose part of the record the observer sees besides its own: a seat, the assistants that its
            participant is shown; the system, all principals.
        assistant: The name of the assistant that observes as the seat that it serves; it also sees its own
            tasks and annotations. Empty: the seat itself observes.
    """

    seat: Seat | None = None
    raw: bool = False
    level: int = SEAT_LEVEL
    over: tuple[Seat, ...] = ()
    sources: tuple[str, ...] = ()
    assistant: str = ""

    @property
    def own_seat(self) -> Seat | None:
        """The observer's seat at the table; None for the public, a principal and the system."""
        return None if self.level > SEAT_LEVEL else self.seat

    @property
    def represented(self) -> tuple[Seat, ...]:
        """The seats whose events the observer sees: its own, and those below it."""
        return self.over if self.over or self.seat is None else (self.seat,)

    @property
    def record_reader(self) -> RecordReader | None:
        """The observer as a reader of the record; None for the public, which sees nothing of it.

        A seat sees its notes, its tasks, the commands that are addressed to it, and what the assistants write
        that its participant is shown. An assistant sees the same of its seat, and what it writes itself. A
        principal sees its own commands and those that are addressed to it,
        the system those of all principals; neither sees notes or tasks of the seats below.
        """
        name = self.seat
        if name is None:
            return None
        if name == SYSTEM:
            return RecordReader(None, givers=self.sources, addressees=self.over)
        if self.level > SEAT_LEVEL:
            return RecordReader(Proposer(ProposerKind.PRINCIPAL, name), givers=(name,), addressees=(name,))
        own = Proposer(ProposerKind.SEAT, name)
        return RecordReader(
            Proposer(ProposerKind.ASSISTANT, self.assistant) if self.assistant else own,
            notes=name,
            origins=(name, *self.sources),
            annotators=self.sources,
            addressees=(name,),
        )


NOTHING_SHARED: SeatMap[tuple[Feature, ...]] = SeatMap()
"""Features of allies for an observer that has none."""

PUBLIC = Observer()
EXPERIMENTER = Observer(raw=True)


def observer_of(game: GameSpec, name: str) -> Observer:
    """Return the observer of a name: a seat, a principal, an assistant, or ``system``.

    A name that is none of these observes as a seat that is not at the table.
    """
    if name in game.principals:
        return Observer(name, level=game.level_of(name), over=game.seats_below(name))
    if name == SYSTEM:
        return Observer(SYSTEM, level=SYSTEM_LEVEL, over=game.seats, sources=tuple(game.principals))
    reader = game.assistants.get(name)
    seat = name if reader is None else reader.seat
    sources = (
        assistant
        for assistant, spec in game.assistants.items()
        if assistant == name or (spec.seat == seat and spec.is_shown_to_participant)
    )
    return Observer(seat, sources=tuple(sources), assistant="" if reader is None else name)


def visible_record_sections(record: Record, observer: Observer) -> dict[str, Any]:
    """Return an observer's view of the sections of a record that are not empty; a fresh JSON value."""
    reader = observer.record_reader
    return {} if reader is None else visible_sections(record, reader)


def seats_with_typed_state(observer: Observer, game: GameSpec) -> tuple[Seat, ...]:
    """Return the seats whose typed states an observer sees: those of which it sees all events."""
    hides_facts = observer.level > SEAT_LEVEL and mechanism_of(game.mechanism).confidential_facts
    return () if hides_facts else observer.represented


def restricted_start(state: State, observer: Observer) -> State:
    """Return the state before the first event of a game with the observer's own transcripts and typed states.

    Args:
        state: The initial state of the game as the observer may see it.
        observer: The observer; not the experimenter, who sees everything.
    """
    return state._replace(
        private=state.private.restricted_to(observer.represented),
        typed=state.typed.restricted_to(seats_with_typed_state(observer, state.game)),
    )


class View(NamedTuple):
    """An observer's view of a session at one moment.

    Args:
        observer: The observer.
        state: The state without the parts hidden from it.
        game: The game with the observer's own side alone, even where the others' is public.
        preferences: The observer's own preferences; None for the public.
        shared: The features that the members of a seat's team share with it, by seat.
    """

    observer: Observer
    state: State
    game: GameSpec
    preferences: Preferences | None
    shared: SeatMap[tuple[Feature, ...]] = SeatMap()


def features_shared_with(seat: Seat, state: State) -> SeatMap[tuple[Feature, ...]]:
    """Return the features of a whole state that the allies of a seat share with it, by ally."""
    team = state.game.team_of(seat)
    if team is None or not team.share:
        return NOTHING_SHARED
    of_all = mechanism_of(state.game.mechanism).features(state, state.t)
    return SeatMap(
        (ally, tuple(each for each in of_all.get(ally, ()) if each.feature_name in team.share))
        for ally in state.game.allies_of(seat)
    )


class ViewProjector:
    """Projector of states to the views of one observer, with the game filtered once for the whole session.

    Args:
        observer: The observer.
        game: The game as the observer may see it.
    """

    def __init__(self, observer: Observer, game: GameSpec) -> None:
        self._observer = observer
        self._represented = observer.represented
        self._typed_of = seats_with_typed_state(observer, game)
        self._reader = observer.record_reader
        self._game = game
        self._mechanism = mechanism_of(game.mechanism)
        self._mechanism_state: tuple[object, object] = (None, None)
        self._private: tuple[SeatMap[PrivateState], SeatMap[PrivateState]] = (SeatMap(), SeatMap())
        self._typed: tuple[SeatMap[GameState], SeatMap[GameState]] = (SeatMap(), SeatMap())
        self._record: tuple[Record, Record] = (EMPTY_RECORD, EMPTY_RECORD)
        self._own_side = (
            game if observer.raw else game.redacted_for((observer.seat,) if observer.seat else ())
        )
        self._preferences = game.preferences.get(observer.seat) if observer.seat else None
        team = game.team_of(observer.seat) if observer.seat else None
        self._shares = team is not None and bool(team.share)

    @property
    def observer(self) -> Observer:
        """The observer."""
        return self._observer

    @property
    def game(self) -> GameSpec:
        """The game as the observer may see it."""
        return self._game

    def view(self, state: State) -> View:
        """Return the observer's view of a state.

        The same as folding the visible events over the visible game, except for ``version`` and ``t``, which
        are those of the whole.
        """
        observer = self._observer
        if observer.raw:
            return View(observer, state, self._own_side, None)
        # By position, as in the fold.
        _, play, presence, private, version, t, phase, transcript, ending, ended, typed, record, session = (
            state
        )
        if self._mechanism.hides_state:
            if play is not self._mechanism_state[0]:
                visible = self._mechanism.view(play, self._represented)
                self._mechanism_state = (play, visible)
            play = self._mechanism_state[1]
        if (
            private is not self._private[0] or typed is not self._typed[0] or record is not self._record[0]
        ):  # which few events change
            self._extract_own(private, typed, record)
        seen = new_tuple(
            State,
            (
                self._game,
                play,
                presence,
                self._private[1],
                version,
                t,
                phase,
                transcript,
                ending,
                ended,
                self._typed[1],
                self._record[1],
                session,
            ),
        )
        shared = (
            features_shared_with(observer.seat, state) if self._shares and observer.seat else NOTHING_SHARED
        )
        return new_tuple(View, (observer, seen, self._own_side, self._preferences, shared))

    def _extract_own(self, private: SeatMap[PrivateState], typed: SeatMap[GameState], record: Record) -> None:
        """Extract the observer's own parts of a state, where they are other ones than before."""
        own, reader = self._represented, self._reader
        if record is not self._record[0]:
            self._record = (record, EMPTY_RECORD if reader is None else visible_record(record, reader))
        if private is not self._private[0]:
            self._private = (private, private.restricted_to(own))
        if typed is not self._typed[0]:
            # A typed state is mutable, so no observer gets the session's own.
            self._typed = (typed, deepcopy(typed.restricted_to(self._typed_of)))


def view_of(state: State, observer: Observer) -> View:
    """Return an observer's view of a state; for repeated use keep a :class:`ViewProjector`."""
    return ViewProjector(observer, visible_game(state.game, observer)).view(state)


def copy_for_thread(view: View) -> View:
    """Return a view that can be used in another thread than the session's."""
    state = view.state
    copied = mechanism_of(state.game.mechanism).copy_for_thread(state.mechanism_state)
    if copied is state.mechanism_state:
        return view
    return view._replace(state=state._replace(mechanism_state=copied))


def is_addressed_to(event: Event, *seats: Seat) -> bool:
    """Return whether an event is for one of some seats: its own, addressed to it, or to everyone."""
    if event.type in EXPERIMENTER_ONLY_EVENTS:
        return False
    if not event.to:
        return True
    return any(seat in event.to or (seat == event.sender and seat != PLATFORM) for seat in seats)


def can_see_preferences(game: GameSpec, owner: Seat, observer: Observer) -> bool:
    """Return whether an observer may see a seat's preferences; without a declaration only the owner may."""
    if observer.raw or observer.seat == owner:
        return True
    declared = game.visibility.get(owner, Visibility.OWNER)
    return is_visible(
        declared,
        observer.seat,
        observer.level,
        owner,
        SEAT_LEVEL,
        upstream=game.upstream_of(owner) or NO_PRINCIPAL,
        allies=game.allies_of(owner),
    )


def visible_game(game: GameSpec, observer: Observer) -> GameSpec:
    """Return the game with the preferences, endowments, stories and briefings that an observer may see."""
    if observer.raw:
        return game
    shown = game.redacted_for(seat for seat in game.seats if can_see_preferences(game, seat, observer))
    own = [observer.seat] if observer.seat else []
    seated = [(name, spec) for name, spec in game.assistants.items() if spec.seat == observer.seat]
    return replace(
        shown,
        # A participant sees what these write, not which programs they are; no seat sees any other.
        assistants=SeatMap(
            (name, replace(spec, assistant="", settings={}))
            for name, spec in seated
            if spec.is_shown_to_participant or name == observer.assistant
        ),
        stories=shown.stories.restricted_to(own),
        briefings=shown.briefings.restricted_to(own),
        chosen=shown.chosen.restricted_to(own),
        # What a seat holds is its own, even where what units are worth to it is public. Its principal sees
        # what happens to its holdings, so it sees what they were at first.
        economy=shown.economy
        and shown.economy.with_endowments(economy_of(game).endowments.restricted_to(observer.represented)),
    )


def visible_event(event: Event, observer: Observer) -> Event | None:
    """Return an event as an observer sees it; None if it is hidden."""
    if observer.raw:
        return event
    if isinstance(event.payload, StateProposal):
        return _proposal_event(event, event.payload, observer)
    if not is_addressed_to(event, *observer.represented):
        return None
    if observer.level > SEAT_LEVEL and event.to and is_confidential(event.type):
        return None  # whether it sees the seat's preferences is for the game to declare
    return event.redacted()


def _proposal_event(event: Event, proposal: StateProposal, observer: Observer) -> Event | None:
    reader = observer.record_reader
    concerns = None if reader is None else visible_proposal(proposal, reader)
    return None if concerns is None else event.redacted()._replace(payload=concerns)
