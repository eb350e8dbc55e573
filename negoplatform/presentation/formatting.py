"""Texts for the participant, computed without Tk."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import datetime
from math import ceil

from negoplatform.core.events import Expression
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, NumberIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat import Seat
from negoplatform.domain.translatable_game_texts import display_name
from negoplatform.domain.utility import Points
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.issue_agreement import Progress
from negoplatform.presentation.number_parsing import number_text

EXPRESSION_WORDS: Mapping[Expression, str] = {
    Expression.NEUTRAL: gettext_noop("Neutral"),
    Expression.HAPPY: gettext_noop("Happy"),
    Expression.SAD: gettext_noop("Sad"),
    Expression.ANGRY: gettext_noop("Angry"),
    Expression.SURPRISED: gettext_noop("Surprised"),
    Expression.DISGUSTED: gettext_noop("Disgusted"),
    Expression.SCARED: gettext_noop("Scared"),
    Expression.CONTEMPT: gettext_noop("Scornful"),
}

EXPRESSION_SENTENCES: Mapping[Expression, str] = {
    Expression.NEUTRAL: gettext_noop("Looks calm"),
    Expression.HAPPY: gettext_noop("Looks pleased"),
    Expression.SAD: gettext_noop("Looks sad"),
    Expression.ANGRY: gettext_noop("Looks angry"),
    Expression.SURPRISED: gettext_noop("Looks surprised"),
    Expression.DISGUSTED: gettext_noop("Looks disgusted"),
    Expression.SCARED: gettext_noop("Looks worried"),
    Expression.CONTEMPT: gettext_noop("Looks scornful"),
}

PARTICIPANTS_EXPRESSIONS = (
    Expression.NEUTRAL,
    Expression.HAPPY,
    Expression.SAD,
    Expression.ANGRY,
    Expression.SURPRISED,
)
"""Expressions that a participant can show."""

MONTHS = (
    *(
        gettext_noop("January"),
        gettext_noop("February"),
        gettext_noop("March"),
        gettext_noop("April"),
        gettext_noop("May"),
        gettext_noop("June"),
    ),
    *(
        gettext_noop("July"),
        gettext_noop("August"),
        gettext_noop("September"),
        gettext_noop("October"),
        gettext_noop("November"),
        gettext_noop("December"),
    ),
)

RESUMED = gettext_noop(
    "The negotiation continues after an interruption; the clock was stopped in the meantime"
)
"""Transcript entry for a resumption."""

PROGRESS_WORDS: Mapping[Progress, str] = {
    Progress.AGREED: gettext_noop("agreed"),
    Progress.SAME: gettext_noop("same in both offers"),
    Progress.DIFFER: gettext_noop("not agreed"),
    Progress.OPEN: gettext_noop("open"),
}


def clock_text(seconds: float | None, translate: Language) -> str:
    """Return the remaining time as ``09:41``; rounded up, so that 00:00 means that time is up."""
    if seconds is None:
        return translate("no limit")
    whole = max(0, ceil(seconds - 1e-6))
    return f"{whole // 60:02d}:{whole % 60:02d}"


def date_text(when: datetime, translate: Language) -> str:
    """Return a date: ``3 June 2026``."""
    return translate(
        "{day} {month} {year}", day=when.day, month=translate(MONTHS[when.month - 1]), year=when.year
    )


def duration_text(seconds: float, translate: Language) -> str:
    """Return a duration: ``45 s``, ``3 min 20 s``, ``10 minutes``, ``1 h 5 min``."""
    whole = int(seconds)
    if whole < 60:
        return translate("{s} s", s=whole)
    if whole < 3600 and whole % 60:
        return translate("{m} min {s} s", m=whole // 60, s=whole % 60)
    if whole < 3600:
        return translate.plural("{n} minute", "{n} minutes", whole // 60)
    return translate("{h} h {m} min", h=whole // 3600, m=whole % 3600 // 60)


def points_text(points: Points, translate: Language) -> str:
    """Return points with their unit: ``1 point``, ``12 points``, ``2.5 points``."""
    # The plural depends on the displayed number: 0.9999 is displayed as 1.
    shown, number = round(float(points), 2), format_number(points, translate)
    return translate.plural("{n} point", "{n} points", shown, n=number)


def format_number(points: Points, translate: Language) -> str:
    """Return points as a plain number, to two decimals: ``12``, ``2.5``."""
    text = f"{points:.2f}".rstrip("0").rstrip(".") if isinstance(points, float) else str(points)
    return "0" if text == "-0" else translate.localize_number(text)


def format_difference(points: Points, translate: Language) -> str:
    """Return a difference in points: ``+5``, ``-2.5``, ``+0``."""
    text = format_number(points, translate)
    return text if text.startswith("-") else f"+{text}"


def displayable(text: str) -> str:
    """Return a text that the window can draw: characters beyond the basic plane are replaced by their names.

    Tk on X11 may end the process when it draws emoji; the log keeps the text as typed.
    """
    return "".join(
        char if ord(char) <= 0xFFFF else f"[{unicodedata.name(char, 'symbol').lower()}]" for char in text
    )


def role_name(name: str) -> str:
    """Return a seat's or profile's name for display: ``long_term`` is "long term"."""
    return displayable(display_name(name))


def localized_text(text: str, translate: Language) -> str:
    """Return a game's own text for display; a shipped game's is in the window's language."""
    return displayable(translate.translate_plugin_text(text))


def localized_role(name: str, translate: Language) -> str:
    """Return a seat's or profile's name for display, in the window's language."""
    return localized_text(display_name(name), translate)


def truncate(text: str, longest: int) -> str:
    """Return a text cut to a maximum length, with an ellipsis if it was longer."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def join_names(names: list[str], translate: Language) -> str:
    """Return ``a``, ``a and b``, or ``a, b and c``."""
    if len(names) < 2:
        return "".join(names)
    return translate("{some} and {last}", some=", ".join(names[:-1]), last=names[-1])


def interval_text(seconds: float, translate: Language) -> str:
    """Return an interval: ``every minute``, ``every 2 minutes``, ``every 45 s``."""
    if seconds == 60:
        return translate("every minute")
    if seconds != int(seconds):
        return translate("every {s} s", s=f"{seconds:g}")
    return translate("every {time}", time=duration_text(seconds, translate))


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
    """Return an issue's terms in words, the reader's own units first: ``you 3, Rowan 1``."""
    if not isinstance(term, Allocation):
        return displayable(term_text(issue, term, translate))
    own = [] if seat is None else [translate("you {n}", n=term.of(seat))]
    others = [other for other in game.seats if other != seat]
    parts = [*own, *(translate("{name} {n}", name=names[other], n=term.of(other)) for other in others)]
    if term.undecided:
        parts.append(translate("undecided {n}", n=term.undecided))
    return ", ".join(parts)


def term_text(issue: Issue, term: str | int | float, translate: Language) -> str:
    """Return a value, or a number with its unit."""
    if isinstance(term, str):
        return translate.translate_plugin_text(term)
    return number_text(term, translate, issue.unit if isinstance(issue, NumberIssue) else "")
