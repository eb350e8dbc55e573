"""Shapes of a model's responses, and their parsing."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from negoplatform.core.events import MessageSubtype

MOST_ACTS = 8
"""Maximum number of dialogue acts of a text."""


class StructuredResponse(BaseModel):
    """Shape of a response; further fields are an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Paraphrase(StructuredResponse):
    """Reworded message."""

    text: str


class ClassifiedAct(StructuredResponse):
    """Dialogue act of a text.

    Args:
        act: The subtype of the act.
        issue: The issue that it is about; None if it is about none.
    """

    act: MessageSubtype
    issue: str | None


class ActClassification(StructuredResponse):
    """Dialogue acts of a text."""

    acts: Annotated[list[ClassifiedAct], Field(max_length=MOST_ACTS)]


A = TypeVar("A", bound=StructuredResponse)


def response_schema(shape: type[StructuredResponse]) -> dict[str, Any]:
    """Return the JSON schema of a shape, with only the keywords that every service supports."""
    schema = shape.model_json_schema()
    for properties in (
        schema["properties"],
        *(d.get("properties", {}) for d in schema.get("$defs", {}).values()),
    ):
        for field in properties.values():
            field.pop("maxItems", None)
    return schema


def parse_response(shape: type[A], text: str) -> A | None:
    """Return a response in its shape; None if it has another.

    A service without structured output may put its JSON into a fence, which is removed.
    """
    bare = text.strip()
    if bare.startswith("```") and bare.endswith("```"):
        bare = bare[3:-3].removeprefix("json")
    try:
        return shape.model_validate_json(bare)
    except (ValidationError, RecursionError):
        return None
