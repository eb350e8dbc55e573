"""JSON Schemas of study files and instruments, for editors that check and complete while an author writes.

Rules about several places, such as ids that have to be different, are checked when the file is read.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from negoplatform.formats.game_schema import DIALECT, PlainSchemaGenerator, normalize_schema
from negoplatform.study.factor_choices import BY, FIXED_KEYS
from negoplatform.study.instrument import InstrumentModel
from negoplatform.study.study_file import StudyModel

CHOICE = "FactorChoice"

UNCHOSEN_KEYS = frozenset({"id", "kind", "schema"})
"""Keys whose value is the same in all cells."""


def instrument_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of an instrument."""
    return model_schema(InstrumentModel)


def study_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a study file, in which a choice can stand for most values."""
    schema = model_schema(StudyModel)
    for form in schema["$defs"].values():
        _allow_choices(form, UNCHOSEN_KEYS)
    _allow_choices(schema, UNCHOSEN_KEYS | set(FIXED_KEYS))
    schema["$defs"][CHOICE] = {
        "title": "Choice by a factor",
        "description": "The level of a factor itself, or a value for each of its levels.",
        "type": "object",
        "properties": {BY: {"type": "string", "description": "Name of the factor."}},
        "required": [BY],
    }
    return schema


def model_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a model."""
    schema = model.model_json_schema(by_alias=True, schema_generator=PlainSchemaGenerator)
    forms: dict[str, Any] = schema.pop("$defs")
    for form in (schema, *forms.values()):
        for described in (form, *form.get("properties", {}).values()):
            if "description" in described:
                described["description"] = " ".join(described["description"].replace("``", "'").split())
        normalize_schema(form)
    return {"$schema": DIALECT, **schema, "$defs": forms}


def _allow_choices(form: dict[str, Any], fixed: frozenset[str]) -> None:
    for key, place in form.get("properties", {}).items():
        if key not in fixed:
            form["properties"][key] = {"anyOf": [place, {"$ref": f"#/$defs/{CHOICE}"}]}
