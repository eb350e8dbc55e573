"""A request that was answered once is not answered again, even if an agent is lost or replaced afterwards."""

from __future__ import annotations

import pytest

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import DecidedBy, Event, EventType, FailureKind, Message
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse
from negoplatform.hosting.input_history import InputHistory
from negoplatform.hosting.responder import Responder, SeatAssignment
from tests.games import coins_only
from tests.hosting.processes import request_about, started
from tests.hosting.test_agent_replay import replayed
from tests.hosting.test_seat_supervisor import POLITE, Counting, Mortal, Played

RESTART = AgentBudget()
NOWHERE = "a word that nobody says"

WITH_FALLBACK = AgentBudget(restarts=0, fallback="polite")


class Frail(Mortal):
    """Responder that is lost at a word, like a process that hangs there today and did not yesterday."""

    def __init__(self, at: str) -> None:
        super().__init__(Counting())
        self._at = at

    def respond(self, request: AgentRequest) -> AgentResponse:
        self.lost = self.lost or request.stimulus.get_text() == self._at
        return super().respond(request)


def frail(budget: AgentBudget, at: str, which: int = 0) -> SeatAssignment:
    """Return a seat of whose responders one is lost at a word; after a resume the first replays the log."""
    made: list[Responder] = []

    def make() -> Responder:
        made.append(Frail(at if len(made) == which else NOWHERE))
        return made[-1]

    return SeatAssignment(make, budget, POLITE if budget is WITH_FALLBACK else None)


def after(past: list[Event], assignment: SeatAssignment) -> Played:
    """Return a session that goes on after these events."""
    return Played(assignment.make, assignment.budget, assignment.fallback, past)


def sound(budget: AgentBudget) -> SeatAssignment:
    return frail(budget, NOWHERE)


def spoken(budget: AgentBudget, *texts: str) -> list[Event]:
    """Return the events of a session without losses."""
    assignment = sound(budget)
    played = Played(assignment.make, assignment.budget, assignment.fallback)
    played.says(*texts)
    return played.events


def failures(played: Played) -> list[tuple[int | None, FailureKind]]:
    return [(e.cause, e.payload.kind) for e in played.events if e.type == EventType.AGENT_FAILED]


def seq_of(played: Played, text: str) -> int:
    return next(event.seq for event in played.events if event.get_text() == text)


def test_an_agent_that_is_lost_while_the_log_is_run_again_repeats_nothing() -> None:
    past = spoken(RESTART, "One", "Two", "Three", "Four")

    again = after(past, frail(RESTART, "Two"))
    again.says("Five")

    assert again.answers() == ["1 heard", "2 heard", "3 heard", "4 heard", "4 heard"]
    assert failures(again) == [(seq_of(again, "Two"), FailureKind.LOST)]
    assert again.notes() == [("agent_restarted", {"seat": "agent", "times": 1})]


def test_a_fallback_answers_nothing_that_the_agent_had_answered() -> None:
    past = spoken(WITH_FALLBACK, "One", "Two", "Three", "Four")

    again = after(past, frail(WITH_FALLBACK, "Two"))
    again.says("Five")

    assert again.answers() == ["1 heard", "2 heard", "3 heard", "4 heard", "I take over."]
    assert failures(again) == [(seq_of(again, "Two"), FailureKind.LOST)]


@pytest.mark.parametrize(
    ("budget", "answers"),
    [
        (RESTART, ["1 heard", "2 heard", "3 heard", "3 heard", "4 heard"]),
        (WITH_FALLBACK, ["1 heard", "2 heard", "3 heard", "I take over.", "I take over."]),
    ],
)
def test_an_open_request_is_answered_once(budget: AgentBudget, answers: list[str]) -> None:
    past = spoken(budget, "One", "Two", "Three", "Four")
    said = next(event.seq for event in past if event.get_text() == "Four")

    again = after(past[:said], frail(budget, "Two"))
    again.says("Five")

    assert again.answers() == answers


@pytest.mark.parametrize("budget", [RESTART, WITH_FALLBACK])
def test_a_failure_is_an_answer_too(budget: AgentBudget) -> None:
    past = spoken(budget, "One", "Two", "Fail!")

    again = after(past, frail(budget, "One"))
    again.says("Four")

    assert again.answers()[:2] == ["1 heard", "2 heard"]
    assert len(again.answers()) == 3
    assert failures(again) == [
        (seq_of(again, "Fail!"), FailureKind.FAILED),
        (seq_of(again, "One"), FailureKind.LOST),
    ]


