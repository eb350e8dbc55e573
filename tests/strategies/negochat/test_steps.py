"""The published steps 4 to 9, on bids that can be computed by hand.

The own points are a: 30, 20, 0; b: 20, 10, 0; c: 9, 5, 0 for x, y, z; the other's a: 0, 10, 20;
b: 0, 20, 40; c: 0, 3, 6. So xxx is worth 59 and 0, xyx 49 and 20, yxx 49 and 10.
"""

from __future__ import annotations

from negoplatform.strategies.negochat.issue_negotiation import Move, MoveDecision
from tests.strategies.negochat.domains import KEEN, OTHER, bid, small_talk, terms


def test_4_and_5_it_proposes_the_first_issue_of_the_own_best_bid_that_suits_both() -> None:
    talk = small_talk([30], gap=20)  # own above 30, other above 10: xxx, xxy, xxz and yxx are out

    answer = talk.propose_next()

    assert answer == MoveDecision(Move.PROPOSE)
    assert talk.proposed_bid == bid("xyx")
    assert talk.proposed_terms == terms(a="x")


def test_4_the_first_issue_is_that_of_the_aspiration_order() -> None:
    talk = small_talk([30], gap=20, order=(1, 0, 2))

    talk.propose_next()

    assert talk.proposed_terms == terms(b="y")


def test_5_among_equals_the_bid_that_is_better_for_the_type_comes_first() -> None:
    talk = small_talk([48], gap=200)  # 49 points: yxx with 10 for the other, xyx with 20

    assert talk.best_bid(unlike=terms(c="y")) == bid("xxx")
    assert talk.best_bid(terms(c="x"), unlike={0: 2} | terms(b="x")) == bid("xyx")
    talk.agreed = terms(c="x")
    assert talk.best_bid(unlike={}) == bid("xxx")


def test_6_what_is_accepted_goes_on_the_stack_and_the_next_issue_is_proposed() -> None:
    talk = small_talk([30], gap=20)
    talk.propose_next()

    first, second, third = talk.handle_acceptance(), talk.handle_acceptance(), talk.handle_acceptance()

    assert first == MoveDecision(Move.PROPOSE, terms(a="x"))
    assert second == MoveDecision(Move.PROPOSE, terms(b="y"))
    assert third == MoveDecision(Move.SIGN, terms(c="x"))
    assert talk.agreed == terms(a="x", b="y", c="x")
    assert talk.proposed_bid == bid("xyx")
    assert talk.proposed_terms == {}


def test_7_a_full_offer_is_accepted_by_the_threshold_of_this_turn() -> None:
    talk = small_talk([30, 20], gap=20, time_effect=2)

    worths = {
        letters: talk.handle_complete_offer(bid(letters)) for letters in ("xzz", "yyz", "yyy")
    }  # 30, 30, 35
    talk.enter_turn(2)
    later = {
        letters: talk.handle_complete_offer(bid(letters)) for letters in ("yzz", "yzy", "yyz")
    }  # 20, 25, 30

    assert worths == {"xzz": False, "yyz": False, "yyy": True}  # 30 - 2 < 30 <= 35 - 2
    assert later == {"yzz": False, "yzy": True, "yyz": True}  # 20 - 4 < 20 <= 25 - 4


def test_7_a_full_offer_below_no_deal_is_never_accepted() -> None:
    talk = small_talk([10], least=40)

    assert not talk.handle_complete_offer(bid("yyx"))  # 39
    assert talk.handle_complete_offer(bid("xyz"))  # 40


def test_8b_a_partial_offer_that_a_bid_of_the_cluster_keeps_is_accepted() -> None:
    talk = small_talk([30], gap=20)
    talk.propose_next()

    answer = talk.handle_request(terms(b="z"))

    assert answer == MoveDecision(Move.ACCEPT, terms(b="z"))
    assert talk.agreed == terms(b="z")
    assert talk.proposed_bid == bid("xzx")  # 39 and 40
    assert talk.proposed_terms == terms(a="x")


def test_8a_what_was_agreed_may_be_asked_for_anew() -> None:
    talk = small_talk([30], gap=20)
    talk.agreed = terms(b="y", a="x")

    answer = talk.handle_request(terms(b="z"))

    assert answer.move is Move.ACCEPT
    assert list(talk.agreed.items()) == [*terms(a="x").items(), *terms(b="z").items()]


def test_8c_what_was_taken_out_before_may_be_accepted_when_the_other_asks_for_it() -> None:
    talk = small_talk([40], gap=40)
    talk.propose_next()
    talk.handle_refusal()  # a: x is taken out

    answer = talk.handle_request(terms(a="x", b="y"))

    assert answer == MoveDecision(Move.ACCEPT, terms(a="x", b="y"))


def test_8d_otherwise_it_refuses_with_another_value_of_the_same_issue() -> None:
    talk = small_talk([30], gap=20)
    talk.propose_next()

    answer = talk.handle_request(terms(a="z"))  # zxx is worth 29 at best

    assert answer == MoveDecision(Move.COUNTER)
    assert talk.proposed_terms == terms(a="x")
    assert talk.agreed == {}


