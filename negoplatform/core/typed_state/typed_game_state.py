"""Typed state of a game: one projection per seat, changed by events and by nothing else.

A seat's projection follows from the events that reach the seat. The platform's states are never changed in
place: an event is applied to a copy.
"""

from __future__ import annotations

import copy
import inspect
import warnings
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, Field, PrivateAttr, ValidationError
from pydantic_core import to_json

from negoplatform.core.typed_state.event_state_mapping import (
    EventField,
    EventMessage,
    EventRefused,
    HasData,
    MetaInformation,
    PrivateInformation,
    PublicInformation,
    StateClassError,
    StatePart,
    TypeMismatch,
    assign,
    describe_validation_error,
    fill_from_event,
    mapped_keys,
    plain_data,
    shared_key,
)
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat, SeatMap

__all__ = [
    "EventField",
    "EventHandler",
    "EventMessage",
    "EventRefused",
    "GameState",
    "HasData",
    "MetaInformation",
    "PrivateInformation",
    "PublicInformation",
    "SharedKeyWarning",
    "StateClassError",
    "can_handle",
    "game_number",
    "initial_game_states",
    "new_game_state",
    "update_game_states",
]

EventHandler = Callable[[str, dict[str, Any]], None]
"""Handler of an event: takes its type and a copy of its data, and changes the state that it belongs to."""

S = TypeVar("S", bound="GameState")

_PARTS: dict[str, type[StatePart]] = {
    "meta": MetaInformation,
    "private_information": PrivateInformation,
    "public_information": PublicInformation,
}

_PLACES = ("__dict__", "__pydantic_private__", "__pydantic_fields_set__", "__pydantic_extra__")
"""Places in which a model keeps its values."""

_UNCHANGING = frozenset({type(None), bool, int, float, complex, str, bytes})
"""Types of values that a copy has in common with its original."""


class SharedKeyWarning(UserWarning):
    """Warning that one key of an event fills a private and a public field of one state."""


class GameState(BaseModel):
    """A seat's typed state: information about the game, private information and public information.

    A subclass gives its own classes for the three parts, handlers where a mapping does not suffice, and,
    optionally, a constructor that takes ``game_id`` and calls ``super().__init__()``. Where the constructor
    or the ``meta`` part declares ``game_id: int``, it is the game's number. Two states with equal values are
    equal.
    """

    meta: MetaInformation = Field(default_factory=MetaInformation)
    private_information: PrivateInformation = Field(default_factory=PrivateInformation)
    public_information: PublicInformation = Field(default_factory=PublicInformation)

    _addressed: bool = PrivateAttr(default=False)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        classes = _part_classes(cls)
        for (name, kind), part in zip(_PARTS.items(), classes, strict=True):
            # An annotation without a class refers to a name that is not defined yet; a new state is checked
            # again.
            if isinstance(part, type) and not issubclass(part, kind):
                raise StateClassError(
                    f"The {name} of {cls.__name__} is no {kind.__name__}; derive its class from it."
                )
        known = any(_part_classes(base) == classes for base in cls.__bases__ if issubclass(base, GameState))
        if not known and all(isinstance(part, type) for part in classes):
            _warn_of_shared_key(cls, *classes)

    def get_custom_handlers(self) -> dict[str, EventHandler]:
        """Return the handlers by type of event. An event that has a handler is not mapped as well."""
        return {}

    def update(self, message: HasData, addressed: bool = False) -> None:
        """Apply an event: by its handler if it has one, else by mapping its data to the fields.

        A subclass may override it; the part it passes on to ``super().update`` is all or nothing.

        Args:
            message: The event.
            addressed: Whether it went to some seats only; it then leaves the public part alone.

        Raises:
            EventRefused: If the data does not fit the fields, or the handler fails or changes the public part
                on an addressed event. The state is then as it was.
        """
        before = _copied(self, {})
        try:
            self._apply_event(message, addressed or self._addressed)
            _check_addressed(before, self, message, addressed or self._addressed)
        except BaseException:
            # The fields alone would leave private attributes.
            for place in _PLACES:
                object.__setattr__(self, place, getattr(before, place))
            raise

    def map_event(self, message: HasData) -> None:
        """Map an event's data to the fields; for handlers that want both.

        Raises:
            EventRefused: If a value does not fit its field. No field has changed then.
        """
        names = [name for name in _PARTS if not (self._addressed and name == "public_information")]
        read = EventMessage(message.event_type, message.data)  # once: an event decodes its data each time
        found = [(part, fill_from_event(part, read)) for part in (getattr(self, name) for name in names)]
        for part, after in found:
            if after is not None:
                object.__setattr__(part, "__dict__", after.__dict__)
                object.__setattr__(part, "__pydantic_fields_set__", after.__pydantic_fields_set__)

    def _apply_event(self, message: HasData, addressed: bool) -> None:
        """Apply an event without a rollback: for states that are discarded if it fails."""
        event_type, was = message.event_type, self._addressed
        self._addressed = addressed
        try:
            with _refuse_on_error(f"The handler of {type(self).__name__}", event_type):
                handler = self.get_custom_handlers().get(event_type)
                if handler is None:
                    self.map_event(message)
                else:
                    handler(event_type, plain_data(message))
        finally:
            self._addressed = was


