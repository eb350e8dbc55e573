"""The view of somebody who sits nowhere: everything that the log holds, of all sides. No Tk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from negoplatform.app.playback.playback import UNMARKED, ObservedEvent
from negoplatform.core.events import (
    Announced,
    Event,
    EventType,
    Expression,
    ExpressionShown,
    Message,
    OfferMade,
)
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import SeatPresence, State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.no_deal import no_deal_value
from negoplatform.domain.offer import Offer, Term
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import Points
from negoplatform.formats.interpretations import parse_interpretation
from negoplatform.presentation.bargaining.progress_view import ProgressView, build_progress_view
from negoplatform.presentation.formatting import (
    EXPRESSION_SENTENCES,
    clock_text,
    format_number,
    join_names,
    localized_text,
    points_text,
)
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.offers.batna_comparison import NoDealComparison
from negoplatform.presentation.offers.preference_texts import Priorities, priorities
from negoplatform.presentation.replay.event_descriptions import event_summary, term_words
from negoplatform.presentation.replay.participants import Participants
from negoplatform.presentation.table.table_view import CounterpartView, HeaderView
from negoplatform.presentation.transcript.transcript_entries import (
    SEPARATOR,
    TranscriptEntry,
    offer_pictures,
    offer_table,
)

LINE_SEPARATOR = " · "


@dataclass(frozen=True, slots=True)
class SidePriorities:
    """What matters to one side: its heading, what no deal gives, and the rest."""

    heading: str
    no_deal: str
    priorities: Priorities


def side_priorities(
    game: GameSpec, participants: Participants, translate: Language
) -> tuple[SidePriorities, ...]:
    """What matters to every side whose preferences are known."""
    return tuple(
        SidePriorities(
            translate("What matters to {name}", name=participants.names[seat]),
            translate("With no deal: {points}", points=points_text(mine.reservation_value, translate)),
            priorities(game, mine, translate),
        )
        for seat, mine in game.preferences.items()
    )


def header_view(state: State, now: float, participants: Participants, translate: Language) -> HeaderView:
    """The bar at the top: the clock, and what the offer on the table is worth to every side."""
    game = state.game
    deadline, ended = game.rules.deadline_seconds, state.ended_at is not None
    at = now if state.ended_at is None else state.ended_at
    left = None if deadline is None else max(0.0, deadline - at)
    known = [seat for seat in game.seats if seat in game.preferences]
    points = _points(state, at)
    names = join_names([participants.names[seat] for seat in known], translate)
    no_deal = [game.preferences[seat] for seat in known]
    figures = LINE_SEPARATOR.join(
        format_number(no_deal_value(game, mine, at).best, translate) for mine in no_deal
    )
    return HeaderView(
        title=localized_text(game.title, translate),
        subtitle=translate("Everything that was recorded, from all sides"),
        clock=clock_text(left, translate),
        clock_words=translate("negotiation ended") if ended else translate("time left"),
        left=None if left is None or not deadline else left / deadline,
        urgent=False,
        points=LINE_SEPARATOR.join(format_number(worth, translate) for worth in points),
        points_words=translate("points: {names}", names=names) if points else translate("No offer yet"),
        compared=translate("With no deal: {figures}", figures=figures) if known else "",
        versus=NoDealComparison.OPEN,
        can_walk_away=False,
    )


def _points(state: State, at: float) -> list[Points]:
    """What the result, or the offer on the table, is worth to each side whose preferences are known."""
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


def counterpart_view(
    state: State, now: float, participants: Participants, translate: Language
) -> CounterpartView:
    """The one whose face is shown."""
    shown = state.presence[participants.other]
    expression = shown.expression if now < shown.expression_until else Expression.NEUTRAL
    return CounterpartView(
        participants.names[participants.other],
        expression,
        translate(EXPRESSION_SENTENCES[expression]),
        activity_text(shown, now, translate),
    )


def activity_text(shown: SeatPresence, now: float, translate: Language) -> str:
    """What somebody can be seen to be about."""
    if now < shown.typing_until:
        return translate("is typing…")
    return translate("is building an offer…") if now < shown.drafting_until else ""


def progress_view(state: State, participants: Participants, translate: Language) -> ProgressView:
    """How far the seats are, with everybody's name."""

    def waiting(terms: Mapping[Seat, Term]) -> str:
        silent = [participants.names[seat] for seat in state.game.seats if seat not in terms]
        if not terms:
            return translate("not discussed yet")
        return (
            translate("waiting for {names}", names=join_names(silent, translate))
            if silent
            else translate("partly undecided")
        )

    return build_progress_view(
        state,
        translate,
        term=lambda issue, term: term_words(issue, term, participants, translate),
        waiting=waiting,
    )


def all_sides_lines(
    moments: Iterable[ObservedEvent], game: GameSpec, participants: Participants, translate: Language
) -> list[TranscriptEntry]:
    """The transcript with everything in it; ticks, typing, drafting and mere reading leave no line."""
    lines: list[TranscriptEntry] = []
    face, until = Expression.NEUTRAL, 0.0
    for moment in moments:
        event = moment.event
        read = parse_interpretation(event)
        if event.type in UNMARKED or (read is not None and not read.shown):
            continue  # words that were said at once stand there themselves
        if event.sender == participants.other and isinstance(event.payload, ExpressionShown):
            face, until = event.payload.expression, event.t + event.payload.duration_ms / 1000
        shown = face if event.t < until else Expression.NEUTRAL
        lines.append(_line(event, shown, game, participants, translate))
    return lines


def _line(
    event: Event, face: Expression, game: GameSpec, participants: Participants, translate: Language
) -> TranscriptEntry:
    mine, words = event.sender == participants.mine, event_summary(event, participants, translate)
    side, who = "mine" if mine else "theirs", participants.name(event.sender, translate)
    # There is one face; of several others, the one that is shown has it.
    expression = face if event.sender == participants.other else None
    match event.payload:
        case Message():
            return TranscriptEntry(side, who, words, expression=expression, seq=event.seq, t=event.t)
        case OfferMade(offer):
            called = {seat: participants.names[seat] for seat in game.seats}
            columns, rows = offer_table(offer, game, called, translate)
            return TranscriptEntry(
                f"offer_{side}",
                who,
                words,
                columns=columns,
                rows=rows,
                pictures=offer_pictures(offer, game),
                footer=_footer(offer, game, participants, translate),
                expression=expression,
                seq=event.seq,
                t=event.t,
            )
        case ExpressionShown(shown):
            return TranscriptEntry(f"emotion_{side}", who, words, expression=shown, seq=event.seq, t=event.t)
        case Announced():
            return TranscriptEntry("announcement", "", words, seq=event.seq, t=event.t)
        case _:
            quiet = event.type not in (EventType.ACTION_REFUSED, EventType.AGENT_FAILED)
            return TranscriptEntry("note" if quiet else "refusal", "", words, seq=event.seq, t=event.t)


def _footer(offer: Offer, game: GameSpec, participants: Participants, translate: Language) -> str:
    worths = [
        translate(
            "{name}: {points}",
            name=participants.names[seat],
            points=points_text(mine.utility(offer), translate),
        )
        for seat, mine in game.preferences.items()
    ]
    return SEPARATOR.join(worths if game.is_complete(offer) else [*worths, translate("partial offer")])
