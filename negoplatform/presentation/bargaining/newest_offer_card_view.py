"""View of the newest offer's card: status and controls; computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import (
    StandingOffer,
    bargaining_state,
    left_out_seats,
    may_offer,
    offers_made,
    remaining_offers,
)
from negoplatform.core.state import Phase, State
from negoplatform.domain.issue import Issue, NumberIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.bargaining.acceptance_count import short_acceptance_count_text
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.offer_builder_view import AcceptView
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.issue_agreement import declined_by
from negoplatform.presentation.issue_number_text import number_text
from negoplatform.presentation.localized_names import displayable, join_names, localized_text
from negoplatform.presentation.offers.offer_valuation import (
    NoDealComparison,
    comparison_text,
    offer_valuation,
    valuation_text,
)
from negoplatform.presentation.time_and_points_text import points_text


@dataclass(frozen=True, slots=True)
class CounterOfferView:
    """View of the card while a counter-offer, which is the draft, is edited on it.

    Args:
        heading: Heading of the card meanwhile.
        theirs: Worth of their offer, in a few words.
        changes: Their terms for each issue of the game, in words; empty where the draft is the same.
        worth: Points of the draft for the participant.
        versus: Comparison with no deal.
        compared: Comparison with no deal and with their offer, in words.
        notice: Notice that their offer was replaced meanwhile; empty if it was not.
        can_send: Whether the counter-offer can be sent.
        maker: Seat that made the offer; what the participant gives up goes to it.
    """

    heading: str
    theirs: str
    changes: tuple[str, ...]
    worth: str
    versus: NoDealComparison
    compared: str
    notice: str
    can_send: bool
    maker: Seat


@dataclass(frozen=True, slots=True)
class NewestOfferCardView:
    """View of the newest offer's card.

    Args:
        seq: ``seq`` of the offer's event.
        status: Status in a few words.
        hint: Consequence of accepting, or the reason why it is impossible; may be empty.
        accept: Label of the binding button; empty if there is none.
        can_accept: Whether that button can be pressed.
        worse_than_no_deal: Whether no deal would give more.
        can_answer: Whether the offer can be countered.
        can_decline: Whether a message can decline it; never in a game without talk.
        declined: Whether the participant has declined it.
        enabled: Whether any control can be pressed now.
        counter: Counter-offer that is edited on the card; None if there is none.
    """

    seq: int
    status: str
    hint: str = ""
    accept: str = ""
    can_accept: bool = False
    worse_than_no_deal: bool = False
    can_answer: bool = False
    can_decline: bool = False
    declined: bool = False
    enabled: bool = True
    counter: CounterOfferView | None = None

    @property
    def has_controls(self) -> bool:
        """Whether there is anything below the offer itself."""
        return bool(self.accept or self.hint or self.can_answer or self.counter)


def offer_card_view(
    state: State, seat: Seat, names: Mapping[Seat, str], accept: AcceptView, translate: Language
) -> NewestOfferCardView | None:
    """Return the newest offer's card for a seat; None before the first offer.

    Args:
        state: State of the session, as visible to the seat.
        seat: Seat of the participant.
        names: Display names of the other seats.
        accept: View of the Accept button.
        translate: Translation into the window's language.
    """
    on_table = bargaining_state(state).on_table
    if on_table is None:
        return None
    if state.phase is not Phase.NEGOTIATING:
        ending = state.ending
        if ending is None or ending.deal_id != on_table.offer_id:
            return NewestOfferCardView(on_table.offer_id, translate("no deal"))
        without_you = seat in left_out_seats(state.game, ending)
        status = translate("deal without you") if without_you else translate("your deal")
        return NewestOfferCardView(on_table.offer_id, status)
    if on_table.sender == seat:
        return _own_card(state, on_table, names, accept, translate)
    return _their_card(state, on_table, seat, names, accept, translate)


def counter_offer_view(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    now: float,
    draft: Draft,
    base_offer_id: int,
    translate: Language,
) -> CounterOfferView | None:
    """Return the view of a counter-offer; None if there is none to counter, or if no offers are left.

    Args:
        state: State of the session, as visible to the participant.
        seat: Seat of the participant.
        names: Display names of the other seats.
        now: Session time in seconds.
        draft: Current draft.
        base_offer_id: ``seq`` of the offer on which the counter-offer is based.
        translate: Translation into the window's language.
    """
    on_table = bargaining_state(state).on_table
    running = state.phase is Phase.NEGOTIATING and remaining_offers(state) != 0
    if not running or on_table is None or on_table.sender == seat:
        return None
    name, mine, game = names[on_table.sender], state.game.preferences[seat], state.game
    made = offers_made(state)
    ours, theirs = (offer_valuation(game, mine, offer, now, made) for offer in (draft.offer, on_table.offer))
    parts = [comparison_text(ours, translate)] if draft.offer.terms else []
    if draft.offer.terms and not (ours.is_range or theirs.is_range):
        parts.append(_compared_text(round(ours.low - theirs.low, 9), name, translate))
    notice = translate(
        "{name} has made a new offer. Your terms are kept, and compared with the new one.", name=name
    )
    return CounterOfferView(
        heading=translate("Your counter-offer"),
        theirs=translate("{name}’s offer: {points}", name=name, points=valuation_text(theirs, translate)),
        changes=tuple(
            _change(issue, draft.offer, on_table.offer, seat, name, translate) for issue in game.issues
        ),
        worth=valuation_text(ours, translate) if draft.offer.terms else "–",
        versus=ours.versus if draft.offer.terms else NoDealComparison.OPEN,
        compared=", ".join(filter(None, parts)),
        notice=notice if on_table.offer_id != base_offer_id else "",
        can_send=draft.ready and draft.offer != on_table.offer and may_offer(state, seat),
        maker=on_table.sender,
    )


def _own_card(
    state: State, on_table: StandingOffer, names: Mapping[Seat, str], accept: AcceptView, translate: Language
) -> NewestOfferCardView:
    offer_id, accepted_by = on_table.offer_id, bargaining_state(state).accepted_by
    if accept.completes_deal:
        accepted = [names[seat] for seat in accepted_by if seat in names]
        return NewestOfferCardView(
            offer_id,
            translate("accepted by {names}", names=join_names(accepted, translate)),
            accept.hint,
            translate("Finalise the deal"),
            can_accept=accept.offer_id is not None,
            worse_than_no_deal=accept.worse_than_no_deal,
        )
    declined = [names[seat] for seat in declined_by(state, offer_id) if seat in names]
    if len(names) > 1:
        return NewestOfferCardView(
            offer_id, short_acceptance_count_text(state, translate), _declined_text(declined, translate)
        )
    if declined:
        return NewestOfferCardView(
            offer_id, translate("declined by {names}", names=join_names(declined, translate))
        )
    pending = [names[seat] for seat in state.game.seats if seat in names and seat not in accepted_by]
    return NewestOfferCardView(
        offer_id, translate("waiting for {names}", names=join_names(pending, translate))
    )


def _their_card(
    state: State,
    on_table: StandingOffer,
    seat: Seat,
    names: Mapping[Seat, str],
    accept: AcceptView,
    translate: Language,
) -> NewestOfferCardView:
    offer_id, status = on_table.offer_id, translate("on the table")
    if len(names) > 1:
        status = short_acceptance_count_text(state, translate)
    if seat in bargaining_state(state).accepted_by:
        return NewestOfferCardView(offer_id, translate("accepted by you"), accept.hint)
    declined = seat in declined_by(state, offer_id)
    hint = translate("You declined it. It’s still on the table.") if declined else accept.hint
    others = [names[other] for other in declined_by(state, offer_id) if other in names]
    is_last = remaining_offers(state) == 0
    last = translate("This is the last offer of the game, so you can’t counter it.") if is_last else ""
    hint = " ".join(filter(None, (hint, _declined_text(others, translate), last)))
    return NewestOfferCardView(
        offer_id,
        status,
        hint,
        translate("Accept"),
        can_accept=accept.offer_id is not None,
        worse_than_no_deal=accept.worse_than_no_deal,
        can_answer=not is_last,
        can_decline=state.game.rules.talk,
        declined=declined,
    )


def _declined_text(names: list[str], translate: Language) -> str:
    return translate("Declined by {names}.", names=join_names(names, translate)) if names else ""


def _compared_text(difference: float, name: str, translate: Language) -> str:
    """Return the difference in points between the draft and their offer, in words."""
    points = points_text(abs(difference), translate)
    if not difference:
        return translate("as much as {name}’s offer", name=name)
    if difference > 0:
        return translate("{points} more than {name}’s offer", points=points, name=name)
    return translate("{points} less than {name}’s offer", points=points, name=name)


def _change(issue: Issue, draft: Offer, theirs: Offer, seat: Seat, name: str, translate: Language) -> str:
    """Return their offer's terms for an issue, in words; empty if the draft is the same."""
    ours, other = draft.get(issue.name), theirs.get(issue.name)
    if ours == other:
        return ""
    if other is None:
        return translate("left open by {name}", name=name)
    return translate("{name} offered {terms}", name=name, terms=_own_share(issue, other, seat, translate))


def _own_share(issue: Issue, term: Term, seat: Seat, translate: Language) -> str:
    if isinstance(term, Allocation):
        return str(term.of(seat))
    if isinstance(term, str):
        return localized_text(term, translate)
    return displayable(number_text(term, translate, issue.unit if isinstance(issue, NumberIssue) else ""))
