"""Session on its own thread: a slow agent delays no one, and the end is always reported."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, SendMessage, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session import live_session as app_live
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.core.events import EndedBy, Event, EventType, Message
from negoplatform.core.session import Session
from negoplatform.core.state import Phase
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.errors import LogWriteError
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.plugins.agent_loader import AgentPlugin
from tests.games import coins_only
from tests.hosting.ledger import Ledger
from tests.hosting.updates import Told

pytestmark = pytest.mark.timeout(30)


class Quiet(NegotiationAgent):
    """Agent that does nothing."""


class Reporter(NegotiationAgent):
    """Agent that says in which session it is."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage(ctx.state.meta.session_id)]


class Slow(NegotiationAgent):
    """Agent that takes half a second to answer each message."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        time.sleep(0.5)
        return [SendMessage(f"About {event.get_text()}")]


class Opener(NegotiationAgent):
    """Agent that offers an even split at once."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendOffer(ctx.make_offer(coins=2))]


class Live:
    """Live session whose participant a test controls."""

    def __init__(self, agent: NegotiationAgent, game: GameSpec, ledger: Ledger) -> None:
        plugin = AgentPlugin("agent", type(agent).__name__, Path("agent.py"), "", "")
        casting = SeatAssignment(lambda: AgentRunner(agent, Random(1)), AgentBudget(restarts=0))
        seated = PreparedAgent(plugin, {}, AgentTiming(act_delay=0.001), "Robin", casting)
        sitting = SessionPlan(
            game=game, seed=1, human_seat="human", participant="P1", agents=SeatMap({"agent": seated})
        )
        self.errors: list[BaseException] = []
        self.session_id = sitting.session_id
        self.ledger = ledger
        self.table = LiveSession(sitting, log=ledger, report=self.errors.append)
        self.told = Told(self.table)
        self.participant = ParticipantController(self.table.participant_seat)
        self.table.start()

    def until_event(self, kind: EventType, sender: str | None = None) -> Event:
        update = self.told.wait_for(
            lambda told: (
                told.event is not None and told.event.type == kind and sender in (None, told.event.sender)
            )
        )
        assert update.event is not None
        return update.event


Start = Callable[..., Live]


class Blocked(NegotiationAgent):
    """Agent that is busy with a message until the test opens the gate."""

    def __init__(self) -> None:
        super().__init__()
        self.thinks = threading.Event()
        self.gate = threading.Event()

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.thinks.set()
        self.gate.wait(30)
        return []


@pytest.fixture
def start() -> Iterator[Start]:
    """Function that starts live sessions, which stop at the end of the test."""
    started: list[Live] = []

    def make(agent: NegotiationAgent, game: GameSpec | None = None, ledger: Ledger | None = None) -> Live:
        live = Live(agent, game or coins_only(), ledger or Ledger())
        started.append(live)
        return live

    yield make
    for live in started:
        live.table.stop()


def test_an_agent_is_told_the_id_of_its_session(start: Start) -> None:
    live = start(Reporter())

    said = live.until_event(EventType.SEND_MESSAGE, "agent")

    assert said.get_text() == live.session_id


def test_a_slow_agent_does_not_delay_a_participants_message(start: Start) -> None:
    agent = Blocked()
    live = start(agent)
    live.participant.send_message(Message("One."))
    live.participant.send_message(Message("Two."))

    live.until_event(EventType.SEND_MESSAGE)
    live.until_event(EventType.SEND_MESSAGE)

    assert agent.thinks.wait(30)
    assert not agent.gate.is_set()
    agent.gate.set()


def test_a_slow_agents_answers_come_in_order_when_they_are_ready(start: Start) -> None:
    live = start(Slow())
    live.participant.send_message(Message("One."))
    live.participant.send_message(Message("Two."))

    first = live.until_event(EventType.SEND_MESSAGE, "agent")
    second = live.until_event(EventType.SEND_MESSAGE, "agent")

    assert (first.get_text(), second.get_text()) == ("About One.", "About Two.")
    assert first.t >= 0.5
    assert second.t >= 1.0


