"""Facts that time alone causes: when they are recorded, and that no act comes before one that is due."""

from __future__ import annotations

import pytest

from negoplatform.core.events import EndedBy, EventType
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from tests.mechanisms.bench import Bench
from tests.mechanisms.cases import TriedAct
from tests.mechanisms.sealed_bid import PLACE_BID, BidPlaced, SealedBid
from tests.mechanisms.test_auction_sessions import AUCTION, build
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
