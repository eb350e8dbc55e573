"""Sessions in which agents failed, were restarted and replaced go on, and are run again, as they were."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from random import Random

import pytest

from negoplatform.agent_api.actions import Action, FormalAccept, Schedule, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.events import Accepted, Event, EventType, Message
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.core.visibility import Observer, ViewProjector, visible_game
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner, ScheduledCall
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.logged_step_matching import expected_event
from negoplatform.hosting.responder import Responder, SeatAssignment
from negoplatform.testing import TrialTable
from tests.hosting.test_seat_supervisor import POLITE, Counting, Mortal, Played, Polite, counting, mortal

DEFAULT_TIMING = AgentTiming()

SPOKEN = ("One", "Die!", "Two", "Fail!", "Fail!", "Three", "Fail!", "Four")


ASSIGNMENTS = {
    "an agent that is lost": SeatAssignment(mortal(), AgentBudget()),
    "an agent out of strikes": SeatAssignment(counting, AgentBudget()),
    "a fallback for one that is lost": SeatAssignment(mortal(), AgentBudget(fallback="polite"), POLITE),
    "a fallback for one out of strikes": SeatAssignment(
        counting, AgentBudget(restarts=0, fallback="polite"), POLITE
    ),
}


def replayed(played: Played, assignment: SeatAssignment, timing: AgentTiming = DEFAULT_TIMING) -> AgentReplay:
    game = played.table.session.state.game
    observer = Observer("agent")
    table = SessionRunner(game, seed=1, clock=VirtualClock(), log=NoLog(), report=lambda _error: None)
    replay = AgentReplay(
        "agent",
        assignment,
        ViewProjector(observer, deepcopy(visible_game(game, observer))),
        timing,
    )
    for published in table.session.restore(played.events):
        replay.apply_event(published)
    return replay


def resumed(assignment: SeatAssignment, past: Sequence[Event]) -> Played:
    """Return a table that goes on after these events."""
    return Played(assignment.make, assignment.budget, assignment.fallback, past)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_an_agent_that_failed_is_run_again_without_a_difference(name: str) -> None:
    assignment = ASSIGNMENTS[name]
    played = Played(assignment.make, assignment.budget, assignment.fallback)
    for text in (*SPOKEN, "Die!", "Five"):
        if played.table.session.state.ending is None:
            played.says(text)
    played.to_the_end()

    assert replayed(played, assignment).divergences == []


@pytest.mark.parametrize("name", ASSIGNMENTS)
@pytest.mark.parametrize("said", range(1, len(SPOKEN)))
def test_a_session_goes_on_with_the_agent_that_had_the_seat(name: str, said: int) -> None:
    assignment = ASSIGNMENTS[name]
    spoken = SPOKEN[:-2] if assignment.fallback is None else SPOKEN  # before it may go on no longer
    whole = Played(assignment.make, assignment.budget, assignment.fallback)
    whole.says(*spoken)
    cut = Played(assignment.make, assignment.budget, assignment.fallback)
    cut.says(*spoken[:said])

    again = Played(assignment.make, assignment.budget, assignment.fallback, past=cut.events)
    again.says(*spoken[said:])

    assert again.answers() == whole.answers()
    assert again.notes() == whole.notes()


@pytest.mark.parametrize("name", ASSIGNMENTS)
@pytest.mark.parametrize("said", range(1, len(SPOKEN) - 1))
def test_a_replay_ends_in_the_state_of_the_session(name: str, said: int) -> None:
    assignment = ASSIGNMENTS[name]
    played = Played(assignment.make, assignment.budget, assignment.fallback)

    played.says(*SPOKEN[:said])

    (host,) = played.table._hosts
    assert replayed(played, assignment).supervisor.lifecycle == host._supervisor.lifecycle


class Slow(NegotiationAgent):
    """Agent that answers a message late, and has itself called back."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [Schedule(9000, lambda _ctx: None), SendMessage(f"{event.get_text()}!", delay_ms=4000)]


@pytest.mark.parametrize("interrupt", [False, True])
def test_an_interrupted_script_has_its_callbacks_still_to_come_and_no_action(interrupt: bool) -> None:
    assignment = SeatAssignment(lambda: AgentRunner(Slow(), Random(1)), AgentBudget())
    played = Played(assignment.make, assignment.budget, None)
    played.says("One", "Two")

    left = [
        one.step for one in replayed(played, assignment, AgentTiming(interrupt=interrupt)).pending_steps()
    ]

    assert sum(isinstance(step, ScheduledCall) for step in left) == 2
    said = [step.text for step in left if isinstance(step, SendMessage)]
    assert said == (["Two!"] if interrupt else ["One!", "Two!"])


