"""Windows in other processes that follow a live session, and the feeds that they get."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from negoplatform.app.session.participant_seat import ShownAdvice
from negoplatform.app.session.windows.session_feed import (
    FeedAdvice,
    FeedAssistant,
    FeedEvent,
    FeedItem,
    FeedRawEvent,
    FeedRawHeader,
    FeedShared,
    FeedStatus,
    FeedSuggestion,
    FeedSuggestionClosed,
    FeedWizard,
    JoinRole,
    RoleKind,
)
from negoplatform.core.events import Event
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.mechanisms.registry import BARGAINING, mechanism_of
from negoplatform.core.rules_faults import final_points
from negoplatform.core.state import State
from negoplatform.core.visibility import NOTHING_SHARED, Observer, features_shared_with, visible_event
from negoplatform.domain.assistant_settings import AssistantKind
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import Points
from negoplatform.formats.agent_protocol import dump_shared
from negoplatform.formats.log_header import Header
from negoplatform.hosting.agent_runner import ScheduledCall
from negoplatform.hosting.wizard_control import Suggestion

Put = Callable[[FeedItem], object]
"""Function that takes the items of one window; it neither blocks nor raises."""


@dataclass(slots=True)
class _Window:
    """Window with the number of events that it was fed, and of those that it was fed whole."""

    role: JoinRole
    observer: Observer
    put: Put
    fed: int = 0
    raw_fed: int | None = None
    wizard: FeedWizard | None = None
    assistants: dict[str, object] = field(default_factory=dict)
    status: FeedStatus | None = None
    shared: SeatMap[tuple[Feature, ...]] = NOTHING_SHARED


class AttachedWindows:
    """Windows that are fed. Used on the session's thread.

    Args:
        header: Returns the complete header of the session's log.
        past: The events of the log from which the session is resumed.
    """

    def __init__(self, header: Callable[[], Header], past: Sequence[Event] = ()) -> None:
        self._header = header
        self.events: list[Event] = list(past)
        """All events of the session so far."""
        self._windows: list[_Window] = []
        self._ends: dict[Seat, str] = {}
        self._closed: list[tuple[Seat, FeedSuggestionClosed]] = []

    def __bool__(self) -> bool:
        return bool(self._windows)

    def has(self, role: JoinRole) -> bool:
        """Return whether a window has joined in a role."""
        return any(window.role == role for window in self._windows)

    def attach(self, role: JoinRole, put: Put, *, begun: bool) -> None:
        """Feed a window from now on; a status has to follow.

        Args:
            role: Its role; a seat and a wizard have one window at a time.
            put: Takes its items.
            begun: Whether the game has begun or was resumed; before that, past events wait.
        """
        if role.kind in (RoleKind.SEAT, RoleKind.WIZARD):
            self._windows = [window for window in self._windows if window.role != role]
        window = _Window(role, role.observer_in(self._header().game), put)
        self._windows.append(window)
        if begun:
            self._catch_up(window)

    def detach(self, role: JoinRole, put: Put) -> bool:
        """Stop feeding a window; return whether it was fed."""
        before = len(self._windows)
        self._windows = [window for window in self._windows if (window.role, window.put) != (role, put)]
        return len(self._windows) < before

    def begin(self) -> None:
        """Feed the past events: the game goes on."""
        for window in self._windows:
            self._catch_up(window)

    def publish(self, event: Event) -> None:
        """Feed an event to all windows that may see it."""
        self.events.append(event)
        for window in self._windows:
            self._catch_up(window)

    def put_status(self, status: FeedStatus) -> None:
        """Feed a status to all windows for which it has changed.

        A seat must not notice that a wizard or an observer has joined, so it gets no status that
        differs only for others.
        """
        for window in self._windows:
            seen = self._status_for(window.role, status)
            if window.status is None or not _is_same(seen, window.status):
                window.status = seen
                window.put(seen)

    def put_advice(self, seat: Seat, advice: ShownAdvice | None) -> None:
        """Feed the open advice to the person in a seat; None: they have no adviser."""
        role = JoinRole(RoleKind.SEAT, seat)
        for window in self._windows:
            if window.role == role:
                window.put(FeedAdvice(advice))

    def put_shared(self, state: State) -> None:
        """Feed what allies share to the windows of a team's seats, before the event that has changed it."""
        for window in self._windows:
            if window.role.seat is None or window.role.kind not in (RoleKind.SEAT, RoleKind.WIZARD):
                continue
            shared = features_shared_with(window.role.seat, state)
            if shared != window.shared:
                window.shared = shared
                window.put(FeedShared(dump_shared(shared)))

    def end_seat(self, seat: Seat, sentence: str) -> None:
        """End the session for one seat alone.

        Args:
            seat: The seat.
            sentence: The reason, for the person.
        """
        self._ends[seat] = sentence

    def open_whole_state(self, seat: Seat) -> None:
        """Feed the wizard of a seat with everything, from the first event on."""
        for window in self._wizards_of(seat):
            if window.raw_fed is None:
                window.raw_fed = 0
                window.put(FeedRawHeader(self._header()))
                self._catch_up(window)

    def put_wizard(self, seat: Seat, mode: WizardMode, state: State | None) -> None:
        """Feed the state of a wizard's seat, where it has changed."""
        points = {} if state is None else points_now(state)
        for window in self._wizards_of(seat):
            feed = FeedWizard(mode, points, is_raw_open=window.raw_fed is not None)
            if feed != window.wizard:
                window.wizard = feed
                window.put(feed)
            if state is not None:
                _put_assistants(window, seat, state)

    def put_suggestions(self, seat: Seat, suggestions: Iterable[Suggestion]) -> None:
        """Feed suggestions to the wizard of a seat."""
        for suggestion in suggestions:
            steps = tuple(step for step in suggestion.steps if not isinstance(step, ScheduledCall))
            for window in self._wizards_of(seat):
                window.put(FeedSuggestion(suggestion.number, steps, suggestion.expires_at))

    def put_closed(self, seat: Seat, number: int, verdict: SuggestionVerdict) -> None:
        """Feed the end of a suggestion's wait to the wizard of a seat."""
        self._closed.append((seat, FeedSuggestionClosed(number, verdict)))
        for window in self._wizards_of(seat):
            window.put(FeedSuggestionClosed(number, verdict))

    def put_all_closed(self, seat: Seat) -> None:
        """Feed all ends so far to the wizard of a seat, whose window may have been away meanwhile."""
        for closed_seat, closed in self._closed:
            if closed_seat == seat:
                for window in self._wizards_of(seat):
                    window.put(closed)

    def _wizards_of(self, seat: Seat) -> list[_Window]:
        role = JoinRole(RoleKind.WIZARD, seat)
        return [window for window in self._windows if window.role == role]

    def _status_for(self, role: JoinRole, status: FeedStatus) -> FeedStatus:
        if role.kind is RoleKind.SEAT and role.seat in self._ends:
            return replace(status, finished=True, error_message=self._ends[role.seat])
        if role.kind is not RoleKind.SEAT:
            return replace(status, improvement=None)
        # A person knows that their own window is there.
        return replace(status, absent=tuple(seat for seat in status.absent if seat != role.seat))

    def _catch_up(self, window: _Window) -> None:
        for event in self.events[window.fed :]:
            seen = visible_event(event, window.observer)
            if seen is not None:
                window.put(FeedEvent(seen))
        window.fed = len(self.events)
        if window.raw_fed is not None:
            for event in self.events[window.raw_fed :]:
                window.put(FeedRawEvent(event))
            window.raw_fed = len(self.events)


