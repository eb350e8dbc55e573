"""Offers as text, with the names of issues and seats."""

from __future__ import annotations

from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer, Term


def offer_text(offer: Offer, game: GameSpec) -> str:
    """Return an offer in the game's order of issues: ``bananas 3 human, 1 agent; day Sunday``."""
    return "; ".join(
        f"{issue.name} {_term_text(term)}"
        for issue in game.issues
        if (term := offer.get(issue.name)) is not None
    )


def _term_text(term: Term) -> str:
    if not isinstance(term, Allocation):
        return str(term)
    parts = [f"{units} {seat}" for seat, units in term.units.items()]
    return ", ".join([*parts, f"{term.undecided} undecided"] if term.undecided else parts)
