"""Mistakes of the original's code that are not repeated here: one test for each."""

from __future__ import annotations

from math import exp
from random import Random

import pytest

from negoplatform.strategies.negochat.belief import Belief
from negoplatform.strategies.negochat.bid_thresholds import ThresholdTable
from negoplatform.strategies.negochat.full_offer_selection import KnowledgeBase
from negoplatform.strategies.negochat.issue_negotiation import Move
from negoplatform.strategies.negochat.negotiation_model_builder import (
    NegotiationModelOptions,
    build_negotiation_model,
)
from tests.strategies.negochat.domains import (
    KEEN,
    OTHER,
    as_seen,
    bid,
    job_candidate,
    small_space,
    small_talk,
    terms,
    type_of,
)


@pytest.mark.parametrize(("current", "accepted"), [(0, False), (1, True)])
def test_an_offer_is_accepted_by_the_threshold_of_the_current_type_not_of_the_first(
    current: int, accepted: bool
) -> None:
    talk = small_talk([50], [30], kinds=(OTHER, OTHER))
    talk.belief.current = current

    assert talk.handle_complete_offer(bid("xzy")) is accepted  # 35 points; both types are as likely after it


def test_a_partial_offer_is_not_accepted_without_the_threshold() -> None:
    talk = small_talk([40], gap=200)
    talk.propose_next()

    answer = talk.handle_request(terms(b="z"))  # xzx keeps it and is worth 39

    assert answer.move is Move.COUNTER
    assert talk.agreed == {}


def test_taking_out_a_value_takes_it_out_of_its_own_issue_alone() -> None:
    talk = small_talk([0], gap=200)
    talk.propose_next()
    assert talk.proposed_bid == bid("xxx")

    talk.handle_refusal()  # a: x is out, and b: x and c: x are not

    assert talk.proposed_bid == bid("yxx")


def test_a_refusal_counts_the_prior_once() -> None:
    space = small_space()
    same = [type_of(space, OTHER, name) for name in ("one", "two")]
    belief = Belief(same, [0.8, 0.2])

    belief.observe_refusal(bid("yyy"))

    assert belief.posterior == pytest.approx([0.8, 0.2])  # twice would give 0.94


@pytest.mark.parametrize(("role", "first", "last"), [("employer", 539, 162), ("candidate", 478, 240)])
def test_the_tables_are_those_of_the_own_role(role: str, first: int, last: int) -> None:
    kit = build_negotiation_model(as_seen(role), role, NegotiationModelOptions(), Random(1))
    k = [kind.name for kind in kit.belief.types].index("short_term")

    assert kit.summary["tables"] == "published"
    assert kit.thresholds.at(k, 1).own == pytest.approx(first - 0.01)
    assert kit.thresholds.at(k, 14).own == pytest.approx(last - 0.01)
    if role == "employer":
        assert last == job_candidate().preferences["employer"].reservation_value - 13 * 6


def test_the_published_averages_are_those_of_the_own_role_as_well() -> None:
    kits = {
        role: build_negotiation_model(as_seen(role), role, NegotiationModelOptions(), Random(1))
        for role in ("employer", "candidate")
    }
    employer, candidate = (kits[role].published for role in ("employer", "candidate"))

    assert employer is not None
    assert candidate is not None
    known = employer.averages("short_term")
    assert known is not None
    assert known[employer.space.issue("hours")] == 6.5
    assert candidate.averages("short_term") is None


def test_beyond_the_last_turn_the_last_threshold_holds_not_the_last_but_one() -> None:
    table = ThresholdTable([[30, 20, 10]], rounding=0)

    assert [table.at(0, turn).own for turn in (3, 4, 9)] == [10, 10, 10]


def test_a_partial_offer_is_valued_by_weighted_averages() -> None:
    kit = build_negotiation_model(as_seen("employer"), "employer", NegotiationModelOptions(), Random(1))
    kit.belief.current = [kind.name for kind in kit.belief.types].index("short_term")
    base = KnowledgeBase(kit, least=240)
    space = kit.space
    salary = space.issue("salary")

    worth = base.expected_points({salary: space.levels(salary).index("90,000 USD")}, turn=3)

    rest = 20 * 4.53 + 10 * 0.29 + 10 * 3.15 + 10 * 2.65 + 30 * 6.50
    assert worth == pytest.approx(20 * 6 + rest)


def test_two_types_differ_in_what_they_refuse() -> None:
    space = small_space()
    belief = Belief([type_of(space, OTHER, "for b"), type_of(space, KEEN, "for a")], [1, 1])

    belief.observe_refusal(bid("zxx"))  # 20 to one, 60 of 66 to the other

    assert belief.posterior[0] > belief.posterior[1]
    assert exp(-0.3 * 6) < belief.posterior[1] / belief.posterior[0] < 1
