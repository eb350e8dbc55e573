"""Form of the part of a game file that describes an economy: goods, money, endowments and worths."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Protocol, TypeVar, get_args, get_type_hints

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError, model_validator

from negoplatform.core.mechanisms import MECHANISMS, Mechanism
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.offer import number_from_decimal
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import (
    MOST_UNITS,
    Currency,
    DrawnEndowments,
    Economy,
    Endowment,
    Good,
)
from negoplatform.domain.trading.worth import ConditionWorth, GoodsWorth, LogWorth, UnitWorth
from negoplatform.formats.dataclass_codec import describe, dump, form, load
from negoplatform.formats.game_files.game_names import Label, Name
from negoplatform.formats.strict_json import Number, StrictModel, describe_error, dotted_path, single_line

T = TypeVar("T")

Units = Annotated[int, Field(ge=0, le=MOST_UNITS)]


class GoodModel(StrictModel):
    """Good that is traded in whole units."""

    name: Name
    label: Label | None = None


def _check_goods(goods: list[GoodModel]) -> list[GoodModel]:
    if not goods:
        raise ValueError(
            "there is no good here; name one, or leave out 'goods' where only money is played for"
        )
    return goods


Goods = Annotated[
    list[GoodModel],
    Field(fail_fast=True, max_length=20, json_schema_extra={"minItems": 1}),
    AfterValidator(_check_goods),
]
"""Goods of a game in a file, at least one."""


class MoneyModel(StrictModel):
    """Currency of the game, and how its amounts are written."""

    unit: Annotated[str, Field(max_length=20)] = ""
    decimals: Annotated[int, Field(ge=0, le=6)] = 2


class EndowmentModel(StrictModel):
    """Money and goods of a seat at the start; what is not named is 0."""

    money: Annotated[Number, Field(ge=0)] = Decimal(0)
    goods: Annotated[dict[str, Units], Field(default_factory=dict)]


UnitTables = dict[str, Annotated[list[Number], Field(max_length=1000)]]
"""Worth of the first unit of a good, the second, and so on, by good."""


class ConditionWorthModel(StrictModel):
    """Worth of units to a seat under one condition, in money."""

    units: UnitTables


class WorthModel(StrictModel):
    """Worth of units to a seat, in money: by unit, logarithmic, or by condition."""

    units: UnitTables | None = None
    log: dict[str, Number] | None = None
    quantity_shift: Annotated[int, Field(ge=0, le=1000)] = 0
    floor: Number = Decimal(-1000)
    by_condition: Annotated[dict[str, ConditionWorthModel] | None, Field(max_length=20)] = None

    @model_validator(mode="after")
    def _check_one_form(self) -> WorthModel:
        given = [name for name in ("units", "log", "by_condition") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("a worth has exactly one of 'units', 'log' and 'by_condition'")
        if self.log is None and self.model_fields_set & {"quantity_shift", "floor"}:
            raise ValueError("'quantity_shift' and 'floor' belong to 'log'")
        return self


class DrawnEndowmentsModel(StrictModel):
    """Endowments and logarithmic worths that the seed draws; every number is per seat."""

    money: Annotated[Number, Field(ge=0)] = Decimal(0)
    base: Annotated[int, Field(ge=0, le=1000)] = 2
    lower: Annotated[int, Field(ge=0, le=1000)] = 1
    upper: Annotated[int, Field(ge=0, le=1000)] = 1
    parameter_sum: Annotated[Number, Field(gt=0)] = Decimal(100)
    quantity_shift: Annotated[int, Field(ge=0, le=1000)] = 0


class EndowmentsModel(StrictModel):
    """Endowments of all seats."""

    drawn: DrawnEndowmentsModel


class _SeatSide(Protocol):
    @property
    def preferences(self) -> object | None: ...
    @property
    def profiles(self) -> object | None: ...
    @property
    def endowment(self) -> EndowmentModel | None: ...
    @property
    def worth(self) -> WorthModel | None: ...


class _GameForm(Protocol):
    @property
    def issues(self) -> Sequence[object]: ...
    @property
    def goods(self) -> Sequence[GoodModel] | None: ...
    @property
    def money(self) -> MoneyModel | None: ...
    @property
    def terms(self) -> dict[str, Any] | None: ...
    @property
    def endowments(self) -> EndowmentsModel | None: ...
    @property
    def chance(self) -> int: ...
    @property
    def seats(self) -> Mapping[str, _SeatSide]: ...


def has_economy(model: _GameForm) -> bool:
    """Return whether a game is played for goods, money or both, and not for issues."""
    return model.goods is not None or model.money is not None


def keys_of_seats(model: _GameForm) -> tuple[str, ...]:
    """Return the keys that every seat of a game has in its file, because of the game's economy."""
    if not has_economy(model) or model.endowments is not None:
        return ()
    return ("endowment",) if model.goods is None else ("endowment", "worth")


