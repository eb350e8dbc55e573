"""Form fields for an agent's options, made from its JSON schema; without Tk."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from negoplatform.agent_api.settings_validation import resolve_field
from negoplatform.presentation.i18n import Language

OptionKind = Literal["check", "choice", "whole", "number", "text", "json"]

LONGEST_VALUE = 4000
"""Maximum length of a value in a field, in characters."""

Entered = str | bool
"""Contents of a field: a text, or whether it is ticked."""


@dataclass(frozen=True, slots=True)
class AgentOption:
    """Option of an agent as a form field.

    Args:
        name: Name in the schema.
        title: Displayed title.
        description: Description; empty if there is none.
        kind: Kind of field.
        default: Value if nothing is entered; None for no value.
        choices: Values to choose from.
        choice_titles: Displayed texts of the choices; empty: the values themselves.
        minimum, maximum: Bounds of the range, inclusive.
        exclusive_minimum, exclusive_maximum: Bounds of the range, exclusive.
        required: Whether a value has to be entered.
    """

    name: str
    title: str
    description: str
    kind: OptionKind
    default: Any = None
    choices: tuple[Any, ...] = ()
    choice_titles: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    exclusive_minimum: float | None = None
    exclusive_maximum: float | None = None
    required: bool = False


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """Values entered in a form.

    Args:
        values: Values that differ from their defaults, by name.
        errors: Sentences about invalid entries, by name.
    """

    values: Mapping[str, Any]
    errors: Mapping[str, str]


def agent_options(schema: Mapping[str, Any] | None) -> tuple[AgentOption, ...]:
    """Return the fields for a schema; none without a schema.

    ``readOnly`` properties have no field. Authors may write a schema by hand, so invalid parts of it are
    ignored; they must not prevent a session.
    """
    if schema is None:
        return ()
    required, properties = schema.get("required"), schema.get("properties")
    needed = required if isinstance(required, list) else ()
    return tuple(
        _option(name, _resolved(schema, field), required=name in needed)
        for name, field in (properties.items() if isinstance(properties, Mapping) else ())
        if isinstance(field, Mapping) and field.get("readOnly") is not True
    )


def default_entry(option: AgentOption) -> Entered:
    """Return the initial contents of a field."""
    return entry_for(option, option.default)


def entry_for(option: AgentOption, value: Any) -> Entered:
    """Return the contents of a field for a value."""
    if option.kind == "check":
        return value is True
    if value is None:
        return ""
    if option.kind == "json" or not isinstance(value, str | int | float) or isinstance(value, bool):
        return json.dumps(value, ensure_ascii=False)[:LONGEST_VALUE]
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


def parse_settings(
    options: Sequence[AgentOption], entered: Mapping[str, Entered], translate: Language
) -> AgentSettings:
    """Return the entered values; the agent checks them again when it is created."""
    values: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for option in options:
        text = entered.get(option.name, default_entry(option))
        if text == default_entry(option) and not (option.required and text == ""):
            continue
        try:
            values[option.name] = _value(option, text, translate)
        except ValueError as error:
            errors[option.name] = str(error)
    return AgentSettings(values, errors)


def range_sentence(option: AgentOption, translate: Language) -> str:
    """Return the valid numbers in a sentence; empty if all are valid."""
    span = range_text(option, translate)
    return translate("Must be {range}.", range=span) if span else ""


def range_text(option: AgentOption, translate: Language) -> str:
    """Return the valid numbers: "0 to 1"; empty if all are valid."""
    if option.minimum is not None and option.maximum is not None:
        return translate("{least} to {most}", least=f"{option.minimum:g}", most=f"{option.maximum:g}")
    if option.minimum is not None:
        return translate("{least} or more", least=f"{option.minimum:g}")
    if option.exclusive_minimum is not None and option.exclusive_maximum is not None:
        return translate(
            "between {least} and {most}",
            least=f"{option.exclusive_minimum:g}",
            most=f"{option.exclusive_maximum:g}",
        )
    if option.exclusive_minimum is not None:
        return translate("above {least}", least=f"{option.exclusive_minimum:g}")
    if option.maximum is not None:
        return translate("{most} or less", most=f"{option.maximum:g}")
    return (
        ""
        if option.exclusive_maximum is None
        else translate("below {most}", most=f"{option.exclusive_maximum:g}")
    )


def _resolved(schema: Mapping[str, Any], field: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        return resolve_field(schema, field)
    except (AttributeError, TypeError, ValueError, RecursionError):
        return {}  # handwritten or self-referential: any JSON value is accepted, and the agent checks it


def _option(name: str, field: Mapping[str, Any], *, required: bool) -> AgentOption:
    readable = name.replace("_", " ")
    title = str(field.get("title") or readable)
    choices = tuple(field["enum"]) if isinstance(field.get("enum"), list) else ()
    return AgentOption(
        name=name,
        # A title generated by pydantic has a capital in every word.
        title=readable[:1].upper() + readable[1:] if title == readable.title() else title,
        description=str(field.get("description", "")),
        kind=_kind(field, choices),
        default=field.get("default"),
        choices=(None, *choices) if field.get("null") and choices else choices,
        minimum=_bound(field, "minimum"),
        maximum=_bound(field, "maximum"),
        exclusive_minimum=_bound(field, "exclusiveMinimum"),
        exclusive_maximum=_bound(field, "exclusiveMaximum"),
        required=required,
    )


def _bound(field: Mapping[str, Any], name: str) -> float | None:
    """Return a bound of the range; None if there is none, or none that is comparable with numbers."""
    value = field.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if isfinite(value) else None
    except OverflowError:
        return None


def _kind(field: Mapping[str, Any], choices: tuple[Any, ...]) -> OptionKind:
    if choices:
        return "choice"
    match field.get("type"):
        case "boolean" if not field.get("null"):
            return "check"
        case "integer":
            return "whole"
        case "number":
            return "number"
        case "string":
            return "text"
    return "json"


def _value(option: AgentOption, entered: Entered, translate: Language) -> Any:
    """Return an entry as a value for the agent.

    Raises:
        ValueError: If the entry is invalid; the message is a sentence for the user.
    """
    if isinstance(entered, bool):
        return entered
    text = entered if option.kind == "text" else entered.strip()
    if option.required and not text:
        raise ValueError(translate("Please fill this in."))
    match option.kind:
        case "choice":
            return next((value for value in option.choices if entry_for(option, value) == text), text)
        case "whole" | "number":
            return _number(option, text, translate) if text else None
        case "json":
            try:
                value = json.loads(text) if text else None
                json.dumps(value, allow_nan=False)  # 1e999 is parsed as infinity, which no log can hold
            except (ValueError, RecursionError):
                raise ValueError(translate("This isn’t a JSON value.")) from None
            return value
    return text


def _number(option: AgentOption, text: str, translate: Language) -> int | float:
    whole = option.kind == "whole"
    try:
        number: int | float = int(text) if whole else float(text.replace(",", "."))
    except ValueError:
        raise ValueError(
            translate("This isn’t a whole number.") if whole else translate("This isn’t a number.")
        ) from None
    fits = (
        (isinstance(number, int) or isfinite(number))
        and (option.minimum is None or number >= option.minimum)
        and (option.maximum is None or number <= option.maximum)
        and (option.exclusive_minimum is None or number > option.exclusive_minimum)
        and (option.exclusive_maximum is None or number < option.exclusive_maximum)
    )
    if not fits:
        raise ValueError(range_sentence(option, translate) or translate("This isn’t a number."))
    return number
