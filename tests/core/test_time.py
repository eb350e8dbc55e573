"""Ticks, the deadline, the closing phase, and the one heap of all timers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    FormalQuit,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
)
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import EndedBy, Event, EventType, Expression
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.scheduler import Priority, Scheduler
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.utility import Points
from negoplatform.eventlog.writer import NoLog
from negoplatform.testing import Scripted, TrialTable
from tests.games import coins_only, three_seats, with_rules


class LastWords(NegotiationAgent):
    """Agent that acts when the game has ended."""

    def __init__(self, *script: Action) -> None:
        super().__init__()
        self.script = list(script)
        self.heard_the_end = 0

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.heard_the_end += 1
        return self.script


def ticks(table: TrialTable) -> list[float]:
    return [event.t for event in table.events if event.type == EventType.TIME]


def said(table: TrialTable) -> list[tuple[float, str]]:
    return [(event.t, event.get_text()) for event in table.events if event.get_text()]


def test_a_game_may_give_more_time_for_last_words() -> None:
    table = TrialTable(coins_only(closing_seconds=60.0))
    table.human.quits()

    table.wait(59.0)
    table.human.says("Bye, it was nice.")
    table.wait(1.0)

    assert table.closed
    assert said(table) == [(59.0, "Bye, it was nice.")]


# The scheduler


def test_what_is_due_is_called_in_the_order_of_time() -> None:
    scheduler = Scheduler()
    called: list[str] = []
    scheduler.call_at(2.0, lambda: called.append("second"))
    scheduler.call_at(1.0, lambda: called.append("first"))

    while scheduler.run_next(3.0):
        pass

    assert called == ["first", "second"]


def test_at_one_instant_the_platform_comes_first_and_then_whoever_asked_first() -> None:
    scheduler = Scheduler()
    called: list[str] = []
    scheduler.call_at(1.0, lambda: called.append("one seat"))
    scheduler.call_at(1.0, lambda: called.append("another seat"))
    scheduler.call_at(1.0, lambda: called.append("platform"), Priority.PLATFORM)

    while scheduler.run_next(1.0):
        pass

    assert called == ["platform", "one seat", "another seat"]


def test_nothing_is_called_before_it_is_due() -> None:
    scheduler = Scheduler()
    scheduler.call_at(1.0, lambda: None)

    assert not scheduler.run_next(0.999)
    assert scheduler.next_due() == 1.0


def test_what_is_cancelled_is_neither_called_nor_waited_for() -> None:
    scheduler = Scheduler()
    called: list[str] = []
    scheduler.call_at(1.0, lambda: called.append("cancelled")).cancel()

    assert scheduler.next_due() is None
    assert not scheduler.run_next(9.0)
    assert called == []


def test_a_virtual_clock_never_goes_back() -> None:
    clock = VirtualClock()
    clock.advance_to(5.0)

    clock.advance_to(3.0)

    assert clock() == 5.0


# Ticks and the deadline


def test_the_clock_ticks_every_five_seconds_unless_the_game_says_otherwise() -> None:
    table = TrialTable(coins_only(deadline_seconds=60.0))

    table.wait(16)

    assert ticks(table) == [5.0, 10.0, 15.0]


def test_the_clock_ticks_every_time_tick_seconds_and_exactly_at_the_deadline() -> None:
    table = TrialTable(coins_only(deadline_seconds=10.0, time_tick_seconds=4.0))

    table.play_out()

    assert ticks(table) == [4.0, 8.0, 10.0]


def test_a_deadline_on_a_tick_is_told_once() -> None:
    table = TrialTable(coins_only(deadline_seconds=10.0, time_tick_seconds=5.0))

    table.play_out()

    assert ticks(table) == [5.0, 10.0]


def test_a_tick_tells_the_time_and_what_is_left_of_it() -> None:
    table = TrialTable(coins_only(deadline_seconds=12.5))

    table.wait(6)

    assert (table.events[-1].payload.elapsed, table.events[-1].payload.remaining) == (5.0, 7.5)


def test_the_deadline_ends_the_game_right_after_its_tick() -> None:
    table = TrialTable(coins_only(deadline_seconds=10.0))

    table.play_out()

    assert table.kinds(without=frozenset())[-2:] == ["TIME", "GAME_END"]
    assert table.events[-1].payload.ended_by is EndedBy.TIMEOUT
    assert table.events[-1].t == 10.0
    assert table.events[-1].payload.deal is None


def test_at_the_deadline_it_is_too_late() -> None:
    table = TrialTable(coins_only(deadline_seconds=10.0))
    table.seat(Scripted(SendOffer(table.context("agent").make_offer(coins=2), delay_ms=9000)))

    table.play_out()

    assert "SEND_OFFER" not in table.kinds()
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.TIMEOUT


def test_a_game_without_a_deadline_ticks_on_and_says_that_nothing_is_left_to_count() -> None:
    table = TrialTable(coins_only())

    table.wait(3600)

    assert len(ticks(table)) == 720
    assert table.events[-1].payload.remaining is None
    assert table.context("human").remaining_time is None
    assert table.state.ending is None


def test_there_are_no_ticks_after_the_end(table: TrialTable) -> None:
    table.wait(7)
    table.human.quits()

    table.play_out()

    assert ticks(table) == [5.0]


# Time that does not move


class Restless(NegotiationAgent):
    """Agent that acts again and again at one instant."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [Schedule(0, self.again)]

    def again(self, ctx: AgentContext) -> list[Action]:
        return [Schedule(0, self.again)]


