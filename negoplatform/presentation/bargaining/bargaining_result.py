"""Result of bargaining for a participant: the deal, its worth, and better deals; computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.core.mechanisms.bargaining import (
    is_last_offer_unanswered,
    left_out_seats,
    offers_made,
    points_over_time,
)
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.domain.no_deal import no_deal_value
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.offers.issue_valuation_texts import term_points_text, utility_share
from negoplatform.presentation.offers.term_texts import offer_rows
from negoplatform.presentation.table.work_presenter import WorkResult
from negoplatform.presentation.time_and_points_text import format_number, points_text


def bargaining_result(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
    left_on_table: ParetoImprovement | None = None,
) -> WorkResult:
    """Return what is shown of the result of a game that has ended.

    Args:
        state: State of the session, as visible to the participant.
        seat: Seat of the participant.
        names: Display names of the other seats.
        translate: Translation into the window's language.
        left_on_table: Possible improvement by another deal, if the game reveals it.
    """
    mine, at = state.game.preferences[seat], state.ended_at or 0.0
    points = mechanism_of(state.game.mechanism).points(state, seat)
    deal = None if state.ending is None else state.ending.deal
    without = no_deal_value(state.game, mine, at, offers_made(state)).best
    gain = points - without if points is not None and deal is not None else None
    sentence, rows = _left_on_table_rows(left_on_table, state, seat, names, translate)
    return WorkResult(
        points=""
        if points is None
        else translate("You get {points}.", points=points_text(points, translate)),
        rows=_deal_rows(deal, state, seat, names, translate) if isinstance(deal, Offer) else (),
        compared="" if gain is None else compared_with_no_deal(gain, translate),
        better=0 if gain is None else (gain > 0) - (gain < 0),
        share=None if points is None else utility_share(points, mine),
        no_deal_share=utility_share(without, mine),
        facts=_facts(state, seat, points, translate),
        is_last_offer_unanswered=is_last_offer_unanswered(state),
        left_on_table=sentence,
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


def _left_on_table_rows(
    left: ParetoImprovement | None, state: State, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return whether another deal would have been better, in words, and the rows of that deal."""
    if left is None or state.ending is None:
        return "", ()
    sentence = _left_on_table_text(
        left, translate, agreed=state.ending.deal is not None, several=len(names) > 1
    )
    if left.deal is None:
        return sentence, ()
    mine = state.game.preferences[seat]
    worth = points_text(
        points_over_time(state, mine, mine.utility(left.deal), state.ended_at or 0.0), translate
    )
    rows = offer_rows(left.deal, state.game, seat, names, translate)
    return sentence, (*rows, (translate("Points for you"), worth))


def _left_on_table_text(left: ParetoImprovement, translate: Language, *, agreed: bool, several: bool) -> str:
    """Return whether another deal would have been better; ``several``: whether there are several others."""
    if left.deal is None and agreed:
        if several:
            return translate("No other deal would have been better for all of you.")
        return translate("No other deal would have been better for both of you.")
    if left.deal is None:
        if several:
            return translate("There was no deal that would have been better for all of you.")
        return translate("There was no deal that would have been better for both of you.")
    if not left.for_all:
        if several:
            return translate("Another deal would have been better for some of you, and no worse for anyone:")
        return translate("Another deal would have been better for one of you, and no worse for the other:")
    if agreed:
        if several:
            return translate("Another deal would have been better for all of you:")
        return translate("Another deal would have been better for both of you:")
    if several:
        return translate("This deal would have been better for all of you than no deal:")
    return translate("This deal would have been better for both of you than no deal:")


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
    state: State, seat: Seat, points: Points | None, translate: Language
) -> tuple[tuple[str, str], ...]:
    """Return further facts for the participant."""
    mine, at = state.game.preferences[seat], state.ended_at or 0.0
    facts = []
    if state.ending is not None and state.ending.deal is not None:
        if cost := mine.cost_at(at):
            facts.append((translate("Time costs"), points_text(-cost, translate)))
        if mine.discount_factor != 1:
            left = format_number(
                100 * mine.discount_factor ** state.game.rules.progress(at, offers_made(state)), translate
            )
            facts.append((translate("Left of all points"), translate("{percent} %", percent=left)))
        facts.append(
            (
                translate("Without a deal"),
                points_text(no_deal_value(state.game, mine, at, offers_made(state)).best, translate),
            )
        )
    if points is not None:
        facts.append((translate("The most you could get"), points_text(mine.utility.highest, translate)))
    return tuple(facts)
