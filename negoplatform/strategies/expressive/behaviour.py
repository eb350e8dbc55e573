"""When an expressive agent acts of its own accord, and how it deals with favours."""

from __future__ import annotations

from random import Random

from negoplatform.strategies.expressive.ledger import Ledger

ROUNDS_ENOUGH = 60
"""Without a deadline it is late after so many offers of the others."""


class Behaviour:
    """Opens, prompts after silence, and hurries at the end.

    Args:
        opens_after: Seconds after which it makes the first offer, if nobody else has; up to 3 more by chance.
        patience: Seconds of silence before it prompts.
        growth: How many times longer each further silence has to last.
        prompts: How often it prompts in a row.
        hurry: So many seconds before the deadline it makes its final offer.
        asks: Whether it begins by asking what the other wants.
        ledger: How it deals with favours; it does none unless given.
    """

    def __init__(
        self,
        *,
        opens_after: float = 10.0,
        patience: float = 12.0,
        growth: float = 1.5,
        prompts: int = 4,
        hurry: float = 30.0,
        asks: bool = True,
        ledger: Ledger | None = None,
    ) -> None:
        self.opens_after = opens_after
        self.patience = patience
        self.growth = growth
        self.prompts = prompts
        self.hurry = hurry
        self.asks = asks
        self.ledger = ledger or Ledger()

    def opening(self, rng: Random) -> float:
        """Seconds after which it opens in this game."""
        return self.opens_after + rng.uniform(0, 3)

    def silence(self, prompted: int) -> float:
        """Seconds of silence before the next prompt, after so many in a row; endless after the last."""
        return self.patience * self.growth**prompted if prompted < self.prompts else float("inf")

    def is_late(self, left: float | None, heard: int) -> bool:
        """Whether it should come to an end.

        Args:
            left: Seconds until the deadline; None without one.
            heard: How many offers the others have made.
        """
        return heard >= ROUNDS_ENOUGH if left is None else left <= self.hurry