def test_two_agents_that_never_let_time_pass_abort_the_session_with_a_sentence() -> None:
    table = TrialTable(coins_only(deadline_seconds=60.0))
    table.seat(Restless(), "human")
    table.seat(Restless(), "agent")

    table.play_out()

    ending = table.state.ending
    assert ending is not None
    assert ending.ended_by is EndedBy.ABORTED
    assert ending.reason == (
        "More than 1,000 events happened at one instant (0 s), so the session was stopped."
    )
    assert table.state.ended_at == 0.0
    assert table.kinds()[-1] == "GAME_END"
    assert len(table.events) == 1002


def test_a_thousand_events_at_one_instant_are_not_yet_too_many() -> None:
    table = TrialTable(coins_only())

    for _ in range(999):
        table.human.types()

    assert len(table.events) == 1000
    assert table.state.ending is None


def test_many_events_at_different_instants_are_never_too_many() -> None:
    table = TrialTable(coins_only())

    for _ in range(1500):
        table.human.types()
        table.wait(0.001)

    assert table.state.ending is None


class RestlessAtTheEnd(Restless):
    """Agent that is inactive until the game has ended, and then restless."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        return []

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [Schedule(0, self.again)]


@pytest.mark.timeout(10)
def test_an_agent_that_never_lets_time_pass_after_the_end_cannot_hold_the_session_open(
    game: GameSpec,
) -> None:
    table = TrialTable(game)
    table.seat(RestlessAtTheEnd())
    table.human.quits()

    table.play_out()

    assert table.closed
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.QUIT


# Closing


def test_on_game_end_is_called_and_its_message_is_sent(table: TrialTable) -> None:
    agent = LastWords(SendMessage("Farewell."))
    table.seat(agent)
    table.human.quits()

    table.play_out()

    assert agent.heard_the_end == 1
    assert said(table) == [(1.0, "Farewell.")]
    assert table.kinds() == ["GAME_START", "FORMAL_QUIT", "GAME_END", "SEND_MESSAGE"]


def test_each_seat_has_one_last_message_and_one_last_expression() -> None:
    table = TrialTable(three_seats())
    for seat in table.state.game.seats:
        words = [SendMessage(f"Farewell from {seat}."), SendMessage("And another thing.")]
        faces = [SendExpression(face, flushable=False) for face in (Expression.SAD, Expression.HAPPY)]
        table.seat(LastWords(*words, *faces), seat)
    table.participant("red").quits()

    table.play_out()

    assert [text for _, text in said(table)] == [
        f"Farewell from {seat}." for seat in ("red", "green", "blue")
    ]
    assert table.kinds().count("SEND_EXPRESSION") == 3
    assert table.kinds().count("ACTION_REFUSED") == 6


@pytest.mark.parametrize("act", ["offer", "accept", "quit", "draft"])
def test_after_the_end_there_are_words_and_faces_only(table: TrialTable, act: str) -> None:
    offer = table.human.offers(bananas=(2, 2))
    table.human.quits()

    acts: dict[str, Callable[[], Event]] = {
        "offer": lambda: table.agent.offers(bananas=(1, 3)),
        "accept": lambda: table.agent.accepts(offer),
        "quit": table.agent.quits,
        "draft": table.agent.drafts,
    }

    with pytest.raises(Refused, match="The game is over"):
        acts[act]()


def test_what_waited_when_the_game_ended_is_cancelled(table: TrialTable) -> None:
    late: list[Action] = [
        SendMessage("Too late.", delay_ms=3000),
        SendOffer(next(table.state.game.outcomes())),
    ]
    table.seat(Scripted(*late, Schedule(4000, SendMessage("Much too late."))))
    table.wait(2)
    table.human.quits()

    table.play_out()

    assert table.kinds() == ["GAME_START", "FORMAL_QUIT", "GAME_END"]


def test_the_words_behind_the_act_that_ended_the_game_are_still_said(table: TrialTable) -> None:
    table.seat(Scripted(FormalQuit(), SendMessage("Farewell.", delay_ms=500)))

    table.play_out()

    assert table.kinds() == ["GAME_START", "FORMAL_QUIT", "GAME_END", "SEND_MESSAGE"]
    assert said(table) == [(1.5, "Farewell.")]


def test_an_offer_behind_the_act_that_ended_the_game_is_not_sent(table: TrialTable) -> None:
    table.seat(Scripted(FormalQuit(), SendOffer(next(table.state.game.outcomes()), delay_ms=500)))

    table.play_out()

    assert table.kinds() == ["GAME_START", "FORMAL_QUIT", "GAME_END"]


def test_the_closing_lasts_five_seconds_and_no_longer(table: TrialTable) -> None:
    table.wait(2)
    table.human.quits()

    table.wait(4.9)
    open_until_now = not table.closed
    table.wait(0.1)

    assert open_until_now
    assert table.closed


def test_words_that_come_five_seconds_after_the_end_are_not_said(table: TrialTable) -> None:
    table.seat(LastWords(SendMessage("Wait for me!", delay_ms=4000)))
    table.human.quits()

    table.play_out()

    assert said(table) == []


def test_nothing_is_recorded_after_closing(table: TrialTable) -> None:
    table.human.quits()
    table.play_out()
    before = len(table.events)

    with pytest.raises(Refused, match="The session is over"):
        table.human.says("Hello?")

    assert len(table.events) == before


def test_the_log_is_closed_once(game: GameSpec) -> None:
    closed: list[bool] = []

    class Log:
        def write(self, event: Event) -> None:
            assert not closed

        def close(self) -> None:
            closed.append(True)

    table = TrialTable(game, log=Log())
    table.human.quits()
    table.play_out()
    table.wait(10)

    assert closed == [True]


@pytest.mark.parametrize("ended_by", list(EndedBy))
def test_every_end_is_public_and_says_why(game: GameSpec, ended_by: EndedBy) -> None:
    table = TrialTable(with_rules(game, deadline_seconds=10.0))
    human, agent = Scripted(), Scripted()
    table.seat(human, "human")
    table.seat(agent, "agent")
    match ended_by:
        case EndedBy.AGREEMENT:
            offer = table.human.offers(bananas=4, grain=5, wood=3, spices=3)
            table.human.accepts(offer)
            table.agent.accepts(offer)
        case EndedBy.TIMEOUT:
            table.wait(10)
        case EndedBy.QUIT:
            table.agent.quits()
        case _:
            table.start()
            table.session.end(ended_by, "It had to end.")

    for listener in (human, agent):
        end = listener.received_events[-1]
        assert (end.type, end.to, end.payload.ended_by) == (EventType.GAME_END, (), ended_by)
        assert bool(end.get_offer()) is (ended_by is EndedBy.AGREEMENT)


def test_a_seeds_chance_is_the_same_in_every_run(game: GameSpec) -> None:
    def draws(seed: int) -> list[float]:
        drawn: list[float] = []

        class Dicer(NegotiationAgent):
            def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
                drawn.extend(ctx.rng.random() for _ in range(3))
                return []

        table = TrialTable(game, seed=seed)
        table.seat(Dicer())
        table.start()
        return drawn

    assert draws(7) == draws(7)
    assert draws(7) != draws(8)
    assert draws(7)[0] != Random(7).random()


def test_each_seat_has_a_chance_of_its_own(game: GameSpec) -> None:
    drawn: list[float] = []

    class Dicer(NegotiationAgent):
        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            drawn.append(ctx.rng.random())
            return []

    table = TrialTable(game)
    table.seat(Dicer(), "human")
    table.seat(Dicer(), "agent")
    table.start()

    assert drawn[0] != drawn[1]


def test_an_accept_that_is_due_with_the_deadline_loses(game: GameSpec) -> None:
    table = TrialTable(with_rules(game, deadline_seconds=10.0))

    class Late(NegotiationAgent):
        def on_formal_accept(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [FormalAccept()]

    table.seat(Late())
    offer = table.human.offers(bananas=4, grain=5, wood=3, spices=3)
    table.wait(9)
    table.human.accepts(offer)

    table.play_out()

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.TIMEOUT


def test_what_happened_at_the_instant_of_a_crash_counts_no_more_after_it() -> None:
    game = coins_only()
    before = TrialTable(game)
    before.wait(1)
    for _ in range(900):
        before.human.types()
    clock, told = VirtualClock(), list[PublishedEvent]()
    clock.advance_to(50)
    table = SessionRunner(game, seed=1, clock=clock, log=NoLog(), report=lambda _error: None)
    table.subscribe(told.append)

    table.resume(before.events)
    for _ in range(200):
        table.session.show_typing("human")

    assert [happening.event.type for happening in told].count(EventType.GAME_END) == 0


def discounted(**rules: Any) -> GameSpec:
    """Return the game about coins in which a quarter of the human's points is left at the end."""
    game = coins_only(deadline_seconds=100.0, **rules)
    mine = replace(game.preferences["human"], reservation_value=2, opt_out=1, discount_factor=0.25)
    return replace(game, preferences=game.preferences.with_value("human", mine))


def points(table: TrialTable) -> list[Points | None]:
    return [mechanism_of("bargaining").points(table.state, seat) for seat in ("human", "agent")]


def test_a_deal_is_worth_less_to_a_seat_with_a_discount_the_later_it_is() -> None:
    table = TrialTable(discounted())
    table.wait(50.0)

    offer = table.human.offers(coins=(4, 0))
    table.agent.accepts(offer)
    table.human.accepts(offer)

    assert table.state.ended_at == 50
    assert points(table) == [4 * 0.25**0.5, 0]


def test_a_timeout_and_quitting_are_discounted_like_a_deal() -> None:
    timeout, quit_early = TrialTable(discounted()), TrialTable(discounted())

    timeout.wait(100.0)
    quit_early.wait(25.0)
    quit_early.human.quits()

    assert points(timeout) == [2 * 0.25, 0]
    assert points(quit_early) == [1 * 0.25**0.25, 0]
