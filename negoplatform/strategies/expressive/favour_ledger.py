"""Favours between two seats, kept across rounds."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from negoplatform.strategies.dialogue.opponent_model import LevelTables, span

FAVOUR_VALUE = 0.15
"""Size of a favour, as a share of the agent's gain."""

IMPORTANCE_RATIO = 1.5
"""Ratio of the first issue's points to the second's above which a game is important."""

OLD_METHOD_NAMES = {
    "is_asked": "handle_request",
    "is_granted": "record_granted",
    "offers": "record_offer",
    "returns_one": "decide_return",
    "settle": "close_round",
    "wants_one": "should_request",
    "why_not": "refusal_reason",
}
"""Names of the methods in agent API 1.0, with the present ones."""


class FavourPolicy(StrEnum):
    """Policy about favours."""

    NONE = "none"
    """Never asks for a favour or does one."""
    FAIR = "fair"
    """Does a favour in advance, returns favours, and then waits for its turn."""
    LIMITED = "limited"
    """Does a favour only in return for an earlier one."""
    BETRAYING = "betraying"
    """Promises every favour, does none, and asks for more."""


class Ledger:
    """The other's debt in favours; below 0 the agent's own debt.

    Three parts, each following from the one before: favours *said* (agreed to in words), *offered* (contained
    in an offer), and *done* (contained in a deal). Only those done count in the next round, and a favour that
    was said and not done is remembered as *broken*.

    Args:
        way: Its policy about favours.
    """

    def __init_subclass__(cls) -> None:
        """Keep the methods of a subclass that were written under the names of agent API 1.0."""
        super().__init_subclass__()
        before = cls.__mro__[: cls.__mro__.index(Ledger)]
        for old, new in OLD_METHOD_NAMES.items():
            owner = next((base for base in before if old in vars(base) or new in vars(base)), None)
            if owner is not None and new not in vars(owner):
                setattr(cls, new, vars(owner)[old])

    def __init__(self, way: FavourPolicy | str = FavourPolicy.NONE) -> None:
        self.way = FavourPolicy(way)
        self.promised = 0
        self.offered = 0
        self.done = 0
        self.broken = 0
        """Number of favours that the other has promised and not done."""
        self.has_requested = False
        """Whether it has asked for a favour in this round."""
        self._giving = False
        self._getting = False

    def begin(self) -> None:
        """Begin a new round: favours said or offered lapse, favours done remain."""
        self.promised = self.offered = 0
        self.has_requested = self._giving = self._getting = False

    @property
    def bonus(self) -> float:
        """Additional demand, as a share of its gain: above 0 for a favour to the agent."""
        return FAVOUR_VALUE * (self._getting - (self._giving and self.way is not FavourPolicy.BETRAYING))

    def should_request(self, tables: LevelTables) -> bool:
        """Return whether to ask for a favour now, given its own points by issue and level; once a round."""
        # A favour that will not be done is no reason not to ask for one.
        giving = self._giving and self.way is not FavourPolicy.BETRAYING
        if self.has_requested or giving or self.way is FavourPolicy.NONE:
            return False
        wanted = self.way is FavourPolicy.BETRAYING or (
            is_important(tables) and self.done >= 0 and not self.broken
        )
        self.has_requested = wanted
        return wanted

    def handle_request(self) -> bool:
        """Return whether the agent agrees to the other's request for a favour."""
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
    def is_giving(self) -> bool:
        """Whether the agent has agreed to a favour in this round."""
        return self._giving

    @property
    def owes(self) -> bool:
        """Whether the agent owes the other a favour."""
        return self.done < 0

    def refusal_reason(self) -> str:
        """Return the reason for refusing a favour, or an empty text.

        ``broken``: the other broke a promise; ``owed``: the other owes one; ``first``: the agent wants one
        first.
        """
        if self.way is FavourPolicy.FAIR and self.broken:
            return "broken"
        if self.way in (FavourPolicy.FAIR, FavourPolicy.LIMITED) and self.done > 0:
            return "owed"
        return "first" if self.way is FavourPolicy.LIMITED else ""

    def decide_return(self, tables: LevelTables) -> bool:
        """Return whether to return a favour now, unasked: one is owed, and the agent can afford it."""
        if self._giving or self.way is not FavourPolicy.FAIR or self.done >= 0 or is_important(tables):
            return False
        self._giving = True
        self.promised += 1
        return True

    def record_granted(self) -> None:
        """Record that the other agrees to a favour, or returns one."""
        if not self._getting:
            self._getting = True
            self.promised -= 1

    def record_offer(self, own: float, asked: float, *, by_other: bool) -> None:
        """Record an offer.

        Args:
            own: The agent's gain by it, 0 to 1.
            asked: The gain that the agent demands, favours aside.
            by_other: Whether it is the other's offer.
        """
        if by_other and self._getting and own >= asked:
            self.offered = min(self.offered, -1)
        elif not by_other and self._giving and own < asked:
            self.offered = max(self.offered, 1)

    def close_round(self, own: float | None, asked: float) -> None:
        """Close the round.

        Args:
            own: The agent's gain by the deal, 0 to 1; None without a deal.
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
        """Return the ledger as a note for the record."""
        return {
            "way": str(self.way),
            "said": self.promised,
            "offered": self.offered,
            "done": self.done,
            "broken": self.broken,
        }

    @property
    def said(self) -> int:
        """Name of ``promised`` in agent API 1.0."""
        return self.promised

    @said.setter
    def said(self, favours: int) -> None:
        self.promised = favours

    @property
    def asked(self) -> bool:
        """Name of ``has_requested`` in agent API 1.0."""
        return self.has_requested

    @asked.setter
    def asked(self, requested: bool) -> None:
        self.has_requested = requested


for _old, _new in OLD_METHOD_NAMES.items():
    setattr(Ledger, _old, vars(Ledger)[_new])


def is_important(tables: Mapping[str, Mapping[Any, float]]) -> bool:
    """Return whether one issue stands out: its points are more than 1.5 times those of the next one."""
    first, second = (*sorted((span(table) for table in tables.values()), reverse=True), 0.0)[:2]
    return first > IMPORTANCE_RATIO * second
