"""Events in words: for a participant's transcript, and for an observer of everything that was recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum
from typing import Any

from negoplatform.core.events import (
    Accepted,
    Announced,
    EndedBy,
    Ending,
    Event,
    EventType,
    Expression,
    ExpressionShown,
    Failure,
    Message,
    Note,
    OfferMade,
    Refusal,
    payload_fields,
)
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.domain.agreement_rules import Outvoted
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.interpretations import (
    InterpretationVerdict,
    parse_interpretation,
    parse_interpretation_answer,
)
from negoplatform.presentation.game_words import game_words
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.localized_names import (
    displayable,
    join_names,
    localized_text,
    role_name,
    truncate,
)
from negoplatform.presentation.refusals_for_translation import localized_refusal

LONGEST = 160
"""Maximum number of characters shown of recorded data and of typed words."""

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

VERDICT_WORDS: Mapping[InterpretationVerdict, str] = {
    InterpretationVerdict.OFFERED: gettext_noop("Sent as an offer"),
    InterpretationVerdict.ACCEPTED: gettext_noop("Formally accepted"),
    InterpretationVerdict.EDITED: gettext_noop("Edited in the builder"),
    InterpretationVerdict.ONLY_SAID: gettext_noop("Only said"),
    InterpretationVerdict.WITHDRAWN: gettext_noop("Taken back"),
}


def event_text(
    event: Event,
    seat: Seat | None,
    names: Mapping[Seat, str],
    translate: Language,
    *,
    mechanism: str = BARGAINING,
    maker: Seat | None = None,
    outvoted: Outvoted = Outvoted.BOUND,
    last_offer: bool = False,
) -> str:
    """Return an event in one sentence or a few words.

    A participant's transcript has no line for some events: for these the text is empty. An observer's text
    is never empty, except for a message without words.

    Args:
        event: The event.
        seat: The reader's seat; None for an observer, who may see the whole log.
        names: The displayed names: of the other seats for a participant, of all seats for an observer.
        translate: The window's language.
        mechanism: The mechanism of the game.
        maker: For an acceptance that a participant reads, the seat whose offer was accepted.
        outvoted: The game's rule for the seats that have not accepted a deal.
        last_offer: Whether the game has ended because its last offer was not accepted in time.
    """
    mine, observed = event.sender == seat, seat is None
    match event.payload:
        case Message(text):
            return displayable(text)
        case Announced(text=text):
            announced = localized_text(text, translate)
            if announced or not observed:
                return announced
            return translate("Announcement: {type}", type=role_name(event.type))
        case OfferMade():
            name = displayed_name(event.sender, names, translate)
            return translate("Your offer") if mine else translate("{name}’s offer", name=name)
        case ExpressionShown(expression):
            return expression_sentence(expression, event.sender, seat, names, translate)
        case Accepted() if seat is not None:
            return _accepted_text(seat, event.sender, maker, names, translate)
        case Refusal(reason=reason) if seat is not None:
            return localized_refusal(reason, translate)
        case Ending():
            return ending_text(
                event.payload, seat, names, translate, outvoted, mechanism=mechanism, last_offer=last_offer
            )
        case _ if event.type == EventType.GAME_START:
            return translate(game_words(mechanism).starts)
        case _ if event.type == EventType.FORMAL_QUIT:
            name, words = displayed_name(event.sender, names, translate), game_words(mechanism)
            return translate(words.you_leave) if mine else translate(words.leaves, name=name)
        case _:
            return _observer_text(event, names, translate, mechanism) if observed else ""


def displayed_name(sender: str, names: Mapping[Seat, str], translate: Language) -> str:
    """Return the name of a seat, or of the platform."""
    return names.get(sender) or translate("Platform")


def address_text(event: Event, seat: Seat | None, names: Mapping[Seat, str], translate: Language) -> str:
    """Return who alone receives a message: ``only to you and Kim``; empty for what everyone receives.

    With one other there is nothing to say. ``seat`` is the reader's, None for an observer, for whom
    ``names`` has every seat.
    """
    others = len(names) - (seat is None)
    if not isinstance(event.payload, Message) or not event.to or others < 2:
        return ""
    recipients = join_names(
        [displayed_name(to, names, translate) for to in event.to if to != seat], translate
    )
    if seat not in event.to:
        return translate("only to {names}", names=recipients)
    return translate("only to you and {names}", names=recipients) if recipients else translate("only to you")


def expression_sentence(
    expression: Expression,
    shown_by: Seat,
    seat: Seat | None,
    names: Mapping[Seat, str],
    translate: Language,
) -> str:
    """Return in words that a seat shows an expression; ``seat`` is the reader's, None for an observer."""
    if shown_by == seat:
        return translate(OWN_EXPRESSION_SENTENCES[expression])
    name = displayed_name(shown_by, names, translate)
    return translate(NAMED_EXPRESSION_SENTENCES[expression], name=name)


