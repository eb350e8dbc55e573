"""A participant's seat: all that the window holds of a session, and all that it can do there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from negoplatform.agent_api.actions import Action, MechanismAct, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.participant_actions import (
    PARTICIPANT_NOTES,
    ParticipantProposal,
    ProposalPerformer,
    RecordInterpretation,
    RecordNote,
    ShownInterpretation,
)
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.events import Event, Message
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.double_auction_state import OrderPlaced
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.session import Session
from negoplatform.core.state import Phase
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.errors import Refused
from negoplatform.domain.seat_map import SeatMap
from negoplatform.hosting.agent_host import AgentHost
from negoplatform.hosting.agent_runner import AgentResponse, AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.presentation.table.session_update_reader import SessionUpdateReader
from negoplatform.testing import TrialTable
from tests.app.session.test_event_routes import wait_until
from tests.games import coins_only
from tests.hosting.ledger import Ledger
from tests.hosting.updates import Told
from tests.reachable import reachable

pytestmark = pytest.mark.timeout(60)

BEHIND_THE_SEAT = (LiveSession, Session, SessionRunner, SessionPlan, AgentHost, AgentResponse, Ledger)
"""Types that only the program may hold."""

PLATFORMS_NOTES = sorted(set(NoteKind) - PARTICIPANT_NOTES)


class Answerer(NegotiationAgent):
    """Agent that answers a message."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("I see.")]


class Running:
    """Live session with the objects that a window makes of its seat.

    ``busy`` is cleared to keep the session's thread from going on behind a message of the participant.
    """

    def __init__(self) -> None:
        self.busy = threading.Event()
        self.busy.set()
        casting = SeatAssignment(lambda: AgentRunner(Answerer(), Random(1)), AgentBudget(restarts=0))
        plugin = AgentPlugin("agent", "Answerer", Path("agent.py"), "", "")
        seated = PreparedAgent(plugin, {}, AgentTiming(act_delay=0.001), "Robin", casting)
        self.plan = SessionPlan(coins_only(), 1, "human", "P1", SeatMap({"agent": seated}))
        self.errors: list[BaseException] = []
        self.log = Ledger()
        self.live = LiveSession(
            self.plan, log=self.log, report=self.errors.append, on_any_event=self._on_event
        )
        self.seat = self.live.participant_seat
        self.told = Told(self.live)
        self.window = (ParticipantController(self.seat), SessionUpdateReader(self.seat), self.seat)

    def _on_event(self, event: Event) -> None:
        if event.sender == "human":
            self.busy.wait(30)


@pytest.fixture
def running() -> Iterator[Running]:
    made = Running()
    yield made
    made.busy.set()
    made.live.stop()
    assert made.errors == []


def test_a_window_reaches_neither_the_session_nor_the_game_of_the_others(running: Running) -> None:
    running.live.await_start()
    running.seat.start()
    running.window[0].send_message(Message("Hello."))
    running.told.wait_for(lambda told: told.event is not None and told.event.sender == "human")

    found = list(reachable(*running.window))

    assert len(found) > 50
    assert {type(thing) for thing in found if isinstance(thing, BEHIND_THE_SEAT)} == set()
    other = running.plan.game.preferences["agent"]
    assert not [thing for thing in found if thing is other or thing is running.plan.game]


def test_the_search_finds_what_waits_in_a_queue(running: Running) -> None:
    running.seat.propose(ShownInterpretation())  # type: ignore[arg-type]  # found, never carried out
    running.seat.updates.put(running.plan)  # type: ignore[arg-type]  # what must not be there

    found = [type(thing) for thing in reachable(*running.window)]

    assert ShownInterpretation in found
    assert SessionPlan in found


def test_a_response_that_waits_is_out_of_the_windows_reach(running: Running) -> None:
    running.busy.clear()
    running.live.await_start()
    running.seat.start()
    running.window[0].send_message(Message("Hello."))
    wait_until(lambda: not running.live._responses.empty() and not running.live._inbox.empty())

    found = list(reachable(*running.window))
    running.busy.set()

    assert {type(thing) for thing in found if isinstance(thing, BEHIND_THE_SEAT)} == set()
    running.told.wait_for(lambda told: told.event is not None and told.event.sender == "agent")


def test_a_session_that_nobody_starts_ends_without_a_game(running: Running) -> None:
    running.live.await_start()

    running.live.stop()

    assert not running.live.has_started
    assert running.log.events == []


@pytest.fixture
def performer(table: TrialTable) -> ProposalPerformer:
    table.start()
    return ProposalPerformer(table.session, "human")


@pytest.mark.parametrize("kind", PLATFORMS_NOTES)
def test_a_window_records_no_note_of_the_platform(
    kind: NoteKind, table: TrialTable, performer: ProposalPerformer
) -> None:
    with pytest.raises(Refused, match="records no note of the kind"):
        performer.perform([RecordNote(kind, {"seat": "human", "number": 1})])

    assert table.kinds() == ["GAME_START"]


@pytest.mark.parametrize(
    "note",
    [
        RecordNote(NoteKind.WINDOW_CLOSED, {"seat": "agent"}),
        RecordNote(NoteKind.READING, {"seat": "agent"}),
        RecordInterpretation(ShownInterpretation(), {"seat": "agent"}),
    ],
    ids=["closed", "reading", "shown reading"],
)
def test_a_window_records_no_note_about_another_seat(
    note: ParticipantProposal, table: TrialTable, performer: ProposalPerformer
) -> None:
    with pytest.raises(Refused, match="no note about another seat"):
        performer.perform([note])

    assert table.kinds() == ["GAME_START"]


def test_a_window_does_only_what_its_seat_may_do(table: TrialTable, performer: ProposalPerformer) -> None:
    order = MechanismAct("PLACE_ORDER", OrderPlaced(OrderSide.BID, 3, 1))

    with pytest.raises(Refused, match="nothing that a seat can do in this kind of game"):
        performer.perform([order])

    assert table.state.phase is Phase.NEGOTIATING
    assert table.kinds() == ["GAME_START", "ACTION_REFUSED"]
