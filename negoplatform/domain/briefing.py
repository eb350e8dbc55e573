"""Briefings: what the holder of a seat can say about itself, and why its preferences are what they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from negoplatform.domain.offer import Allocation, Number, Term
from negoplatform.domain.seat_map import Seat

Sentences = tuple[str, ...]
"""Complete sentences in the first person, each usable alone."""

Level = str | Number
"""A value of a categorical issue, the own units of a quantity issue, or a number of a number issue."""


@dataclass(frozen=True, slots=True)
class Briefing:
    """Private facts and reasons of a seat, for the participant who reads them and the agent that says them.

    Args:
        background: Sentences about the person in the seat.
        reasons: Reasons why an issue matters, or matters little: pairs of an issue's name and its sentences.
        value_reasons: Reasons for or against single levels: pairs of an issue's name and its pairs of a
            level and the sentences.
    """

    background: Sentences = ()
    reasons: tuple[tuple[str, Sentences], ...] = ()
    value_reasons: tuple[tuple[str, tuple[tuple[Level, Sentences], ...]], ...] = ()

    def __bool__(self) -> bool:
        """Return whether it has any text."""
        return bool(self.background or self.reasons or self.value_reasons)

    def reasons_for(self, issue: str, term: Term | None = None, seat: Seat = "") -> Sentences:
        """Return the reasons that concern a term: those for its level first, then those for its issue.

        Args:
            issue: The issue's name; of an unknown issue there are no reasons.
            term: The term; None: only the reasons for the issue.
            seat: The seat whose units count, where the term is an allocation.
        """
        if term is None:
            return self.reasons_of(issue)
        level: Level = term.of(seat) if isinstance(term, Allocation) else term
        by_level: dict[Level, Sentences] = dict(dict(self.value_reasons).get(issue, ()))
        return (*by_level.get(level, ()), *self.reasons_of(issue))

    def reasons_of(self, issue: str) -> Sentences:
        """Return the reasons for an issue, without those for single levels."""
        return dict(self.reasons).get(issue, ())

    def over(self, base: Briefing) -> Briefing:
        """Return this briefing with what it does not say itself taken from another, issue by issue."""
        return Briefing(
            self.background or base.background,
            tuple((dict(base.reasons) | dict(self.reasons)).items()),
            tuple((dict(base.value_reasons) | dict(self.value_reasons)).items()),
        )

    def shown_texts(self) -> Iterator[str]:
        """Yield the sentences that the participant reads: all but the reasons for single levels."""
        yield from self.background
        for _, sentences in self.reasons:
            yield from sentences


NO_BRIEFING = Briefing()
"""Briefing of a seat without any text."""
