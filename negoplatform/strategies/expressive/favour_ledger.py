"""Favours: who did whom one, kept across the rounds of a sitting."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from negoplatform.strategies.expressive.opponent_model import LevelTables, span

FAVOUR_VALUE = 0.15
"""What a favour is worth, as a share of the agent's gain."""

IMPORTANCE_RATIO = 1.5
"""A game is important if its first issue is worth more than so many times the second."""


class FavourPolicy(StrEnum):
    """How an agent deals with favours."""

    NONE = "none"
    """It asks for none and does none."""
    FAIR = "fair"
    """It does one in advance, returns what it got, and then waits for its turn."""
    LIMITED = "limited"
    """It does one only for one that it got before."""
    BETRAYING = "betraying"
    """It promises every favour, does none, and asks for more."""


class Ledger:
    """What the other owes, in favours; below 0 what is owed to the other.

    Three parts, of which one follows from the other: favours *said* (agreed to in words), *offered* (an
    offer that contains one), and *done* (a deal that contains one). Only what is done counts in the next
    round, and a favour that was said and not done is remembered as *broken*.

    Args:
        way: How it deals with favours.
    """

    def __init__(self, way: FavourPolicy | str = FavourPolicy.NONE) -> None:
        self.way = FavourPolicy(way)
        self.promised = 0
        self.offered = 0
        self.done = 0
        self.broken = 0
        """Favours that the other has promised and not done."""
        self.has_requested = False
        """Whether it has asked for one in this round."""
        self._giving = False
        self._getting = False

    def begin(self) -> None:
        """A new round: what was only said or offered is over, what was done stays."""
        self.promised = self.offered = 0
        self.has_requested = self._giving = self._getting = False

    @property
    def bonus(self) -> float:
        """What it asks for besides, as a share of its gain: above 0 for a favour that it gets."""
        return FAVOUR_VALUE * (self._getting - (self._giving and self.way is not FavourPolicy.BETRAYING))

    def should_request(self, tables: LevelTables) -> bool:
        """Return whether it should ask for a favour now, given its own points by issue and level; once a round."""
        if self.has_requested or self._giving or self.way is FavourPolicy.NONE:
            return False
        wanted = self.way is FavourPolicy.BETRAYING or (
            is_important(tables) and self.done >= 0 and not self.broken
        )
        self.has_requested = wanted
        return wanted

    def handle_request(self) -> bool:
        """Return the other asks for a favour: whether the agent says yes."""
        match self.way:
            case FavourPolicy.NONE:
                yes = False
            case FavourPolicy.FAIR:
                yes = self.done <= 0 and not self.broken
            case FavourPolicy.LIMITED:
                yes = self.done < 0
            case FavourPolicy.BETRAYING:
                yes = True
        if yes and not self._giving:
            self._giving = True
            self.promised += 1
        return yes

    @property
    def owes(self) -> bool:
        """Whether the agent owes the other a favour."""
        return self.done < 0

    def refusal_reason(self) -> str:
        """Why it says no to a favour: ``broken`` and ``owed`` by the other, ``first`` it wants one itself,
        or nothing of that kind.
        """
        if self.way is FavourPolicy.FAIR and self.broken:
            return "broken"
        if self.way in (FavourPolicy.FAIR, FavourPolicy.LIMITED) and self.done > 0:
            return "owed"
        return "first" if self.way is FavourPolicy.LIMITED else ""

    def decide_return(self, tables: LevelTables) -> bool:
        """Return whether it gives back a favour now, of its own accord: one is owed, and it can be spared."""
        if self._giving or self.way is not FavourPolicy.FAIR or self.done >= 0 or is_important(tables):
            return False
        self._giving = True
        self.promised += 1
        return True

    def record_granted(self) -> None:
        """The other says yes to a favour, or returns one."""
        if not self._getting:
            self._getting = True
            self.promised -= 1

    def record_offer(self, own: float, asked: float, *, by_other: bool) -> None:
        """An offer was made.

        Args:
            own: The gain that it brings the agent, 0 to 1.
            asked: The gain that the agent demands, favours aside.
            by_other: Who made it.
        """
        if by_other and self._getting and own >= asked:
            self.offered = min(self.offered, -1)
        elif not by_other and self._giving and own < asked:
            self.offered = max(self.offered, 1)

    def close_round(self, own: float | None, asked: float) -> None:
        """The round is over.

        Args:
            own: The gain that the deal brings the agent, 0 to 1; None without a deal.
            asked: The gain that it demanded in the end, favours aside.
        """
        if own is None:
            return
        if self._giving and own < asked and self.way is not FavourPolicy.BETRAYING:
            self.done += 1
        if self._getting:
            self.done -= int(own >= asked)
            self.broken += int(own < asked)

    def as_note(self) -> dict[str, Any]:
        """Return the ledger, for the record."""
        return {
            "way": str(self.way),
            "said": self.promised,
            "offered": self.offered,
            "done": self.done,
            "broken": self.broken,
        }


def is_important(tables: Mapping[str, Mapping[Any, float]]) -> bool:
    """Return whether one issue stands out: it is worth more than 1.5 times the one that comes next."""
    first, second = (*sorted((span(table) for table in tables.values()), reverse=True), 0.0)[:2]
    return first > IMPORTANCE_RATIO * second
