"""What the replay viewer calls events, for whoever may see all of them. No Tk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from negoplatform.app.playback.playback import ObservedEvent, TimelineMarkKind
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
from negoplatform.formats.interpretations import (
    InterpretationVerdict,
    parse_interpretation,
    parse_interpretation_answer,
)
from negoplatform.presentation.formatting import (
    EXPRESSION_WORDS,
    NAMED_EXPRESSION_SENTENCES,
    RESUMED,
    displayable,
    join_names,
    localized_text,
    role_name,
    term_text,
    truncate,
)
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.replay.participants import Participants

LONGEST = 160
"""Characters of a payload that are shown where it has no words of its own."""

MARK_WORDS: Mapping[TimelineMarkKind, str] = {
    TimelineMarkKind.START: gettext_noop("Start"),
    TimelineMarkKind.MESSAGE: gettext_noop("Message"),
    TimelineMarkKind.OFFER: gettext_noop("Offer"),
    TimelineMarkKind.EXPRESSION: gettext_noop("Expression"),
    TimelineMarkKind.ACCEPT: gettext_noop("Acceptance"),
    TimelineMarkKind.QUIT: gettext_noop("Walking away"),
    TimelineMarkKind.ANNOUNCEMENT: gettext_noop("Announcement"),
    TimelineMarkKind.REFUSAL: gettext_noop("Refusal"),
    TimelineMarkKind.PROPOSAL: gettext_noop("Change of the record"),
    TimelineMarkKind.FAILURE: gettext_noop("Failure"),
    TimelineMarkKind.RESUMED: gettext_noop("Resumed"),
    TimelineMarkKind.NOTE: gettext_noop("Note"),
    TimelineMarkKind.END: gettext_noop("End"),
}


VERDICT_WORDS: Mapping[InterpretationVerdict, str] = {
    InterpretationVerdict.OFFERED: gettext_noop("Sent as an offer"),
    InterpretationVerdict.ACCEPTED: gettext_noop("Formally accepted"),
    InterpretationVerdict.EDITED: gettext_noop("Edited in the builder"),
    InterpretationVerdict.ONLY_SAID: gettext_noop("Only said"),
    InterpretationVerdict.WITHDRAWN: gettext_noop("Taken back"),
}


def event_summary(event: Event, participants: Participants, translate: Language) -> str:
    """An event in one sentence or a few words."""
    name = participants.name(event.sender, translate)
    match event.payload:
        case Message(text):
            return displayable(text)
        case OfferMade():
            return translate("{name}’s offer", name=name)
        case ExpressionShown(expression):
            return translate(NAMED_EXPRESSION_SENTENCES[expression], name=name)
        case Accepted():
            return translate("{name} accepts the offer on the table", name=name)
        case Ending():
            return ending_words(event.payload, participants, translate)
        case Announced(text=text):
            return localized_text(text, translate) or translate(
                "Announcement: {type}", type=role_name(event.type)
            )
        case _:
            return _platform_words(event, participants, translate)


def _platform_words(event: Event, participants: Participants, translate: Language) -> str:
    name = participants.name(event.sender, translate)
    match event.payload:
        case Refusal(reason=reason):
            whom = join_names([participants.name(seat, translate) for seat in event.to], translate)
            return translate("Refused for {name}: {reason}", name=whom, reason=displayable(translate(reason)))
        case Failure(seat=seat, reason=reason):
            whom = participants.name(seat, translate)
            return translate("{name}’s agent failed: {reason}", name=whom, reason=displayable(reason))
        case Note(kind, data):
            if known := _reading_words(event, translate):
                return known
            told = pairs_text(data)
            if not told:
                return translate("Note: {kind}", kind=role_name(kind.value))
            return translate("Note: {kind} ({what})", kind=role_name(kind.value), what=told)
        case StateProposal(accepted=accepted, reason=reason):
            if accepted:
                return translate("{name} changes the record", name=name)
            return translate(
                "A change to the record was refused: {reason}", reason=displayable(translate(reason))
            )
        case Resumed():
            return translate(RESUMED)
        case _:
            return _bare_words(event, name, translate)


def _reading_words(event: Event, translate: Language) -> str:
    """What somebody typed and was asked about, or what they answered; empty for every other note."""
    read, answer = parse_interpretation(event), parse_interpretation_answer(event)
    if read is not None:
        words = truncate(displayable(read.text), LONGEST)
        if read.shown:
            return translate("Typed, and asked what it means: {words}", words=words)
        return translate("Typed: {words}", words=words)
    return (
        ""
        if answer is None
        else translate("What it means: {answer}", answer=translate(VERDICT_WORDS[answer.verdict]))
    )


def _bare_words(event: Event, name: str, translate: Language) -> str:
    """An event that says everything by its type."""
    match event.type:
        case EventType.GAME_START:
            return translate("The negotiation starts")
        case EventType.FORMAL_QUIT:
            return translate("{name} walks away", name=name)
        case EventType.TYPING:
            return translate("{name} is typing", name=name)
        case EventType.OFFER_IN_PROGRESS:
            return translate("{name} is building an offer", name=name)
        case EventType.TIME:
            return translate("Clock ticks")
        case _:
            return displayable(str(event.type))


def ending_words(ending: Ending, participants: Participants, translate: Language) -> str:
    """How it ended, for somebody who sits nowhere."""
    match ending.ended_by:
        case EndedBy.AGREEMENT:
            return translate("The negotiation ends with a deal")
        case EndedBy.TIMEOUT:
            return translate("Time is up: no deal")
        case EndedBy.QUIT:
            return translate(
                "{name} walked away: no deal", name=participants.name(ending.by or "", translate)
            )
        case _:
            why = displayable(translate(ending.reason)) if ending.reason else ""
            return translate("The negotiation has ended early. {reason}", reason=why).strip()


def kind_words(moment: ObservedEvent, translate: Language) -> str:
    """What kind of event it is."""
    if moment.mark is not None:
        return translate(MARK_WORDS[moment.mark])
    match moment.event.payload:
        case Drafting():
            return translate("Building an offer")
        case _:
            return translate("Typing") if moment.event.type == EventType.TYPING else translate("Clock")


def term_words(issue: Issue, term: Term, participants: Participants, translate: Language) -> str:
    """What is proposed for an issue, with everybody's name."""
    if not isinstance(term, Allocation):
        return displayable(term_text(issue, term, translate))
    parts = [translate("{name} {n}", name=name, n=term.of(seat)) for seat, name in participants.names.items()]
    if term.undecided:
        parts.append(translate("undecided {n}", n=term.undecided))
    return ", ".join(parts)


