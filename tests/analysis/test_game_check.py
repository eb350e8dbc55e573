"""Findings about a game's design."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from negoplatform.analysis.games.game_check import FindingKind, GameFinding, check_game
from negoplatform.domain.agreement_rules import Agreement, Outvoted, Quota, Turns
from negoplatform.domain.announcement import Announcement
from negoplatform.domain.errors import NotVisible
from negoplatform.domain.game import GameSpec, Preferences, Profile, TimeCost, Visibility
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility
from negoplatform.formats.games import load_game
from negoplatform.plugins.program_and_user_folders import bundled
from tests.games import burdens, coins_only, make_game, shipped_games, three_seats

DEADLINE: dict[str, Any] = {"deadline_seconds": 600.0}


def told(game: GameSpec, kind: FindingKind | None = None, at: str | None = None) -> list[str]:
    """Return the sentences of a game's findings, of one kind and about one place if given."""
    return [
        finding.text
        for finding in check_game(game)
        if kind in (None, finding.kind) and at in (None, finding.place)
    ]


def warned(game: GameSpec) -> list[str]:
    """Return the warnings with their places."""
    return [f"{f.place}: {f.text}" for f in check_game(game) if f.kind is FindingKind.WARNING]


def two_issues(
    human: tuple[Any, Any], agent: tuple[Any, Any], *, values: Sequence[str] = ("red", "green"), **rules: Any
) -> GameSpec:
    """Return a game about a colour and a size with the same value names."""
    colour, size = (
        CategoricalIssue("colour", tuple(values), "Colour"),
        CategoricalIssue("size", tuple(values)),
    )
    tables = {
        seat: {
            name: dict(zip(values, points, strict=True))
            for name, points in zip(("colour", "size"), both, strict=True)
        }
        for seat, both in (("human", human), ("agent", agent))
    }
    return make_game(tables, issues=(colour, size), **{**DEADLINE, **rules})


def given(game: GameSpec, seat: str, **changes: Any) -> GameSpec:
    """Return the game with changes to a seat's preferences."""
    return replace(
        game, preferences=game.preferences.with_value(seat, replace(game.preferences[seat], **changes))
    )


FAIR = two_issues(([5, 0], [0, 5]), ([0, 5], [5, 0]))
"""Two issues with opposite preferences on both."""


@pytest.mark.parametrize("game", shipped_games("bargaining"), ids=lambda game: game.name)
def test_a_shipped_game_has_nothing_to_be_warned_of(game: GameSpec) -> None:
    assert warned(game) == []


def test_every_finding_is_a_sentence_or_two() -> None:
    for game in shipped_games("bargaining"):
        for finding in check_game(game):
            assert finding.text[0].isupper() or finding.text[0] in "'0123456789"
            assert finding.text.endswith(".")
            assert "\n" not in finding.text


# Rules


@pytest.mark.parametrize(
    ("rules", "place", "texts"),
    [
        ({}, "rules.agreement", []),
        ({}, "rules.turns", []),
        (
            {"agreement": Agreement.MAJORITY},
            "rules.agreement",
            [
                "2 of 3 seats make a deal; the others are bound by it. The findings about deals below count "
                "all seats."
            ],
        ),
        (
            {"agreement": Quota(2), "outvoted": Outvoted.LEFT_OUT},
            "rules.agreement",
            [
                "2 of 3 seats make a deal; the others get their reservation values. The findings about deals "
                "below count all seats."
            ],
        ),
        (
            {"agreement": Quota(3)},
            "rules.agreement",
            ["With 3 seats this rule needs all of them, as 'unanimous' does."],
        ),
        (
            {"outvoted": Outvoted.LEFT_OUT},
            "rules.outvoted",
            ["All seats have to accept a deal, so this rule has no effect."],
        ),
        (
            {"turns": Turns.ALTERNATING},
            "rules.turns",
            ["The seats take turns in this order: red, green, blue. Messages are always free."],
        ),
    ],
)
def test_the_rules_of_many_seats_are_described(rules: dict[str, Any], place: str, texts: list[str]) -> None:
    assert told(three_seats(**DEADLINE, **rules), FindingKind.NOTE, place) == texts


def test_a_discount_counts_where_offers_are_the_deadline() -> None:
    game = coins_only(deadline_offers=20)
    preferences = {seat: replace(mine, discount_factor=0.5) for seat, mine in game.preferences.items()}
    game = replace(game, preferences=SeatMap(preferences.items()))

    assert not warned(game)
    assert any("At the deadline 50 % of all points of human are left." in text for text in told(game))


def test_a_game_without_a_deadline_is_warned_of() -> None:
    assert "rules.deadline_seconds: There is no deadline" in warned(coins_only())[0]
    assert not any("deadline" in text for text in warned(coins_only(**DEADLINE)))


