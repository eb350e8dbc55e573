"""Valuation of an offer for one seat, compared with no deal; computed without Tk.

A partial offer has a range of points, from the worst to the best completion, and every offer is compared
with the best result that no deal can still give.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from negoplatform.core.mechanisms.bargaining import is_bindable
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.no_deal import NoDealValue, no_deal_value
from negoplatform.domain.offer import Offer
from negoplatform.domain.solutions.completion_range import completion_range
from negoplatform.domain.utility import Points
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.time_and_points_text import format_number, interval_text, points_text


class NoDealComparison(StrEnum):
    """Result of comparing an offer with no deal."""

    BETTER = "better"
    """Better than no deal, however the undecided issues turn out."""
    WORSE = "worse"
    """Worse than no deal, however the undecided issues turn out."""
    EQUAL = "equal"
    """Worth exactly as much as no deal."""
    OPEN = "open"
    """Undetermined: no offer, or dependent on the undecided issues."""


def comparison_colour(versus: NoDealComparison, colours: Palette) -> str:
    """Return the colour for better or worse; empty if the text keeps its own colour."""
    match versus:
        case NoDealComparison.BETTER:
            return colours.accept
        case NoDealComparison.WORSE:
            return colours.danger
        case NoDealComparison.EQUAL | NoDealComparison.OPEN:
            return ""


@dataclass(frozen=True, slots=True)
class OfferValuation:
    """Worth of an offer to a seat, in points after time costs.

    Args:
        low: Points of the worst completion; equal to ``high`` if nothing is undecided.
        high: Points of the best completion.
        no_deal: Value of no deal.
    """

    low: Points
    high: Points
    no_deal: NoDealValue

    @property
    def is_range(self) -> bool:
        """Whether the points depend on undecided issues."""
        return self.low != self.high

    @property
    def difference(self) -> Points:
        """Points by which the worst completion is better than no deal."""
        return round(self.low - self.no_deal.best, 9)

    @property
    def versus(self) -> NoDealComparison:
        """Comparison with no deal."""
        best = round(self.high - self.no_deal.best, 9)
        if self.difference > 0:
            return NoDealComparison.BETTER
        if best < 0:
            return NoDealComparison.WORSE
        return NoDealComparison.EQUAL if self.difference == best == 0 else NoDealComparison.OPEN


def offer_valuation(
    game: GameSpec, preferences: Preferences, offer: Offer, at: float, offers: int = 0
) -> OfferValuation:
    """Return the worth of an offer to a seat at a session time in seconds, after a number of offers.

    A partial offer that can be accepted as it is has the points of its terms; any other has a range.
    """
    if is_bindable(game, offer):
        low = high = preferences.utility(offer)
    else:
        low, high = completion_range(game, preferences.utility, offer)
    progress = game.rules.progress(at, offers)
    low, high = (preferences.points_at(points, at, progress) for points in (low, high))
    return OfferValuation(low, high, no_deal_value(game, preferences, at, offers))


def points_range_text(worth: OfferValuation, translate: Language) -> str:
    """Return the points as plain numbers: ``11``, ``5 to 17``."""
    if not worth.is_range:
        return format_number(worth.low, translate)
    return translate(
        "{low} to {high}", low=format_number(worth.low, translate), high=format_number(worth.high, translate)
    )


def valuation_text(worth: OfferValuation, translate: Language) -> str:
    """Return the points with their unit: ``11 points``, ``5 to 17 points``."""
    if not worth.is_range:
        return points_text(worth.low, translate)
    return translate(
        "{low} to {high} points",
        low=format_number(worth.low, translate),
        high=format_number(worth.high, translate),
    )


def comparison_text(worth: OfferValuation, translate: Language) -> str:
    """Return the comparison with no deal in words; empty if it depends on undecided issues."""
    points = points_text(abs(worth.difference), translate)
    match worth.versus:
        case NoDealComparison.BETTER if worth.is_range:
            return translate("better than no deal in any case")
        case NoDealComparison.WORSE if worth.is_range:
            return translate("worse than no deal in any case")
        case NoDealComparison.BETTER:
            return translate("{points} better than no deal", points=points)
        case NoDealComparison.WORSE:
            return translate("{points} worse than no deal", points=points)
        case NoDealComparison.EQUAL:
            return translate("the same as no deal")
        case NoDealComparison.OPEN:
            return ""


def no_deal_text(no_deal: NoDealValue, translate: Language) -> str:
    """Return the value of no deal: one number, or now and at the end if these differ."""
    if no_deal.quit_value == no_deal.timeout_value:
        return translate("No deal: {points}", points=points_text(no_deal.quit_value, translate))
    return translate(
        "No deal: {now} now, {late} at the end",
        now=points_text(no_deal.quit_value, translate),
        late=format_number(no_deal.timeout_value, translate),
    )


def comparison_with_points(worth: OfferValuation, translate: Language) -> str:
    """Return the comparison with no deal, and no deal's value: ``7 points better than no deal (4)``."""
    words = comparison_text(worth, translate)
    if not words:
        return no_deal_text(worth.no_deal, translate)
    now, late = (
        format_number(points, translate) for points in (worth.no_deal.quit_value, worth.no_deal.timeout_value)
    )
    if now == late:
        return translate("{difference} ({points})", difference=words, points=now)
    return translate("{difference} ({now} now, {late} at the end)", difference=words, now=now, late=late)


def no_deal_rules(game: GameSpec, preferences: Preferences, translate: Language) -> tuple[str, ...]:
    """Return sentences on what no deal gives and what time costs; they stay true while time passes."""
    cost, deadline, factor = preferences.time_cost, game.rules.deadline_seconds, preferences.discount_factor
    costs = cost is not None and bool(cost.points)
    quit_points = points_text(preferences.quit_value, translate)
    sentences = []
    if not costs and factor == 1 and preferences.quit_value == preferences.reservation_value:
        return (translate("If there’s no deal, you get {points}.", points=quit_points),)
    if deadline is not None:
        late = points_text(no_deal_value(game, preferences, deadline).timeout_value, translate)
        sentences.append(translate("If time runs out without a deal, you get {points}.", points=late))
    elif game.rules.has_deadline:
        kept = points_text(preferences.points_at(preferences.reservation_value, 0.0, 1.0), translate)
        sentences.append(_after_last_offer(kept, translate, costs=costs))
    if not costs and factor == 1:
        sentences.append(translate("If anybody walks away, you get {points}.", points=quit_points))
    elif factor != 1:
        sentences.append(
            translate(
                "If anybody walks away, you get {points}, and less the later it is.", points=quit_points
            )
        )
    else:
        sentences.append(
            translate(
                "If anybody walks away, you get {points}, minus what time has cost by then.",
                points=quit_points,
            )
        )
    if cost is not None and costs:
        sentences.append(
            translate(
                "You lose {points} {every}, deal or no deal.",
                points=points_text(cost.points, translate),
                every=interval_text(cost.period_seconds, translate),
            )
        )
    if factor != 1:
        share = translate("{percent} %", percent=format_number(100 * factor, translate))
        sentences.append(
            translate(
                "All points lose value while time passes: at the end {share} of them are left.", share=share
            )
        )
    return tuple(sentences)


def _after_last_offer(points: str, translate: Language, *, costs: bool) -> str:
    """Return what a game without a limit of time pays once its offers are used up."""
    if costs:
        return translate(
            "If the last offer isn’t accepted, you get {points}, minus what time has cost by then.",
            points=points,
        )
    return translate("If the last offer isn’t accepted, you get {points}.", points=points)