def test_8e_else_it_gives_what_is_asked_for_and_takes_up_the_last_agreed_issue_again() -> None:
    talk = small_talk([40], gap=40)  # xxy, xxz, yxx, xyx, yxy, xyy
    talk.agreed = terms(a="y")

    answer = talk.handle_request(terms(b="x", c="z"))  # with a: y all have b: x; with a: x there is xxz

    assert answer == MoveDecision(Move.REOPEN, terms(b="x", c="z"), reopened=0)
    assert talk.proposed_terms == terms(a="x")
    assert talk.agreed == terms(b="x", c="z")


def test_8f_where_nothing_helps_all_is_as_before() -> None:
    talk = small_talk([40], gap=33)  # xxz is too little for the other now
    talk.agreed = terms(a="y")

    answer = talk.handle_request(terms(b="x", c="z"))

    assert answer == MoveDecision(Move.REJECT)
    assert talk.agreed == terms(a="y")


def test_9_a_refused_value_is_taken_out_and_another_one_proposed() -> None:
    talk = small_talk([40], gap=40)
    talk.propose_next()
    assert talk.proposed_terms == terms(a="x")

    answer = talk.handle_refusal()

    assert answer == MoveDecision(Move.COUNTER)
    assert talk.proposed_terms == terms(a="y")
    assert talk.proposed_bid == bid("yxx")


def test_9_without_another_value_it_takes_up_the_last_agreed_issue_again() -> None:
    talk = small_talk([40], gap=40)
    talk.agreed = terms(a="y")
    talk.propose_next()
    assert talk.proposed_terms == terms(b="x")

    answer = talk.handle_refusal()

    assert answer == MoveDecision(Move.REOPEN, {}, reopened=0)
    assert talk.proposed_terms == terms(b="y", a="x")
    assert talk.proposed_bid == bid("xyx")
    assert talk.agreed == {}


def test_9_with_nothing_left_it_thinks_until_the_next_turn_brings_more() -> None:
    talk = small_talk([40, 20], gap=40)
    talk.propose_next()
    talk.handle_refusal()

    thinking = talk.handle_refusal()
    talk.enter_turn(2)
    after = talk.propose_next()

    assert thinking == MoveDecision(Move.PASS)
    assert after == MoveDecision(Move.PROPOSE)
    assert talk.proposed_terms == terms(a="x")


def test_a_wish_for_a_compromise_gets_the_first_issue_without_its_last_value() -> None:
    talk = small_talk([40], gap=40)
    talk.propose_next()

    answer = talk.handle_compromise()

    assert answer == MoveDecision(Move.COUNTER)
    assert talk.proposed_terms == terms(a="y")


def test_an_offer_that_repeats_the_proposal_accepts_it_and_what_is_more_is_asked_for() -> None:
    talk = small_talk([30], gap=20)
    talk.propose_next()

    answer = talk.handle_request(terms(a="x", b="z"))

    assert answer == MoveDecision(Move.ACCEPT, terms(a="x", b="z"))
    assert talk.proposed_terms == terms(c="x")


def test_an_offer_that_repeats_what_is_agreed_changes_nothing() -> None:
    talk = small_talk([30], gap=20)
    talk.propose_next()
    talk.handle_acceptance()

    answer = talk.handle_request(terms(a="x"))

    assert answer == MoveDecision(Move.PROPOSE)
    assert talk.agreed == terms(a="x")
    assert talk.proposed_terms == terms(b="y")


def test_what_was_agreed_and_proposed_is_recognised_when_it_comes_as_one_offer() -> None:
    talk = small_talk([30], gap=20)
    talk.propose_next()
    talk.handle_acceptance()
    talk.handle_acceptance()

    assert talk.is_agreed(bid("xyx"))
    assert not talk.is_agreed(bid("xyy"))


def test_when_time_is_short_it_settles_for_what_both_gain_most_from() -> None:
    talk = small_talk([30], gap=20)
    talk.propose_next()
    assert talk.proposed_terms == terms(a="x")

    whole = talk.closing_bid()

    assert whole == bid("xzx")  # 39 times 40; xyx gives 49 times 20, xzy 35 times 43
    assert talk.proposed_terms == terms(a="x")


def test_a_new_type_brings_another_cluster_at_once() -> None:
    talk = small_talk([30], [30], gap=20, kinds=(OTHER, KEEN))
    talk.propose_next()
    assert talk.proposed_bid == bid("xyx")

    talk.handle_complete_offer(bid("zxx"))  # 60 to the one that cares for a, 20 to the other
    talk.propose_next()

    assert talk.belief.current == 1
    assert talk.proposed_bid == bid("yxx")  # 49 and 30; xyx is worth 2 to it


