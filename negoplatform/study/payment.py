"""Payment of a participant in exact decimals: show-up, points, bonuses, bounds and rounding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal, localcontext
from fractions import Fraction
from typing import Any

from negoplatform.study.condition import Value
from negoplatform.study.study_file import PaidPoints, PaymentModel

EXACT = Context(prec=60, traps=[])


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """Game that may be paid.

    Args:
        step: Its step in the visit, such as ``r.1``.
        points: The participant's points; None if the game gave none.
        agreement: Whether it ended in a deal.
    """

    step: str
    points: Fraction | None
    agreement: bool


@dataclass(frozen=True, slots=True)
class PaymentPart:
    """Part of a payment.

    Args:
        kind: ``show_up``, ``points``, ``bonus``, ``least``, ``most`` or ``rounding``.
        amount: Its amount; below zero where a bound lowers the payment.
        about: The steps that are paid, or the reference of a bonus.
        points: The points that are paid, as they are multiplied by the rate; None for other parts.
    """

    kind: str
    amount: Decimal
    about: tuple[str, ...] = ()
    points: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Payment:
    """Payment of a participant.

    Args:
        amount: The amount, which is the sum of the parts.
        parts: Its parts, in the order in which they are computed.
        currency: The currency.
    """

    amount: Decimal
    parts: tuple[PaymentPart, ...]
    currency: str

    @property
    def part_records(self) -> list[dict[str, Any]]:
        """The parts as they are recorded."""
        return [
            {
                "kind": part.kind,
                "amount": f"{part.amount:f}",
                "about": list(part.about),
                "points": None if part.points is None else str(part.points),
            }
            for part in self.parts
        ]


def compute_payment(
    rules: PaymentModel,
    rounds: Sequence[PlayedRound],
    drawn: Sequence[str],
    value_of: Callable[[str], Value],
) -> Payment:
    """Return a payment.

    Args:
        rules: The study's rules.
        rounds: The games that the participant has finished, in their order.
        drawn: The steps of all games in the order that was drawn at assignment: of the games that were
            played, the first ones are paid.
        value_of: Returns the value of a reference, for bonuses.
    """
    parts = [PaymentPart("show_up", rules.show_up)] if rules.show_up else []
    if rules.points is not None:
        parts.append(_points_part(rules.points, rounds, drawn))
    parts += [
        PaymentPart("bonus", _bonus(bonus.amount, value_of(bonus.for_)), (bonus.for_,))
        for bonus in rules.bonuses
    ]
    with localcontext(EXACT):
        total = sum((part.amount for part in parts), Decimal(0))
        # Negative points never become a debt.
        least = rules.least if rules.least is not None else Decimal(0)
        bounded = max(total, least)
        if bounded != total:
            parts.append(PaymentPart("least", bounded - total))
        if rules.most is not None and bounded > rules.most:
            parts.append(PaymentPart("most", rules.most - bounded))
            bounded = rules.most
        paid = round_up(bounded, rules.round_up_to)
        if paid != bounded:
            parts.append(PaymentPart("rounding", paid - bounded))
    return Payment(paid, tuple(parts), rules.currency)


def round_up(amount: Decimal, to: Decimal | None) -> Decimal:
    """Return an amount rounded up to a multiple; None: to a hundredth, because nothing smaller is paid."""
    unit = to if to is not None else Decimal("0.01")
    with localcontext(EXACT):
        return (amount / unit).to_integral_value(rounding=ROUND_CEILING) * unit


def two_decimals(amount: Decimal) -> str:
    """Return an amount with at least two decimals: 3.40 for 3.4, and 0.125 unchanged."""
    places = -int(amount.as_tuple().exponent)
    return f"{amount:.2f}" if places < 2 else f"{amount:f}"


def paid_rounds(rules: PaidPoints, rounds: Sequence[PlayedRound], drawn: Sequence[str]) -> list[PlayedRound]:
    """Return the games that are paid, in the order of play."""
    counted = [one for one in rounds if one.points is not None]
    if not counted:
        return []
    match rules.rounds:
        case "sum" | "mean":
            return counted
        case "best":
            worth = [_worth(rules, one) for one in counted]
            return [counted[worth.index(max(worth))]]
        case "draw_one" | "draw_n":
            place = {step: i for i, step in enumerate(drawn)}
            by_draw = sorted(counted, key=lambda one: place.get(one.step, len(place)))
            chosen = by_draw[: rules.n or 1]
            return [one for one in counted if one in chosen]


def _worth(rules: PaidPoints, one: PlayedRound) -> Fraction:
    if one.points is None or (not one.agreement and not rules.no_deal_counts):
        return Fraction(0)
    return one.points


def _points_part(rules: PaidPoints, rounds: Sequence[PlayedRound], drawn: Sequence[str]) -> PaymentPart:
    paid = paid_rounds(rules, rounds, drawn)
    points = sum((_worth(rules, one) for one in paid), Fraction(0))
    if rules.rounds == "mean" and paid:
        points /= len(paid)
    return PaymentPart("points", _times(rules.rate, points), tuple(one.step for one in paid), points)


def _bonus(amount: Decimal, value: Value) -> Decimal:
    if isinstance(value, bool):
        return amount if value else Decimal(0)
    if isinstance(value, int | Decimal):
        return _times(amount, Fraction(value))
    return Decimal(0)


def _times(amount: Decimal, number: Fraction) -> Decimal:
    """Return a product in six decimals, rounded up: a third of a cent is not lost before it is rounded."""
    exact = Fraction(amount) * number * 10**6
    return Decimal(-((-exact.numerator) // exact.denominator)).scaleb(-6, EXACT).normalize(EXACT)
