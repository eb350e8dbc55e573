"""Deals that not all seats have to accept, what they mean for the others, and turns."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negoplatform.core.events import EndedBy, Ending, Event, EventType, Expression
from negoplatform.core.mechanisms.bargaining import turn_of
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.domain.agreement_rules import Agreement, Outvoted, Quota, Turns, acceptances_needed
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.events import decode_event, encode_event
from negoplatform.formats.games import dump_game
from negoplatform.testing import TrialTable
from tests.games import coins_only, make_game, three_seats, with_rules

RED: dict[str, Any] = {"coins": (2, 1, 1), "colour": "red"}
GREEN: dict[str, Any] = {"coins": (1, 2, 1), "colour": "green"}
AT = "2025-01-31T12:00:00.000Z"

both_rules = pytest.mark.parametrize("acceptance", list(Acceptance))


def three(**rules: Any) -> TrialTable:
    return TrialTable(three_seats(**rules))


def ending_of(table: TrialTable) -> Ending:
    assert table.state.ending is not None
    return table.state.ending


def points_of(table: TrialTable) -> dict[Seat, float | None]:
    return {seat: mechanism_of("bargaining").points(table.state, seat) for seat in table.state.game.seats}


def seats_up_to_eight(count: int, **rules: Any) -> GameSpec:
    tables = {f"s{i}": {"coins": list(range(count + 1))} for i in range(count)}
    return make_game(tables, issues=(QuantityIssue("coins", count),), **rules)


# How many seats make a deal


@pytest.mark.parametrize(("seats", "needed"), [(2, 2), (3, 2), (4, 3), (5, 3), (8, 5)])
def test_a_majority_is_more_than_half_of_the_seats(seats: int, needed: int) -> None:
    assert acceptances_needed(Agreement.MAJORITY, seats) == needed
    assert acceptances_needed(Agreement.UNANIMOUS, seats) == seats
    assert acceptances_needed(Quota(2), seats) == 2


def test_under_both_confirm_a_majority_closes_once_the_maker_confirms() -> None:
    table = three(agreement=Agreement.MAJORITY)
    offer = table.participant("red").offers(RED)

    table.participant("green").accepts(offer)
    before = table.state.ending
    table.participant("red").accepts(offer)

    assert before is None
    assert ending_of(table).signed_by == ("red", "green")
    assert ending_of(table).by == "red"


def test_without_its_maker_no_number_of_others_makes_a_deal_of_an_offer() -> None:
    table = three(agreement=Quota(2))
    offer = table.participant("red").offers(RED)

    table.participant("green").accepts(offer)
    table.participant("blue").accepts(offer)
    before = table.state.ending
    table.participant("red").accepts(offer)

    assert before is None
    assert ending_of(table).signed_by == (), "all three have signed"


def test_under_maker_accepts_one_other_of_three_makes_a_majority() -> None:
    table = three(agreement=Agreement.MAJORITY, acceptance=Acceptance.MAKER_ACCEPTS)
    offer = table.participant("red").offers(RED)

    table.participant("blue").accepts(offer)

    assert ending_of(table).signed_by == ("red", "blue")


def test_an_unanimous_deal_names_nobody_who_signed() -> None:
    table = three(agreement=Quota(3), acceptance=Acceptance.MAKER_ACCEPTS)
    offer = table.participant("red").offers(RED)

    for seat in ("blue", "green"):
        table.participant(seat).accepts(offer)

    assert ending_of(table).signed_by == ()
    assert all(ending_of(table).is_signed_by(seat) for seat in ("red", "green", "blue"))


def test_nobody_has_signed_where_there_is_no_deal() -> None:
    table = three(agreement=Quota(2))

    table.participant("red").quits()

    assert not ending_of(table).is_signed_by("red")


@st.composite
def votes(draw: st.DrawFn) -> tuple[GameSpec, list[tuple[int, bool]]]:
    """Draw a game with two to eight seats and a quota, and moves: a seat that offers, or that accepts."""
    count = draw(st.integers(2, 8))
    game = seats_up_to_eight(
        count,
        agreement=Quota(draw(st.integers(2, count))),
        acceptance=draw(st.sampled_from(Acceptance)),
        outvoted=draw(st.sampled_from(Outvoted)),
    )
    moves = st.tuples(st.integers(0, count - 1), st.sampled_from([True, False, False, False, False]))
    return game, draw(st.lists(moves, min_size=1, max_size=30))


@settings(max_examples=200)
@given(votes())
def test_a_game_ends_exactly_when_a_quota_has_accepted_the_same_offer_and_its_maker_too(
    vote: tuple[GameSpec, list[tuple[int, bool]]],
) -> None:
    game, moves = vote
    table = TrialTable(game)
    maker, accepted = "", set[Seat]()

    for number, offers in moves:
        seat = game.seats[number]
        if table.state.ending is None:
            if offers:
                maker = seat
                accepted = {seat} if game.rules.acceptance is Acceptance.MAKER_ACCEPTS else set()
            elif maker:
                accepted.add(seat)
        act = partial(table.participant(seat).offers, coins=[1] * len(game.seats)) if offers else None
        with suppress(Refused):
            (act or table.participant(seat).accepts)()

        agreed = maker in accepted and len(accepted) >= game.acceptances_needed
        assert (table.state.ending is not None) is agreed
        if agreed:
            signed = tuple(seat for seat in game.seats if ending_of(table).is_signed_by(seat))
            assert set(signed) == accepted
            left_out = game.rules.outvoted is Outvoted.LEFT_OUT
            assert points_of(table) == {s: 0 if left_out and s not in accepted else 1 for s in game.seats}


# What a deal means for those who have not accepted it


def test_those_who_are_outvoted_are_bound_unless_the_game_says_otherwise() -> None:
    table = three(agreement=Quota(2), acceptance=Acceptance.MAKER_ACCEPTS)

    table.participant("green").accepts(table.participant("red").offers(RED))

    assert points_of(table) == {"red": 7, "green": 2, "blue": 2}


def test_those_who_are_left_out_get_their_reservation_value() -> None:
    table = three(agreement=Quota(2), acceptance=Acceptance.MAKER_ACCEPTS, outvoted=Outvoted.LEFT_OUT)

    table.participant("green").accepts(table.participant("red").offers(RED))

    assert points_of(table) == {"red": 7, "green": 2, "blue": 1}


def test_nobody_is_left_out_of_a_deal_that_all_have_accepted() -> None:
    table = three(outvoted=Outvoted.LEFT_OUT)
    offer = table.participant("red").offers(RED)

    for seat in ("red", "green", "blue"):
        table.participant(seat).accepts(offer)

    assert points_of(table) == {"red": 7, "green": 2, "blue": 2}


# In the log


def ends_with_two_of_three() -> list[Event]:
    table = three(agreement=Quota(2), acceptance=Acceptance.MAKER_ACCEPTS)
    table.participant("green").accepts(table.participant("red").offers(RED))
    return table.events


def test_the_log_holds_who_signed_only_if_not_all_did(table: TrialTable) -> None:
    offer = table.human.offers(bananas=4, grain=5, wood=3, spices=3)
    table.human.accepts(offer)
    table.agent.accepts(offer)

    of_all, of_two = (encode_event(events[-1], AT) for events in (table.events, ends_with_two_of_three()))

    assert b"signed_by" not in of_all
    assert b'"signed_by":["red","green"]' in of_two
    assert decode_event(of_two, "log", "line 1")[0].payload.signed_by == ("red", "green")


def test_a_game_that_sets_none_of_these_rules_says_nothing_about_them() -> None:
    plain = dump_game(three_seats())["rules"]
    voted = dump_game(three_seats(agreement=Quota(2), outvoted=Outvoted.LEFT_OUT, turns=Turns.ALTERNATING))[
        "rules"
    ]

    assert not {"agreement", "outvoted", "turns"} & set(plain)
    assert (voted["agreement"], voted["outvoted"], voted["turns"]) == (
        {"quota": 2},
        "left_out",
        "alternating",
    )


# Turns


def alternating(**rules: Any) -> TrialTable:
    table = three(turns=Turns.ALTERNATING, **rules)
    table.start()
    return table


@both_rules
def test_seats_that_take_turns_act_in_the_order_of_the_game(acceptance: Acceptance) -> None:
    table = alternating(acceptance=acceptance)
    turns = [turn_of(table.state)]

    for offer, seat in ((RED, "red"), (GREEN, "green"), (RED, "blue"), (GREEN, "red")):
        table.participant(seat).offers(offer)
        turns.append(turn_of(table.state))

    assert turns == ["red", "green", "blue", "red", "green"]


def test_an_acceptance_of_anothers_offer_passes_the_turn_on() -> None:
    table = alternating()
    table.participant("red").offers(RED)

    table.participant("green").accepts()
    after_one = turn_of(table.state)
    table.participant("blue").accepts()

    assert (after_one, turn_of(table.state)) == ("blue", "red")


@pytest.mark.parametrize(
    "act",
    [
        lambda seat: seat.offers(GREEN),
        lambda seat: seat.accepts(),
    ],
    ids=["offers", "accepts"],
)
def test_whoever_acts_out_of_turn_is_refused_in_a_sentence(act: Callable[[Any], object]) -> None:
    table = alternating()
    table.participant("red").offers(RED)

    with pytest.raises(Refused, match="It’s not your turn yet"):
        act(table.participant("blue"))

    assert table.state.ending is None
    assert turn_of(table.state) == "green"
    assert not table.context("blue").can_formally_accept()
    assert (table.context("blue").may_move(), table.context("green").may_move()) == (False, True)
    assert table.context("blue").turn == "green"


def test_a_seat_may_walk_away_out_of_turn() -> None:
    table = alternating()
    table.participant("red").offers(RED)

    table.participant("blue").quits()

    assert (ending_of(table).ended_by, ending_of(table).by) == (EndedBy.QUIT, "blue")


def test_talk_faces_and_drafts_need_no_turn() -> None:
    table = alternating()

    for seat in map(table.participant, ("blue", "green", "red")):
        seat.says("Hello")
        seat.shows(Expression.HAPPY)
        seat.types()
        seat.drafts()

    assert EventType.ACTION_REFUSED not in table.kinds()
    assert turn_of(table.state) == "red"


def test_a_maker_confirms_its_own_offer_at_any_time_and_passes_no_turn_on() -> None:
    table = alternating()
    table.participant("red").offers(RED)

    promised = table.context("red").can_formally_accept()
    table.participant("red").accepts()

    assert promised
    assert turn_of(table.state) == "green"


def test_a_majority_can_agree_in_turns_before_the_last_seat_has_moved() -> None:
    table = alternating(agreement=Agreement.MAJORITY)
    table.participant("red").offers(RED)
    table.participant("green").accepts()

    table.participant("red").accepts()

    assert ending_of(table).signed_by == ("red", "green")


@both_rules
def test_all_can_agree_in_turns(acceptance: Acceptance) -> None:
    table = alternating(acceptance=acceptance)
    table.participant("red").offers(RED)
    table.participant("green").accepts()

    table.participant("blue").accepts()
    if acceptance is Acceptance.BOTH_CONFIRM:
        table.participant("red").accepts()

    assert ending_of(table).ended_by is EndedBy.AGREEMENT


def test_a_partial_offer_is_a_turn_too() -> None:
    table = alternating()

    table.participant("red").offers(colour="red")

    assert turn_of(table.state) == "green"


def test_in_a_game_without_turns_it_is_nobodys_turn() -> None:
    table = TrialTable(coins_only())
    table.start()

    assert table.context("human").turn is None
    assert table.context("agent").may_move()


def test_nobody_may_move_before_the_start_and_after_the_end() -> None:
    table = TrialTable(with_rules(coins_only(), turns=Turns.ALTERNATING))

    before = table.context("human").may_move()
    table.human.quits()

    assert not before
    assert not table.context("human").may_move()


# In words


def test_the_state_in_words_says_how_many_are_needed_and_whose_turn_it_is() -> None:
    table = alternating(agreement=Quota(2))
    mechanism = mechanism_of("bargaining")
    empty = mechanism.describe(table.state)
    table.participant("red").offers(RED)

    described = mechanism.describe(table.state)

    assert empty[1:] == ["on the table: nothing", "turn: red"]
    assert described[1:] == [
        "on the table: offer 2 of red, accepted by nobody (2 of 3 needed)",
        "turn: green",
    ]