def test_a_strike_behind_a_loss_is_not_answered_by_the_fallback() -> None:
    past = spoken(WITH_FALLBACK, "Fail!", "Fail!")

    again = after(past, frail(WITH_FALLBACK, "Fail!"))
    again.says("Three")

    assert again.answers() == ["I take over."]
    assert [cause for cause, _ in failures(again)] == [
        event.seq for event in past if event.get_text() == "Fail!"
    ]


@pytest.mark.parametrize("budget", [RESTART, WITH_FALLBACK])
@pytest.mark.parametrize("second", ["Two", NOWHERE])
def test_a_session_that_went_on_so_goes_on_once_more(budget: AgentBudget, second: str) -> None:
    past = spoken(budget, "One", "Two", "Three", "Four")
    first = after(past, frail(budget, "Two"))
    first.says("Five")

    again = after(first.events, frail(budget, second))
    again.says("Six")

    assert again.answers()[:5] == first.answers()
    assert again.answers()[5:] == ["5 heard" if budget is RESTART else "I take over."]
    assert failures(again) == failures(first)


def test_an_agent_that_is_lost_at_every_word_of_the_past_comes_to_a_defined_end() -> None:
    past = spoken(RESTART, "One", "Two", "Three")

    class Doomed(Frail):
        def respond(self, request: AgentRequest) -> AgentResponse:
            self.lost = self.lost or bool(request.stimulus.get_text())
            return super().respond(request)

    again = after(past, SeatAssignment(lambda: Doomed(NOWHERE), RESTART))
    again.says("Four")

    assert again.answers() == ["1 heard", "2 heard", "3 heard"]
    assert again.table.session.state.ending is not None


class Clumsy(Counting):
    """Agent that plans an impossible action, for a time when it has long answered other requests."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        if event.get_text() == "Plan":
            broken = SendMessage("later", delay_ms=7000)
            object.__setattr__(broken, "text", 5)
            return [broken]
        return super().on_send_message(ctx, event)


CLUMSY = SeatAssignment(
    lambda: Mortal(Clumsy()), AgentBudget(strikes=1, restarts=0, fallback="polite", hard_seconds=5.0), POLITE
)


def test_a_fallback_for_one_that_failed_at_acting_answers_nothing_of_the_past() -> None:
    played = Played(CLUMSY.make, CLUMSY.budget, CLUMSY.fallback)

    played.says("Plan", "One", "Two", "Three", "Four", "Five")

    assert [kind for _, kind in failures(played)] == [FailureKind.ACT]
    by = [event.decided_by for event in played.events if event.sender == "agent"]
    assert by == [DecidedBy.AGENT] * 3 + [DecidedBy.FALLBACK] * 2
    assert [difference.reason[:9] for difference in replayed(played, CLUMSY).divergences] == ["it failed"]
    assert list(replayed(played, CLUMSY).pending_steps()) == []


def test_a_fallback_that_is_owed_to_one_that_failed_at_acting_answers_nothing_of_the_past() -> None:
    whole = Played(CLUMSY.make, CLUMSY.budget, CLUMSY.fallback)
    whole.says("Plan", "One", "Two", "Three", "Four")
    failed = next(event.seq for event in whole.events if event.type == EventType.AGENT_FAILED)

    again = after(whole.events[:failed], CLUMSY)
    again.says("Six")

    before = sum(event.sender == "agent" for event in whole.events[:failed])
    assert again.answers()[before:] == ["I take over."]


def test_a_callback_s_action_acknowledges_no_later_callback() -> None:
    table = started(coins_only(deadline_seconds=60.0))
    requests = [request_about(table, call=number)._replace(now=5.0 * number) for number in (1, 2)]
    history = InputHistory()
    history.inputs += requests
    cause = requests[0].stimulus.seq
    said = Event(9, 12.0, EventType.SEND_MESSAGE, "agent", Message("Now"), cause=cause, decided_at=7.0)

    history.acknowledge(said)

    assert (history.acknowledged, history.answered) == (1, 1)
