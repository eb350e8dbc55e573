"""Offers, terms and numbers in words, from the speaker's point of view."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat

CURRENCY_SIGNS = frozenset("€$£¥")
"""Units that stand where a language writes a currency sign; a word such as USD follows the number."""


@dataclass(frozen=True, slots=True)
class Forms:
    """Forms of expression of a language, from its file in ``language/data/phrasing``.

    Args:
        share: A share, with ``{things}`` and ``{who}``.
        speaker: The pronoun of the speaker in it.
        other: The pronoun of the only other side in it.
        value: A chosen value, with ``{issue}`` and ``{value}``.
        comma: The separator of the parts of a list, and of an offer.
        last: The separator before the last part of a list, and before the last value of an offer.
        titles_are_small: Whether a title within a sentence begins with a lower-case letter.
        one_of_many: Rules from plural to singular: the ending, its replacement, and the minimum number of
            letters before it; the first rule that applies counts.
        all: All goods, as one side's share.
        rest: What is left of the goods, as one side's share.
        thousands: The separator of groups of three digits.
        decimal: The decimal separator.
        money: A number with a currency sign, with ``{number}`` and ``{unit}``.
        points: A number of points, with ``{number}``: one, and any other.
        minutes: A number of minutes, likewise.
        seconds: A number of seconds, likewise.
        for_several: Pairs of words for two in the templates, and what is said instead where there are more.
    """

    share: str
    speaker: str
    other: str
    value: str
    comma: str
    last: str
    titles_are_small: bool
    one_of_many: tuple[tuple[str, str, int], ...]
    all: str
    rest: str
    thousands: str
    decimal: str
    money: str
    points: tuple[str, str]
    minutes: tuple[str, str]
    seconds: tuple[str, str]
    for_several: tuple[tuple[str, str], ...] = ()


def _frozen(value: str | list[str | int]) -> str | tuple[str | int, ...]:
    return value if isinstance(value, str) else tuple(value)


@cache
def forms(language: str) -> Forms:
    """Return the forms of a language.

    Raises:
        AgentError: If the language does not exist.
    """
    file = resources.files("negoplatform.language") / "data" / "phrasing" / f"{language}.json"
    if not language.isidentifier() or not file.is_file():
        raise AgentError(f"Nobody has written down how offers are said in the language {language!r}.")
    read = json.loads(file.read_text(encoding="utf-8"))
    lists = {name: tuple(map(_frozen, value)) for name, value in read.items() if isinstance(value, list)}
    return Forms(**{**read, **lists})


def offer_in_words(
    offer: Offer,
    game: GameSpec,
    speaker: Seat,
    *,
    language: str = "en",
    names: Mapping[Seat, str] | None = None,
) -> str:
    """Return an offer as its maker would say it: "2 apples for me, 4 apples for you and picking on Sunday".

    Each term is said with the noun phrase that its issue has for it (``spoken``); without one, a number of
    units with the title, and a value as "Sunday for the day".

    Args:
        offer: The offer, complete or partial; open issues are left out.
        game: The game; its spoken forms, titles and values are used unchanged.
        speaker: The speaker's seat.
        language: The language, such as ``en``.
        names: The names of seats in a game of more than two, "you" for one that is spoken to; their own names
            unless given.

    Raises:
        AgentError: If the language does not exist.
    """
    form = forms(language)
    shares: dict[Seat, list[str]] = {}
    values: list[str] = []
    for issue in game.issues:
        term = offer.get(issue.name)
        if isinstance(term, Allocation):
            for seat in _in_order(game, speaker):
                if term.of(seat):
                    shares.setdefault(seat, []).append(units_in_words(term.of(seat), issue, language))
        elif term is not None:
            values.append(_choice_in_words(issue, term, form, language))
    parts = [
        form.share.format(
            things=list_in_words(shares[seat], language), who=_pronoun(seat, game, speaker, form, names)
        )
        for seat in _in_order(game, speaker)
        if seat in shares
    ]
    if not values:
        return form.comma.join(parts)
    return list_in_words([*parts, *values], language)


def term_in_words(
    issue: Issue,
    term: Term,
    game: GameSpec,
    speaker: Seat,
    *,
    language: str = "en",
    names: Mapping[Seat, str] | None = None,
) -> str:
    """Return one term of an offer as its maker would say it."""
    return offer_in_words(Offer({issue.name: term}), game, speaker, language=language, names=names)


def units_in_words(units: int, issue: Issue, language: str = "en") -> str:
    """Return a number of units of an issue: "2 food", "1 apple", "3 bottles of water"."""
    if isinstance(issue, QuantityIssue) and issue.spoken:
        return f"{units} {issue.spoken[0 if units == 1 else 1]}"
    title = title_in_words(issue, language)
    return f"{units} {_singular(title, forms(language)) if units == 1 else title}"


def value_in_words(term: Term, issue: Issue, language: str = "en") -> str:
    """Return a value or a number as people read it: "Sunday", "€4,500", "12 days"."""
    if not isinstance(issue, NumberIssue) or isinstance(term, str | Allocation):
        return str(term)
    form = forms(language)
    # Not number_in_words: it rounds to six digits, and a term is exact.
    number = f"{term:,}".translate({ord(","): form.thousands, ord("."): form.decimal})
    if issue.unit in CURRENCY_SIGNS:
        return form.money.format(number=number, unit=issue.unit)
    return f"{number} {issue.unit}".rstrip()


def title_in_words(issue: Issue, language: str = "en") -> str:
    """Return a title within a sentence; one with a later capital (QA, US dollars) is unchanged."""
    if issue.spoken_title:
        return issue.spoken_title
    title = issue.title
    small = forms(language).titles_are_small and title[1:] == title[1:].lower()
    return title[:1].lower() + title[1:] if small else title


def number_in_words(number: float, language: str = "en") -> str:
    """Return a number as people read it: "1,234.5"."""
    form = forms(language)
    return f"{number:,g}".translate({ord(","): form.thousands, ord("."): form.decimal})


def points_in_words(points: float, language: str = "en") -> str:
    """Return a number of points: "12 points"."""
    return _counted(forms(language).points, points, number_in_words(points, language))


def time_in_words(seconds: float, language: str = "en") -> str:
    """Return a time in whole minutes from 90 seconds on, else in seconds: "2 minutes", "45 seconds"."""
    minutes = round(seconds / 60)
    if minutes > 1:
        return _counted(forms(language).minutes, minutes, str(minutes))
    return _counted(forms(language).seconds, round(seconds), str(round(seconds)))


def _counted(words: tuple[str, str], count: float, number: str) -> str:
    one, many = words
    return (one if count == 1 else many).format(number=number)


def list_in_words(parts: list[str], language: str = "en") -> str:
    """Return a list in words: "a, b and c"."""
    form = forms(language)
    return parts[0] if len(parts) == 1 else f"{form.comma.join(parts[:-1])}{form.last}{parts[-1]}"


def _singular(title: str, form: Forms) -> str:
    """Return the singular of a title; one that is not a regular plural of its language is unchanged."""
    for many, one, before in form.one_of_many:
        if title.endswith(many) and len(title) >= before + len(many):
            return title.removesuffix(many) + one
    return title


def _choice_in_words(issue: Issue, term: Term, form: Forms, language: str) -> str:
    """Return a chosen value or number; a value alone if it names the issue itself: "With leased car"."""
    value = value_in_words(term, issue, language)
    match issue:
        case CategoricalIssue(spoken=phrases) if phrases and term in issue.values:
            return phrases[issue.values.index(str(term))]
        case NumberIssue(spoken=phrase) if phrase:
            return phrase.replace("{value}", value)
    if re.search(rf"\b{re.escape(issue.title)}\b", value, re.IGNORECASE):
        return value
    return form.value.format(issue=title_in_words(issue, language), value=value)


def _in_order(game: GameSpec, speaker: Seat) -> tuple[Seat, ...]:
    return (speaker, *game.others(speaker))


def _pronoun(seat: Seat, game: GameSpec, speaker: Seat, form: Forms, names: Mapping[Seat, str] | None) -> str:
    if seat == speaker:
        return form.speaker
    return form.other if len(game.seats) == 2 else (names or {}).get(seat, seat)
