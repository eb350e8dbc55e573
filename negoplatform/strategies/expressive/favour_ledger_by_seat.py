"""Favours between one seat and each of several others: a ledger for each, kept across rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from negoplatform.domain.seat_map import Seat
from negoplatform.strategies.dialogue.opponent_model import LevelTables
from negoplatform.strategies.expressive.favour_ledger import FAVOUR_VALUE, Ledger


class LedgerBySeat(Ledger):
    """Ledgers of several seats, with the interface of a single one.

    A favour is asked, granted and returned between two seats. What the agent demands, and what it gains by an
    offer or a deal, concerns all of them: a favour to one seat lowers its demand as much as favours to two.

    Args:
        ledgers: The ledger of each other seat.
    """

    def __init__(self, ledgers: Mapping[Seat, Ledger]) -> None:
        self._ledgers = dict(ledgers)
        super().__init__(next(iter(self._ledgers.values())).way)

    def of(self, seat: Seat) -> Ledger:
        """Return the ledger of a seat."""
        return self._ledgers[seat]

    def begin(self) -> None:
        """Begin a new round."""
        for ledger in self._ledgers.values():
            ledger.begin()

    @property
    def bonus(self) -> float:
        """Additional demand; one favour at most in either direction."""
        total = sum(ledger.bonus for ledger in self._ledgers.values())
        return max(-FAVOUR_VALUE, min(FAVOUR_VALUE, total))

    def seat_to_ask(self, tables: LevelTables) -> Seat | None:
        """Return the seat to ask for a favour now; None for none. One seat is asked in a round."""
        if any(ledger.has_requested for ledger in self._ledgers.values()):
            return None
        return self._first(lambda ledger: ledger.should_request(tables))

    def seat_to_repay(self, tables: LevelTables) -> Seat | None:
        """Return the seat to which a favour is returned now, unasked; None for none."""
        return self._first(lambda ledger: ledger.decide_return(tables))

    def _first(self, wants: Callable[[Ledger], bool]) -> Seat | None:
        return next((seat for seat, ledger in self._ledgers.items() if wants(ledger)), None)

    @property
    def is_giving(self) -> bool:
        """Whether the agent has agreed to a favour in this round."""
        return any(ledger.is_giving for ledger in self._ledgers.values())

    def record_offer(self, own: float, asked: float, *, by_other: bool) -> None:
        """Record an offer, which contains a favour for all seats that were promised one, or from them."""
        for ledger in self._ledgers.values():
            ledger.record_offer(own, asked, by_other=by_other)

    def close_round(self, own: float | None, asked: float) -> None:
        """Close the round."""
        for ledger in self._ledgers.values():
            ledger.close_round(own, asked)

    def as_note(self) -> dict[str, Any]:
        """Return the ledgers as a note for the record."""
        return {"way": str(self.way), "by_seat": {seat: one.as_note() for seat, one in self._ledgers.items()}}
