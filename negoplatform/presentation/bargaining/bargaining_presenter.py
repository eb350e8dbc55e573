"""Presenter of bargaining for one seat: its part of the table's views, without Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.core.events import Event
from negoplatform.core.mechanisms.bargaining import (
    bargaining_state,
    offers_made,
    points_over_time,
    remaining_offers,
    turn_of,
)
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import Phase, State
from negoplatform.domain.game import LAST_ANSWER_SECONDS, GameSpec, Visibility
from negoplatform.domain.no_deal import no_deal_value
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language import is_language_parsed
from negoplatform.presentation.bargaining.acceptance_count import has_accepted
from negoplatform.presentation.bargaining.bargaining_help import bargaining_help
from negoplatform.presentation.bargaining.bargaining_result import bargaining_result
from negoplatform.presentation.bargaining.bargaining_rules import bargaining_rules
from negoplatform.presentation.bargaining.confirmation_texts import walk_away_question
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.issue_progress_view import ProgressView, progress_view
from negoplatform.presentation.bargaining.newest_offer_card_view import (
    NewestOfferCardView,
    counter_offer_view,
    offer_card_view,
)
from negoplatform.presentation.bargaining.offer_builder_view import (
    AcceptView,
    BuilderView,
    accept_view,
    binding_view,
    builder_view,
)
from negoplatform.presentation.bargaining.offer_comparison import CompareView, compare_sent_offers
from negoplatform.presentation.chat.phrases import PhrasesView, phrases_view
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.offers.issue_valuation_texts import Priorities, priorities
from negoplatform.presentation.offers.offer_valuation import (
    NoDealComparison,
    OfferValuation,
    comparison_with_points,
    no_deal_text,
    offer_valuation,
    points_range_text,
)
from negoplatform.presentation.table.who_sees_text import preferences_label
from negoplatform.presentation.table.work_presenter import (
    HeaderWorth,
    SeatRow,
    WorkClock,
    WorkResult,
    WorkRules,
)
from negoplatform.presentation.time_and_points_text import clock_text, format_number, points_text
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry


@dataclass(frozen=True, slots=True)
class BargainingView:
    """View of what only bargaining shows.

    Args:
        priorities: What matters to the participant.
        who_sees_priorities: Who can see that, in words.
        progress: Status of each issue.
        builder: View of the offer builder.
        accept: View of the Accept button.
        card: View of the newest offer's card; None before the first offer.
    """

    priorities: Priorities
    who_sees_priorities: str
    progress: ProgressView
    builder: BuilderView
    accept: AcceptView
    card: NewestOfferCardView | None

    @property
    def can_send(self) -> bool:
        """Whether the draft can be sent."""
        return self.builder.can_send

    @property
    def note(self) -> str:
        """Undecided issues of the draft, and its comparison with no deal."""
        return self.builder.note

    def disabled(self) -> Self:
        """Return the view for a frozen session: readable, with everything disabled."""
        requests = self.builder.requests
        return replace(
            self,
            builder=replace(
                self.builder,
                can_send=False,
                can_clear=False,
                can_edit=False,
                can_undo=False,
                requests=None if requests is None else requests.disabled(),
            ),
            accept=replace(self.accept, offer_id=None),
            card=None if self.card is None else replace(self.card, enabled=False),
        )


class BargainingPresenter:
    """Presenter of bargaining for one seat.

    Args:
        seat: Seat of the participant.
        names: Displayed names of the other seats, in the game's order.
        translate: Translation into the window's language.
    """

    def __init__(self, seat: Seat, names: Mapping[Seat, str], translate: Language) -> None:
        self._seat, self._names, self._translate = seat, names, translate

    help = staticmethod(bargaining_help)

    def view(
        self,
        state: State,
        now: float,
        draft: Draft,
        *,
        can_undo: bool = False,
        counter_base_id: int | None = None,
    ) -> BargainingView:
        """Return the view at a session time in seconds.

        ``counter_base_id``: ``seq`` of the offer on which an open counter-offer is based; None if none is
        open.
        """
        game, seat, names, translate = state.game, self._seat, self._names, self._translate
        accept = accept_view(state, seat, names, now, translate)
        return BargainingView(
            priorities=priorities(game, game.preferences[seat], translate),
            who_sees_priorities=self._who_sees_priorities(game),
            progress=progress_view(state, seat, names, translate),
            builder=builder_view(state, seat, names, now, draft, translate, can_undo=can_undo),
            accept=accept,
            card=self._card(state, now, draft, accept, counter_base_id),
        )

    def draft_points_text(self, state: State, now: float, draft: Draft) -> str:
        """Return a draft's points, with 0 for undecided issues; for scripts that drive the window."""
        mine = state.game.preferences[self._seat]
        if not draft.offer.terms:
            return "–"
        points = points_over_time(state, mine, mine.utility(draft.offer), now)
        return points_text(points, self._translate)

    def comparison(self, state: State, now: float, seqs: tuple[int, int]) -> CompareView | None:
        """Return the comparison of two sent offers; None if either ``seq`` has no offer."""
        return compare_sent_offers(state, self._seat, self._names, now, seqs, self._translate)

    def binding(self, state: State, now: float, offer: Offer) -> AcceptView | None:
        """Return what sending an offer would bind its sender to; None if sending is not binding."""
        return binding_view(state, self._seat, self._names, now, offer, self._translate)

    # What every mechanism has

    def header(self, state: State, at: float) -> HeaderWorth:
        """Return the points of the offer on the table or of the deal, and their comparison with no deal."""
        translate, mine = self._translate, state.game.preferences[self._seat]
        points, words, worth = self._worth_on_table(state, at)
        return HeaderWorth(
            points,
            words,
            compared=no_deal_text(no_deal_value(state.game, mine, at, offers_made(state)), translate)
            if worth is None
            else comparison_with_points(worth, translate),
            versus=NoDealComparison.OPEN if worth is None else worth.versus,
            cost=mine.cost_at(at),
            clock=self._offer_clock(state, at),
            limit=self._offers_left(state),
        )

    def time_key(self, state: State, now: float) -> tuple[object, ...]:
        """Return what time has cost, and the time to answer the last offer, as they are displayed."""
        clock, mine = self._offer_clock(state, now), state.game.preferences[self._seat]
        left = points_over_time(state, mine, mine.utility.highest, now)
        texts = (format_number(points, self._translate) for points in (mine.cost_at(now), left))
        return *texts, None if clock is None else clock.clock

    def walk_away_question(self, state: State, now: float) -> ConfirmationQuestion:
        """Return the question before walking away, with the participant's points for it."""
        mine = state.game.preferences[self._seat]
        pays, several = points_over_time(state, mine, mine.quit_value, now), len(self._names) > 1
        return walk_away_question(pays, self._translate, several=several)

    def phrases(self, state: State, now: float, *, can_talk: bool) -> PhrasesView:
        """Return the menu of phrases; answers to an offer need one of another seat on the table."""
        mine, on_table = state.game.preferences[self._seat], bargaining_state(state).on_table
        return phrases_view(
            state.game,
            self._translate,
            their_offer=on_table is not None and on_table.sender != self._seat,
            no_deal=no_deal_value(state.game, mine, now, offers_made(state)).best,
            can_talk=can_talk,
        )

    def talk_note(self, state: State) -> str:
        """Return a sentence if typed messages are not interpreted in this language; empty otherwise."""
        rules, translate = state.game.rules, self._translate
        if (
            state.phase is not Phase.NEGOTIATING
            or not rules.reads_talk
            or is_language_parsed(rules.effective_reading_language)
        ):
            return ""
        return translate("Your words aren’t read here. Make your offers in the builder.")

    def seat_row(self, state: State, seat: Seat) -> SeatRow:
        """Return whether a seat has accepted or has the turn, and its preferences if they are public."""
        theirs, translate = state.game.preferences.get(seat), self._translate
        return SeatRow(
            accepted=has_accepted(state, seat),
            activity=translate("has the turn") if turn_of(state) == seat else "",
            priorities=None if theirs is None else priorities(state.game, theirs, translate),
        )

    def transcript_entries(self, _state: State, _event: Event, /) -> Sequence[TranscriptEntry]:
        """Return nothing: the transcript itself has offers and acceptances."""
        return ()

    def result(self, state: State, improvement: ParetoImprovement | None) -> WorkResult:
        """Return the deal, its worth, and a better deal if the game reveals it."""
        return bargaining_result(state, self._seat, self._names, self._translate, improvement)

    def rules(self, game: GameSpec) -> WorkRules:
        """Return the sentences about offers, deals and preferences."""
        return bargaining_rules(game, self._seat, self._names, self._translate)

    def _card(
        self, state: State, now: float, draft: Draft, accept: AcceptView, began: int | None
    ) -> NewestOfferCardView | None:
        card = offer_card_view(state, self._seat, self._names, accept, self._translate)
        if card is None or began is None:
            return card
        counter = counter_offer_view(state, self._seat, self._names, now, draft, began, self._translate)
        return replace(card, counter=counter)

    def _offer_clock(self, state: State, at: float) -> WorkClock | None:
        """Return the clock of a game whose offers are its only limit, or run out; None in any other."""
        left, total = remaining_offers(state), state.game.rules.deadline_offers
        ends_at, translate = bargaining_state(state).ends_at, self._translate
        if left is None or total is None or state.ending is not None:
            return None
        deadline = state.game.rules.deadline_seconds
        if ends_at is not None and (deadline is None or ends_at < deadline):
            seconds = max(0.0, ends_at - at)
            words, share = translate("to answer the last offer"), seconds / LAST_ANSWER_SECONDS
            return WorkClock(clock_text(seconds, translate), words, share, urgent=True)
        if deadline is not None:
            return None
        words = translate.plural("offer left", "offers left", left)
        return WorkClock(str(left), words, left / total, urgent=left == 1)

    def _offers_left(self, state: State) -> str:
        """Return how many offers are left; empty without such a limit."""
        left = remaining_offers(state)
        return "" if left is None else self._translate.plural("{n} offer left", "{n} offers left", left)

    def _who_sees_priorities(self, game: GameSpec) -> str:
        translate = self._translate
        if game.visibility.get(self._seat) is not Visibility.PUBLIC:
            return preferences_label(game, self._seat, translate)
        if len(self._names) > 1:
            return translate("The others can see this too")
        return translate("The other side can see this too")

    def _worth_on_table(self, state: State, at: float) -> tuple[str, str, OfferValuation | None]:
        """Return points of the offer on the table or of the deal, a label, and the valuation."""
        translate, mine = self._translate, state.game.preferences[self._seat]
        result = mechanism_of(state.game.mechanism).points(state, self._seat)
        if result is not None:
            words = translate.plural("point – your result", "points – your result", float(result))
            dealt = state.ending is not None and state.ending.deal is not None
            worth = OfferValuation(result, result, no_deal_value(state.game, mine, at, offers_made(state)))
            return format_number(result, translate), words, worth if dealt else None
        on_table = bargaining_state(state).on_table
        if on_table is None or state.ending is not None:
            return "", translate("No offer yet") if state.ending is None else translate("No result"), None
        worth = offer_valuation(state.game, mine, on_table.offer, at, offers_made(state))
        if not on_table.is_bindable:
            words = translate("points, depending on the rest")
        else:
            words = translate.plural("point if accepted", "points if accepted", float(worth.low))
        return points_range_text(worth, translate), words, worth
