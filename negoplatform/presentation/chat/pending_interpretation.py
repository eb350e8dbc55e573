"""What typed words seem to be meant as, until their speaker says whether they are. No Tk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from negoplatform.core.events import EventType
from negoplatform.core.mechanisms.bargaining import StandingOffer, acceptance_error, bargaining_state
from negoplatform.core.state import Phase, State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Offer, Term
from negoplatform.domain.seat import Seat
from negoplatform.language import Ambiguity, AnnotationKind, Interpretation
from negoplatform.presentation.agreement_status import agreed_terms

LIKELY_CONFIDENCE = 0.2
"""From here on an offer that is not sure is held out; it is sent by a click alone."""

MOST_CHOICES = 3
"""Of so many meanings one is chosen; words that can be taken in more ways are said, and asked about."""

MAX_CLARIFICATIONS = 4
"""A question that names no issue offers chips for all of its kind, if there are no more than this."""


class TypedTextIntent(StrEnum):
    """What words seem to be meant as."""

    PROPOSAL = "proposal"
    """An offer."""
    ACCEPTANCE = "acceptance"
    """The formal acceptance of the offer on the table."""
    AGREEMENT = "agreement"
    """A yes to a partial offer, which nobody can formally accept: an offer of the same terms, or of more."""
    CHOICE = "choice"
    """One of several offers."""
    WISH = "wish"
    """A wish, which is talk."""
    GUESS = "guess"
    """Perhaps an offer."""
    QUESTION = "question"
    """About a deal, without terms that make an offer; what is missing is asked for."""


SENT_IMMEDIATELY = (
    TypedTextIntent.CHOICE,
    TypedTextIntent.WISH,
    TypedTextIntent.GUESS,
    TypedTextIntent.QUESTION,
)
"""Words that may be mere talk wait for nothing; the offer that they would be is held out afterwards."""


@dataclass(frozen=True, slots=True)
class InterpretedMessage:
    """What words seem to be meant as.

    Args:
        interpretation: What was understood of them.
        intent: What they seem to be meant as.
        offers: The offers that they may mean, or the one that they accept.
        offer_id: The offer on the table that they are about; None if they are about none.
        agreed: What both have agreed on and that goes along with what was said.
        last_act_seq: The seq of what their speaker offered or accepted last before them; 0 before the first.
        missing: Issues that they speak of and that have no term, by name.
        original_offers: The offers as they were read, once a term was corrected; None as long as none was.
        sent_later: Whether words that waited have been said in the meantime.
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

    @property
    def is_sent(self) -> bool:
        """Whether the words themselves wait for nothing."""
        return self.sent_later or self.intent in SENT_IMMEDIATELY

    @property
    def is_corrected(self) -> bool:
        """Whether a term is not the one that was read."""
        return self.original_offers is not None

    @property
    def confirms_on_enter(self) -> bool:
        """Whether Enter confirms it: a plain reading while its words wait, corrected or not."""
        return self.interpretation.plain and not self.is_sent

    @property
    def is_correctable(self) -> bool:
        """Whether its terms are shown as chips."""
        return self.intent not in (TypedTextIntent.ACCEPTANCE, TypedTextIntent.CHOICE)

    def with_term(self, issue: str, term: Term | None) -> InterpretedMessage:
        """Return it with another term for an issue, or with none."""
        read = self.offers if self.original_offers is None else self.original_offers
        before = self.offers[0] if self.offers else EMPTY_OFFER
        terms = {name: old for name, old in before.terms if name != issue}
        if term is not None:
            terms[issue] = term
        offers = (Offer(terms),) if terms else ()
        missing = (*self.missing, issue) if issue not in self.missing else self.missing
        return replace(self, offers=offers, missing=missing, original_offers=None if offers == read else read)

    def uncorrected(self) -> InterpretedMessage:
        """Return it without corrections."""
        return (
            self
            if self.original_offers is None
            else replace(self, offers=self.original_offers, original_offers=None)
        )


