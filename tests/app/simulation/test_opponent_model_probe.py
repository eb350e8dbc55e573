"""Opponent models that are asked during a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.bids import Bids
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.frequency_opponent_model import FrequencyEstimate
from negoplatform.analysis.opponent_model_accuracy import ModelRow
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.session_runner import SessionRunner, run_session
from negoplatform.app.simulation.opponent_model_probe import OpponentModelProbe, TruePreferencesCache
from negoplatform.app.simulation.simulate import Result, Seatings, simulate
from negoplatform.core.events import Event
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec, Rules
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.responder import SeatAssignment
from tests.games import categorical_only, three_seats


class Lister(NegotiationAgent):
    """Agent that sends its bids from best to worst, and never accepts."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.left = list(Bids(ctx).downwards(0))
        self.other = FrequencyEstimate(ctx.game, ctx.game.others(ctx.seat)[0])
        return [SendOffer(self.left.pop(0))]

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.other.hear(event.get_offer())
        return [SendOffer(self.left.pop(ctx.rng.randrange(len(self.left))))] if self.left else []


class Modeller(Lister):
    """The same with its model, which draws random numbers when it is asked for."""

    def reset(self) -> None:
        self.asked: list[int] = []

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.rng = ctx.rng
        return super().on_game_start(ctx, event)

    def opponent_model(self, seat: Seat) -> FrequencyEstimate:
        self.asked.append(self.other.heard)
        self.rng.random()
        return self.other


class Forgetful(Lister):
    """Agent without any model of the other side yet."""

    def opponent_model(self, seat: Seat) -> None:
        return None


class Broken(Lister):
    """Agent that fails when it is asked."""

    def opponent_model(self, seat: Seat) -> FrequencyEstimate:
        raise LookupError("no such seat")


class Leaving(Lister):
    """Agent that ends the program when it is asked."""

    def opponent_model(self, seat: Seat) -> FrequencyEstimate:
        raise SystemExit("enough")


class BrokenProperty(Modeller):
    """Agent that draws a random number, and fails, before it can be asked."""

    @property
    def opponent_model(self) -> Any:
        self.rng.random()
        raise LookupError("no method")


def play(
    agents: Mapping[Seat, NegotiationAgent],
    *,
    at: tuple[float, ...] = (),
    game: GameSpec | None = None,
) -> tuple[list[ModelRow], list[Event]]:
    """Return the rows of the models and the events of a game of 20 seconds."""
    game = game or categorical_only(deadline_seconds=20)
    clock = VirtualClock()
    runner = SessionRunner(game, seed=3, clock=clock, log=NoLog(), report=print)
    names = SeatMap((seat, type(agent).__name__.lower()) for seat, agent in agents.items())
    probe = OpponentModelProbe(game, 3, names, at, TruePreferencesCache())
    runner.subscribe(probe.on_published)
    events: list[Event] = []
    runner.subscribe(lambda published: events.append(published.event))
    for seat, agent in agents.items():
        runner.assign(seat, probe.observe(seat, assignment(agent, seat)))
    run_session(runner, clock)
    return probe.rows, events


def assignment(agent: NegotiationAgent, seat: Seat) -> SeatAssignment:
    return SeatAssignment(lambda: AgentRunner(agent, Random(seat)))


def configured(agent: NegotiationAgent) -> Any:
    agent.reset()
    return agent


def test_a_model_is_asked_once_at_each_point_that_the_game_reaches() -> None:
    asked = configured(Modeller())

    rows, _ = play({"human": asked, "agent": configured(Lister())}, at=(0.25, 0.1, 1.0))

    assert [(row.agent, row.seat, row.opponent, row.at) for row in rows] == [
        ("modeller", "human", "lister", 0.1),
        ("modeller", "human", "lister", 0.25),
        ("modeller", "human", "lister", 1.0),
    ]
    assert asked.asked == sorted(asked.asked)
    assert asked.asked[0] < asked.asked[-1]
    assert {row.outcomes for row in rows} == {categorical_only().count_outcomes()}
    assert all(row.rmse is not None for row in rows)


def test_the_game_is_the_same_whether_or_not_models_are_asked() -> None:
    _, without = play({"human": configured(Modeller()), "agent": configured(Modeller())})
    rows, asked = play({"human": configured(Modeller()), "agent": configured(Modeller())}, at=(0.1, 0.5, 1.0))

    assert len(rows) == 6
    assert asked == without


def test_the_game_is_the_same_if_asking_for_the_method_fails() -> None:
    _, without = play({"human": configured(BrokenProperty()), "agent": configured(Lister())})
    _, asked = play({"human": configured(BrokenProperty()), "agent": configured(Lister())}, at=(0.1, 0.5))

    assert asked == without


