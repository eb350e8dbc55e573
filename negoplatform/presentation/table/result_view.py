"""Result of a game for its participant, computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.core.events import EndedBy, Ending, EventType
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.assistant_texts import summary_facts
from negoplatform.presentation.event_texts import ending_text
from negoplatform.presentation.game_words import game_words
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.table.table_view import ResultView
from negoplatform.presentation.table.work_presenter import WorkResult
from negoplatform.presentation.time_and_points_text import duration_text, points_text


def end_view(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
    *,
    work: WorkResult,
    finished: bool,
    can_talk: bool,
) -> ResultView:
    """Return the view of the result of a game that has ended.

    Args:
        state: State of the session, as visible to the participant.
        seat: Seat of the participant.
        names: Display names of the other seats.
        translate: Translation into the window's language.
        work: What the mechanism shows of the result.
        finished: Whether the closing is over.
        can_talk: Whether a last message can be sent.
    """
    assert state.ending is not None, "only a game that has ended has a result"
    return ResultView(
        heading=ending_text(
            state.ending,
            seat,
            names,
            translate,
            state.game.rules.outvoted,
            mechanism=state.game.mechanism,
            last_offer=work.is_last_offer_unanswered,
        ),
        rows=work.rows,
        points=work.points,
        compared=work.compared,
        better=work.better,
        advice=_advice(state.ending, translate, finished=finished, can_talk=can_talk),
        share=work.share,
        no_deal_share=work.no_deal_share,
        facts=(
            (
                translate(game_words(state.game.mechanism).lasted),
                duration_text(_time_played(state, seat), translate),
            ),
            *work.facts,
            *_points_of_others(state, seat, names, translate),
            *summary_facts(state, seat, names, translate),
        ),
        left_on_table=work.left_on_table,
        left_on_table_rows=work.left_on_table_rows,
    )


def _time_played(state: State, seat: Seat) -> float:
    """Return the session time, in seconds, at which a seat left, or else the game ended."""
    left = (
        event.t
        for event in state.transcript_of(seat)
        if event.type == EventType.FORMAL_QUIT and event.sender == seat
    )
    return next(left, state.ended_at or 0.0)


def _advice(ending: Ending, translate: Language, *, finished: bool, can_talk: bool) -> str:
    """Return the text about what happens next."""
    if can_talk and not finished:
        advice = translate("You can still send a last message. Press Done when you’re ready.")
    else:
        advice = translate("Everything has been saved. Thank you!")
    if ending.ended_by in (EndedBy.ABORTED, EndedBy.AGENT_FAILURE) and ending.reason:
        advice = f"{translate(ending.reason)} {advice}"
    return advice


def _points_of_others(
    state: State, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> tuple[tuple[str, str], ...]:
    """Return the others' points, as far as the game reveals them."""
    rows = []
    for other in state.game.others(seat):
        # The game's rules reveal points only to those who may see the preferences behind them.
        seen = other in state.game.known_seats
        theirs = mechanism_of(state.game.mechanism).points(state, other) if seen else None
        if theirs is not None:
            rows.append((translate("{name} gets", name=names[other]), points_text(theirs, translate)))
    return tuple(rows)
