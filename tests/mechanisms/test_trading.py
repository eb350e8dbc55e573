"""Trading: private data, dialogues, transactions that both sides request, and what the original got wrong."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from negoplatform.core.events import EndedBy
from negoplatform.core.mechanisms.trading_checks import MOST_WAITING_REQUESTS
from negoplatform.core.mechanisms.trading_state import (
    Tape,
    TransactionRequested,
    trading_state,
)
from negoplatform.core.visibility import Observer, view_of, visible_event
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec, Rules
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.trading.economy import Endowment, Good, Quantities
from tests.mechanisms.trading_table import ONE, THREE, TWO, Table, table, worked_example


def test_the_worked_example_begins_with_its_scores() -> None:
    assert table().scores() == [213.86, 141.59]


@pytest.mark.parametrize(("fee", "after"), [(0, [259.31, 142.96]), (1.0, [258.81, 142.46])])
def test_the_worked_example_ends_with_its_scores(fee: float, after: list[float]) -> None:
    market = table(fee=fee)

    market.submit(ONE, TWO, buyer=True, units={"good_1": 1, "good_2": 0})
    market.submit(TWO, ONE, buyer=False)

    assert market.scores() == after


def test_every_seat_receives_its_own_data_at_the_start_and_nobody_else_s() -> None:
    market = table(fee=1.0)

    data = {event.to: event.data for event in market.facts("game-data")}

    assert set(data) == {(ONE,), (TWO,)}
    assert data[(ONE,)] == {
        "money": 200,
        "endowment": [1, 2],
        "utility_params": [80.0, 20.0],
        "nb_agents": 2,
        "nb_goods": 2,
        "tx_fee": 1.0,
        "agent_pbk_to_name": {ONE: ONE, TWO: TWO},
        "good_pbk_to_name": {"good_1": "good_1", "good_2": "good_2"},
        "endowment_by_good": {"good_1": 1, "good_2": 2},
        "utility_params_by_good": {"good_1": 80.0, "good_2": 20.0},
    }
    assert market.context(ONE).trading.game_data.utility_params == [80.0, 20.0]


def test_the_data_at_the_start_names_the_agents_and_the_goods_for_people() -> None:
    game = worked_example()
    assert game.economy is not None
    goods = (Good("good_1", "Wool"), Good("good_2"))
    named = replace(game, names=SeatMap({TWO: "Robin"}), economy=replace(game.economy, goods=goods))
    market = Table(named)
    market.start()

    for event in market.facts("game-data"):
        assert event.data["agent_pbk_to_name"] == {ONE: ONE, TWO: "Robin"}
        assert event.data["good_pbk_to_name"] == {"good_1": "Wool", "good_2": "good_2"}
    assert market.context(ONE).trading.game_data.agent_pbk_to_name == {ONE: ONE, TWO: "Robin"}


def test_nobody_sees_what_another_seat_has_or_values() -> None:
    market = table(seats=3)

    for seat in (ONE, TWO, THREE):
        state = view_of(market.state, Observer(seat)).state
        seen = [visible_event(event, Observer(seat)) for event in market.facts("game-data")]

        assert list(trading_state(state).accounts) == [seat]
        assert state.game.economy is not None
        assert list(state.game.economy.worths) == [seat]
        assert list(state.game.economy.endowments) == [seat]
        assert [event.to for event in seen if event is not None] == [(seat,)]


def test_both_receive_the_confirmation_and_both_accounts_move_at_once() -> None:
    market = table(fee=1.0)

    market.submit(ONE, TWO, buyer=True)
    market.submit(TWO, ONE, buyer=False)

    (confirmed,) = market.facts("transaction-confirmation")
    assert confirmed.to == (ONE, TWO)
    assert confirmed.data == {
        "transaction_id": "x",
        "buyer": ONE,
        "seller": TWO,
        "amount": 10,
        "quantities": {"good_1": 1},
        "fee": {"buyer": 0.5, "seller": 0.5},
        "unit_price": 10,
    }
    one, two = (market.context(seat).trading for seat in (ONE, TWO))
    assert (one.money, one.holdings) == (189.5, {"good_1": 2, "good_2": 2})
    assert (two.money, two.holdings) == (109.5, {"good_1": 3, "good_2": 1})
    assert one.pending == two.pending == ()


def test_an_odd_cent_of_the_fee_is_the_buyer_s() -> None:
    market = table(fee=0.05)

    market.submit(ONE, TWO, buyer=True)
    market.submit(TWO, ONE, buyer=False)

    assert (market.context(ONE).trading.money, market.context(TWO).trading.money) == (189.97, 109.98)


def test_a_bundle_of_several_goods_is_one_transaction() -> None:
    market = table()
    units = {"good_1": 2, "good_2": 1}

    market.submit(ONE, TWO, buyer=True, units=units, amount=50)
    market.submit(TWO, ONE, buyer=False, units=units, amount=50)

    assert market.context(ONE).trading.holdings == {"good_1": 3, "good_2": 3}


# Requests that are not valid


def test_a_buyer_without_the_money_is_refused_at_once() -> None:
    market = table(fee=1.0)

    with pytest.raises(Refused, match=r"You don’t have enough money: this costs €200\.50 with your share"):
        market.submit(ONE, TWO, buyer=True, amount=200)

    assert market.facts("transaction-error") == []


def test_a_seller_without_the_goods_is_refused_at_once() -> None:
    market = table()

    with pytest.raises(Refused, match="You don’t have that much to sell; you have 4 × good_1, 1 × good_2"):
        market.submit(TWO, ONE, buyer=False, units={"good_2": 2})


def test_a_counterparty_that_cannot_trade_is_reported_to_the_sender_at_once() -> None:
    market = table()

    market.submit(ONE, TWO, buyer=True, units={"good_2": 2})

    (error,) = market.facts("transaction-error")
    assert error.to == (ONE,)
    assert error.data["error_code"] == "TRANSACTION_NOT_VALID"
    assert error.payload.text == "agent_2 does not have enough to sell."
    assert market.context(ONE).trading.pending == ()


def test_what_the_counterparty_has_can_be_left_to_the_settlement() -> None:
    market = table(check_counterparty_at_submission=False)

    market.submit(ONE, TWO, buyer=True, units={"good_2": 2})
    assert len(market.context(ONE).trading.pending) == 1
    with pytest.raises(Refused):
        market.submit(TWO, ONE, buyer=False, units={"good_2": 2})


def test_a_request_that_became_invalid_is_reported_to_both_at_settlement() -> None:
    market = table(seats=3)
    market.submit(ONE, TWO, buyer=True, amount=150)
    market.submit(ONE, THREE, buyer=True, amount=150, its_id="y")
    market.submit(THREE, ONE, buyer=False, amount=150, its_id="y")

    market.submit(TWO, ONE, buyer=False, amount=150)

    (error,) = market.facts("transaction-error")
    assert error.to == (ONE, TWO)
    assert error.data["error_code"] == "TRANSACTION_NOT_VALID"
    assert market.context(ONE).trading.pending == market.context(TWO).trading.pending == ()


def test_a_request_expires() -> None:
    market = table(request_expires_seconds=5)
    market.submit(ONE, TWO, buyer=True)

    market.wait(6)

    (error,) = market.facts("transaction-error")
    assert (error.t, error.to, error.data["error_code"]) == (5.0, (ONE, TWO), "TRANSACTION_EXPIRED")
    assert market.context(ONE).trading.pending == ()


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (TransactionRequested("x", True, ONE, 10, Quantities({"good_1": 1})), "another seat"),
        (TransactionRequested("x", True, "cook", 10, Quantities({"good_1": 1})), "another seat"),
        (TransactionRequested("x", True, TWO, 10, Quantities({"salt": 1})), "There is no good 'salt'"),
        (TransactionRequested("x", True, TWO, 0.001, Quantities({"good_1": 1})), "more than the 2 decimals"),
    ],
)
def test_a_request_that_names_what_is_not_there_is_refused(
    asked: TransactionRequested, sentence: str
) -> None:
    market = table()

    with pytest.raises(Refused, match=sentence):
        market.do(ONE, "SUBMIT_TRANSACTION", asked)


def test_an_id_is_used_once_by_a_pair() -> None:
    market = table()
    market.submit(ONE, TWO, buyer=True)

    with pytest.raises(Refused, match="already submitted"):
        market.submit(ONE, TWO, buyer=True)
    market.submit(TWO, ONE, buyer=False)
    with pytest.raises(Refused, match="already been settled"):
        market.submit(ONE, TWO, buyer=True)


# The faults of the original program


def test_goods_are_matched_by_name_and_not_by_position() -> None:
    market = table()

    market.submit(ONE, TWO, buyer=True, units={"good_2": 1, "good_1": 2})
    market.submit(TWO, ONE, buyer=False, units={"good_1": 2, "good_2": 1})

    assert market.context(ONE).trading.holdings == {"good_1": 3, "good_2": 3}


def test_a_good_that_is_not_named_counts_as_none_of_it() -> None:
    market = table()

    market.submit(ONE, TWO, buyer=True, units={"good_1": 0, "good_2": 1})
    market.submit(TWO, ONE, buyer=False, units={"good_2": 1})

    assert market.context(ONE).trading.holdings == {"good_1": 1, "good_2": 3}


def test_one_request_alone_settles_nothing() -> None:
    market = table()

    market.submit(ONE, TWO, buyer=True)
    assert market.scores() == [213.86, 141.59]
    market.submit(TWO, ONE, buyer=False)

    assert market.scores() == [259.31, 142.96]


def test_a_request_that_does_not_match_is_told_to_both_and_leaves_the_first_waiting() -> None:
    market = table()
    market.submit(ONE, TWO, buyer=True, amount=10)

    market.submit(TWO, ONE, buyer=False, amount=12)

    (error,) = market.facts("transaction-error")
    assert error.to == (ONE, TWO)
    assert error.data["error_code"] == "TRANSACTION_NOT_MATCHING"
    assert "€10.00 in one and €12.00 in the other" in error.payload.text
    assert len(market.context(ONE).trading.pending) == 1
    assert market.context(TWO).trading.pending == ()
    market.submit(TWO, ONE, buyer=False, amount=10)
    assert market.scores() == [259.31, 142.96]


def test_a_third_seat_cannot_take_over_an_id() -> None:
    market = table(seats=3)
    market.submit(ONE, TWO, buyer=True)

    market.submit(THREE, TWO, buyer=True, amount=1)
    market.submit(TWO, ONE, buyer=False)

    assert market.scores() == [259.31, 142.96]
    assert len(market.context(THREE).trading.pending) == 1


def test_a_seller_s_share_of_the_fee_cannot_make_its_balance_negative() -> None:
    game = worked_example(fee=30)
    assert game.economy is not None
    poor = game.economy.endowments.with_value(TWO, Endowment(0, (4, 1)))
    market = Table(_with_endowments(game, poor))
    market.start()

    with pytest.raises(Refused, match=r"You don’t have enough money: this costs €5\.00"):
        market.submit(TWO, ONE, buyer=False, amount=10)


def test_the_goods_keep_the_order_of_the_game_s_file() -> None:
    (data, _) = table().facts("game-data")

    assert list(data.data["good_pbk_to_name"]) == ["good_1", "good_2"]


def _with_endowments(game: GameSpec, endowments: SeatMap[Endowment]) -> GameSpec:
    assert game.economy is not None
    return replace(game, economy=replace(game.economy, endowments=endowments))


# More than two, leaving, restarting


def test_every_seat_sees_a_trade_where_the_tape_is_public() -> None:
    market = table(seats=3, tape=Tape.PUBLIC)

    market.submit(ONE, TWO, buyer=True)
    market.submit(TWO, ONE, buyer=False)

    (seen,) = market.context(THREE).trading.tape
    assert (seen.buyer, seen.seller, seen.amount, seen.transaction_id) == (ONE, TWO, 1000, "")
    assert table(seats=3).context(THREE).trading.tape == ()


def test_who_leaves_ends_its_own_dialogues_and_the_others_trade_on() -> None:
    market = table(seats=3)
    market.propose(ONE, TWO, buyer=True)
    market.submit(TWO, THREE, buyer=False)

    market.session.formal_quit(THREE)

    (error,) = market.facts("transaction-error")
    assert error.data["error_code"] == "TRANSACTION_WITHDRAWN"
    assert len(market.context(TWO).trading.proposals) == 1
    with pytest.raises(Refused, match="agent_3 has left the market"):
        market.propose(ONE, THREE, buyer=True)
    with pytest.raises(Refused, match="You’ve left the market"):
        market.propose(THREE, ONE, buyer=True)


def test_the_game_is_over_when_nobody_is_left_to_trade_with() -> None:
    market = table(seats=3)

    market.session.formal_quit(THREE)
    after_one = market.state.ending
    market.session.formal_quit(ONE)

    assert after_one is None
    assert market.state.ending is not None
    assert market.state.ending.ended_by is EndedBy.COMPLETED


def test_a_state_update_has_what_the_seat_has_after_its_transactions() -> None:
    market = table()
    market.submit(ONE, TWO, buyer=True)
    market.submit(TWO, ONE, buyer=False)

    update = market.context(ONE).trading.get_state_update()

    assert update.game_data.money == 200
    assert [trade.transaction_id for trade in update.confirmed_transactions] == ["x"]
    assert (update.money, update.holdings) == (190, {"good_1": 2, "good_2": 2})


# What a long or a hostile session may do


def test_a_seat_has_so_many_requests_waiting_at_a_time() -> None:
    market = table()
    for number in range(MOST_WAITING_REQUESTS):
        market.submit(ONE, TWO, buyer=True, its_id=str(number))

    with pytest.raises(Refused, match="Too many of your transactions are waiting"):
        market.submit(ONE, TWO, buyer=True, its_id="more")


def test_two_of_a_kind_do_not_settle() -> None:
    market = table()
    market.submit(ONE, TWO, buyer=True)

    market.submit(TWO, ONE, buyer=True)

    (error,) = market.facts("transaction-error")
    assert "both want to buy" in error.payload.text
    assert market.scores() == [213.86, 141.59]


def test_a_waiting_request_locks_no_account_but_is_counted_as_not_free() -> None:
    market = table(fee=1.0)
    market.submit(ONE, TWO, buyer=True, amount=150)
    market.submit(TWO, ONE, buyer=False, amount=7, its_id="y", units={"good_1": 3})

    assert (market.context(ONE).trading.money, market.context(ONE).trading.free_money) == (200, 49.5)
    assert market.context(TWO).trading.free_goods == {"good_1": 1, "good_2": 1}
    assert market.context(TWO).trading.free_money == 100


def test_nothing_is_requested_behind_the_end() -> None:
    market = Table(replace(worked_example(), rules=Rules(deadline_seconds=5)))
    market.start()
    market.submit(ONE, TWO, buyer=True)

    market.wait(6)

    with pytest.raises(Refused, match="The game is over"):
        market.submit(TWO, ONE, buyer=False)
    assert market.scores() == [213.86, 141.59]


def test_the_score_of_none_of_a_good_is_minus_1000_times_its_parameter() -> None:
    market = table()

    market.submit(ONE, TWO, buyer=False, amount=0)
    market.submit(TWO, ONE, buyer=True, amount=0)

    # 200 + 80 f(0) + 20 ln 2, with f(0) = -1000
    assert market.scores()[0] == round(200 - 80_000 + 20 * math.log(2), 2)