def interpret_message(reading: Interpretation, state: State, seat: Seat) -> InterpretedMessage | None:
    """Return what words seem to be meant as; None if they are nothing but talk.

    Args:
        reading: What was understood of them.
        state: The session as their speaker sees it.
        seat: Their speaker.
    """
    if state.phase is not Phase.NEGOTIATING:
        return None
    accepted = _interpret_acceptance(reading, state, seat)
    if accepted is not None:
        return replace(accepted, missing=_missing(reading, accepted.offers, state.game))
    agreed, on_table = agreed_terms(state), _acceptable_offer(state, seat) if reading.adapts else None
    # "I accept if I also get 1 food" leaves the rest of the other's offer as it is.
    base = agreed if on_table is None else agreed.with_terms_of(on_table.offer)
    offers = tuple(base.with_terms_of(offer) for offer in reading.offers)
    offer_id = None if on_table is None else on_table.offer_id
    meaning = _intent(reading)
    if meaning is None:
        return None
    missing = _missing(reading, offers, state.game)
    if meaning is TypedTextIntent.QUESTION:
        # Of too many meanings none is taken up; their issues are asked about.
        missing = missing or tuple(dict.fromkeys(name for offer in reading.offers for name in offer.issues))
        offers, missing = (), missing or _clarification_issues(reading.doubt, state.game)
        if not missing:
            return None
    held = InterpretedMessage(reading, meaning, offers, offer_id, agreed, last_act_seq(state, seat), missing)
    if held.is_sent and any(_is_already_offered(offer, state, seat) for offer in offers):
        return None
    return held


def is_still_valid(interpreted: InterpretedMessage, state: State, seat: Seat) -> bool:
    """Return whether it can still be done, and whether what was said is still to be offered."""
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
    """Return the seq of what a seat offered or accepted last; 0 before the first."""
    deeds = (EventType.SEND_OFFER, EventType.FORMAL_ACCEPT)
    return next((e.seq for e in state.transcript.iter_backwards() if e.sender == seat and e.type in deeds), 0)


def _intent(reading: Interpretation) -> TypedTextIntent | None:
    """What words without a yes to the offer on the table seem to be meant as."""
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
    """The issues of parts that were not read, where no offer has a term for them."""
    known = {issue.name for issue in game.issues}
    unread = [
        part.issue for part in reading.parts if part.kind is AnnotationKind.UNREAD and part.issue in known
    ]
    return tuple(dict.fromkeys(name for name in unread if all(name not in offer for offer in offers)))


def _clarification_issues(doubt: Ambiguity | None, game: GameSpec) -> tuple[str, ...]:
    """The issues that a question may be about whose words name none; none if they are too many."""

    def fits(issue: Issue) -> bool:
        units = isinstance(issue, QuantityIssue)
        return doubt in (Ambiguity.WHICH_ISSUE, Ambiguity.IMPOSSIBLE) or units == (
            doubt is not Ambiguity.WHICH_VALUE
        )

    found = tuple(issue.name for issue in game.issues if fits(issue))
    return found if len(found) <= MAX_CLARIFICATIONS else ()


def _interpret_acceptance(reading: Interpretation, state: State, seat: Seat) -> InterpretedMessage | None:
    """What a yes would accept, or add to; None without a yes, without an offer, if nothing of it is left."""
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
    # Whoever agrees to a whole deal with other terms in it does not agree to that deal.
    meaning = (
        TypedTextIntent.PROPOSAL if state.game.is_complete(on_table.offer) else TypedTextIntent.AGREEMENT
    )
    return InterpretedMessage(reading, meaning, (both,), on_table.offer_id)


def _is_already_offered(offer: Offer, state: State, seat: Seat) -> bool:
    """Whether an offer is the one on the table, or the last one of a seat."""
    on_table = bargaining_state(state).on_table
    if on_table is not None and on_table.offer == offer:
        return True
    offers = (event for event in state.transcript.iter_backwards() if event.type == EventType.SEND_OFFER)
    return next((event.get_offer() == offer for event in offers if event.sender == seat), False)


def _has_all_terms(offers: Sequence[Offer], whole: Offer) -> bool:
    """Whether all terms of some offers are those of a whole one."""
    return all(whole.get(name) == term for offer in offers for name, term in offer.terms)


def _acceptable_offer(state: State, seat: Seat) -> StandingOffer | None:
    """The offer on the table that a seat may agree to: another's, or its own that all others accepted."""
    play = bargaining_state(state)
    on_table = play.on_table
    if on_table is None or seat in play.accepted_by:
        return None
    if on_table.sender == seat:
        return on_table if set(play.accepted_by) == set(state.game.others(seat)) else None
    if on_table.is_bindable and acceptance_error(state, seat, on_table.offer_id):
        return None
    return on_table
