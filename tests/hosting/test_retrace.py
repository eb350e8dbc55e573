"""Sessions in which agents failed, were restarted and replaced go on, and are run again, as they were."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest

from negoplatform.app.table import Table
from negoplatform.core.clock import VirtualClock
from negoplatform.core.events import Event
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.visibility import Observer, Viewer, visible_game
from negoplatform.domain.budget import AgentBudget
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.brain import Brain, Question
from negoplatform.hosting.mind import Casting, Mind
from negoplatform.hosting.retrace import Retrace
from negoplatform.hosting.timing import AgentTiming
from tests.hosting.test_tenancy import POLITE, Counting, Mortal, Played, Polite

SPOKEN = ("One", "Die!", "Two", "Fail!", "Fail!", "Three", "Fail!", "Four")


def mortal() -> Mind:
    return Mortal(Counting())


def counting() -> Mind:
    return Brain(Counting(), Random(1))


CASTINGS = {
    "a mind that is lost": Casting(mortal, AgentBudget()),
    "a mind that is struck": Casting(counting, AgentBudget()),
    "an understudy for one that is lost": Casting(mortal, AgentBudget(fallback="polite"), POLITE),
    "an understudy for one that is struck": Casting(
        counting, AgentBudget(restarts=0, fallback="polite"), POLITE
    ),
}


def retraced(played: Played, casting: Casting) -> Retrace:
    game = played.table.session.state.game
    observer = Observer("agent")
    table = Table(game, seed=1, clock=VirtualClock(), log=NoLog(), report=lambda _error: None)
    retrace = Retrace(
        "agent",
        casting,
        Viewer(observer, deepcopy(visible_game(game, observer))),
        AgentTiming(),
        mechanism_of(game.mechanism).named_by_accept,
    )
    for happening in table.session.restore(played.events):
        retrace.follow(happening)
    return retrace


@pytest.mark.parametrize("name", CASTINGS)
def test_an_agent_that_failed_is_run_again_without_a_difference(name: str) -> None:
    casting = CASTINGS[name]
    played = Played(casting.make, casting.budget, casting.understudy)
    for text in (*SPOKEN, "Die!", "Five"):
        if played.table.session.state.ending is None:
            played.says(text)
    played.to_the_end()

    assert retraced(played, casting).differences == []


@pytest.mark.parametrize("name", CASTINGS)
@pytest.mark.parametrize("said", range(1, len(SPOKEN)))
def test_a_session_goes_on_with_whoever_held_the_seat(name: str, said: int) -> None:
    casting = CASTINGS[name]
    spoken = SPOKEN[:-2] if casting.understudy is None else SPOKEN  # before it may go on no longer
    whole = Played(casting.make, casting.budget, casting.understudy)
    whole.says(*spoken)
    cut = Played(casting.make, casting.budget, casting.understudy)
    cut.says(*spoken[:said])

    again = resumed(casting, cut.events)
    again.says(*spoken[said:])

    assert again.answers() == whole.answers()
    assert again.notes() == whole.notes()


def resumed(casting: Casting, events: list[Event]) -> Played:
    """A table that goes on after these events."""
    played = Played.__new__(Played)
    played.events = list(events)
    played.clock = VirtualClock()
    played.clock.move_to(events[-1].t)
    fresh = Played(casting.make, casting.budget, casting.understudy)
    game = fresh.table.session.state.game
    played.table = Table(game, seed=1, clock=played.clock, log=NoLog(), report=lambda _error: None)
    played.table.cast("agent", Casting(casting.make, casting.budget, casting.understudy))
    played.table.subscribe(lambda happening: played.events.append(happening.event))
    played.table.resume(events)
    return played


def test_the_understudy_hears_nothing_twice() -> None:
    asked: list[str] = []

    class Listening(Brain):
        def answer(self, question: Question):  # type: ignore[no-untyped-def]
            asked.append(question.stimulus.get_text() or "")
            return super().answer(question)

        def see(self, event: Event) -> None:
            asked.append(event.get_text() or "")

    casting = CASTINGS["an understudy for one that is lost"]
    assert casting.understudy is not None
    played = Played(casting.make, casting.budget, casting.understudy)
    played.says("One", "Die!", "Two", "Die!", "Three")
    understudy = type(casting.understudy)("polite", "1234", lambda: Listening(Polite(), Random(1)))

    retraced(played, Casting(casting.make, casting.budget, understudy))

    said = [text for text in asked if text]
    assert said == [
        "One",
        "1 heard",
        "Die!",
        "Two",
        "2 heard",
        "Die!",
        "I take over.",
        "Three",
        "I take over.",
    ]
