"""What plots call things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from negoplatform.app.playback.offer_metrics import PlayedOffer
from negoplatform.domain.seat import Seat
from negoplatform.domain.step_analysis import Step
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.formatting import drawable, figure
from negoplatform.presentation.i18n import Language, mark
from negoplatform.presentation.plots.axis_ticks import time_text
from negoplatform.presentation.plots.drawing import Form

STEP_WORDS: Mapping[Step, str] = MappingProxyType(
    {
        Step.FORTUNATE: mark("fortunate step: more for both"),
        Step.SELFISH: mark("selfish step: more for this side, no more for the other"),
        Step.CONCESSION: mark("concession: less for this side, no less for the other"),
        Step.UNFORTUNATE: mark("unfortunate step: no more for this side, less for the other"),
        Step.NICE: mark("nice step: the same for this side, more for the other"),
        Step.SILENT: mark("silent step: the same for both"),
    }
)
"""The class of a step with what it means."""


@dataclass(frozen=True, slots=True)
class Side:
    """How a seat looks in a plot: its colour never stands without its form.

    Args:
        seat: The seat.
        name: Who sits there, as it may be drawn.
        colour: Of its lines and marks.
        words: Of words about it.
        form: Of its marks.
    """

    seat: Seat
    name: str
    colour: str
    words: str
    form: Form


def sides_of(names: Mapping[Seat, str], mine: Seat, colours: Palette) -> tuple[Side, ...]:
    """How the seats look, in their order.

    Args:
        names: Who sits there, by seat, in the game's order.
        mine: The seat in the colour of the participant; the others have that of the other side.
        colours: The window's colours.
    """
    others: tuple[tuple[str, str, Form], ...] = (
        (colours.theirs, colours.theirs_words, "square"),
        (colours.accept, colours.accept, "diamond"),
        (colours.warning, colours.warning, "triangle"),
    )
    sides, at = [], 0
    for seat, name in names.items():
        if seat == mine:
            sides.append(Side(seat, drawable(name), colours.mine, colours.primary, "circle"))
        else:
            colour, words, form = others[at % len(others)]
            sides.append(Side(seat, drawable(name), colour, words, form))
            at += 1
    return tuple(sides)


def offer_words(offer: PlayedOffer, sides: Sequence[Side], say: Language) -> str:
    """An offer, line by line: whose, when, what it is worth, what step it was and what became of it."""
    names = {side.seat: side.name for side in sides}
    parts = [
        say("Offer {n}, {name}, {time}", n=offer.number, name=names[offer.seat], time=time_text(offer.t))
    ]
    for seat, points in offer.points.items():
        number = figure(points, say)
        amount = say.count("{n} point", "{n} points", points, n=number)
        parts.append(say("{name}: {amount}", name=names[seat], amount=amount))
    if offer.step is not None:
        parts.append(say(STEP_WORDS[offer.step]))
    if offer.deal:
        parts.append(say("became the deal"))
    return "\n".join(parts)
