"""Rows of the tables of a payment and of a round's result."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from negoplatform.presentation.bidi import LEFT_TO_RIGHT
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.time_and_points_text import format_number, points_text
from negoplatform.study.local_text import text_in
from negoplatform.study.payment import PaymentPart, PlayedRound
from negoplatform.study.stages import RoundsStage
from negoplatform.study.study_file import PaidPoints
from negoplatform.study.visit_events import SessionClosed
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import VisitStep


def money_text(amount: Decimal, currency: str, translate: Language) -> str:
    """Return an amount and its currency, which are not divided between two lines: ``14.30 EUR``.

    There are two decimals, and further ones only where they are not 0. In a language that is read from
    right to left, marks keep the currency after the number.
    """
    text = f"{amount.normalize():f}"
    places = len(text.partition(".")[2])
    number = translate.localize_number(f"{amount:.{max(2, places)}f}")
    shown = f"{number}\N{NO-BREAK SPACE}{currency}"
    return f"{LEFT_TO_RIGHT}{shown}{LEFT_TO_RIGHT}" if translate.rtl else shown


def payment_rows(state: VisitState, translate: Language) -> tuple[tuple[str, str], ...]:
    """Return how a payment is computed: every game that may be paid, then every part of the payment."""
    payment, rules = state.payment, state.model.payment
    if payment is None or rules is None:
        return ()
    rows: list[tuple[str, str]] = []
    for part in payment.parts:
        if part.kind == "points" and rules.points is not None:
            rows += _game_rows(state, rules.points, part, translate)
        label = _part_label(state, part, rules.points, translate)
        rows.append((label, money_text(part.amount, payment.currency, translate)))
    return tuple(rows)


def _game_rows(
    state: VisitState, rules: PaidPoints, part: PaymentPart, translate: Language
) -> Iterator[tuple[str, str]]:
    for one in state.played_rounds(rules.stages):
        if one.points is None:
            continue
        label = translate(
            "{game}: {points}", game=_game_name(state, one, translate), points=_points(one.points, translate)
        )
        match rules.rounds:
            case "draw_one" | "draw_n":
                chosen = translate("drawn for payment") if one.step in part.about else translate("not drawn")
            case "best":
                chosen = translate("your best round") if one.step in part.about else ""
            case _:
                chosen = "" if one.agreement or rules.no_deal_counts else translate("no deal, not paid")
        yield label, chosen


def _game_name(state: VisitState, one: PlayedRound, translate: Language) -> str:
    step = state.step_named(one.step)
    assert step is not None, "a game was played in a step of the visit"
    title = "" if step.stage.title is None else text_in(step.stage.title, translate.code)
    if not step.round:
        closed = state.sessions.get(one.step)
        without_deals = isinstance(closed, SessionClosed) and closed.is_complete_without_deal
        return title or (translate("Game") if without_deals else translate("Negotiation"))
    number = translate("Round {n}", n=step.round)
    rules = state.model.payment
    several = rules is not None and rules.points is not None and len(rules.points.stages) > 1
    return f"{title}, {number}" if title and several else number


def _part_label(state: VisitState, part: PaymentPart, rules: PaidPoints | None, translate: Language) -> str:
    match part.kind:
        case "show_up":
            return translate("For taking part")
        case "points":
            assert rules is not None
            assert part.points is not None
            points = _points(part.points, translate)
            assert state.payment is not None
            rate = money_text(rules.rate, state.payment.currency, translate)
            if rules.rounds == "mean":
                return translate("Average of your rounds: {points} × {rate}", points=points, rate=rate)
            return translate("Your points: {points} × {rate}", points=points, rate=rate)
        case "bonus":
            where = part.about[0].rpartition(".")[0]
            step = state.step_named(where)
            title = None if step is None else step.stage.title
            if title is None:
                return translate("Bonus")
            return translate("Bonus: {title}", title=text_in(title, translate.code))
        case "least":
            return translate("Added to reach the lowest payment")
        case "most":
            return translate("Reduced to the highest payment")
        case _:
            return translate("Rounded up")


def _points(points: Fraction, translate: Language) -> str:
    whole = points.denominator == 1
    return points_text(int(points) if whole else float(points), translate)


def result_rows(state: VisitState, step: VisitStep, translate: Language) -> tuple[tuple[str, str], ...]:
    """Return how a round ended for the participant, and the sum of the points so far if it is shown."""
    assert isinstance(step.stage, RoundsStage), "only rounds have results"
    closed = state.sessions.get(step.id.rpartition(".")[0])
    if not isinstance(closed, SessionClosed):
        return ()
    if closed.is_complete_without_deal:
        ended = translate("Played to the end")
    else:
        ended = translate("With a deal") if closed.agreement else translate("Without a deal")
    rows = [(translate("How it ended"), ended)]
    if closed.points is not None:
        rows.append((translate("Your points in this round"), _number(Fraction(closed.points), translate)))
    if step.stage.show_result == "sum":
        played = state.played_rounds((step.stage.id,))
        total = sum((one.points for one in played if one.points is not None), Fraction(0))
        rows.append((translate("Your points so far"), _number(total, translate)))
    return tuple(rows)


def _number(points: Fraction, translate: Language) -> str:
    return format_number(int(points) if points.denominator == 1 else float(points), translate)
