"""A game's settings of mood and pace hold for every agent, in the session and in its replay."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, Schedule, SendExpression, SendMessage, ShowTyping
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.session_runner import SessionRunner, seat_rng
from negoplatform.core.events import Event, EventType, Expression, ExpressionShown, Typing
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.core.visibility import Observer, ViewProjector, visible_game
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.counterpart_settings import CounterpartSettings
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.testing import TrialTable
from tests.games import with_rules


class Actor(NegotiationAgent):
    """Agent that answers a message with a face, typing, words, and a later callback that names the pace."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [
            SendExpression(Expression.ANGRY, duration_ms=1500),
            ShowTyping(2000, flushable=False),
            SendMessage("No.", delay_ms=2000),
            Schedule(10_000, lambda ctx: SendMessage(f"Pace {ctx.game.rules.counterpart.pace:g}.")),
        ]


def table_with(game: GameSpec, **settings: Any) -> TrialTable:
    table = TrialTable(with_rules(game, counterpart=CounterpartSettings(**settings)))
    table.seat(Actor())
    return table


def times(table: TrialTable) -> list[tuple[float, str]]:
    return [(e.t, str(e.type)) for e in table.events if e.sender == "agent" and e.type != EventType.TYPING]


@pytest.mark.parametrize(("pace", "face", "words"), [(1.0, 1.0, 3.0), (2.0, 2.0, 6.0), (0.5, 0.5, 1.5)])
def test_the_pace_multiplies_the_delays_of_scripts_and_not_of_callbacks(
    game: GameSpec, pace: float, face: float, words: float
) -> None:
    table = table_with(game, pace=pace)
    table.human.says("Please?")

    table.wait(30)

    assert times(table)[:2] == [(face, "SEND_EXPRESSION"), (words, "SEND_MESSAGE")]
    called = [(e.t, e.get_text()) for e in table.events if e.get_text().startswith("Pace")]
    assert called == [(10.0, f"Pace {pace:g}.")]


def test_the_typing_sign_lasts_until_the_words_that_it_announces(game: GameSpec) -> None:
    table = table_with(game, pace=3.0)
    table.human.says("Please?")

    table.wait(30)

    (typing,) = [e for e in table.events if e.type == EventType.TYPING]
    words = next(e for e in table.events if e.get_text() == "No.")
    assert typing.payload == Typing(6000)
    assert words.t == pytest.approx(typing.t + 6)


def test_the_fastest_pace_never_answers_in_the_same_instant(game: GameSpec) -> None:
    table = TrialTable(with_rules(game, counterpart=CounterpartSettings(pace=0.25)))
    table.seat(Actor(), timing=AgentTiming(act_delay=0.001))
    table.human.says("Please?")

    table.wait(5)

    assert times(table)[0][0] == 0.001


def test_the_opening_follows_the_pace_too(game: GameSpec) -> None:
    class Greeter(NegotiationAgent):
        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [SendMessage("Hello!")]

    table = TrialTable(with_rules(game, counterpart=CounterpartSettings(pace=2.0)))
    table.seat(Greeter(), timing=AgentTiming(opening_delay=12.0))
    table.wait(3)
    table.human.types()

    table.wait(10)

    assert [e.t for e in table.events if e.get_text() == "Hello!"] == [5.0]


def test_every_face_of_an_agent_is_shown_for_the_set_time(game: GameSpec) -> None:
    table = table_with(game, face_seconds=4)
    table.human.says("Please?")
    table.human.shows(Expression.SAD)

    table.wait(5)

    faces = {e.sender: e.payload for e in table.events if e.type == EventType.SEND_EXPRESSION}
    assert faces["agent"] == ExpressionShown(Expression.ANGRY, 4000)
    assert faces["human"] == ExpressionShown(Expression.SAD, 2000)


@pytest.mark.parametrize(
    "settings", [{}, {"pace": 1.7}, {"face_seconds": 4}, {"pace": 0.3, "face_seconds": 9}]
)
def test_an_agent_replayed_under_the_same_settings_does_the_same(
    game: GameSpec, settings: dict[str, Any]
) -> None:
    table = table_with(game, **settings)
    table.human.says("Please?")
    table.wait(4)
    seen = table.session.state.game
    again = SessionRunner(seen, seed=1, clock=VirtualClock(), log=NoLog(), report=lambda _error: None)
    replay = AgentReplay(
        "agent",
        SeatAssignment(lambda: AgentRunner(configured(Actor()), seat_rng(1, "agent")), AgentBudget()),
        ViewProjector(Observer("agent"), deepcopy(visible_game(seen, Observer("agent")))),
        AgentTiming(),
    )

    for published in again.session.restore(table.events):
        replay.apply_event(published)

    assert replay.divergences == []
    table.wait(30)
    left = [(step.due, type(step.step).__name__) for step in replay.pending_steps()]
    later = [e for e in table.events if e.sender == "agent" and e.t > 4]
    assert [due for due, _name in left] == [pytest.approx(e.t) for e in later]


def configured(agent: NegotiationAgent) -> NegotiationAgent:
    agent.configure({})
    return agent
