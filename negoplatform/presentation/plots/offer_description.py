"""Description of an offer in a plot, and the step classes in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from negoplatform.app.playback.offer_metrics import RecordedOffer
from negoplatform.domain.step_analysis import StepClass
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.plots.axis_ticks import time_text
from negoplatform.presentation.plots.seat_styles import SeatStyle
from negoplatform.presentation.time_and_points_text import format_number

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


MOST_LINES, PER_LINE = 3, 3
"""Number of seats up to which each has a line of its own; seats per line if there are more."""

SEPARATOR = " · "


def offer_description(offer: RecordedOffer, sides: Sequence[SeatStyle], translate: Language) -> str:
    """Return an offer line by line: seat, time, points, step class, and whether it became the deal.

    The points of many seats share lines.
    """
    names = {side.seat: side.name for side in sides}
    parts = [
        translate(
            "Offer {n}, {name}, {time}", n=offer.number, name=names[offer.seat], time=time_text(offer.t)
        )
    ]
    worths = []
    for seat, points in offer.points.items():
        number = format_number(points, translate)
        amount = translate.plural("{n} point", "{n} points", points, n=number)
        worths.append(translate("{name}: {amount}", name=names[seat], amount=amount))
    per_line = 1 if len(worths) <= MOST_LINES else PER_LINE
    parts += [SEPARATOR.join(worths[first : first + per_line]) for first in range(0, len(worths), per_line)]
    if offer.step is not None:
        parts.append(translate(STEP_WORDS[offer.step]))
    if offer.deal:
        parts.append(translate("became the deal"))
    return "\n".join(parts)
