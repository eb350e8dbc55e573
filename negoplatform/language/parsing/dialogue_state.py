"""Dialogue state: each side's last proposal for each issue, and the issues mentioned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from negoplatform.domain.offer import EMPTY_OFFER, Offer, Term
from negoplatform.domain.seat_map import Seat

_NONE: Mapping[tuple[Seat, str], tuple[Term, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class InterpretedTurn:
    """A seat's last message or offer.

    Args:
        terms: The terms that it proposed or agreed to.
        issues: The names of the issues that it mentioned, in text order.
        is_question: Whether it contains a question.
        formal: Whether it was a formal offer.
        accepted: Whether it agreed to something.
        confident: Whether its terms were parsed with confidence.
        unambiguous: Whether all of it was parsed and nothing in it contradicts its terms.
        requests_offer: Whether it requested a formal offer.
    """

    terms: Offer = EMPTY_OFFER
    issues: tuple[str, ...] = ()
    is_question: bool = False
    formal: bool = False
    accepted: bool = False
    confident: bool = False
    unambiguous: bool = False
    requests_offer: bool = False


# Compared by identity: a state is created once per turn and is a frequent cache key.
@dataclass(frozen=True, slots=True, eq=False)
class DialogueState:
    """State that the next speaker may refer to.

    Args:
        proposals: The last term that a seat proposed for an issue, and the number of that turn.
        turn_count: The number of turns so far.
        last: Each seat's last turn.
        recent_issues: The issues mentioned, the latest first.
        on_table: The formal offer on the table.
        maker: The seat that made it; None before the first.
    """

    proposals: Mapping[tuple[Seat, str], tuple[Term, int]] = field(default_factory=lambda: _NONE)
    turn_count: int = 0
    last: Mapping[Seat, InterpretedTurn] = field(default_factory=lambda: MappingProxyType({}))
    recent_issues: tuple[str, ...] = ()
    on_table: Offer = EMPTY_OFFER
    maker: Seat | None = None

    def last_proposal(self, seat: Seat, issue: str) -> Term | None:
        """Return the last term that a seat proposed for an issue; None if it has proposed none."""
        held = self.proposals.get((seat, issue))
        return None if held is None else held[0]

    def proposal_age(self, seat: Seat, issue: str) -> int:
        """Return the number of turns since a seat last proposed a term for an issue; 1000 if it never did."""
        held = self.proposals.get((seat, issue))
        return 1000 if held is None else self.turn_count - held[1]

    def after_turn(self, seat: Seat, turn: InterpretedTurn) -> DialogueState:
        """Return the state after a turn of a seat."""
        turns = self.turn_count + 1
        proposals = {**self.proposals, **{(seat, name): (term, turns) for name, term in turn.terms.terms}}
        recent = _move_to_front(self.recent_issues, turn.issues)
        state = replace(
            self, proposals=proposals, turn_count=turns, last={**self.last, seat: turn}, recent_issues=recent
        )
        return replace(state, on_table=turn.terms, maker=seat) if turn.formal else state


def _move_to_front(recent: Sequence[str], named: Sequence[str]) -> tuple[str, ...]:
    """Return the issues with those just mentioned in front, the last one first."""
    latest = tuple(dict.fromkeys(reversed(named)))
    return (*latest, *(name for name in recent if name not in latest))
