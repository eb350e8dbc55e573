"""An offer in one line of words: ``3 apples for you, 3 for Rowan, Saturday``. No Tk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat import Seat
from negoplatform.presentation.formatting import displayable, join_names, localized_text, term_text
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.noun_forms import (
    count_text,
    is_self_explanatory,
    title_in_sentence,
    value_in_sentence,
)

RIGHT_TO_LEFT_MARK = "\u200f"
"""Behind words of a game, which are read from left to right: the comma stays out of their order."""

MIN_NAME_LETTERS = 6
"""A value with fewer letters, such as "with" or "0%", says too little by itself."""


def offer_sentence(
    offer: Offer, game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> str:
    """Return an offer as it stands inside a sentence, without colons; units first, then values."""
    end = RIGHT_TO_LEFT_MARK if translate.rtl else ""
    units: dict[Seat | None, list[str]] = {}
    values = []
    for issue in game.issues:
        term = offer.get(issue.name)
        if isinstance(term, Allocation):
            shares: Sequence[tuple[Seat | None, int]] = [(who, term.of(who)) for who in game.seats]
            for who, n in (*shares, (None, term.undecided)):
                if n:
                    units.setdefault(who, []).append(displayable(count_text(issue.title, n, translate)) + end)
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
    """A value alone where it says enough, else with its issue: ``Saturday``, ``pension fund 10%``."""
    title, value = localized_text(issue.title, translate), displayable(text)
    choices = [other for other in game.issues if isinstance(other, CategoricalIssue)]
    told_once = (
        Counter(translate.translate_plugin_text(each) for other in choices for each in other.values)[text]
        == 1
    )
    telling = sum(map(str.isalpha, value)) >= MIN_NAME_LETTERS
    if is_self_explanatory(title, value) or (told_once and telling):
        return value_in_sentence(value, translate)
    return f"{title_in_sentence(title, translate)} {value_in_sentence(value, translate)}"