def _is_same(status: FeedStatus, before: FeedStatus) -> bool:
    """Return whether a status equals the one before, apart from the time of a running clock."""
    if not status.running and status.session_time != before.session_time:
        return False
    return replace(status, session_time=before.session_time) == before


def _put_assistants(window: _Window, seat: Seat, state: State) -> None:
    """Feed the window of a wizard with what the assistants of its seat have written since."""
    for name, spec in state.game.assistants.items():
        kind, annotations = spec.kind, state.record.annotations.get(name)
        is_shown = kind in (AssistantKind.AGENDA, AssistantKind.INSIGHTS) and spec.seat == seat
        if not is_shown or kind is None or not isinstance(annotations, Mapping):
            continue
        if window.assistants.get(name) != annotations:
            window.assistants[name] = annotations
            window.put(FeedAssistant(name, kind, dict(annotations)))


def points_now(state: State) -> Mapping[Seat, Points | None]:
    """Return each seat's points of the result; before the end, of the offer on the table.

    Without either they are the points that the seat would have if the game ended now.
    """
    game, mechanism = state.game, mechanism_of(state.game.mechanism)
    if state.ending is not None:
        return dict(final_points(mechanism, state, game.seats))
    offer = None
    if game.mechanism == BARGAINING:
        on_table = bargaining_state(state).on_table
        offer = None if on_table is None else on_table.offer
    if offer is not None:
        return {seat: own.utility(offer) for seat, own in game.preferences.items()}
    return {seat: mechanism.standing(state, seat) for seat in game.seats}
