"""State fields that events fill: their declarations, and the mapping of an event's values to them.

A value is taken as its log line would give it back, as a JSON value, and checked strictly against the field's
type: so live play and replay agree, and no mutable object is in an event and in a state at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Protocol, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    WrapValidator,
    create_model,
)
from pydantic_core import PydanticUndefined, from_json, to_json

from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.seat_map import Seat


class HasData(Protocol):
    """Protocol of events that a state can be updated with."""

    @property
    def event_type(self) -> str:
        """Kind of event."""

    @property
    def data(self) -> Mapping[str, Any]:
        """Data of the event: JSON values by key."""


@dataclass(frozen=True, slots=True)
class EventMessage:
    """An event's type and data alone."""

    event_type: str
    data: Mapping[str, Any] = field(default_factory=dict)


class StateClassError(NegoError):
    """Invalid definition of a game's state class; the text names the class, the field and the remedy."""


class EventRefused(Refused):
    """Event that does not fit the typed state; the state is unchanged."""


class TypeMismatch(ValueError):
    """Value that does not fit its field.

    Args:
        name: The field; empty where the part as a whole is at fault.
        place: Where in the value, such as ``1.price``; empty for the value itself.
        fault: The end of a sentence, such as ``should be a valid number, not 'high'``.
    """

    def __init__(self, name: str, place: str, fault: str) -> None:
        super().__init__(f"{name}{' at ' if place else ''}{place} {fault}")
        self.name = name
        self.place = place
        self.fault = fault


_EXTRA = "event_mapping"
_CONVERTING = (BeforeValidator, WrapValidator, PlainValidator)


def EventField(  # noqa: N802 - named like pydantic's Field, which it accompanies
    default: Any = PydanticUndefined,
    *,
    default_factory: Callable[[], Any] | None = None,
    event_key: str | None = None,
    events: Collection[str] | None = None,
    exclude_events: Collection[str] | None = None,
    exclude_from_mapping: bool = False,
    **field_options: Any,
) -> Any:
    """Return a pydantic field with a declaration of the events that fill it.

    A field declared without it is filled by every event that has a key of the field's name.

    Args:
        default: The value before any event.
        default_factory: Factory of that value, where it is a list, a dict or a model.
        event_key: The key in the event's data; the field's name unless given.
        events: Only events of these types fill the field.
        exclude_events: Events of these types do not fill it. Not together with ``events``: the class that
            declares both raises StateClassError.
        exclude_from_mapping: Whether no event fills it, so that only handlers change it.
        field_options: Further options of ``pydantic.Field``; an alias only where nothing is mapped.
    """
    extra = field_options.pop("json_schema_extra", None) or {}
    if not isinstance(extra, dict):
        raise StateClassError("The json_schema_extra of an EventField is no dict; give it as one.")
    mapping = {"key": event_key, "events": events, "but": exclude_events, "never": exclude_from_mapping}
    if default_factory is not None:
        field_options["default_factory"] = default_factory
    make: Any = Field
    return make(default, json_schema_extra={**extra, _EXTRA: mapping}, **field_options)


@dataclass(frozen=True, slots=True)
class _FieldMapping:
    """Field with the key that fills it, and the types of event that do (None: all) and do not."""

    name: str
    key: str
    events: frozenset[str] | None
    excluded: frozenset[str]

    def accepts(self, event_type: str) -> bool:
        return event_type not in self.excluded and (self.events is None or event_type in self.events)

    def overlaps(self, other: _FieldMapping) -> bool:
        """Return whether one event could fill both."""
        if self.key != other.key:
            return False
        named = other.events if self.events is None else self.events
        return named is None or any(self.accepts(event) and other.accepts(event) for event in named)


def _mapped_field(cls: type[BaseModel], name: str) -> _FieldMapping | None:
    """Return the mapping of a field; None if no event ever fills it.

    Raises:
        StateClassError: If the declaration of the field contradicts itself.
    """
    declared, where = cls.model_fields[name], f"The field {name} of {cls.__name__}"
    extra = declared.json_schema_extra
    says: dict[str, Any] = cast("Any", extra).get(_EXTRA, {}) if isinstance(extra, dict) else {}
    events, excluded = says.get("events"), says.get("but")
    if events is not None and excluded is not None:
        raise StateClassError(f"{where} gives both events and exclude_events; give one of them.")
    if isinstance(events, str) or isinstance(excluded, str):
        raise StateClassError(f"{where} names its events in one text; put them into a list.")
    if says.get("never"):
        return None
    if declared.alias is not None or declared.validation_alias is not None:
        raise StateClassError(f"{where} has an alias; say by event_key which key fills it.")
    named = None if events is None else frozenset(events)
    return _FieldMapping(
        name, name if says.get("key") is None else says["key"], named, frozenset(excluded or ())
    )


