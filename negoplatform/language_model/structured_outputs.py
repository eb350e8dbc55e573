"""Shapes of a model's responses, and their parsing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Annotated, Any, Literal, TypeVar

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


class Decision(StructuredResponse):
    """Decision of a model; a game's own shape (:func:`decision_shape`) restricts it further.

    Args:
        do: ``offer``, ``accept``, ``say`` or ``quit``.
        offer: The terms by issue; None with everything but ``offer``.
        text: A message; empty: none.
    """

    do: Literal["offer", "accept", "say", "quit"]
    offer: dict[str, Any] | None
    text: str


def decision_shape(offers: Mapping[str, Any], allowed: Sequence[str]) -> type[Decision]:
    """Return the shape of a decision in one game at one moment.

    Its schema requires every term, because strict structured output does; a term that may be left out may be
    null instead.

    Args:
        offers: The JSON Schema of the game's offers.
        allowed: The values of ``do`` that are open now.
    """
    required = set(offers.get("required", ()))
    terms = {
        issue: term if issue in required else {"anyOf": [term, {"type": "null"}]}
        for issue, term in offers["properties"].items()
    }
    offer = {"type": "object", "properties": terms, "required": list(terms), "additionalProperties": False}
    schema = {
        "type": "object",
        "properties": {
            "do": {"type": "string", "enum": list(allowed)},
            "offer": {"anyOf": [offer, {"type": "null"}]},
            "text": {"type": "string"},
        },
        "required": ["do", "offer", "text"],
        "additionalProperties": False,
    }

    class GameDecision(Decision):
        """Decision in one game."""

        @classmethod
        def model_json_schema(cls, *_given: Any, **_more: Any) -> dict[str, Any]:
            """Return the schema of the game's decisions."""
            return deepcopy(schema)

    return GameDecision


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
