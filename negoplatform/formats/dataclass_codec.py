"""Codec between frozen dataclasses and JSON values, derived from the annotations of the dataclasses.

``form`` gives the type that pydantic checks, ``load`` the value of a checked form, ``dump`` the JSON value
of a value, ``encode`` its JSON text. Every field of a dataclass is a required key of an object, in the order
of the fields; :func:`describe` sets exceptions, :func:`register` the shape of any other class.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel, GetCoreSchemaHandler, create_model
from pydantic_core import CoreSchema

from negoplatform.formats.strict_json import StrictModel

T = TypeVar("T")
Convert = Callable[[Any], Any]


class Shape(NamedTuple):
    """JSON form of a type.

    Args:
        form: The type that pydantic checks.
        load: From a checked form to the value; None: the form is the value.
        dump: From the value to a JSON value, whose parts need not be JSON values yet; None: the value is one.
    """

    form: Any
    load: Convert | None = None
    dump: Convert | None = None


class _Description(NamedTuple):
    types: Mapping[str, Any]
    tag: Mapping[str, str]
    optional: frozenset[str]
    omitted: frozenset[str]


_SHAPES: dict[type[Any], Shape] = {}
_DESCRIPTIONS: dict[type[Any], _Description] = {}
_NO_DESCRIPTION = _Description({}, {}, frozenset(), frozenset())
_PLAIN_TYPES = (str, int, float, bool, type(None))


class DerivedModel(StrictModel):
    """Base of the forms that are derived from dataclasses."""

    value_class: ClassVar[type[Any]]

    def value(self) -> Any:
        """Return the value."""
        return load(self.value_class, self)


class ModelOf:
    """Annotation of a field of a hand-written form that holds the form of a type.

    Args:
        hint: The type, such as ``tuple[Offer, ...]``.
    """

    def __init__(self, hint: Any) -> None:
        self._hint = hint

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return handler.generate_schema(form(self._hint))


def register(kind: type[Any], shape: Shape) -> None:
    """Set the shape of a class."""
    _SHAPES[kind] = shape


def describe(
    kind: type[Any],
    *,
    tag: Mapping[str, str] | None = None,
    optional: Iterable[str] = (),
    omitted: Iterable[str] = (),
    **types: Any,
) -> None:
    """Set what the annotations of a dataclass do not say; before its shape is first used.

    Args:
        kind: The dataclass.
        tag: A key and its only value, which tell the class from the others of a union.
        optional: Fields that may be missing, and then have the default of the dataclass.
        omitted: Optional fields that are also left out when their value is the default.
        types: Types, or shapes, of fields in place of the annotations; other names are ignored.
    """
    _DESCRIPTIONS[kind] = _Description(types, tag or {}, frozenset((*optional, *omitted)), frozenset(omitted))


def form(hint: Any) -> Any:
    """Return the type that pydantic checks where a type is expected."""
    return _shape(hint).form


def load(kind: type[T], checked: Any) -> T:
    """Return the value of a checked form.

    Raises:
        Refused: If the class of the value, or of a part, refuses it.
    """
    convert = _class_shape(kind).load
    value: T = checked if convert is None else convert(checked)
    return value


def loader(hint: Any) -> Convert:
    """Return the function from a checked form of a type, such as a union or a tuple, to its value.

    The function raises Refused if the class of the value, or of a part, refuses it.
    """
    convert = _shape(hint).load
    return _same if convert is None else convert


def dump(value: Any) -> Any:
    """Return the JSON value of a value, made of plain dicts, lists, texts and numbers."""
    if type(value) in _PLAIN_TYPES:
        return value
    convert = _class_shape(type(value)).dump
    found = value if convert is None else convert(value)
    if isinstance(found, Mapping):
        return {key: dump(part) for key, part in found.items()}
    return [dump(part) for part in found] if isinstance(found, list | tuple) else found


def _dump_part(value: Any) -> Any:
    convert = _class_shape(type(value)).dump
    if convert is not None:
        return convert(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a {type(value).__name__} has no shape in JSON")


encode: Callable[[Any], str] = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), check_circular=False, default=_dump_part
).encode
"""Encoder of values as JSON text.

