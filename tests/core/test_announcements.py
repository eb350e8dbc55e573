"""Announcements in the course of a game, and the typed state that follows from them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import Field

from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Event, EventType
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.state import EventField, GameState, PrivateInformation, PublicInformation
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.core.visibility import PUBLIC, Observer, visible_event, visible_game
from negoplatform.domain.announcement import Announcement
from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_state_reference import GameStateReference
from negoplatform.eventlog.writer import NoLog
from negoplatform.testing import Scripted, TrialTable


class Signals(PrivateInformation):
    signals: list[float] = EventField(default_factory=list)


class Taxes(PublicInformation):
    tax_rate: float = EventField(default=0.0, event_key="taxRate")


class TownState(GameState):
    private_information: Signals = Field(default_factory=Signals)
    public_information: Taxes = Field(default_factory=Taxes)


TAX = Announcement(10, "tax-announced", '{"taxRate": 0.2}', "The tax is 20 %.")
SIGNAL = Announcement(0, "value-signals", '{"signals": [3.5]}', "It is worth 3.5.", ("agent",))


@pytest.fixture
def town(game: GameSpec) -> GameSpec:
    return replace(
        game, announcements=(TAX, SIGNAL), own_state=GameStateReference(TownState, "state.py", "0" * 64)
    )


def of(table: TrialTable, kind: str) -> list[Event]:
    return [event for event in table.events if event.type == kind]


def test_an_announcement_comes_at_its_time_with_its_data_and_words(town: GameSpec) -> None:
    table = TrialTable(town)

    table.wait(9.9)
    before = of(table, "tax-announced")
    table.wait(0.1)

    (told,) = of(table, "tax-announced")
    assert before == []
    assert (told.t, told.sender, told.data, told.payload.text) == (
        10.0,
        "platform",
        {"taxRate": 0.2},
        "The tax is 20 %.",
    )


def test_the_typed_state_follows_from_what_each_seat_was_told(town: GameSpec) -> None:
    table = TrialTable(town)
    table.wait(11)

    states = {seat: table.context(seat).state for seat in town.seats}

    assert isinstance(states["agent"], TownState)
    assert isinstance(states["human"], TownState)
    assert states["agent"].private_information.signals == [3.5]
    assert states["human"].private_information.signals == []
    assert {
        state.public_information.tax_rate for state in states.values() if isinstance(state, TownState)
    } == {0.2}


def test_a_seat_that_changes_the_typed_state_in_its_view_changes_nobody_elses(town: GameSpec) -> None:
    table = TrialTable(town)
    table.wait(11)

    mine = table.context("agent")._view.state.typed["agent"]
    assert isinstance(mine, TownState)
    mine.public_information.tax_rate = 99.0

    kept = table.state.typed["agent"]
    assert isinstance(kept, TownState)
    assert kept.public_information.tax_rate == 0.2


def test_an_agent_hears_it_in_a_handler_of_its_own(town: GameSpec) -> None:
    class Listener(Scripted):
        told: object = None

        def handle_event(self, ctx, event):  # type: ignore[no-untyped-def]  # as an author would write it
            return super(Scripted, self).handle_event(ctx, event)

        def on_tax_announced(self, ctx, event):  # type: ignore[no-untyped-def]
            self.told = (event.data["taxRate"], ctx.state.public_information.tax_rate)

    listener = Listener()
    table = TrialTable(town)
    table.seat(listener)

    table.wait(11)

    assert listener.told == (0.2, 0.2)


def test_what_a_reader_does_to_its_state_does_not_reach_the_sessions(town: GameSpec) -> None:
    table = TrialTable(town)
    table.wait(1)
    state = table.context("agent").state
    assert isinstance(state, TownState)

    state.private_information.signals.append(99.0)

    again = table.context("agent").state
    assert isinstance(again, TownState)
    assert again.private_information.signals == [3.5]


def test_nobody_sees_what_is_still_to_be_announced_nor_what_was_told_to_another(town: GameSpec) -> None:
    table = TrialTable(town)
    table.wait(1)
    (signal,) = of(table, "value-signals")

    assert all(visible_game(town, Observer(seat)).announcements == () for seat in (*town.seats, None))
    assert visible_event(signal, Observer("agent")) is not None
    assert visible_event(signal, Observer("human")) is None
    assert visible_event(signal, PUBLIC) is None


def test_an_announcement_that_does_not_fit_the_state_is_noted_and_changes_nothing(town: GameSpec) -> None:
    misfit = Announcement(5, "tax-announced", '{"taxRate": "high"}')
    table = TrialTable(replace(town, announcements=(misfit,)))
    table.wait(4)
    before = table.state

    table.wait(2)

    assert of(table, "tax-announced") == []
    (noted,) = of(table, EventType.NOTE)
    assert noted.payload.kind is NoteKind.ANNOUNCEMENT_REFUSED
    assert "taxRate" in noted.payload.data["reason"]
    assert table.state.typed == before.typed
    assert len(table.errors) == 1


def test_an_announcement_that_was_refused_is_not_made_again_when_the_session_is_resumed(
    town: GameSpec,
) -> None:
    misfit = Announcement(5, "tax-announced", '{"taxRate": "high"}')
    game = replace(town, announcements=(misfit, TAX))
    before = TrialTable(game)
    before.wait(6)
    clock, told = VirtualClock(), list[PublishedEvent]()
    clock.advance_to(6)
    table = SessionRunner(game, seed=1, clock=clock, log=NoLog(), report=lambda _error: None)
    table.subscribe(told.append)

    table.resume(before.events)
    clock.advance_to(12)
    while table.run_one_due():
        pass

    assert len(of(before, EventType.NOTE)) == 1
    types = [happening.event.type for happening in told]
    assert (types.count(EventType.NOTE), types.count("tax-announced")) == (0, 1)


def test_nothing_is_announced_after_the_end(town: GameSpec) -> None:
    table = TrialTable(town)
    table.wait(1)
    table.human.quits()

    table.play_out()

    assert of(table, "tax-announced") == []


def test_every_session_has_a_typed_state_that_says_where_it_stands(game: GameSpec) -> None:
    table = TrialTable(game)
    before = table.context("agent").state.meta
    table.start()
    during = table.context("agent").state.meta
    table.human.quits()
    after = table.context("agent").state.meta

    assert (before.game_id, before.seat, before.seat_number) == ("resource_exchange", "agent", 2)
    assert before.seats == ("human", "agent")
    assert [meta.phase for meta in (before, during, after)] == ["setup", "negotiating", "closing"]
