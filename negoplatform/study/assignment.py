"""Assignment of participants to cells and orders, which follow from the study's seed and a place."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256
from itertools import islice, permutations
from math import factorial
from random import Random
from typing import TypeVar

from negoplatform.study.study_file import Cell, StudyModel

T = TypeVar("T")

MOST_ORDERS = 5040
"""Number of orders up to which all of them are listed: those of seven parts."""


def keyed_rng(seed: int, *about: object) -> Random:
    """Return a generator for one purpose, by HMAC-SHA-256 of the seed and what it is for."""
    return Random(keyed_number(seed, *about))


def keyed_number(seed: int, *about: object) -> int:
    """Return a number of 256 bits for one purpose; without the seed it cannot be told from a random one."""
    text = "\x1f".join(str(part) for part in about)
    return int(keyed_hex(seed, text), 16)


def keyed_hex(seed: int, text: str) -> str:
    """Return the HMAC-SHA-256 of a text, in hexadecimal digits."""
    return hmac.new(str(seed).encode(), text.encode(), sha256).hexdigest()


def cell_at(study: StudyModel, place: int, stratum: str = "", station: str = "") -> Cell:
    """Return the cell of a place, by permuted blocks.

    Every block has each cell as often as its weight says, in an order of its own.

    Args:
        study: The study.
        place: The number of participants before this one, of the same stratum and station.
        stratum: The stratum: its blocks are separate from those of others.
        station: The station, where each has blocks of its own.
    """
    cells, position = _block_at(study, place, stratum, station)
    return cells[position]


def place_in_cell(study: StudyModel, place: int, stratum: str = "", station: str = "") -> int:
    """Return the number of earlier places with the same cell; the arguments are those of :func:`cell_at`."""
    cells, position = _block_at(study, place, stratum, station)
    cell = cells[position]
    return place // len(cells) * cells.count(cell) + cells[:position].count(cell)


def _block_at(study: StudyModel, place: int, stratum: str, station: str) -> tuple[list[Cell], int]:
    """Return the cells of the block of a place, in their order, and the position of the place in it."""
    cells = study.block_cells()
    block, position = divmod(place, len(cells))
    keyed_rng(study.design.seed, "block", station, stratum, block).shuffle(cells)
    return cells, position


def order_at(
    study: StudyModel, factor: str, count: int, place: int, cell: str, group: str = ""
) -> tuple[int, ...]:
    """Return the order of the parts of a within factor for a place, as positions from 0.

    Args:
        study: The study.
        factor: The name of the within factor.
        count: The number of parts.
        place: The number of participants before this one in the same cell.
        cell: The name of the cell: every cell has all orders equally often.
        group: The stratum and the station, whose places are counted apart: without them, each computer would
            begin with the same orders.
    """
    seed, about = study.design.seed, (factor, cell, group) if group else (factor, cell)
    match study.design.within[factor].order:
        case "fixed":
            return tuple(range(count))
        case "random":
            order = list(range(count))
            keyed_rng(seed, "order", *about, place).shuffle(order)
            return tuple(order)
        case "latin":
            orders: Sequence[tuple[int, ...]] = latin_square(count)
        case "all":
            orders = list(islice(permutations(range(count)), MOST_ORDERS))
    block, position = divmod(place, len(orders))
    numbers = list(range(len(orders)))
    keyed_rng(seed, "orders", *about, block).shuffle(numbers)
    return orders[numbers[position]]


def orders_of(kind: str, count: int) -> int:
    """Return the number of orders after which all have occurred equally often."""
    if kind == "latin":
        return len(latin_square(count))
    return min(factorial(count), MOST_ORDERS) if kind == "all" else 1


def latin_square(count: int) -> list[tuple[int, ...]]:
    """Return the orders of a balanced Latin square (Williams, 1949).

    Each part is at each position equally often, and directly follows each other part equally often. For an
    odd number of parts that takes twice as many orders as parts.
    """
    first = [0, *((step + 1) // 2 if step % 2 else count - step // 2 for step in range(1, count))]
    rows = [tuple((number + shift) % count for number in first) for shift in range(count)]
    if count % 2 and count > 1:
        rows += [tuple(reversed(row)) for row in rows]
    return rows


def shuffled(items: Sequence[T], seed: int, *about: object) -> list[T]:
    """Return items in an order that follows from the seed and what it is for."""
    found = list(items)
    keyed_rng(seed, *about).shuffle(found)
    return found


def withdrawal_code(seed: int, code: str) -> str:
    """Return the code with which a participant can withdraw without saying who they are: 8 hex digits."""
    return keyed_hex(seed, f"withdrawal\x1f{code}")[:8]
