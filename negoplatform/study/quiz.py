"""Quiz: right answers, also those computed from the participant's own profile."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.study.stages import GameAnswer, GivenOffer, QuestionModel


def correct_answer(question: QuestionModel, game: GameSpec | None, seat: Seat) -> int | Decimal:
    """Return the right answer of a question: the number, or the position of the choice from 1.

    Args:
        question: The question.
        game: The game that the answer is computed from, with the participant's profile; None: it has none.
        seat: The participant's seat.

    Raises:
        NegoError: If the answer cannot be computed from the game.
    """
    wanted = question.correct
    if not isinstance(wanted, GameAnswer):
        return wanted
    assert game is not None, "the caller knows the game"
    if game.economy is not None:
        raise NegoError(
            f"{game.name} is a game without offers, so no answer is computed from it; write the answer"
        )
    preferences = game.preferences[seat]
    match wanted.is_:
        case "no_deal":
            return _number(preferences.reservation_value)
        case "worth_of_offer":
            assert question.offer is not None, "checked when the file is read"
            return _number(preferences.utility(given_offer(question.offer, game, seat)))
        case "most_possible":
            return _number(preferences.utility.highest)
        case "best_issue":
            spans = [_span(game, seat, issue.name) for issue in game.issues]
            if spans.count(max(spans)) > 1:
                raise NegoError(f"two issues of {game.name} matter equally, so there is no right answer")
            return spans.index(max(spans)) + 1


def given_offer(given: GivenOffer, game: GameSpec, seat: Seat) -> Offer:
    """Return the offer of a question; the rest of each quantity goes to the other seat.

    Raises:
        NegoError: If it does not fit the game, or leaves an issue open.
    """
    (other,) = [one for one in game.seats if one != seat]
    terms: dict[str, Term] = {}
    for issue in game.issues:
        if issue.name not in given.you_get and not isinstance(issue, QuantityIssue):
            raise NegoError(f"the offer says nothing about {issue.name!r}")
        value: Any = given.you_get.get(issue.name, 0)
        match issue:
            case QuantityIssue():
                if not isinstance(value, int) or not 0 <= value <= issue.quantity:
                    raise NegoError(f"of {issue.name!r} there are 0 to {issue.quantity}, not {value}")
                terms[issue.name] = Allocation({seat: value, other: issue.quantity - value})
            case CategoricalIssue():
                if value not in issue.values:
                    raise NegoError(f"{issue.name!r} is never {value!r}; it is {', '.join(issue.values)}")
                terms[issue.name] = value
            case NumberIssue():
                number = float(value) if isinstance(value, Decimal) else value
                terms[issue.name] = int(number) if float(number).is_integer() else number
    for name in given.you_get:
        if name not in terms:
            raise NegoError(f"the game has no issue {name!r}; it has {', '.join(terms)}")
    offer = Offer(terms)
    game.check_offer(offer)
    return offer


def _span(game: GameSpec, seat: Seat, issue: str) -> Fraction:
    """Return the difference between the best and the worst points of an issue."""
    additive: AdditiveUtility | None = getattr(game.preferences[seat].utility, "additive", None)
    if additive is None:
        raise NegoError(f"the points of {game.name} do not come from single issues")
    points = [Fraction(str(value)) for value in additive.tables[issue].values()]
    return max(points) - min(points)


def _number(points: Any) -> int | Decimal:
    exact = Fraction(str(points)) if not isinstance(points, Fraction) else points
    return int(exact) if exact.denominator == 1 else Decimal(str(float(exact)))
