"""Ledgers of favours with several seats."""

from __future__ import annotations

import pytest

from negoplatform.strategies.dialogue.opponent_model import LevelTables
from negoplatform.strategies.expressive import Behaviour, Ledger
from negoplatform.strategies.expressive.favour_ledger_by_seat import LedgerBySeat

IMPORTANT: LevelTables = {"house": {"a": 0.0, "b": 10.0}, "coins": {"a": 0.0, "b": 1.0}}
PLAIN: LevelTables = {"house": {"a": 0.0, "b": 1.0}, "coins": {"a": 0.0, "b": 1.0}}


def fair(*seats: str) -> LedgerBySeat:
    """Return fair ledgers with some seats."""
    return LedgerBySeat({seat: Ledger("fair") for seat in seats})


def test_a_favour_is_owed_to_the_one_who_did_it() -> None:
    ledger = fair("robin", "kim")

    ledger.of("kim").record_granted()
    ledger.close_round(0.9, 0.5)

    assert ledger.of("kim").owes
    assert not ledger.of("robin").owes
    assert ledger.seat_to_repay(PLAIN) == "kim"


def test_a_broken_promise_of_one_is_not_held_against_another() -> None:
    ledger = fair("robin", "kim")
    ledger.of("kim").record_granted()
    ledger.close_round(0.1, 0.5)
    ledger.begin()

    assert not ledger.of("kim").handle_request()
    assert ledger.of("robin").handle_request()


def test_one_seat_is_asked_in_a_round() -> None:
    ledger = fair("robin", "kim")

    assert ledger.seat_to_ask(IMPORTANT) == "robin"
    assert ledger.seat_to_ask(IMPORTANT) is None


def test_favours_to_two_do_not_cost_twice_as_much() -> None:
    ledger = fair("robin", "kim")

    ledger.of("robin").handle_request()
    once = ledger.bonus
    ledger.of("kim").handle_request()

    assert ledger.bonus == pytest.approx(once)


def test_the_ledgers_last_from_one_game_to_the_next() -> None:
    behaviour = Behaviour(ledger=Ledger("fair"))
    first = behaviour.ledger_for(("robin", "kim"))
    assert isinstance(first, LedgerBySeat)
    first.of("kim").record_granted()
    first.close_round(0.9, 0.5)

    second = behaviour.ledger_for(("robin", "kim"))

    assert isinstance(second, LedgerBySeat)
    assert second.of("kim").owes
    assert behaviour.ledger_for(("robin",)) is behaviour.ledger


def test_a_note_has_the_ledger_of_each() -> None:
    note = fair("robin", "kim").as_note()

    assert note["way"] == "fair"
    assert set(note["by_seat"]) == {"robin", "kim"}
