"""Rewards: their values in every kind of game, and the own view, from which alone they are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event
from negoplatform.core.mechanisms.trading_state import TradingTerms
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.core.state import State
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import GameSpec, Visibility
from negoplatform.domain.seat_map import Seat
from negoplatform.training import (
    NegotiationParallelEnv,
    final_points,
    parallel_env,
    score_change,
    shaped,
)
from tests.core import test_leaks
from tests.games import commanded
from tests.mechanisms.economies import test_secrets
from tests.mechanisms.trading_table import ONE, TWO, worked_example
from tests.planted_secrets import FRIEND, OWNER, SPY
from tests.training.shipped_games import GAMES, mixed_opponents

Pair = tuple[AgentContext, AgentContext]
"""Contexts of a seat before and after a step."""


class Collector:
    """Reward of 0 that keeps the contexts with which it is called, by seat."""

    def __init__(self) -> None:
        self.pairs: dict[Seat, list[Pair]] = {}

    def __call__(self, before: AgentContext, after: AgentContext) -> float:
        self.pairs.setdefault(after.seat, []).append((before, after))
        return 0.0


# Values


def played(game: GameSpec, seed: int) -> dict[Seat, list[Pair]]:
    """Return the contexts of the learners in an episode of random actions."""
    collector = Collector()
    made = parallel_env(game, opponents=mixed_opponents(game), reward=collector, step_seconds=30)
    _, infos = made.reset(seed=seed)
    for seat in made.possible_agents:
        made.action_space(seat).seed(seed)
    while made.agents:
        actions = {seat: made.action_space(seat).sample(infos[seat]["action_mask"]) for seat in made.agents}
        _, _, _, _, infos = made.step(actions)
    return collector.pairs


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_changes_of_the_score_sum_up_to_the_final_points(game: GameSpec, seed: int) -> None:
    for pairs in played(game, seed).values():
        if pairs[-1][1].ending is None:
            continue  # the seat has left, and the game goes on
        paid = [final_points(*pair) for pair in pairs]
        changes = [score_change(*pair) for pair in pairs]
        began_with = final_or_standing(pairs[0][0])

        assert paid[:-1] == [0.0] * (len(pairs) - 1)
        assert sum(changes) == pytest.approx(paid[-1] - began_with)
        assert all(type(value) is float for value in paid + changes)


def final_or_standing(ctx: AgentContext) -> float:
    """Return the points of a context as a reward has them."""
    points = ctx.standing if ctx.ending is None else ctx.final_points
    if points is None:
        return 0.0
    preferences = ctx.game.preferences.get(ctx.seat)
    if preferences is None:
        return float(points)
    lowest, highest = preferences.utility.lowest, preferences.utility.highest
    return float(points - lowest) / float(highest - lowest)


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.mechanism == "bargaining"])
def test_final_points_of_bargaining_are_a_share_of_the_own_range(name: str) -> None:
    game = GAMES[name]
    for pairs in played(game, 3).values():
        before, after = pairs[-1]
        if after.ending is not None and after.ending.deal is not None:
            assert 0 <= final_points(before, after) <= 1
        assert final_points(before, after) <= 1


def test_the_best_and_the_worst_outcome_pay_1_and_0() -> None:
    made = parallel_env("campsite")
    made.reset(seed=1)

    made.step({"human": [1, 3, 3, 3]})
    rewards: dict[Seat, float] = {}
    points: dict[Seat, Any] = {}
    for _ in range(2):  # the game asks both for a formal acceptance
        _, rewards, terminated, _, infos = made.step({"agent": [2, 0, 0, 0], "human": [2, 0, 0, 0]})
        points = {seat: info.get("points") for seat, info in infos.items()}
        if all(terminated.values()):
            break

    assert rewards == {"human": 1.0, "agent": 0.0}
    assert points == {"human": 36.0, "agent": 0.0}


def test_a_transaction_counts_when_it_is_settled_and_not_when_it_is_requested() -> None:
    made = parallel_env(worked_example(), reward="score_change")
    made.reset(seed=1)
    accept, submit = {"c": [0.0], "d": [5, 0, 0]}, {"c": [0.0], "d": [7, 0, 0]}

    steps: list[dict[Seat, Any]] = [
        {ONE: {"c": [0.1], "d": [3, 1, 0]}},  # proposes to buy a unit for 20 of its 200
        {TWO: accept},
        {ONE: accept},
        {ONE: submit},
    ]
    before = [made.step(actions)[1] for actions in steps]
    _, settled, _, _, _ = made.step({TWO: submit})

    assert before == [{ONE: 0.0, TWO: 0.0}] * 4
    assert settled[ONE] == pytest.approx(80 * np.log(2) - 20)
    assert settled[TWO] == pytest.approx(30 * np.log(3 / 4) + 20)


def test_a_request_that_is_never_settled_counts_nothing() -> None:
    made = parallel_env(worked_example(), reward="score_change", step_seconds=10)
    made.reset(seed=1)
    steps: list[dict[Seat, Any]] = [
        {ONE: {"c": [0.1], "d": [3, 1, 0]}},
        {TWO: {"c": [0.0], "d": [5, 0, 0]}},
        {ONE: {"c": [0.0], "d": [5, 0, 0]}},
        {ONE: {"c": [0.0], "d": [7, 0, 0]}},
        *[{}] * 4,  # it expires after 30 s
        {ONE: {"c": [0.0], "d": [8, 0, 0]}, TWO: {"c": [0.0], "d": [8, 0, 0]}},
    ]

    paid = [made.step(actions)[1] for actions in steps]

    assert not made.agents
    assert all(value == 0 for rewards in paid for value in rewards.values())


@pytest.mark.parametrize("discount", [1.0, 0.9])
def test_shaping_adds_nothing_over_an_episode_but_the_potential_of_its_beginning(discount: float) -> None:
    def potential(ctx: AgentContext) -> float:
        return ctx.observation.timestamp / 10 + 2

    (pairs, *_) = played(GAMES["campsite"], 4).values()

    plain = [final_points(*pair) for pair in pairs]
    with_potential = [shaped(final_points, potential, discount)(*pair) for pair in pairs]

    added = sum(
        discount**step * (more - value)
        for step, (more, value) in enumerate(zip(with_potential, plain, strict=True))
    )
    assert added == pytest.approx(-potential(pairs[0][0]))


@pytest.mark.parametrize("discount", [-0.1, 1.5, float("nan")])
def test_a_discount_out_of_range_is_refused(discount: float) -> None:
    with pytest.raises(NegoError, match="A discount is a number from 0 to 1, not "):
        shaped(final_points, lambda _ctx: 0.0, discount)


# The own view


class EpisodeTable:
    """Table of a planted session, whose time moves with the steps of an environment."""

    def __init__(self, made: NegotiationParallelEnv) -> None:
        self.made = made
        self.seen: list[object] = []
        """Observations and infos of the spy."""

    @property
    def session(self) -> Session:
        assert self.made.episode is not None
        return self.made.episode.session

    @property
    def state(self) -> State:
        return self.session.state

    def wait(self, seconds: float) -> None:
        assert self.made.episode is not None
        until = self.made.episode.now + seconds
        while self.made.agents and self.made.episode.now < until:
            observations, _, _, _, infos = self.made.step({})
            # As texts and plain numbers: the search would go through NumPy's own objects.
            self.seen += [observations[SPY].tolist(), repr(infos[SPY])]


class PlantedEpisode:
    """Episode of learners in all seats, in which every kind of secret is used."""

    def __init__(self, game: GameSpec, play: Callable[[Any], None]) -> None:
        self.collector = Collector()
        self.made = parallel_env(game, reward=self.collector, step_seconds=1)
        self.made.reset(options={"game_seed": 1})
        self.table = EpisodeTable(self.made)
        play(self)
        self.table.wait(2)

    def act(self, seat: Seat, kind: str, payload: Any, *to: Seat) -> Event:
        """Do something."""
        return self.table.session.act(seat, kind, payload, ActionOrigin(to=to))

    def refused(self, seat: Seat, kind: str, payload: Any, *to: Seat) -> None:
        """Try something that is refused."""
        with pytest.raises(Refused):
            self.act(seat, kind, payload, *to)

    def given_to(self, seat: Seat) -> list[Pair]:
        """Return the contexts given to the reward of a seat: the first and the last ones."""
        pairs = self.collector.pairs[seat]
        return [*pairs[:1], *pairs[-3:]]


class Planted(NamedTuple):
    """A kind of game with secrets, and the search for them."""

    play: Callable[[], PlantedEpisode]
    found_in: Callable[..., tuple[set[float], set[str]]]


KINDS = {
    "bargaining": Planted(
        lambda: PlantedEpisode(test_leaks.planted_game(Visibility.OWNER), test_leaks.negotiate),
        test_leaks.found_in,
    ),
    "trading": Planted(
        lambda: PlantedEpisode(
            test_secrets.game_of("trading", TradingTerms(fee=0.5), Visibility.OWNER),
            test_secrets.trade_in_private,
        ),
        test_secrets.found_in,
    ),
    "market": Planted(
        lambda: PlantedEpisode(
            test_secrets.game_of("market", test_secrets.MARKET_TERMS, Visibility.OWNER),
            test_secrets.trade_in_the_market,
        ),
        test_secrets.found_in,
    ),
}
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@every_kind
def test_nothing_of_another_seat_is_found_in_what_a_reward_is_given(kind: Planted) -> None:
    episode = kind.play()

    assert kind.found_in(*episode.given_to(SPY)) == (set(), set())
    assert kind.found_in(*episode.table.seen[-6:]) == (set(), set())


@every_kind
def test_the_same_search_finds_the_secrets_in_what_the_owners_reward_is_given(kind: Planted) -> None:
    numbers, words = kind.found_in(*kind.play().given_to(OWNER))

    assert len(numbers) > 3
    assert words or kind is KINDS["market"]


def test_the_state_for_a_critic_has_secrets_and_no_observation_has_them() -> None:
    episode = KINDS["bargaining"].play()

    in_state, _ = test_leaks.found_in(episode.made.state().tolist())

    assert {7001.5, 7010.5} <= in_state
    assert episode.made.state().shape == episode.made.state_space.shape
    assert len(episode.made.state()) > len(episode.made.observation_space(SPY).sample())


@pytest.mark.parametrize(("seat", "shown"), [("blue", True), ("red", False)])
def test_allies_rewards_have_what_the_team_shares_and_no_other_seats_have(seat: Seat, shown: bool) -> None:
    collector = Collector()
    made = parallel_env(commanded(), reward=collector)
    made.reset(seed=1)

    made.step({})

    (_, after), *_ = collector.pairs[seat]
    assert ("Limits" in after.observation.global_info["green"]) == shown


def test_a_friend_is_told_what_is_whispered_to_it() -> None:
    _, words = test_leaks.found_in(*KINDS["bargaining"].play().given_to(FRIEND))

    assert words == {"secret-whisper"}
