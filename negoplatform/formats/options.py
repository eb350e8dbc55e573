"""What an agent can be set to, as its agent.json says it: a small part of JSON Schema, checked like the rest.

A part, so that a misspelt word is found and no schema does harm: it refers to nothing outside of itself, has
no patterns, which may take for ever, and nests nothing. It becomes a pydantic model, so that settings are
checked, and faults are told, exactly as where an agent's class declares them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
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
from negoplatform.formats.strict import SeldomStrict, shown

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


class Whole(_Numeric):
    """A whole number."""

    type: Literal["integer"]
    default: int | None = None
    enum: Annotated[list[int], Field(min_length=1, max_length=100)] | None = None

    def takes(self) -> Any:
        """What fits."""
        if self.enum is not None:
            return Annotated[Literal[tuple(self.enum)], BeforeValidator(_whole)]
        # A bound of whole numbers is a whole number: from 0.5 up is from 1 up, above 0.5 is above 0.
        least = None if self.minimum is None else ceil(self.minimum)
        most = None if self.maximum is None else floor(self.maximum)
        above = None if self.above is None else floor(self.above)
        below = None if self.below is None else ceil(self.below)
        return Annotated[int, Field(ge=least, le=most, gt=above, lt=below)]


class Fraction(_Numeric):
    """Any number."""

    type: Literal["number"]
    default: float | None = None

    def takes(self) -> Any:
        """What fits."""
        return Annotated[float, Field(ge=self.minimum, le=self.maximum, gt=self.above, lt=self.below)]


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
    def _required_are_there(self) -> Self:
        for name in self.required:
            if name not in self.properties:
                raise ValueError(f"{name!r} is required and not among the properties")
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
