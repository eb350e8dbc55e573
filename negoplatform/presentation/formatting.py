"""Texts for the participant, computed without Tk."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import datetime
from math import ceil

from negoplatform.core.events import (
    Accepted,
    Announced,
    EndedBy,
    Ending,
    Event,
    EventType,
    Expression,
    ExpressionShown,
    Message,
    OfferMade,
    Refusal,
)
from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_texts import display_name
from negoplatform.domain.issue import Issue, NumberIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import Points
from negoplatform.presentation.agreement_status import Progress
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.number_format import number_text

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

OWN_EXPRESSION_SENTENCES: Mapping[Expression, str] = {
    Expression.NEUTRAL: gettext_noop("You look neutral"),
    Expression.HAPPY: gettext_noop("You look happy"),
    Expression.SAD: gettext_noop("You look sad"),
    Expression.ANGRY: gettext_noop("You look angry"),
    Expression.SURPRISED: gettext_noop("You look surprised"),
    Expression.DISGUSTED: gettext_noop("You look disgusted"),
    Expression.SCARED: gettext_noop("You look scared"),
    Expression.CONTEMPT: gettext_noop("You look scornful"),
}

NAMED_EXPRESSION_SENTENCES: Mapping[Expression, str] = {
    Expression.NEUTRAL: gettext_noop("{name} looks neutral"),
    Expression.HAPPY: gettext_noop("{name} looks happy"),
    Expression.SAD: gettext_noop("{name} looks sad"),
    Expression.ANGRY: gettext_noop("{name} looks angry"),
    Expression.SURPRISED: gettext_noop("{name} looks surprised"),
    Expression.DISGUSTED: gettext_noop("{name} looks disgusted"),
    Expression.SCARED: gettext_noop("{name} looks scared"),
    Expression.CONTEMPT: gettext_noop("{name} looks scornful"),
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
    offer: Offer, game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> tuple[tuple[str, str], ...]:
    """Return an offer as pairs of issue and terms: ``("Bananas", "you 3, Rowan 1")``."""
    rows = []
    for issue in game.issues:
        term = offer.get(issue.name)
        if isinstance(term, Allocation):
            order = (seat, *game.others(seat))
            parts = [
                translate("you {n}", n=term.of(who))
                if who == seat
                else translate("{name} {n}", name=names[who], n=term.of(who))
                for who in order
            ]
            if term.undecided:
                parts.append(translate("undecided {n}", n=term.undecided))
            rows.append((localized_text(issue.title, translate), ", ".join(parts)))
        elif term is not None:
            rows.append(
                (localized_text(issue.title, translate), displayable(term_text(issue, term, translate)))
            )
    return tuple(rows)


def term_text(issue: Issue, term: str | int | float, translate: Language) -> str:
    """Return a value, or a number with its unit."""
    if isinstance(term, str):
        return translate.translate_plugin_text(term)
    return number_text(term, translate, issue.unit if isinstance(issue, NumberIssue) else "")


def ending_heading(ending: Ending, seat: Seat, translate: Language) -> str:
    """Return the ending in a few words."""
    match ending.ended_by:
        case EndedBy.AGREEMENT:
            return translate("You have a deal")
        case EndedBy.TIMEOUT:
            return translate("Time is up: no deal")
        case EndedBy.QUIT if ending.by == seat:
            return translate("You walked away: no deal")
        case EndedBy.QUIT:
            return translate("The other side walked away: no deal")
        case _:
            return translate("The negotiation has ended early")


def event_text(
    event: Event, seat: Seat, names: Mapping[Seat, str], translate: Language, *, maker: Seat | None = None
) -> str:
    """Return the transcript's text for an event; empty if the event has no entry.

    Args:
        event: The event.
        seat: Seat of the reader.
        names: Display names of the other seats.
        translate: Translation into the window's language.
        maker: For an acceptance, sender of the accepted offer.
    """
    mine, name = event.sender == seat, names.get(event.sender, "")
    match event.payload:
        case Message(text):
            return displayable(text)
        case Announced(text=text):
            return localized_text(text, translate)
        case OfferMade():
            return translate("Your offer") if mine else translate("{name}’s offer", name=name)
        case ExpressionShown(expression):
            return (
                translate(OWN_EXPRESSION_SENTENCES[expression])
                if mine
                else translate(NAMED_EXPRESSION_SENTENCES[expression], name=name)
            )
        case Accepted():
            return _accepted_text(seat, event.sender, maker, names, translate)
        case Refusal(reason=reason):
            return displayable(translate(reason))
        case Ending():
            return ending_heading(event.payload, seat, translate)
        case _ if event.type == EventType.GAME_START:
            return translate("The negotiation starts")
        case _ if event.type == EventType.FORMAL_QUIT:
            return translate("You walk away") if mine else translate("{name} walks away", name=name)
        case _:
            return ""


def _accepted_text(
    seat: Seat, sender: Seat, maker: Seat | None, names: Mapping[Seat, str], translate: Language
) -> str:
    """Return the text of an acceptance."""
    if sender == seat:
        if maker == seat:
            return translate("You confirmed your offer")
        return translate("You accepted {name}’s offer", name=names.get(maker or "", ""))
    name = names.get(sender, "")
    if maker == seat:
        return translate("{name} accepted your offer", name=name)
    if maker == sender:
        return translate("{name} confirmed their own offer", name=name)
    return translate("{name} accepted {maker}’s offer", name=name, maker=names.get(maker or "", ""))
