"""A mechanism whose rules fail at one of their own facts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.events import EndedBy, Event, EventType
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.mechanisms import Fact, fact, mechanism_of
from negoplatform.core.session import ActionOrigin
from negoplatform.core.state import State
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.rules_validator import LogValidator
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.log_header import Header, Occupant
from tests.mechanisms.auction_games import AUCTION, build
from tests.mechanisms.bench import Bench
from tests.mechanisms.moves import TriedAct
from tests.mechanisms.sealed_bid import GIVE_MONEY, MoneyOffered, SealedBid
from tests.mechanisms.test_laws import violation


def test_a_fact_that_the_rules_cannot_apply_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    game, sound = build(AUCTION), SealedBid.apply

    def fail(self: SealedBid, state: State, event: Event) -> Any:
        if event.type == "money-given":
            raise ZeroDivisionError("the rules")
        return sound(self, state, event)

    monkeypatch.setattr(SealedBid, "apply", fail)
    bench = Bench(game)
    bench.act(TriedAct("ann", GIVE_MONEY, MoneyOffered(5), ("ben",)))

    assert [event.type for event in bench.events[-2:]] == [GIVE_MONEY, EventType.GAME_END]
    assert bench.events[-1].payload.ended_by is EndedBy.ABORTED
    assert [type(error) for error in bench.errors] == [ZeroDivisionError]
    mechanism = mechanism_of(game.mechanism)
    validator, state = LogValidator(mechanism), initial_state(game, mechanism)
    for event in bench.events:
        assert validator.find_violation(state, event) == ""
        before, state = state, apply(state, event, mechanism)
        validator.advance(before, event, state)


def test_a_fact_that_no_line_can_hold_ends_the_session(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = build(AUCTION)

    def flood(_self: SealedBid, _state: State, event: Event) -> tuple[Fact, ...]:
        return (fact("round-closed", {"winner": "9" * 2_000_000}),) if event.type == GIVE_MONEY else ()

    monkeypatch.setattr(SealedBid, "consequences", flood)
    seats = SeatMap((seat, Occupant("agent", seat)) for seat in game.seats)
    log = LogWriter(tmp_path / "s", Header("s", "", "1", 1, game, seats), durable=False)
    errors: list[BaseException] = []
    runner = SessionRunner(game, seed=1, clock=VirtualClock(), log=log, report=errors.append)
    runner.start()
    runner.session.act("ann", GIVE_MONEY, MoneyOffered(5), ActionOrigin(to=("ben",)))
    runner.finish()

    events = read_log(log.path).events
    assert [event.type for event in events[-2:]] == [GIVE_MONEY, EventType.GAME_END]
    assert [str(error) for error in errors] == ["That is too long to be recorded."]
    assert violation(game, list(events)) == ""