class StatePart(BaseModel):
    """Part of a state, one of three; derived information about its fields is cached per class."""

    _mappings: ClassVar[tuple[_FieldMapping, ...]] = ()
    _keys_by_event: ClassVar[dict[str, frozenset[str]]] = {}
    _field_models: ClassVar[dict[str, type[BaseModel] | None]] = {}

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        found = (_mapped_field(cls, name) for name in cls.model_fields)
        cls._mappings = tuple(mapped for mapped in found if mapped)
        cls._keys_by_event = {}
        cls._field_models = {}


class MetaInformation(StatePart):
    """Information about the game itself, set by the platform: no event fills it unless it is redeclared.

    Attributes:
        game_id: The game's name; its number where a class takes no text, see ``game_number``.
        session_id: The session's id; empty where it has none, such as at a table for tests.
        seat: The seat whose state this is.
        seat_number: Its place among the seats, from 1.
        seats: All seats of the game, in its order.
        phase: The phase of the session: setup, negotiating, closing or done, unless the game defines its own.
    """

    game_id: int | str = EventField(default="", exclude_from_mapping=True)
    session_id: str = EventField(default="", exclude_from_mapping=True)
    seat: Seat = EventField(default="", exclude_from_mapping=True)
    seat_number: int = EventField(default=0, exclude_from_mapping=True)
    seats: tuple[Seat, ...] = EventField(default=(), exclude_from_mapping=True)
    phase: int | str = EventField(default="", exclude_from_mapping=True)


class PrivateInformation(StatePart):
    """Information that belongs to one seat alone; a game's subclass declares it."""


class PublicInformation(StatePart):
    """Information that every seat sees; a game's subclass declares it. No addressed event changes it."""


def shared_key(private: type[StatePart], public: type[StatePart]) -> tuple[str, str, str] | None:
    """Return the first key that fills a field of both, and the two fields; None if there is none."""
    for own in private._mappings:
        for shown in public._mappings:
            if own.overlaps(shown):
                return own.key, own.name, shown.name
    return None


def mapped_keys(part: type[StatePart], event_type: str) -> frozenset[str]:
    """Return the keys of an event that would fill a field of the part."""
    wanted = part._keys_by_event.get(event_type)
    if wanted is None:
        wanted = frozenset(mapped.key for mapped in part._mappings if mapped.accepts(event_type))
        part._keys_by_event[event_type] = wanted
    return wanted


P = TypeVar("P", bound=StatePart)


def fill_from_event(part: P, message: HasData) -> P | None:
    """Return a part with the values of an event; None if no field takes any. The given part is unchanged.

    Raises:
        EventRefused: With the type, the key, the field and what belongs there.
    """
    event_type, data = message.event_type, message.data
    mapped = {m.name: m for m in type(part)._mappings if m.key in data and m.accepts(event_type)}
    if not mapped:
        return None
    # A model's own validators may change whatever they reach, so they get all of it as a copy.
    after = part.model_copy(deep=bool(type(part).__pydantic_decorators__.model_validators))
    texts = {name: _json(data[m.key], f"its key {m.key!r}", event_type) for name, m in mapped.items()}
    try:
        assign(after, texts)
    except TypeMismatch as misfit:
        where = type(part).__name__
        if misfit.name in mapped:
            inside = f", at {misfit.place}" if misfit.place else ""
            where = f"its key {mapped[misfit.name].key!r}, which fills {misfit.name} of {where}{inside},"
        raise EventRefused(f"The event {event_type!r} does not fit: {where} {misfit.fault}.") from misfit
    return after


