"""What was understood of typed words, and what their speaker answered: the data of notes, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from negoplatform.core.events import Event, EventType, Note, clean_text
from negoplatform.core.notes import NoteKind
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import Seat
from negoplatform.formats.codec import FormOf, Shape, describe, dump, load
from negoplatform.formats.event_payloads import NotNegative, OfferModel, dump_offer, load_offer
from negoplatform.formats.strict_json import StrictModel
from negoplatform.language.parsing.interpretation import (
    Ambiguity,
    DialogueAct,
    Interpretation,
    TextAnnotation,
)


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


Rounded = Shape(UnitInterval, None, lambda sure: round(sure, 3))

describe(DialogueAct, sure=Rounded, batna=float | int | None)
describe(TextAnnotation, start=NotNegative, end=NotNegative, omitted=["issue"])
describe(Interpretation, sure=Rounded, omitted=["parts", "plain"])


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
    acts: Annotated[list[Any], FormOf(tuple[DialogueAct, ...])]
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
    parts: Annotated[list[Any], FormOf(tuple[TextAnnotation, ...])] = Field(default=[])
    plain: bool = False

    def value(self) -> Interpretation:
        """The reading."""
        return load(Interpretation, self)

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
    document = dump(replace(reading, text=clean_text(reading.text)))
    rest = {key: document.pop(key) for key in ("parts", "plain") if key in document}
    return {
        "seat": seat,
        "text": document.pop("text"),
        "language": language,
        **document,
        "shown": held_out is not None,
        "held_out": [dump_offer(offer) for offer in held_out or ()],
        **rest,
    }


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