def can_handle(state: GameState | type[GameState], event_type: str, keys: Collection[str]) -> bool:
    """Return whether a handler or a mapped field could use an event; if not, the state need not be copied.

    Args:
        state: A state, or its class, for which the handlers of a fresh one are looked up.
        event_type: The kind of event.
        keys: The keys of its data.
    """
    # Called for every seat at every event, so it is optimized: no generator, no context manager.
    if isinstance(state, GameState):
        cls = type(state)
        parts: tuple[type[StatePart], type[StatePart], type[StatePart]] = (
            type(state.meta),
            type(state.private_information),
            type(state.public_information),
        )
    else:
        cls, parts = state, _part_classes(state)
    if cls.update is not GameState.update:
        return True  # an author's own update may use any event
    for part in parts:
        if not mapped_keys(part, event_type).isdisjoint(keys):
            return True
    if cls.get_custom_handlers is GameState.get_custom_handlers:
        return False
    try:
        # Never cached: an author may return other handlers in other phases.
        asked = state if isinstance(state, GameState) else cls.model_construct()
        return event_type in asked.get_custom_handlers()
    except Exception as error:
        raise _failed(f"The get_custom_handlers of {cls.__name__}", event_type, error) from error


def game_number(name: str) -> int:
    """Return the number of a game, 0 to 2**32 - 1: the CRC-32 of its name in UTF-8.

    A game has the same number in every session, in every process and on every computer.
    """
    return zlib.crc32(name.encode("utf-8"))


def new_game_state(
    cls: type[S], *, game_id: int | str, seat: Seat, seats: Sequence[Seat], session_id: str = ""
) -> S:
    """Return a seat's state before any event, with the ids that no event brings.

    Args:
        cls: The game's state class; its constructor takes ``game_id`` or nothing.
        game_id: The game's name, or its number; a class that takes only numbers gets that of the name.
        seat: The seat of the state.
        seats: All seats of the game, in its order.
        session_id: The session's id; empty where it has none.

    Raises:
        StateClassError: If the class cannot be built so, or its state does not equal its own copy.
    """
    if isinstance(game_id, str) and _takes_number(cls):
        game_id = game_number(game_id)
    state = _construct(cls, game_id)
    place = {
        "game_id": game_id,
        "session_id": session_id,
        "seat": seat,
        "seat_number": seats.index(seat) + 1,
        "seats": tuple(seats),
    }
    meta = state.meta.model_copy()
    try:
        assign(meta, {name: to_json(value) for name, value in place.items()})
    except TypeMismatch as misfit:
        raise StateClassError(
            f"{type(meta).__name__} cannot hold what the platform puts into {misfit.name or 'it'}: "
            f"the value {misfit.fault}; declare {', '.join(place)} as MetaInformation does."
        ) from misfit
    state.meta = meta
    try:
        same = copy.deepcopy(state) == state
    except Exception as error:
        raise StateClassError(
            f"A new {cls.__name__} cannot be copied ({error}); keep plain values."
        ) from error
    if not same:
        raise StateClassError(f"A new {cls.__name__} does not equal its own copy; keep plain values in it.")
    return state


