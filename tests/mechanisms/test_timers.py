"""Facts that time alone causes: when they are recorded, and that no act comes before one that is due."""

from __future__ import annotations

import pytest

from negoplatform.core.events import EndedBy, Ending, Event, EventType
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import PLATFORM
from tests.mechanisms.auction_games import AUCTION, build
from tests.mechanisms.bench import Bench
from tests.mechanisms.moves import TriedAct
from tests.mechanisms.sealed_bid import PLACE_BID, BidPlaced, SealedBid
from tests.mechanisms.test_laws import violation


def auction(seconds: float) -> GameSpec:
    """Return an auction of three rounds."""
    return build({**AUCTION, "terms": {"rounds": 3, "seconds": seconds}})


def times_of(bench: Bench, kind: str) -> list[float]:
    """Return the session times of all events of a type."""
    return [event.t for event in bench.events if event.type == kind]


@pytest.mark.parametrize(("seconds", "closed"), [(2.2, [1.1, 3.3, 5.5]), (1.0004, [1.0, 2.0, 3.001])])
def test_a_round_closes_in_time_whatever_the_fraction_of_its_due_time(
    seconds: float, closed: list[float]
) -> None:
    game = auction(seconds)
    bench = Bench(game)
    if seconds > 2:
        bench.wait_until(1.1)  # and 1.1 + 2.2 is a little more than 3.3
        for seat in game.seats:
            bench.act(TriedAct(seat, PLACE_BID, BidPlaced(1)))

    bench.wait_until(10)

    assert times_of(bench, "round-closed") == pytest.approx(closed, abs=0.0011)
    assert bench.events[-1].payload.ended_by is EndedBy.COMPLETED
    assert violation(game, bench.events) == ""


def test_an_act_behind_a_late_timer_comes_after_what_was_due() -> None:
    game = auction(2.0)
    bench = Bench(game)
    bench._clock.advance_to(2.013)  # the timer has not been called yet

    bench.act(TriedAct("ann", PLACE_BID, BidPlaced(9)))

    assert [event.type for event in bench.events[2:]] == ["round-closed", "round-opened", PLACE_BID]
    assert violation(game, bench.events) == ""


def test_an_act_in_a_log_before_what_was_due_is_no_event_of_a_session() -> None:
    game = auction(2.0)
    bench = Bench(game)
    bench.wait_until(1)
    bench.act(TriedAct("ann", PLACE_BID, BidPlaced(9)))

    forged = [*bench.events[:-1], bench.events[-1]._replace(t=2.5)]

    assert violation(game, bench.events) == ""
    assert violation(game, forged) == "round-closed was due before it"


def test_rules_that_cannot_say_when_something_is_due_end_the_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, sound = auction(2.0), SealedBid.next_due

    def fail(self: SealedBid, state: State) -> float | None:
        if state.mechanism_state.bids:  # type: ignore[attr-defined]  # the auction's
            raise ZeroDivisionError("the rules")
        return sound(self, state)

    monkeypatch.setattr(SealedBid, "next_due", fail)
    bench = Bench(game)
    bench.act(TriedAct("ann", PLACE_BID, BidPlaced(9)))
    bench.wait_until(1)

    assert [event.type for event in bench.events[-2:]] == [PLACE_BID, EventType.GAME_END]
    assert bench.events[-1].payload.ended_by is EndedBy.ABORTED
    assert [type(error) for error in bench.errors] == [ZeroDivisionError]
    assert violation(game, bench.events) == ""


def at_the_deadline(deadline: float = 6.0, seconds: float = 2.0) -> GameSpec:
    """Return an auction whose last round ends at the deadline, or near it."""
    terms = {"rounds": 3, "seconds": seconds}
    return build({**AUCTION, "terms": terms, "rules": {"deadline_seconds": deadline}})


LAST = ["round-closed", "round-opened", "round-closed", "GAME_END"]


def kinds_of(bench: Bench) -> list[str]:
    """Return the types of the events after the first round, without ticks and resumptions."""
    kinds = [event.type for event in bench.events if event.type not in (EventType.TIME, EventType.RESUMED)]
    return kinds[4:]


@pytest.mark.parametrize("late", [0.0, 0.013, 1.0])
def test_a_round_that_ends_at_the_deadline_is_closed_before_time_is_up(late: float) -> None:
    game = at_the_deadline()
    bench = Bench(game)
    bench.wait_until(5.9)
    bench._clock.advance_to(6.0 + late)
    bench.wait_until(6.0 + late)

    assert kinds_of(bench) == LAST
    assert bench.events[-1].payload.ended_by is EndedBy.COMPLETED
    assert violation(game, bench.events) == ""


@pytest.mark.parametrize("late", [0.0, 0.013])
def test_an_act_at_the_deadline_finds_the_same_order(late: float) -> None:
    game = at_the_deadline()
    bench = Bench(game)
    bench.wait_until(5.9)
    bench._clock.advance_to(6.0 + late)  # an act comes before the timers

    assert bench.act(TriedAct("ann", PLACE_BID, BidPlaced(9))) is None

    assert kinds_of(bench)[:4] == LAST
    assert violation(game, bench.events) == ""


def test_a_resumed_session_finds_the_same_order_at_the_deadline() -> None:
    game = at_the_deadline()
    whole = Bench(game)
    whole.wait_until(10)
    for cut in range(1, len(whole.events)):
        again = Bench(game, whole.events[:cut])
        again.wait_until(10)
        assert kinds_of(again) == LAST
        assert violation(game, again.events) == ""


@pytest.mark.parametrize("late", [0.0, 0.5, 3.0])
def test_what_would_fall_due_after_the_deadline_does_not_happen_however_late_it_is(late: float) -> None:
    game = at_the_deadline(deadline=5.9)
    bench = Bench(game)
    bench.wait_until(5.8)
    bench._clock.advance_to(5.9 + late)
    bench.act(TriedAct("ann", PLACE_BID, BidPlaced(9)))
    bench.wait_until(20)

    assert kinds_of(bench)[-1] == EventType.GAME_END or kinds_of(bench)[-1] == EventType.ACTION_REFUSED
    (end,) = [event for event in bench.events if event.type == EventType.GAME_END]
    assert end.payload.ended_by is EndedBy.TIMEOUT
    assert len(times_of(bench, "round-closed")) == 2
    assert violation(game, bench.events) == ""


@pytest.mark.parametrize("ended_by", [EndedBy.TIMEOUT, EndedBy.ABORTED])
def test_an_end_in_a_log_before_what_was_due_is_no_event_of_a_session(ended_by: EndedBy) -> None:
    game = at_the_deadline()
    bench = Bench(game)
    bench.wait_until(5.9)
    seq = len(bench.events) + 1

    forged = [*bench.events, Event(seq, 6.0, EventType.GAME_END, PLATFORM, Ending(ended_by))]

    assert violation(game, forged) == "round-closed was due before it"


def test_an_end_by_the_platform_comes_after_what_was_due() -> None:
    game = auction(2.0)
    bench = Bench(game)
    bench._clock.advance_to(2.5)  # the timer has not been called yet

    bench._runner.session.end(EndedBy.ABORTED, "Somebody closed it.")

    assert [event.type for event in bench.events[2:]] == ["round-closed", "round-opened", "GAME_END"]
    assert violation(game, bench.events) == ""
