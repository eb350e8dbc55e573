"""Session time, which advances whatever the computer's clocks do, and the record of their jumps."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest

from negoplatform.app.session.session_clock import ClockMonitor, SessionClock, awake_time, boot_time
from negoplatform.core.log_note_kinds import NoteKind

HOUR, DAY = 3600.0, 86_400.0

STEP = 1 / 64
"""Seconds by which some clocks of Windows advance at once."""


@dataclass
class Clocks:
    """Three clocks that a test sets."""

    wall: float = 1_700_000_000.0
    steady: float = 100.0
    boot: float = 100.0

    def watch(self) -> ClockMonitor:
        return ClockMonitor(wall=lambda: self.wall, steady=lambda: self.steady, boot=lambda: self.boot)

    def pass_by(self, seconds: float, *, wall: float | None = None) -> None:
        self.wall += seconds if wall is None else wall
        self.steady += seconds
        self.boot += seconds

    def sleep(self, seconds: float) -> None:
        """Suspend the computer: steady time stops."""
        self.wall += seconds
        self.boot += seconds


def seen(watch: ClockMonitor) -> list[tuple[NoteKind, float]]:
    return [(news.kind, news.seconds) for news in watch.poll()]


def test_clocks_that_agree_are_no_news() -> None:
    clocks = Clocks()
    watch = clocks.watch()

    for _ in range(1000):
        clocks.pass_by(2.0)
        assert seen(watch) == []


@pytest.mark.parametrize("jump", [HOUR, -HOUR, DAY, -DAY, 1.5, -1.5])
def test_a_jump_of_the_time_of_day_is_noted_once(jump: float) -> None:
    clocks = Clocks()
    watch = clocks.watch()
    clocks.pass_by(2.0)
    clocks.wall += jump

    assert seen(watch) == [(NoteKind.CLOCK_JUMP, jump)]
    clocks.pass_by(2.0)
    assert seen(watch) == []


def test_a_suspend_is_told_from_a_jump() -> None:
    clocks = Clocks()
    watch = clocks.watch()
    clocks.sleep(600.0)
    clocks.pass_by(2.0)

    assert seen(watch) == [(NoteKind.SUSPENDED, 600.0)]


def test_a_suspend_in_which_the_time_of_day_was_set_is_both() -> None:
    clocks = Clocks()
    watch = clocks.watch()
    clocks.sleep(600.0)
    clocks.wall += HOUR

    assert seen(watch) == [(NoteKind.SUSPENDED, 600.0), (NoteKind.CLOCK_JUMP, HOUR)]


@pytest.mark.parametrize("direction", [1, -1])
def test_drift_is_noted_when_it_has_become_a_second(direction: int) -> None:
    clocks = Clocks()
    watch = clocks.watch()
    found = []

    for _ in range(2_100):  # a millisecond in every two seconds
        clocks.pass_by(2.0, wall=2.0 + direction * 0.001)
        found += seen(watch)

    assert [kind for kind, _ in found] == [NoteKind.CLOCK_DRIFT] * 2
    assert found[0][1] == pytest.approx(direction * 1.0, abs=0.01)


def test_a_clock_that_advances_in_steps_does_not_add_up_to_a_drift() -> None:
    clocks = Clocks()
    watch = ClockMonitor(
        wall=lambda: clocks.wall, steady=lambda: clocks.steady // STEP * STEP, boot=lambda: clocks.boot
    )
    found = []

    for number in range(2_100):
        clocks.pass_by(2.0 + number % 7 * 0.003)
        found += seen(watch)

    assert found == []


def test_session_time_stands_still_while_it_is_stopped_and_goes_on_from_there() -> None:
    clocks = Clocks()
    clock = SessionClock(12.5, steady=lambda: clocks.steady)
    clocks.pass_by(100.0)
    assert clock() == 12.5

    clock.resume()
    clocks.pass_by(2.0)
    assert clock() == pytest.approx(14.5)

    clock.stop()
    clocks.pass_by(50.0)
    assert clock() == pytest.approx(14.5)
    clock.resume()
    clocks.pass_by(1.0)
    assert clock() == pytest.approx(15.5)


def test_session_time_goes_on_when_no_reason_to_stand_still_is_left() -> None:
    clocks = Clocks()
    clock = SessionClock(steady=lambda: clocks.steady)
    clock.resume()

    clock.stop("reading")
    clock.stop("stuck")
    clock.resume("reading")
    clocks.pass_by(5.0)
    assert clock() == 0.0
    clock.resume("stuck")
    clocks.pass_by(5.0)
    assert clock() == pytest.approx(5.0)


def test_session_time_does_not_follow_the_time_of_day() -> None:
    clocks = Clocks()
    clock = SessionClock(steady=lambda: clocks.steady)
    clock.resume()
    clocks.wall -= DAY
    clocks.pass_by(3.0)

    assert clock() == pytest.approx(3.0)


def test_the_clocks_with_and_without_sleep_run_alike_while_the_computer_is_awake() -> None:
    awake, boot = awake_time(), boot_time()

    time.sleep(0.05)
    differences = [awake_time() - awake, boot_time() - boot]

    assert all(seconds > 0 for seconds in differences)
    assert abs(differences[0] - differences[1]) < 1