def reader_copy(state: GameState, phase: str) -> GameState:
    """Return a copy of a state for its reader, with the session's phase in the meta part.

    A game whose own class fills ``phase`` keeps its value.
    """
    copied: GameState = _copied(state, {})
    if copied.meta.phase == "":
        copied.meta.phase = phase
    return copied


def initial_game_states(
    cls: type[S], *, game_id: int | str, seats: Sequence[Seat], session_id: str = ""
) -> SeatMap[S]:
    """Return every seat's state before any event.

    Raises:
        StateClassError: If the class cannot be built, or the seats' public parts differ from the start.
    """
    states = SeatMap(
        (seat, new_game_state(cls, game_id=game_id, seat=seat, seats=seats, session_id=session_id))
        for seat in seats
    )
    if _public_differs(states):
        raise StateClassError(
            f"Two new {cls.__name__} differ in their public parts; draw nothing by chance in the class."
        )
    return states


def update_game_states(
    states: SeatMap[S], message: HasData, to: tuple[Seat, ...], sender: Seat
) -> SeatMap[S]:
    """Return every seat's state after an event; the given ones are unchanged.

    Works on the states of all seats and on those that one observer holds alike.

    Args:
        states: The states before.
        message: The event.
        to: Its recipients; none means everyone.
        sender: A seat, or the platform.

    Returns:
        The states after it; the very same object where no state uses the event.

    Raises:
        EventRefused: If the event does not fit, a handler fails, an addressed event changed a public part, or
            the seats' public parts would differ.
    """
    event_type, keys = message.event_type, message.data.keys()
    after = states
    for seat, state in states.items():
        reached = not to or seat in to or seat == sender
        if reached and can_handle(state, event_type, keys):
            after = after.with_value(seat, _updated(state, message, addressed=bool(to)))
    if after is not states and not to and _public_differs(after):
        raise EventRefused(
            f"The event {event_type!r} would leave the seats with different public parts, so it was not "
            "applied; a handler must not put into public_information what only some seats know."
        )
    return after


def _updated(state: S, message: HasData, *, addressed: bool) -> S:
    after: S = _copied(state, {})
    if type(after).update is GameState.update:
        after._apply_event(message, addressed)
    else:
        # An author's update gets only the message, so the state itself holds whether the event is addressed.
        after._addressed = addressed
        with _refuse_on_error(f"The update of {type(state).__name__}", message.event_type):
            after.update(message)
        after._addressed = False
    _check_addressed(state, after, message, addressed)
    return after


def _copied(value: Any, memo: dict[int, Any]) -> Any:
    """Return what ``copy.deepcopy`` returns, in a third of the time where values are models and JSON values.

    Args:
        value: The value to copy.
        memo: The copies made so far, by the ``id`` of their originals, as ``copy.deepcopy`` takes it. It
            need not keep the originals, which are in the state.
    """
    cls = type(value)
    if cls in _UNCHANGING:
        return value
    if id(value) in memo:
        return memo[id(value)]
    copied: Any
    if cls is dict:
        copied = memo[id(value)] = {}
        for key, item in value.items():
            copied[_copied(key, memo)] = item if type(item) in _UNCHANGING else _copied(item, memo)
    elif cls is list:
        copied = memo[id(value)] = []
        for item in value:
            copied.append(item if type(item) in _UNCHANGING else _copied(item, memo))
    elif issubclass(cls, BaseModel) and cls.__deepcopy__ is BaseModel.__deepcopy__:
        copied = memo[id(value)] = cls.__new__(cls)
        for place in _PLACES:
            held = getattr(value, place, None)
            object.__setattr__(copied, place, held.copy() if type(held) is set else _copied(held, memo))
    else:
        copied = copy.deepcopy(value, memo)
    return copied


