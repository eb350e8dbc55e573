"""Board: the status of each issue between the seats."""

from __future__ import annotations

import pytest

from negoplatform.domain.issue_status_board import Board, IssueStatus, update_positions
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap

TWO = ("human", "agent")
THREE = ("buyer", "seller", "broker")


def apples(*units: int, undecided: int = 0, seats: tuple[str, ...] = TWO) -> Offer:
    return Offer({"apples": Allocation(zip(seats, units, strict=True), undecided)})


def after(board: Board, seat: str, offer: Offer) -> Board:
    return Board(board.seats, update_positions(board.latest, seat, offer))


def day(value: str) -> Offer:
    return Offer({"day": value})


def test_a_partial_offer_leaves_the_other_issues_as_they_were() -> None:
    board = after(Board(TWO), "human", Offer({**dict(apples(6, 0).terms), "day": "Sunday"}))

    later = after(board, "human", day("Friday"))

    assert later.terms("apples") == SeatMap({"human": Allocation({"human": 6})})
    assert later.terms("day") == SeatMap({"human": "Friday"})


def test_an_offer_changes_only_the_terms_of_its_own_seat() -> None:
    board = after(after(Board(TWO), "human", day("Sunday")), "agent", day("Friday"))

    assert board.terms("day") == SeatMap({"human": "Sunday", "agent": "Friday"})


def test_the_board_before_an_offer_stays_as_it_was() -> None:
    before = Board(TWO)

    after(before, "human", day("Sunday"))

    assert before == Board(TWO)


def test_an_issue_is_open_until_every_seat_has_spoken_about_it() -> None:
    board = Board(TWO)

    standings = [board.standing("day"), after(board, "human", day("Sunday")).standing("day")]

    assert standings == [IssueStatus.OPEN, IssueStatus.OPEN]


def test_an_issue_is_agreed_when_both_say_the_same_and_disputed_when_they_do_not() -> None:
    board = after(Board(TWO), "human", day("Sunday"))

    assert after(board, "agent", day("Sunday")).standing("day") is IssueStatus.AGREED
    assert after(board, "agent", day("Friday")).standing("day") is IssueStatus.DISPUTED


def test_undecided_units_keep_an_issue_open_even_if_both_leave_the_same_ones() -> None:
    half = apples(2, 2, undecided=2)
    board = after(after(Board(TWO), "human", half), "agent", half)

    assert board.standing("apples") is IssueStatus.OPEN
    assert after(board, "agent", apples(2, 4)).standing("apples") is IssueStatus.DISPUTED


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ([], IssueStatus.OPEN),
        ([("buyer", "Sunday"), ("seller", "Sunday")], IssueStatus.OPEN),
        ([("buyer", "Sunday"), ("broker", "Friday")], IssueStatus.DISPUTED),
        ([("buyer", "Sunday"), ("seller", "Sunday"), ("broker", "Friday")], IssueStatus.DISPUTED),
        ([("buyer", "Sunday"), ("seller", "Sunday"), ("broker", "Sunday")], IssueStatus.AGREED),
        (
            [("buyer", "Friday"), ("seller", "Sunday"), ("broker", "Sunday"), ("buyer", "Sunday")],
            IssueStatus.AGREED,
        ),
    ],
)
def test_three_seats_agree_only_all_three(said: list[tuple[str, str]], standing: IssueStatus) -> None:
    board = Board(THREE)

    for seat, value in said:
        board = after(board, seat, day(value))

    assert board.standing("day") is standing


def test_an_allocation_that_names_the_seats_in_another_order_agrees_with_the_first() -> None:
    board = after(Board(TWO), "human", apples(2, 4))

    turned = Offer({"apples": Allocation({"agent": 4, "human": 2})})

    assert after(board, "agent", turned).standing("apples") is IssueStatus.AGREED
