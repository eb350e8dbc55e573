"""Single reading of the clock for both the check and the stamp."""

from __future__ import annotations

import pytest

from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Event, EventType, Message
from negoplatform.core.mechanisms.bargaining import Bargaining
from negoplatform.core.session import Session
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec


class Creeping:
    """Clock that advances between any two readings."""

    def __init__(self, *readings: float) -> None:
        self._readings = iter(readings)

    def __call__(self) -> float:
        return next(self._readings)


def session_on(clock: Creeping, game: GameSpec, events: list[Event]) -> Session:
    def publish(_: PublishedEvent) -> None:
        """Ignore the event."""

    return Session(
        game, mechanism=Bargaining(), clock=clock, log=events.append, publish=publish, report=print
    )


def test_what_was_checked_in_time_is_stamped_in_time(game: GameSpec) -> None:
    events: list[Event] = []
    session = session_on(Creeping(0.0, 599.999, 600.001), game, events)
    session.start()

    session.send_message("human", Message("Just in time."))

    assert events[-1].t == 599.999


def test_what_rounds_to_the_deadline_is_late(game: GameSpec) -> None:
    events: list[Event] = []
    session = session_on(Creeping(0.0, 599.9996), game, events)
    session.start()

    with pytest.raises(Refused, match="Time is up"):
        session.send_message("human", Message("Just in time?"))


def test_a_tick_tells_the_time_that_it_is_stamped_with(game: GameSpec) -> None:
    events: list[Event] = []
    session = session_on(Creeping(0.0, 5.0004, 5.3), game, events)
    session.start()

    tick = session.tick()

    assert (tick.t, tick.payload.elapsed, tick.payload.remaining) == (5.0, 5.0, 595.0)


def test_the_end_is_stamped_like_the_act_that_it_follows(game: GameSpec) -> None:
    events: list[Event] = []
    session = session_on(Creeping(0.0, 7.0, 8.0), game, events)
    session.start()

    session.formal_quit("human")

    assert [(event.type, event.t) for event in events[-2:]] == [
        (EventType.FORMAL_QUIT, 7.0),
        (EventType.GAME_END, 7.0),
    ]
