"""Form of the part of a game file that describes an economy: goods, money, endowments and worths."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from negoplatform.core.mechanisms.base import Mechanism
from negoplatform.domain.economy import Currency, Economy, Endowment, Good, Money, UnitWorth
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.formats.dataclass_codec import dump, form, load
from negoplatform.formats.game_names import Label, Name
from negoplatform.formats.strict_json import Number, StrictModel, describe_error, dotted_path, number_from_decimal

MOST_UNITS = 1_000_000
"""Most units of a good in an endowment."""

Units = Annotated[int, Field(ge=0, le=MOST_UNITS)]


class GoodModel(StrictModel):
    """Good that is traded in whole units."""

    name: Name
    label: Label | None = None


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