def test_an_acceptance_is_compared_with_the_offer_that_was_on_the_table(game: GameSpec) -> None:
    table = TrialTable(game)
    made = table.human.offers(bananas=(2, 2), grain=(2, 3), wood=(2, 1), spices=(1, 2))
    decided_in = table.state
    table.human.offers(bananas=(1, 3), grain=(2, 3), wood=(2, 1), spices=(1, 2))

    assert expected_event(FormalAccept(), decided_in) == (EventType.FORMAL_ACCEPT, Accepted(made.seq))


def test_the_fallback_gets_no_input_twice() -> None:
    asked: list[str] = []

    class Listening(AgentRunner):
        def respond(self, request: AgentRequest):  # type: ignore[no-untyped-def]
            asked.append(request.stimulus.get_text() or "")
            return super().respond(request)

        def notify(self, event: Event) -> None:
            asked.append(event.get_text() or "")

    assignment = ASSIGNMENTS["a fallback for one that is lost"]
    assert assignment.fallback is not None
    played = Played(assignment.make, assignment.budget, assignment.fallback)
    played.says("One", "Die!", "Two", "Die!", "Three")
    fallback = type(assignment.fallback)("polite", "1234", lambda: Listening(Polite(), Random(1)))

    replayed(played, SeatAssignment(assignment.make, assignment.budget, fallback))

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
    def assignment() -> SeatAssignment:
        made: list[Mortal] = []

        class Unlucky(Mortal):
            """Responder whose first instance is lost at "Two", as if its process had been killed."""

            def respond(self, request: AgentRequest) -> AgentResponse:
                if self is made[0] and request.stimulus.get_text() == "Two":
                    self.lost = True
                return super().respond(request)

        def make() -> Responder:
            made.append(Unlucky(Counting()))
            return made[-1]

        return SeatAssignment(make, AgentBudget())

    whole = assignment()
    played = Played(whole.make, whole.budget, None)
    played.says("One", "Two", "Three", "Four")
    cut = assignment()
    before = Played(cut.make, cut.budget, None)
    before.says("One", "Two", "Three")

    again = resumed(ASSIGNMENTS["an agent that is lost"], before.events)
    again.says("Four")

    assert again.answers() == played.answers() == ["1 heard", "2 heard", "3 heard"]


def test_an_answer_that_was_slow_once_and_is_quick_now_is_the_same_answer() -> None:
    def assignment(*, slow: bool) -> SeatAssignment:
        class Busy(AgentRunner):
            def respond(self, request: AgentRequest) -> AgentResponse:
                answer = super().respond(request)
                late = slow and request.stimulus.get_text() == "Two"
                return answer._replace(failure="It took 2.3 s to react.") if late else answer

        return SeatAssignment(lambda: Busy(Counting(), Random(1)), AgentBudget())

    slow = assignment(slow=True)
    played = Played(slow.make, slow.budget, None)
    played.says("One", "Two", "Three")

    again = resumed(assignment(slow=False), played.events[:-1])
    again.says("Four")

    assert again.answers() == ["1 heard", "2 heard", "3 heard", "4 heard"]
    assert [left.step for left in replayed(played, assignment(slow=False)).pending_steps()] == []


def test_a_failure_that_was_not_recorded_yet_is_recorded_when_the_session_goes_on() -> None:
    assignment = ASSIGNMENTS["an agent that is lost"]
    played = Played(assignment.make, assignment.budget, None)
    played.says("One", "Die!")
    died = next(event for event in played.events if event.get_text() == "Die!")
    before = played.events[: died.seq]
    later = died._replace(seq=died.seq + 1, t=died.t + 0.1, payload=Message("An important word"))

    again = resumed(assignment, [*before, later])
    again.says("Two")

    failed = next(event for event in again.events if event.type == EventType.AGENT_FAILED)
    assert failed.cause == died.seq
    assert again.notes() == [("agent_restarted", {"seat": "agent", "times": 1})]
    assert again.answers() == ["1 heard", "2 heard", "3 heard"]


def test_what_follows_a_failure_is_done_when_the_session_goes_on() -> None:
    assignment = ASSIGNMENTS["an agent out of strikes"]
    played = Played(assignment.make, assignment.budget, None)
    played.says("Fail!", "Fail!", "Fail!")
    last = max(event.seq for event in played.events if event.type == EventType.AGENT_FAILED)

    again = resumed(assignment, played.events[:last])

    assert again.notes() == [("agent_restarted", {"seat": "agent", "times": 1})]
