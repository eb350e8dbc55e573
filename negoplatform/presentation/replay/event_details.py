"""Event of a recorded session as names with values, for an observer of the whole log. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.app.playback.playback import ObservedEvent, TimelineMarkKind
from negoplatform.core.events import (
    Announced,
    Drafting,
    Ending,
    Event,
    EventType,
    ExpressionShown,
    Message,
    Note,
    OfferMade,
    payload_fields,
)
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.core.record.notes_and_tasks_update_merge import changed_places
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.formats.interpretations import (
    InterpretationModel,
    RecordedInterpretation,
    parse_interpretation,
)
from negoplatform.language import Ambiguity, Interpretation
from negoplatform.presentation.event_texts import LONGEST, VERDICT_WORDS, pairs_text, value_text
from negoplatform.presentation.expression_words import EXPRESSION_WORDS
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.localized_names import displayable, join_names, role_name, truncate
from negoplatform.presentation.offers.term_texts import offer_line, offer_rows
from negoplatform.presentation.replay.act_words import act_words
from negoplatform.presentation.replay.note_words import NoteReader
from negoplatform.presentation.replay.proposal_words import proposer_name
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames

Pairs = tuple[tuple[str, str], ...]

MARK_WORDS: Mapping[TimelineMarkKind, str] = {
    TimelineMarkKind.START: gettext_noop("Start"),
    TimelineMarkKind.MESSAGE: gettext_noop("Message"),
    TimelineMarkKind.OFFER: gettext_noop("Offer"),
    TimelineMarkKind.EXPRESSION: gettext_noop("Expression"),
    TimelineMarkKind.ACCEPT: gettext_noop("Acceptance"),
    TimelineMarkKind.QUIT: gettext_noop("Walking away"),
    TimelineMarkKind.ACT: gettext_noop("Act"),
    TimelineMarkKind.ANNOUNCEMENT: gettext_noop("Announcement"),
    TimelineMarkKind.TRADE: gettext_noop("Trade"),
    TimelineMarkKind.REFUSAL: gettext_noop("Refusal"),
    TimelineMarkKind.PROPOSAL: gettext_noop("Change of the record"),
    TimelineMarkKind.ASSISTANT: gettext_noop("Proposal of an assistant"),
    TimelineMarkKind.COMMAND: gettext_noop("Command"),
    TimelineMarkKind.ADVICE: gettext_noop("Advice"),
    TimelineMarkKind.FAILURE: gettext_noop("Failure"),
    TimelineMarkKind.RESUMED: gettext_noop("Resumed"),
    TimelineMarkKind.NOTE: gettext_noop("Note"),
    TimelineMarkKind.END: gettext_noop("End"),
}

DOUBT_WORDS: Mapping[Ambiguity, str] = {
    Ambiguity.WHO: gettext_noop("Who gets it"),
    Ambiguity.HOW_MANY: gettext_noop("How many"),
    Ambiguity.WHICH_ISSUE: gettext_noop("Which issue"),
    Ambiguity.WHICH_VALUE: gettext_noop("Which value"),
    Ambiguity.EITHER: gettext_noop("Which of several offers"),
    Ambiguity.IMPOSSIBLE: gettext_noop("Not possible"),
}


def event_details(
    moment: ObservedEvent,
    game: GameSpec,
    participants: SeatOccupantNames,
    translate: Language,
    recorded: RecordedInterpretation | None = None,
) -> tuple[Pairs, Pairs]:
    """Return the facts about an event and its contents; ``recorded``: a typed message's interpretation."""
    event = moment.event
    facts = [
        (translate("Kind"), _kind_words(moment, translate)),
        (translate("Type"), displayable(str(event.type))),
        (translate("Number"), str(event.seq)),
        (translate("Session time"), translate("{s} s", s=f"{event.t:.3f}")),
    ]
    if moment.at:  # a session in progress is watched without it
        facts.append((translate("Time of day"), displayable(moment.at)))
    sender = proposer_name(event, translate) or participants.name(event.sender, translate)
    facts.append((translate("From"), sender))
    if event.to:
        facts.append(
            (
                translate("Only to"),
                join_names([participants.name(seat, translate) for seat in event.to], translate),
            )
        )
    if event.decided_by is not None:
        facts.append((translate("Decided by"), event.decided_by.value))
    if event.decided_at is not None:
        facts.append((translate("Decided at"), translate("{s} s", s=f"{event.decided_at:.3f}")))
    if event.cause is not None:
        facts.append((translate("Answers"), translate("event {n}", n=event.cause)))
    contents = _payload_pairs(event, game, participants, translate)
    interpretation = parse_interpretation(event)
    if interpretation is not None:
        contents = [
            (translate("Words"), displayable(interpretation.text)),
            *_interpretation_pairs(interpretation, game, participants, translate),
        ]
    elif recorded is not None:
        contents += [
            *_interpretation_pairs(recorded.interpretation, game, participants, translate),
            *_answer_pairs(recorded, translate),
        ]
    return tuple(facts), tuple(contents)


