"""The offer builder and the button that accepts, at one moment: what they show, computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import bargaining, may_be_bound, why_not_accept
from negoplatform.core.state import Phase, State
from negoplatform.domain.game import Acceptance, GameSpec, Preferences
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.no_deal import without_deal
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import InteractionUtility
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.offer_builder_rows import Row, builder_rows
from negoplatform.presentation.bargaining.offer_comparison import CompareView, draft_compared
from negoplatform.presentation.formatting import figure, listed, offer_rows, points_text, shown
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.noun_forms import in_sentence
from negoplatform.presentation.offers.batna_comparison import Versus
from negoplatform.presentation.offers.offer_valuation import (
    OfferWorth,
    offer_worth,
    versus_text,
    worth_text,
)
from negoplatform.presentation.offers.preference_texts import (
    added_together,
    share_of_best,
)
from negoplatform.presentation.transcript.transcript_entries import BETWEEN


@dataclass(frozen=True, slots=True)
class WorthBar:
    """The bar of points: from nothing to the most that the participant can get.

    Args:
        low: The least that the draft can come to, as a share of the bar, 0 to 1.
        high: The most that it can come to, likewise.
        no_deal: What no deal gives, likewise.
        no_deal_words: The same in words.
        best_words: The end of the bar in words.
    """

    low: float
    high: float
    no_deal: float
    no_deal_words: str
    best_words: str


@dataclass(frozen=True, slots=True)
class BuilderView:
    """The offer builder.

    Args:
        rows: Its issues.
        help: How it is used, in a line.
        worth: The draft's points for the participant, a range where something is undecided.
        versus: How the draft compares with no deal.
        bar: The same as shares of the most that they can get.
        note: What is still undecided, and how the draft compares with no deal.
        together: Whether points may depend on what goes together, which makes the note longer.
        theirs: The other side's offer if it is the one on the table.
        compare: The draft beside the offer on the table; None if there is none.
    """

    rows: tuple[Row, ...]
    help: str
    worth: str
    versus: Versus
    bar: WorthBar
    note: str
    together: bool
    theirs: Offer | None
    compare: CompareView | None
    can_send: bool
    can_clear: bool
    can_edit: bool
    can_undo: bool
    can_redo: bool


@dataclass(frozen=True, slots=True)
class AcceptView:
    """The button that binds, and what it binds.

    Args:
        offer_id: The offer that a click accepts; 0 for one that is not sent yet; None if there is nothing.
        text: The button's words.
        hint: What stands below it.
        rows: The terms, for the confirmation.
        points: What the participant would get now.
        no_deal: What no deal would give now.
        closes: Whether this acceptance is the last one that the deal needs.
        own: Whether the offer is the participant's.
        short: The button's words where there is little room; empty if they are short anyway.
    """

    offer_id: int | None
    text: str
    hint: str
    rows: tuple[tuple[str, str], ...] = ()
    points: float = 0
    no_deal: float = 0
    closes: bool = False
    own: bool = False
    short: str = ""

    @property
    def worse_than_no_deal(self) -> bool:
        """Whether walking on without a deal would pay more."""
        return self.offer_id is not None and self.points < self.no_deal


def builder_view(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    now: float,
    draft: Draft,
    say: Language,
    *,
    can_undo: bool = False,
    can_redo: bool = False,
) -> BuilderView:
    """The builder as the one in a seat sees it.

    Args:
        state: The session as that seat sees it.
        seat: The participant's seat.
        names: The other seats' names, as they are shown.
        now: Session time (s).
        draft: The draft.
        say: The window's language.
        can_undo: Whether the draft has a past.
        can_redo: Whether something of it was undone.
    """
    mine, on_table = state.game.preferences[seat], bargaining(state).on_table
    running = state.phase is Phase.NEGOTIATING
    worth = offer_worth(state.game, mine, draft.offer, now)
    return BuilderView(
        rows=builder_rows(state, seat, names, draft, say),
        help=_help(state.game.issues, say),
        worth=worth_text(worth, say) if draft.offer.terms else "–",
        versus=worth.versus if draft.offer.terms else Versus.OPEN,
        bar=_bar(worth if draft.offer.terms else None, state.game, mine, now, say),
        note=_note(draft, worth, mine, say),
        together=isinstance(mine.utility, InteractionUtility),
        theirs=None if on_table is None or on_table.sender == seat else on_table.offer,
        compare=draft_compared(state, seat, names, now, draft.offer, say),
        can_send=running and draft.ready,
        can_clear=running and bool(draft.offer.terms or draft.unfit),
        can_edit=running,
        can_undo=running and can_undo,
        can_redo=running and can_redo,
    )


def accept_view(state: State, seat: Seat, names: Mapping[Seat, str], now: float, say: Language) -> AcceptView:
    """The button that accepts the offer on the table, at session time ``now`` (s).

    One's own offer can be finalised once everybody else has accepted it, and not before.
    """
    play, mine = bargaining(state), state.game.preferences[seat]
    on_table, others = play.on_table, state.game.others(seat)
    if state.phase is not Phase.NEGOTIATING or on_table is None:
        hint = say("There’s no offer to accept yet.") if on_table is None else ""
        return AcceptView(None, say("Accept offer"), hint)
    silent = [names[other] for other in others if other not in play.accepted_by]
    if seat in play.accepted_by:
        return AcceptView(None, say("You accepted this offer"), _deal_once(silent, say))
    own, closes = on_table.sender == seat, not silent
    if own and not closes:
        return AcceptView(None, say("Waiting for {names}", names=listed(silent, say)), "")
    points = mine.utility(on_table.offer) - mine.cost_at(now)
    if own:
        text = say("Finalise the deal ({points})", points=points_text(points, say))
    else:
        maker = names[on_table.sender]
        text = say("Accept {name}’s offer ({points})", name=maker, points=points_text(points, say))
    if not on_table.may_be_bound:
        text = say("Accept {name}’s offer", name=names[on_table.sender])
        return AcceptView(None, text, say("This offer isn’t complete, so you can’t accept it yet."))
    reason = why_not_accept(state, seat, on_table.offer_id)
    if reason:
        return AcceptView(None, text, say(reason))
    accepted = [names[other] for other in others if other in play.accepted_by]
    return AcceptView(
        offer_id=on_table.offer_id,
        text=text,
        hint=_hint(accepted, silent, say, own=own),
        rows=offer_rows(on_table.offer, state.game, seat, names, say),
        points=points,
        no_deal=without_deal(state.game, mine, now).best,
        closes=closes,
        own=own,
        short=say("Finalise the deal") if own else say("Accept"),
    )


def binding_view(
    state: State, seat: Seat, names: Mapping[Seat, str], now: float, offer: Offer, say: Language
) -> AcceptView | None:
    """What sending an offer would bind its maker to; None if it binds nobody."""
    by_its_maker = state.game.rules.acceptance is Acceptance.MAKER_ACCEPTS
    if not by_its_maker or not may_be_bound(state.game, offer):
        return None
    mine, others = state.game.preferences[seat], [names[other] for other in state.game.others(seat)]
    return AcceptView(
        offer_id=0,
        text=say("Send offer"),
        hint=say("In this game it’s a deal as soon as {names} accepts it.", names=listed(others, say)),
        rows=offer_rows(offer, state.game, seat, names, say),
        points=mine.utility(offer) - mine.cost_at(now),
        no_deal=without_deal(state.game, mine, now).best,
    )


def _help(issues: Sequence[Issue], say: Language) -> str:
    if any(isinstance(issue, QuantityIssue) for issue in issues):
        return say("Click for one item, double-click for all, or use ← → and 0–9")
    return say("Choose what you propose for each issue")


def _bar(worth: OfferWorth | None, game: GameSpec, mine: Preferences, now: float, say: Language) -> WorthBar:
    """The bar for a draft; nothing is filled for None. Time costs move every figure on it alike."""
    no_deal, cost = without_deal(game, mine, now).best, mine.cost_at(now)
    return WorthBar(
        low=0.0 if worth is None else share_of_best(worth.low + cost, mine),
        high=0.0 if worth is None else share_of_best(worth.high + cost, mine),
        no_deal=share_of_best(no_deal + cost, mine),
        no_deal_words=say("no deal {points}", points=figure(no_deal, say)),
        best_words=say("best possible {points}", points=figure(mine.utility.highest - cost, say)),
    )


def _note(draft: Draft, worth: OfferWorth, mine: Preferences, say: Language) -> str:
    if draft.unfit:
        titles = [in_sentence(shown(draft.game.issue(name).title, say), say) for name, _ in draft.unfit]
        return say("Please check {issues} before you send your offer.", issues=listed(titles, say))
    if not draft.offer.terms:
        return say("Nothing chosen yet.")
    parts = [versus_text(worth, say) or say("depending on the rest")]
    if draft.undecided:
        parts.append(say.count("{n} issue undecided", "{n} issues undecided", draft.open_issues))
    told = BETWEEN.join(filter(None, (*parts, added_together(draft.offer, mine, say))))
    return told[:1].upper() + told[1:]


def _hint(accepted: list[str], silent: list[str], say: Language, *, own: bool) -> str:
    if silent:
        return _deal_once(silent, say)
    if own:
        who = listed(accepted, say)
        return say("{names} accepted it. Once you finalise it, it’s a deal.", names=who)
    return say("Once you accept it, it’s a deal.")


def _deal_once(silent: list[str], say: Language) -> str:
    return say("It’s a deal once {names} confirms it too.", names=listed(silent, say))