def _check_addressed(before: GameState, after: GameState, message: HasData, addressed: bool) -> None:
    if addressed and before.public_information != after.public_information:
        raise EventRefused(
            f"The event {message.event_type!r} went to some seats only and would change public_information, "
            "so it was not applied; change private_information, or send the event to everyone."
        )


def _public_differs(states: SeatMap[S]) -> bool:
    parts = [state.public_information for state in states.values()]
    return any(part != parts[0] for part in parts[1:])


def _construct(cls: type[S], game_id: int | str) -> S:
    if not (isinstance(cls, type) and issubclass(cls, GameState)):
        raise StateClassError(f"{cls!r} is no state class; derive it from GameState.")
    taken = inspect.signature(cls.__init__).parameters
    build: Any = cls
    try:
        wants_id = "game_id" in taken or "game_id" in cls.model_fields
        state: S = build(game_id=game_id) if wants_id else build()
    except Exception as error:
        reason = (
            describe_validation_error(error, placed=True)
            if isinstance(error, ValidationError)
            else str(error)
        )
        raise StateClassError(
            f"{cls.__name__} cannot be built ({reason}); its constructor may take game_id, and nothing else "
            "without a default."
        ) from error
    for name, kind in _PARTS.items():
        if not isinstance(getattr(state, name, None), kind):
            raise StateClassError(
                f"A new {cls.__name__} has no {name} that is a {kind.__name__}; declare one, and let its "
                "__init__ call super().__init__()."
            )
    return state


def _takes_number(cls: Any) -> bool:
    """Return whether the constructor of a class, or its meta part, takes a number for game_id and no text."""
    if not (isinstance(cls, type) and issubclass(cls, GameState)):
        return False
    meta = _part_classes(cls)[0]
    fields = [cls.model_fields.get("game_id")]
    fields += [meta.model_fields["game_id"]] if isinstance(meta, type) else []
    declared: list[Any] = [field.annotation for field in fields if field is not None]
    return any(_is_number_only(annotation) for annotation in [*declared, _constructor_annotation(cls)])


def _constructor_annotation(cls: type[GameState]) -> Any:
    """Return the annotation of the constructor's ``game_id``; None without one."""
    try:
        return get_type_hints(cls.__init__).get("game_id")
    except Exception:  # noqa: BLE001 - annotations of other arguments may name what exists for type checkers only
        written = getattr(cls.__init__, "__annotations__", {}).get("game_id")
        return int if written == "int" else written


def _is_number_only(annotation: Any) -> bool:
    if get_origin(annotation) is Annotated:
        return _is_number_only(get_args(annotation)[0])
    kinds = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    return int in kinds and str not in kinds


def _part_classes(cls: type[GameState]) -> tuple[type[StatePart], type[StatePart], type[StatePart]]:
    fields: Any = cls.model_fields
    return tuple(fields[name].annotation for name in _PARTS)


def _warn_of_shared_key(
    cls: type[GameState], _: type[StatePart], private: type[StatePart], public: type[StatePart]
) -> None:
    if shared := shared_key(private, public):
        key, own, shown = shared
        warnings.warn(
            f"The key {key!r} fills both private_information.{own} and public_information.{shown} of "
            f"{cls.__name__}; if that is not meant, give one of them an event_key.",
            SharedKeyWarning,
            stacklevel=4,  # past this, the hook and pydantic's metaclass: the class statement
        )


@contextmanager
def _refuse_on_error(owner: str, event_type: str) -> Iterator[None]:
    """Turn any exception from an author's code into a refusal; one that is a sentence already passes."""
    try:
        yield
    except NegoError:
        raise
    except (Exception, SystemExit) as error:  # an author's sys.exit() must not end the program
        raise _failed(owner, event_type, error) from error


def _failed(owner: str, event_type: str, error: BaseException) -> EventRefused:
    return EventRefused(
        f"{owner} failed at the event {event_type!r} ({type(error).__name__}: {error}), so it was not "
        "applied; check the event's data and the code."
    )
