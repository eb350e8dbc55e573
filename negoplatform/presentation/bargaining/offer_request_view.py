"""View of the two requests next to the offer builder; computed without Tk."""

from __future__ import annotations

from dataclasses import dataclass, replace

from negoplatform.core.events import Message, MessageSubtype
from negoplatform.core.mechanisms.bargaining import bargaining_state, remaining_offers
from negoplatform.core.state import Phase, State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language import is_language_parsed
from negoplatform.language.generation import read_requested_terms, requested_terms_in_words
from negoplatform.language.generation.offer_requests import COLON, DEFAULT_LANGUAGE, LEFT_TO_RIGHT_MARK
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.i18n import Language


@dataclass(frozen=True, slots=True)
class OfferRequest:
    """Request that one press sends.

    Args:
        label: Label of its button.
        message: Message that it sends; None while it makes no sense.
        hint: What it does, or why it can't be sent now.
    """

    label: str
    message: Message | None
    hint: str


@dataclass(frozen=True, slots=True)
class OfferRequestsView:
    """View of the requests.

    Args:
        in_return: Question what the other side would give for the draft.
        fairer: Request for a fairer offer.
    """

    in_return: OfferRequest
    fairer: OfferRequest

    def disabled(self, reason: str = "") -> OfferRequestsView:
        """Return the view in which neither can be sent, with the reason as their hint."""
        return OfferRequestsView(
            replace(self.in_return, message=None, hint=reason),
            replace(self.fairer, message=None, hint=reason),
        )


def offer_requests_view(
    state: State, seat: Seat, draft: Draft, translate: Language
) -> OfferRequestsView | None:
    """Return the requests that a seat can send; None if the game's rules leave them out.

    The terms of the draft are worded so that agents read them exactly in a window of any language: a shipped
    game's by the names that the window shows, another's by its own names.

    Args:
        state: State of the session, as visible to the seat.
        seat: Seat of the participant.
        draft: Current draft.
        translate: Translation into the window's language.
    """
    if not (state.game.rules.offer_requests and state.game.rules.talk):
        return None
    running = state.phase is Phase.NEGOTIATING
    view = OfferRequestsView(
        _in_return_request(state, seat, draft, translate), _fairer_request(state, seat, draft, translate)
    )
    if running and remaining_offers(state) == 0:
        return view.disabled(translate("No offers are left in this game."))
    return view if running else view.disabled()


def _in_return_request(state: State, seat: Seat, draft: Draft, translate: Language) -> OfferRequest:
    label = translate("What would you give me for this?")
    if not draft.ready:
        return OfferRequest(label, None, translate("First decide something in the builder."))
    text = translate(
        "What would you give me for this: {terms}?", terms=_terms(state.game, seat, draft.offer, translate)
    )
    hint = translate("Asks what you’d get in return. Your draft isn’t sent as an offer.")
    return OfferRequest(label, Message(text, MessageSubtype.OFFER_REQUEST_POS), hint)


def _fairer_request(state: State, seat: Seat, draft: Draft, translate: Language) -> OfferRequest:
    label = translate("Make this fairer")
    on_table = bargaining_state(state).on_table
    if on_table is not None and on_table.sender == seat:
        return OfferRequest(label, None, translate("Your own offer is on the table now."))
    if on_table is not None:
        text = translate("Can you make your offer fairer to me?")
        hint = translate("Asks for a better version of the offer on the table.")
    elif draft.ready and state.game.is_complete(draft.offer):
        text = translate(
            "Can you make this fairer to me: {terms}?", terms=_terms(state.game, seat, draft.offer, translate)
        )
        hint = translate("Asks for a better version of your draft, which isn’t sent as an offer.")
    else:
        return OfferRequest(label, None, translate("There’s no offer yet, and your draft isn’t complete."))
    return OfferRequest(label, Message(text, MessageSubtype.OFFER_REQUEST_NEG), hint)


def _terms(game: GameSpec, seat: Seat, offer: Offer, translate: Language) -> str:
    """Return terms by the names that the window shows, if agents can read these; else by the game's own."""
    language = game.rules.effective_reading_language
    names = _shown_names(game, translate)
    if names:
        words = requested_terms_in_words(offer, game, seat, translate.code, names=names)
        if read_requested_terms(f"{COLON}{words}", game, seat, language) == offer:
            return words
    # Mixed words would be hard to read: names in a language of their own have its other words, too.
    own = language if is_language_parsed(language) else DEFAULT_LANGUAGE
    words = requested_terms_in_words(offer, game, seat, own)
    return f"{LEFT_TO_RIGHT_MARK}{words}{LEFT_TO_RIGHT_MARK}" if translate.rtl else words


def _shown_names(game: GameSpec, translate: Language) -> dict[str, tuple[str, str]]:
    """Return plural and singular of the issues and values that the window shows by another name."""
    names: dict[str, tuple[str, str]] = {}
    for issue in game.issues:
        for text in (issue.title, *(issue.values if isinstance(issue, CategoricalIssue) else ())):
            shown = translate.translate_plugin_text(text)
            if shown != text:
                names[text] = shown, translate.translate_singular(text)
    return names
