"""Only the session writes: nothing that a reader is given leads to a way of changing the state."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.session_data_autosave import SessionDataAutosave
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.notes_and_tasks_updater import RecordUpdater
from negoplatform.core.record.notes_and_tasks_proposals import PLATFORM_PROPOSER
from negoplatform.core.session import Session
from negoplatform.core.state import State
from negoplatform.core.visibility import EXPERIMENTER, PUBLIC, Observer, view_of
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.testing import TrialTable
from tests.agent_api.test_hostile_plugin import WAY_BACK, Spy, walk
from tests.games import coins_only
from tests.hosting.ledger import Ledger
from tests.proposers import issued

WRITERS = (
    *(kind for kind in WAY_BACK if kind is not GameSpec),
    LiveSession,
    RecordUpdater,
    SessionDataAutosave,
)
"""Types through which a session can be changed, directly or by a proposal."""


class Readers:
    """Session in which everything was handed out that any reader gets."""

    def __init__(self, game: GameSpec) -> None:
        self.table = table = TrialTable(game)
        self.spy = Spy()
        self.published: list[PublishedEvent] = []
        table.seat(self.spy)
        window = LiveSession(
            SessionPlan(game, 1, "human", "P1", SeatMap()), log=Ledger(), report=table.errors.append
        )
        table.subscribe(window._on_published)
        table.subscribe(self.published.append)
        table.human.says("Hello.")
        table.human.offers(next(game.outcomes()))
        table.session.propose_change(
            issued(table.session, PLATFORM_PROPOSER), {"participant": {"public": {"human": 1}}}, 9
        )
        table.wait(1)
        self.window = [window.updates.get() for _ in range(window.updates.qsize())]


@pytest.fixture(scope="module")
def readers() -> Readers:
    return Readers(coins_only())


def given_to(readers: Readers, reader: str) -> list[object]:
    """Return what one kind of reader is given."""
    table = readers.table
    match reader:
        case "agent":
            return readers.spy.handed
        case "window":
            return list(readers.window)
        case "view":
            observers = (Observer("human"), Observer("agent"), PUBLIC, EXPERIMENTER)
            return [view_of(table.state, observer) for observer in observers]
        case "subscriber":
            return list(readers.published)
        case "record":
            diff = table.session.get_proposed_state_diff({"notes": {"agent": {"x": 1}}})
            return [table.session.get_state(), diff, diff.document()]
    raise AssertionError(reader)


@pytest.mark.parametrize("reader", ["agent", "window", "view", "subscriber", "record"])
def test_nothing_that_a_reader_is_given_leads_to_a_writer(readers: Readers, reader: str) -> None:
    given = given_to(readers, reader)

    reached = list(walk(*given))

    assert len(reached) > 20
    assert [type(thing) for thing in reached if isinstance(thing, WRITERS)] == []


def test_the_walk_finds_a_writer_that_is_handed_out(readers: Readers) -> None:
    change = RecordUpdater(readers.table.session, issued(readers.table.session, PLATFORM_PROPOSER))

    reached = [type(thing) for thing in walk([change.add_task]) if isinstance(thing, WRITERS)]

    assert RecordUpdater in reached
    assert Session in reached


def test_no_public_name_of_a_live_session_is_a_writer(game: GameSpec) -> None:
    live = LiveSession(SessionPlan(game, 1, "human", "P1", SeatMap()), log=Ledger(), report=print)

    shown = [getattr(live, name) for name in dir(live) if not name.startswith("_")]

    values = [value for value in shown if not inspect.ismethod(value)]
    assert values
    assert not [value for value in walk(*values) if isinstance(value, WRITERS)]


@pytest.mark.parametrize("name", ["state", "phase"])
def test_what_a_session_shows_cannot_be_set_from_outside(table: TrialTable, name: str) -> None:
    table.human.says("Hello.")
    before = table.state

    with pytest.raises(AttributeError):
        setattr(table.session, name, before._replace(version=99))
    with pytest.raises(AttributeError):
        object.__setattr__(before, "version", 99)

    assert table.state is before


ENTRIES = {
    "announce",
    "close",
    "end",
    "end_if_rules_fail",
    "formal_accept",
    "formal_quit",
    "note",
    "offer_in_progress",
    "act",
    "fall_due",
    "propose_change",
    "record_agent_failure",
    "restore",
    "resume",
    "send_expression",
    "send_message",
    "send_offer",
    "show_typing",
    "start",
    "tick",
}
"""The methods of a session that may change its state, each by recording an event."""

READ_ONLY = {
    "event_limit_exceeded",
    "get_proposed_state_diff",
    "get_state",
    "next_due",
    "now",
    "phase",
    "state",
}


def test_a_session_has_no_other_entry_than_those_that_record_events() -> None:
    assert {name for name in vars(Session) if not name.startswith("_")} == ENTRIES | READ_ONLY


def test_reading_a_session_records_nothing_and_changes_nothing(table: TrialTable) -> None:
    table.human.says("Hello.")
    before, events = table.state, list(table.events)

    for name in READ_ONLY:
        read: Any = inspect.getattr_static(Session, name)
        if not isinstance(read, property):
            getattr(table.session, name)(*([{}] if name == "get_proposed_state_diff" else []))

    assert table.state is before
    assert table.events == events


def test_what_an_agent_makes_of_its_context_stays_with_it(table: TrialTable) -> None:
    table.human.says("Hello.")
    before = table.state
    ctx = table.context("agent")
    view: State = ctx._view.state

    forged = view._replace(version=99, session_id="mine")
    state = ctx.state
    state.meta.session_id = "mine"
    record = ctx.get_state()
    record["tasks"].clear()

    assert forged.version == 99
    assert table.state is before
    assert ctx.get_state()["tasks"] != []
