"""Entries come at their times, in one order with everything else, with a timing for each name."""

from __future__ import annotations

import pytest

from negoplatform.core.scheduler import Scheduler
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.command_settings import PrincipalTiming
from negoplatform.domain.errors import NegoError
from negoplatform.hosting.command.event_scheduler import (
    EventScheduler,
    ScheduledEntry,
    ScheduledKind,
    drawn_delays,
)


class Played:
    """Scheduler on a virtual clock, with what came when."""

    def __init__(self) -> None:
        self.clock, self.heap = VirtualClock(), Scheduler()
        self.entries = EventScheduler(self.heap, self.clock)
        self.came: list[tuple[float, str, str]] = []

    def attach(self, name: str, timing: PrincipalTiming | None = None) -> None:
        self.entries.attach(name, self._take, timing)

    def _take(self, entry: ScheduledEntry) -> None:
        self.came.append((self.clock(), entry.agent_id, entry.kind.value))

    def run(self) -> list[tuple[float, str, str]]:
        while (due := self.heap.pop_next()) is not None:
            self.clock.advance_to(due[0])
            due[1]()
        return self.came


def test_each_name_has_its_own_timing() -> None:
    played = Played()
    played.attach("slow", PrincipalTiming(tick_interval=10, act_delay=2, wait_interval=4))
    played.attach("quick", PrincipalTiming(tick_interval=1, act_delay=0.5, wait_interval=3))

    for name in ("slow", "quick"):
        played.entries.schedule_agent_tick(name)
        played.entries.schedule_action_effect(name)
        played.entries.schedule_simulation(name)

    assert played.run() == [
        (0.5, "quick", "action_effect"),
        (1, "quick", "agent_tick"),
        (2, "slow", "action_effect"),
        (3, "quick", "simulation"),
        (4, "slow", "simulation"),
        (10, "slow", "agent_tick"),
    ]


def test_a_message_arrives_with_sender_recipient_and_content_after_its_delay() -> None:
    played = Played()
    arrived: list[ScheduledEntry] = []
    played.entries.attach("platform", arrived.append)

    played.entries.schedule_message_delivery("head", "platform", {"get_info": "obs"}, 1.5)
    played.run()

    (entry,) = arrived
    assert entry == ScheduledEntry(
        ScheduledKind.MESSAGE_DELIVERY,
        1.5,
        "platform",
        {"sender": "head", "recipient": "platform", "message": {"get_info": "obs"}},
    )


def test_the_current_time_is_that_of_the_session() -> None:
    played = Played()

    played.clock.advance_to(7)

    assert played.entries.current_time == 7


def test_a_reset_cancels_everything_that_is_scheduled() -> None:
    played = Played()
    played.attach("head")
    played.entries.schedule_agent_tick("head")
    played.entries.schedule_message_delivery("a", "head", {})

    played.entries.reset()

    assert played.run() == []


def test_an_entry_without_a_handler_is_refused() -> None:
    with pytest.raises(NegoError, match="No handler of 'head'"):
        Played().entries.schedule_agent_tick("head")


def test_the_kinds_of_entries_are_no_types_of_events() -> None:
    assert [kind.name for kind in ScheduledKind] == [
        "AGENT_TICK",
        "MESSAGE_DELIVERY",
        "ACTION_EFFECT",
        "SIMULATION",
    ]


def test_jitter_is_within_its_range_and_the_same_for_the_same_tick() -> None:
    drawn = [drawn_delays(1, 2, 0.5, f"7/head/jitter/{n}") for n in range(50)]

    assert drawn == [drawn_delays(1, 2, 0.5, f"7/head/jitter/{n}") for n in range(50)]
    assert len({one.request for one in drawn}) == 50
    assert all(1 <= one.request <= 1.5 and 1 <= one.answer <= 1.5 and 2 <= one.effect <= 2.5 for one in drawn)


def test_without_jitter_the_delays_are_exact() -> None:
    delays = drawn_delays(1, 2, 0, "")

    assert (delays.request, delays.request + delays.answer) == (1, 2)
    assert delays.request + delays.answer + delays.effect == 4