def ending_text(
    ending: Ending,
    seat: Seat | None,
    names: Mapping[Seat, str],
    translate: Language,
    outvoted: Outvoted = Outvoted.BOUND,
    *,
    mechanism: str = BARGAINING,
    last_offer: bool = False,
) -> str:
    """Return how the game ended, in a few words; ``seat`` is the reader's, None for an observer.

    ``outvoted`` is the game's rule for the seats that have not accepted a deal, ``last_offer`` whether the
    game's last offer was not accepted in time.
    """
    match ending.ended_by:
        case EndedBy.AGREEMENT if ending.signed_by:
            return _partial_agreement_text(ending, seat, names, translate, outvoted)
        case EndedBy.AGREEMENT if seat is None:
            return translate("The negotiation ends with a deal")
        case EndedBy.AGREEMENT:
            return translate("You have a deal")
        case EndedBy.TIMEOUT if last_offer:
            return translate("The last offer wasn’t accepted: no deal")
        case EndedBy.TIMEOUT:
            return translate(game_words(mechanism).time_up)
        case EndedBy.QUIT | EndedBy.COMPLETED if ending.by is not None and mechanism != BARGAINING:
            if ending.by == seat:
                return translate("You have left the game")
            name = displayed_name(ending.by, names, translate)
            return translate("{name} has left: the game is over", name=name)
        case EndedBy.QUIT if seat is None:
            name = displayed_name(ending.by or "", names, translate)
            return translate("{name} walked away: no deal", name=name)
        case EndedBy.QUIT if ending.by == seat:
            return translate("You walked away: no deal")
        case EndedBy.QUIT if len(names) > 1:
            return translate(
                "{name} walked away: no deal", name=displayed_name(ending.by or "", names, translate)
            )
        case EndedBy.QUIT:
            return translate("The other side walked away: no deal")
        case EndedBy.COMPLETED:
            return translate("The game is complete")
        case _ if seat is None:
            why = displayable(translate(ending.reason)) if ending.reason else ""
            return translate(game_words(mechanism).ended_early_because, reason=why).strip()
        case _:
            return translate(game_words(mechanism).ended_early)


def _partial_agreement_text(
    ending: Ending, seat: Seat | None, names: Mapping[Seat, str], translate: Language, outvoted: Outvoted
) -> str:
    """Return which seats agreed, and what the deal means for a reader, or for the seats, that did not."""
    signed = join_names([names[other] for other in ending.signed_by if other in names], translate)
    left_out = outvoted is Outvoted.LEFT_OUT
    if seat in ending.signed_by:
        return translate("You have a deal with {names}", names=signed)
    if seat is not None:
        if left_out:
            return translate("{names} have a deal without you", names=signed)
        return translate("{names} have a deal that counts for you too", names=signed)
    others = join_names([name for other, name in names.items() if other not in ending.signed_by], translate)
    if left_out:
        return translate("{names} have a deal without {others}", names=signed, others=others)
    return translate("{names} have a deal that counts for {others} too", names=signed, others=others)


def _accepted_text(
    seat: Seat, sender: Seat, maker: Seat | None, names: Mapping[Seat, str], translate: Language
) -> str:
    """Return in words that ``sender`` accepted the offer of ``maker``, as ``seat`` reads it."""
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


def _commanded(proposal: StateProposal) -> list[str]:
    """Return the recipients of a principal's commands; none for any other change of the record."""
    if proposal.proposer.kind is not ProposerKind.PRINCIPAL:
        return []
    given = proposal.updates.to_dict().get("commands", {}).get(proposal.proposer.name, {})
    found = [form.get("to") for form in given.values() if isinstance(form, dict)]
    return [to for to in dict.fromkeys(found) if isinstance(to, str)]


def _mandate_values(proposal: StateProposal) -> str:
    """Return the values of a principal's mandates; empty without any, and for a command with acts."""
    given = proposal.updates.to_dict().get("commands", {}).get(proposal.proposer.name, {})
    forms = [form for form in given.values() if isinstance(form, dict)]
    if any(form.get("actions") for form in forms):
        return ""
    mandates = [mandate for form in forms if isinstance(mandate := form.get("mandate"), dict)]
    return pairs_text({name: value for mandate in mandates for name, value in mandate.items()})


