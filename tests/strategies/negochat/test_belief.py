"""Types, Luce numbers and Bayes' rule, computed by hand."""

from __future__ import annotations

from collections import Counter
from math import exp
from random import Random

import pytest

from negoplatform.strategies.negochat.belief import Belief, OpponentType
from negoplatform.strategies.negochat.bid_space import BidUtility
from tests.strategies.negochat.domains import (
    KEEN,
    OTHER,
    bid,
    job_candidate,
    published,
    small_space,
    type_of,
)


def two_types(prior: tuple[float, float] = (1, 1)) -> Belief:
    """Return a belief about the two types of the small game."""
    space = small_space()
    return Belief([type_of(space, OTHER, "for b"), type_of(space, KEEN, "for a")], prior)


def luce_by_hand(points: dict[str, dict[str, int]]) -> dict[str, float]:
    """Return exp(0.3 v) of every bid of the small game."""
    letters = [a + b + c for a in "xyz" for b in "xyz" for c in "xyz"]
    return {
        word: exp(0.3 * sum(points[issue][level] for issue, level in zip("abc", word, strict=True)))
        for word in letters
    }


def test_after_a_full_offer_a_type_is_as_likely_as_its_luce_share_of_it() -> None:
    belief = two_types((3, 1))

    belief.observe_offer(bid("zyx"), turn=2)

    shares = [luce["zyx"] / sum(luce.values()) for luce in map(luce_by_hand, (OTHER, KEEN))]
    weights = [3 * shares[0], 1 * shares[1]]
    assert belief.posterior == pytest.approx([w / sum(weights) for w in weights])


def test_what_time_costs_a_type_counts_in_what_it_offers() -> None:
    space = small_space()
    cheap, dear = (
        OpponentType(name, type_of(space, OTHER).utility, 0.3, effect)
        for name, effect in (("c", 0), ("d", 2))
    )
    belief = Belief([cheap, dear], [1, 1])

    belief.observe_offer(bid("zyx"), turn=3)

    assert belief.posterior[1] / belief.posterior[0] == pytest.approx(exp(-0.3 * 3 * 2))


def test_after_a_refusal_a_type_is_as_likely_as_what_is_as_good_for_it() -> None:
    belief = two_types((3, 1))

    belief.observe_refusal(bid("yxx"))  # 10 points to one, 30 to the other

    parts = []
    for points, least in ((OTHER, 10), (KEEN, 30)):
        luce = luce_by_hand(points)
        worth = {word: sum(points[i][v] for i, v in zip("abc", word, strict=True)) for word in luce}
        parts.append(sum(luce[word] for word in luce if worth[word] >= least) / sum(luce.values()))
    weights = [3 * parts[0], 1 * parts[1]]
    assert belief.posterior == pytest.approx([w / sum(weights) for w in weights])


def test_what_is_repeated_tells_nothing_new() -> None:
    belief = two_types()
    belief.observe_offer(bid("zyx"), turn=1)
    belief.observe_refusal(bid("yxx"))
    before = belief.posterior

    belief.observe_offer(bid("zyx"), turn=4)
    belief.observe_refusal(bid("yxx"))

    assert belief.posterior == before


def test_the_current_type_is_the_likeliest_and_stays_among_equals() -> None:
    space = small_space()
    same = [type_of(space, OTHER, name) for name in ("one", "two")]
    belief = Belief([*same, type_of(space, KEEN)], [1, 1, 1], current=1)

    belief.observe_offer(bid("xzx"), turn=1)
    equal = belief.current
    for word in ("zxx", "zxy", "zxz"):
        belief.observe_offer(bid(word), turn=1)

    assert equal == 1
    assert belief.current == 2


def test_the_first_type_is_drawn_by_the_prior() -> None:
    types = two_types().types
    rng = Random(5)

    drawn = Counter(Belief.with_drawn_type(types, (3, 1), rng).current for _ in range(4000))

    assert 0.72 < drawn[0] / 4000 < 0.78


def test_luce_numbers_of_very_many_points_are_no_overflow() -> None:
    space = small_space()
    huge = BidUtility(space, lambda issue, level: 100_000 * (issue + 1) * level)
    belief = Belief([OpponentType("huge", huge), OpponentType("other", huge)], [1, 1])

    belief.observe_offer(bid("zzz"), turn=1)
    belief.observe_refusal(bid("xxx"))

    assert belief.posterior == pytest.approx([0.5, 0.5])


TELLING = {
    "short_term": ["90,000 USD", "QA", "With leased car", "20%", "Slow promotion track", "8 hours"],
    "compromise": ["60,000 USD", "Team manager", "No agreement", "20%", "Fast promotion track", "8 hours"],
    "long_term": ["120,000 USD", "Project manager", "No agreement", "20%", "Slow promotion track", "9 hours"],
}
"""Offers that identify a candidate's type, in the game's order of issues."""


@pytest.mark.parametrize("kind", TELLING)
def test_a_candidate_is_told_by_what_it_asks_for_and_what_it_leaves(kind: str) -> None:
    known = published("employer", job_candidate(candidate=kind))
    belief = Belief(known.types(), [1, 1, 1])
    asked = tuple(known.space.levels(i).index(value) for i, value in enumerate(TELLING[kind]))

    belief.observe_offer(asked, turn=1)

    assert belief.type.name == kind
    assert belief.posterior[belief.current] > 0.9
