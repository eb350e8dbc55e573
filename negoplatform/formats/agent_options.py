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

from negoplatform.agent_api.settings import checked_settings
from negoplatform.formats.strict_json import SeldomStrict, shown

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


def _not_endless(number: int) -> int:
    if abs(number) >= 10**18:
        raise ValueError(f"a whole number has 18 digits at most here, not {shown(number)}")
    return number


Digits = Annotated[int, AfterValidator(_not_endless)]
"""A whole number that other programs can keep too, and that is still a number among fractions."""


class _Option(SeldomStrict):
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
    def usual(self) -> Any:
        """What it is unless it is set; None: nothing."""
        return getattr(self, "default", None)

    def takes(self) -> Any:
        """What fits, as a type that pydantic checks."""
        raise NotImplementedError

    def nothing_fits(self) -> str:
        """What of its bounds leaves no room between them; empty: something fits."""
        return ""

    @model_validator(mode="after")
    def _something_fits(self) -> Self:
        if reason := self.nothing_fits():
            raise ValueError(f"nothing fits: {reason}")
        return self

    @model_validator(mode="after")
    def _default_fits(self) -> Self:
        if self.usual is not None:
            try:
                TypeAdapter(self.takes()).validate_json(json.dumps(self.usual), strict=True)
            except ValidationError as error:
                fault = str(error.errors(include_url=False)[0]["msg"])
                raise ValueError(f"the default does not fit: {fault[:1].lower()}{fault[1:]}") from None
        return self


class YesNo(_Option):
    """True or false."""

    type: Literal["boolean"]
    default: bool | None = None

    def takes(self) -> Any:
        """What fits."""
        return bool


def _whole(value: object) -> object:
    """Python takes true for 1, and 1.0 too."""
    if type(value) is not int:
        raise ValueError(f"a whole number belongs here, not {shown(value)}")
    return value


class _Numeric(_Option):
    """A number in a range."""

    minimum: Bound | None = None
    maximum: Bound | None = None
    above: Annotated[Bound | None, Field(alias="exclusiveMinimum")] = None
    below: Annotated[Bound | None, Field(alias="exclusiveMaximum")] = None


def _next(bound: float | None, to_whole: Callable[[float], int], step: int) -> int | None:
    return None if bound is None else to_whole(bound) + step


class Whole(_Numeric):
    """A whole number."""

    type: Literal["integer"]
    default: Digits | None = None
    enum: Annotated[list[Digits], Field(min_length=1, max_length=100)] | None = None

    def takes(self) -> Any:
        """What fits."""
        if self.enum is not None:
            return Annotated[Literal[tuple(self.enum)], BeforeValidator(_whole)]
        least, most = self._ends()
        return Annotated[int, Field(ge=least, le=most)]

    def _ends(self) -> tuple[int | None, int | None]:
        """The least and the most. From 0.5 up is from 1 up, and above 0.5 or above 0 is it too."""
        least = (None if self.minimum is None else ceil(self.minimum), _next(self.above, floor, 1))
        most = (None if self.maximum is None else floor(self.maximum), _next(self.below, ceil, -1))
        return (
            max((end for end in least if end is not None), default=None),
            min((end for end in most if end is not None), default=None),
        )

    def nothing_fits(self) -> str:
        """What leaves no room."""
        least, most = self._ends()
        if self.enum is not None or least is None or most is None or least <= most:
            return ""
        return f"the least whole number is {least} and the greatest {most}"


class Fraction(_Numeric):
    """Any number."""

    type: Literal["number"]
    default: float | None = None

    def takes(self) -> Any:
        """What fits."""
        return Annotated[float, Field(ge=self.minimum, le=self.maximum, gt=self.above, lt=self.below)]

    def nothing_fits(self) -> str:
        """What leaves no room."""
        lower = [bound for bound in (self.minimum, self.above) if bound is not None]
        upper = [bound for bound in (self.maximum, self.below) if bound is not None]
        if not lower or not upper:
            return ""
        least, most = max(lower), min(upper)
        open_ended = least == self.above or most == self.below
        if least < most or (least == most and not open_ended):
            return ""
        return f"the numbers begin at {least:g} and end at {most:g}"


def _crossed(least_key: str, least: int | None, most_key: str, most: int | None) -> str:
    crossed = least is not None and most is not None and least > most
    return f"{least_key} is {least} and {most_key} {most}" if crossed else ""


