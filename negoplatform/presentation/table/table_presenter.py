"""Presenter of the participant's window: computes its views, without Tk."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import Phase, State
from negoplatform.core.visibility import View
from negoplatform.domain.game import Visibility
from negoplatform.domain.no_deal import no_deal_value
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language import is_language_parsed
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.issue_progress_view import progress_view
from negoplatform.presentation.bargaining.newest_offer_card_view import (
    NewestOfferCardView,
    counter_offer_view,
    offer_card_view,
)
from negoplatform.presentation.bargaining.offer_builder_view import (
    AcceptView,
    accept_view,
    binding_view,
    builder_view,
)
from negoplatform.presentation.bargaining.offer_comparison import CompareView, compare_sent_offers
from negoplatform.presentation.chat.address_view import EVERYONE, Address, address_names, address_view
from negoplatform.presentation.chat.phrases import PhrasesView, phrases_view
from negoplatform.presentation.event_texts import RESUMED
from negoplatform.presentation.face_mood import FaceReader
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable, join_names, localized_text, truncate
from negoplatform.presentation.offers.issue_valuation_texts import priorities
from negoplatform.presentation.offers.offer_valuation import (
    NoDealComparison,
    OfferValuation,
    comparison_with_points,
    no_deal_text,
    offer_valuation,
    points_range_text,
)
from negoplatform.presentation.plots.seat_styles import SeatMark, shown_marks
from negoplatform.presentation.table.others_presenter import OthersPresenter, last_speaker
from negoplatform.presentation.table.result_view import end_view
from negoplatform.presentation.table.rules_text import subtitle
from negoplatform.presentation.table.table_view import HeaderView, TableView
from negoplatform.presentation.time_and_points_text import clock_text, format_number, points_text
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry, transcript_entries

URGENT_SECONDS = 60
"""Remaining time in seconds from which the clock is shown as urgent, in colour and words."""

MAX_NAME_LENGTH = 20
"""Maximum length of a displayed name, in characters; names are part of button labels."""


def clock_header(state: State, now: float, subtitle: str, translate: Language) -> HeaderView:
    """Return the bar at the top with the game and the clock, but without points."""
    deadline = state.game.rules.deadline_seconds
    left = None if deadline is None else max(0.0, deadline - elapsed_time(state, now))
    return HeaderView(
        title=localized_text(state.game.title, translate),
        subtitle=subtitle,
        clock=clock_text(left, translate),
        clock_words=translate("time left") if state.ended_at is None else translate("negotiation ended"),
        left=None if left is None or not deadline else left / deadline,
    )


def elapsed_time(state: State, now: float) -> float:
    """Return the seconds that the game has run: until ``now`` (s), or until its end."""
    return now if state.ended_at is None else state.ended_at


class TablePresenter:
    """Presenter for one seat: computes views from the state, and stores nothing else.

    Args:
        seat: Seat of the participant.
        names: Display names of the other seats, in the game's order.
        translate: Translation into the window's language.
        people: Other seats of people, whose faces show no mood between their expressions.
        marks: Marks of the seats; None: those of a participant's window.
    """

    def __init__(
        self,
        seat: Seat,
        names: Mapping[Seat, str],
        translate: Language,
        *,
        people: Collection[Seat] = (),
        marks: Mapping[Seat, SeatMark] | None = None,
    ) -> None:
        self.seat = seat
        self._faces = FaceReader(people)
        self.translate = translate
        self.names = {who: truncate(displayable(name), MAX_NAME_LENGTH) for who, name in names.items()}
        self.marks = shown_marks([seat, *names], seat) if marks is None else marks
        self._others = OthersPresenter(seat, self.names, self._faces, self.marks, translate)

    def view(
        self,
        view: View,
        now: float,
        draft: Draft,
        *,
        finished: bool = False,
        left_on_table: ParetoImprovement | None = None,
        can_undo: bool = False,
        counter_base_id: int | None = None,
        address: Address = EVERYONE,
    ) -> TableView:
        """Return the whole view at a session time in seconds.

        ``address``: recipients of what the participant says.
        ``counter_base_id``: ``seq`` of the offer on which an open counter-offer is based; None if none is
        open.
        """
        state, translate = view.state, self.translate
        game, mine = state.game, state.game.preferences[self.seat]
        shown = state.presence[self.seat]
        can_talk = self._is_allowed(EventType.SEND_MESSAGE, state, finished)
        accept = accept_view(state, self.seat, self.names, now, translate)
        public = game.visibility.get(self.seat) is Visibility.PUBLIC
        return TableView(
            header=self._header(state, now),
            others=self._others.views(state, now),
            last_speaker=last_speaker(state, self.seat),
            priorities=priorities(game, mine, translate),
            who_sees_priorities=self._who_sees_priorities(public=public),
            progress=progress_view(state, self.seat, self.names, translate),
            my_expression=shown.expression_at(now),
            expression_until=shown.expression_until if now < shown.expression_until else None,
            can_express=self._is_allowed(EventType.SEND_EXPRESSION, state, finished),
            can_talk=can_talk,
            address=address_view(
                address,
                self.names,
                translate,
                running=state.phase is Phase.NEGOTIATING,
                can_talk=can_talk,
            ),
            talk_hint=self._talk_hint(state.phase is Phase.NEGOTIATING, can_talk, address),
            talk_note=self._talk_note(state),
            phrases=self._phrases(state, now, can_talk),
            builder=builder_view(state, self.seat, self.names, now, draft, translate, can_undo=can_undo),
            accept=accept,
            card=self._card(state, now, draft, accept, counter_base_id),
            end=end_view(
                state,
                self.seat,
                self.names,
                self.translate,
                finished=finished,
                can_talk=can_talk,
                left_on_table=left_on_table,
            ),
        )

    def _card(
        self, state: State, now: float, draft: Draft, accept: AcceptView, began: int | None
    ) -> NewestOfferCardView | None:
        card = offer_card_view(state, self.seat, self.names, accept, self.translate)
        if card is None or began is None:
            return card
        counter = counter_offer_view(state, self.seat, self.names, now, draft, began, self.translate)
        return replace(card, counter=counter)

    def time_key(self, view: View, now: float) -> tuple[object, ...]:
        """Return the time-dependent parts of the view; while they are equal, no update is needed."""
        state = view.state
        deadline = state.game.rules.deadline_seconds
        shown = [
            now < until
            for presence in state.presence.values()
            for until in (presence.expression_until, presence.typing_until, presence.drafting_until)
        ]
        cost = state.game.preferences[self.seat].cost_at(now)
        return (
            clock_text(None if deadline is None else deadline - now, self.translate),
            *self._others.time_key(state, now),
            format_number(cost, self.translate),
            *shown,
        )

    def draft_points_text(self, view: View, now: float, draft: Draft) -> str:
        """Return a draft's points, with 0 for undecided issues; for scripts that drive the window."""
        mine = view.state.game.preferences[self.seat]
        return (
            points_text(mine.utility(draft.offer) - mine.cost_at(now), self.translate)
            if draft.offer.terms
            else "–"
        )

    def comparison(self, view: View, now: float, seqs: tuple[int, int]) -> CompareView | None:
        """Return the comparison of two sent offers; None if either ``seq`` has no offer."""
        return compare_sent_offers(view.state, self.seat, self.names, now, seqs, self.translate)

    def binding(self, view: View, now: float, offer: Offer) -> AcceptView | None:
        """Return what sending an offer would bind its sender to; None if sending is not binding."""
        return binding_view(view.state, self.seat, self.names, now, offer, self.translate)

    def transcript_entries(
        self, state: State, events: Sequence[Event], resumed: Sequence[Event] = ()
    ) -> list[TranscriptEntry]:
        """Return the transcript entries for some events, and for resumptions after an interruption."""
        lines = transcript_entries(
            state, events, self.seat, self.names, self.translate, faces=self._faces, marks=self.marks
        )
        went_on = [
            TranscriptEntry("note", "", self.translate(RESUMED), seq=event.seq, t=event.t)
            for event in resumed
        ]
        return sorted([*lines, *went_on], key=lambda line: line.seq) if went_on else lines

    def _is_allowed(self, kind: EventType, state: State, finished: bool) -> bool:
        """Return whether an action may be sent: any during the game, each kind once in the closing."""
        if state.phase is Phase.NEGOTIATING:
            return True
        said = state.presence[self.seat].closing_actions
        return not finished and state.phase is Phase.CLOSING and kind not in said

    def _who_sees_priorities(self, *, public: bool) -> str:
        translate = self.translate
        if not public:
            return translate("Only you can see this")
        if len(self.names) > 1:
            return translate("The others can see this too")
        return translate("The other side can see this too")

    def _talk_note(self, state: State) -> str:
        """Return a sentence if typed messages are not interpreted in this language; empty otherwise."""
        rules = state.game.rules
        if (
            state.phase is not Phase.NEGOTIATING
            or not rules.reads_talk
            or is_language_parsed(rules.effective_reading_language)
        ):
            return ""
        return self.translate("Your words aren’t read here. Make your offers in the builder.")

    def _talk_hint(self, running: bool, can_talk: bool, address: Address) -> str:
        if running and len(self.names) > 1 and not address:
            return self.translate("Message everyone")
        if running and address:
            told = address_names(address, self.names, self.translate)
            return self.translate("Message only {names}", names=told)
        if running:
            return self.translate("Message {names}", names=self._other_names())
        return self.translate("Send a last message") if can_talk else ""

    def _phrases(self, state: State, now: float, can_talk: bool) -> PhrasesView:
        mine, on_table = state.game.preferences[self.seat], bargaining_state(state).on_table
        return phrases_view(
            state.game,
            self.translate,
            their_offer=on_table is not None and on_table.sender != self.seat,
            no_deal=no_deal_value(state.game, mine, now).best,
            can_talk=can_talk,
        )

    def _header(self, state: State, now: float) -> HeaderView:
        game, mine, translate = state.game, state.game.preferences[self.seat], self.translate
        at, deadline = elapsed_time(state, now), game.rules.deadline_seconds
        header = clock_header(state, now, subtitle(self.seat, self.names, translate), translate)
        clock_words, running = header.clock_words, state.ended_at is None
        urgent = running and deadline is not None and deadline - at <= URGENT_SECONDS
        if urgent:
            clock_words = translate("last minute")
        if running and (cost := mine.cost_at(at)):
            spent = points_text(cost, translate)
            clock_words = translate("{clock}, it has cost you {points}", clock=clock_words, points=spent)
        points, words, worth = self._worth_on_table(state, at)
        return replace(
            header,
            clock_words=clock_words,
            urgent=urgent,
            points=points,
            points_words=words,
            compared=no_deal_text(no_deal_value(game, mine, at), translate)
            if worth is None
            else comparison_with_points(worth, translate),
            versus=NoDealComparison.OPEN if worth is None else worth.versus,
            can_walk_away=state.phase is Phase.NEGOTIATING,
        )

    def _worth_on_table(self, state: State, at: float) -> tuple[str, str, OfferValuation | None]:
        """Return points of the offer on the table or of the deal, a label, and the valuation."""
        translate, mine = self.translate, state.game.preferences[self.seat]
        result = mechanism_of(state.game.mechanism).points(state, self.seat)
        if result is not None:
            words = translate.plural("point – your result", "points – your result", float(result))
            dealt = state.ending is not None and state.ending.deal is not None
            worth = OfferValuation(result, result, no_deal_value(state.game, mine, at))
            return format_number(result, translate), words, worth if dealt else None
        on_table = bargaining_state(state).on_table
        if on_table is None or state.ending is not None:
            return "", translate("No offer yet") if state.ending is None else translate("No result"), None
        worth = offer_valuation(state.game, mine, on_table.offer, at)
        if not on_table.is_bindable:
            words = translate("points, depending on the rest")
        else:
            words = translate.plural("point if accepted", "points if accepted", float(worth.low))
        return points_range_text(worth, translate), words, worth

    def _other_names(self) -> str:
        return join_names([*self.names.values()], self.translate)
