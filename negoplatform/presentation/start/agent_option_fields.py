"""An agent's settings as fields of a form: made from the JSON schema that it declares, without Tk."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from negoplatform.agent_api.settings import resolve_field
from negoplatform.presentation.i18n import Language

OptionKind = Literal["check", "choice", "whole", "number", "text", "json"]

LONGEST_VALUE = 4000
"""Characters of a value that a field shows."""

Entered = str | bool
"""What stands in a field: a text, or whether it is ticked."""


@dataclass(frozen=True, slots=True)
class AgentOption:
    """A setting as a field.

    Args:
        name: What the agent calls it.
        title: What people read.
        description: What it does; empty if nothing is said.
        kind: What field it is.
        default: What is set where nothing is entered; None if that is nothing.
        choices: What can be chosen.
        minimum, most: The range, ends included.
        exclusive_minimum, below: The range, ends not included.
        required: Whether something has to be entered.
    """

    name: str
    title: str
    description: str
    kind: OptionKind
    default: Any = None
    choices: tuple[Any, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    exclusive_minimum: float | None = None
    exclusive_maximum: float | None = None
    required: bool = False


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """What a form says.

    Args:
        values: What differs from what is usual, by name.
        errors: What cannot be taken, by name, in a sentence.
    """

    values: Mapping[str, Any]
    errors: Mapping[str, str]


def agent_options(schema: Mapping[str, Any] | None) -> tuple[AgentOption, ...]:
    """The fields for a schema; none where an agent declares nothing.

    What the schema calls ``readOnly`` is nothing to enter. Authors may write a schema by hand: what makes no
    sense in it is left out, so that it stops nobody.
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
    """What stands in a field at first."""
    return entry_for(option, option.default)


def entry_for(option: AgentOption, value: Any) -> Entered:
    """A value as it stands in a field."""
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
    """What was entered, as values; the agent itself checks them once more when it is made."""
    values: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for option in options:
        text = entered.get(option.name, default_entry(option))
        if text == default_entry(option) and not (option.required and text == ""):
            continue
        try:
            values[option.name] = _value(option, text, translate)
        except ValueError as fault:
            faults[option.name] = str(fault)
    return AgentSettings(values, faults)


def range_sentence(option: AgentOption, translate: Language) -> str:
    """Which numbers fit, in a sentence; empty if all do."""
    span = range_text(option, translate)
    return translate("Must be {range}.", range=span) if span else ""


def range_text(option: AgentOption, translate: Language) -> str:
    """Which numbers fit: "0 to 1"; empty if all do."""
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
        return {}  # written by hand, or about itself: any JSON value is taken, and the agent checks it


def _option(name: str, field: Mapping[str, Any], *, required: bool) -> AgentOption:
    made = name.replace("_", " ")
    title = str(field.get("title") or made)
    choices = tuple(field["enum"]) if isinstance(field.get("enum"), list) else ()
    return AgentOption(
        name=name,
        # A title that pydantic makes by itself has a capital at every word.
        title=made[:1].upper() + made[1:] if title == made.title() else title,
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
    """An end of a range; None if there is none, or none that a number could be compared with."""
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
    """A value as the agent takes it.

    Raises:
        ValueError: With a sentence, if it does not fit.
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
                json.dumps(value, allow_nan=False)  # 1e999 is read as infinite, which no log could hold
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