def check_contents(model: _GameForm) -> None:
    """Check that a game has nothing that belongs to another kind of content.

    Raises:
        ValueError: If it has issues as well as goods or money, or a key without what it is about.
    """
    economy = has_economy(model)
    if model.issues and economy:
        raise ValueError("a game has either issues or goods and money, not both")
    if model.issues:
        if model.terms is not None:
            raise ValueError("'terms' belongs to a game with goods or money, and this one has none")
        if model.endowments is not None:
            raise ValueError("'endowments' belongs to a game with goods, and this one has none")
        _check_absent(model, ("endowment", "worth"), "goods or money")
    if economy:
        _check_absent(model, ("preferences", "profiles"), "issues")
    if economy and model.goods is None:
        _check_absent(model, ("worth",), "goods")
    if model.endowments is not None:
        if model.goods is None:
            raise ValueError("'endowments' belongs to a game with goods, and this one has none")
        _check_absent(model, ("endowment", "worth"), "goods but no 'endowments' drawn for all seats")


def _check_absent(model: _GameForm, keys: Sequence[str], content: str) -> None:
    for name, side in model.seats.items():
        for key in keys:
            if getattr(side, key) is not None:
                raise ValueError(
                    f"'seats.{name}.{key}' belongs to a game with {content}, and this one has none"
                )


def build_economy(model: _GameForm, mechanism: Mechanism, path: object, within: str) -> Economy | None:
    """Return the economy of a game's form; None if it has neither goods nor money.

    Args:
        model: The form of the game.
        mechanism: Its mechanism, which declares the form of ``terms``.
        path: The file, for errors.
        within: The place of the game in the file, with a dot at its end; may be empty.

    Raises:
        InputFileError: If a good is not known or named twice, an amount has too many decimals, or ``terms``
            do not have the form that the mechanism declares.
    """
    if not has_economy(model):
        return None
    goods = tuple(Good(good.name, good.label or "") for good in model.goods or ())
    names = [good.name for good in goods]
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        raise InputFileError(path, f"{within}goods", f"there are two goods named {twice[0]!r}")
    money = model.money or MoneyModel()
    currency = Currency(money.unit, money.decimals)
    endowments, worths = {}, {}
    for seat, side in model.seats.items():
        where = f"{within}seats.{seat}"
        try:
            if side.endowment is not None:
                place = f"{where}.endowment"
                units = _by_good(side.endowment.goods, names)
                amount = currency.from_decimal(side.endowment.money)
                endowments[seat] = Endowment(amount, tuple(units.get(name, 0) for name in names))
            if side.worth is not None:
                place = f"{where}.worth"
                worths[seat] = _build_worth(side.worth, names, currency)
        except NegoError as error:
            raise InputFileError(path, place, str(error)) from None
    terms = _load_terms(model.terms, mechanism, path, f"{within}terms")
    try:
        drawn = _build_drawn(model.endowments, currency)
    except NegoError as error:
        raise InputFileError(path, f"{within}endowments.drawn", str(error)) from None
    return Economy(goods, currency, SeatMap(endowments), SeatMap(worths), terms, model.chance, drawn)


def _build_drawn(model: EndowmentsModel | None, currency: Currency) -> DrawnEndowments | None:
    if model is None:
        return None
    of = model.drawn
    return DrawnEndowments(
        currency.from_decimal(of.money),
        of.base,
        of.lower,
        of.upper,
        currency.from_decimal(of.parameter_sum),
        of.quantity_shift,
    )


def _build_worth(model: WorthModel, names: Sequence[str], currency: Currency) -> GoodsWorth:
    """Return the worth of a form.

    Raises:
        NegoError: If a good is not known or an amount has too many decimals.
    """
    if model.log is not None:
        numbers = _by_good(model.log, names)
        parameters = tuple(float(numbers.get(name, Decimal(0)).scaleb(currency.decimals)) for name in names)
        return LogWorth(parameters, model.quantity_shift, float(model.floor))
    if model.by_condition is not None:
        conditions = [
            (name, _build_units(of.units, names, currency)) for name, of in model.by_condition.items()
        ]
        return ConditionWorth(tuple(conditions))
    return _build_units(model.units or {}, names, currency)


def _build_units(
    found: Mapping[str, Sequence[Decimal]], names: Sequence[str], currency: Currency
) -> UnitWorth:
    tables = _by_good(found, names)
    return UnitWorth(tuple(tuple(map(currency.from_decimal, tables.get(name, ()))) for name in names))