def test_an_agents_code_runs_on_a_thread_of_its_own(start: Start) -> None:
    threads: list[str] = []

    class Nosy(NegotiationAgent):
        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            threads.append(threading.current_thread().name)
            return [SendMessage("Done.")]

    live = start(Nosy())
    live.until_event(EventType.SEND_MESSAGE)

    assert threads == ["agent at agent"]


def test_stop_closes_the_log(start: Start) -> None:
    live = start(Quiet())
    live.until_event(EventType.GAME_START)

    live.table.stop()

    assert live.ledger.closed == 1
    assert live.told.wait_for(lambda update: update.finished).error_message == ""


def test_stop_does_not_wait_for_a_slow_agent(start: Start) -> None:
    agent = Blocked()
    live = start(agent)
    live.participant.send_message(Message("Think about this."))
    assert agent.thinks.wait(30)

    live.table.stop()

    assert live.ledger.closed == 1
    assert not agent.gate.is_set()
    agent.gate.set()


def test_a_log_that_cannot_be_written_ends_the_session_with_a_sentence(start: Start) -> None:
    live = start(Quiet(), ledger=Ledger(full_for=frozenset({EventType.SEND_MESSAGE})))

    live.participant.send_message(Message("Lost."))
    last = live.told.wait_for(lambda update: update.finished)

    assert last.error_message == "The disk is full; everything before is kept."
    assert [event.type for event in live.ledger.events] == [EventType.GAME_START]
    assert live.ledger.closed == 1
    assert [type(error) for error in live.errors] == [LogWriteError]


def test_a_log_that_can_neither_be_written_nor_closed_is_told_too(start: Start) -> None:
    live = start(Quiet(), ledger=Ledger(full_for=frozenset({EventType.SEND_MESSAGE}), closes=False))

    live.participant.send_message(Message("Lost."))
    last = live.told.wait_for(lambda update: update.finished)

    assert last.error_message == "The disk is full; everything before is kept."


def test_a_log_that_cannot_be_closed_at_the_end_is_told(start: Start) -> None:
    live = start(Quiet(), ledger=Ledger(closes=False))
    live.until_event(EventType.GAME_START)

    live.table.stop()

    assert live.told.wait_for(lambda update: update.finished).error_message == "The log cannot be closed."


def test_what_could_not_be_written_is_not_shown(start: Start) -> None:
    live = start(Quiet(), ledger=Ledger(full_for=frozenset({EventType.SEND_MESSAGE})))
    live.participant.send_message(Message("Lost."))

    live.told.wait_for(lambda update: update.finished)

    shown = [update.event.type for update in live.told.updates if update.event]
    assert shown == [EventType.GAME_START]


def test_a_log_that_fails_at_the_very_start_is_told_too(start: Start) -> None:
    live = start(Quiet(), ledger=Ledger(full_for=frozenset({EventType.GAME_START})))

    assert live.told.wait_for(lambda update: update.finished).error_message.startswith("The disk is full")


