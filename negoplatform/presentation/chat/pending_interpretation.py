"""What typed words seem to be meant as, until their speaker says whether they are. No Tk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from negoplatform.core.events import EventType
from negoplatform.core.mechanisms.bargaining import OnTable, bargaining, why_not_accept
from negoplatform.core.state import Phase, State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Offer, Term
from negoplatform.domain.seat import Seat
from negoplatform.language.parsing.interpretation import Doubt, PartKind, Reading
from negoplatform.presentation.agreement_status import agreed_terms

LIKELY = 0.2
"""From here on an offer that is not sure is held out; it is sent by a click alone."""

MOST_CHOICES = 3
"""Of so many meanings one is chosen; words that can be taken in more ways are said, and asked about."""

MOST_ASKED = 4
"""A question that names no issue offers chips for all of its kind, if there are no more than this."""


class Meaning(StrEnum):
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


SAID_AT_ONCE = (Meaning.CHOICE, Meaning.WISH, Meaning.GUESS, Meaning.QUESTION)
"""Words that may be mere talk wait for nothing; the offer that they would be is held out afterwards."""


@dataclass(frozen=True, slots=True)
class Held:
    """What words seem to be meant as.

    Args:
        reading: What was understood of them.
        meaning: What they seem to be meant as.
        offers: The offers that they may mean, or the one that they accept.
        offer_id: The offer on the table that they are about; None if they are about none.
        agreed: What both have agreed on and that goes along with what was said.
        deed: The seq of what their speaker offered or accepted last before them; 0 before the first.
        missing: Issues that they speak of and that have no term, by name.
        read: The offers as they were read, once a term was corrected; None as long as none was.
        spoken: Whether words that waited have been said in the meantime.
    """

    reading: Reading
    meaning: Meaning
    offers: tuple[Offer, ...]
    offer_id: int | None = None
    agreed: Offer = EMPTY_OFFER
    deed: int = 0
    missing: tuple[str, ...] = ()
    read: tuple[Offer, ...] | None = None
    spoken: bool = False

    @property
    def said(self) -> bool:
        """Whether the words themselves wait for nothing."""
        return self.spoken or self.meaning in SAID_AT_ONCE

    @property
    def corrected(self) -> bool:
        """Whether a term is not the one that was read."""
        return self.read is not None

    @property
    def armed(self) -> bool:
        """Whether Enter confirms it: a plain reading while its words wait, corrected or not."""
        return self.reading.plain and not self.said

    @property
    def can_be_corrected(self) -> bool:
        """Whether its terms are shown as chips."""
        return self.meaning not in (Meaning.ACCEPTANCE, Meaning.CHOICE)

    def with_term(self, issue: str, term: Term | None) -> Held:
        """Return it with another term for an issue, or with none."""
        read = self.offers if self.read is None else self.read
        before = self.offers[0] if self.offers else EMPTY_OFFER
        terms = {name: old for name, old in before.terms if name != issue}
        if term is not None:
            terms[issue] = term
        offers = (Offer(terms),) if terms else ()
        missing = (*self.missing, issue) if issue not in self.missing else self.missing
        return replace(self, offers=offers, missing=missing, read=None if offers == read else read)

    def as_read(self) -> Held:
        """Return it without corrections."""
        return self if self.read is None else replace(self, offers=self.read, read=None)


def held_by(reading: Reading, state: State, seat: Seat) -> Held | None:
    """Return what words seem to be meant as; None if they are nothing but talk.

    Args:
        reading: What was understood of them.
        state: The session as their speaker sees it.
        seat: Their speaker.
    """
    if state.phase is not Phase.NEGOTIATING:
        return None
    accepted = _accepted(reading, state, seat)
    if accepted is not None:
        return replace(accepted, missing=_missing(reading, accepted.offers, state.game))
    agreed, on_table = agreed_terms(state), _to_accept(state, seat) if reading.adapts else None
    # "I accept if I also get 1 food" leaves the rest of the other's offer as it is.
    base = agreed if on_table is None else agreed.with_terms_of(on_table.offer)
    offers = tuple(base.with_terms_of(offer) for offer in reading.offers)
    offer_id = None if on_table is None else on_table.offer_id
    meaning = _meaning(reading)
    if meaning is None:
        return None
    missing = _missing(reading, offers, state.game)
    if meaning is Meaning.QUESTION:
        # Of too many meanings none is taken up; their issues are asked about.
        missing = missing or tuple(dict.fromkeys(name for offer in reading.offers for name in offer.issues))
        offers, missing = (), missing or _asked_about(reading.doubt, state.game)
        if not missing:
            return None
    held = Held(reading, meaning, offers, offer_id, agreed, last_deed(state, seat), missing)
    if held.said and any(_known(offer, state, seat) for offer in offers):
        return None
    return held


def still_stands(held: Held, state: State, seat: Seat) -> bool:
    """Return whether it can still be done, and whether what was said is still to be offered."""
    if state.phase is not Phase.NEGOTIATING:
        return False
    if held.said:
        known = any(_known(offer, state, seat) for offer in held.offers)
        if held.deed != last_deed(state, seat) or known:
            return False
    if not _within((held.agreed,), agreed_terms(state)):
        return False
    if held.offer_id is None:
        return True
    on_table = _to_accept(state, seat)
    return on_table is not None and on_table.offer_id == held.offer_id


def last_deed(state: State, seat: Seat) -> int:
    """Return the seq of what a seat offered or accepted last; 0 before the first."""
    deeds = (EventType.SEND_OFFER, EventType.FORMAL_ACCEPT)
    return next((e.seq for e in state.transcript.newest() if e.sender == seat and e.type in deeds), 0)


def _meaning(reading: Reading) -> Meaning | None:
    """What words without a yes to the offer on the table seem to be meant as."""
    likely = reading.sure >= LIKELY
    match len(reading.offers):
        case 0:
            return Meaning.QUESTION if reading.doubt is not None and not reading.refuses else None
        case 1 if reading.soft:
            return Meaning.WISH if likely else None
        case 1 if reading.offer is None:
            return Meaning.GUESS if likely else None
        case 1:
            return Meaning.PROPOSAL
        case n if n <= MOST_CHOICES:
            return Meaning.CHOICE
        case _:
            return Meaning.QUESTION


def _missing(reading: Reading, offers: Sequence[Offer], game: GameSpec) -> tuple[str, ...]:
    """The issues of parts that were not read, where no offer has a term for them."""
    known = {issue.name for issue in game.issues}
    unread = [part.issue for part in reading.parts if part.kind is PartKind.UNREAD and part.issue in known]
    return tuple(dict.fromkeys(name for name in unread if all(name not in offer for offer in offers)))


def _asked_about(doubt: Doubt | None, game: GameSpec) -> tuple[str, ...]:
    """The issues that a question may be about whose words name none; none if they are too many."""

    def fits(issue: Issue) -> bool:
        units = isinstance(issue, QuantityIssue)
        return doubt in (Doubt.WHICH_ISSUE, Doubt.IMPOSSIBLE) or units == (doubt is not Doubt.WHICH_VALUE)

    found = tuple(issue.name for issue in game.issues if fits(issue))
    return found if len(found) <= MOST_ASKED else ()


def _accepted(reading: Reading, state: State, seat: Seat) -> Held | None:
    """What a yes would accept, or add to; None without a yes, without an offer, if nothing of it is left."""
    on_table = _to_accept(state, seat)
    if not reading.accepts or on_table is None:
        return None
    if _within(reading.offers, on_table.offer):
        meaning = Meaning.ACCEPTANCE if on_table.may_be_bound else Meaning.AGREEMENT
        return Held(reading, meaning, (on_table.offer,), on_table.offer_id)
    if reading.offer is None or reading.soft:
        return None
    both = on_table.offer.with_terms_of(reading.offer)
    if both == reading.offer:
        return None
    # Whoever agrees to a whole deal with other terms in it does not agree to that deal.
    meaning = Meaning.PROPOSAL if state.game.is_complete(on_table.offer) else Meaning.AGREEMENT
    return Held(reading, meaning, (both,), on_table.offer_id)


def _known(offer: Offer, state: State, seat: Seat) -> bool:
    """Whether an offer is the one on the table, or the last one of a seat."""
    on_table = bargaining(state).on_table
    if on_table is not None and on_table.offer == offer:
        return True
    offers = (event for event in state.transcript.newest() if event.type == EventType.SEND_OFFER)
    return next((event.get_offer() == offer for event in offers if event.sender == seat), False)


def _within(offers: Sequence[Offer], whole: Offer) -> bool:
    """Whether all terms of some offers are those of a whole one."""
    return all(whole.get(name) == term for offer in offers for name, term in offer.terms)


def _to_accept(state: State, seat: Seat) -> OnTable | None:
    """The offer on the table that a seat may agree to: another's, or its own that all others accepted."""
    play = bargaining(state)
    on_table = play.on_table
    if on_table is None or seat in play.accepted_by:
        return None
    if on_table.sender == seat:
        return on_table if set(play.accepted_by) == set(state.game.others(seat)) else None
    if on_table.may_be_bound and why_not_accept(state, seat, on_table.offer_id):
        return None
    return on_table
