"""Form of the part of a game file that describes an economy: goods, money, endowments and worths."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from negoplatform.core.mechanisms import MECHANISMS, Mechanism
from negoplatform.domain.economy import Currency, Economy, Endowment, Good, UnitWorth
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.offer import number_from_decimal
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.formats.dataclass_codec import describe, dump, form, load
from negoplatform.formats.game_names import Label, Name
from negoplatform.formats.strict_json import Number, StrictModel, describe_error, dotted_path, single_line

T = TypeVar("T")

MOST_UNITS = 1_000_000
"""Most units of a good in an endowment."""

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


class WorthModel(StrictModel):
    """Worth of units to a seat, in money."""

    units: dict[str, Annotated[list[Number], Field(max_length=1000)]]


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
    def seats(self) -> Mapping[str, _SeatSide]: ...


def has_economy(model: _GameForm) -> bool:
    """Return whether a game is played for goods, money or both, and not for issues."""
    return model.goods is not None or model.money is not None


def keys_of_seats(model: _GameForm) -> tuple[str, ...]:
    """Return the keys that every seat of a game has in its file, because of the game's economy."""
    if not has_economy(model):
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
        _check_absent(model, ("endowment", "worth"), "goods or money")
    if economy:
        _check_absent(model, ("preferences", "profiles"), "issues")
    if economy and model.goods is None:
        _check_absent(model, ("worth",), "goods")


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
                tables = _by_good(side.worth.units, names)
                worths[seat] = UnitWorth(
                    tuple(tuple(map(currency.from_decimal, tables.get(name, ()))) for name in names)
                )
        except NegoError as error:
            raise InputFileError(path, place, str(error)) from None
    terms = _load_terms(model.terms, mechanism, path, f"{within}terms")
    return Economy(goods, currency, SeatMap(endowments), SeatMap(worths), terms)


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
        fault = error.errors(include_url=False)[0]
        place = dotted_path(fault["loc"])
        reason = single_line(describe_error(fault))
        raise InputFileError(path, f"{where}.{place}" if place else where, reason) from None
    except NegoError as error:
        raise InputFileError(path, where, str(error).rstrip(".")) from None


@cache
def _terms_form(mechanism: str) -> TypeAdapter[Any]:
    """Return the form of a mechanism's terms; settings with a default may be missing."""
    terms: Any = MECHANISMS[mechanism].terms_class
    describe(terms, optional=[field.name for field in fields(terms) if field.default is not MISSING])
    return TypeAdapter(form(terms))


def dump_economy(economy: Economy) -> dict[str, Any]:
    """Return the keys of an economy in a game file, apart from those of the seats."""
    currency = economy.currency
    document: dict[str, Any] = {"money": {"unit": currency.unit, "decimals": currency.decimals}}
    if economy.goods:
        goods = [{"name": good.name, "label": good.label or None} for good in economy.goods]
        document = {"goods": goods, **document}
    return document if economy.terms is None else {**document, "terms": dump(economy.terms)}


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
        tables = zip(names, worth.by_good, strict=True)
        document["worth"] = {"units": {name: [amount(money) for money in row] for name, row in tables}}
    return document
