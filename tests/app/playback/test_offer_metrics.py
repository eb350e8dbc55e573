"""Metrics of a recorded session: offers, steps, and all possible deals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.analysis.games.frontier_with_interactions import bargaining_solutions
from negoplatform.analysis.outcome_measures import MeasuredGame
from negoplatform.app.playback.offer_metrics import RecordedOffer, recorded_offers, utility_steps
from negoplatform.app.playback.outcome_space import MOST_DOTS, outcome_space
from negoplatform.app.playback.playback import Playback
from negoplatform.cli.render.session_measures import steps_by_offer
from negoplatform.core.visibility import EXPERIMENTER, Observer
from negoplatform.domain.errors import NotVisible
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.step_analysis import StepClass
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility
from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.testing import TrialTable
from tests.eventlog.logs import recorded
from tests.games import categorical_only, coins_only, make_game, shipped_games, three_seats

HUMAN = Observer("human")
Play = Callable[[TrialTable], object]


def offers_of(
    tmp_path: Path, game: GameSpec, play: Play, observer: Observer = EXPERIMENTER
) -> list[RecordedOffer]:
    return list(recorded_offers(Playback.open(recorded(tmp_path, game, play)), observer))


def steps_of_all_kinds(table: TrialTable) -> None:
    """Play steps of all kinds; points of human and agent: 6+0 and 0+5, 4+0 and 4+5, 0+5 and 6+0, …"""
    for colour, size in (
        ("red", "small"),  # 6, 5
        ("green", "small"),  # 4, 9
        ("red", "small"),  # 6, 5
        ("red", "small"),  # 6, 5
        ("blue", "small"),  # 0, 11
        ("red", "large"),  # 11, 0
        ("green", "large"),  # 9, 4
    ):
        table.human.offers(colour=colour, size=size)
        table.wait(1)
    table.agent.offers(size="small")
    table.agent.offers(colour="blue")  # with small: 0, 11
    table.agent.offers(colour="green", size="small")  # 4, 9
    table.human.accepts()
    table.agent.accepts()
    table.play_out()


def test_each_step_has_its_class(tmp_path: Path) -> None:
    offers = offers_of(tmp_path, categorical_only(), steps_of_all_kinds)

    assert [(offer.seat, offer.step) for offer in offers] == [
        ("human", None),
        ("human", StepClass.CONCESSION),
        ("human", StepClass.SELFISH),
        ("human", StepClass.SILENT),
        ("human", StepClass.CONCESSION),
        ("human", StepClass.SELFISH),
        ("human", StepClass.CONCESSION),
        ("agent", None),
        ("agent", None),
        ("agent", StepClass.CONCESSION),
    ]


def test_the_classes_are_those_of_the_command_line(tmp_path: Path, game: GameSpec) -> None:
    def play(table: TrialTable) -> None:
        for bananas, grain in ((4, 5), (3, 5), (4, 1), (2, 2), (2, 2), (0, 5)):
            for party in (table.human, table.agent):
                party.offers(bananas=(bananas, 4 - bananas), grain=(grain, 5 - grain))
                party.offers(wood=(grain % 4, 3 - grain % 4), spices=(1, 2))
                table.wait(1)

    playback = Playback.open(recorded(tmp_path, game, play))

    offers = recorded_offers(playback, EXPERIMENTER)

    assert {offer.offer_id: offer.step for offer in offers if offer.step} == steps_by_offer(
        MeasuredGame(playback.game), playback.log
    )
    assert len({offer.step for offer in offers}) > 3


def test_an_offer_has_its_points_its_place_and_what_became_of_it(tmp_path: Path) -> None:
    offers = offers_of(tmp_path, categorical_only(), steps_of_all_kinds)

    partial, last = offers[7], offers[9]

    assert dict(partial.points) == {"human": 0, "agent": 5}
    assert dict(partial.shares) == {"human": 0.0, "agent": pytest.approx(5 / 11)}
    assert partial.proposal_points is None
    assert offers[8].proposal_points == (0.0, 11.0)
    assert last.proposal_points == (4.0, 9.0)
    assert (last.number, last.t, last.accepted_by, last.deal) == (10, 7.0, ("human", "agent"), True)
    assert not any(offer.deal or offer.accepted_by for offer in offers[:-1])


def test_as_the_human_an_offer_has_no_figure_of_the_agents(tmp_path: Path) -> None:
    offers = offers_of(tmp_path, categorical_only(), steps_of_all_kinds, HUMAN)

    assert len(offers) == 10
    assert all(list(offer.points) == list(offer.shares) == ["human"] for offer in offers)
    assert all(offer.proposal_points is None and offer.step is None for offer in offers)
    assert utility_steps(offers, "agent") == ()
    assert len(utility_steps(offers, "human")) == 10


def test_what_an_offer_is_worth_is_told_over_time(tmp_path: Path) -> None:
    offers = offers_of(tmp_path, categorical_only(), steps_of_all_kinds)

    assert [t for t, _ in utility_steps(offers[:3], "human")] == [0.0, 1.0, 2.0]
    assert [share for _, share in utility_steps(offers[:3], "human")] == pytest.approx(
        [6 / 11, 4 / 11, 6 / 11]
    )


def test_the_best_deals_of_a_small_game_are_those_of_pencil_and_paper() -> None:
    # Divisions of four coins: (0,8) (1,6) (2,4) (3,2) (4,0); no deal gives 1 each, so gains are
    # (0,5) (1,3) (2,1) and products 0, 3, 2. The highest gains are 2 and 5: shares (0,1) (.5,.6) (1,.2).
    game = make_game(
        {"human": {"coins": [0, 1, 2, 3, 4]}, "agent": {"coins": [0, 2, 4, 6, 8]}},
        issues=(QuantityIssue("coins", 4),),
        reservation=1,
    )

    space = outcome_space(game)

    assert list(space.dots) == [(0, 8), (1, 6), (2, 4), (3, 2), (4, 0)]
    assert list(space.frontier) == [(4, 0), (3, 2), (2, 4), (1, 6), (0, 8)]
    assert list(space.nash) == [(2, 4)]
    assert list(space.kalai_smorodinsky) == [(2, 4)]
    assert (space.total, space.sample_size, space.frontier_error) == (5, 5, "")


def five_deals() -> GameSpec:
    """Return a game with the deals (10, 1), (8, 6), (5, 7), (2, 10) and (1, 1); no deal is worth 0.

    Every other deal beats the last one.
    """
    deals = {"a": (10, 1), "b": (8, 6), "c": (5, 7), "d": (2, 10), "e": (1, 1)}
    return make_game(
        {
            "human": {"deal": {name: worth[0] for name, worth in deals.items()}},
            "agent": {"deal": {name: worth[1] for name, worth in deals.items()}},
        },
        issues=(CategoricalIssue("deal", tuple(deals)),),
    )


def test_two_ideas_of_a_fair_deal_can_differ() -> None:
    # Products 10, 48, 35, 20; shares of the highest gains, 10 each: spreads .9, .2, .2, .8, so the second
    # and the third tie for Kalai and Smorodinsky.
    game = five_deals()

    space = outcome_space(game)

    assert (1, 1) in space.dots
    assert list(space.frontier) == [(10, 1), (8, 6), (5, 7), (2, 10)]
    assert list(space.nash) == [(8, 6)]
    assert list(space.kalai_smorodinsky) == [(8, 6), (5, 7)]


def test_a_large_game_is_shown_by_lot_and_says_so() -> None:
    pies = tuple(QuantityIssue(f"pie{i}", 20) for i in range(6))
    points = {pie.name: list(range(21)) for pie in pies}
    game = make_game({"human": points, "agent": points}, issues=pies)

    space, again = outcome_space(game), outcome_space(game)

    assert space.total == 21**6
    assert space.sample_size == MOST_DOTS
    assert 10 < len(space.dots) <= MOST_DOTS
    assert all(x + y == 120 for x, y in space.dots)
    assert space == again
    assert len(space.frontier) == 121


def test_a_frontier_that_would_take_long_is_refused_with_a_sentence() -> None:
    prices = tuple(NumberIssue(f"price{i}", 0, 9999) for i in range(2))
    up = {price.name: {n: n * n for n in price.values} for price in prices}
    down = {price.name: {n: -n for n in price.values} for price in prices}
    game = make_game({"human": up, "agent": down}, issues=prices)

    space = outcome_space(game)

    assert "too long" in space.frontier_error
    assert not space.frontier + space.nash + space.kalai_smorodinsky
    assert space.dots


def with_interactions(values: int) -> GameSpec:
    """Return a game of two seats and three issues, two of which together are worth more to the human."""
    issues = tuple(CategoricalIssue(f"issue{i}", tuple(f"v{n}" for n in range(values))) for i in range(3))

    def table(rising: bool) -> dict[str, dict[str, int]]:
        return {
            i.name: {v: n if rising else 2 * (values - n) for n, v in enumerate(i.values)} for i in issues
        }

    more = Interaction(7, (("issue0", frozenset({"v1"})), ("issue1", frozenset({"v0", "v1"}))))
    return GameSpec(
        name="together",
        issues=issues,
        seats=("human", "agent"),
        preferences=SeatMap(
            {
                "human": Preferences(InteractionUtility(AdditiveUtility("human", table(True)), [more]), 1),
                "agent": Preferences(AdditiveUtility("agent", table(False)), 1),
            }
        ),
    )


def test_a_small_game_of_issues_that_interact_is_looked_at_outcome_by_outcome() -> None:
    game = with_interactions(5)

    space = outcome_space(game)

    exact = bargaining_solutions(game)
    assert set(space.frontier) == {tuple(point.points.values()) for point in exact.frontier.points}
    assert set(space.nash) == {tuple(point.points.values()) for point in exact.nash.tied}
    assert set(space.kalai_smorodinsky) == {
        tuple(point.points.values()) for point in exact.kalai_smorodinsky.tied
    }


def test_a_large_game_of_issues_that_interact_goes_without_a_frontier() -> None:
    space = outcome_space(with_interactions(40))

    assert "interact" in space.frontier_error
    assert len(space.dots) > 10


def test_three_seats_have_a_frontier_and_no_classes_of_steps(tmp_path: Path) -> None:
    def play(table: TrialTable) -> None:
        table.participant("red").offers(coins=(2, 1, 1), colour="red")
        table.participant("red").offers(coins=(1, 2, 1), colour="blue")

    game = three_seats()

    offers = offers_of(tmp_path, game, play)
    space = outcome_space(game)

    assert [offer.step for offer in offers] == [None, None]
    assert offers[0].proposal_points == (7.0, 2.0, 2.0)
    assert space.seats == ("red", "green", "blue")
    assert len(space.frontier) > 3


def test_hidden_preferences_give_no_outcome_space(tmp_path: Path) -> None:
    path = recorded(tmp_path, coins_only(), lambda table: table.human.offers(coins=(1, 3)))
    exported = tmp_path / "human.jsonl"
    exported.write_bytes(encode_log(filter_log(Playback.open(path).log, "human")))

    with pytest.raises(NotVisible):
        outcome_space(Playback.open(exported).game)


def test_every_shipped_game_has_its_outcome_space() -> None:
    for game in shipped_games("bargaining"):
        space = outcome_space(game.resolve_profiles(1))

        assert space.frontier_error == "", game.name
        assert space.nash, game.name


def test_a_seat_whose_points_never_vary_has_its_best_everywhere() -> None:
    game = coins_only()
    flat = Preferences(AdditiveUtility("agent", {"coins": dict.fromkeys(range(5), 2)}), 0)
    game = replace(game, preferences=game.preferences.with_value("agent", flat))

    space = outcome_space(game)

    shares = [scale.share(points) for scale, points in zip(space.scales, (3, 2), strict=True)]
    assert shares == [0.75, 1.0]
