"""The one filter: what an observer may see of a game, of an event and of the state.

The agent's context, the participant's window and a log's export all pass through here.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import NamedTuple

from negoplatform.core.access import SEAT_LEVEL, may_see
from negoplatform.core.events import Event, EventType
from negoplatform.core.proposals import StateProposal, proposal_for
from negoplatform.core.record import EMPTY_RECORD, Record, record_for
from negoplatform.core.state import GameState, Private, State
from negoplatform.domain.fast_tuple import make
from negoplatform.domain.game import GameSpec, Preferences, Visibility
from negoplatform.domain.seat import PLATFORM, BySeat, Seat

EXPERIMENTERS_EVENTS = frozenset({EventType.NOTE, EventType.AGENT_FAILED})
"""Event types that no seat sees."""

NOT_FOR_EVERYONE = EXPERIMENTERS_EVENTS | {EventType.STATE_PROPOSED}
"""Event types of which not everybody sees everything, even where they are addressed to nobody."""


@dataclass(frozen=True, slots=True)
class Observer:
    """Somebody who looks.

    Args:
        seat: The seat that looks; None for the public, who sits nowhere.
        raw: Whether everything is shown: the experimenter's own right.
    """

    seat: Seat | None = None
    raw: bool = False


PUBLIC = Observer()
EXPERIMENTER = Observer(raw=True)


class View(NamedTuple):
    """What one observer sees of a session at one moment.

    Args:
        observer: Who looks.
        state: The state without what they may not see.
        game: The game with the observer's own side alone, even where the others' is public.
        preferences: The observer's own preferences; None for one that sits nowhere.
    """

    observer: Observer
    state: State
    game: GameSpec
    preferences: Preferences | None


class Viewer:
    """An observer of one game, whose view of the game is worked out once for the whole session.

    Args:
        observer: Who looks.
        game: The game as they may see it.
    """

    def __init__(self, observer: Observer, game: GameSpec) -> None:
        self._observer = observer
        self._own = [observer.seat] if observer.seat else []
        self._game = game
        self._private: tuple[BySeat[Private], BySeat[Private]] = (BySeat(), BySeat())
        self._typed: tuple[BySeat[GameState], BySeat[GameState]] = (BySeat(), BySeat())
        self._record: tuple[Record, Record] = (EMPTY_RECORD, EMPTY_RECORD)
        self._own_side = game if observer.raw else game.with_preferences_of(self._own)
        self._preferences = game.preferences.get(observer.seat) if observer.seat else None

    def view(self, state: State) -> View:
        """What the observer sees of a state.

        The same as folding the events that they may see over the game that they may see, apart from
        ``version`` and ``t``, which are those of the whole.
        """
        observer = self._observer
        if observer.raw:
            return View(observer, state, self._own_side, None)
        if observer.seat and state.record is not self._record[0]:
            self._record = (state.record, record_for(state.record, observer.seat))
        if state.private is not self._private[0]:
            # The own part, taken out anew only when any has changed, which few events do.
            self._private = (state.private, state.private.only(self._own))
        if state.typed is not self._typed[0]:
            # A typed state can be changed by whoever holds it, so nobody is handed the session's own.
            self._typed = (state.typed, deepcopy(state.typed.only(self._own)))
        seen = make(
            State,
            (
                self._game,
                state.play,
                state.presence,
                self._private[1],
                state.version,
                state.t,
                state.phase,
                state.transcript,
                state.ending,
                state.ended_at,
                self._typed[1],
                self._record[1],
            ),
        )
        return make(View, (observer, seen, self._own_side, self._preferences))


def view_of(state: State, observer: Observer) -> View:
    """What an observer sees of a state; whoever looks again and again keeps a :class:`Viewer`."""
    return Viewer(observer, visible_game(state.game, observer)).view(state)


def reaches(event: Event, seat: Seat | None) -> bool:
    """Whether an event is for a seat: its own, addressed to it, or to everyone."""
    if event.type in EXPERIMENTERS_EVENTS:
        return False
    return not event.to or seat in event.to or (seat == event.sender and seat != PLATFORM)


def sees_preferences(game: GameSpec, owner: Seat, observer: Observer) -> bool:
    """Whether an observer may see a seat's preferences; what the game does not declare is the owner's."""
    if observer.raw or observer.seat == owner:
        return True
    declared = game.visibility.get(owner, Visibility.OWNER)
    return may_see(declared, observer.seat, SEAT_LEVEL, owner, SEAT_LEVEL)


def visible_game(game: GameSpec, observer: Observer) -> GameSpec:
    """The game with the preferences and stories that an observer may see."""
    if observer.raw:
        return game
    shown = game.with_preferences_of(seat for seat in game.seats if sees_preferences(game, seat, observer))
    own = [observer.seat] if observer.seat else []
    return replace(shown, stories=shown.stories.only(own), chosen=shown.chosen.only(own))


def visible_event(event: Event, observer: Observer) -> Event | None:
    """An event as an observer sees it; None if it is not for them."""
    if observer.raw:
        return event
    if isinstance(event.payload, StateProposal):
        return _visible_proposal(event, event.payload, observer)
    return event.without_experimenters_part() if reaches(event, observer.seat) else None


def _visible_proposal(event: Event, proposal: StateProposal, observer: Observer) -> Event | None:
    concerns = proposal_for(proposal, observer.seat) if observer.seat else None
    return None if concerns is None else event.without_experimenters_part()._replace(payload=concerns)
