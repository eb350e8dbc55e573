"""Delays of the messages between the platform and one agent or principal.

A request for an observation takes ``msg_delay`` to reach the platform, which answers with the view of that
moment; the answer takes as long. Messages of one channel never overtake each other. Both arrivals are notes
in the log, so that a resumed session and a rerun ask at the same moments with the same views.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from negoplatform.core.broker import GET_INFO, GET_OBS_RESPONSE
from negoplatform.core.events import Event
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.session import Session
from negoplatform.core.state import State
from negoplatform.domain.errors import Refused
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.hosting.command.event_scheduler import Delays, EventScheduler, ScheduledEntry


@dataclass(slots=True)
class DelayedRequest:
    """Request for an observation that is on its way.

    Args:
        about: The number of the event that it is about; the key of the request.
        stimulus: The event that is to be answered.
        call: The number of a callback; None for an event.
        sent_at: The session time (s) at which it was sent.
        seen: The state at the platform when it arrived there; None: it has not arrived.
        seen_at: The session time (s) of that.
    """

    about: int
    stimulus: Event
    call: int | None
    sent_at: float
    seen: State | None = None
    seen_at: float = 0.0


class DelayedMail:
    """Requests on their way, and the events that their agent has not been told.

    An agent is told an event when it is asked with a view that holds it, and not before.
    """

    def __init__(self) -> None:
        self._untold: list[Event] = []
        self._requests: dict[int, DelayedRequest] = {}

    @property
    def requests(self) -> list[DelayedRequest]:
        """The requests without an answer, in the order in which they were sent."""
        return list(self._requests.values())

    @property
    def untold(self) -> list[Event]:
        """The events that the agent has not been told, oldest first."""
        return list(self._untold)

    def add_event(self, event: Event) -> None:
        """Add an event that the agent may see."""
        self._untold.append(event)

    def add_request(self, request: DelayedRequest) -> None:
        """Add a request that was sent."""
        self._requests[request.about] = request

    def find(self, about: int) -> DelayedRequest | None:
        """Return the request about an event; None: there is none without an answer."""
        return self._requests.get(about)

    def drop_requests(self) -> None:
        """Drop all requests: the game has ended."""
        self._requests.clear()

    def arrive(self, about: int | None, state: State, t: float) -> None:
        """Take down the state at the platform when a request arrived there."""
        request = self._requests.get(about or 0)
        if request is not None:
            request.seen, request.seen_at = state, t

    def answered(self, about: int | None) -> DelayedRequest | None:
        """Take out a request whose answer has arrived; None: there is none that had been seen."""
        request = self._requests.get(about or 0)
        if request is None or request.seen is None:
            return None
        return self._requests.pop(request.about)

    def events_until(self, version: int) -> Iterator[Event]:
        """Take out the events up to a number, oldest first."""
        while self._untold and self._untold[0].seq <= version:
            yield self._untold.pop(0)

    def restore(self, requests: Iterable[DelayedRequest], untold: Iterable[Event]) -> None:
        """Continue with the requests and events of an interrupted session."""
        self._requests = {request.about: request for request in requests}
        self._untold = list(untold)


class DelayedMessages:
    """Messages of one agent in a running session.

    Args:
        name: The seat.
        delays_of: Returns the delays of the request about the event with a number.
        session: The session.
        scheduler: The scheduler of the entries of this agent.
        tell: Passes an event on to the agent.
        ask: Puts a request to the agent, with the session time of its arrival.
    """

    def __init__(
        self,
        name: str,
        *,
        delays_of: Callable[[int], Delays],
        session: Session,
        scheduler: EventScheduler,
        tell: Callable[[Event], None],
        ask: Callable[[DelayedRequest, float], None],
    ) -> None:
        self.mail = DelayedMail()
        self._name = name
        self._delays_of = delays_of
        self._session = session
        self._scheduler = scheduler
        self._tell = tell
        self._ask = ask
        self._latest_request = self._latest_answer = 0.0
        scheduler.attach(PLATFORM, self._deliver_request)
        scheduler.attach(name, self._deliver_answer)

    def send_request(self, about: int, stimulus: Event, call: int | None, t: float) -> None:
        """Send a request about an event or a callback; its answer asks the agent."""
        request = DelayedRequest(about, stimulus, call, t)
        self.mail.add_request(request)
        self._schedule_request(request)

    def restore(self, requests: Iterable[DelayedRequest], untold: Iterable[Event]) -> None:
        """Continue with what was on its way when the session was interrupted."""
        self.mail.restore(requests, untold)
        for request in self.mail.requests:
            if request.seen is None:
                self._schedule_request(request)
            else:
                self._schedule_answer(request)

    def _schedule_request(self, request: DelayedRequest) -> None:
        due = max(request.sent_at + self._delays_of(request.about).request, self._latest_request)
        self._latest_request = due
        message = {"get_info": "obs", "about": request.about}
        delay = due - self._scheduler.current_time
        self._scheduler.schedule_message_delivery(self._name, PLATFORM, message, delay)

    def _schedule_answer(self, request: DelayedRequest) -> None:
        due = max(request.seen_at + self._delays_of(request.about).answer, self._latest_answer)
        self._latest_answer = due
        message = {GET_OBS_RESPONSE: {"about": request.about}}
        delay = due - self._scheduler.current_time
        self._scheduler.schedule_message_delivery(PLATFORM, self._name, message, delay)

    def _deliver_request(self, entry: ScheduledEntry) -> None:
        request = self.mail.find(entry.payload["message"]["about"])
        if request is None:
            return  # the game has ended meanwhile
        noted = note_arrival(self._session, GET_INFO, request.about, self._name, PLATFORM)
        if noted is not None:
            self.mail.arrive(request.about, self._session.state, noted.t)
            self._schedule_answer(request)

    def _deliver_answer(self, entry: ScheduledEntry) -> None:
        about = entry.payload["message"][GET_OBS_RESPONSE]["about"]
        if self.mail.find(about) is None:
            return
        noted = note_arrival(self._session, GET_OBS_RESPONSE, about, PLATFORM, self._name)
        request = self.mail.answered(about)
        if noted is None or request is None or request.seen is None:
            return
        for event in self.mail.events_until(request.seen.version):
            self._tell(event)
        self._ask(request, noted.t)


def note_arrival(
    session: Session, message: str, about: int | None, sender: str, recipient: str
) -> Event | None:
    """Note that a message arrived; return None if the session is over, and nothing arrives any more."""
    try:
        return session.note(
            NoteKind.MESSAGE_DELIVERED, about, message=message, sender=sender, recipient=recipient
        )
    except Refused:
        return None