def _kind_words(moment: ObservedEvent, translate: Language) -> str:
    """Return the kind of an event in words."""
    if moment.mark is not None:
        return translate(MARK_WORDS[moment.mark])
    match moment.event.payload:
        case Drafting():
            return translate("Building an offer")
        case Announced():
            return translate(MARK_WORDS[TimelineMarkKind.ANNOUNCEMENT])
        case _:
            return translate("Typing") if moment.event.type == EventType.TYPING else translate("Clock")


def _payload_pairs(
    event: Event, game: GameSpec, participants: SeatOccupantNames, translate: Language
) -> list[tuple[str, str]]:
    """Return the contents of an event as names with values."""
    match event.payload:
        case Message(text, subtype, preference, batna):
            pairs = [(translate("Words"), displayable(text)), (translate("Speech act"), subtype.value)]
            if preference is not None:
                pairs.append((translate("Preference"), pairs_text(payload_fields(preference))))
            if batna is not None:
                pairs.append((translate("Stated value of no deal"), f"{batna:g}"))
            return pairs
        case OfferMade(offer) | Drafting(draft=Offer() as offer):
            return list(offer_rows(offer, game, None, participants.names, translate))
        case ExpressionShown(expression, duration_ms):
            shown = translate(
                "{looks}, for {s} s",
                looks=translate(EXPRESSION_WORDS[expression]),
                s=f"{duration_ms / 1000:g}",
            )
            return [(translate("Shows"), shown)]
        case Ending(deal=Offer() as deal):
            return list(offer_rows(deal, game, None, participants.names, translate))
        case Note(_, data) as note:
            act_text = act_words((), game, participants.names, translate).text
            steps = NoteReader(game, participants.names, translate, act_text).steps(note)
            told = [(translate("Step {n}", n=str(at)), step) for at, step in enumerate(steps, start=1)]
            return [
                *_value_pairs({name: value for name, value in data.items() if not steps or name != "steps"}),
                *told,
            ]
        case StateProposal(proposer, base_version, updates, accepted, reason):
            pairs = _value_pairs({"proposer": f"{proposer.kind.value} {proposer.name}"})
            pairs += _value_pairs({"base_version": base_version})
            verdict = (
                translate("Accepted by the session") if accepted else translate("Refused by the session")
            )
            pairs.append((translate("Verdict"), verdict))
            if reason:
                pairs.append((translate("Reason"), truncate(displayable(translate(reason)), LONGEST)))
            return [*pairs, *_place_pairs(updates.to_dict())]
        case Announced(data=data):
            return [(translate("Data"), truncate(displayable(value_text(data)), LONGEST))]
        case payload:
            return _value_pairs(payload_fields(payload))


def _place_pairs(updates: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the places of the record that updates change, with the values; a task without its name."""
    pairs = []
    for path, value in changed_places(updates):
        if path.startswith("tasks/"):
            value = {key: value[key] for key in ("intent", "status", "metadata") if key in value}
        pairs.append((displayable(path), truncate(displayable(value_text(value)), LONGEST)))
    return pairs


def _value_pairs(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (role_name(name), truncate(displayable(value_text(value)), LONGEST)) for name, value in data.items()
    ]


def _interpretation_pairs(
    note: InterpretationModel, game: GameSpec, participants: SeatOccupantNames, translate: Language
) -> list[tuple[str, str]]:
    """Return an interpretation as names with values."""
    interpretation, names = note.value(), participants.names
    pairs = [(translate("Understood as"), interpretation.subtype.value)]
    if len(interpretation.acts) > 1:
        acts = ", ".join(f"{act.subtype.value} {act.sure:g}" for act in interpretation.acts)
        pairs.append((translate("Speech acts"), acts))
    pairs += [
        (translate("Offer in the words"), offer_line(offer, game, None, names, translate) or "–")
        for offer in interpretation.offers
    ]
    if (shown := note.shown_offers()) != interpretation.offers:
        pairs += [
            (translate("Shown as offer"), offer_line(offer, game, None, names, translate) or "–")
            for offer in shown
        ]
    if interpretation.offers:
        pairs.append((translate("Certainty"), f"{interpretation.sure:.0%}"))
    if interpretation.doubt is not None:
        pairs.append((translate("In doubt"), translate(DOUBT_WORDS[interpretation.doubt])))
    if also := _extra_notes(interpretation, translate):
        pairs.append((translate("Also"), also))
    return pairs


def _answer_pairs(recorded: RecordedInterpretation, translate: Language) -> list[tuple[str, str]]:
    """Return the author's answer to an interpretation as names with values; empty without a question."""
    if not recorded.interpretation.shown:
        return []
    verdict = (
        translate("Not answered")
        if recorded.answer is None
        else translate(VERDICT_WORDS[recorded.answer.verdict])
    )
    return [(translate("Speaker’s answer"), verdict)]


def _extra_notes(interpretation: Interpretation, translate: Language) -> str:
    """Return the interpretation's other features in a few words."""
    noticed = [
        words
        for words, there in (
            (translate("agrees"), interpretation.accepts),
            (translate("on a condition"), interpretation.conditional),
            (translate("as a wish"), interpretation.soft),
        )
        if there
    ]
    return ", ".join(noticed)
