"""Features of a bargaining table: their numbers, and that no seat sees another's."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.core.events import Expression
from negoplatform.core.features.numeric_feature_set import FeatureState
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.session_features import EXPRESSIONS, feature_states, observation_of
from negoplatform.core.state import State
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec, Preferences, TimeCost, Visibility
from negoplatform.domain.issue import NumberIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility
from negoplatform.testing import TrialTable
from tests.games import COINS, COLOURS, make_game, three_seats

PRICE = NumberIssue("price", -2, 2, 2)

POINTS = {
    "coins": [0, 1, 2, 3, 4],
    "colour": {"red": 6, "green": 4, "blue": 0},
    "price": {-2: 5, 0: 2.5, 2: 0},
}
COUNTER_POINTS = {
    "coins": [0, 2, 4, 6, 8],
    "colour": {"red": 0, "green": 1, "blue": 7},
    "price": {-2: 0, 0: 1, 2: 3},
}
ALL_NAMED = Offer({"coins": Allocation({"human": 1, "agent": 3}), "colour": "green", "price": -2})


def small_game(*, visible: tuple[Seat, ...] = (), deadline: float | None = 600.0) -> GameSpec:
    """Return a game of two seats about coins, a colour and a price."""
    return make_game(
        {"human": POINTS, "agent": COUNTER_POINTS},
        issues=(COINS, COLOURS, PRICE),
        reservation=3,
        visible=visible,
        deadline_seconds=deadline,
    )


def numbers(table: TrialTable, owner: str, feature: str, now: float | None = None) -> list[float]:
    return feature_states(table.state, now=now)[owner].features[feature].vector().tolist()


def floats(*values: float) -> array[float]:
    return array("f", values)


def seen(state: State, requestor: str | None, level: int = 1, at: float = 9.0) -> Observation:
    return observation_of(state, requestor, level, at)


# Contents of the features


def test_before_any_offer_nothing_is_named() -> None:
    table = TrialTable(small_game())
    table.start()

    offer = feature_states(table.state)["platform"].features["TableOffer"]

    assert offer.to_dict() == {
        "sender": -1,
        "named": [False, False, False],
        "terms": [-1, -1, -1, -1, -1],
        "accepted": [False, False],
    }


def test_an_offer_stands_on_the_table_in_numbers() -> None:
    table = TrialTable(small_game())
    table.agent.offers(ALL_NAMED)
    table.human.accepts()

    offer = feature_states(table.state)["platform"].features["TableOffer"]

    assert offer.to_dict() == {
        "sender": 1,
        "named": [True, True, True],
        "terms": [1, 3, 0, 1, -2],
        "accepted": [True, False],
    }


def test_a_partial_offer_names_some_issues_and_shows_what_is_undecided() -> None:
    table = TrialTable(small_game())
    table.human.offers(Offer({"coins": Allocation({"human": 2}, 2)}))

    offer = feature_states(table.state)["platform"].features["TableOffer"].to_dict()

    assert offer["named"] == [True, False, False]
    assert offer["terms"] == [2, 0, 2, -1, -1]


def test_a_seat_keeps_the_latest_terms_that_it_stood_for() -> None:
    table = TrialTable(small_game())
    table.human.offers(ALL_NAMED)
    table.agent.offers(Offer({"colour": "blue"}))
    table.human.offers(Offer({"colour": "red"}))

    assert numbers(table, "human", "LatestTerms") == [1, 1, 1, 1, 3, 0, 0, -2]
    assert numbers(table, "agent", "LatestTerms") == [0, 1, 0, -1, -1, -1, 2, -1]


def test_the_clock_counts_to_the_deadline_and_stays_there() -> None:
    table = TrialTable(small_game(deadline=60))
    table.wait(20)

    assert numbers(table, "platform", "Clock", now=20.0) == [20, 40]
    assert numbers(table, "platform", "Clock", now=70.0) == [70, 0]


def test_without_a_deadline_the_remaining_time_is_minus_one() -> None:
    assert numbers(TrialTable(small_game(deadline=None)), "platform", "Clock", now=5.0) == [5, -1]


def test_an_expression_is_shown_as_long_as_it_lasts() -> None:
    table = TrialTable(small_game())
    table.human.shows(Expression.ANGRY)

    assert numbers(table, "human", "Presence", now=1.0) == [EXPRESSIONS.index(Expression.ANGRY), 0, 0]
    assert numbers(table, "human", "Presence", now=2.0) == [EXPRESSIONS.index(Expression.NEUTRAL), 0, 0]


def test_typing_and_drafting_are_shown() -> None:
    table = TrialTable(small_game())
    table.human.types()
    table.agent.drafts()

    assert numbers(table, "human", "Presence", now=0.1)[1:] == [1, 0]
    assert numbers(table, "agent", "Presence", now=0.1)[1:] == [0, 1]


def test_a_seats_limits_are_its_reservation_value_its_way_out_and_its_time_cost() -> None:
    game = with_preferences(small_game(), "human", opt_out=-4, time_cost=TimeCost(0.5, 30))

    states = feature_states(TrialTable(game).state)

    assert states["human"].features["Limits"].to_dict() == {
        "reservation_value": 3,
        "opt_out": -4,
        "time_cost": 0.5,
        "period_seconds": 30,
    }
    assert states["agent"].features["Limits"].vector() == floats(3, 3, 0, 0)


def test_the_offer_on_the_table_has_a_worth_for_each_seat() -> None:
    table = TrialTable(small_game())
    table.agent.offers(ALL_NAMED)

    assert numbers(table, "human", "Worth") == floats(1 + 4 + 5, 10 / 15).tolist()
    assert numbers(table, "agent", "Worth") == floats(6 + 1 + 0, 7 / 18).tolist()


def test_a_points_table_has_the_issues_and_their_levels_in_order() -> None:
    table = TrialTable(small_game())

    assert numbers(table, "human", "PointsTable") == [0, 1, 2, 3, 4, 6, 4, 0, 5, 2.5, 0]


def test_interactions_are_rows_of_points_and_levels_that_count() -> None:
    both = Interaction(7, (("coins", frozenset({3, 4})), ("colour", frozenset({"blue"}))))
    utility = InteractionUtility(AdditiveUtility("human", small_utility("human").tables), [both])  # type: ignore[arg-type]  # tables as they are kept
    game = with_preferences(small_game(), "human", utility=utility)

    table = feature_states(TrialTable(game).state)["human"].features["PointsTable"]

    assert table.to_dict()["points"] == [0, 1, 2, 3, 4, 6, 4, 0, 5, 2.5, 0]
    assert table.to_dict()["interactions"] == [7, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0]


def test_an_observation_has_the_same_length_at_every_moment() -> None:
    table = TrialTable(small_game())
    lengths = {len(seen(table.state, "human").vector())}

    acts: list[Callable[[], object]] = [
        lambda: table.agent.offers(Offer({"colour": "blue"})),
        lambda: table.human.offers(ALL_NAMED),
        lambda: table.agent.accepts(),
        lambda: table.human.shows(Expression.SAD),
        lambda: table.human.accepts(),
    ]
    for act in acts:
        act()
        lengths.add(len(seen(table.state, "human").vector()))

    assert len(lengths) == 1


def test_every_state_comes_back_from_its_snapshot() -> None:
    table = TrialTable(small_game(visible=("human",)))
    table.agent.offers(ALL_NAMED)

    for state in feature_states(table.state, now=1.0, principals={"agent": "coach"}).values():
        assert FeatureState.from_dict(state.to_dict(include_metadata=True)) == state


def test_a_snapshot_says_nothing_about_visibility_where_every_class_says_it_already() -> None:
    for state in feature_states(TrialTable(small_game()).state).values():
        assert "_visibility" not in state.to_dict(include_metadata=True)


# Visibility of the features


PUBLIC_OF_A_SEAT = {"Presence", "LatestTerms"}
PRIVATE = {"Limits", "Worth", "PointsTable"}


def test_a_seat_sees_its_own_side_and_what_the_other_shows() -> None:
    observation = seen(TrialTable(small_game()).state, "human")

    assert set(observation.local) == PUBLIC_OF_A_SEAT | PRIVATE
    assert {owner: set(found) for owner, found in observation.global_info.items()} == {
        "agent": PUBLIC_OF_A_SEAT,
        "platform": {"Clock", "TableOffer"},
    }


def declared(visibility: Visibility) -> GameSpec:
    return replace(small_game(), visibility=SeatMap({"agent": visibility}))


@pytest.mark.parametrize(
    ("visibility", "asker", "level", "sees"),
    [
        (Visibility.PUBLIC, "human", 1, True),
        (Visibility.PUBLIC, None, 1, True),
        (Visibility.OWNER, "human", 1, False),
        (Visibility.OWNER, "coach", 2, False),
        (Visibility.OWNER, "platform", 3, False),
        (Visibility.UPPER_LEVEL, "human", 1, False),
        (Visibility.UPPER_LEVEL, "coach", 2, True),
        (Visibility.UPPER_LEVEL, "rival", 2, False),
        (Visibility.UPPER_LEVEL, "platform", 3, False),
        (Visibility.SYSTEM, "human", 1, False),
        (Visibility.SYSTEM, "coach", 2, False),
        (Visibility.SYSTEM, "platform", 3, True),
    ],
)
def test_a_seats_side_is_seen_by_whom_the_game_declares(
    visibility: Visibility, asker: str | None, level: int, sees: bool
) -> None:
    state = TrialTable(declared(visibility)).state

    observation = observation_of(state, asker, level, 0.0, principals={"agent": "coach"})

    assert (set(observation.global_info["agent"]) >= PRIVATE) is sees
    assert sees or not PRIVATE & set(observation.global_info["agent"])


@pytest.mark.parametrize("visibility", list(Visibility))
def test_a_seat_sees_its_own_side_whatever_the_game_declares(visibility: Visibility) -> None:
    observation = seen(TrialTable(declared(visibility)).state, "agent")

    assert set(observation.local) == PUBLIC_OF_A_SEAT | PRIVATE


def test_without_a_registered_principal_nobody_is_above_a_seat() -> None:
    observation = seen(TrialTable(declared(Visibility.UPPER_LEVEL)).state, "coach", level=2)

    assert not PRIVATE & set(observation.global_info["agent"])


@pytest.mark.parametrize("asker", ["red", "green", "blue"])
def test_the_state_and_a_view_of_it_give_the_same_observation(asker: Seat) -> None:
    table = TrialTable(three_seats())
    table.participant("green").offers(coins=(2, 1, 1), colour="blue")
    table.participant("red").says("Hm.")

    assert seen(view_of(table.state, Observer(asker)).state, asker) == seen(table.state, asker)


# No leak of another seat's side


def small_utility(seat: Seat) -> AdditiveUtility:
    utility = small_game().preferences[seat].utility
    assert isinstance(utility, AdditiveUtility)
    return utility


def with_preferences(game: GameSpec, seat: Seat, **changes: object) -> GameSpec:
    changed: Preferences = replace(game.preferences[seat], **changes)  # type: ignore[arg-type]  # any of its fields
    return replace(game, preferences=game.preferences.with_value(seat, changed))


points = st.integers(-50, 50) | st.floats(-50, 50)


@st.composite
def other_preferences(draw: st.DrawFn, seat: Seat) -> Preferences:
    """Draw preferences of a seat in the small game, with every private number random."""
    levels = {name: list(table) for name, table in small_utility(seat).tables.items()}
    tables = {name: {level: draw(points) for level in found} for name, found in levels.items()}
    return Preferences(
        AdditiveUtility(seat, tables),  # type: ignore[arg-type]  # levels as they are kept
        reservation_value=draw(points),
        opt_out=draw(st.none() | points),
        time_cost=draw(st.none() | st.builds(TimeCost, st.integers(0, 9), st.floats(1, 60))),
    )


def bytes_of(observation: Observation) -> tuple[bytes, str]:
    return observation.vector().tobytes(), repr(observation)


def after_some_offers(game: GameSpec) -> TrialTable:
    table = TrialTable(game)
    table.human.offers(ALL_NAMED)
    table.agent.offers(Offer({"colour": "blue"}))
    return table


@given(secret=other_preferences("agent"))
def test_no_private_number_of_the_other_seat_changes_what_a_seat_sees(secret: Preferences) -> None:
    game = small_game(visible=("human",))
    changed = replace(game, preferences=game.preferences.with_value("agent", secret))

    before, after = after_some_offers(game).state, after_some_offers(changed).state

    for asker, level in (("human", 1), ("coach", 2), ("platform", 3), (None, 1)):
        assert bytes_of(seen(after, asker, level)) == bytes_of(seen(before, asker, level))


OTHER_TASTE = AdditiveUtility(
    "agent",
    {**small_utility("agent").tables, "colour": {"red": 0, "green": 1, "blue": 8}},  # type: ignore[dict-item]  # tables as they are kept
)


@pytest.mark.parametrize(
    "change",
    [
        {"utility": OTHER_TASTE},
        {"reservation_value": 4},
        {"opt_out": 4},
        {"time_cost": TimeCost(1, 30)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_each_of_those_numbers_is_seen_once_the_game_makes_them_public(change: dict[str, object]) -> None:
    game = small_game(visible=("agent",))

    before = seen(after_some_offers(game).state, "human")
    after = seen(after_some_offers(with_preferences(game, "agent", **change)).state, "human")

    assert bytes_of(after) != bytes_of(before)


def test_what_another_seat_tries_in_vain_changes_nothing_that_a_seat_sees() -> None:
    table = TrialTable(small_game())
    table.human.offers(Offer({"colour": "blue"}))
    before = bytes_of(seen(table.state, "human"))

    table.wait(0.5)
    with pytest.raises(Refused):
        table.agent.accepts()

    assert table.state.t == 0.5
    assert bytes_of(seen(table.state, "human")) == before
