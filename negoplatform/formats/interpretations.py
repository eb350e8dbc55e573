"""JSON forms of interpretations of typed text, and of the answers to them: the data of notes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from negoplatform.core.events import Event, Note, clean_text
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.message_readings import notes_by_message
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.dataclass_codec import ModelOf, Shape, describe, dump, load
from negoplatform.formats.event_payloads import NotNegative, OfferModel, dump_offer, load_offer
from negoplatform.formats.strict_json import StrictModel
from negoplatform.language import Ambiguity, DialogueAct, Interpretation, TextAnnotation


class InterpretationVerdict(StrEnum):
    """Answer of a participant to an interpretation that was shown."""

    OFFERED = "offered"
    """Meant as an offer, and sent as one."""
    ACCEPTED = "accepted"
    """Meant as a formal acceptance of the offer on the table."""
    EDITED = "edited"
    """Terms put into the offer builder."""
    ONLY_SAID = "only_said"
    """Sent as a message, and nothing more."""
    WITHDRAWN = "withdrawn"
    """No action: the text was taken back or changed, or the offer in question was gone."""


UnitInterval = Annotated[float | int, Field(ge=0, le=1)]
Seq = Annotated[int, Field(ge=1)]


Rounded = Shape(UnitInterval, None, lambda sure: round(sure, 3))

describe(DialogueAct, sure=Rounded, batna=float | int | None)
describe(TextAnnotation, start=NotNegative, end=NotNegative, omitted=["issue"])
describe(Interpretation, sure=Rounded, omitted=["parts", "plain"])


class InterpretationModel(StrictModel):
    """Data of a note of the kind ``reading``.

    Args:
        seat: The seat of the participant who typed.
        text: The typed text.
        language: The language of the parser.
        shown: Whether the interpretation was shown, and needed an answer.
        held_out: The offers that were shown: those of the interpretation, with the terms already agreed.
        parts: The parts of the text that were interpreted, or that speak against an offer.
        plain: Whether Enter could confirm the interpretation.
    """

    seat: str
    text: str
    language: str
    acts: Annotated[list[Any], ModelOf(tuple[DialogueAct, ...])]
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
    parts: Annotated[list[Any], ModelOf(tuple[TextAnnotation, ...])] = Field(default=[])
    plain: bool = False

    def value(self) -> Interpretation:
        """Return the interpretation.

        Raises:
            OfferError: If one of its offers is invalid.
        """
        return load(Interpretation, self)

    def shown_offers(self) -> tuple[Offer, ...]:
        """Return the offers that were shown."""
        return tuple(load_offer(offer) for offer in self.held_out)


class InterpretationAnswerModel(StrictModel):
    """Data of a note of the kind ``reading_answered``.

    Args:
        reading: The seq of the note with the interpretation.
        verdict: The answer.
        message: The seq of the message, sent before the answer if the text is a wish; None if not sent.
        offer: The id of the offer that was sent or accepted; None if there was none, or it was refused.
        by: What withdrew it: the participant, or an event at the table; None for every other verdict.
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
    """Interpretation from a log, with the answer to it.

    Args:
        seq: The seq of its note.
        interpretation: The data of the note.
        answer: The participant's answer; None if none was needed, or the session stopped before.
    """

    seq: int
    interpretation: InterpretationModel
    answer: InterpretationAnswerModel | None = None


def dump_interpretation(
    seat: Seat, reading: Interpretation, language: str, held_out: Sequence[Offer] | None = None
) -> dict[str, Any]:
    """Return the data of a note about an interpretation; ``held_out`` is None if it was not shown."""
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
    """Return the data of a note about an answer; see :class:`InterpretationAnswerModel`."""
    by = ("table" if by_table else "participant") if verdict is InterpretationVerdict.WITHDRAWN else None
    document = {"reading": reading, "verdict": verdict.value, "message": message, "offer": offer, "by": by}
    return {**document, "corrected": True} if corrected else document


def parse_interpretation(event: Event) -> InterpretationModel | None:
    """Return the interpretation that an event notes; None if it notes none that this version can read."""
    return _parse_note(InterpretationModel, NoteKind.READING, event)


def parse_interpretation_answer(event: Event) -> InterpretationAnswerModel | None:
    """Return the answer that an event notes; None if it notes none that this version can read."""
    return _parse_note(InterpretationAnswerModel, NoteKind.READING_ANSWERED, event)


def interpretations_by_message(events: Iterable[Event]) -> dict[int, RecordedInterpretation]:
    """Return the interpretations by the seq of their message; messages without one are missing."""
    found: dict[int, RecordedInterpretation] = {}
    for message, (noted, answered) in notes_by_message(events).items():
        reading = parse_interpretation(noted)
        if reading is not None:
            answer = None if answered is None else parse_interpretation_answer(answered)
            found[message] = RecordedInterpretation(noted.seq, reading, answer)
    return found


F = TypeVar("F", InterpretationModel, InterpretationAnswerModel)


def _parse_note(model: type[F], kind: NoteKind, event: Event) -> F | None:
    note = event.payload
    if not isinstance(note, Note) or note.kind is not kind:
        return None
    try:
        # Through JSON, in which an enumeration is a text.
        return model.model_validate_json(json.dumps(dict(note.data), allow_nan=False))
    except ValueError:
        # The note may come from a newer version; the log is sound without it.
        return None
