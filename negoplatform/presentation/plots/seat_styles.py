"""Colour and shape of each seat: in plots, and wherever a window with several other seats marks one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self

from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.plots.drawing import MarkerShape


@dataclass(frozen=True, slots=True)
class SeatMark:
    """Mark of a seat; its shape distinguishes it without its colour.

    Args:
        shape: The shape.
        colour: Name of its colour in the palette.
        text_colour: Name, in the palette, of the colour of texts about the seat.
    """

    shape: MarkerShape
    colour: str
    text_colour: str


OWN_MARK = SeatMark("circle", "mine", "primary")

OTHERS_MARKS = (
    SeatMark("square", "theirs", "theirs_words"),
    SeatMark("diamond", "accept", "accept"),
    SeatMark("triangle", "warning", "warning"),
    SeatMark("star", "seat_5", "seat_5"),
    SeatMark("triangle_down", "seat_6", "seat_6"),
    SeatMark("cross", "seat_7", "seat_7"),
    SeatMark("plus", "seat_8", "seat_8"),
)
"""Marks of the other seats, in the game's order; with more seats they repeat."""


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


def seat_marks(seats: Iterable[Seat], mine: Seat) -> dict[Seat, SeatMark]:
    """Return the mark of each seat, in the order of ``seats``; ``mine`` has the participant's."""
    marks: dict[Seat, SeatMark] = {}
    for seat in seats:
        others = len(marks) - (mine in marks)
        marks[seat] = OWN_MARK if seat == mine else OTHERS_MARKS[others % len(OTHERS_MARKS)]
    return marks


def shown_marks(seats: Collection[Seat], mine: Seat) -> dict[Seat, SeatMark]:
    """Return the marks by which a window distinguishes seats; none with two, which have a side each."""
    return seat_marks(seats, mine) if len(seats) > 2 else {}


class NamedSeats(NamedTuple):
    """Seats as a window names and marks them.

    Args:
        mine: Seat of the participant.
        others: Displayed names of the other seats, in the game's order.
        marks: Marks of all seats; none with two.
    """

    mine: Seat
    others: Mapping[Seat, str]
    marks: Mapping[Seat, SeatMark]

    @classmethod
    def of(cls, mine: Seat, others: Mapping[Seat, str]) -> Self:
        """Return seats with their marks."""
        return cls(mine, others, shown_marks([mine, *others], mine))


def seat_styles(names: Mapping[Seat, str], mine: Seat, colours: Palette) -> tuple[SeatStyle, ...]:
    """Return the style of each seat, in the order of ``names``.

    Args:
        names: The occupants' names by seat, in the game's order.
        mine: The seat with the participant's colour; the others have those of the other side.
        colours: The window's colours.
    """
    return tuple(
        SeatStyle(
            seat,
            displayable(names[seat]),
            getattr(colours, mark.colour),
            getattr(colours, mark.text_colour),
            mark.shape,
        )
        for seat, mark in seat_marks(names, mine).items()
    )