Faster than ``dump``, because it is most of the cost of an event: the encoder, implemented in C, calls back
only for parts of unknown types, and text enumerations need no conversion.
"""


def _shape(hint: Any) -> Shape:
    if isinstance(hint, Shape):
        return hint
    arguments = get_args(hint)
    match get_origin(hint):
        case None:
            return _class_shape(hint) if isinstance(hint, type) else Shape(hint)
        case origin if origin in (Union, UnionType):
            return _union_shape([_shape(argument) for argument in arguments])
        case origin if origin is tuple:
            of, load_item = _shape(arguments[0]), _shape(arguments[0]).load
            load_all: Convert = tuple if load_item is None else lambda items: tuple(map(load_item, items))
            return Shape(list[of.form], load_all)  # type: ignore[name-defined]  # known only here
        case origin if origin is Annotated:
            of = _shape(arguments[0])
            return of._replace(form=Annotated[(of.form, *arguments[1:])])
        case origin if origin is Mapping:
            return Shape(dict[arguments])  # type: ignore[misc, valid-type]  # known only here
        case _:
            return Shape(hint)


def _union_shape(members: list[Shape]) -> Shape:
    loads = [member.load for member in members if member.load and not _is_derived(member.form)]
    if len(loads) > 1:
        raise TypeError("the forms of this union do not show which of its types they belong to")

    def load_member(checked: Any) -> Any:
        if isinstance(checked, DerivedModel):
            return checked.value()
        return loads[0](checked) if loads and checked is not None else checked

    union: Any = Union[tuple(member.form for member in members)]  # noqa: UP007 - of a tuple
    return Shape(union, load_member if any(member.load for member in members) else None)


def _is_derived(form: Any) -> bool:
    return isinstance(form, type) and issubclass(form, DerivedModel)


def _build_class_shape(kind: Any) -> Shape:
    if kind in _SHAPES:
        return _SHAPES[kind]
    if isinstance(kind, type) and is_dataclass(kind):
        return _dataclass_shape(kind)
    return Shape(kind, None, attrgetter("_value_")) if issubclass(kind, Enum) else Shape(kind)


_class_shape: Callable[[Any], Shape] = cache(_build_class_shape)


def _dataclass_shape(kind: type[Any]) -> Shape:
    about = _DESCRIPTIONS.get(kind, _NO_DESCRIPTION)
    hints = {**get_type_hints(kind, include_extras=True), **about.types}
    shapes = {field.name: _shape(hints[field.name]) for field in fields(kind)}
    defaults = {
        field.name: field.default if field.default_factory is MISSING else field.default_factory()
        for field in fields(kind)
    }
    keys: dict[str, Any] = {key: (Literal[value], ...) for key, value in about.tag.items()}
    for name, shape in shapes.items():
        keys[name] = (shape.form, defaults[name] if name in about.optional else ...)
    model = create_model(kind.__name__, __base__=DerivedModel, **keys)
    model.value_class = kind
    dump_fields = _dumper(tuple(shapes))
    own = {name: of.dump for name, of in about.types.items() if isinstance(of, Shape) and of.dump}
    if own or about.omitted or about.tag:
        usual = {name: defaults[name] for name in about.omitted}
        dump_fields = _special_dumper(dump_fields, about.tag, own, usual)
    loads = {name: shape.load for name, shape in shapes.items() if shape.load is not None}
    usual_values = {name: defaults[name] for name in about.optional}
    return Shape(model, _loader(kind, tuple(shapes), loads, usual_values), dump_fields)


def _loader(
    kind: type[Any], names: tuple[str, ...], converters: Mapping[str, Convert], usual: Mapping[str, Any]
) -> Convert:
    def load_fields(checked: BaseModel) -> Any:
        found = checked.__dict__  # of a hand-written form, or with a tag, it has further keys
        values = {name: found[name] for name in names}
        for name, convert in converters.items():
            if name not in usual or values[name] is not usual[name]:  # a default is a value already
                values[name] = convert(values[name])
        return kind(**values)

    return load_fields


def _dumper(names: tuple[str, ...]) -> Convert:
    # In C, as every event is dumped. Of a single name attrgetter would give no tuple.
    get_values = attrgetter(*names) if len(names) > 1 else lambda value: [getattr(value, n) for n in names]
    return lambda value: dict(zip(names, get_values(value)))  # noqa: B905 - equally long; the check takes time


def _special_dumper(
    dump_fields: Convert,
    tag: Mapping[str, str],
    converters: Mapping[str, Convert],
    omitted: Mapping[str, Any],
) -> Convert:
    def dump_some(value: Any) -> dict[str, Any]:
        document = {**tag, **dump_fields(value)}
        for name, default in omitted.items():
            if document[name] == default:
                del document[name]
        return {name: converters.get(name, _same)(part) for name, part in document.items()}

    return dump_some


def _same(value: Any) -> Any:
    return value
