"""Settings of agents: values checked by a model that the author wrote.

The model is a pydantic one, and only its author imports pydantic: an agent without settings needs none of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from negoplatform.domain.errors import AgentError

COMMON_SETTINGS = ("name", "avatar", "timing", "budget")
"""Settings that the platform itself takes, whatever an agent declares."""

TALK_SETTINGS = ("persona", "talkativeness", "politeness", "honesty")
"""Settings of the shipped agents that talk; logs name them in any case, and tables have a column for each."""

Schema = dict[str, Any]


def validate_settings(model: Any, config: Mapping[str, Any]) -> Any:
    """Return an agent's settings as an instance of its model.

    Args:
        model: A pydantic model.
        config: The given settings; JSON values.

    Raises:
        AgentError: With a sentence, if there is no such setting or a value does not fit.
    """
    known = _setting_names(model)
    own = {name: value for name, value in config.items() if name in known or name not in COMMON_SETTINGS}
    open_to_more = getattr(model, "model_config", {}).get("extra") == "allow"
    for name in own:
        if name not in known and not open_to_more:
            declared = schema_of(model).get("properties", {})
            there = ", ".join([*declared, *(name for name in COMMON_SETTINGS if name not in declared)])
            raise AgentError(f"There is no setting {name!r}; there is {there}.")
    try:
        # As it would be read from a file, and as it is written there: true is no number, "1" neither.
        return model.model_validate_json(json.dumps(own), strict=True)
    except TypeError as error:
        raise AgentError(f"An agent's settings are JSON values ({error}).") from None
    except ValueError as error:
        schema = schema_of(model)
        fields = {name: resolve_field(schema, field) for name, field in schema.get("properties", {}).items()}
        raise AgentError(_error_message(error, fields, own)) from None


def _setting_names(model: Any) -> set[str]:
    """Return the names of the settings that a model declares, without its schema, which takes far longer."""
    aliases = {name: field.validation_alias for name, field in model.model_fields.items()}
    if any(alias is not None and not isinstance(alias, str) for alias in aliases.values()):
        return set(schema_of(model).get("properties", {}))
    return {alias or name for name, alias in aliases.items()}


@lru_cache(maxsize=64)  # an agent is created for every game
def schema_of(model: Any) -> Schema:
    """Return the JSON schema of a model, with its own fields before those that it inherits."""
    schema: Schema = model.model_json_schema()
    properties = schema.get("properties", {})
    names = [name for kind in model.__mro__ for name in vars(kind).get("__annotations__", {})]
    order = [name for name in dict.fromkeys([*names, *properties]) if name in properties]
    return {**schema, "properties": {name: properties[name] for name in order}}


def resolve_field(schema: Mapping[str, Any], field: Mapping[str, Any]) -> Schema:
    """Return a field of a schema with its references resolved, and without null as an alternative."""
    flat = dict(field)
    if "allOf" in flat and len(flat["allOf"]) == 1:
        flat |= flat.pop("allOf")[0]
    if "$ref" in flat:
        flat = {**schema.get("$defs", {}).get(str(flat.pop("$ref")).rpartition("/")[2], {}), **flat}
    some = [kind for kind in flat.get("anyOf", ()) if kind.get("type") != "null"]
    if len(some) == 1 and len(flat["anyOf"]) == 2:
        flat = {
            **resolve_field(schema, some[0]),
            **{key: flat[key] for key in flat if key != "anyOf"},
            "null": True,
        }
    return flat


def describe_field(field: Mapping[str, Any]) -> str:
    """Return what fits a field: "a whole number from 1 to 100"; empty if that is not so simple."""
    if "const" in field:
        return json.dumps(field["const"], ensure_ascii=False)
    if "enum" in field:
        return f"one of {', '.join(map(str, field['enum']))}"
    match field.get("type"):
        case "boolean":
            return "true or false"
        case "integer":
            return f"a whole number{_range(field)}"
        case "number" if (field.get("minimum"), field.get("maximum")) == (0, 1):
            return "a share from 0 to 1 (0.4 for 40 %)"
        case "number":
            return f"a number{_range(field)}"
        case "string":
            return "a text"
    return ""


def _range(field: Mapping[str, Any]) -> str:
    least, most = field.get("minimum"), field.get("maximum")
    above, below = field.get("exclusiveMinimum"), field.get("exclusiveMaximum")
    if least is not None and most is not None:
        return f" from {least:g} to {most:g}"
    parts = [
        f"from {least:g} up" if least is not None else "",
        f"above {above:g}" if above is not None else "",
        f"of at most {most:g}" if most is not None else "",
        f"below {below:g}" if below is not None else "",
    ]
    description = " and ".join(part for part in parts if part)
    return f" {description}" if description else ""


def _error_message(error: ValueError, known: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """Return the first fault that a model finds, in a sentence."""
    faults: Any = getattr(error, "errors", None)
    if faults is None:
        return str(error)
    first = faults(include_url=False)[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    message = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
    if not name:
        return f"{message[:1].upper()}{message[1:]}."
    if first["type"] == "missing":
        return f"The setting {name!r} is missing."
    fits = describe_field(known.get(name, {})) if first["type"] != "value_error" else ""
    if fits and len(first["loc"]) == 1:
        return f"The setting {name!r} is {fits}, not {own[name]!r}."
    return f"The setting {name!r} does not fit: {message[:1].lower()}{message[1:]}."
