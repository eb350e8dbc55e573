"""Terms of an offer as texts for the participant."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, NumberIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.issue_number_text import number_text
from negoplatform.presentation.localized_names import displayable, localized_text

MANY_SEATS = 5
"""Number of seats from which tables of units have a row per seat, and texts leave out those without units."""


def offer_rows(
    offer: Offer, game: GameSpec, seat: Seat | None, names: Mapping[Seat, str], translate: Language
) -> tuple[tuple[str, str], ...]:
    """Return an offer as pairs of issue and terms: ``("Bananas", "you 3, Rowan 1")``.

    ``seat`` is the reader's; None for an observer, for whom ``names`` has every seat.
    """
    return tuple(
        (localized_text(issue.title, translate), term_words(issue, term, game, seat, names, translate))
        for issue in game.issues
        if (term := offer.get(issue.name)) is not None
    )


def offer_line(
    offer: Offer, game: GameSpec, seat: Seat | None, names: Mapping[Seat, str], translate: Language
) -> str:
    """Return an offer in one line: ``Bananas: you 3, Rowan 1; Day: Sunday``."""
    rows = offer_rows(offer, game, seat, names, translate)
    return "; ".join(f"{issue}: {words}" for issue, words in rows)


def term_words(
    issue: Issue,
    term: Term,
    game: GameSpec,
    seat: Seat | None,
    names: Mapping[Seat, str],
    translate: Language,
) -> str:
    """Return an issue's terms in words, the reader's own units first: ``you 3, Rowan 1``.

    With many seats, others without units are left out.
    """
    if not isinstance(term, Allocation):
        return displayable(term_text(issue, term, translate))
    own = [] if seat is None else [translate("you {n}", n=term.of(seat))]
    others = [other for other in game.seats if other != seat]
    if len(game.seats) >= MANY_SEATS:
        others = [other for other in others if term.of(other)]
    parts = [*own, *(translate("{name} {n}", name=names[other], n=term.of(other)) for other in others)]
    if term.undecided:
        parts.append(translate("undecided {n}", n=term.undecided))
    if len(game.seats) >= MANY_SEATS:
        # So many take several lines, and none of these begins with the number of a name above it.
        parts = [part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts]
    return ", ".join(parts)


def term_text(issue: Issue, term: str | int | float, translate: Language) -> str:
    """Return a value, or a number with its unit."""
    if isinstance(term, str):
        return translate.translate_plugin_text(term)
    return number_text(term, translate, issue.unit if isinstance(issue, NumberIssue) else "")
