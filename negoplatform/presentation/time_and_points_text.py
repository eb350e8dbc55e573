"""Times, dates and points as texts for the participant."""

from __future__ import annotations

from datetime import datetime
from math import ceil

from negoplatform.domain.utility import Points
from negoplatform.presentation.i18n import Language, gettext_noop

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
    """Return a duration: ``45 s``, ``3 min 20 s``, ``10 minutes``, ``1 h``, ``1 h 5 min``."""
    whole = int(seconds)
    if whole < 60:
        return translate("{s} s", s=whole)
    if whole < 3600 and whole % 60:
        return translate("{m} min {s} s", m=whole // 60, s=whole % 60)
    if whole < 3600:
        return translate.plural("{n} minute", "{n} minutes", whole // 60)
    if not whole % 3600 // 60:
        return translate("{h} h", h=whole // 3600)
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


def interval_text(seconds: float, translate: Language) -> str:
    """Return an interval: ``every minute``, ``every 2 minutes``, ``every 45 s``."""
    if seconds == 60:
        return translate("every minute")
    if seconds != int(seconds):
        return translate("every {s} s", s=f"{seconds:g}")
    return translate("every {time}", time=duration_text(seconds, translate))
