"""Interpretation of a typed message, pending until its sender confirms or dismisses it. No Tk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from negoplatform.core.events import EventType
from negoplatform.core.mechanisms.bargaining import (
    StandingOffer,
    acceptance_error,
    bargaining_state,
    would_close,
)
from negoplatform.core.state import Phase, State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.language import Ambiguity, AnnotationKind, Interpretation
from negoplatform.presentation.issue_agreement import agreed_terms

LIKELY_CONFIDENCE = 0.2
"""Minimum confidence at which an uncertain offer is suggested; it can be sent only by a click."""

MOST_CHOICES = 3
"""Maximum number of offers to choose from; with more, the text is sent, and the strip asks a question."""

MAX_CLARIFICATIONS = 4
"""Largest number of candidate issues for a question that names none; with more, it is not asked."""


class TypedTextIntent(StrEnum):
    """Intent of a typed message."""

    PROPOSAL = "proposal"
    """Offer."""
    ACCEPTANCE = "acceptance"
    """Formal acceptance of the offer on the table."""
    AGREEMENT = "agreement"
    """Yes to a partial offer, which has no formal acceptance: an offer of the same terms, or of more."""
    CHOICE = "choice"
    """Choice among several offers."""
    WISH = "wish"
    """Wish, which is only talk."""
    GUESS = "guess"
    """Possible offer."""
    QUESTION = "question"
    """Message about a deal without enough terms for an offer; the strip asks for the rest."""


SENT_IMMEDIATELY = (
    TypedTextIntent.CHOICE,
    TypedTextIntent.WISH,
    TypedTextIntent.GUESS,
    TypedTextIntent.QUESTION,
)
"""Intents of messages that are sent at once, because they may be only talk; the offer comes afterwards."""


@dataclass(frozen=True, slots=True)
class InterpretedMessage:
    """Interpretation of a typed message.

    Args:
        interpretation: Result of the parser.
        intent: Likely intent.
        offers: Offers that it may mean, or the one that it accepts.
        offer_id: Offer on the table to which it refers; None if it refers to none.
        agreed: Terms agreed by both sides, which are added to the stated ones.
        last_act_seq: ``seq`` of the sender's last offer or acceptance before the message; 0 if there is none.
        missing: Names of issues that it mentions without a term.
        original_offers: Offers before the first correction; None without corrections.
        sent_later: Whether the text has been sent after waiting.
        to: Recipients of the text; none means everyone. An offer and an acceptance are for everyone.
    """

    interpretation: Interpretation
    intent: TypedTextIntent
    offers: tuple[Offer, ...]
    offer_id: int | None = None
    agreed: Offer = EMPTY_OFFER
    last_act_seq: int = 0
    missing: tuple[str, ...] = ()
    original_offers: tuple[Offer, ...] | None = None
    sent_later: bool = False
    to: tuple[Seat, ...] = ()

    @property
    def is_sent(self) -> bool:
        """Whether the text itself is sent."""
        return self.sent_later or self.intent in SENT_IMMEDIATELY

    @property
    def is_corrected(self) -> bool:
        """Whether a term was corrected."""
        return self.original_offers is not None

    @property
    def confirms_on_enter(self) -> bool:
        """Whether Enter confirms: the interpretation is plain and the text waits, corrected or not.

        Enter only sends a text that is not for everyone: the offer would make public what it says.
        """
        return self.interpretation.plain and not self.is_sent and not self.to

    @property
    def is_correctable(self) -> bool:
        """Whether the terms are shown as chips."""
        return self.intent not in (TypedTextIntent.ACCEPTANCE, TypedTextIntent.CHOICE)

    def with_term(self, issue: str, term: Term | None) -> InterpretedMessage:
        """Return the message with another term for an issue, or with none."""
        read = self.offers if self.original_offers is None else self.original_offers
        before = self.offers[0] if self.offers else EMPTY_OFFER
        terms = {name: old for name, old in before.terms if name != issue}
        if term is not None:
            terms[issue] = term
        offers = (Offer(terms),) if terms else ()
        missing = (*self.missing, issue) if issue not in self.missing else self.missing
        return replace(self, offers=offers, missing=missing, original_offers=None if offers == read else read)

    def uncorrected(self) -> InterpretedMessage:
        """Return the message without corrections."""
        return (
            self
            if self.original_offers is None
            else replace(self, offers=self.original_offers, original_offers=None)
        )


def interpret_message(reading: Interpretation, state: State, seat: Seat) -> InterpretedMessage | None:
    """Return the interpretation of a message for its sender; None if it is only talk.

    Args:
        reading: Result of the parser.
        state: State of the session, as visible to the sender.
        seat: Seat of the sender.
    """
    if state.phase is not Phase.NEGOTIATING:
        return None
    accepted = _interpret_acceptance(reading, state, seat)
    if accepted is not None:
        return replace(accepted, missing=_missing(reading, accepted.offers, state.game))
    agreed, on_table = agreed_terms(state), _acceptable_offer(state, seat) if reading.adapts else None
    # "I accept if I also get 1 food" keeps the rest of the other's offer.
    base = agreed if on_table is None else agreed.with_terms_of(on_table.offer)
    offers = tuple(base.with_terms_of(offer) for offer in reading.offers)
    offer_id = None if on_table is None else on_table.offer_id
    meaning = _intent(reading)
    if meaning is None:
        return None
    missing = _missing(reading, offers, state.game)
    if meaning is TypedTextIntent.QUESTION:
        # With too many possible offers none is used; the question is about their issues.
        missing = missing or tuple(dict.fromkeys(name for offer in reading.offers for name in offer.issues))
        offers, missing = (), missing or _clarification_issues(reading.doubt, state.game)
        if not missing:
            return None
    held = InterpretedMessage(reading, meaning, offers, offer_id, agreed, last_act_seq(state, seat), missing)
    if held.is_sent and any(_is_already_offered(offer, state, seat) for offer in offers):
        return None
    return held


def is_still_valid(interpreted: InterpretedMessage, state: State, seat: Seat) -> bool:
    """Return whether an interpretation can still be confirmed, and is not offered already."""
    if state.phase is not Phase.NEGOTIATING:
        return False
    if interpreted.is_sent:
        known = any(_is_already_offered(offer, state, seat) for offer in interpreted.offers)
        if interpreted.last_act_seq != last_act_seq(state, seat) or known:
            return False
    if not _has_all_terms((interpreted.agreed,), agreed_terms(state)):
        return False
    if interpreted.offer_id is None:
        return True
    on_table = _acceptable_offer(state, seat)
    return on_table is not None and on_table.offer_id == interpreted.offer_id


def last_act_seq(state: State, seat: Seat) -> int:
    """Return the ``seq`` of a seat's last offer or acceptance; 0 if there is none."""
    deeds = (EventType.SEND_OFFER, EventType.FORMAL_ACCEPT)
    return next((e.seq for e in state.transcript.iter_backwards() if e.sender == seat and e.type in deeds), 0)


