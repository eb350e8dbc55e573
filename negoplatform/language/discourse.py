"""What a talk has come to: what was proposed last, and what was spoken of last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat import Seat

_NOTHING: Mapping[str, Allocation] = MappingProxyType({})
_NOBODY: Mapping[str, Seat] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Memory:
    """What somebody who speaks may refer to.

    Args:
        standing: The latest allocation that anybody spoke of, by issue.
        described: Whose share that allocation was told by, by issue.
        share: Whose share was told last.
        spoken: The issues that the latest text that named any did name, in its order.
        last: The issues that the latest proposal divided.
        fresh: The same if nothing was said since; else none.
        asked: Whether the last text asked how many the one who speaks now would have.
        formal: Whether the last thing that was heard is a formal offer.
    """

    standing: Mapping[str, Allocation] = field(default_factory=lambda: _NOTHING)
    described: Mapping[str, Seat] = field(default_factory=lambda: _NOBODY)
    share: Seat | None = None
    spoken: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()
    asked: bool = False
    formal: bool = False

    def __hash__(self) -> int:
        # Without what stands: that takes longer to hash than to compare, and seldom is all that differs.
        return hash((self.share, self.spoken, self.last, self.fresh, self.asked, self.formal))

    @property
    def topic(self) -> str | None:
        """The one issue that is spoken of; None if there are several or none."""
        return self.spoken[0] if len(self.spoken) == 1 else None

    def after_offer(self, offer: Offer, game: GameSpec) -> Memory:
        """What is remembered once an offer was made formally."""
        divided = {name: term for name, term in offer.terms if isinstance(term, Allocation)}
        known = {issue.name for issue in game.issues}
        if not divided or not known.issuperset(divided):
            return self
        issues = tuple(divided)
        standing = {**self.standing, **divided}
        return Memory(standing, self.described, self.share, self.spoken, issues, issues, formal=True)

    def after_words(
        self,
        divided: Mapping[str, Allocation],
        described: Mapping[str, Seat],
        spoken: tuple[str, ...],
        *,
        asked: bool = False,
    ) -> Memory:
        """What is remembered once somebody said something.

        Args:
            divided: How the words divide issues, where that is plain.
            described: Whose share they told, by issue.
            spoken: The issues that they name.
            asked: Whether they ask the other side how many it would have.
        """
        share = list(described.values())[-1] if described else self.share
        return Memory(
            {**self.standing, **divided},
            {**self.described, **described},
            share,
            spoken or self.spoken,
            tuple(divided) or self.last,
            tuple(divided),
            asked,
        )
