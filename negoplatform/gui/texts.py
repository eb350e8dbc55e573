"""What the participant reads, computed without Tk."""

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
from negoplatform.domain.board import Standing
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import Issue, NumberIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import Points
from negoplatform.gui.numbers import number_text

EXPRESSION_WORDS: Mapping[Expression, str] = {
    Expression.NEUTRAL: "Neutral",
    Expression.HAPPY: "Happy",
    Expression.SAD: "Sad",
    Expression.ANGRY: "Angry",
    Expression.SURPRISED: "Surprised",
    Expression.DISGUSTED: "Disgusted",
    Expression.SCARED: "Scared",
    Expression.CONTEMPT: "Scornful",
}

LOOKS: Mapping[Expression, str] = {
    Expression.NEUTRAL: "Looks calm",
    Expression.HAPPY: "Looks pleased",
    Expression.SAD: "Looks sad",
    Expression.ANGRY: "Looks angry",
    Expression.SURPRISED: "Looks surprised",
    Expression.DISGUSTED: "Looks disgusted",
    Expression.SCARED: "Looks worried",
    Expression.CONTEMPT: "Looks scornful",
}

PARTICIPANTS_EXPRESSIONS = (
    Expression.NEUTRAL,
    Expression.HAPPY,
    Expression.SAD,
    Expression.ANGRY,
    Expression.SURPRISED,
)
"""The emotions that a participant can show."""

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

RESUMED = "The negotiation goes on after an interruption; the clock stood still meanwhile"
"""What a participant reads where a session goes on."""

STANDING_WORDS: Mapping[Standing, str] = {
    Standing.AGREED: "so far: agreed",
    Standing.OPEN: "so far: open",
    Standing.DISPUTED: "so far: you differ",
}


def clock_text(seconds: float | None) -> str:
    """Time left as ``09:41``; a begun second counts whole, so that 00:00 means over."""
    if seconds is None:
        return "no limit"
    whole = max(0, ceil(seconds - 1e-6))
    return f"{whole // 60:02d}:{whole % 60:02d}"


def date_text(when: datetime) -> str:
    """A day: ``3 June 2026``."""
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"


def duration_text(seconds: float) -> str:
    """How long something took: ``45 s``, ``3 min 20 s``, ``1 h 5 min``."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def points_text(points: Points) -> str:
    """``1 point``, ``12 points``, ``2.5 points``."""
    number = figure(points)
    return f"{number} point{'' if number == '1' else 's'}"


def figure(points: Points) -> str:
    """Points as a bare number, to two decimals: ``12``, ``2.5``."""
    text = f"{points:.2f}".rstrip("0").rstrip(".") if isinstance(points, float) else str(points)
    return "0" if text == "-0" else text


def signed(points: Points) -> str:
    """A difference in points: ``+5``, ``-2.5``, ``+0``."""
    text = figure(points)
    return text if text.startswith("-") else f"+{text}"


def drawable(text: str) -> str:
    """Text as the window can draw it: what lies beyond the basic plane is written by name.

    Tk on X11 draws emoji by luck and can end the process over them; the log keeps the text as it was typed.
    """
    return "".join(
        char if ord(char) <= 0xFFFF else f"[{unicodedata.name(char, 'symbol').lower()}]" for char in text
    )


def role(name: str) -> str:
    """A seat's or profile's name as people read it: ``long_term`` is "long term"."""
    return drawable(name.replace("_", " "))


def short(text: str, longest: int) -> str:
    """A text cut to a length, with a sign that it was."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def no_deal_text(preferences: Preferences) -> str:
    """What time costs and what walking away pays, where a participant would not expect it."""
    said = []
    cost = preferences.time_cost
    if cost is not None and cost.points:
        said.append(
            f"Every {cost.period_seconds:g} seconds cost you {points_text(cost.points)}, "
            "with a deal and without."
        )
    if preferences.quit_value != preferences.reservation_value:
        said.append(
            f"If time runs out you get {points_text(preferences.reservation_value)}, "
            f"if anybody walks away {points_text(preferences.quit_value)}."
        )
    return " ".join(said)


def offer_rows(
    offer: Offer, game: GameSpec, seat: Seat, names: Mapping[Seat, str]
) -> tuple[tuple[str, str], ...]:
    """An offer as pairs of issue and what it says: ``("Bananas", "you 3, Rowan 1")``."""
    rows = []
    for issue in game.issues:
        term = offer.get(issue.name)
        if isinstance(term, Allocation):
            order = (seat, *game.others(seat))
            parts = [f"{'you' if who == seat else names[who]} {term.of(who)}" for who in order]
            rows.append(
                (
                    drawable(issue.title),
                    ", ".join([*parts, f"undecided {term.undecided}"] if term.undecided else parts),
                )
            )
        elif term is not None:
            rows.append((drawable(issue.title), drawable(_term_text(issue, term))))
    return tuple(rows)


def _term_text(issue: Issue, term: str | int | float) -> str:
    if isinstance(term, str):
        return term
    return number_text(term, issue.unit if isinstance(issue, NumberIssue) else "")


def ending_heading(ending: Ending, seat: Seat) -> str:
    """The end in a few words."""
    match ending.ended_by:
        case EndedBy.AGREEMENT:
            return "You have a deal"
        case EndedBy.TIMEOUT:
            return "Time is up: no deal"
        case EndedBy.QUIT:
            return "You walked away: no deal" if ending.by == seat else "The other side walked away: no deal"
        case _:
            return "The negotiation has ended early"


def event_text(event: Event, seat: Seat, names: Mapping[Seat, str]) -> str:
    """What a transcript says about an event; empty for what leaves no line."""
    mine = event.sender == seat
    who = "You" if mine else names.get(event.sender, "")
    match event.payload:
        case Message(text):
            return drawable(text)
        case OfferMade():
            return "Your offer" if mine else f"{who}’s offer"
        case ExpressionShown(expression):
            return f"{who} {'look' if mine else 'looks'} {EXPRESSION_WORDS[expression].lower()}"
        case Accepted():
            return f"{who} {'accept' if mine else 'accepts'} the offer on the table"
        case Announced(text=text):
            return drawable(text)
        case Refusal(reason=reason):
            return drawable(reason)
        case Ending():
            return ending_heading(event.payload, seat)
        case _ if event.type == EventType.GAME_START:
            return "The negotiation starts"
        case _ if event.type == EventType.FORMAL_QUIT:
            return f"{who} {'walk' if mine else 'walks'} away"
        case _:
            return ""