def test_nothing_below_no_deal_is_ever_proposed() -> None:
    talk = small_talk([0], gap=0, least=50)

    proposed = set()
    while talk.propose_next().move is Move.PROPOSE and talk.proposed_bid not in proposed:
        proposed.add(talk.proposed_bid)
        talk.handle_refusal()

    assert proposed
    assert proposed <= {bid("xxx"), bid("xxy"), bid("xxz")}


# Ours: what the published steps leave open


def test_what_the_other_has_refused_stays_out_in_this_turn_whatever_is_built_anew() -> None:
    talk = small_talk([30, 30], gap=40)
    talk.propose_next()
    talk.handle_refusal()  # a: x
    talk.handle_request(terms(a="z"))  # no bid keeps it: the cluster is rebuilt on the way

    proposed = [bid(letters) for letters in ("xyx", "xxx", "xzx")]
    in_this_turn = talk.best_bid()
    talk.enter_turn(2)

    assert in_this_turn is not None
    assert in_this_turn not in proposed
    assert in_this_turn[0] != 0
    assert talk.best_bid() == bid("xxx")


def test_what_was_refused_stays_out_when_the_type_changes_too() -> None:
    talk = small_talk([30], [30], gap=20, kinds=(OTHER, KEEN))
    talk.propose_next()
    talk.handle_refusal()
    assert talk.proposed_terms == terms(a="y")

    talk.handle_complete_offer(bid("zxx"))

    assert talk.belief.current == 1
    best = talk.best_bid()
    assert best is not None
    assert best[0] != 0


def test_what_was_refused_may_be_brought_forward_by_the_other() -> None:
    talk = small_talk([30], gap=20)
    talk.propose_next()
    talk.handle_refusal()

    answer = talk.handle_request(terms(a="x"))

    assert answer.agreed_terms == terms(a="x")
    assert talk.agreed == terms(a="x")


def test_a_new_type_opens_again_what_was_taken_out_for_the_old_one() -> None:
    talk = small_talk([40], [30], gap=40, kinds=(OTHER, KEEN))
    talk.propose_next()
    talk.handle_request(terms(b="z"))  # xzx is worth 39: b: z is taken out
    assert talk.best_bid(terms(b="z")) is None

    talk.handle_complete_offer(bid("zxx"))

    assert talk.belief.current == 1
    assert talk.best_bid(terms(b="z")) == bid("xzx")


def test_a_value_that_is_better_for_itself_than_its_own_proposal_is_accepted() -> None:
    talk = small_talk([30], gap=2)  # own above 30, other above 28: xzx is the best
    talk.propose_next()
    talk.handle_acceptance()
    assert talk.proposed_terms == terms(b="z")

    answer = talk.handle_request(terms(b="x"))  # xxx: no agent of that type would have asked for it

    assert answer == MoveDecision(Move.ACCEPT, terms(b="x"))
    assert talk.proposed_bid is not None
    assert talk.proposed_bid[:2] == (0, 0)
    assert talk.proposed_terms == terms(c="z"), "the type's best of the bids over the own bar"


def test_a_value_that_is_worse_for_itself_than_its_proposal_is_accepted_by_the_published_rule_alone() -> None:
    talk = small_talk([30], gap=2)
    talk.propose_next()

    answer = talk.handle_request(terms(b="y", c="z"))  # b is better than z, c worse than x

    assert answer.move is Move.COUNTER
    assert talk.agreed == {}


def test_a_welcome_value_still_has_to_leave_a_bid_over_the_own_bar() -> None:
    talk = small_talk([59], gap=59)
    talk.proposed_terms = terms(c="z")  # nothing is over the bar: 59 is not more than 59

    answer = talk.handle_request(terms(c="x"))

    assert answer.move is Move.REJECT


def test_a_bar_that_may_be_eased_is_lowered_by_up_to_two_turns_while_nothing_is_left() -> None:
    eased = small_talk([58, 50, 48, 0], gap=60, eases=True)
    hard = small_talk([58, 50, 48, 0], gap=60)

    for each in (eased, hard):
        each.propose_next()
        assert each.handle_refusal().move is Move.PASS  # xxx is the only bid over 58
        assert each.is_stalled
    found = [eased.handle_refusal().move for _ in range(6)]
    stubborn = {hard.handle_refusal().move for _ in range(6)}

    assert stubborn == {Move.PASS}
    # The bar of 48 lets yxx through, for 49; that of the fourth turn is out of reach.
    assert found == [Move.PASS, Move.COUNTER, *[Move.PASS] * 4]
    assert eased.aspiration.own == 48
    eased.enter_turn(2)
    assert eased.aspiration.own == 50


def test_when_time_is_short_it_settles_for_nothing_that_was_refused_if_it_can() -> None:
    talk = small_talk([30], gap=20)
    talk.proposed_terms = terms(a="x")
    assert talk.closing_bid() == bid("xzx")

    talk.proposed_terms = {1: 2}
    talk.handle_refusal()
    talk.proposed_terms = terms(a="x")

    whole = talk.closing_bid()
    assert whole is not None
    assert whole[0] == 0
    assert whole[1] != 2