def assign(part: StatePart, texts: Mapping[str, bytes]) -> None:
    """Assign JSON values to fields, each checked and fresh.

    Args:
        part: Changed in place; no longer usable if a value does not fit.
        texts: The values by field, each as JSON.

    Raises:
        TypeMismatch: For the first value that does not fit.
    """
    typed = {name: _typed(type(part), name, text) for name, text in texts.items()}
    # All of them first, so that a validator of the whole model never sees half an event.
    part.__dict__.update(typed)
    for name, value in typed.items():
        try:
            type(part).__pydantic_validator__.validate_assignment(part, name, value)
        except ValidationError as error:
            raise _type_mismatch(error, name) from error


def _typed(cls: type[StatePart], name: str, text: bytes) -> Any:
    gate = _field_model(cls, name)
    if gate is None:
        return from_json(text)
    try:
        # In JSON mode a list may be a tuple and an object a model, and a text is no number.
        checked = gate.__pydantic_validator__.validate_json(b'{"value":%s}' % text, strict=True)
    except ValidationError as error:
        raise _type_mismatch(error, name) from error
    return checked.value


def _field_model(cls: type[StatePart], name: str) -> type[BaseModel] | None:
    """Return a model of one field's type alone; None where the field's own validators convert the input."""
    if name not in cls._field_models:
        declared = cls.model_fields[name]
        own = [decorator.info for decorator in cls.__pydantic_decorators__.field_validators.values()]
        converts = any(isinstance(part, _CONVERTING) for part in declared.metadata) or any(
            info.mode != "after" and (name in info.fields or "*" in info.fields) for info in own
        )
        # Validators that follow the type run once, when the value is assigned to the field.
        kept = [part for part in declared.metadata if not isinstance(part, AfterValidator)]
        kind: Any = cast("Any", Annotated)[(declared.annotation, *kept)] if kept else declared.annotation
        config = ConfigDict(arbitrary_types_allowed=True)
        make: Any = create_model
        cls._field_models[name] = (
            None if converts else make(cls.__name__, __config__=config, value=(kind, ...))
        )
    return cls._field_models[name]


def _type_mismatch(error: ValidationError, name: str) -> TypeMismatch:
    fault = error.errors(include_url=False)[0]
    # A validator of the whole model has no place; otherwise the place begins with the field or its gate.
    head, inside = (name, fault["loc"][1:]) if fault["loc"] else ("", ())
    return TypeMismatch(head, ".".join(map(str, inside)), describe_validation_error(error))


def describe_validation_error(error: ValidationError, *, placed: bool = False) -> str:
    """Return the expected and the actual value, as the end of a sentence without its full stop.

    Args:
        error: The error from pydantic; only its first fault is described.
        placed: Whether the place of the fault precedes the text.
    """
    fault = error.errors(include_url=False)[0]
    if placed:
        return f"{'.'.join(map(str, fault['loc']))} {describe_validation_error(error)}"
    if fault["type"] == "missing":
        return "is missing"
    message = fault["msg"].removeprefix("Value error, ").rstrip(".")
    if not message.startswith("Input "):
        return f"is not allowed ({message[:1].lower()}{message[1:]})"
    shown = repr(fault["input"])
    return f"{message.removeprefix('Input ')}, not {shown if len(shown) <= 40 else shown[:40] + '…'}"


def plain_data(message: HasData) -> dict[str, Any]:
    """Return an event's data as its log line would give it back: fresh dicts and lists all the way down.

    Raises:
        EventRefused: If it holds anything but JSON values.
    """
    return cast("dict[str, Any]", from_json(_json(message.data, "its data", message.event_type)))


def _json(value: Any, what: str, event_type: str) -> bytes:
    try:
        text = to_json(value, fallback=_to_builtin)
    except ValueError as error:
        reason = str(error).removeprefix("Error serializing to JSON: ValueError: ")
        raise _not_serializable(event_type, what, reason) from error
    try:
        from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise _not_serializable(event_type, what, "a number that is not finite") from error
    return text


def _not_serializable(event_type: str, what: str, reason: str) -> EventRefused:
    return EventRefused(
        f"The event {event_type!r} holds in {what} what no log can keep ({reason}); send JSON values."
    )


def _to_builtin(value: Any) -> Any:
    match value:
        case Mapping():
            return dict(value)
        case Sequence():
            return list(value)
        case _:
            raise ValueError(f"a value of the type {type(value).__name__}")
