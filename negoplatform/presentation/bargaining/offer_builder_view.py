"""View of the offer builder and the Accept button; computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import (
    StandingOffer,
    acceptance_error,
    bargaining_state,
    is_bindable,
    may_offer,
    offers_made,
    points_over_time,
    remaining_offers,
    turn_of,
    would_close,
)
from negoplatform.core.state import Phase, State
from negoplatform.domain.agreement_rules import Turns
from negoplatform.domain.game import Acceptance, Preferences
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.no_deal import no_deal_value
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import InteractionUtility, Points
from negoplatform.presentation.bargaining.acceptance_count import acceptance_count_text
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.offer_builder_rows import BuilderRow, builder_rows
from negoplatform.presentation.bargaining.offer_comparison import CompareView, compare_draft
from negoplatform.presentation.bargaining.offer_request_view import OfferRequestsView, offer_requests_view
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import MOST_NAMED, join_names, localized_text, names_or_number
from negoplatform.presentation.noun_forms import title_in_sentence
from negoplatform.presentation.offers.issue_valuation_texts import (
    interaction_effect_text,
    utility_share,
)
from negoplatform.presentation.offers.offer_valuation import (
    NoDealComparison,
    OfferValuation,
    comparison_text,
    offer_valuation,
    valuation_text,
)
from negoplatform.presentation.offers.term_texts import offer_rows
from negoplatform.presentation.time_and_points_text import format_number, points_text
from negoplatform.presentation.transcript.transcript_entries import SEPARATOR


@dataclass(frozen=True, slots=True)
class WorthBar:
    """Bar of points, from nothing to the participant's best outcome.

    Args:
        low: Points of the draft's worst completion, as a share of the bar, 0 to 1.
        high: Points of the draft's best completion, as a share.
        no_deal: Value of no deal, as a share.
        no_deal_words: Value of no deal in words.
        best_words: Best outcome in words.
    """

    low: float
    high: float
    no_deal: float
    no_deal_words: str
    best_words: str


@dataclass(frozen=True, slots=True)
class BuilderView:
    """View of the offer builder.

    Args:
        rows: Rows of the issues.
        help: Instruction in one line.
        worth: Points of the draft for the participant; a range if something is undecided.
        versus: Comparison of the draft with no deal.
        bar: Bar of points.
        note: Undecided issues, and the comparison with no deal.
        note_lines: Number of lines that the note may need.
        their_offer: Another seat's offer if it is the one on the table.
        copy_label: Label of the button that copies that offer.
        comparison: Comparison of the draft with the offer on the table; None if there is none.
        can_send: Whether the draft can be sent.
        can_clear: Whether there is anything to clear.
        can_edit: Whether the draft can be edited.
        can_undo: Whether a step can be undone.
        requests: Requests for an offer; None if the game's rules leave them out.
    """

    rows: tuple[BuilderRow, ...]
    help: str
    worth: str
    versus: NoDealComparison
    bar: WorthBar
    note: str
    note_lines: int
    their_offer: Offer | None
    copy_label: str
    comparison: CompareView | None
    can_send: bool
    can_clear: bool
    can_edit: bool
    can_undo: bool
    requests: OfferRequestsView | None = None


@dataclass(frozen=True, slots=True)
class AcceptView:
    """View of the Accept button, and the terms that it binds to.

    Args:
        offer_id: Offer that a click accepts; 0 for one that is not sent yet; None if there is none.
        text: Label of the button.
        hint: Text below the button.
        rows: Terms, for the confirmation.
        points: Points that the participant would get now.
        no_deal: Points that no deal would give now.
        completes_deal: Whether this acceptance is the last one that the deal needs.
        is_own: Whether the offer is the participant's.
        short_text: Label where there is little room; empty if ``text`` is short.
    """

    offer_id: int | None
    text: str
    hint: str
    rows: tuple[tuple[str, str], ...] = ()
    points: float = 0
    no_deal: float = 0
    completes_deal: bool = False
    is_own: bool = False
    short_text: str = ""

    @property
    def worse_than_no_deal(self) -> bool:
        """Whether no deal would pay more."""
        return self.offer_id is not None and self.points < self.no_deal


def builder_view(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    now: float,
    draft: Draft,
    translate: Language,
    *,
    can_undo: bool = False,
) -> BuilderView:
    """Return the view of the builder for a seat.

    Args:
        state: State of the session, as visible to the seat.
        seat: Seat of the participant.
        names: Display names of the other seats.
        now: Session time in seconds.
        draft: Current draft.
        translate: Translation into the window's language.
        can_undo: Whether the draft has a past.
    """
    mine, on_table = state.game.preferences[seat], bargaining_state(state).on_table
    running = state.phase is Phase.NEGOTIATING
    worth = offer_valuation(state.game, mine, draft.offer, now, offers_made(state))
    return BuilderView(
        rows=builder_rows(state, seat, names, draft, translate),
        help=_help(state.game.issues, translate),
        worth=valuation_text(worth, translate) if draft.offer.terms else "–",
        versus=worth.versus if draft.offer.terms else NoDealComparison.OPEN,
        bar=_bar(worth if draft.offer.terms else None, state, mine, now, translate),
        note=_notes(state, seat, names, draft, worth, translate),
        note_lines=_note_lines(state, mine),
        their_offer=None if on_table is None or on_table.sender == seat else on_table.offer,
        copy_label=_copy_label(on_table, names, translate),
        comparison=compare_draft(state, seat, names, now, draft.offer, translate),
        can_send=running and draft.ready and may_offer(state, seat),
        can_clear=running and bool(draft.offer.terms or draft.invalid_entries),
        can_edit=running,
        can_undo=running and can_undo,
        requests=offer_requests_view(state, seat, draft, translate),
    )


def accept_view(
    state: State, seat: Seat, names: Mapping[Seat, str], now: float, translate: Language
) -> AcceptView:
    """Return the view of the Accept button at session time ``now`` in seconds.

    The participant's own offer can be finalised only once enough others have accepted it.
    """
    play, mine = bargaining_state(state), state.game.preferences[seat]
    on_table, others = play.on_table, state.game.others(seat)
    if state.phase is not Phase.NEGOTIATING or on_table is None:
        hint = translate("There’s no offer to accept yet.") if on_table is None else ""
        return AcceptView(None, translate("Accept offer"), hint)
    pending = [names[other] for other in others if other not in play.accepted_by]
    count = acceptance_count_text(state, names, translate) if len(names) > 1 else ""
    if seat in play.accepted_by:
        hint = _agreement_hint(state, play.accepted_by, count, names, translate)
        return AcceptView(None, translate("You accepted this offer"), hint)
    own, closes = on_table.sender == seat, would_close(state, seat)
    if own and not closes:
        waiting = translate("Waiting for {names}", names=names_or_number(pending, translate))
        return AcceptView(None, waiting, count)
    points = points_over_time(state, mine, mine.utility(on_table.offer), now)
    if own:
        text = translate("Finalise the deal ({points})", points=points_text(points, translate))
    else:
        maker = names[on_table.sender]
        text = translate(
            "Accept {name}’s offer ({points})", name=maker, points=points_text(points, translate)
        )
    if not on_table.is_bindable:
        text = translate("Accept {name}’s offer", name=names[on_table.sender])
        return AcceptView(None, text, translate("This offer isn’t complete, so you can’t accept it yet."))
    reason = acceptance_error(state, seat, on_table.offer_id)
    if reason:
        return AcceptView(None, text, translate(reason))
    accepted = [names[other] for other in others if other in play.accepted_by]
    hint = _agreement_hint(state, (*play.accepted_by, seat), count, names, translate)
    return AcceptView(
        offer_id=on_table.offer_id,
        text=text,
        hint=_closing_hint(accepted, count, translate, own=own) if closes else hint,
        rows=offer_rows(on_table.offer, state.game, seat, names, translate),
        points=points,
        no_deal=no_deal_value(state.game, mine, now, offers_made(state)).best,
        completes_deal=closes,
        is_own=own,
        short_text=translate("Finalise the deal") if own else translate("Accept"),
    )


def binding_view(
    state: State, seat: Seat, names: Mapping[Seat, str], now: float, offer: Offer, translate: Language
) -> AcceptView | None:
    """Return what sending an offer would bind its sender to; None if sending is not binding."""
    by_its_maker = state.game.rules.acceptance is Acceptance.MAKER_ACCEPTS
    if not by_its_maker or not is_bindable(state.game, offer):
        return None
    mine, others = state.game.preferences[seat], [names[other] for other in state.game.others(seat)]
    return AcceptView(
        offer_id=0,
        text=translate("Send offer"),
        hint=_binding_hint(others, state.game.acceptances_needed - 1, translate),
        rows=offer_rows(offer, state.game, seat, names, translate),
        points=points_over_time(state, mine, mine.utility(offer), now),
        no_deal=no_deal_value(state.game, mine, now, offers_made(state)).best,
    )


def _copy_label(on_table: StandingOffer | None, names: Mapping[Seat, str], translate: Language) -> str:
    if len(names) < 2:
        return translate("Start from their offer")
    maker = None if on_table is None else names.get(on_table.sender)
    if maker is None:
        return translate("Start from another’s offer")
    return translate("Start from {name}’s offer", name=maker)


def _help(issues: Sequence[Issue], translate: Language) -> str:
    if any(isinstance(issue, QuantityIssue) for issue in issues):
        return translate("Click for one item, double-click for all, or use ← → and 0–9")
    return translate("Choose what you propose for each issue")


def _bar(
    worth: OfferValuation | None, state: State, mine: Preferences, now: float, translate: Language
) -> WorthBar:
    """Return the bar for a draft; an empty one for None.

    Time costs shift all its numbers equally, and a discount shrinks them, so it shows them without both.
    """
    offers, cost = offers_made(state), mine.cost_at(now)
    no_deal = no_deal_value(state.game, mine, now, offers).best
    progress = state.game.rules.progress(now, offers)

    def share(points: Points) -> float:
        return utility_share((points + cost) / mine.discount_factor**progress, mine)

    best = mine.points_at(mine.utility.highest, now, progress)
    return WorthBar(
        low=0.0 if worth is None else share(worth.low),
        high=0.0 if worth is None else share(worth.high),
        no_deal=share(no_deal),
        no_deal_words=translate("no deal {points}", points=format_number(no_deal, translate)),
        best_words=translate("best possible {points}", points=format_number(best, translate)),
    )


def _turn_text(state: State, names: Mapping[Seat, str], translate: Language) -> str:
    """Return whose turn it is; empty in a game without turns, and after the end."""
    now = turn_of(state) if state.phase is Phase.NEGOTIATING else None
    if now is None:
        return ""
    return translate("It’s {name}’s turn", name=names[now]) if now in names else translate("It’s your turn")


def _last_offer_text(state: State, seat: Seat, translate: Language) -> str:
    """Return that the next offer is the last one, or that it has been made; empty before, and at the end."""
    left = remaining_offers(state) if state.phase is Phase.NEGOTIATING else None
    on_table = bargaining_state(state).on_table
    if left == 1:
        return translate("The next offer is the last one")
    if left != 0 or on_table is None:
        return ""
    if on_table.sender == seat:
        return translate("This was the last offer")
    return translate("This is the last offer: accept it, or leave it")


def _notes(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    draft: Draft,
    worth: OfferValuation,
    translate: Language,
) -> str:
    """Return whose turn it is, whether the offers run out, and what is to say about the draft."""
    turn, last = _turn_text(state, names, translate), _last_offer_text(state, seat, translate)
    running = state.phase is Phase.NEGOTIATING
    if running and remaining_offers(state) == 0:
        return last  # the draft cannot be sent any more
    return SEPARATOR.join(
        filter(None, (turn, last, _note(draft, worth, state.game.preferences[seat], translate)))
    )


def _note_lines(state: State, mine: Preferences) -> int:
    rules = state.game.rules
    says_more = rules.turns is not Turns.FREE or rules.deadline_offers is not None
    return 1 + says_more + isinstance(mine.utility, InteractionUtility)


def _note(draft: Draft, worth: OfferValuation, mine: Preferences, translate: Language) -> str:
    if draft.invalid_entries:
        titles = [
            title_in_sentence(localized_text(draft.game.issue(name).title, translate), translate)
            for name, _ in draft.invalid_entries
        ]
        return translate(
            "Please check {issues} before you send your offer.", issues=join_names(titles, translate)
        )
    if not draft.offer.terms:
        return translate("Nothing chosen yet.")
    parts = [comparison_text(worth, translate) or translate("depending on the rest")]
    if draft.undecided:
        parts.append(translate.plural("{n} issue undecided", "{n} issues undecided", draft.open_issues))
    text = SEPARATOR.join(filter(None, (*parts, interaction_effect_text(draft.offer, mine, translate))))
    return text[:1].upper() + text[1:]


def _closing_hint(accepted: list[str], count: str, translate: Language, *, own: bool) -> str:
    """Return the text below the button; ``count``: who of several has accepted, empty with one other."""
    if count and not own:
        return f"{count} {translate('Once you accept it, it’s a deal.')}"
    if own:
        accepters = join_names(accepted, translate)
        return translate("{names} accepted it. Once you finalise it, it’s a deal.", names=accepters)
    return translate("Once you accept it, it’s a deal.")


def _agreement_hint(
    state: State, accepted_by: Sequence[Seat], count: str, names: Mapping[Seat, str], translate: Language
) -> str:
    """Return who has to accept the offer on the table besides some seats.

    Several others who have accepted it are named before (``count``); of many, no more are named.
    """
    on_table = bargaining_state(state).on_table
    maker = on_table.sender if on_table else ""
    missing = state.game.acceptances_needed - len(accepted_by)
    pending = [names[seat] for seat in state.game.seats if seat in names and seat not in accepted_by]
    if missing <= 1 and maker in names and maker not in accepted_by:
        pending, missing = [names[maker]], 1
    if count and len(pending) > MOST_NAMED:
        return count
    shown = join_names(pending, translate)
    if missing == len(pending) == 1:
        hint = translate("It’s a deal once {names} confirms it too.", names=shown)
    elif missing == len(pending):
        hint = translate("It’s a deal once {names} confirm it too.", names=shown)
    else:
        hint = translate.plural(
            "It’s a deal once one of {names} accepts it too.",
            "It’s a deal once {n} of {names} accept it too.",
            missing,
            names=shown,
        )
    return " ".join(filter(None, (count, hint)))


def _binding_hint(others: list[str], needed: int, translate: Language) -> str:
    """Return how many others have to accept an offer that binds its maker when it is sent."""
    if needed == len(others) > 1:
        return translate("In this game it’s a deal as soon as everyone else has accepted it.")
    names = join_names(others, translate)
    if needed == len(others):
        return translate("In this game it’s a deal as soon as {names} accepts it.", names=names)
    return translate.plural(
        "In this game it’s a deal as soon as one of {names} accepts it.",
        "In this game it’s a deal as soon as {n} of {names} accept it.",
        needed,
        names=names,
    )
