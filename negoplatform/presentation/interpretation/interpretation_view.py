"""Strip above the message line, which shows the interpretation of a typed message; computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language import Ambiguity, Interpretation
from negoplatform.presentation.bargaining.confirmation_texts import worse_than_no_deal_text
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.offer_builder_view import accept_view, builder_view
from negoplatform.presentation.chat.address_view import address_names
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.interpretation.interpretation_chips import ChipView, term_chips
from negoplatform.presentation.interpretation.interpretation_marks import (
    MarkedSpan,
    SpanKind,
    first_unparsed_part,
    interpretation_notes,
    mark_spans,
)
from negoplatform.presentation.interpretation.interpreted_message import InterpretedMessage, TypedTextIntent
from negoplatform.presentation.localized_names import displayable, localized_text
from negoplatform.presentation.noun_forms import count_text, title_in_sentence
from negoplatform.presentation.offers.offer_sentence import offer_sentence
from negoplatform.presentation.time_and_points_text import points_text
from negoplatform.presentation.transcript.transcript_entries import SEPARATOR


@dataclass(frozen=True, slots=True)
class InterpretationView:
    """View of the strip above the message line.

    Args:
        heading: Interpretation of the message, or a question about it.
        detail: Worth of the offer, or the consequence of confirming.
        words: The typed text, cut at marks.
        notes: Sentences on why the interpretation is not plain.
        chips: Terms, which can be corrected.
        confirm_label: Label of the button that sends or accepts; empty if there is none.
        offers: Offers that confirming would send or accept.
        choices: Possible offers, each with its worth, selected by number.
        confirms_on_enter: Whether Enter confirms; if not, Enter sends only the text, and Ctrl+Enter confirms.
        can_edit: Whether the terms can be copied to the builder.
        can_send_text_only: Whether the text can be sent without the offer.
        binds: Whether confirming is a formal acceptance.
        is_worse_than_no_deal: Whether the deal would give less than no deal.
        is_sent: Whether the text is sent already; the strip then stays only while the line is empty.
        is_corrected: Whether a term was corrected; Back first undoes corrections.
    """

    heading: str
    detail: str = ""
    words: tuple[MarkedSpan, ...] = ()
    notes: str = ""
    chips: tuple[ChipView, ...] = ()
    confirm_label: str = ""
    offers: tuple[Offer, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    confirms_on_enter: bool = False
    can_edit: bool = False
    can_send_text_only: bool = True
    binds: bool = False
    is_worse_than_no_deal: bool = False
    is_sent: bool = False
    is_corrected: bool = False

    @property
    def is_stale(self) -> bool:
        """Whether the strip only reports that the offer is gone; then Enter interprets the text again."""
        return not (self.is_sent or self.confirm_label or self.choices or self.chips)


def interpretation_view(
    interpreted: InterpretedMessage,
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    now: float,
    translate: Language,
) -> InterpretationView:
    """Return the view of an interpreted message.

    Args:
        interpreted: Interpreted message.
        state: State of the session, as visible to the sender.
        seat: Seat of the sender.
        names: Display names of the other seats.
        now: Session time in seconds.
        translate: Translation into the window's language.
    """
    match interpreted.intent:
        case TypedTextIntent.ACCEPTANCE:
            return _acceptance(interpreted, state, seat, names, now, translate)
        case TypedTextIntent.CHOICE:
            return _choice(interpreted, state, seat, names, now, translate)
    offer = interpreted.offers[0] if interpreted.offers else None
    worth = () if offer is None else _worth(offer, state, seat, names, now, translate)
    return InterpretationView(
        _heading(interpreted, state, translate),
        SEPARATOR.join((*worth, *_inherited_terms_note(interpreted, translate, several=len(names) > 1))),
        _words(interpreted),
        _notes(interpreted, names, translate),
        term_chips(offer or Offer(), interpreted.missing, state.game, seat, names, translate),
        translate("Send as offer") if offer is not None else "",
        interpreted.offers,
        confirms_on_enter=interpreted.confirms_on_enter and offer is not None,
        can_edit=offer is not None,
        can_send_text_only=not interpreted.is_sent,
        is_sent=interpreted.is_sent,
        is_corrected=interpreted.is_corrected,
    )


def stale_view(translate: Language) -> InterpretationView:
    """Return the view for a message whose offer is gone."""
    return InterpretationView(
        heading=translate("That offer is no longer on the table."),
        detail=translate("Nothing was sent. Your words are still in the line."),
        can_send_text_only=False,
    )


def terms_text(
    interpreted: InterpretedMessage,
    game: GameSpec,
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
) -> str:
    """Return the first offer on one line, as part of a sentence; empty if there is none."""
    return offer_sentence(interpreted.offers[0], game, seat, names, translate) if interpreted.offers else ""


def _heading(interpreted: InterpretedMessage, state: State, translate: Language) -> str:
    on_table = bargaining_state(state).on_table
    theirs = on_table is not None and interpreted.offers == (on_table.offer,)
    if interpreted.interpretation.doubt is not None and interpreted.is_sent and not interpreted.is_corrected:
        return _question(
            interpreted.interpretation,
            interpreted.interpretation.doubt,
            interpreted.missing,
            state.game,
            translate,
        )
    match interpreted.intent:
        case TypedTextIntent.QUESTION if not interpreted.offers:
            return translate("What do you have in mind?")
        case TypedTextIntent.GUESS if not interpreted.is_corrected:
            return translate("Did you mean this as an offer?")
        case TypedTextIntent.AGREEMENT if theirs:
            return translate("You agree to this. Send it as an offer?")
        case TypedTextIntent.AGREEMENT:
            return translate("You agree, and propose this. Send it as an offer?")
        case TypedTextIntent.PROPOSAL if interpreted.interpretation.echoes:
            return translate("You agree to this. Send it as an offer?")
        case _:
            return translate("Send this as an offer?")


def _question(
    reading: Interpretation, doubt: Ambiguity, missing: tuple[str, ...], game: GameSpec, translate: Language
) -> str:
    """Return a question about the missing information."""
    issue = game.issue(missing[0]) if len(missing) == 1 else None
    title = "" if issue is None else title_in_sentence(localized_text(issue.title, translate), translate)
    words = first_unparsed_part(reading)
    match doubt:
        case Ambiguity.EITHER:
            return translate("Which of these do you mean?")
        case Ambiguity.IMPOSSIBLE if isinstance(issue, QuantityIssue):
            things = displayable(count_text(issue.title, issue.quantity, translate))
            return translate("There’s a total of {things}. How do you want to share?", things=things)
        case Ambiguity.IMPOSSIBLE:
            return translate("That isn’t possible. What do you have in mind?")
        case Ambiguity.WHO if words:
            return translate("Who gets “{words}”?", words=words)
        case Ambiguity.WHO:
            return translate("Who gets what?")
        case Ambiguity.HOW_MANY if title:
            return translate("How do you want to share the {things}?", things=title)
        case Ambiguity.HOW_MANY:
            return translate("How many for each of you?")
        case Ambiguity.WHICH_ISSUE if words:
            return translate("What does “{words}” stand for?", words=words)
        case Ambiguity.WHICH_VALUE if title:
            return translate("What do you have in mind for the {issue}?", issue=title)
        case _:
            return translate("What do you have in mind?")


def _words(interpreted: InterpretedMessage) -> tuple[MarkedSpan, ...]:
    """Return the typed text; nothing if it is still in the line and has no marks."""
    spans = mark_spans(interpreted.interpretation)
    plain = interpreted.interpretation.plain or all(span.kind is SpanKind.NONE for span in spans)
    return () if plain and not interpreted.is_sent else spans


def _notes(interpreted: InterpretedMessage, names: Mapping[Seat, str], translate: Language) -> str:
    return " ".join(
        filter(None, (_privacy_note(interpreted, names, translate), _doubts(interpreted, translate)))
    )


def _privacy_note(interpreted: InterpretedMessage, names: Mapping[Seat, str], translate: Language) -> str:
    """Return that only the words are for some alone; empty for words that are for everyone."""
    if not (interpreted.to and interpreted.offers):
        return ""
    recipients = address_names(interpreted.to, names, translate)
    if interpreted.intent is TypedTextIntent.ACCEPTANCE:
        return translate("Only {names} gets your words, but everyone sees that you accept.", names=recipients)
    return translate("Only {names} gets your words, but an offer goes to everyone.", names=recipients)


def _doubts(interpreted: InterpretedMessage, translate: Language) -> str:
    if interpreted.is_corrected:
        return ""
    # The question already covers the missing information.
    notes = interpretation_notes(
        interpreted.interpretation,
        translate,
        unread=not (interpreted.is_sent and interpreted.interpretation.doubt is not None),
    )
    if not notes and not (
        interpreted.is_sent or interpreted.interpretation.plain or interpreted.interpretation.echoes
    ):
        notes = (translate("Please check this before you send it."),)
    return " ".join(notes)


def _worth(
    offer: Offer, state: State, seat: Seat, names: Mapping[Seat, str], now: float, translate: Language
) -> tuple[str, ...]:
    draft = Draft(state.game).replaced_by(offer)
    view = builder_view(state, seat, names, now, draft, translate)
    return translate("{points} for you", points=view.worth), view.note


def _inherited_terms_note(
    interpreted: InterpretedMessage, translate: Language, *, several: bool
) -> tuple[str, ...]:
    """Return a note on the origin of terms that the message does not state; empty if there are none."""
    read = interpreted.offers if interpreted.original_offers is None else interpreted.original_offers
    if interpreted.intent is TypedTextIntent.AGREEMENT or set(read) <= set(interpreted.interpretation.offers):
        return ()
    if interpreted.offer_id is not None:
        return (translate("with the rest of the offer on the table"),)
    if several:
        return (translate("with what you all agreed on"),)
    return (translate("with what you both agreed on"),)


def _choice(
    interpreted: InterpretedMessage,
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    now: float,
    translate: Language,
) -> InterpretationView:
    def texts_of(offer: Offer) -> tuple[str, str]:
        words = offer_sentence(offer, state.game, seat, names, translate)
        return words, _worth(offer, state, seat, names, now, translate)[0]

    return InterpretationView(
        heading=translate("Do you mean one of these offers?"),
        detail=SEPARATOR.join(
            (
                translate("Click one to send it, or press Alt and its number."),
                *_inherited_terms_note(interpreted, translate, several=len(names) > 1),
            )
        ),
        words=_words(interpreted),
        notes=_notes(interpreted, names, translate),
        offers=interpreted.offers,
        choices=tuple(texts_of(offer) for offer in interpreted.offers),
        can_send_text_only=False,
        is_sent=True,
    )


def _acceptance(
    interpreted: InterpretedMessage,
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    now: float,
    translate: Language,
) -> InterpretationView:
    accept, on_table = accept_view(state, seat, names, now, translate), bargaining_state(state).on_table
    assert on_table is not None, "what is accepted stands on the table"
    terms = terms_text(interpreted, state.game, seat, names, translate)
    if accept.completes_deal:
        heading, yes = translate("You confirm the deal: {offer}.", offer=terms), translate("Confirm")
    else:
        maker = names[on_table.sender]
        heading, yes = (
            translate("You accept {name}’s offer: {offer}.", name=maker, offer=terms),
            translate("Accept"),
        )
    worse, points = accept.worse_than_no_deal, points_text(accept.points, translate)
    gives = (
        worse_than_no_deal_text(accept, translate)
        if worse
        else translate("You’d get {points}.", points=points)
    )
    return InterpretationView(
        heading,
        f"{gives} {accept.hint}",
        _words(interpreted),
        _notes(interpreted, names, translate),
        confirm_label=yes,
        offers=interpreted.offers,
        confirms_on_enter=interpreted.confirms_on_enter,
        binds=True,
        is_worse_than_no_deal=worse,
    )
