"""Sessions in which agents failed, were restarted and replaced go on, and are run again, as they were."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from random import Random

import pytest

from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.clock import VirtualClock
from negoplatform.core.events import Event, EventType, Message
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.visibility import Observer, ViewProjector, visible_game
from negoplatform.domain.agent_budget import AgentBudget
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner
from negoplatform.hosting.responder import Responder, SeatAssignment
from negoplatform.hosting.script_timing import AgentTiming
from tests.hosting.test_seat_lifecycle import POLITE, Counting, Mortal, Played, Polite, counting, mortal

SPOKEN = ("One", "Die!", "Two", "Fail!", "Fail!", "Three", "Fail!", "Four")


CASTINGS = {
    "a mind that is lost": SeatAssignment(mortal(), AgentBudget()),
    "a mind that is struck": SeatAssignment(counting, AgentBudget()),
    "an understudy for one that is lost": SeatAssignment(mortal(), AgentBudget(fallback="polite"), POLITE),
    "an understudy for one that is struck": SeatAssignment(
        counting, AgentBudget(restarts=0, fallback="polite"), POLITE
    ),
}


def retraced(played: Played, casting: SeatAssignment) -> AgentReplay:
    game = played.table.session.state.game
    observer = Observer("agent")
    table = SessionRunner(game, seed=1, clock=VirtualClock(), log=NoLog(), report=lambda _error: None)
    retrace = AgentReplay(
        "agent",
        casting,
        ViewProjector(observer, deepcopy(visible_game(game, observer))),
        AgentTiming(),
        mechanism_of(game.mechanism).acceptance_target,
    )
    for happening in table.session.restore(played.events):
        retrace.apply_event(happening)
    return retrace


def resumed(casting: SeatAssignment, past: Sequence[Event]) -> Played:
    """A table that goes on after these events."""
    return Played(casting.make, casting.budget, casting.fallback, past)


@pytest.mark.parametrize("name", CASTINGS)
def test_an_agent_that_failed_is_run_again_without_a_difference(name: str) -> None:
    casting = CASTINGS[name]
    played = Played(casting.make, casting.budget, casting.fallback)
    for text in (*SPOKEN, "Die!", "Five"):
        if played.table.session.state.ending is None:
            played.says(text)
    played.to_the_end()

    assert retraced(played, casting).divergences == []


@pytest.mark.parametrize("name", CASTINGS)
@pytest.mark.parametrize("said", range(1, len(SPOKEN)))
def test_a_session_goes_on_with_whoever_held_the_seat(name: str, said: int) -> None:
    casting = CASTINGS[name]
    spoken = SPOKEN[:-2] if casting.fallback is None else SPOKEN  # before it may go on no longer
    whole = Played(casting.make, casting.budget, casting.fallback)
    whole.says(*spoken)
    cut = Played(casting.make, casting.budget, casting.fallback)
    cut.says(*spoken[:said])

    again = Played(casting.make, casting.budget, casting.fallback, past=cut.events)
    again.says(*spoken[said:])

    assert again.answers() == whole.answers()
    assert again.notes() == whole.notes()


def test_the_understudy_hears_nothing_twice() -> None:
    asked: list[str] = []

    class Listening(AgentRunner):
        def respond(self, question: AgentRequest):  # type: ignore[no-untyped-def]
            asked.append(question.stimulus.get_text() or "")
            return super().respond(question)

        def notify(self, event: Event) -> None:
            asked.append(event.get_text() or "")

    casting = CASTINGS["an understudy for one that is lost"]
    assert casting.fallback is not None
    played = Played(casting.make, casting.budget, casting.fallback)
    played.says("One", "Die!", "Two", "Die!", "Three")
    understudy = type(casting.fallback)("polite", "1234", lambda: Listening(Polite(), Random(1)))

    retraced(played, SeatAssignment(casting.make, casting.budget, understudy))

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


def test_an_agent_lost_by_a_mishap_that_does_not_repeat_goes_on_with_what_its_successor_knew() -> None:
    def casting() -> SeatAssignment:
        made: list[Mortal] = []

        class Unlucky(Mortal):
            """The first one is lost at "Two", as if somebody had ended its process."""

            def respond(self, question: AgentRequest) -> AgentResponse:
                if self is made[0] and question.stimulus.get_text() == "Two":
                    self.lost = True
                return super().respond(question)

        def make() -> Responder:
            made.append(Unlucky(Counting()))
            return made[-1]

        return SeatAssignment(make, AgentBudget())

    whole = casting()
    played = Played(whole.make, whole.budget, None)
    played.says("One", "Two", "Three", "Four")
    cut = casting()
    before = Played(cut.make, cut.budget, None)
    before.says("One", "Two", "Three")

    again = resumed(CASTINGS["a mind that is lost"], before.events)
    again.says("Four")

    assert again.answers() == played.answers() == ["1 heard", "2 heard", "3 heard"]


def test_an_answer_that_was_slow_once_and_is_quick_now_is_the_same_answer() -> None:
    def casting(*, slow: bool) -> SeatAssignment:
        class Busy(AgentRunner):
            def respond(self, question: AgentRequest) -> AgentResponse:
                answer = super().respond(question)
                late = slow and question.stimulus.get_text() == "Two"
                return answer._replace(failure="It took 2.3 s to react.") if late else answer

        return SeatAssignment(lambda: Busy(Counting(), Random(1)), AgentBudget())

    slow = casting(slow=True)
    played = Played(slow.make, slow.budget, None)
    played.says("One", "Two", "Three")

    again = resumed(casting(slow=False), played.events[:-1])
    again.says("Four")

    assert again.answers() == ["1 heard", "2 heard", "3 heard", "4 heard"]
    assert [left.step for left in retraced(played, casting(slow=False)).pending_steps()] == []


def test_a_failure_that_was_not_recorded_yet_is_recorded_when_the_session_goes_on() -> None:
    casting = CASTINGS["a mind that is lost"]
    played = Played(casting.make, casting.budget, None)
    played.says("One", "Die!")
    died = next(event for event in played.events if event.get_text() == "Die!")
    before = played.events[: died.seq]
    later = died._replace(seq=died.seq + 1, t=died.t + 0.1, payload=Message("An important word"))

    again = resumed(casting, [*before, later])
    again.says("Two")

    failed = next(event for event in again.events if event.type == EventType.AGENT_FAILED)
    assert failed.cause == died.seq
    assert again.notes() == [("agent_restarted", {"seat": "agent", "times": 1})]
    assert again.answers() == ["1 heard", "2 heard", "3 heard"]


def test_what_follows_a_failure_is_done_when_the_session_goes_on() -> None:
    casting = CASTINGS["a mind that is struck"]
    played = Played(casting.make, casting.budget, None)
    played.says("Fail!", "Fail!", "Fail!")
    last = max(event.seq for event in played.events if event.type == EventType.AGENT_FAILED)

    again = resumed(casting, played.events[:last])

    assert again.notes() == [("agent_restarted", {"seat": "agent", "times": 1})]
