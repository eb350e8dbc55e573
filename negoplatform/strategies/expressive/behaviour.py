"""When an expressive agent acts of its own accord, and how it deals with favours."""

from __future__ import annotations

from random import Random

from negoplatform.strategies.expressive.favour_ledger import Ledger

LATE_AFTER_OFFERS = 60
"""Without a deadline it is late after so many offers of the others."""


class Behaviour:
    """Opens, prompts after silence, and hurries at the end.

    Args:
        opens_after: Seconds after which it makes the first offer, if nobody else has; up to 3 more by chance.
        patience: Seconds of silence before it prompts.
        later: The same once it has prompted, or was asked to wait.
        prompts: How often it prompts in a row.
        hurry: So many seconds before the deadline it makes its final offer.
        asks: Whether it begins by asking what the other wants.
        ledger: How it deals with favours; it does none unless given.
    """

    def __init__(
        self,
        *,
        opens_after: float = 10.0,
        patience: float = 40.0,
        later: float = 60.0,
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

    def opening(self, rng: Random) -> float:
        """Seconds after which it opens in this game."""
        return self.opens_after + rng.uniform(0, 3)

    def silence(self, prompted: int, *, asked_to_wait: bool = False) -> float:
        """Seconds of silence before the next prompt; endless after the last.

        Args:
            prompted: How often it has prompted in a row.
            asked_to_wait: Whether the other has said that they need time.
        """
        if prompted >= self.prompts:
            return float("inf")
        return max(self.patience, self.later) if prompted or asked_to_wait else self.patience

    def is_late(self, left: float | None, heard: int) -> bool:
        """Return whether it should come to an end.

        Args:
            left: Seconds until the deadline; None without one.
            heard: How many offers the others have made.
        """
        return heard >= LATE_AFTER_OFFERS if left is None else left <= self.hurry
