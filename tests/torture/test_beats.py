"""Assignment of a late beat's time to the window or the game, and the judgement of delays."""

from __future__ import annotations

import pytest

from negoplatform.core.events import Event, EventType, Message
from tests.torture.beats import Beats
from tests.torture.misbehaviour import ENOUGH_BEATS, count_lost, judge_delays
from tests.torture.rows import Tally
from tests.torture.window_program import line_of

ON_TIME = [0.001] * ENOUGH_BEATS


@pytest.fixture
def beats() -> Beats:
    """Record of the beats of a window that builds the screen for a game."""
    beats = Beats(0.25)
    beats.beat(100.0)
    beats.meet("loops", 100.0)
    return beats


def said(seq: int, text: str, sender: str = "agent") -> Event:
    return Event(seq=seq, t=0.5, type=EventType.SEND_MESSAGE, sender=sender, payload=Message(text))


def test_a_window_that_stands_still_while_the_game_ends_was_late_in_that_game(beats: Beats) -> None:
    beats.play(100.0)
    beats.beat(100.25)
    beats.work(103.25)
    beats.beat(103.5)

    assert beats.played == {"loops": [0.0, 2.75]}
    assert beats.own == [0.25]


def test_a_window_that_stands_still_when_the_game_has_just_begun_was_late_in_that_game(beats: Beats) -> None:
    beats.play(100.125)
    beats.beat(102.25)

    assert beats.played == {"loops": [1.875]}
    assert beats.own == [0.125]


def test_what_the_window_takes_for_itself_is_no_delay_of_the_game(beats: Beats) -> None:
    beats.beat(101.0)
    beats.play(101.0)
    beats.beat(101.25)
    beats.work(101.5)
    beats.beat(102.0)
    beats.beat(102.25)

    assert beats.played == {"loops": [0.0, 0.0]}
    assert beats.own == [0.75, 0.5, 0.0]


def test_delays_are_kept_by_the_name_of_the_agent_that_is_met(beats: Beats) -> None:
    beats.play(100.0)
    beats.beat(100.5)
    beats.meet("exits", 100.5)
    beats.play(100.5)
    beats.beat(101.25)

    assert beats.played == {"loops": [0.25], "exits": [0.5]}


@pytest.mark.parametrize(
    ("played", "own", "fault"),
    [
        ({"loops": ON_TIME * 9, "exits": ON_TIME}, 0.5, None),
        ({"loops": ON_TIME * 9, "exits": [*ON_TIME[4:], *[0.2] * 4]}, 0.5, "exits: the window was late"),
        ({"loops": ON_TIME * 9, "exits": [0.2]}, 0.5, "the others: the window was late"),
        ({"loops": ON_TIME}, 0.5, "exits: no beat of the window fell into its sessions"),
        ({"loops": ON_TIME, "exits": ON_TIME}, 2.0, "busy with itself for 2.0 s"),
    ],
)
def test_a_window_is_judged_with_each_agent_and_by_its_own_work(
    played: dict[str, list[float]], own: float, fault: str | None
) -> None:
    tally = Tally()

    judge_delays(played, [0.1, own], ["loops", "exits"], tally, timed=True)

    assert len(tally.faults) == (fault is not None)
    assert all(fault in told for told in tally.faults if fault)


@pytest.mark.parametrize(
    ("seen", "lost"),
    [
        ([said(1, "a"), said(2, "b")], 0),
        ([said(1, "a"), said(2, "c")], 1),
        ([said(1, "a"), said(2, "b", "human")], 1),
        ([said(1, "a")], 1),
        ([said(1, "a"), said(2, "b"), said(3, "b")], 1),
    ],
)
def test_an_event_that_is_another_in_the_log_is_lost(seen: list[Event], lost: int) -> None:
    logged = [said(1, "a"), said(2, "b")._replace(cause=1, decided_at=0.25)]

    assert count_lost([line_of(event) for event in seen], logged) == lost
