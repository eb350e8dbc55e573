"""View of an observer without a seat: the whole log, from all sides. No Tk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import cycle

from negoplatform.app.playback.playback import UNMARKED, ObservedEvent
from negoplatform.core.events import OfferMade
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.no_deal import no_deal_value
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import Points
from negoplatform.formats.interpretations import parse_interpretation
from negoplatform.presentation.bargaining.priorities_layout import PrioritySection
from negoplatform.presentation.event_texts import event_text
from negoplatform.presentation.face_mood import FaceReader
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import join_names
from negoplatform.presentation.offers.issue_valuation_texts import priorities
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames
from negoplatform.presentation.table.table_presenter import clock_header, elapsed_time
from negoplatform.presentation.table.table_view import HeaderView
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


def side_priorities(
    game: GameSpec, participants: SeatOccupantNames, translate: Language
) -> tuple[PrioritySection, ...]:
    """Return the preferences of every side, as far as the log has them."""
    return tuple(
        PrioritySection(
            translate("What matters to {name}", name=participants.names[seat]),
            translate("With no deal: {points}", points=points_text(mine.reservation_value, translate)),
            priorities(game, mine, translate),
            colour,
        )
        for (seat, mine), colour in zip(game.preferences.items(), cycle(("mine", "theirs")), strict=False)
    )


def header_view(state: State, now: float, participants: SeatOccupantNames, translate: Language) -> HeaderView:
    """Return the bar at the top: the clock, and each side's points for the offer on the table."""
    game, at = state.game, elapsed_time(state, now)
    known = [seat for seat in game.seats if seat in game.preferences]
    points = _points(state, at)
    names = join_names([participants.names[seat] for seat in known], translate)
    figures = LINE_SEPARATOR.join(
        format_number(no_deal_value(game, game.preferences[seat], at).best, translate) for seat in known
    )
    return replace(
        clock_header(state, now, translate("Everything that was recorded, from all sides"), translate),
        points=LINE_SEPARATOR.join(format_number(worth, translate) for worth in points),
        points_words=translate("points: {names}", names=names) if points else translate("No offer yet"),
        compared=translate("With no deal: {figures}", figures=figures) if known else "",
    )


def _points(state: State, at: float) -> list[Points]:
    """Return the points of the result, or of the offer on the table, for each side with known preferences."""
    game = state.game
    known = [seat for seat in game.seats if seat in game.preferences]
    if state.ending is not None:
        results = [mechanism_of(game.mechanism).points(state, seat) for seat in known]
        return [points for points in results if points is not None]
    on_table = bargaining_state(state).on_table
    if on_table is None:
        return []
    mine = (game.preferences[seat] for seat in known)
    return [own.utility(on_table.offer) - own.cost_at(at) for own in mine]


def all_sides_lines(
    moments: Iterable[ObservedEvent],
    state: State,
    participants: SeatOccupantNames,
    translate: Language,
    *,
    faces: FaceReader,
) -> list[TranscriptEntry]:
    """Return the lines of the complete transcript; ``state``: the last state.

    Ticks, typing and drafting have no line. Neither has the interpretation of a message that was sent without
    a question: the message itself has one.
    """
    names, game, tracker = participants.names, state.game, ExpressionTracker()
    lines: list[TranscriptEntry] = []
    for moment in moments:
        event = moment.event
        interpretation = parse_interpretation(event)
        if event.type in UNMARKED or (interpretation is not None and not interpretation.shown):
            continue
        tracker.update(event)
        mine, face = event.sender == participants.mine, None
        # Only one portrait is shown: with several other seats, the others have none.
        if event.sender == participants.other:
            face = faces.face(state, event.sender, event.t, before=event.seq)
        elif mine:
            face = own_face(tracker.expression_at(event))
        text = event_text(event, None, names, translate, outvoted=game.rules.outvoted)
        who = participants.name(event.sender, translate)
        entry = make_entry(event, text, who, mine=mine, face=face)
        if isinstance(event.payload, OfferMade):
            offer, called = event.payload.offer, {seat: names[seat] for seat in game.seats}
            entry = replace(
                with_offer_table(entry, offer, game, called, translate),
                footer=_footer(offer, game, participants, translate),
            )
        lines.append(entry)
    return lines


def _footer(offer: Offer, game: GameSpec, participants: SeatOccupantNames, translate: Language) -> str:
    worths = [
        translate(
            "{name}: {points}",
            name=participants.names[seat],
            points=points_text(mine.utility(offer), translate),
        )
        for seat, mine in game.preferences.items()
    ]
    return SEPARATOR.join(worths if game.is_complete(offer) else [*worths, translate("partial offer")])
