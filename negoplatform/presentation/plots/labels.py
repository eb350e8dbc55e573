"""What plots call things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from negoplatform.app.playback.offer_metrics import RecordedOffer
from negoplatform.domain.seat import Seat
from negoplatform.domain.step_analysis import StepClass
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.formatting import displayable, format_number
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.plots.axis_ticks import time_text
from negoplatform.presentation.plots.drawing import MarkerShape

STEP_WORDS: Mapping[StepClass, str] = MappingProxyType(
    {
        StepClass.FORTUNATE: gettext_noop("fortunate step: more for both"),
        StepClass.SELFISH: gettext_noop("selfish step: more for this side, no more for the other"),
        StepClass.CONCESSION: gettext_noop("concession: less for this side, no less for the other"),
        StepClass.UNFORTUNATE: gettext_noop("unfortunate step: no more for this side, less for the other"),
        StepClass.NICE: gettext_noop("nice step: the same for this side, more for the other"),
        StepClass.SILENT: gettext_noop("silent step: the same for both"),
    }
)
"""The class of a step with what it means."""


@dataclass(frozen=True, slots=True)
class SeatStyle:
    """How a seat looks in a plot: its colour never stands without its form.

    Args:
        seat: The seat.
        name: Who sits there, as it may be drawn.
        colour: Of its lines and marks.
        text_colour: Of words about it.
        shape: Of its marks.
    """

    seat: Seat
    name: str
    colour: str
    text_colour: str
    shape: MarkerShape


def seat_styles(names: Mapping[Seat, str], mine: Seat, colours: Palette) -> tuple[SeatStyle, ...]:
    """How the seats look, in their order.

    Args:
        names: Who sits there, by seat, in the game's order.
        mine: The seat in the colour of the participant; the others have that of the other side.
        colours: The window's colours.
    """
    others: tuple[tuple[str, str, MarkerShape], ...] = (
        (colours.theirs, colours.theirs_words, "square"),
        (colours.accept, colours.accept, "diamond"),
        (colours.warning, colours.warning, "triangle"),
    )
    sides, at = [], 0
    for seat, name in names.items():
        if seat == mine:
            sides.append(SeatStyle(seat, displayable(name), colours.mine, colours.primary, "circle"))
        else:
            colour, words, form = others[at % len(others)]
            sides.append(SeatStyle(seat, displayable(name), colour, words, form))
            at += 1
    return tuple(sides)


def offer_description(offer: RecordedOffer, sides: Sequence[SeatStyle], translate: Language) -> str:
    """An offer, line by line: whose, when, what it is worth, what step it was and what became of it."""
    names = {side.seat: side.name for side in sides}
    parts = [
        translate(
            "Offer {n}, {name}, {time}", n=offer.number, name=names[offer.seat], time=time_text(offer.t)
        )
    ]
    for seat, points in offer.points.items():
        number = format_number(points, translate)
        amount = translate.plural("{n} point", "{n} points", points, n=number)
        parts.append(translate("{name}: {amount}", name=names[seat], amount=amount))
    if offer.step is not None:
        parts.append(translate(STEP_WORDS[offer.step]))
    if offer.deal:
        parts.append(translate("became the deal"))
    return "\n".join(parts)
