"""What the replay viewer calls events, for whoever may see all of them. No Tk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from negoplatform.app.playback.playback import Mark, Moment
from negoplatform.core.events import (
    Accepted,
    Announced,
    Drafting,
    EndedBy,
    Ending,
    Event,
    EventType,
    ExpressionShown,
    Failure,
    Message,
    Note,
    OfferMade,
    Refusal,
    Resumed,
)
from negoplatform.core.proposals import StateProposal
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.formats.interpretations import Verdict, answer_in, reading_in
from negoplatform.presentation.formatting import (
    EXPRESSION_WORDS,
    NAME_LOOKS,
    RESUMED,
    drawable,
    listed,
    role,
    short,
    shown,
    term_text,
)
from negoplatform.presentation.i18n import Language, mark
from negoplatform.presentation.replay.participants import Cast

LONGEST = 160
"""Characters of a payload that are shown where it has no words of its own."""

MARK_WORDS: Mapping[Mark, str] = {
    Mark.START: mark("Start"),
    Mark.MESSAGE: mark("Message"),
    Mark.OFFER: mark("Offer"),
    Mark.EXPRESSION: mark("Expression"),
    Mark.ACCEPT: mark("Acceptance"),
    Mark.QUIT: mark("Walking away"),
    Mark.ANNOUNCEMENT: mark("Announcement"),
    Mark.REFUSAL: mark("Refusal"),
    Mark.PROPOSAL: mark("Change of the record"),
    Mark.FAILURE: mark("Failure"),
    Mark.RESUMED: mark("Resumed"),
    Mark.NOTE: mark("Note"),
    Mark.END: mark("End"),
}


VERDICT_WORDS: Mapping[Verdict, str] = {
    Verdict.OFFERED: mark("Sent as an offer"),
    Verdict.ACCEPTED: mark("Formally accepted"),
    Verdict.EDITED: mark("Edited in the builder"),
    Verdict.ONLY_SAID: mark("Only said"),
    Verdict.WITHDRAWN: mark("Taken back"),
}


def summary(event: Event, cast: Cast, say: Language) -> str:
    """An event in one sentence or a few words."""
    name = cast.name(event.sender, say)
    match event.payload:
        case Message(text):
            return drawable(text)
        case OfferMade():
            return say("{name}’s offer", name=name)
        case ExpressionShown(expression):
            return say(NAME_LOOKS[expression], name=name)
        case Accepted():
            return say("{name} accepts the offer on the table", name=name)
        case Ending():
            return ending_words(event.payload, cast, say)
        case Announced(text=text):
            return shown(text, say) or say("Announcement: {type}", type=role(event.type))
        case _:
            return _platform_words(event, cast, say)


def _platform_words(event: Event, cast: Cast, say: Language) -> str:
    name = cast.name(event.sender, say)
    match event.payload:
        case Refusal(reason=reason):
            whom = listed([cast.name(seat, say) for seat in event.to], say)
            return say("Refused for {name}: {reason}", name=whom, reason=drawable(say(reason)))
        case Failure(seat=seat, reason=reason):
            whom = cast.name(seat, say)
            return say("{name}’s agent failed: {reason}", name=whom, reason=drawable(reason))
        case Note(kind, data):
            if known := _reading_words(event, say):
                return known
            told = pairs_text(data)
            if not told:
                return say("Note: {kind}", kind=role(kind.value))
            return say("Note: {kind} ({what})", kind=role(kind.value), what=told)
        case StateProposal(accepted=accepted, reason=reason):
            if accepted:
                return say("{name} changes the record", name=name)
            return say("A change to the record was refused: {reason}", reason=drawable(say(reason)))
        case Resumed():
            return say(RESUMED)
        case _:
            return _bare_words(event, name, say)


def _reading_words(event: Event, say: Language) -> str:
    """What somebody typed and was asked about, or what they answered; empty for every other note."""
    read, answer = reading_in(event), answer_in(event)
    if read is not None:
        words = short(drawable(read.text), LONGEST)
        if read.shown:
            return say("Typed, and asked what it means: {words}", words=words)
        return say("Typed: {words}", words=words)
    return "" if answer is None else say("What it means: {answer}", answer=say(VERDICT_WORDS[answer.verdict]))


def _bare_words(event: Event, name: str, say: Language) -> str:
    """An event that says everything by its type."""
    match event.type:
        case EventType.GAME_START:
            return say("The negotiation starts")
        case EventType.FORMAL_QUIT:
            return say("{name} walks away", name=name)
        case EventType.TYPING:
            return say("{name} is typing", name=name)
        case EventType.OFFER_IN_PROGRESS:
            return say("{name} is building an offer", name=name)
        case EventType.TIME:
            return say("Clock ticks")
        case _:
            return drawable(str(event.type))


def ending_words(ending: Ending, cast: Cast, say: Language) -> str:
    """How it ended, for somebody who sits nowhere."""
    match ending.ended_by:
        case EndedBy.AGREEMENT:
            return say("The negotiation ends with a deal")
        case EndedBy.TIMEOUT:
            return say("Time is up: no deal")
        case EndedBy.QUIT:
            return say("{name} walked away: no deal", name=cast.name(ending.by or "", say))
        case _:
            why = drawable(say(ending.reason)) if ending.reason else ""
            return say("The negotiation has ended early. {reason}", reason=why).strip()


def kind_words(moment: Moment, say: Language) -> str:
    """What kind of event it is."""
    if moment.mark is not None:
        return say(MARK_WORDS[moment.mark])
    match moment.event.payload:
        case Drafting():
            return say("Building an offer")
        case _:
            return say("Typing") if moment.event.type == EventType.TYPING else say("Clock")


def term_words(issue: Issue, term: Term, cast: Cast, say: Language) -> str:
    """What is proposed for an issue, with everybody's name."""
    if not isinstance(term, Allocation):
        return drawable(term_text(issue, term, say))
    parts = [say("{name} {n}", name=name, n=term.of(seat)) for seat, name in cast.names.items()]
    if term.undecided:
        parts.append(say("undecided {n}", n=term.undecided))
    return ", ".join(parts)