def _observer_text(event: Event, names: Mapping[Seat, str], translate: Language, mechanism: str) -> str:
    """Return the text of an event that participants read otherwise, or not at all."""
    name = displayed_name(event.sender, names, translate)
    match event.payload:
        case Accepted():
            return translate("{name} accepts the offer on the table", name=name)
        case Refusal(reason=reason):
            refused = join_names([displayed_name(seat, names, translate) for seat in event.to], translate)
            why = localized_refusal(reason, translate)
            return translate("Refused for {name}: {reason}", name=refused, reason=why)
        case Failure(seat=seat, reason=reason):
            failed = displayed_name(seat, names, translate)
            return translate("{name}’s agent failed: {reason}", name=failed, reason=displayable(reason))
        case Note():
            return _interpretation_text(event, translate) or _note_text(event.payload, translate)
        case StateProposal(accepted=True) as proposal if commanded := _commanded(proposal):
            recipients = join_names([names.get(to) or displayable(to) for to in commanded], translate)
            return _command_text(proposal, recipients, translate)
        case StateProposal(accepted=True) as proposal:
            if proposal.proposer.kind is ProposerKind.ASSISTANT:
                name = displayable(proposal.proposer.name)
            return translate("{name} changes the record", name=name)
        case StateProposal(reason=reason):
            why = displayable(translate(reason))
            return translate("A change to the record was refused: {reason}", reason=why)
    match event.type:
        case EventType.RESUMED:
            return translate(game_words(mechanism).resumed)
        case EventType.TYPING:
            return translate("{name} is typing", name=name)
        case EventType.OFFER_IN_PROGRESS:
            return translate("{name} is building an offer", name=name)
        case EventType.TIME:
            return translate("Clock ticks")
        case _ if event.type in EventType.__members__:
            return displayable(str(event.type))
        case _:
            return _act_text(event, name, names, translate)


def _command_text(proposal: StateProposal, recipients: str, translate: Language) -> str:
    """Return a principal's command as text, with the values of its mandate, if it has one."""
    giver = displayable(proposal.proposer.name)
    if values := _mandate_values(proposal):
        sentence = translate("{principal} gives {name} a mandate", principal=giver, name=recipients)
        return translate("{sentence}: {steps}", sentence=sentence, steps=values)
    return translate("{principal} gives {name} a command", principal=giver, name=recipients)


def _act_text(event: Event, name: str, names: Mapping[Seat, str], translate: Language) -> str:
    """Return an act of a kind of game that has no words of its own: its type and its fields."""
    act = role_name(event.type.lower())
    if content := pairs_text(payload_fields(event.payload)):
        act = translate("{act} ({what})", act=act, what=content)
    others = [displayed_name(seat, names, translate) for seat in event.to if seat != event.sender]
    if not others:
        return translate("{name}: {act}", name=name, act=act)
    return translate(
        "{name}, only to {names}: {act}", name=name, names=join_names(others, translate), act=act
    )


def _note_text(note: Note, translate: Language) -> str:
    pairs = pairs_text(note.data)
    if not pairs:
        return translate("Note: {kind}", kind=role_name(note.kind.value))
    return translate("Note: {kind} ({what})", kind=role_name(note.kind.value), what=pairs)


def _interpretation_text(event: Event, translate: Language) -> str:
    """Return the typed words that a note is about, or their author's answer; empty for every other note."""
    interpretation, answer = parse_interpretation(event), parse_interpretation_answer(event)
    if interpretation is not None:
        words = truncate(displayable(interpretation.text), LONGEST)
        if interpretation.shown:
            return translate("Typed, and asked what it means: {words}", words=words)
        return translate("Typed: {words}", words=words)
    if answer is None:
        return ""
    return translate("What it means: {answer}", answer=translate(VERDICT_WORDS[answer.verdict]))


def pairs_text(data: Mapping[str, Any]) -> str:
    """Return names with their values in one short line."""
    pairs = ", ".join(f"{role_name(name)} {value_text(value)}" for name, value in data.items())
    return truncate(displayable(pairs), LONGEST)


def value_text(value: Any) -> str:
    """Return recorded data as text: a number or text as it is, anything else as JSON."""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, Mapping):
        value = dict(value)
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError):
        return str(value)
