"""The state of a talk: what each side proposed last, issue by issue, and what was spoken of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from negoplatform.domain.offer import EMPTY_OFFER, Offer, Term
from negoplatform.domain.seat import Seat

_NONE: Mapping[tuple[Seat, str], tuple[Term, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class InterpretedTurn:
    """The last thing that a seat said or offered.

    Args:
        terms: The terms that it put forward, or agreed to.
        issues: The issues that it named, by name, in its order.
        is_question: Whether it holds a question.
        formal: Whether it was a formal offer.
        accepted: Whether it agreed to something.
        confident: Whether it is sure that the terms are meant.
        unambiguous: Whether nothing in it speaks against its terms or was not read.
        requests_offer: Whether it asked to be sent an offer.
    """

    terms: Offer = EMPTY_OFFER
    issues: tuple[str, ...] = ()
    is_question: bool = False
    formal: bool = False
    accepted: bool = False
    confident: bool = False
    unambiguous: bool = False
    requests_offer: bool = False


# Compared by identity: a state is made once for each turn, and is looked up by many times.
@dataclass(frozen=True, slots=True, eq=False)
class DialogueState:
    """What whoever speaks next may refer to.

    Args:
        proposals: The last term that a seat put forward for an issue, with the number of its turn.
        turn_count: So many things were said and offered.
        last: Each seat's last turn.
        recent_issues: The issues that were named, the latest first.
        on_table: The formal offer on the table.
        maker: Who made it; None before the first.
    """

    proposals: Mapping[tuple[Seat, str], tuple[Term, int]] = field(default_factory=lambda: _NONE)
    turn_count: int = 0
    last: Mapping[Seat, InterpretedTurn] = field(default_factory=lambda: MappingProxyType({}))
    recent_issues: tuple[str, ...] = ()
    on_table: Offer = EMPTY_OFFER
    maker: Seat | None = None

    def last_proposal(self, seat: Seat, issue: str) -> Term | None:
        """The last term that a seat put forward for an issue; None if it has put forward none."""
        held = self.proposals.get((seat, issue))
        return None if held is None else held[0]

    def proposal_age(self, seat: Seat, issue: str) -> int:
        """How many turns ago a seat put its last term for an issue forward; large if never."""
        held = self.proposals.get((seat, issue))
        return 1000 if held is None else self.turn_count - held[1]

    def after_turn(self, seat: Seat, turn: InterpretedTurn) -> DialogueState:
        """The state after a turn of a seat."""
        turns = self.turn_count + 1
        proposals = {**self.proposals, **{(seat, name): (term, turns) for name, term in turn.terms.terms}}
        recent = _move_to_front(self.recent_issues, turn.issues)
        state = replace(
            self, proposals=proposals, turn_count=turns, last={**self.last, seat: turn}, recent_issues=recent
        )
        return replace(state, on_table=turn.terms, maker=seat) if turn.formal else state


def _move_to_front(recent: Sequence[str], named: Sequence[str]) -> tuple[str, ...]:
    """The issues with those that were just named before the others, the last one first."""
    latest = tuple(dict.fromkeys(reversed(named)))
    return (*latest, *(name for name in recent if name not in latest))