def offer_pairs(offer: Offer, game: GameSpec, cast: Cast, say: Language) -> list[tuple[str, str]]:
    """An offer, issue by issue."""
    return [
        (shown(issue.title, say), term_words(issue, term, cast, say))
        for issue in game.issues
        if (term := offer.get(issue.name)) is not None
    ]


def offer_line(offer: Offer, game: GameSpec, cast: Cast, say: Language) -> str:
    """The same in one line."""
    return "; ".join(f"{issue}: {words}" for issue, words in offer_pairs(offer, game, cast, say))


def payload_pairs(event: Event, game: GameSpec, cast: Cast, say: Language) -> list[tuple[str, str]]:
    """What an event says, as names with values."""
    match event.payload:
        case Message(text, subtype, preference, batna):
            pairs = [(say("Words"), drawable(text)), (say("Speech act"), subtype.value)]
            if preference is not None:
                pairs.append((say("Preference"), pairs_text(_plain(preference))))
            if batna is not None:
                pairs.append((say("Stated value of no deal"), f"{batna:g}"))
            return pairs
        case OfferMade(offer) | Drafting(draft=Offer() as offer):
            return offer_pairs(offer, game, cast, say)
        case ExpressionShown(expression, duration_ms):
            shown = say(
                "{looks}, for {s} s", looks=say(EXPRESSION_WORDS[expression]), s=f"{duration_ms / 1000:g}"
            )
            return [(say("Shows"), shown)]
        case Ending(deal=Offer() as deal):
            return offer_pairs(deal, game, cast, say)
        case Note(_, data):
            return [(role(name), short(drawable(_text(value)), LONGEST)) for name, value in data.items()]
        case Announced(json=data):
            return [(say("Data"), short(drawable(data), LONGEST))]
        case payload:
            named = _plain(payload).items()
            return [(role(name), short(drawable(_text(value)), LONGEST)) for name, value in named]


def pairs_text(data: Mapping[str, Any]) -> str:
    """Names with their values in one short line."""
    return short(drawable(", ".join(f"{role(k)} {_text(v)}" for k, v in data.items())), LONGEST)


def _plain(value: Any) -> dict[str, Any]:
    """The fields of a frozen value that say something."""
    if not is_dataclass(value):
        return {}
    found = {field.name: getattr(value, field.name) for field in fields(value)}
    return {name: part for name, part in found.items() if part not in (None, "", ())}


def _text(value: Any) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str | int | float):
        return str(value)
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError):
        return str(value)
