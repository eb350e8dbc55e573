"""Instruments: questionnaires as data, with their items, scales, source and licence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from negoplatform.domain.errors import InputFileError
from negoplatform.formats.strict_json import LazyStrictModel, Number, parse_json, read_text, validate_json
from negoplatform.study.condition import WhenModel
from negoplatform.study.local_text import FileId, Language, LocalText, StudyId

KINDS = (
    "likert",
    "choices",
    "many",
    "number",
    "slider",
    "text",
    "matrix",
    "rank",
    "allocation",
    "points_guess",
)
"""Kinds of items; each item has one of these keys."""


class LikertModel(LazyStrictModel):
    """Rating scale with points from 1 to a number, named at its ends."""

    points: Annotated[int, Field(ge=2, le=11)]
    from_: LocalText = Field(alias="from")
    to: LocalText
    middle: LocalText | None = None


class NumberFieldModel(LazyStrictModel):
    """Number that is typed."""

    least: Number | None = None
    most: Number | None = None
    unit: LocalText | None = None
    whole: bool = True


class SliderModel(LazyStrictModel):
    """Slider without a preset position."""

    least: Number = Decimal(0)
    most: Number = Decimal(100)
    step: Annotated[Number, Field(gt=0)] = Decimal(1)
    from_: LocalText = Field(alias="from")
    to: LocalText

    @model_validator(mode="after")
    def _check(self) -> SliderModel:
        if self.most <= self.least:
            raise ValueError("the slider's most has to be above its least")
        if (self.most - self.least) % self.step:
            raise ValueError("the slider's range has to be a whole number of steps")
        if (self.most - self.least) / self.step > 1000:
            raise ValueError("the slider has more than 1,000 steps; take longer ones")
        return self


class TextFieldModel(LazyStrictModel):
    """Text that is typed."""

    lines: Annotated[int, Field(ge=1, le=20)] = 1
    longest: Annotated[int, Field(ge=1, le=20_000)] = 2000


class MatrixRowModel(LazyStrictModel):
    """Row of a matrix."""

    id: StudyId
    ask: LocalText
    reverse: bool = False


class MatrixModel(LazyStrictModel):
    """Several statements with one rating scale."""

    rows: Annotated[list[MatrixRowModel], Field(min_length=1, max_length=40)]
    likert: LikertModel


class AllocationModel(LazyStrictModel):
    """Divisions of money between oneself and another person, of which one is chosen.

    Each division is a pair: points for oneself, points for the other person.
    """

    divisions: Annotated[
        list[Annotated[list[Number], Field(min_length=2, max_length=2)]], Field(min_length=2, max_length=15)
    ]


class RankModel(LazyStrictModel):
    """Things to be put in order."""

    things: Annotated[list[LocalText], Field(min_length=2, max_length=12)]


class PointsGuessModel(LazyStrictModel):
    """Guess of the order in which the issues of a game matter to the partner; scored against the game."""

    of: StudyId
    """Id of the negotiation, or of the rounds, whose partner is meant; of rounds the last is taken."""


class ItemModel(LazyStrictModel):
    """Item of an instrument: a question with one kind of answer."""

    id: StudyId
    ask: LocalText
    likert: LikertModel | None = None
    choices: Annotated[list[LocalText], Field(min_length=2, max_length=60)] | None = None
    many: Annotated[list[LocalText], Field(min_length=1, max_length=60)] | None = None
    number: NumberFieldModel | None = None
    slider: SliderModel | None = None
    text: TextFieldModel | None = None
    matrix: MatrixModel | None = None
    rank: RankModel | None = None
    allocation: AllocationModel | None = None
    points_guess: PointsGuessModel | None = None
    reverse: bool = False
    may_skip: bool = False
    correct: Annotated[int, Field(ge=1, le=60)] | None = None
    """Position of the choice, or point of the scale, that an attention check asks for."""
    when: WhenModel | None = None

    @model_validator(mode="after")
    def _check(self) -> ItemModel:
        there = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(there) != 1:
            found = f"it has {' and '.join(there)}" if there else "it has none"
            raise ValueError(
                f"the item {self.id!r} needs exactly one kind of answer ({', '.join(KINDS)}), but {found}"
            )
        if self.reverse and there[0] not in ("likert", "slider"):
            raise ValueError(f"the item {self.id!r} has no scale that could be reversed")
        if self.correct is not None:
            most = self.likert.points if self.likert else len(self.choices or ())
            if there[0] not in ("likert", "choices") or self.correct > most:
                raise ValueError(f"the item {self.id!r} has no answer {self.correct} that could be correct")
        return self

    @property
    def kind(self) -> str:
        """Kind of the answer, one of KINDS."""
        return next(kind for kind in KINDS if getattr(self, kind) is not None)

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the answers that it gives: its own id, or one for each row of a matrix."""
        if self.matrix is not None:
            return tuple(f"{self.id}_{row.id}" for row in self.matrix.rows)
        return (self.id,)


