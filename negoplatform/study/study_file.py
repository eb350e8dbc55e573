"""Study file, ``study.json``: structure, design, partners, stages and payment of a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from math import prod
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from negoplatform.formats.strict_json import LazyStrictModel, preview
from negoplatform.study.condition import ANY
from negoplatform.study.local_text import Amount, FileId, Language, Level, LocalText, StudyId
from negoplatform.study.partners import PartnerModel
from negoplatform.study.stages import AnyStage, FileName, StageChoice, walk_stages

MOST_CELLS = 64
"""Maximum number of cells: every one is checked completely."""

LARGEST_STUDY_SEED = 2**53

Cell = dict[str, str]
"""Level of each factor, by its name; a participant is in one cell."""


def _check_version(text: str) -> str:
    parts = text.split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) <= 6 for part in parts):
        raise ValueError(f'a version is three numbers, such as "1.0.0"; not {preview(text)}')
    return text


class CodeRules(LazyStrictModel):
    """Codes of the participants."""

    from_: FileName | None = Field(None, alias="from")
    pattern: Annotated[str, Field(min_length=2, max_length=40)] | None = None
    """Form of a code: # stands for a digit, other characters for themselves."""
    drawn: Literal[True] | None = None
    type_twice: bool = False
    reuse: Literal["refuse", "experimenter", "allow"] = "refuse"
    replace: Annotated[dict[str, list[str]], Field(max_length=MOST_CELLS)] = {}
    """Spare codes by cell, such as {"happy-tough": ["S-01", "S-02"]}, for people who replace others."""

    @model_validator(mode="after")
    def _check(self) -> CodeRules:
        given = [name for name in ("from_", "pattern", "drawn") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError("codes come from a file, have a pattern, or are drawn; write one of these keys")
        if self.pattern is not None:
            if "#" not in self.pattern:
                raise ValueError("all participants would have the same code; write # for each digit")
            if not all(c.isalnum() or c in "-_#" for c in self.pattern):
                raise ValueError("a code has letters, digits, - and _, and # stands for a digit")
        if self.drawn and self.type_twice:
            raise ValueError("a drawn code is not typed; leave out type_twice")
        twice = [
            code for code, n in Counter(c for codes in self.replace.values() for c in codes).items() if n > 1
        ]
        if twice:
            raise ValueError(f"the spare code {twice[0]!r} appears twice; keep one of them")
        return self


class WithinFactor(LazyStrictModel):
    """Order of the parts of a stage, different for different participants."""

    of: StudyId
    order: Literal["latin", "all", "random", "fixed"] = "latin"


Assignment = Literal["plan", "station_blocks", "code"]


class DesignModel(LazyStrictModel):
    """Assignment of participants to cells and orders."""

    between: Annotated[list[StudyId], Field(max_length=6)] = []
    within: Annotated[dict[StudyId, WithinFactor], Field(max_length=4)] = {}
    assign: Assignment = "code"
    block: Annotated[int, Field(ge=1, le=1000)] | None = None
    strata: Annotated[list[str], Field(max_length=4)] = []
    weights: Annotated[dict[str, Annotated[int, Field(ge=1, le=20)]], Field(max_length=MOST_CELLS)] = {}
    """Participants of a cell for each one of the others, such as {"control": 2}; by the cell's name."""
    fallback: Literal["station_blocks", "code"] | None = None
    """Assignment of codes that the plan does not have; without it they are refused."""
    seed: Annotated[int, Field(ge=0, le=LARGEST_STUDY_SEED)]
    participants: Annotated[int, Field(ge=1, le=100_000)] | None = None
    stations: Annotated[int, Field(ge=1, le=1000)] | None = None
    quota: Annotated[int, Field(ge=1, le=100_000)] | None = None
    """Finished participants after which a cell is closed."""

    @model_validator(mode="after")
    def _check(self) -> DesignModel:
        for key in ("between", "strata"):
            names = getattr(self, key)
            if len(set(names)) < len(names):
                raise ValueError(f"{key} names something twice")
        if self.fallback is not None and self.assign != "plan":
            raise ValueError(
                "a fallback is for codes that a plan does not have; write assign: plan, or leave it out"
            )
        return self


class PaidPoints(LazyStrictModel):
    """Payment of points: the rate, and which rounds count."""

    rate: Amount
    rounds: Literal["sum", "mean", "best", "draw_one", "draw_n"] = "sum"
    n: Annotated[int, Field(ge=1, le=20)] | None = None
    """Number of rounds that are drawn, for draw_n."""
    of: StudyId | Annotated[list[StudyId], Field(min_length=1, max_length=10)]
    no_deal_counts: bool = True
    """Whether the points of a game without a deal are paid; otherwise such a game pays nothing."""

    @model_validator(mode="after")
    def _check(self) -> PaidPoints:
        if (self.rounds == "draw_n") != (self.n is not None):
            raise ValueError("draw_n needs n, the number of rounds, and nothing else does")
        return self

    @property
    def stages(self) -> tuple[str, ...]:
        """Ids of the stages whose games are paid."""
        return (self.of,) if isinstance(self.of, str) else tuple(self.of)


class BonusModel(LazyStrictModel):
    """Bonus for a result: the amount once for a true one, or times the number that it is."""

    for_: Annotated[str, Field(max_length=80)] = Field(alias="for")
    amount: Amount


class PaymentModel(LazyStrictModel):
    """Payment of a participant."""

    currency: Annotated[str, Field(min_length=1, max_length=10)]
    show_up: Amount = Decimal(0)
    points: PaidPoints | None = None
    bonuses: Annotated[list[BonusModel], Field(max_length=20)] = []
    least: Amount | None = None
    most: Amount | None = None
    round_up_to: Amount | None = None
    paid_when: Literal["finished", "started"] = "finished"

    @model_validator(mode="after")
    def _check(self) -> PaymentModel:
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError("the least payment is above the most")
        if self.round_up_to is not None:
            if not self.round_up_to:
                raise ValueError("payments are rounded up to a multiple of an amount above 0")
            if self.most is not None and self.most % self.round_up_to:
                raise ValueError("the most payment is no multiple of round_up_to, so nobody could be paid it")
        return self


class PaceModel(LazyStrictModel):
    """Time limit of all pages that have none of their own."""

    page_timeout_seconds: Annotated[int, Field(ge=1, le=86_400)] | None = None
    timeout_does: Literal["flag", "go_on", "end"] = "flag"


class LabModel(LazyStrictModel):
    """The laboratory."""

    name: LocalText


class StudyModel(LazyStrictModel):
    """A study, with the choices of one cell resolved."""

    schema_: Literal["negoplatform.study/1"] = Field(alias="schema")
    name: FileId
    version: Annotated[str, AfterValidator(_check_version)]
    title: LocalText
    languages: Annotated[list[Language], Field(min_length=1, max_length=10)]
    contact: LocalText | None = None
    codes: CodeRules = CodeRules.model_construct()
    factors: Annotated[
        dict[StudyId, Annotated[list[Level], Field(min_length=2, max_length=12)]], Field(max_length=6)
    ] = {}
    design: DesignModel
    partners: Annotated[dict[StudyId, PartnerModel], Field(max_length=40)] = {}
    stages: Annotated[list[StageChoice], Field(min_length=1, max_length=100)]
    payment: PaymentModel | None = None
    help_button: bool = False
    pace: PaceModel = PaceModel.model_construct()
    lab: LabModel | None = None

    @model_validator(mode="after")
    def _check(self) -> StudyModel:
        if len(set(self.languages)) < len(self.languages):
            raise ValueError("languages names a language twice")
        for factor, levels in self.factors.items():
            if len(set(levels)) < len(levels):
                raise ValueError(f"the factor {factor!r} has a level twice")
            if factor == ANY:
                raise ValueError("no factor may be named 'any', which conditions use")
        for name in self.design.between:
            if name not in self.factors:
                raise ValueError(
                    f"design.between names the factor {name!r}, which there is not; "
                    f"there is {', '.join(self.factors) or 'none'}"
                )
        if unused := [name for name in self.factors if name not in self.design.between]:
            raise ValueError(
                f"the factor {unused[0]!r} is not in design.between, so nobody would get a level of it"
            )
        ids = [stage.id for stage in walk_stages(list(self.stages))]
        if twice := [name for name, n in Counter(ids).items() if n > 1]:
            raise ValueError(f"there are two stages named {twice[0]!r}")
        if both := set(ids) & set(self.factors):
            raise ValueError(f"{min(both)!r} is a stage and a factor; rename one of them")
        self._check_design()
        return self

    def _check_design(self) -> None:
        if prod(len(levels) for levels in self.factors.values()) > MOST_CELLS:
            raise ValueError(f"there are more than {MOST_CELLS} cells")
        names = [cell_name(cell) for cell in self.cells()]
        for key, given in (("design.weights", self.design.weights), ("codes.replace", self.codes.replace)):
            for name in given:
                if name not in names:
                    raise ValueError(
                        f"{key} names the cell {name!r}, which there is not; there is {', '.join(names)}"
                    )
        whole = sum(self.design.weights.get(name, 1) for name in names)
        if self.design.block is not None and self.design.block % whole:
            raise ValueError(
                f"design.block is {self.design.block}, which is no multiple of {whole}, "
                "the number of cells with their weights"
            )

    def cells(self) -> list[Cell]:
        """Return all cells: every combination of the levels, the first factor varying slowest."""
        names = self.design.between
        return [
            dict(zip(names, levels, strict=True))
            for levels in product(*(self.factors[name] for name in names))
        ]

    def block_cells(self) -> list[Cell]:
        """Return the cells of one block: each as often as its weight says."""
        cells = self.cells()
        once = [cell for cell in cells for _ in range(self.design.weights.get(cell_name(cell), 1))]
        return once * ((self.design.block or len(once)) // len(once))

    def all_stages(self) -> Iterator[AnyStage]:
        """Yield all stages, also those inside blocks and between rounds."""
        return walk_stages(list(self.stages))

    def stage(self, stage_id: str) -> AnyStage | None:
        """Return a stage by its id; None if there is none."""
        return next((stage for stage in self.all_stages() if stage.id == stage_id), None)


def cell_name(cell: Cell) -> str:
    """Return the name of a cell, such as ``happy-tough``; ``all`` where there are no factors."""
    return "-".join(cell.values()) or "all"
