"""Texts and seat styles of plots."""

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
"""Meaning of each step class in words."""


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


def offer_description(offer: RecordedOffer, sides: Sequence[SeatStyle], translate: Language) -> str:
    """Return an offer line by line: seat, time, points, step class, and whether it became the deal."""
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