@pytest.mark.parametrize(
    ("coins", "sentence"),
    [(1, "There are 2 outcomes."), (4, "There are 5 outcomes."), (20_000, "There are 20,001 outcomes.")],
)
def test_the_size_of_the_outcome_space_is_told(coins: int, sentence: str) -> None:
    table = list(range(coins + 1))
    game = make_game(
        {"human": {"coins": table}, "agent": {"coins": table}},
        issues=(QuantityIssue("coins", coins),),
        **DEADLINE,
    )

    notes = told(game, at="issues")

    assert notes[0] == sentence
    assert len(notes) == (2 if coins == 20_000 else 1)


@pytest.mark.parametrize(("at", "told_of_it"), [(599.0, True), (600.0, False), (900.0, False)])
def test_an_announcement_that_nobody_will_hear_is_warned_of(at: float, told_of_it: bool) -> None:
    game = replace(coins_only(**DEADLINE), announcements=(Announcement(at, "tax"),))

    warnings = [text for text in warned(game) if text.startswith("announcements[0].at_seconds: tax comes")]

    assert (not warnings) is told_of_it


def test_a_game_with_one_outcome_is_no_negotiation() -> None:
    only = make_game(
        {seat: {"day": {"Friday": 1}} for seat in ("human", "agent")},
        issues=(CategoricalIssue("day", ("Friday",)),),
        **DEADLINE,
    )

    assert "issues: With a single outcome there is nothing to negotiate." in warned(only)
    assert "There is 1 outcome." in told(only)


def test_it_is_told_whose_preferences_are_public() -> None:
    game = replace(FAIR, visibility=SeatMap({"human": Visibility.PUBLIC, "agent": Visibility.OWNER}))

    assert told(game, at="seats.human.visibility") == [
        "The preferences of human are public: the other seats see them."
    ]
    assert told(game, at="seats.agent.visibility") == ["The preferences of agent are private."]


# Seats


def test_a_seat_is_told_what_outcomes_are_worth_to_it() -> None:
    assert told(burdens(), at="seats.human.preferences") == ["Outcomes are worth -30 to 0 points to human."]


@pytest.mark.parametrize(
    ("reservation", "warning"),
    [
        (10, None),
        (0, None),
        (
            10.5,
            "A timeout pays human 10.5 points, more than the best deal with 10: it has no reason to make "
            "any.",
        ),
        (
            -1,
            "A timeout pays human -1 points, less than the worst deal with 0: every deal is better than "
            "none.",
        ),
    ],
)
def test_a_reservation_value_out_of_reach_is_warned_of(reservation: float, warning: str | None) -> None:
    game = given(FAIR, "human", reservation_value=reservation)

    found = told(game, FindingKind.WARNING, "seats.human.preferences.reservation_value")

    assert found == ([warning] if warning else [])


@pytest.mark.parametrize(
    ("opt_out", "kind", "part"),
    [
        (None, None, ""),
        (4, None, ""),
        (6, FindingKind.NOTE, "6 points, more than a timeout with 5"),
        (11, FindingKind.WARNING, "11 points, more than the best deal with 10"),
    ],
)
def test_walking_away_that_pays_too_well_is_told(
    opt_out: int | None, kind: FindingKind | None, part: str
) -> None:
    game = given(FAIR, "human", reservation_value=5, opt_out=opt_out)

    found = [f for f in check_game(game) if f.place == "seats.human.preferences.opt_out"]

    assert [f.kind for f in found] == ([kind] if kind else [])
    assert all(part in f.text for f in found)


def test_a_seat_that_nothing_matters_to_is_warned_of() -> None:
    game = two_issues(([3, 3], [1, 1]), ([0, 5], [5, 0]))

    assert (
        "seats.human.preferences: Every outcome is worth the same to human, so it has nothing to negotiate "
        "for." in warned(game)
    )
    assert "However Colour comes out, it is worth the same to human." in told(game, at="issues.colour")


@pytest.mark.parametrize(
    ("period", "kind", "part"),
    [
        (120, FindingKind.NOTE, "time has cost human 10 points"),
        (601, FindingKind.WARNING, "never costs human"),
    ],
)
def test_what_time_costs_until_the_deadline_is_told(period: float, kind: FindingKind, part: str) -> None:
    game = given(FAIR, "human", time_cost=TimeCost(2, period))

    (found,) = [f for f in check_game(game) if f.place == "seats.human.preferences.time_cost"]

    assert found.kind is kind
    assert part in found.text


# Issues