def test_an_agent_without_a_model_has_no_rows() -> None:
    rows, _ = play({"human": configured(Lister()), "agent": configured(Lister())}, at=(0.5,))

    assert rows == []


@pytest.mark.parametrize(
    ("agent", "note"),
    [
        (Forgetful, "The agent has no model of agent yet."),
        (Broken, "The agent has no model of agent: no such seat"),
        (Leaving, "The agent has no model of agent: enough"),
        (BrokenProperty, "The agent has no model of agent: no method"),
    ],
)
def test_a_note_says_why_there_is_no_model(agent: type[Lister], note: str) -> None:
    rows, _ = play({"human": configured(agent()), "agent": configured(Lister())}, at=(0.5,))

    (row,) = rows
    assert (row.note, row.rmse) == (note, None)


MODELLER = """
from negoplatform.agent_api import Bidder, FrequencyEstimate

class Counter(Bidder):
    '''Demands a little less each time, and estimates the other side.'''

    def reset(self):
        super().reset()
        self.other = None

    def on_game_start(self, ctx, event):
        self.other = FrequencyEstimate(ctx.game, ctx.game.others(ctx.seat)[0])
        self.rng = ctx.rng
        return super().on_game_start(ctx, event)

    def hear(self, ctx, sender, offer):
        self.other.hear(offer)

    def least(self, ctx):
        return self.bids.highest - (self.bids.highest - self.bids.lowest) * ctx.progress / 2

    def next_bid(self, ctx, answered):
        return self.bids.any_from(self.least(ctx), ctx.rng)

    def opponent_model(self, seat):
        self.rng.random()
        return self.other
"""


def events_of(folder: Path) -> tuple[Event, ...]:
    """Return the events of the only log in a folder."""
    (log,) = folder.rglob("*.jsonl")
    return tuple(read_log(log).events)


def test_a_simulated_game_is_the_same_whether_or_not_models_are_asked(tmp_path: Path) -> None:
    (tmp_path / "modeller.py").write_text(MODELLER, encoding="utf-8")
    agents = [find_agent(name, tmp_path) for name in (str(tmp_path / "modeller.py"), "boulware")]
    game = replace(find_game("practice", tmp_path), rules=Rules(deadline_offers=40, talk=False))

    def run(folder: str, **more: Any) -> Result:
        (result,) = simulate(
            game, agents, games=1, seed=5, logs=tmp_path / folder, report=print, how=Seatings.GIVEN, **more
        )
        return result

    without, asked = run("without"), run("asked", models_at=(0.1, 0.25))

    assert without.models == ()
    assert [(row.opponent, row.at) for row in asked.models] == [("boulware", 0.1), ("boulware", 0.25)]
    assert all(row.note == "" and row.rmse is not None for row in asked.models)
    assert events_of(tmp_path / "asked") == events_of(tmp_path / "without")


def test_a_shipped_agent_with_a_model_is_asked_and_others_are_not(tmp_path: Path) -> None:
    game = find_game("practice", tmp_path)
    agents = [find_agent(name, tmp_path) for name in ("competitive", "boulware")]

    (result,) = simulate(
        game, agents, games=1, seed=5, logs=None, report=print, how=Seatings.GIVEN, models_at=(0.1,)
    )

    assert [(row.agent, row.seat, row.note) for row in result.models] == [("competitive", "human", "")]


def test_a_model_of_statements_alone_is_not_compared_while_nothing_is_said(tmp_path: Path) -> None:
    """Check NegoChat, which learns about preferences from words alone, in a game without words."""
    game = find_game("campsite", tmp_path)
    agents = [find_agent(name, tmp_path, in_program=True) for name in ("negochat", "conceding")]
    quiet = replace(game, rules=replace(game.rules, talk=False))

    (result,) = simulate(
        quiet, agents, games=1, seed=1, logs=None, report=print, how=Seatings.GIVEN, models_at=(0.02,)
    )

    negochat, conceding = sorted(result.models, key=lambda row: row.agent, reverse=True)
    assert negochat.note == "The agent has heard nothing yet from which it learns about agent."
    assert negochat.spearman is None
    assert conceding.note == ""


@pytest.mark.parametrize("point", [0, 1.5, -0.1, True, "half"])
def test_points_of_progress_are_above_0_and_up_to_1(point: Any) -> None:
    with pytest.raises(NegoError, match="at a progress above 0 and up to 1"):
        OpponentModelProbe(categorical_only(), 1, {}, (point,), TruePreferencesCache())


def test_models_are_compared_in_games_with_two_seats() -> None:
    with pytest.raises(NegoError, match="games with two seats; made_up has more"):
        OpponentModelProbe(three_seats(), 1, {}, (0.5,), TruePreferencesCache())
