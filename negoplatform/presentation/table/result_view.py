"""Result of a game for its participant, computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.core.events import EndedBy, Ending
from negoplatform.core.mechanisms.bargaining import left_out_seats
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.domain.no_deal import no_deal_value
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.presentation.event_texts import ending_text
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.offers.issue_valuation_texts import term_points_text, utility_share
from negoplatform.presentation.offers.term_texts import offer_rows
from negoplatform.presentation.table.table_view import ResultView
from negoplatform.presentation.time_and_points_text import duration_text, format_number, points_text


def end_view(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
    *,
    finished: bool,
    can_talk: bool,
    left_on_table: ParetoImprovement | None = None,
) -> ResultView | None:
    """Return the view of the result; None while the game is running.

    Args:
        state: State of the session, as visible to the participant.
        seat: Seat of the participant.
        names: Display names of the other seats.
        translate: Translation into the window's language.
        finished: Whether the closing is over.
        can_talk: Whether a last message can be sent.
        left_on_table: Possible improvement by another deal, if the game reveals it.
    """
    if state.ending is None:
        return None
    mine, at = state.game.preferences[seat], state.ended_at or 0.0
    points = mechanism_of(state.game.mechanism).points(state, seat)
    without, deal = no_deal_value(state.game, mine, at).best, state.ending.deal
    gain = points - without if points is not None and deal is not None else None
    told, rows = _left_on_table_rows(left_on_table, state, seat, names, translate)
    return ResultView(
        heading=ending_text(state.ending, seat, names, translate, state.game.rules.outvoted),
        rows=_deal_rows(deal, state, seat, names, translate) if isinstance(deal, Offer) else (),
        points=""
        if points is None
        else translate("You get {points}.", points=points_text(points, translate)),
        compared="" if gain is None else compared_with_no_deal(gain, translate),
        better=0 if gain is None else (gain > 0) - (gain < 0),
        advice=_advice(state.ending, translate, finished=finished, can_talk=can_talk),
        share=None if points is None else utility_share(points, mine),
        no_deal_share=utility_share(without, mine),
        facts=_facts(state, seat, names, points, translate),
        left_on_table=told,
        left_on_table_rows=rows,
    )


def compared_with_no_deal(gain: Points, translate: Language) -> str:
    """Return the difference from no deal in words: ``7 points better than no deal``."""
    shown = round(abs(float(gain)), 2)
    if not shown:
        return translate("The same as no deal")
    number = format_number(abs(gain), translate)
    if gain > 0:
        return translate.plural(
            "{n} point better than no deal", "{n} points better than no deal", shown, n=number
        )
    return translate.plural("{n} point worse than no deal", "{n} points worse than no deal", shown, n=number)


def _advice(ending: Ending, translate: Language, *, finished: bool, can_talk: bool) -> str:
    """Return the text about what happens next."""
    if can_talk and not finished:
        advice = translate("You can still send a last message. Press Done when you’re ready.")
    else:
        advice = translate("Your answers have been saved. Thank you!")
    if ending.ended_by in (EndedBy.ABORTED, EndedBy.AGENT_FAILURE) and ending.reason:
        advice = f"{translate(ending.reason)} {advice}"
    return advice


def _left_on_table_rows(
    left: ParetoImprovement | None, state: State, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return whether another deal would have been better, in words, and the rows of that deal."""
    if left is None or state.ending is None:
        return "", ()
    agreed = state.ending.deal is not None
    if left.deal is None:
        if agreed:
            return translate("No other deal would have been better for both of you."), ()
        return translate("There was no deal that would have been better for both of you."), ()
    if not left.for_all:
        told = translate("Another deal would have been better for one of you, and no worse for the other:")
    elif agreed:
        told = translate("Another deal would have been better for both of you:")
    else:
        told = translate("This deal would have been better for both of you than no deal:")
    mine = state.game.preferences[seat]
    worth = points_text(mine.utility(left.deal) - mine.cost_at(state.ended_at or 0.0), translate)
    rows = offer_rows(left.deal, state.game, seat, names, translate)
    return told, (*rows, (translate("Points for you"), worth))


def _deal_rows(
    deal: Offer, state: State, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> tuple[tuple[str, str, str], ...]:
    """Return the deal, issue by issue, with the participant's points of each issue by itself.

    A deal that leaves the participant out is worth nothing to them, so its rows have no points.
    """
    mine = state.game.preferences[seat]
    left_out = state.ending is not None and seat in left_out_seats(state.game, state.ending)
    worths = []
    for issue in state.game.issues:
        term = deal.get(issue.name)
        if term is not None:
            level = term if isinstance(term, str | int | float) else term.of(seat)
            worths.append("" if left_out else term_points_text(issue, level, mine, translate))
    rows = offer_rows(deal, state.game, seat, names, translate)
    return tuple((*row, worth) for row, worth in zip(rows, worths, strict=True))


def _facts(
    state: State, seat: Seat, names: Mapping[Seat, str], points: Points | None, translate: Language
) -> tuple[tuple[str, str], ...]:
    """Return further facts for the participant; about the other side, only those that the game reveals."""
    mine, at = state.game.preferences[seat], state.ended_at or 0.0
    facts = [(translate("You negotiated for"), duration_text(at, translate))]
    if state.ending is not None and state.ending.deal is not None:
        if cost := mine.cost_at(at):
            facts.append((translate("Time costs"), points_text(-cost, translate)))
        facts.append(
            (translate("Without a deal"), points_text(no_deal_value(state.game, mine, at).best, translate))
        )
    if points is not None:
        facts.append((translate("The most you could get"), points_text(mine.utility.highest, translate)))
    for other in state.game.others(seat):
        # The game's rules reveal points only to those who may see the preferences behind them.
        seen = other in state.game.preferences
        theirs = mechanism_of(state.game.mechanism).points(state, other) if seen else None
        if theirs is not None:
            facts.append((translate("{name} gets", name=names[other]), points_text(theirs, translate)))
    return tuple(facts)
