"""Issues in a game file."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import number_from_decimal
from negoplatform.formats.game_files.game_names import Label, Name, Picture, Synonyms
from negoplatform.formats.game_files.seat_preferences import MOST_NUMBERS
from negoplatform.formats.spoken_forms import NumberPhrase, Phrase, SpokenUnitsModel, spoken_values
from negoplatform.formats.strict_json import Number, StrictModel


class QuantityIssueModel(StrictModel):
    """Quantity issue in a file."""

    kind: Literal["quantity"]
    name: Name
    quantity: Annotated[int, Field(ge=1, le=1000)]
    label: Label | None = None
    synonyms: Synonyms = ()
    picture: Picture | None = None
    spoken: SpokenUnitsModel | None = None
    spoken_title: Label | None = None

    def value(self) -> Issue:
        """Return the issue."""
        return QuantityIssue(
            self.name,
            self.quantity,
            self.label or "",
            self.synonyms,
            self.picture or "",
            (self.spoken.one, self.spoken.many) if self.spoken else (),
            self.spoken_title or "",
        )

    def table_size(self) -> int:
        """Return the number of points in a table of this issue."""
        return self.quantity + 1


class CategoricalIssueModel(StrictModel):
    """Categorical issue in a file."""

    kind: Literal["categorical"]
    name: Name
    values: Annotated[list[Label], Field(fail_fast=True, min_length=1, max_length=MOST_NUMBERS)]
    label: Label | None = None
    synonyms: Synonyms = ()
    value_synonyms: Annotated[dict[str, Synonyms], Field(default_factory=dict)]
    picture: Picture | None = None
    spoken: Annotated[dict[str, Phrase], Field(default_factory=dict)]
    spoken_title: Label | None = None

    @model_validator(mode="after")
    def _check_values_unique(self) -> CategoricalIssueModel:
        twice = [value for value, n in Counter(self.values).items() if n > 1]
        if twice:
            raise ValueError(f"the value {twice[0]!r} appears twice; keep one of them")
        odd = [value for value in self.value_synonyms if value not in self.values]
        if odd:
            raise ValueError(f"there are synonyms for {odd[0]!r}, which is none of the values")
        spoken_values(self.spoken, self.values)
        return self

    def value(self) -> Issue:
        """Return the issue."""
        others = tuple(self.value_synonyms.items())
        return CategoricalIssue(
            self.name,
            tuple(self.values),
            self.label or "",
            self.synonyms,
            others,
            self.picture or "",
            spoken_values(self.spoken, self.values),
            self.spoken_title or "",
        )

    def table_size(self) -> int:
        """Return the number of points in a table of this issue."""
        return len(self.values)


class NumberIssueModel(StrictModel):
    """Number issue in a file."""

    kind: Literal["number"]
    name: Name
    low: Number
    high: Number
    step: Annotated[Number, Field(gt=0)] = Decimal(1)
    label: Label | None = None
    unit: Annotated[str, Field(max_length=20)] = ""
    synonyms: Synonyms = ()
    picture: Picture | None = None
    spoken: NumberPhrase | None = None
    spoken_title: Label | None = None

    @model_validator(mode="after")
    def _check_step(self) -> NumberIssueModel:
        if self.high < self.low:
            raise ValueError(f"the highest number, {self.high}, is below the lowest, {self.low}")
        # Before value(): Decimal cannot compute the remainder of a tiny step.
        if self.high - self.low >= self.step * MOST_NUMBERS:
            raise ValueError(f"there are more than {MOST_NUMBERS:,} numbers; take a longer step")
        self.value()  # refuses a range that is no whole number of steps, and indistinguishable steps
        return self

    def value(self) -> Issue:
        """Return the issue."""
        return NumberIssue(
            self.name,
            number_from_decimal(self.low),
            number_from_decimal(self.high),
            number_from_decimal(self.step),
            self.label or "",
            self.unit,
            self.synonyms,
            self.picture or "",
            self.spoken or "",
            self.spoken_title or "",
        )

    def table_size(self) -> int:
        """Return the number of points in a table of this issue."""
        return int((self.high - self.low) / self.step) + 1


IssueModel = Annotated[
    QuantityIssueModel | CategoricalIssueModel | NumberIssueModel, Field(discriminator="kind")
]


def dump_issue(issue: Issue) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": issue.kind, "name": issue.name, "label": issue.label or None}
    match issue:
        case QuantityIssue(quantity=quantity):
            document["quantity"] = quantity
            if issue.spoken:
                document["spoken"] = dict(zip(("one", "many"), issue.spoken, strict=True))
        case CategoricalIssue(values=values):
            document["values"] = list(values)
            if issue.value_synonyms:
                document["value_synonyms"] = {value: list(words) for value, words in issue.value_synonyms}
            if issue.spoken:
                document["spoken"] = dict(zip(values, issue.spoken, strict=True))
        case NumberIssue():
            document |= {"low": issue.low, "high": issue.high, "step": issue.step, "unit": issue.unit}
            if issue.spoken:
                document["spoken"] = issue.spoken
    # Omitted if empty, as in older logs.
    if issue.spoken_title:
        document["spoken_title"] = issue.spoken_title
    if issue.synonyms:
        document["synonyms"] = list(issue.synonyms)
    return document | ({"picture": issue.picture} if issue.picture else {})
