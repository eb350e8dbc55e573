"""What an offer is worth to its reader, beside what no deal gives; computed without Tk.

One rule everywhere: a partial offer is worth a range, from the worst to the best that its rest can bring, and
every offer is compared with the best that no deal can still give.
"""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import may_be_bound
from negoplatform.domain.completion_range import completion_range
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.no_deal import WithoutDeal, without_deal
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import Points
from negoplatform.presentation.formatting import every_text, figure, points_text
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.offers.batna_comparison import Versus


@dataclass(frozen=True, slots=True)
class OfferWorth:
    """What an offer is worth to a seat, in points after time costs.

    Args:
        low: The least that it can come to; the same as ``high`` where nothing is left to decide.
        high: The most that it can come to.
        no_deal: What no deal can still give.
    """

    low: Points
    high: Points
    no_deal: WithoutDeal

    @property
    def is_range(self) -> bool:
        """Whether its points depend on what is still undecided."""
        return self.low != self.high

    @property
    def difference(self) -> Points:
        """By how many points the worst that it can come to is better than no deal."""
        return round(self.low - self.no_deal.best, 9)

    @property
    def versus(self) -> Versus:
        """How it compares with no deal."""
        best = round(self.high - self.no_deal.best, 9)
        if self.difference > 0:
            return Versus.BETTER
        if best < 0:
            return Versus.WORSE
        return Versus.EQUAL if self.difference == best == 0 else Versus.OPEN


def offer_worth(game: GameSpec, preferences: Preferences, offer: Offer, at: float) -> OfferWorth:
    """Return what an offer is worth to a seat at a session time (s).

    A partial offer that may be accepted as it is is worth what it says; of another, the rest is open.
    """
    if may_be_bound(game, offer):
        low = high = preferences.utility(offer)
    else:
        low, high = completion_range(game, preferences.utility, offer)
    cost = preferences.cost_at(at)
    return OfferWorth(low - cost, high - cost, without_deal(game, preferences, at))


def figures(worth: OfferWorth, say: Language) -> str:
    """The points as bare figures: ``11``, ``5 to 17``."""
    if not worth.is_range:
        return figure(worth.low, say)
    return say("{low} to {high}", low=figure(worth.low, say), high=figure(worth.high, say))


def worth_text(worth: OfferWorth, say: Language) -> str:
    """The points in words: ``11 points``, ``5 to 17 points``."""
    if not worth.is_range:
        return points_text(worth.low, say)
    return say("{low} to {high} points", low=figure(worth.low, say), high=figure(worth.high, say))


def versus_text(worth: OfferWorth, say: Language) -> str:
    """How it compares with no deal, in words; empty where it depends on the rest."""
    points = points_text(abs(worth.difference), say)
    match worth.versus:
        case Versus.BETTER if worth.is_range:
            return say("better than no deal in any case")
        case Versus.WORSE if worth.is_range:
            return say("worse than no deal in any case")
        case Versus.BETTER:
            return say("{points} better than no deal", points=points)
        case Versus.WORSE:
            return say("{points} worse than no deal", points=points)
        case Versus.EQUAL:
            return say("the same as no deal")
        case Versus.OPEN:
            return ""


def no_deal_text(no_deal: WithoutDeal, say: Language) -> str:
    """What no deal gives: one figure, or now and at the end where these differ."""
    if no_deal.now == no_deal.late:
        return say("No deal: {points}", points=points_text(no_deal.now, say))
    return say(
        "No deal: {now} now, {late} at the end",
        now=points_text(no_deal.now, say),
        late=figure(no_deal.late, say),
    )


def compared_text(worth: OfferWorth, say: Language) -> str:
    """How an offer compares with no deal, and what that gives: ``7 points better than no deal (4)``."""
    words = versus_text(worth, say)
    if not words:
        return no_deal_text(worth.no_deal, say)
    now, late = (figure(points, say) for points in (worth.no_deal.now, worth.no_deal.late))
    if now == late:
        return say("{difference} ({points})", difference=words, points=now)
    return say("{difference} ({now} now, {late} at the end)", difference=words, now=now, late=late)


def no_deal_rules(game: GameSpec, preferences: Preferences, say: Language) -> tuple[str, ...]:
    """What no deal gives and what time costs, in sentences that stay true while time passes."""
    cost, deadline = preferences.time_cost, game.rules.deadline_seconds
    costs = cost is not None and bool(cost.points)
    walking = points_text(preferences.quit_value, say)
    told = []
    if not costs and preferences.quit_value == preferences.reservation_value:
        return (say("If there’s no deal, you get {points}.", points=walking),)
    if deadline is not None:
        late = points_text(without_deal(game, preferences, deadline).late, say)
        told.append(say("If time runs out without a deal, you get {points}.", points=late))
    if not costs:
        told.append(say("If anybody walks away, you get {points}.", points=walking))
    else:
        told.append(
            say("If anybody walks away, you get {points}, minus what time has cost by then.", points=walking)
        )
    if cost is not None and costs:
        told.append(
            say(
                "You lose {points} {every}, deal or no deal.",
                points=points_text(cost.points, say),
                every=every_text(cost.period_seconds, say),
            )
        )
    return tuple(told)
