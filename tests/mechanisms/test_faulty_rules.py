"""A mechanism whose rules fail at one of their own facts."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.events import EndedBy, Event, EventType
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.mechanisms import mechanism_of
from negoplatform.core.state import State
from negoplatform.eventlog.rules_validator import LogValidator
from tests.mechanisms.bench import Bench
from tests.mechanisms.cases import TriedAct
from tests.mechanisms.sealed_bid import GIVE_MONEY, MoneyOffered, SealedBid
from tests.mechanisms.test_auction_sessions import AUCTION, build


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
