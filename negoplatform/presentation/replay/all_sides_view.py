"""View of an observer without a seat: the whole log, from all sides. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from negoplatform.app.playback.playback import UNMARKED
from negoplatform.core.events import Event, OfferMade
from negoplatform.core.mechanisms.bargaining import bargaining_state, offers_made, points_over_time
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.registry import BARGAINING, mechanism_of
from negoplatform.core.state import State
from negoplatform.core.visibility import Observer
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.no_deal import no_deal_value
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import SYSTEM, Seat
from negoplatform.formats.interpretations import parse_interpretation
from negoplatform.presentation.bargaining.priorities_layout import PrioritySection
from negoplatform.presentation.event_texts import address_text
from negoplatform.presentation.face_mood import FaceReader, ShownFace
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import join_names
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.market.unit_worths import gain_so_far
from negoplatform.presentation.offers.issue_valuation_texts import priorities
from negoplatform.presentation.offers.offer_sentence import RIGHT_TO_LEFT_MARK
from negoplatform.presentation.plots.seat_styles import SeatMark, seat_marks
from negoplatform.presentation.replay.event_words import ActWords
from negoplatform.presentation.replay.proposal_words import proposer_name
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames
from negoplatform.presentation.table.table_presenter import clock_header, elapsed_time
from negoplatform.presentation.table.table_view import HeaderView
from negoplatform.presentation.table.work_presenter import WorkClock, WorkPresenter
from negoplatform.presentation.time_and_points_text import format_number, points_text
from negoplatform.presentation.transcript.transcript_entries import (
    SEPARATOR,
    ExpressionTracker,
    TranscriptEntry,
    make_entry,
    own_face,
    with_offer_table,
)

LINE_SEPARATOR = " · "

MOST_POINTS = 3
"""Largest number of seats whose points are in the header of a game without offers."""


def side_priorities(
    game: GameSpec, participants: SeatOccupantNames, translate: Language
) -> tuple[PrioritySection, ...]:
    """Return the preferences of every side, as far as the log has them."""
    marks = seat_marks(game.seats, participants.mine)
    return tuple(
        PrioritySection(
            translate("What matters to {name}", name=participants.names[seat]),
            translate("With no deal: {points}", points=points_text(mine.reservation_value, translate)),
            priorities(game, mine, translate),
            marks[seat].colour,
        )
        for seat, mine in game.preferences.items()
    )


def header_view(
    state: State,
    now: float,
    participants: SeatOccupantNames,
    observer: Observer,
    translate: Language,
    *,
    clock: WorkClock | None = None,
) -> HeaderView:
    """Return the bar at the top: the clock, and each side's points for the offer on the table.

    In other kinds of game than bargaining, these are each side's points if the game ended now.
    ``clock`` takes the place of the game's.
    """
    game, at = state.game, elapsed_time(state, now)
    known = [seat for seat in game.seats if seat in game.preferences]
    points, bargains = _points(state, at, translate), game.mechanism == BARGAINING
    if not bargains and len(points) > MOST_POINTS:
        points = {}
    names = join_names([participants.names[seat] for seat in points], translate)
    words = translate("points: {names}", names=names)
    if game.mechanism == Market.name:
        words = translate("gained: {names}", names=names)
    figures = LINE_SEPARATOR.join(
        format_number(no_deal_value(game, game.preferences[seat], at, offers_made(state)).best, translate)
        for seat in known
    )
    nothing = translate("No offer yet") if bargains and bargaining_state(state).on_table is None else ""
    header = clock_header(state, now, _subtitle(participants, observer, translate), translate)
    if clock is not None:
        header = replace(
            header, clock=clock.clock, clock_words=clock.words, left=clock.left, urgent=clock.urgent
        )
    return replace(
        header,
        points=LINE_SEPARATOR.join(points.values()),
        points_words=words if points else nothing,
        compared=translate("With no deal: {figures}", figures=figures) if known else "",
    )


def _subtitle(participants: SeatOccupantNames, observer: Observer, translate: Language) -> str:
    """Return in words how much is shown."""
    if observer.raw:
        return translate("Everything that was recorded, from all sides")
    if observer.seat is None:
        return translate("What everyone could see")
    if observer.seat == SYSTEM:
        return translate("What the system could see")
    return translate("What {name} could see", name=participants.view_name(observer, translate))


def _points(state: State, at: float, translate: Language) -> dict[Seat, str]:
    """Return each known seat's points of the result, or of the offer on the table, in words.

    In other kinds of game than bargaining, the points before the end are those of an end at this moment.
    """
    game, rules = state.game, mechanism_of(state.game.mechanism)
    if game.mechanism == Market.name:
        amounts = Amounts(economy_of(game).currency, translate)
        gains = {seat: gain_so_far(state, seat) for seat in game.seats}
        return {seat: amounts.text(gain) for seat, gain in gains.items() if gain is not None}
    if state.ending is not None or game.mechanism != BARGAINING:
        worth = rules.standing if state.ending is None else rules.points
        found = {seat: worth(state, seat) for seat in game.seats}
        return {
            seat: format_number(points, translate) for seat, points in found.items() if points is not None
        }
    on_table = bargaining_state(state).on_table
    if on_table is None:
        return {}
    return {
        seat: format_number(points_over_time(state, mine, mine.utility(on_table.offer), at), translate)
        for seat, mine in game.preferences.items()
    }


class AllSidesLines:
    """Lines of the complete transcript, one event after another.

    Ticks, typing and drafting have no line. Neither has the interpretation of a message that was sent without
    a question: the message itself has one.

    Args:
        participants: The names of the session.
        translate: The window's language, with the game's texts.
        words: The words of the kind of game.
        faces: Reads the faces of the seats.
        marks: The seats' marks.
        own: The presenter of a seat's own window, whose words are used where it has some; None: the observer
            reads as no seat.
    """

    def __init__(
        self,
        participants: SeatOccupantNames,
        translate: Language,
        *,
        words: ActWords,
        faces: FaceReader,
        marks: Mapping[Seat, SeatMark],
        own: WorkPresenter | None = None,
    ) -> None:
        self._participants, self._translate = participants, translate
        self._words, self._faces, self._marks, self._own = words, faces, marks, own
        self._tracker = ExpressionTracker()

    def line(self, event: Event, state: State) -> TranscriptEntry | None:
        """Return the line of the next event; None if it has none.

        Args:
            event: The event; those before it have been given to this method too.
            state: The state after it, or after any later one.
        """
        interpretation = parse_interpretation(event)
        if event.type in UNMARKED or (interpretation is not None and not interpretation.shown):
            return None
        if not self._words.has_line(event):
            return None
        self._tracker.update(event)
        participants, translate = self._participants, self._translate
        names, game, own = participants.names, state.game, self._own
        mine = event.sender == participants.mine
        shown = () if own is None else own.transcript_entries(state, event)
        text = next((line.text for line in shown if line.text), "") or self._words.text(event)
        who = proposer_name(event, translate) or participants.name(event.sender, translate)
        if own is not None and mine:
            who = translate("You")
        entry = make_entry(
            event,
            text,
            who,
            mine=mine,
            face=self._face(event, state, mine=mine),
            address=address_text(event, None, names, translate),
            mark=None if mine else self._marks.get(event.sender),
        )
        if not isinstance(event.payload, OfferMade):
            return entry
        offer, called = event.payload.offer, {seat: names[seat] for seat in game.seats}
        return replace(
            with_offer_table(entry, offer, game, called, translate, self._marks),
            footer=_footer(offer, game, participants, translate),
        )

    def _face(self, event: Event, state: State, *, mine: bool) -> ShownFace | None:
        if event.sender in self._participants.others:
            return self._faces.face(state, event.sender, event.t, before=event.seq)
        return own_face(self._tracker.expression_at(event)) if mine else None


def _footer(offer: Offer, game: GameSpec, participants: SeatOccupantNames, translate: Language) -> str:
    worths = [
        translate(
            "{name}: {points}",
            name=participants.names[seat],
            points=points_text(mine.utility(offer), translate),
        )
        for seat, mine in game.preferences.items()
    ]
    text = SEPARATOR.join(worths if game.is_complete(offer) else [*worths, translate("partial offer")])
    # It begins with a name, whose letters would otherwise set the direction of the whole line.
    return RIGHT_TO_LEFT_MARK + text if translate.rtl else text