def _intent(reading: Interpretation) -> TypedTextIntent | None:
    """Return the intent of a message that is no yes to the offer on the table."""
    likely = reading.sure >= LIKELY_CONFIDENCE
    match len(reading.offers):
        case 0:
            return TypedTextIntent.QUESTION if reading.doubt is not None and not reading.refuses else None
        case 1 if reading.soft:
            return TypedTextIntent.WISH if likely else None
        case 1 if reading.offer is None:
            return TypedTextIntent.GUESS if likely else None
        case 1:
            return TypedTextIntent.PROPOSAL
        case n if n <= MOST_CHOICES:
            return TypedTextIntent.CHOICE
        case _:
            return TypedTextIntent.QUESTION


def _missing(reading: Interpretation, offers: Sequence[Offer], game: GameSpec) -> tuple[str, ...]:
    """Return the issues of uninterpreted parts for which no offer has a term."""
    known = {issue.name for issue in game.issues}
    unread = [
        part.issue for part in reading.parts if part.kind is AnnotationKind.UNREAD and part.issue in known
    ]
    return tuple(dict.fromkeys(name for name in unread if all(name not in offer for offer in offers)))


def _clarification_issues(doubt: Ambiguity | None, game: GameSpec) -> tuple[str, ...]:
    """Return the issues that a question without a named issue may concern; none if there are too many."""

    def fits(issue: Issue) -> bool:
        units = isinstance(issue, QuantityIssue)
        return doubt in (Ambiguity.WHICH_ISSUE, Ambiguity.IMPOSSIBLE) or units == (
            doubt is not Ambiguity.WHICH_VALUE
        )

    found = tuple(issue.name for issue in game.issues if fits(issue))
    return found if len(found) <= MAX_CLARIFICATIONS else ()


def _interpret_acceptance(reading: Interpretation, state: State, seat: Seat) -> InterpretedMessage | None:
    """Return the interpretation of a yes; None without a yes, without an offer, or if nothing is added."""
    on_table = _acceptable_offer(state, seat)
    if not reading.accepts or on_table is None:
        return None
    if _has_all_terms(reading.offers, on_table.offer):
        meaning = TypedTextIntent.ACCEPTANCE if on_table.is_bindable else TypedTextIntent.AGREEMENT
        return InterpretedMessage(reading, meaning, (on_table.offer,), on_table.offer_id)
    if reading.offer is None or reading.soft:
        return None
    both = on_table.offer.with_terms_of(reading.offer)
    if both == reading.offer:
        return None
    # A yes that changes the terms of a complete deal does not agree to that deal.
    meaning = (
        TypedTextIntent.PROPOSAL if state.game.is_complete(on_table.offer) else TypedTextIntent.AGREEMENT
    )
    return InterpretedMessage(reading, meaning, (both,), on_table.offer_id)


def _is_already_offered(offer: Offer, state: State, seat: Seat) -> bool:
    """Return whether an offer is on the table, or is the last offer of a seat."""
    on_table = bargaining_state(state).on_table
    if on_table is not None and on_table.offer == offer:
        return True
    offers = (event for event in state.transcript.iter_backwards() if event.type == EventType.SEND_OFFER)
    return next((event.get_offer() == offer for event in offers if event.sender == seat), False)


def _has_all_terms(offers: Sequence[Offer], whole: Offer) -> bool:
    """Return whether all terms of some offers are in another offer."""
    return all(whole.get(name) == term for offer in offers for name, term in offer.terms)


def _acceptable_offer(state: State, seat: Seat) -> StandingOffer | None:
    """Return the offer to which a seat may agree: another's, or its own once enough others accepted."""
    play = bargaining_state(state)
    on_table = play.on_table
    if on_table is None or seat in play.accepted_by:
        return None
    if on_table.sender == seat:
        return on_table if would_close(state, seat) else None
    if on_table.is_bindable and acceptance_error(state, seat, on_table.offer_id):
        return None
    return on_table
