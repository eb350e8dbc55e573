"""Check of references in study files: they exist, come earlier, and are of a type that fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from negoplatform.study.condition import BoundsModel, references
from negoplatform.study.instrument import InstrumentModel, ItemModel
from negoplatform.study.scoring import score_names
from negoplatform.study.stages import (
    AnyStage,
    CallStage,
    ChoiceStage,
    ConsentStage,
    FormStage,
    QuizStage,
    RoundsStage,
)
from negoplatform.study.study_file import StudyModel
from negoplatform.study.visit_state import LAST
from negoplatform.study.visit_steps import NO_DRAWS, VisitStep, form_items, visit_steps

GAME_RESULTS: dict[str, str] = {"agreement": "true or false", "points": "a number", "end": "a text"}
"""Results of a game, with their types."""

NUMBER, BOOLEAN, TEXT = "a number", "true or false", "a text"


@dataclass(frozen=True, slots=True)
class KnownReference:
    """Reference that a condition can name.

    Args:
        type: Type of its value: ``a number``, ``true or false``, ``a text``.
        since: Position of the step after which it has a value; -1 for the assignment's.
        most: Largest number that it can be; None: no limit is known.
        values: The texts that it can be; empty: any.
    """

    type: str
    since: int
    most: int | None = None
    values: tuple[str, ...] = ()


def known_references(
    study: StudyModel, instruments: Mapping[str, InstrumentModel], columns: Mapping[str, tuple[str, ...]]
) -> dict[str, KnownReference]:
    """Return all references of a study by name.

    Args:
        study: The study.
        instruments: Its instruments by name.
        columns: The columns of its file of codes, with their values.
    """
    found = {name: KnownReference(TEXT, -1, values=tuple(levels)) for name, levels in study.factors.items()}
    found |= {name: KnownReference(TEXT, -1, values=values) for name, values in columns.items()}
    for position, step in enumerate(visit_steps(study, NO_DRAWS)):
        for name, reference in _step_references(step, position, instruments):
            for where in _names_of(step):
                found.setdefault(f"{where}.{name}", reference)
    return found


def _names_of(step: VisitStep) -> Iterator[str]:
    yield step.id
    if step.game is not None and step.round:
        yield f"{step.stage.id}.{step.round_id}"
        yield f"{step.stage.id}.{LAST}"
    if isinstance(step.stage, FormStage) and step.kind == "form" and step.stage.instrument is not None:
        yield step.stage.instrument


def _step_references(
    step: VisitStep, position: int, instruments: Mapping[str, InstrumentModel]
) -> Iterator[tuple[str, KnownReference]]:
    if step.is_result:
        return
    if step.game is not None:
        for name, kind in GAME_RESULTS.items():
            yield name, KnownReference(kind, position)
        return
    yield "timed_out", KnownReference(BOOLEAN, position)
    yield from _stage_references(step.stage, position, instruments)


def _stage_references(
    stage: AnyStage, position: int, instruments: Mapping[str, InstrumentModel]
) -> Iterator[tuple[str, KnownReference]]:
    match stage:
        case ConsentStage():
            yield "given", KnownReference(BOOLEAN, position)
            for tick in stage.tick:
                yield tick, KnownReference(BOOLEAN, position)
        case QuizStage():
            yield "passed", KnownReference(BOOLEAN, position)
            yield "first_try", KnownReference(BOOLEAN, position)
            yield "tries", KnownReference(NUMBER, position)
            for question in stage.questions:
                yield question.id, KnownReference(NUMBER, position)
        case FormStage():
            for item in form_items(stage, instruments):
                for name in item.fields:
                    yield name, _item_reference(item, position)
            if stage.instrument is not None:
                for name in score_names(instruments[stage.instrument]):
                    yield name, KnownReference(TEXT if name == "category" else NUMBER, position)
        case ChoiceStage():
            values = tuple(option.id for option in stage.options)
            yield "chosen", KnownReference(TEXT, position, values=values)
        case CallStage():
            yield "word", KnownReference(TEXT, position)
            yield "exit_code", KnownReference(NUMBER, position)


def _item_reference(item: ItemModel, position: int) -> KnownReference:
    match item.kind:
        case "text":
            return KnownReference(TEXT, position)
        case "likert":
            return KnownReference(NUMBER, position, item.likert.points if item.likert else None)
        case "matrix":
            return KnownReference(NUMBER, position, item.matrix.likert.points if item.matrix else None)
        case "choices":
            return KnownReference(NUMBER, position, len(item.choices or ()))
        case _:
            return KnownReference(NUMBER, position)


def condition_fault(
    condition: Mapping[str, Any] | None, known: Mapping[str, KnownReference], before: int, study: StudyModel
) -> str:
    """Return what is wrong with a condition, as a reason; empty if nothing is.

    Args:
        condition: The condition.
        known: All references.
        before: Position of the step that it belongs to; references have to be earlier.
        study: The study.
    """
    for name, wanted in references(condition):
        if fault := reference_fault(name, known, before, study):
            return fault
        if fault := _type_fault(name, known[name], wanted):
            return fault
    return ""


def reference_fault(name: str, known: Mapping[str, KnownReference], before: int, study: StudyModel) -> str:
    """Return why a reference cannot be used at a position; empty if it can."""
    if name not in known:
        where = name.rpartition(".")[0]
        near = [one for one in known if one.startswith(f"{where}.")] if where else list(study.factors)
        hint = f"; there is {', '.join(near[:8])}" if near else ""
        if not near and where and not any(stage.id == where.split(".")[0] for stage in study.all_stages()):
            hint = f", and no stage {where.split('.')[0]!r} either"
        return f"there is no {name!r}{hint}"
    if known[name].since >= before:
        return f"{name!r} is not known yet at this point; it can only be used after its stage"
    return ""


def _type_fault(name: str, reference: KnownReference, wanted: Any) -> str:
    values = wanted if isinstance(wanted, list) else [wanted]
    if isinstance(wanted, BoundsModel):
        if wanted.has_range and reference.type != NUMBER:
            return f"{name!r} is {reference.type}, so it cannot be in a range of numbers"
        values = (
            [] if wanted.not_ is None else wanted.not_ if isinstance(wanted.not_, list) else [wanted.not_]
        )
    for value in values:
        kind = BOOLEAN if isinstance(value, bool) else TEXT if isinstance(value, str) else NUMBER
        if kind != reference.type:
            return f"{name!r} is {reference.type}, so it is never {value!r}"
        if reference.values and value not in reference.values:
            return f"{name!r} is never {value!r}; it is {', '.join(reference.values)}"
        if reference.most is not None and not 1 <= value <= reference.most:
            return f"{name!r} is never {value}; it is 1 to {reference.most}"
    return ""


def step_positions(study: StudyModel) -> dict[str, int]:
    """Return the position of the first step of each stage, by the stage's id."""
    found: dict[str, int] = {}
    for position, step in enumerate(visit_steps(study, NO_DRAWS)):
        found.setdefault(step.stage.id, position)
    return found


def stop_position(stage: RoundsStage, study: StudyModel) -> int:
    """Return the position before which everything that the end of rounds depends on has to be."""
    steps = visit_steps(study, NO_DRAWS)
    return max(i for i, step in enumerate(steps) if step.stage.id == stage.id) + 1
