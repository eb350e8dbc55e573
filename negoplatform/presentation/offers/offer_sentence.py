"""An offer as one line of text: ``3 apples for you, 3 for Rowan, Saturday``. No Tk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable, join_names, localized_text
from negoplatform.presentation.noun_forms import (
    count_text,
    is_self_explanatory,
    title_in_sentence,
    value_in_sentence,
)
from negoplatform.presentation.offers.term_texts import term_text

RIGHT_TO_LEFT_MARK = "\u200f"
"""Appended to a game's left-to-right texts, so that the comma after them keeps its place in the order."""

MIN_NAME_LETTERS = 6
"""Minimum number of letters for a value to stand alone; "with" or "0%" says too little."""


def offer_sentence(
    offer: Offer, game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> str:
    """Return an offer as part of a sentence, without colons: units first, then values."""
    end = RIGHT_TO_LEFT_MARK if translate.rtl else ""
    units: dict[Seat | None, list[str]] = {}
    values = []
    for issue in game.issues:
        term = offer.get(issue.name)
        if isinstance(term, Allocation):
            shares: Sequence[tuple[Seat | None, int]] = [(owner, term.of(owner)) for owner in game.seats]
            for owner, n in (*shares, (None, term.undecided)):
                if n:
                    units.setdefault(owner, []).append(
                        displayable(count_text(issue.title, n, translate)) + end
                    )
        elif term is not None:
            values.append(_value(issue, term_text(issue, term, translate), game, translate) + end)
    parts = []
    if seat in units:
        parts.append(translate("{things} for you", things=join_names(units[seat], translate)))
    parts += [
        translate("{things} for {name}", things=join_names(units[other], translate), name=names[other])
        for other in game.others(seat)
        if other in units
    ]
    if None in units:
        parts.append(translate("{things} undecided", things=join_names(units[None], translate)))
    return ", ".join([*parts, *values])


def _value(issue: Issue, text: str, game: GameSpec, translate: Language) -> str:
    """Return a value, with its issue if it is unclear alone: ``Saturday``, ``pension fund 10%``."""
    title, value = localized_text(issue.title, translate), displayable(text)
    choices = [other for other in game.issues if isinstance(other, CategoricalIssue)]
    is_unique = (
        Counter(translate.translate_plugin_text(each) for other in choices for each in other.values)[text]
        == 1
    )
    is_long = sum(map(str.isalpha, value)) >= MIN_NAME_LETTERS
    if is_self_explanatory(title, value) or (is_unique and is_long):
        return value_in_sentence(value, translate)
    return f"{title_in_sentence(title, translate)} {value_in_sentence(value, translate)}"
