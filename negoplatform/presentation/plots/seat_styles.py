"""Colour and marker of each seat in plots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.plots.drawing import MarkerShape


@dataclass(frozen=True, slots=True)
class SeatStyle:
    """Style of a seat in a plot; its shape distinguishes it without its colour.

    Args:
        seat: The seat.
        name: The name of its occupant, as it can be drawn.
        colour: The colour of its lines and marks.
        text_colour: The colour of texts about it.
        shape: The shape of its marks.
    """

    seat: Seat
    name: str
    colour: str
    text_colour: str
    shape: MarkerShape


def seat_styles(names: Mapping[Seat, str], mine: Seat, colours: Palette) -> tuple[SeatStyle, ...]:
    """Return the style of each seat, in the order of ``names``.

    Args:
        names: The occupants' names by seat, in the game's order.
        mine: The seat with the participant's colour; the others have those of the other side.
        colours: The window's colours.
    """
    others: tuple[tuple[str, str, MarkerShape], ...] = (
        (colours.theirs, colours.theirs_words, "square"),
        (colours.accept, colours.accept, "diamond"),
        (colours.warning, colours.warning, "triangle"),
    )
    styles, count = [], 0
    for seat, name in names.items():
        if seat == mine:
            styles.append(SeatStyle(seat, displayable(name), colours.mine, colours.primary, "circle"))
        else:
            colour, text_colour, shape = others[count % len(others)]
            styles.append(SeatStyle(seat, displayable(name), colour, text_colour, shape))
            count += 1
    return tuple(styles)
