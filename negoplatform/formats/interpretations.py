"""What was understood of typed words, and what their speaker answered: the data of notes, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from negoplatform.core.events import Event, EventType, MessageSubtype, Note, clean_text
from negoplatform.core.notes import NoteKind
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import Seat
from negoplatform.formats.event_payloads import (
    OfferModel,
    PreferenceModel,
    dump_offer,
    dump_preference,
    load_offer,
)
from negoplatform.formats.strict_json import StrictModel
from negoplatform.language import Ambiguity, AnnotationKind, DialogueAct, Interpretation, Need, TextAnnotation


class InterpretationVerdict(StrEnum):
    """What a participant answered to a reading that they were shown."""

    OFFERED = "offered"
    """It was meant as an offer, and was sent as one."""
    ACCEPTED = "accepted"
    """It was meant as a formal acceptance of the offer on the table."""
    EDITED = "edited"
    """Its terms were put into the offer builder."""
    ONLY_SAID = "only_said"
    """The words were said, and nothing more."""
    WITHDRAWN = "withdrawn"
    """Nothing was done: the words were taken back or changed, or what they were about was gone."""


UnitInterval = Annotated[float | int, Field(ge=0, le=1)]
Seq = Annotated[int, Field(ge=1)]


class DialogueActModel(StrictModel):
    """One thing that words do."""

    subtype: MessageSubtype
    sure: UnitInterval
    preference: PreferenceModel | None
    batna: float | int | None
    need: Need | None
    issue: str | None

    def value(self) -> DialogueAct:
        """The act."""
        stated = None if self.preference is None else self.preference.value()
        return DialogueAct(self.subtype, self.sure, stated, self.batna, self.need, self.issue)


class TextPartModel(StrictModel):
    """A stretch of the words, and what it is to the reading."""

    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    kind: AnnotationKind
    issue: str = ""

    def value(self) -> TextAnnotation:
        """The part."""
        return TextAnnotation(self.start, self.end, self.kind, self.issue)


class InterpretationModel(StrictModel):
    """The data of a note of the kind ``reading``.

    Args:
        seat: Who typed.
        text: The words.
        language: The language that they were read in.
        shown: Whether the reading was shown, and an answer to it was due.
        held_out: The offers that were shown with it: those that were understood, with what is agreed besides.
        parts: The parts of the words that were read, or that speak against an offer.
        plain: Whether Enter could confirm it.
    """

    seat: str
    text: str
    language: str
    acts: list[DialogueActModel]
    offers: list[OfferModel]
    sure: UnitInterval
    doubt: Ambiguity | None
    about: list[str]
    accepts: bool
    conditional: bool
    soft: bool
    shown: bool
    adapts: bool = False
    hedged: bool = False
    refuses: bool = False
    halfway: bool = False
    echoes: bool = False
    held_out: list[OfferModel] = Field(default=[])
    parts: list[TextPartModel] = Field(default=[])
    plain: bool = False

    def value(self) -> Interpretation:
        """The reading."""
        return Interpretation(
            self.text,
            tuple(act.value() for act in self.acts),
            tuple(load_offer(offer) for offer in self.offers),
            self.sure,
            self.doubt,
            tuple(self.about),
            self.accepts,
            self.conditional,
            self.soft,
            self.adapts,
            self.hedged,
            self.refuses,
            self.halfway,
            self.echoes,
            tuple(part.value() for part in self.parts),
            self.plain,
        )

    def shown_offers(self) -> tuple[Offer, ...]:
        """The offers that were shown; none if nothing was."""
        return tuple(load_offer(offer) for offer in self.held_out)


class InterpretationAnswerModel(StrictModel):
    """The data of a note of the kind ``reading_answered``.

    Args:
        reading: The seq of the note with the reading.
        verdict: The answer.
        message: The seq of the words, which a wish has from before the answer; None if they were not said.
        offer: The id of the offer that was sent or accepted; None if there was none, or it was refused.
        by: Whether a participant withdrew it, or what happened at the table; None for every other verdict.
        corrected: Whether the participant corrected the terms before they were sent.
    """

    reading: Seq
    verdict: InterpretationVerdict
    message: Seq | None
    offer: Seq | None
    by: Literal["participant", "table"] | None
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class RecordedInterpretation:
    """A reading from a log, with what became of it.

    Args:
        seq: Of its note.
        interpretation: The reading.
        answer: What its speaker answered; None if they were not asked, or the session stopped before.
    """

    seq: int
    interpretation: InterpretationModel
    answer: InterpretationAnswerModel | None = None


def dump_interpretation(
    seat: Seat, reading: Interpretation, language: str, held_out: Sequence[Offer] | None = None
) -> dict[str, Any]:
    """The data of a note about a reading, as JSON values; it was shown if offers were held out with it."""
    document: dict[str, Any] = {
        "seat": seat,
        "text": clean_text(reading.text),
        "language": language,
        "acts": [_dump_act(act) for act in reading.acts],
        "offers": [dump_offer(offer) for offer in reading.offers],
        "sure": round(reading.sure, 3),
        "doubt": None if reading.doubt is None else reading.doubt.value,
        "about": list(reading.about),
        "accepts": reading.accepts,
        "conditional": reading.conditional,
        "soft": reading.soft,
        "adapts": reading.adapts,
        "hedged": reading.hedged,
        "refuses": reading.refuses,
        "halfway": reading.halfway,
        "echoes": reading.echoes,
        "shown": held_out is not None,
        "held_out": [dump_offer(offer) for offer in held_out or ()],
    }
    if reading.parts:
        document["parts"] = [_dump_part(part) for part in reading.parts]
    if reading.plain:
        document["plain"] = True
    return document


def dump_interpretation_answer(
    reading: int,
    verdict: InterpretationVerdict,
    *,
    message: int | None = None,
    offer: int | None = None,
    by_table: bool = False,
    corrected: bool = False,
) -> dict[str, Any]:
    """The data of a note about an answer to a reading, as JSON values; see :class:`InterpretationAnswerModel`."""
    by = ("table" if by_table else "participant") if verdict is InterpretationVerdict.WITHDRAWN else None
    document = {"reading": reading, "verdict": verdict.value, "message": message, "offer": offer, "by": by}
    return {**document, "corrected": True} if corrected else document


def parse_interpretation(event: Event) -> InterpretationModel | None:
    """The reading that an event notes; None if it notes none that is known here."""
    return _parse_note(InterpretationModel, NoteKind.READING, event)


def parse_interpretation_answer(event: Event) -> InterpretationAnswerModel | None:
    """The answer to a reading that an event notes; None if it notes none that is known here."""
    return _parse_note(InterpretationAnswerModel, NoteKind.READING_ANSWERED, event)


def interpretations_by_message(events: Iterable[Event]) -> dict[int, RecordedInterpretation]:
    """What was understood of messages, by their seq; those that were not typed, or not read, are missing."""
    found: dict[int, RecordedInterpretation] = {}
    noted: dict[int, RecordedInterpretation] = {}
    for event in events:
        reading, answer = parse_interpretation(event), parse_interpretation_answer(event)
        if reading is not None:
            noted[event.seq] = RecordedInterpretation(event.seq, reading)
        elif answer is not None and answer.reading in noted:
            asked = noted[answer.reading]
            if answer.message is not None:
                found[answer.message] = RecordedInterpretation(asked.seq, asked.interpretation, answer)
        elif event.type == EventType.SEND_MESSAGE:
            before = noted.get(event.seq - 1)
            if before is not None and _is_interpreted_message(before.interpretation, event):
                found[event.seq] = before
    return found


def _is_interpreted_message(note: InterpretationModel, message: Event) -> bool:
    """Whether a message is the words of the reading right before it, not a phrase while they wait."""
    return note.seat == message.sender and (not note.shown or note.text == message.get_text())


F = TypeVar("F", InterpretationModel, InterpretationAnswerModel)


def _parse_note(form: type[F], kind: NoteKind, event: Event) -> F | None:
    note = event.payload
    if not isinstance(note, Note) or note.kind is not kind:
        return None
    try:
        # As the JSON that it was, or will be: there an enumeration is a text.
        return form.model_validate_json(json.dumps(dict(note.data), allow_nan=False))
    except ValueError:
        # A note may come from a program that says more than this one knows; the log is sound without it.
        return None


def _dump_part(part: TextAnnotation) -> dict[str, Any]:
    document: dict[str, Any] = {"start": part.start, "end": part.end, "kind": part.kind.value}
    return {**document, "issue": part.issue} if part.issue else document


def _dump_act(act: DialogueAct) -> dict[str, Any]:
    return {
        "subtype": act.subtype.value,
        "sure": round(act.sure, 3),
        "preference": None if act.preference is None else dump_preference(act.preference),
        "batna": act.batna,
        "need": None if act.need is None else act.need.value,
        "issue": act.issue,
    }
