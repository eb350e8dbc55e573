"""Fold of the events that one observer may see, in a process that does not hold the session."""

from __future__ import annotations

from negoplatform.core.events import Event
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, Record
from negoplatform.core.visibility import NOTHING_SHARED, Observer, View, ViewProjector, restricted_start
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap


class VisibleFold:
    """Session as an observer has seen it so far.

    The filter commutes with the fold, so the views equal those that the session's own process makes for the
    observer.

    Args:
        game: The game as the observer may see it.
        observer: The observer.
        session_id: The session's id; empty where it has none.
        record: The record with which the session begins, as the observer may see it.
    """

    def __init__(
        self, game: GameSpec, observer: Observer, session_id: str = "", record: Record = EMPTY_RECORD
    ) -> None:
        self._mechanism = mechanism_of(game.mechanism)
        self._viewer = ViewProjector(observer, game)
        self._state = initial_state(game, self._mechanism, session_id, record)
        if not observer.raw:
            self._state = restricted_start(self._state, observer)

    def apply(self, event: Event) -> None:
        """Fold the next visible event in."""
        self._state = apply(self._state, event, self._mechanism)

    def view(
        self,
        *,
        version: int | None = None,
        t: float | None = None,
        shared: SeatMap[tuple[Feature, ...]] = NOTHING_SHARED,
    ) -> View:
        """Return the present view.

        Args:
            version: The version of the session's whole state; None: that of the last visible event.
            t: The time of that state; None: that of the last visible event.
            shared: The features that the members of the observer's team share, which no events show.
        """
        state = self._state
        if version is not None and t is not None:
            state = state._replace(version=version, t=t)
        return self._viewer.view(state)._replace(shared=shared)
