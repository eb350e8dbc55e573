"""The shapes of what a model answers, and how they are read."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from negoplatform.core.events import MessageSubtype

MOST_ACTS = 8
"""Speech acts that one text may have."""


class StructuredResponse(BaseModel):
    """The shape of an answer: nothing more, nothing less, nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Paraphrase(StructuredResponse):
    """Words for something that is to be said."""

    text: str


class ClassifiedAct(StructuredResponse):
    """One thing that the other's words do.

    Args:
        act: What it is.
        issue: The issue that it is about; None if it is about none.
    """

    act: MessageSubtype
    issue: str | None


class ActClassification(StructuredResponse):
    """What the other's words do."""

    acts: Annotated[list[ClassifiedAct], Field(max_length=MOST_ACTS)]


A = TypeVar("A", bound=StructuredResponse)


def response_schema(shape: type[StructuredResponse]) -> dict[str, Any]:
    """The JSON schema that a service is told: only what every service knows."""
    schema = shape.model_json_schema()
    for properties in (
        schema["properties"],
        *(d.get("properties", {}) for d in schema.get("$defs", {}).values()),
    ):
        for field in properties.values():
            field.pop("maxItems", None)
    return schema


def parse_response(shape: type[A], text: str) -> A | None:
    """An answer in its shape; None if it has another.

    A service without structured output may put its JSON into a fence, which is taken off.
    """
    bare = text.strip()
    if bare.startswith("```") and bare.endswith("```"):
        bare = bare[3:-3].removeprefix("json")
    try:
        return shape.model_validate_json(bare)
    except (ValidationError, RecursionError):
        return None
