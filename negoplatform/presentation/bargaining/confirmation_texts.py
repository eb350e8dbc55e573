"""Questions to confirm what binds the participant or ends the negotiation; computed without Tk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from negoplatform.domain.utility import Points
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.time_and_points_text import points_text

if TYPE_CHECKING:
    from negoplatform.presentation.bargaining.offer_builder_view import AcceptView


def accept_question(accept: AcceptView, translate: Language) -> ConfirmationQuestion:
    """Return the question before accepting: the binding terms, and a warning if no deal would pay more."""
    title = translate("Finalise the deal?") if accept.is_own else translate("Accept this offer?")
    yes = translate("Finalise") if accept.is_own else translate("Accept")
    return _commitment(accept, title, yes, "Accept.TButton", translate)


def binding_question(offer: AcceptView, translate: Language) -> ConfirmationQuestion:
    """Return the question before sending an offer that binds its sender."""
    return _commitment(offer, translate("Send a binding offer?"), offer.text, "Primary.TButton", translate)


def _commitment(
    accept: AcceptView, title: str, yes: str, style: str, translate: Language
) -> ConfirmationQuestion:
    points = points_text(accept.points, translate)
    warning = worse_than_no_deal_text(accept, translate) if accept.worse_than_no_deal else ""
    return ConfirmationQuestion(
        title=title,
        text=" ".join((translate("You’d get {points}.", points=points), accept.hint)),
        yes_label=yes,
        no_label=translate("Go back"),
        rows=accept.rows,
        warning=warning,
        style="Danger.TButton" if warning else style,
    )


def worse_than_no_deal_text(accept: AcceptView, translate: Language) -> str:
    """Return the warning that no deal would pay more."""
    return translate(
        "That’s worse for you than no deal: you’d get {points} instead of {no_deal}.",
        points=points_text(accept.points, translate),
        no_deal=points_text(accept.no_deal, translate),
    )


def walk_away_question(pays: Points, translate: Language, *, several: bool = False) -> ConfirmationQuestion:
    """Return the question before walking away, with the points that it gives.

    ``several``: whether it ends the negotiation for several others.
    """
    points = points_text(pays, translate)
    return ConfirmationQuestion(
        title=translate("Walk away?"),
        text=translate("This ends the negotiation for everyone. You’d get {points}.", points=points)
        if several
        else translate("This ends the negotiation for both of you. You’d get {points}.", points=points),
        yes_label=translate("Walk away"),
        no_label=translate("Keep negotiating"),
        style="Danger.TButton",
    )
