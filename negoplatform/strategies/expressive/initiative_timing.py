"""Initiative of an expressive agent, and its favours."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from random import Random

from negoplatform.domain.seat_map import Seat
from negoplatform.strategies.expressive.favour_ledger import Ledger
from negoplatform.strategies.expressive.favour_ledger_by_seat import LedgerBySeat

LATE_AFTER_OFFERS = 60
"""Number of the others' offers after which it is late in a game without a deadline."""


class Behaviour:
    """Policy of initiative: opening, prompts after silence, and hurry at the end.

    Args:
        opens_after: Seconds until the first offer, if no other seat makes one; up to 3 more by chance.
        patience: Seconds of silence before a prompt.
        later: The same after a prompt, or a request to wait.
        prompts: Number of prompts in a row.
        hurry: Seconds before the deadline at which it makes its final offer.
        asks: Whether it begins with a question about the other's preferences.
        ledger: Its ledger of favours; it does none unless given.
    """

    def __init__(
        self,
        *,
        opens_after: float = 10.0,
        patience: float = 60.0,
        later: float = 120.0,
        prompts: int = 2,
        hurry: float = 30.0,
        asks: bool = True,
        ledger: Ledger | None = None,
    ) -> None:
        self.opens_after = opens_after
        self.patience = patience
        self.later = later
        self.prompts = prompts
        self.hurry = hurry
        self.asks = asks
        self.ledger = ledger or Ledger()
        self._ledgers: dict[Seat, Ledger] = {}

    def ledger_for(self, others: Sequence[Seat]) -> Ledger:
        """Return the ledger of favours with some other seats; with several, it has a ledger for each."""
        if len(others) == 1:
            return self.ledger
        for seat in others:
            self._ledgers.setdefault(seat, deepcopy(self.ledger))
        return LedgerBySeat({seat: self._ledgers[seat] for seat in others})

    def opening(self, rng: Random) -> float:
        """Return the seconds until the opening of this game."""
        return self.opens_after + rng.uniform(0, 3)

    def silence(self, prompted: int, *, longer: bool = False) -> float:
        """Return the seconds of silence before the next prompt; endless after the last.

        Args:
            prompted: The number of prompts in a row so far.
            longer: Whether the other has asked for time, or it has broken a silence about the same offer.
        """
        if prompted >= self.prompts:
            return float("inf")
        return max(self.patience, self.later) if prompted or longer else self.patience

    def is_late(self, left: float | None, heard: int) -> bool:
        """Return whether the end is near.

        Args:
            left: Seconds until the deadline; None without one.
            heard: The number of the others' offers.
        """
        return heard >= LATE_AFTER_OFFERS if left is None else left <= self.hurry
