"""Layout and appearance of the pieces in a cell."""

from __future__ import annotations

import pytest
from PIL import Image

from negoplatform.gui.bargaining.quantity_cell import (
    LARGEST_PICTURE,
    LARGEST_PIECE,
    MAX_DRAWN,
    MIN_VISIBLE,
    SMALLEST_PICTURE,
    SMALLEST_PIECE,
    picture_grid,
    piece_grid,
)
from negoplatform.gui.bargaining.quantity_row import cells_per_line
from negoplatform.gui.widgets.pressable_cell import PieceShape, piece_image

ACROSS, DOWN = 82, 19
"""Width and height for the pieces in a cell of the window, at 96 dpi."""


@pytest.mark.parametrize("scale", [0.85, 1.0, 1.5, 2.0, 4.0])
@pytest.mark.parametrize("quantity", range(1, MAX_DRAWN + 1))
def test_all_pieces_of_an_issue_find_room_in_one_cell_and_none_lies_on_another(
    quantity: int, scale: float
) -> None:
    across, down = round(ACROSS * scale), round(DOWN * scale)

    laid = piece_grid(quantity, across, down, scale)

    places = [laid.position(index) for index in range(quantity)]
    assert SMALLEST_PIECE * scale <= laid.size <= round(LARGEST_PIECE * scale)
    assert all(x >= 0 and x + laid.size <= across and y + laid.size <= down for x, y in places)
    assert len(set(places)) == quantity
    assert laid.step > laid.size


def test_few_pieces_lie_in_one_line_and_many_in_two() -> None:
    few, many = piece_grid(3, ACROSS, DOWN, 1.0), piece_grid(12, ACROSS, DOWN, 1.0)

    assert (few.size, few.position(2)[1]) == (LARGEST_PIECE, 0)
    assert many.position(11)[1] > 0


@pytest.mark.parametrize("quantity", [MAX_DRAWN + 1, 63, 100])
def test_more_than_a_dozen_are_one_piece_and_a_number(quantity: int) -> None:
    assert piece_grid(quantity, ACROSS, DOWN, 1.0).per_line == 0


def test_where_pieces_would_be_too_small_to_see_one_stands_for_all() -> None:
    assert piece_grid(10, 24, DOWN, 1.0).per_line == 0


def level(mask: Image.Image, x: int, y: int) -> int:
    """Return the coverage of one pixel, 0 to 255."""
    return mask.crop((x, y, x + 1, y + 1)).histogram().index(1)


def test_whose_a_piece_is_can_be_told_by_its_shape_alone() -> None:
    shapes: tuple[PieceShape, ...] = ("round", "hollow", "square")
    filled, hollow, square = (piece_image(shape, 13, "#000000").getchannel("A") for shape in shapes)

    assert [level(mask, 6, 6) for mask in (filled, hollow, square)] == [255, 0, 255]
    assert level(hollow, 6, 0) > 200
    assert level(filled, 1, 1) < 100 < level(square, 1, 1)


@pytest.mark.parametrize("scale", [0.85, 1.0, 1.5, 2.0])
@pytest.mark.parametrize("quantity", range(1, MAX_DRAWN + 1))
def test_pictures_are_large_enough_to_be_known_and_each_is_seen(quantity: int, scale: float) -> None:
    across, down = round(79 * scale), round(25 * scale)

    laid = picture_grid(quantity, across, down, scale)

    if laid.per_line:
        places = [laid.position(index) for index in range(quantity)]
        assert SMALLEST_PICTURE * scale <= laid.size <= LARGEST_PICTURE * scale
        assert all(x + laid.size <= across and y + laid.size <= down for x, y in places)
        assert quantity == 1 or laid.step >= (MIN_VISIBLE - 0.1) * laid.size
    assert laid.per_line or quantity > 6


def test_a_piece_is_found_where_it_can_be_seen() -> None:
    laid = picture_grid(6, 79, 25, 1.0)
    third = laid.position(2)

    assert laid.index_at(third[0] + 1, third[1] + 1, count=6) == 2
    assert laid.index_at(third[0] + laid.size - 1, third[1], count=3) == 2
    assert laid.index_at(third[0] + laid.size + 1, third[1], count=3) is None


@pytest.mark.parametrize(
    ("names", "cells"),
    [
        (["You", "Rowan"], 3),
        (["You", "Christopher Robin"], 3),
        (["You", "Robin", "Noa"], 4),
        (["You", "Gardener", "Carpenter"], 2),
        (["You", *["Robin"] * 4], 3),
        (["You", *["Robin"] * 7], 3),
        (["You", *["Christopher Robin"] * 7], 2),
    ],
)
def test_lines_of_cells_are_even_and_cut_no_names_off(names: list[str], cells: int) -> None:
    assert cells_per_line(names, 344, lambda name: 31 + 7 * len(name)) == cells
