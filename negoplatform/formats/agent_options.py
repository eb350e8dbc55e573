"""Options of an agent, declared in its ``agent.json``: a small subset of JSON Schema, checked strictly.

A subset, to find misspelt keywords and to keep schemas harmless: no references, no patterns (which may take
for ever), no nesting. The options become a pydantic model, so settings are checked, and faults are reported,
exactly as if the agent's class declared them.
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

from negoplatform.agent_api.settings_validation import validate_settings
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
"""Whole number that other programs can store too, and that a float can approximate."""


class _OptionBase(LazyStrictModel):
    """Base of options.

    Args:
        title: Label of its field.
        description: Its effect.
        read_only: Whether the start window omits it.
    """

    title: Text = ""
    description: Text = ""
    read_only: Annotated[bool, Field(alias="readOnly")] = False

    @property
    def default_value(self) -> Any:
        """Default value; None: no default."""
        return getattr(self, "default", None)

    def value_type(self) -> Any:
        """Return the type of its values, for pydantic."""
        raise NotImplementedError

    def empty_range_reason(self) -> str:
        """Return why no value lies between its bounds; empty if one does."""
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
    """Boolean option."""

    type: Literal["boolean"]
    default: bool | None = None

    def value_type(self) -> Any:
        """Return the type of its values."""
        return bool


def _check_integer(value: object) -> object:
    """Refuse everything but an ``int``: in Python, True and 1.0 equal 1."""
    if type(value) is not int:
        raise ValueError(f"a whole number belongs here, not {preview(value)}")
    return value


class _NumericOption(_OptionBase):
    """Base of numeric options, with a range."""

    minimum: Bound | None = None
    maximum: Bound | None = None
    exclusive_minimum: Annotated[Bound | None, Field(alias="exclusiveMinimum")] = None
    exclusive_maximum: Annotated[Bound | None, Field(alias="exclusiveMaximum")] = None


def _round_bound(bound: float | None, to_whole: Callable[[float], int], step: int) -> int | None:
    return None if bound is None else to_whole(bound) + step


class IntegerOption(_NumericOption):
    """Integer option."""

    type: Literal["integer"]
    default: BoundedInteger | None = None
    enum: Annotated[list[BoundedInteger], Field(min_length=1, max_length=100)] | None = None

    def value_type(self) -> Any:
        """Return the type of its values."""
        if self.enum is not None:
            return Annotated[Literal[tuple(self.enum)], BeforeValidator(_check_integer)]
        least, most = self._bounds()
        return Annotated[int, Field(ge=least, le=most)]

    def _bounds(self) -> tuple[int | None, int | None]:
        """Return the least and the greatest integer: "from 0.5", "above 0.5" and "above 0" all mean 1."""
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
        """Return why no value lies between its bounds."""
        least, most = self._bounds()
        if self.enum is not None or least is None or most is None or least <= most:
            return ""
        return f"the least whole number is {least} and the greatest {most}"


class NumberOption(_NumericOption):
    """Number option."""

    type: Literal["number"]
    default: float | None = None

    def value_type(self) -> Any:
        """Return the type of its values."""
        return Annotated[
            float,
            Field(ge=self.minimum, le=self.maximum, gt=self.exclusive_minimum, lt=self.exclusive_maximum),
        ]

    def empty_range_reason(self) -> str:
        """Return why no value lies between its bounds."""
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
    """String option; with the format ``environment`` the variable that holds a key, with ``uri`` the address
    of a service.
    """

    type: Literal["string"]
    default: Text | None = None
    enum: Annotated[list[Text], Field(min_length=1, max_length=100)] | None = None
    min_length: Annotated[Count | None, Field(alias="minLength")] = None
    max_length: Annotated[Count | None, Field(alias="maxLength")] = None
    format: Literal["environment", "uri"] | None = None

    def value_type(self) -> Any:
        """Return the type of its values."""
        if self.enum is not None:
            return Literal[tuple(self.enum)]
        return Annotated[str, Field(min_length=self.min_length, max_length=self.max_length)]

    def empty_range_reason(self) -> str:
        """Return why no value lies between its bounds."""
        return (
            ""
            if self.enum is not None
            else _crossed_bounds("minLength", self.min_length, "maxLength", self.max_length)
        )

    @model_validator(mode="after")
    def _check_format_has_no_default(self) -> Self:
        if self.format is not None and self.default is not None:
            # Otherwise the author of the file could choose a key of the user, or a service that the agent may
            # connect to, without the user's consent.
            what = "key is used" if self.format == "environment" else "service is asked"
            raise ValueError(f"which {what} is said by whoever uses the agent; leave the default out")
        return self


class Items(LazyStrictModel):
    """Type of the items of a list."""

    type: Literal["boolean", "integer", "number", "string"]


class ArrayOption(_OptionBase):
    """Array option."""

    type: Literal["array"]
    default: list[Any] | None = None
    items: Items | None = None
    min_items: Annotated[Count | None, Field(alias="minItems")] = None
    max_items: Annotated[Count | None, Field(alias="maxItems")] = None

    def value_type(self) -> Any:
        """Return the type of its values."""
        kinds = {"boolean": bool, "integer": int, "number": float, "string": str}
        kind: Any = Any if self.items is None else kinds[self.items.type]
        return Annotated[list[kind], Field(min_length=self.min_items, max_length=self.max_items)]

    def empty_range_reason(self) -> str:
        """Return why no value lies between its bounds."""
        return _crossed_bounds("minItems", self.min_items, "maxItems", self.max_items)


class ObjectOption(_OptionBase):
    """Object option; the agent itself checks its content."""

    type: Literal["object"]
    default: dict[str, Any] | None = None

    def value_type(self) -> Any:
        """Return the type of its values."""
        return dict[str, Any]


Option = Annotated[
    BooleanOption | IntegerOption | NumberOption | StringOption | ArrayOption | ObjectOption,
    Field(discriminator="type"),
]


class Options(LazyStrictModel):
    """Options of an agent.

    Args:
        properties: Options by name.
        required: Names of the options that must be set.
        allows_extra: Whether settings that are not declared are accepted.
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
        """Return the schema as written in the file."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

    def resolve(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of an agent, checked, with the defaults of those that are not set.

        Args:
            config: The settings that are set; JSON values.

        Raises:
            AgentError: If there is no such option, or a value does not fit; with a sentence.
        """
        usual = {
            name: option.default_value
            for name, option in self.properties.items()
            if option.default_value is not None
        }
        whole = {**deepcopy(usual), **config}  # the agent may change a list in its settings
        validate_settings(_settings_model(self.model_dump_json(by_alias=True)), whole)
        return whole


@lru_cache(maxsize=16)  # agents are created for every game
def _settings_model(schema: str) -> Any:
    options = Options.model_validate_json(schema)
    # Numbered: a name such as "copy" would hide a method of the model.
    fields: dict[str, Any] = {
        f"option_{number}": (
            option.value_type(),
            Field(... if name in options.required else None, alias=name),
        )
        for number, (name, option) in enumerate(options.properties.items())
    }
    extra: Literal["allow", "forbid"] = "allow" if options.allows_extra else "forbid"
    return create_model("Settings", __config__=ConfigDict(extra=extra), **fields)
