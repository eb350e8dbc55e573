"""Answers to items: what an item accepts, and what is missing on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from negoplatform.study.condition import Value, holds
from negoplatform.study.instrument import ItemModel

MISSING = "Please answer this question."
NO_NUMBER = "Please type a number."
NO_WHOLE_NUMBER = "Please type a whole number."
TOO_LONG = "Please shorten your answer."

LARGEST_ANSWER = 10**15
"""Greatest absolute value of a number that is typed: tables and statistics programs keep it exactly."""


def answer_fault(item: ItemModel, value: Any) -> str:
    """Return why an item does not accept an answer, as a sentence for the participant; empty if it does.

    Args:
        item: The item.
        value: The answer: the point of a scale or the position of a choice from 1, several positions, all
            positions in order, a number or a text; None where there is none.
    """
    if value is None or value in ("", []):
        return "" if item.may_skip else MISSING
    match item.kind:
        case "likert":
            assert item.likert is not None
            return _position_fault(value, item.likert.points)
        case "matrix":
            assert item.matrix is not None
            return _position_fault(value, item.matrix.likert.points)
        case "choices":
            return _position_fault(value, len(item.choices or ()))
        case "allocation":
            assert item.allocation is not None
            return _position_fault(value, len(item.allocation.divisions))
        case "many":
            count = len(item.many or ())
            fits = isinstance(value, list) and len(set(value)) == len(value)
            return "" if fits and all(not _position_fault(one, count) for one in value) else MISSING
        case "rank" | "points_guess":
            count = len(item.rank.things) if item.rank else len(value) if isinstance(value, list) else 0
            return "" if isinstance(value, list) and sorted(value) == list(range(1, count + 1)) else MISSING
        case "text":
            assert item.text is not None
            return "" if isinstance(value, str) and len(value) <= item.text.longest else TOO_LONG
        case "slider":
            assert item.slider is not None
            return _range_fault(value, item.slider.least, item.slider.most)
        case _:
            assert item.number is not None
            if item.number.whole and not isinstance(value, int):
                return NO_WHOLE_NUMBER
            return _range_fault(value, item.number.least, item.number.most)


def _position_fault(value: Any, most: int) -> str:
    return "" if type(value) is int and 1 <= value <= most else MISSING


def _range_fault(value: Any, least: Decimal | None, most: Decimal | None) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return NO_NUMBER
    if not -LARGEST_ANSWER <= value <= LARGEST_ANSWER:
        return NO_NUMBER
    number = Decimal(str(value))
    if least is not None and number < least:
        return f"Please type at least {least:f}."
    if most is not None and number > most:
        return f"Please type at most {most:f}."
    return ""


def shown_items(
    items: Sequence[ItemModel], value_of: Any, own: Mapping[str, Value], step: str
) -> list[ItemModel]:
    """Return the items whose conditions hold.

    Args:
        items: The items in the order in which they are shown.
        value_of: Returns the value of a reference.
        own: The answers of the same form that are not recorded yet, by item.
        step: The step, under whose name the form's own answers are known.
    """

    def current(reference: str) -> Value:
        where, _, name = reference.rpartition(".")
        found: Value = own[name] if where == step and name in own else value_of(reference)
        return found

    return [item for item in items if holds(item.when, current)]


def pages_of(items: Sequence[ItemModel], per_page: int | None) -> list[list[ItemModel]]:
    """Return items in pages: so many on each, or as many as fit; a matrix has a page of its own."""
    if per_page is not None:
        return [list(items[i : i + per_page]) for i in range(0, len(items), per_page)]
    pages: list[list[ItemModel]] = []
    weight = 0
    for item in items:
        own = ITEM_WEIGHTS.get(item.kind, 2)
        if not pages or weight + own > PAGE_WEIGHT:
            pages.append([])
            weight = 0
        pages[-1].append(item)
        weight += own
    return pages


PAGE_WEIGHT = 12
"""Weight of a page: six rating scales fit on the smallest supported screen."""

ITEM_WEIGHTS = {
    "likert": 2,
    "choices": 3,
    "many": 3,
    "text": 3,
    "matrix": 12,
    "rank": 6,
    "allocation": 6,
    "points_guess": 6,
}
"""Room that an item takes; other kinds take 2."""