def test_an_error_of_the_programs_own_stops_the_session_with_a_sentence(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = start(Quiet())

    def break_it(*_args: object, **_kwargs: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(Session, "act", break_it)
    live.participant.formal_quit()

    assert "an error in the program" in live.told.wait_for(lambda update: update.finished).error_message
    assert [type(error) for error in live.errors] == [ZeroDivisionError]
    assert live.ledger.closed == 1


def test_a_table_that_cannot_even_be_set_is_told_too(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_table(*_args: object, **_kwargs: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(app_live, "SessionRunner", no_table)
    live = start(Quiet())

    last = live.told.wait_for(lambda update: update.finished)

    assert "an error in the program" in last.error_message
    assert last.view.state.phase is Phase.SETUP
    assert [type(error) for error in live.errors] == [ZeroDivisionError]


def test_the_deadline_beats_a_late_click(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    game = coins_only(deadline_seconds=0.4, acceptance=Acceptance.MAKER_ACCEPTS)
    live = start(Opener(), game)
    offer = live.until_event(EventType.SEND_OFFER)
    # The session's thread is held up until after the deadline, so that click and deadline wait together.
    act = Session.act

    def act_slowly(session: Session, seat: Seat, kind: str, *more: Any) -> Event:
        time.sleep(0.6 if kind == EventType.TYPING else 0)
        return act(session, seat, kind, *more)

    monkeypatch.setattr(Session, "act", act_slowly)
    live.participant.show_typing()

    live.participant.formal_accept(offer.seq)
    end = live.until_event(EventType.GAME_END)

    assert end.payload.ended_by is EndedBy.TIMEOUT
    assert end.payload.deal is None
    assert live.until_event(EventType.ACTION_REFUSED).payload.reason == "The game is over."


def test_a_click_in_time_makes_the_deal(start: Start) -> None:
    game = coins_only(deadline_seconds=5.0, acceptance=Acceptance.MAKER_ACCEPTS)
    live = start(Opener(), game)
    offer = live.until_event(EventType.SEND_OFFER)

    live.participant.formal_accept(offer.seq)

    assert live.until_event(EventType.GAME_END).payload.deal == offer.get_offer()


def test_a_refused_click_is_told_to_the_participant(start: Start) -> None:
    live = start(Quiet())

    live.participant.formal_accept(7)

    refused = live.until_event(EventType.ACTION_REFUSED)
    assert refused.payload.reason == "There’s no offer on the table yet."


def test_the_updates_hold_nothing_that_the_participant_may_not_see(start: Start) -> None:
    live = start(Opener())

    update = live.told.wait_for(
        lambda told: told.event is not None and told.event.type == EventType.SEND_OFFER
    )

    assert update.event is not None
    assert (update.event.decided_by, update.event.cause) == (None, None)
    assert set(update.view.state.game.preferences) == {"human"}
    assert set(update.view.state.private) == {"human"}


def test_leaving_ends_the_game_and_says_so_in_the_log(start: Start) -> None:
    live = start(Quiet())

    live.participant.leave()
    end = live.until_event(EventType.GAME_END)

    assert end.payload.ended_by is EndedBy.ABORTED
    assert [event.type for event in live.ledger.events[-2:]] == [EventType.NOTE, EventType.GAME_END]


class Ended(Live):
    """Live session that the participant has quit, with a minute for last words."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(Quiet(), coins_only(closing_seconds=60.0), ledger)
        self.participant.formal_quit()
        self.until_event(EventType.GAME_END)

    def finish(self) -> list[str]:
        """Return the types of the events after the end, once the log is closed."""
        self.told.wait_for(lambda told: told.finished)
        kinds = [event.type for event in self.ledger.events]
        return [str(kind) for kind in kinds[kinds.index(EventType.GAME_END) + 1 :]]


def test_the_closing_ends_when_the_participant_is_done_and_the_words_in_the_line_are_said() -> None:
    live = Ended(Ledger())

    live.participant.send_or_note_unsent("Bye, thanks!", send=True)
    live.participant.finish_closing()

    assert live.finish() == ["SEND_MESSAGE"]
    assert live.ledger.closed == 1


def test_words_that_cannot_be_said_any_more_are_noted() -> None:
    live = Ended(Ledger())
    live.participant.send_message(Message("Bye."))

    live.participant.send_or_note_unsent("And one thing more", send=True)
    live.participant.finish_closing()

    assert live.finish() == ["SEND_MESSAGE", "NOTE"]
    assert live.ledger.events[-1].payload.data == {"seat": "human", "text": "And one thing more"}


def test_being_done_ends_no_game_that_runs(start: Start) -> None:
    live = start(Quiet())
    live.participant.finish_closing()

    live.participant.send_message(Message("Still here."))

    live.until_event(EventType.SEND_MESSAGE)


def test_a_debriefing_is_noted_however_late_it_is_read() -> None:
    ledger = Ledger()
    live = Live(Quiet(), replace(coins_only(closing_seconds=0.01), debriefing="It lied."), ledger)
    live.participant.formal_quit()
    live.told.wait_for(lambda told: told.finished)
    assert ledger.closed < 1

    live.participant.show_debriefing([("game", "It lied.")])
    live.participant.close_debriefing(12.5)
    live.participant.finish_closing()
    live.told.wait_for(lambda told: told.finished)

    end, shown, closed = ledger.events[-3:]
    assert end.type == EventType.GAME_END
    assert shown.payload.data == {"of": ["game"], "text": "It lied."}
    assert closed.payload.data == {"seconds": 12.5}
    assert closed.t <= end.t + 0.01
    assert ledger.closed == 1