def _by_good(found: Mapping[str, T], names: Sequence[str]) -> Mapping[str, T]:
    odd = [name for name in found if name not in names]
    if odd:
        raise NegoError(f"there is no good {odd[0]!r}; there is {', '.join(names) or 'only money'}")
    return found


def _load_terms(document: dict[str, Any] | None, mechanism: Mechanism, path: object, where: str) -> Any:
    """Return the mechanism's own section of a game file as the value that it declares."""
    if mechanism.terms_class is None:
        if document is not None:
            raise InputFileError(
                path, where, f"a game of the kind {mechanism.name!r} has no terms; remove it"
            )
        return None
    hint: Any = mechanism.terms_class
    try:
        return load(hint, _terms_form(mechanism.name).validate_json(json.dumps(document or {})))
    except ValidationError as error:
        faults = error.errors(include_url=False)
        fault, location = faults[0], faults[0]["loc"]
        if location[-1:] == ("int",):  # a number, whole or not, which is one fault of each kind
            location = location[:-1]
            fault = next((each for each in faults if each["loc"] == (*location, "float")), fault)
        place = dotted_path(location)
        reason = single_line(describe_error(fault))
        raise InputFileError(path, f"{where}.{place}" if place else where, reason) from None
    except NegoError as error:
        raise InputFileError(path, where, str(error).rstrip(".")) from None


@cache
def _terms_form(mechanism: str) -> TypeAdapter[Any]:
    """Return the form of a mechanism's terms; settings with a default may be missing."""
    terms: Any = MECHANISMS[mechanism].terms_class
    _describe_optional(terms)
    return TypeAdapter(form(terms))


@cache
def _describe_optional(kind: Any) -> None:
    """Let the fields with a default be missing, in a dataclass and in those of its fields."""
    describe(kind, optional=[field.name for field in fields(kind) if field.default is not MISSING])
    for hint in get_type_hints(kind).values():
        for part in (hint, *get_args(hint)):
            if isinstance(part, type) and is_dataclass(part):
                _describe_optional(part)


def dump_economy(economy: Economy) -> dict[str, Any]:
    """Return the keys of an economy in a game file, apart from those of the seats."""
    currency = economy.currency
    document: dict[str, Any] = {"money": {"unit": currency.unit, "decimals": currency.decimals}}
    if economy.goods:
        goods = [{"name": good.name, "label": good.label or None} for good in economy.goods]
        document = {"goods": goods, **document}
    if economy.terms is not None:
        terms_class: Any = type(economy.terms)
        _describe_optional(terms_class)  # before the first use of its form, reading or writing
        document["terms"] = dump(economy.terms)
    if economy.chance:
        document["chance"] = economy.chance
    drawn = economy.drawn
    if drawn is not None:
        document["endowments"] = {
            "drawn": {
                "money": currency.to_number(drawn.money),
                "base": drawn.base,
                "lower": drawn.lower,
                "upper": drawn.upper,
                "parameter_sum": currency.to_number(drawn.parameter_sum),
                "quantity_shift": drawn.shift,
            }
        }
    return document


def dump_economy_seat(economy: Economy, seat: Seat) -> dict[str, Any]:
    """Return the keys of a seat's side of an economy in a game file; null where it is hidden."""
    names = [good.name for good in economy.goods]
    endowment, worth = economy.endowments.get(seat), economy.worths.get(seat)

    def amount(money: int) -> int | float:
        return number_from_decimal(economy.currency.to_decimal(money))

    document: dict[str, Any] = {"endowment": None, "worth": None}
    if endowment is not None:
        units = dict(zip(names, endowment.units, strict=True))
        document["endowment"] = {"money": amount(endowment.money), "goods": units}
    if worth is not None:
        document["worth"] = _dump_worth(worth, names, economy.currency)
    return document


def _dump_worth(worth: GoodsWorth, names: Sequence[str], currency: Currency) -> dict[str, Any]:
    def units(of: UnitWorth) -> dict[str, Any]:
        rows = zip(names, of.by_good, strict=True)
        return {"units": {name: [currency.to_number(money) for money in row] for name, row in rows}}

    match worth:
        case UnitWorth():
            return units(worth)
        case LogWorth():
            numbers = [
                number_from_decimal(Decimal(repr(parameter)).scaleb(-currency.decimals))
                for parameter in worth.parameters
            ]
            floor = number_from_decimal(Decimal(repr(worth.floor)))
            return {
                "log": dict(zip(names, numbers, strict=True)),
                "quantity_shift": worth.shift,
                "floor": floor,
            }
        case ConditionWorth():
            return {"by_condition": {name: units(of) for name, of in worth.by_condition}}
        case _:
            raise TypeError(f"{type(worth).__name__} has no form in a file")
