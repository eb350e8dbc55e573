"""What an agent can be set to, as its agent.json says it: a small part of JSON Schema, checked like the rest.

A part, so that a misspelt word is found and no schema does harm: it refers to nothing outside of itself, has
no patterns, which may take for ever, and nests nothing. It becomes a pydantic model, so that settings are
checked, and faults are told, exactly as where an agent's class declares them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import lru_cache
from math import ceil, floor
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    create_model,
    model_validator,
)

from negoplatform.agent_api.settings import validate_settings
from negoplatform.formats.strict_json import LazyStrictModel, preview

MOST_OPTIONS = 100

Text = Annotated[str, Field(max_length=4000)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]


def _name(text: str) -> str:
    if not (text.isascii() and text.isidentifier() and text[0] != "_" and len(text) <= 40):
        raise ValueError(
            "an option's name has letters, digits and _, begins with a letter, and has 40 at most"
        )
    return text


Name = Annotated[str, AfterValidator(_name)]
Bound = Annotated[float, Field(ge=-1e15, le=1e15)]


def _check_digits(number: int) -> int:
    if abs(number) >= 10**18:
        raise ValueError(f"a whole number has 18 digits at most here, not {preview(number)}")
    return number


BoundedInteger = Annotated[int, AfterValidator(_check_digits)]
"""A whole number that other programs can keep too, and that is still a number among fractions."""


class _OptionBase(LazyStrictModel):
    """A setting.

    Args:
        title: What people read over its field.
        description: What it does.
        read_only: Whether the start window leaves it out.
    """

    title: Text = ""
    description: Text = ""
    read_only: Annotated[bool, Field(alias="readOnly")] = False

    @property
    def default_value(self) -> Any:
        """What it is unless it is set; None: nothing."""
        return getattr(self, "default", None)

    def value_type(self) -> Any:
        """What fits, as a type that pydantic checks."""
        raise NotImplementedError

    def empty_range_reason(self) -> str:
        """What of its bounds leaves no room between them; empty: something fits."""
        return ""

    @model_validator(mode="after")
    def _check_range(self) -> Self:
        if reason := self.empty_range_reason():
            raise ValueError(f"nothing fits: {reason}")
        return self

    @model_validator(mode="after")
    def _check_default(self) -> Self:
        if self.default_value is not None:
            try:
                TypeAdapter(self.value_type()).validate_json(json.dumps(self.default_value), strict=True)
            except ValidationError as error:
                fault = str(error.errors(include_url=False)[0]["msg"])
                raise ValueError(f"the default does not fit: {fault[:1].lower()}{fault[1:]}") from None
        return self


class BooleanOption(_OptionBase):
    """True or false."""

    type: Literal["boolean"]
    default: bool | None = None

    def value_type(self) -> Any:
        """What fits."""
        return bool


def _check_integer(value: object) -> object:
    """Python takes true for 1, and 1.0 too."""
    if type(value) is not int:
        raise ValueError(f"a whole number belongs here, not {preview(value)}")
    return value


class _NumericOption(_OptionBase):
    """A number in a range."""

    minimum: Bound | None = None
    maximum: Bound | None = None
    exclusive_minimum: Annotated[Bound | None, Field(alias="exclusiveMinimum")] = None
    exclusive_maximum: Annotated[Bound | None, Field(alias="exclusiveMaximum")] = None


def _round_bound(bound: float | None, to_whole: Callable[[float], int], step: int) -> int | None:
    return None if bound is None else to_whole(bound) + step


class IntegerOption(_NumericOption):
    """A whole number."""

    type: Literal["integer"]
    default: BoundedInteger | None = None
    enum: Annotated[list[BoundedInteger], Field(min_length=1, max_length=100)] | None = None

    def value_type(self) -> Any:
        """What fits."""
        if self.enum is not None:
            return Annotated[Literal[tuple(self.enum)], BeforeValidator(_check_integer)]
        least, most = self._bounds()
        return Annotated[int, Field(ge=least, le=most)]

    def _bounds(self) -> tuple[int | None, int | None]:
        """The least and the most. From 0.5 up is from 1 up, and above 0.5 or above 0 is it too."""
        least = (
            None if self.minimum is None else ceil(self.minimum),
            _round_bound(self.exclusive_minimum, floor, 1),
        )
        most = (
            None if self.maximum is None else floor(self.maximum),
            _round_bound(self.exclusive_maximum, ceil, -1),
        )
        return (
            max((end for end in least if end is not None), default=None),
            min((end for end in most if end is not None), default=None),
        )

    def empty_range_reason(self) -> str:
        """What leaves no room."""
        least, most = self._bounds()
        if self.enum is not None or least is None or most is None or least <= most:
            return ""
        return f"the least whole number is {least} and the greatest {most}"


class NumberOption(_NumericOption):
    """Any number."""

    type: Literal["number"]
    default: float | None = None

    def value_type(self) -> Any:
        """What fits."""
        return Annotated[
            float,
            Field(ge=self.minimum, le=self.maximum, gt=self.exclusive_minimum, lt=self.exclusive_maximum),
        ]

    def empty_range_reason(self) -> str:
        """What leaves no room."""
        lower = [bound for bound in (self.minimum, self.exclusive_minimum) if bound is not None]
        upper = [bound for bound in (self.maximum, self.exclusive_maximum) if bound is not None]
        if not lower or not upper:
            return ""
        least, most = max(lower), min(upper)
        open_ended = least == self.exclusive_minimum or most == self.exclusive_maximum
        if least < most or (least == most and not open_ended):
            return ""
        return f"the numbers begin at {least:g} and end at {most:g}"


def _crossed_bounds(least_key: str, least: int | None, most_key: str, most: int | None) -> str:
    crossed = least is not None and most is not None and least > most
    return f"{least_key} is {least} and {most_key} {most}" if crossed else ""


class StringOption(_OptionBase):
    """A text, or one of several; with the format ``environment``, the variable that holds a key."""

    type: Literal["string"]
    default: Text | None = None
    enum: Annotated[list[Text], Field(min_length=1, max_length=100)] | None = None
    min_length: Annotated[Count | None, Field(alias="minLength")] = None
    max_length: Annotated[Count | None, Field(alias="maxLength")] = None
    format: Literal["environment"] | None = None

    def value_type(self) -> Any:
        """What fits."""
        if self.enum is not None:
            return Literal[tuple(self.enum)]
        return Annotated[str, Field(min_length=self.min_length, max_length=self.max_length)]

    def empty_range_reason(self) -> str:
        """What leaves no room."""
        return (
            ""
            if self.enum is not None
            else _crossed_bounds("minLength", self.min_length, "maxLength", self.max_length)
        )

    @model_validator(mode="after")
    def _check_environment_has_no_default(self) -> Self:
        if self.format is not None and self.default is not None:
            # Whoever could write the file would help themselves to a key, and nobody had to say so.
            raise ValueError("which key is used is said by whoever uses the agent; leave the default out")
        return self


class Items(LazyStrictModel):
    """What a list holds."""

    type: Literal["boolean", "integer", "number", "string"]


class ArrayOption(_OptionBase):
    """A list."""

    type: Literal["array"]
    default: list[Any] | None = None
    items: Items | None = None
    min_items: Annotated[Count | None, Field(alias="minItems")] = None
    max_items: Annotated[Count | None, Field(alias="maxItems")] = None

    def value_type(self) -> Any:
        """What fits."""
        kinds = {"boolean": bool, "integer": int, "number": float, "string": str}
        kind: Any = Any if self.items is None else kinds[self.items.type]
        return Annotated[list[kind], Field(min_length=self.min_items, max_length=self.max_items)]

    def empty_range_reason(self) -> str:
        """What leaves no room."""
        return _crossed_bounds("minItems", self.min_items, "maxItems", self.max_items)


class ObjectOption(_OptionBase):
    """An object, which the agent itself looks at."""

    type: Literal["object"]
    default: dict[str, Any] | None = None

    def value_type(self) -> Any:
        """What fits."""
        return dict[str, Any]


Option = Annotated[
    BooleanOption | IntegerOption | NumberOption | StringOption | ArrayOption | ObjectOption,
    Field(discriminator="type"),
]


class Options(LazyStrictModel):
    """The settings of an agent.

    Args:
        properties: Each setting by its name.
        required: Those that have to be set.
        allows_extra: Whether it also takes settings that are not named here.
    """

    schema_: Annotated[Text, Field(alias="$schema")] = ""
    title: Text = ""
    description: Text = ""
    type: Literal["object"] = "object"
    properties: Annotated[dict[Name, Option], Field(max_length=MOST_OPTIONS)]
    required: Annotated[list[Name], Field(max_length=MOST_OPTIONS)] = Field(default_factory=list)
    allows_extra: Annotated[bool, Field(alias="additionalProperties")] = False

    @model_validator(mode="after")
    def _check_required(self) -> Self:
        for name in self.required:
            option = self.properties.get(name)
            if option is None:
                raise ValueError(f"{name!r} is required and not among the properties")
            if option.read_only and option.default_value is None:
                raise ValueError(
                    f"{name!r} is required, and nobody is asked for it because it is readOnly; give it a "
                    "default"
                )
        return self

    def to_json_schema(self) -> dict[str, Any]:
        """The schema as it was written."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

    def resolve(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """An agent's settings, checked, with what is usual where nothing is set.

        Args:
            config: What was set; JSON values.

        Raises:
            AgentError: With a sentence, if there is no such setting, or a value does not fit.
        """
        usual = {
            name: option.default_value
            for name, option in self.properties.items()
            if option.default_value is not None
        }
        whole = {**deepcopy(usual), **config}  # an agent may change a list that it is given
        validate_settings(_settings_model(self.model_dump_json(by_alias=True)), whole)
        return whole


@lru_cache(maxsize=16)  # an agent is made anew for every game
def _settings_model(schema: str) -> Any:
    options = Options.model_validate_json(schema)
    # By numbers: a name such as "copy" would hide a method of the model's.
    fields: dict[str, Any] = {
        f"option_{number}": (
            option.value_type(),
            Field(... if name in options.required else None, alias=name),
        )
        for number, (name, option) in enumerate(options.properties.items())
    }
    extra: Literal["allow", "forbid"] = "allow" if options.allows_extra else "forbid"
    return create_model("Settings", __config__=ConfigDict(extra=extra), **fields)