def test_a_value_that_another_beats_for_everybody_is_told() -> None:
    game = two_issues(
        ([5, 2, 0], [5, 3, 1]), ([0, 2, 2], [1, 3, 5]), values=("red", "green", "blue"), reservation=0
    )

    assert told(game, at="issues.colour") == [
        "'blue' of Colour is dominated: 'green' is better for some seats and worse for none."
    ]
    assert told(game, at="issues.size") == []


def test_a_value_that_nobody_likes_is_told() -> None:
    game = two_issues(([5, 2, 0], [5, 3, 1]), ([1, 2, 0], [1, 3, 5]), values=("red", "green", "blue"))

    assert told(game, at="issues.colour") == ["'blue' of Colour is what every seat likes least."]


def test_values_that_nobody_tells_apart_are_told() -> None:
    game = two_issues(([5, 2, 2], [5, 3, 1]), ([1, 2, 2], [1, 3, 5]), values=("red", "green", "blue"))

    assert told(game, at="issues.colour") == ["'green', 'blue' of Colour are worth the same to every seat."]


def test_an_issue_that_matters_to_nobody_is_warned_of_once() -> None:
    game = two_issues(([3, 3], [5, 0]), ([1, 1], [0, 5]))

    assert told(game, at="issues.colour") == ["However Colour comes out, it is worth the same to everybody."]
    assert told(game, FindingKind.WARNING, "issues.colour")


def test_a_division_that_another_beats_is_told_and_many_are_counted() -> None:
    wanted = make_game(
        {"human": {"coins": [0, 1, 1, 0]}, "agent": {"coins": [0, 0, 0, 0]}},
        issues=(QuantityIssue("coins", 3),),
        **DEADLINE,
    )
    unwanted = make_game(
        {"human": {"coins": [-n for n in range(11)]}, "agent": {"coins": [0] * 11}},
        issues=(QuantityIssue("coins", 10),),
        **DEADLINE,
    )

    assert "'0 human, 3 agent' of coins is what every seat likes least." in told(wanted, at="issues.coins")
    (many,) = [text for text in told(unwanted, at="issues.coins") if "dominated" in text]
    assert many.startswith("10 of the 11 ways to settle coins are dominated. One of them: '")


def test_an_issue_with_very_many_values_is_not_compared_value_by_value() -> None:
    price = NumberIssue("price", 0, 2000)
    tables = {seat: {"price": dict.fromkeys(price.values, 0) | {5: 3}} for seat in ("human", "agent")}

    game = make_game(tables, issues=(price,), **DEADLINE)

    assert told(game, at="issues.price") == [
        "price can be settled in more than 2,000 ways, too many to compare."
    ]


def test_a_value_is_dominated_only_if_it_is_so_with_every_profile() -> None:
    game = two_issues(([5, 2, 0], [5, 3, 1]), ([0, 2, 2], [1, 3, 5]), values=("red", "green", "blue"))
    likes_blue = AdditiveUtility(
        "agent", {"colour": {"red": 0, "green": 2, "blue": 3}, "size": {"red": 0, "green": 1, "blue": 2}}
    )
    profiles = (Profile("any", game.preferences["agent"]), Profile("blue", Preferences(likes_blue, 0)))

    both = replace(game, profiles=SeatMap({"agent": profiles}))

    assert told(game, at="issues.colour")
    assert told(both, at="issues.colour") == []


# Deals


def test_the_frontier_and_the_named_points_are_told() -> None:
    notes = told(FAIR, at="")

    assert notes[0] == (
        "4 of 4 outcomes are Pareto efficient, worth 3 different combinations of points; 4 of them give "
        "every seat at least what no deal pays."
    )
    assert any(
        text
        == "The Nash solution (highest product of gains) is reached by 2 outcomes; one is worth 5 to human, "
        "5 to agent: Colour green; size green."
        for text in notes
    )


def test_units_and_numbers_are_told_in_words() -> None:
    rent = NumberIssue("rent", 0, 100, 50, "Rent", "€")
    game = make_game(
        {
            "human": {"rent": {0: 10, 50: 6, 100: 0}, "coins": [0, 1, 2, 3, 4]},
            "agent": {"rent": {0: 0, 50: 6, 100: 10}, "coins": [0, 2, 4, 6, 8]},
        },
        issues=(rent, QuantityIssue("coins", 4, "Coins")),
        **DEADLINE,
    )

    assert (
        "The highest sum of points is worth 6 to human, 14 to agent: Rent 50 €; Coins 0 human, 4 agent."
        in told(game)
    )


@pytest.mark.parametrize(
    ("reservation", "part"),
    [(4, None), (5, "No outcome is better than no deal for every seat"), (6, "No outcome gives every seat")],
)
def test_a_game_in_which_no_deal_is_better_for_all_is_warned_of(reservation: int, part: str | None) -> None:
    game = given(given(FAIR, "human", reservation_value=reservation), "agent", reservation_value=reservation)

    found = told(game, FindingKind.WARNING)

    assert [part in text for text in found if part] == ([True] if part else [])
    assert bool(found) == bool(part)