class ScaleModel(LazyStrictModel):
    """Scale of an instrument: a score of several items."""

    name: StudyId
    title: LocalText | None = None
    items: Annotated[list[str], Field(min_length=1, max_length=200)]
    as_: Literal["mean", "sum"] = Field("mean", alias="as")
    missing: Annotated[int, Field(ge=0, le=200)] = 0
    """Number of items that may be missing; then the others make the score (for a sum, their mean times n)."""


class InstrumentModel(LazyStrictModel):
    """Instrument file."""

    schema_: Literal["negoplatform.instrument/1"] = Field(alias="schema")
    name: FileId
    title: LocalText
    instructions: LocalText | None = None
    source: Annotated[str, Field(min_length=1, max_length=2000)]
    licence: Annotated[str, Field(min_length=1, max_length=200)]
    wording: Annotated[str, Field(max_length=2000)] = ""
    """Origin of the wording, and the place where a laboratory finds the authors' own."""
    citation: Annotated[str, Field(max_length=2000)] = ""
    languages: Annotated[list[Language], Field(min_length=1, max_length=30)] | None = None
    scoring: Literal["scales", "svo_slider"] = "scales"
    items: Annotated[list[ItemModel], Field(min_length=1, max_length=200)]
    scales: Annotated[list[ScaleModel], Field(max_length=50)] = []

    @model_validator(mode="after")
    def _check(self) -> InstrumentModel:
        check_items(self.items)
        fields = {field: item for item in self.items for field in item.fields}
        for i, scale in enumerate(self.scales):
            for name in scale.items:
                if name not in fields:
                    raise ValueError(
                        f"scales[{i}] names the item {name!r}, which there is not; "
                        f"there is {', '.join(list(fields)[:12])}"
                    )
                if fields[name].kind not in ("likert", "slider", "number", "matrix"):
                    raise ValueError(f"scales[{i}] names the item {name!r}, whose answers are no numbers")
            if repeated := [name for name, n in Counter(scale.items).items() if n > 1]:
                raise ValueError(f"scales[{i}] names the item {repeated[0]!r} twice")
            if scale.missing >= len(scale.items):
                raise ValueError(f"scales[{i}] would have a score without any answer; lower its missing")
        names = Counter([*fields, *(scale.name for scale in self.scales)])
        if twice := [name for name, n in names.items() if n > 1]:
            raise ValueError(f"there are two items or scales named {twice[0]!r}")
        if self.scoring == "svo_slider":
            _check_svo_items(self.items)
        return self


def check_items(items: list[ItemModel]) -> None:
    """Check that the answers of items have different names.

    Raises:
        ValueError: If two have the same.
    """
    names = Counter(field for item in items for field in item.fields)
    if twice := [name for name, n in names.items() if n > 1]:
        raise ValueError(f"there are two items named {twice[0]!r}")


SVO_PRIMARY_ITEMS = 6


def _check_svo_items(items: list[ItemModel]) -> None:
    primary = [item for item in items if item.allocation is not None]
    if len(primary) != SVO_PRIMARY_ITEMS:
        raise ValueError(f"the scoring svo_slider needs six allocation items, but there are {len(primary)}")


def item_texts(item: ItemModel) -> Iterator[str | dict[str, str]]:
    """Yield all texts of an item that a participant reads."""
    yield item.ask
    scale: Any
    for scale in (item.likert, item.slider, item.matrix and item.matrix.likert):
        if scale is not None:
            yield from (scale.from_, scale.to)
            if getattr(scale, "middle", None) is not None:
                yield scale.middle
    yield from (item.choices or ())
    yield from (item.many or ())
    if item.rank is not None:
        yield from item.rank.things
    if item.matrix is not None:
        yield from (row.ask for row in item.matrix.rows)
    if item.number is not None and item.number.unit is not None:
        yield item.number.unit


def load_instrument(path: Path) -> InstrumentModel:
    """Return the instrument in a file.

    Raises:
        InputFileError: If it is not a valid instrument; with file, place and reason.
    """
    text = read_text(path)
    if not isinstance(parse_json(text, path), dict):
        raise InputFileError(path, "", "an object in braces { } belongs into this file")
    return validate_json(InstrumentModel, text, path)