class Words(_Option):
    """A text, or one of several; with the format ``environment``, the variable that holds a key."""

    type: Literal["string"]
    default: Text | None = None
    enum: Annotated[list[Text], Field(min_length=1, max_length=100)] | None = None
    least: Annotated[Count | None, Field(alias="minLength")] = None
    most: Annotated[Count | None, Field(alias="maxLength")] = None
    format: Literal["environment"] | None = None

    def takes(self) -> Any:
        """What fits."""
        if self.enum is not None:
            return Literal[tuple(self.enum)]
        return Annotated[str, Field(min_length=self.least, max_length=self.most)]

    def nothing_fits(self) -> str:
        """What leaves no room."""
        return "" if self.enum is not None else _crossed("minLength", self.least, "maxLength", self.most)

    @model_validator(mode="after")
    def _key_is_named_by_hand(self) -> Self:
        if self.format is not None and self.default is not None:
            # Whoever could write the file would help themselves to a key, and nobody had to say so.
            raise ValueError("which key is used is said by whoever uses the agent; leave the default out")
        return self


class Items(SeldomStrict):
    """What a list holds."""

    type: Literal["boolean", "integer", "number", "string"]


class Several(_Option):
    """A list."""

    type: Literal["array"]
    default: list[Any] | None = None
    items: Items | None = None
    least: Annotated[Count | None, Field(alias="minItems")] = None
    most: Annotated[Count | None, Field(alias="maxItems")] = None

    def takes(self) -> Any:
        """What fits."""
        kinds = {"boolean": bool, "integer": int, "number": float, "string": str}
        kind: Any = Any if self.items is None else kinds[self.items.type]
        return Annotated[list[kind], Field(min_length=self.least, max_length=self.most)]

    def nothing_fits(self) -> str:
        """What leaves no room."""
        return _crossed("minItems", self.least, "maxItems", self.most)


class Anything(_Option):
    """An object, which the agent itself looks at."""

    type: Literal["object"]
    default: dict[str, Any] | None = None

    def takes(self) -> Any:
        """What fits."""
        return dict[str, Any]


Option = Annotated[YesNo | Whole | Fraction | Words | Several | Anything, Field(discriminator="type")]


class Options(SeldomStrict):
    """The settings of an agent.

    Args:
        properties: Each setting by its name.
        required: Those that have to be set.
        open_to_more: Whether it also takes settings that are not named here.
    """

    schema_: Annotated[Text, Field(alias="$schema")] = ""
    title: Text = ""
    description: Text = ""
    type: Literal["object"] = "object"
    properties: Annotated[dict[Name, Option], Field(max_length=MOST_OPTIONS)]
    required: Annotated[list[Name], Field(max_length=MOST_OPTIONS)] = Field(default_factory=list)
    open_to_more: Annotated[bool, Field(alias="additionalProperties")] = False

    @model_validator(mode="after")
    def _required_can_be_set(self) -> Self:
        for name in self.required:
            option = self.properties.get(name)
            if option is None:
                raise ValueError(f"{name!r} is required and not among the properties")
            if option.read_only and option.usual is None:
                raise ValueError(
                    f"{name!r} is required, and nobody is asked for it because it is readOnly; give it a "
                    "default"
                )
        return self

    def document(self) -> dict[str, Any]:
        """The schema as it was written."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

    def settled(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """An agent's settings, checked, with what is usual where nothing is set.

        Args:
            config: What was set; JSON values.

        Raises:
            AgentError: With a sentence, if there is no such setting, or a value does not fit.
        """
        usual = {name: option.usual for name, option in self.properties.items() if option.usual is not None}
        whole = {**deepcopy(usual), **config}  # an agent may change a list that it is given
        checked_settings(_model_of(self.model_dump_json(by_alias=True)), whole)
        return whole


@lru_cache(maxsize=16)  # an agent is made anew for every game
def _model_of(schema: str) -> Any:
    options = Options.model_validate_json(schema)
    # By numbers: a name such as "copy" would hide a method of the model's.
    fields: dict[str, Any] = {
        f"option_{number}": (option.takes(), Field(... if name in options.required else None, alias=name))
        for number, (name, option) in enumerate(options.properties.items())
    }
    extra: Literal["allow", "forbid"] = "allow" if options.open_to_more else "forbid"
    return create_model("Settings", __config__=ConfigDict(extra=extra), **fields)