def offer_pairs(
    offer: Offer, game: GameSpec, participants: Participants, translate: Language
) -> list[tuple[str, str]]:
    """An offer, issue by issue."""
    return [
        (localized_text(issue.title, translate), term_words(issue, term, participants, translate))
        for issue in game.issues
        if (term := offer.get(issue.name)) is not None
    ]


def offer_line(offer: Offer, game: GameSpec, participants: Participants, translate: Language) -> str:
    """The same in one line."""
    return "; ".join(
        f"{issue}: {words}" for issue, words in offer_pairs(offer, game, participants, translate)
    )


def payload_pairs(
    event: Event, game: GameSpec, participants: Participants, translate: Language
) -> list[tuple[str, str]]:
    """What an event says, as names with values."""
    match event.payload:
        case Message(text, subtype, preference, batna):
            pairs = [(translate("Words"), displayable(text)), (translate("Speech act"), subtype.value)]
            if preference is not None:
                pairs.append((translate("Preference"), pairs_text(_set_fields(preference))))
            if batna is not None:
                pairs.append((translate("Stated value of no deal"), f"{batna:g}"))
            return pairs
        case OfferMade(offer) | Drafting(draft=Offer() as offer):
            return offer_pairs(offer, game, participants, translate)
        case ExpressionShown(expression, duration_ms):
            shown = translate(
                "{looks}, for {s} s",
                looks=translate(EXPRESSION_WORDS[expression]),
                s=f"{duration_ms / 1000:g}",
            )
            return [(translate("Shows"), shown)]
        case Ending(deal=Offer() as deal):
            return offer_pairs(deal, game, participants, translate)
        case Note(_, data):
            return [
                (role_name(name), truncate(displayable(_text(value)), LONGEST))
                for name, value in data.items()
            ]
        case Announced(json=data):
            return [(translate("Data"), truncate(displayable(data), LONGEST))]
        case payload:
            named = _set_fields(payload).items()
            return [(role_name(name), truncate(displayable(_text(value)), LONGEST)) for name, value in named]


def pairs_text(data: Mapping[str, Any]) -> str:
    """Names with their values in one short line."""
    return truncate(displayable(", ".join(f"{role_name(k)} {_text(v)}" for k, v in data.items())), LONGEST)


def _set_fields(value: Any) -> dict[str, Any]:
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