def test_a_game_with_far_too_many_outcomes_is_told_so_at_once() -> None:
    points = list(range(1001))
    game = make_game(
        {seat: {"grains": points} for seat in ("red", "green", "blue", "white", "black")},
        issues=(QuantityIssue("grains", 1000, "Grains"),),
        **DEADLINE,
    )

    notes = told(game, at="issues.grains")

    assert notes[-1] == "Grains can be settled in 42,084,793,751 ways, so no deals were looked at."
    assert not any("Nash" in text for text in told(game))


def test_what_cannot_be_traded_is_told() -> None:
    fixed = coins_only(**DEADLINE)
    shared = two_issues(([10, 0], [0, 1]), ([0, 1], [10, 0]))

    assert any("there is nothing to gain for all by trading" in text for text in told(fixed))
    assert not any("nothing to gain for all by trading" in text for text in told(shared))


def test_each_combination_of_profiles_is_told_under_its_names() -> None:
    found = check_game(load_game(bundled("games") / "job_candidate.json"))

    places = [f.place for f in found if "Pareto" in f.text]

    assert len(places) == 9
    assert places[0] == "employer short_term, candidate short_term"
    (first, *_) = [f.text for f in found if "Pareto" in f.text]
    assert first.startswith("20 of 1,296 outcomes are Pareto efficient")
    (nash, *_) = [f.text for f in found if f.text.startswith("The Nash")]
    assert (
        "is worth 520 to employer, 445 to candidate: Salary 90,000 USD; Job description Programmer;" in nash
    )
    assert [f.text for f in found if f.place == "seats"] == [
        "There are 9 combinations of profiles; unless told otherwise, employer has short_term, candidate has "
        "short_term."
    ]


def test_many_combinations_are_told_together() -> None:
    found = check_game(load_game(bundled("games") / "campsite.json"))

    seats = [f.text for f in found if f.place == "seats"]

    assert "There are 36 combinations" in seats[0]
    assert seats[1] == "Over all combinations, 10 to 64 of 64 outcomes are Pareto efficient."
    assert seats[2].endswith("it is 0 in 6 of 36.")
    assert not any("Nash" in f.text for f in found)


def test_of_very_many_combinations_one_is_looked_at() -> None:
    base = coins_only(**DEADLINE)
    profiles = {
        seat: tuple(
            Profile(f"p{i}", replace(base.preferences[seat], reservation_value=i / 10)) for i in range(13)
        )
        for seat in base.seats
    }

    found = check_game(replace(base, profiles=SeatMap(profiles)))

    assert [f.text for f in found if f.place == "seats"] == [
        "There are 169 combinations of profiles; only one was looked at: the first of each seat."
    ]
    assert {f.place for f in found if "Nash" in f.text} == {"human p0, agent p0"}


def test_a_combination_that_leaves_no_deal_is_warned_of_by_name() -> None:
    base = coins_only(**DEADLINE)
    greedy = Profile("greedy", replace(base.preferences["human"], reservation_value=4))
    modest = Profile("modest", replace(base.preferences["human"], reservation_value=0))

    game = given(replace(base, profiles=SeatMap({"human": (greedy, modest)})), "agent", reservation_value=1)

    assert [f.place for f in check_game(game) if f.kind is FindingKind.WARNING] == ["human greedy"]


def interacting() -> GameSpec:
    """Return a game in which a colour and a size have extra points together."""
    bonus = Interaction(7, (("colour", frozenset({"green"})), ("size", frozenset({"green"}))))
    utility = FAIR.preferences["human"].utility
    assert isinstance(utility, AdditiveUtility)
    return given(FAIR, "human", utility=InteractionUtility(utility, [bonus]))


def test_issues_that_interact_are_not_compared_value_by_value_but_their_deals_are() -> None:
    notes = told(interacting())

    assert "Colour and other issues interact, so its values are not compared one by one." in notes
    assert any(
        text.startswith("The highest sum of points is worth 12 to human, 5 to agent") for text in notes
    )


def test_without_numpy_a_game_whose_issues_interact_is_told_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)

    (sentence,) = told(interacting(), at="")

    assert "needs NumPy" in sentence
    assert any(text.startswith("The Nash") for text in told(FAIR))


def test_a_game_with_hidden_preferences_cannot_be_checked() -> None:
    with pytest.raises(NotVisible, match="preferences of agent are hidden"):
        check_game(FAIR.redacted_for(["human"]))


def test_a_finding_is_a_value() -> None:
    assert GameFinding(FindingKind.NOTE, "issues", "Well.") == GameFinding(
        FindingKind.NOTE, "issues", "Well."
    )
