"""Sessions cut off anywhere and resumed, as if uninterrupted: on a virtual clock, event for event."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.session_runner import SessionRunner, run_session
from negoplatform.core.events import EndedBy, Event, EventType
from negoplatform.core.fold import fold, initial_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.counterpart_settings import CounterpartSettings
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.replay import steps
from negoplatform.eventlog.writer import NoLog
from tests.eventlog.logs import header_for
from tests.games import with_rules
from tests.resumed_events import without_the_break, without_versions

NOWHERE = Path("no such folder")
AGENTS = ("fair", "boulware", "conceder", "tit_for_tat", "micro", "random_bids")


class Ledger(NoLog):
    """Log in memory."""

    def __init__(self, events: Sequence[Event] = ()) -> None:
        self.events = list(events)

    def write(self, event: Event) -> None:
        """Append the event."""
        self.events.append(event)


def table_of(
    game: GameSpec, agents: Sequence[str], clock: VirtualClock, log: Ledger, **config: Any
) -> SessionRunner:
    """Return a session runner whose agents run in this process."""
    errors: list[BaseException] = []
    table = SessionRunner(game, seed=3, clock=clock, log=log, report=errors.append)
    for seat, name in zip(game.seats, agents, strict=True):
        seated = prepare_in_process(find_agent(name, NOWHERE), seat, config, seed=3, game=game)
        table.assign(seat, seated.assignment, seated.timing)
    return table


def played(game: GameSpec, agents: Sequence[str], **config: Any) -> list[Event]:
    """Return the events of a whole session."""
    clock, log = VirtualClock(), Ledger()
    run_session(table_of(game, agents, clock, log, **config), clock)
    return log.events


def resumed(game: GameSpec, agents: Sequence[str], events: Sequence[Event], **config: Any) -> list[Event]:
    """Return all events of a session that is resumed after these."""
    clock, log = VirtualClock(), Ledger(events)
    clock.advance_to(events[-1].t)
    table = table_of(game, agents, clock, log, **config)
    table.resume(events)
    table.run_on(clock)
    return log.events


@pytest.mark.parametrize("name", AGENTS)
def test_a_session_that_was_cut_off_goes_on_as_if_it_had_not_been(name: str) -> None:
    game = find_game("practice", NOWHERE).resolve_profiles(3)
    agents = (name, "fair")
    whole = played(game, agents)
    cuts = range(1, len(whole) - 1, max(1, len(whole) // 12))

    for cut in cuts:
        if any(event.type == EventType.GAME_END for event in whole[:cut]):
            break
        again = resumed(game, agents, whole[:cut])

        assert without_the_break(again) == without_versions(whole), f"cut after event {cut}"


def test_a_session_with_another_pace_and_set_faces_goes_on_too() -> None:
    settings = CounterpartSettings(face_seconds=7, pace=1.9)
    game = with_rules(find_game("practice", NOWHERE).resolve_profiles(3), counterpart=settings)
    whole = played(game, ("conceding", "fair"))
    end = next(i for i, event in enumerate(whole) if event.type == EventType.GAME_END)

    faces = [event.payload for event in whole if event.type == EventType.SEND_EXPRESSION]
    assert {face.duration_ms for face in faces} == {7000}
    for cut in range(1, end, max(1, end // 10)):
        again = resumed(game, ("conceding", "fair"), whole[:cut])
        assert without_the_break(again) == without_versions(whole), f"cut after event {cut}"


def quietly_begun(typed_at: float | None, events: Sequence[Event] = ()) -> list[Event]:
    """Return the events of a session of one agent and a person who types once, if at all.

    With ``events``, the session is resumed after them.
    """
    game = with_rules(find_game("practice", NOWHERE).resolve_profiles(3), opening_delay_seconds=12.0)
    clock, log = VirtualClock(), Ledger(events)
    clock.advance_to(events[-1].t if events else 0.0)
    seated = prepare_in_process(find_agent("fair", NOWHERE), "agent", {}, seed=3, game=game)
    table = SessionRunner(game, seed=3, clock=clock, log=log, report=lambda _error: None)
    table.assign("agent", seated.assignment, seated.timing)
    if typed_at is not None and EventType.TYPING not in {e.type for e in events if e.sender == "human"}:
        table.scheduler.call_at(typed_at, lambda: _type(table))
    table.resume(events)
    table.run_on(clock)
    return log.events


def _type(table: SessionRunner) -> None:
    table.session.show_typing("human")


@pytest.mark.parametrize(("typed_at", "opens_at"), [(None, 12.0), (3.5, 4.5)])
def test_a_session_with_a_quiet_start_goes_on_too(typed_at: float | None, opens_at: float) -> None:
    whole = quietly_begun(typed_at)
    opening = next(i for i, event in enumerate(whole) if event.sender == "agent")

    assert whole[opening].t == opens_at
    for cut in range(1, opening + 3):
        assert without_the_break(quietly_begun(typed_at, whole[:cut])) == whole, f"cut after event {cut}"


def test_a_game_with_announcements_and_a_state_of_its_own_goes_on_too() -> None:
    game = find_game("land_sale", NOWHERE).resolve_profiles(3)
    whole = played(game, ("conceder", "fair"))
    end = next(i for i, event in enumerate(whole) if event.type == EventType.GAME_END)

    for cut in range(1, end, max(1, end // 10)):
        assert without_the_break(resumed(game, ("conceder", "fair"), whole[:cut])) == whole


def test_an_end_that_the_log_still_owes_comes_first() -> None:
    game = find_game("practice", NOWHERE).resolve_profiles(3)
    whole = played(game, ("conceder", "fair"))
    end = next(i for i, event in enumerate(whole) if event.type == EventType.GAME_END)
    assert whole[end - 1].type == EventType.FORMAL_ACCEPT

    again = resumed(game, ("conceder", "fair"), whole[:end])

    assert [event.type for event in again[end : end + 2]] == [EventType.GAME_END, EventType.RESUMED]
    assert again[end] == whole[end]


def test_what_is_folded_from_a_resumed_log_is_the_state_of_the_session() -> None:
    game = find_game("practice", NOWHERE).resolve_profiles(3)
    whole = played(game, ("boulware", "fair"))
    clock, log = VirtualClock(), Ledger(whole[:9])
    clock.advance_to(whole[8].t)
    table = table_of(game, ("boulware", "fair"), clock, log)
    table.resume(whole[:9])

    table.run_on(clock)

    mechanism = mechanism_of(game.mechanism)
    assert fold(log.events, initial_state(game, mechanism), mechanism) == table.session.state


@pytest.mark.parametrize("limit", [{"deadline_seconds": 12.0}, {"deadline_offers": 3}])
def test_a_session_that_times_out_may_be_cut_off_after_any_event(limit: dict[str, Any]) -> None:
    rules = {"deadline_seconds": None, **limit}
    game = with_rules(find_game("practice", NOWHERE), **rules).resolve_profiles(3)
    agents = ("boulware", "micro")
    whole = played(game, agents)
    end = next(i for i, event in enumerate(whole) if event.type == EventType.GAME_END)
    assert whole[end].payload.ended_by is EndedBy.TIMEOUT

    for cut in range(1, end + 1):
        again = resumed(game, agents, whole[:cut])

        assert without_the_break(again) == without_versions(whole), f"cut after event {cut}"
        assert list(steps(SessionLog(Path("a.jsonl"), header_for(game), tuple(again), ("",) * len(again))))
