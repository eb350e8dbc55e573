"""The one filter: what an observer may see of a game, of an event and of the state.

The agent's context, the participant's window and a log's export all pass through here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from negoplatform.core.events import Event, EventType
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, Visibility
from negoplatform.domain.seat import PLATFORM, Seat

EXPERIMENTERS_EVENTS = frozenset({EventType.NOTE, EventType.AGENT_FAILED, EventType.STATE_PROPOSED})
"""Event types that no seat sees."""


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


@dataclass(frozen=True, slots=True)
class View:
    """What one observer sees of a session at one moment: a frozen state without the rest."""

    observer: Observer
    state: State


def reaches(event: Event, seat: Seat | None) -> bool:
    """Whether an event is for a seat: its own, addressed to it, or to everyone."""
    if event.type in EXPERIMENTERS_EVENTS:
        return False
    return not event.to or seat in event.to or (seat == event.sender and seat != PLATFORM)


def sees_preferences(game: GameSpec, owner: Seat, observer: Observer) -> bool:
    """Whether an observer may see a seat's preferences; what the game does not declare is the owner's."""
    if observer.raw or observer.seat == owner:
        return True
    return game.visibility.get(owner, Visibility.OWNER) is Visibility.PUBLIC


def visible_game(game: GameSpec, observer: Observer) -> GameSpec:
    """The game with the preferences and stories that an observer may see."""
    if observer.raw:
        return game
    shown = game.with_preferences_of(seat for seat in game.seats if sees_preferences(game, seat, observer))
    return replace(shown, stories=shown.stories.only([observer.seat] if observer.seat else []))


def visible_event(event: Event, observer: Observer) -> Event | None:
    """An event as an observer sees it; None if it is not for them."""
    if observer.raw:
        return event
    return event.without_experimenters_part() if reaches(event, observer.seat) else None


def view_of(state: State, observer: Observer, game: GameSpec | None = None) -> View:
    """What an observer sees of the state.

    The same as folding the events that they may see over the game that they may see, apart from
    ``version`` and ``t``, which are those of the whole.

    Args:
        state: The whole state.
        observer: Who looks.
        game: The game as they may see it, if it is at hand already.
    """
    if observer.raw:
        return View(observer, state)
    own = [observer.seat] if observer.seat else []
    seen = visible_game(state.game, observer) if game is None else game
    return View(observer, replace(state, game=seen, private=state.private.only(own)))
