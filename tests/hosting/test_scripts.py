"""The times of an agent's actions: delays, callbacks, and dropped steps."""

from __future__ import annotations

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
    ShowTyping,
)
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, Expression, MessageSubtype
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.testing import Scripted, TrialTable
from tests.games import three_seats

EVEN = {"bananas": 2, "grain": 2, "wood": 1, "spices": 1}


class OnMessage(NegotiationAgent):
    """Agent that performs one script for each message that it gets."""

    def __init__(self, *script: Action) -> None:
        super().__init__()
        self.script = list(script)

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return self.script


def acts(table: TrialTable, seat: str = "agent") -> list[tuple[float, str]]:
    return [(event.t, str(event.type)) for event in table.events if event.sender == seat]


def said(table: TrialTable, seat: str = "agent") -> list[tuple[float, str]]:
    return [
        (event.t, event.get_text()) for event in table.events if event.get_text() and event.sender == seat
    ]


def even(table: TrialTable) -> Offer:
    return table.context("agent").make_offer(EVEN)


# act_delay and the script


def test_an_answer_begins_a_second_after_its_stimulus(table: TrialTable) -> None:
    table.seat(OnMessage(SendMessage("Yes?")))
    table.wait(3.25)
    table.human.says("Hello?")

    table.wait(5)

    assert said(table) == [(4.25, "Yes?")]


def test_an_answer_begins_act_delay_after_its_stimulus(table: TrialTable) -> None:
    table.seat(OnMessage(SendMessage("Yes?")), timing=AgentTiming(act_delay=0.4))
    table.human.says("Hello?")

    table.wait(5)

    assert said(table) == [(0.4, "Yes?")]


@pytest.mark.parametrize("value", [0, -1, 0.0001, float("nan"), float("inf"), True, "1", None])
def test_an_answer_never_comes_at_once(value: Any) -> None:
    with pytest.raises(AgentError, match=r"timing\.act_delay is a number of seconds from 0\.001"):
        AgentTiming(act_delay=value)


@pytest.mark.parametrize("value", [0, "no", None])
def test_interrupt_is_true_or_false(value: Any) -> None:
    with pytest.raises(AgentError, match=r"timing\.interrupt is true or false"):
        AgentTiming(interrupt=value)


def test_two_agents_that_answer_each_other_reach_the_deadline(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(OnMessage(SendMessage("Ping.")), "human", AgentTiming(act_delay=0.001))
    table.seat(OnMessage(SendMessage("Pong.")), "agent", AgentTiming(act_delay=0.5))
    table.human.says("Go.")

    table.wait(601)

    assert table.state.ending is not None
    assert table.state.ending.ended_by == "timeout"


def test_a_script_is_performed_in_order_each_pause_counted_from_the_action_before(table: TrialTable) -> None:
    script: list[Action] = [
        SendMessage("One.", delay_ms=500),
        SendExpression(Expression.HAPPY),
        SendMessage("Two.", delay_ms=250),
        SendOffer(even(table), delay_ms=1000),
    ]
    table.seat(Scripted(*script))

    table.wait(4.9)

    assert acts(table) == [
        (1.5, "SEND_MESSAGE"),
        (1.5, "SEND_EXPRESSION"),
        (1.75, "SEND_MESSAGE"),
        (2.75, "SEND_OFFER"),
    ]


def test_words_come_before_the_offer_that_they_introduce(table: TrialTable) -> None:
    table.seat(Scripted(SendMessage("How about this?", delay_ms=1000), SendOffer(even(table), delay_ms=300)))

    table.wait(2.3)

    assert table.kinds() == ["GAME_START", "SEND_MESSAGE", "SEND_OFFER"]


def test_a_fraction_of_a_millisecond_is_rounded_away(table: TrialTable) -> None:
    table.seat(Scripted(SendMessage("Now.", delay_ms=0.4)))

    table.wait(2)

    assert said(table) == [(1.0, "Now.")]


def test_one_refused_action_leaves_the_rest_of_the_script_standing(table: TrialTable) -> None:
    table.seat(Scripted(SendMessage("One."), FormalAccept(), SendMessage("Two.")))

    table.wait(2)

    assert [text for _, text in said(table)] == ["One.", "Two."]
    assert "ACTION_REFUSED" in table.kinds()


def test_two_scripts_run_beside_each_other_unless_the_agent_interrupts_itself(game: GameSpec) -> None:
    def answers(interrupt: bool) -> list[tuple[float, str]]:
        table = TrialTable(game)
        table.seat(
            OnMessage(SendMessage("Let me think."), SendMessage("Well.", delay_ms=3000)),
            timing=AgentTiming(interrupt=interrupt),
        )
        table.human.says("A")
        table.wait(2)
        table.human.says("B")
        table.wait(10)
        return said(table)

    assert answers(interrupt=False) == [
        (1.0, "Let me think."),
        (3.0, "Let me think."),
        (4.0, "Well."),
        (6.0, "Well."),
    ]
    assert answers(interrupt=True) == [(1.0, "Let me think."), (3.0, "Let me think."), (6.0, "Well.")]


# Schedule


def test_schedule_stands_beside_the_script_and_holds_nothing_up(table: TrialTable) -> None:
    later = Schedule(500, lambda ctx: SendMessage("Scheduled."))
    table.seat(Scripted(SendMessage("One.", delay_ms=200), later, SendMessage("Two.", delay_ms=200)))

    table.wait(5)

    assert said(table) == [(0.5, "Scheduled."), (1.2, "One."), (1.4, "Two.")]


def test_a_scheduled_call_is_counted_from_the_decision(table: TrialTable) -> None:
    table.seat(OnMessage(Schedule(2500, lambda ctx: SendMessage("Later."))))
    table.wait(3)
    table.human.says("Hello?")

    table.wait(10)

    assert said(table) == [(5.5, "Later.")]


def test_a_scheduled_call_gets_a_fresh_context(table: TrialTable) -> None:
    seen: list[tuple[float, int]] = []

    def look(ctx: AgentContext) -> None:
        seen.append((ctx.elapsed_time, len(ctx.get_message_history())))

    table.seat(Scripted(Schedule(4000, look)))
    table.wait(2)
    table.human.says("This came later.")

    table.wait(5)

    assert seen == [(4.0, 1)]


@pytest.mark.parametrize(
    "returned",
    [
        SendMessage("Later."),
        [SendMessage("Later.")],
        (SendMessage("Later."),),
    ],
)
def test_a_callback_returns_an_action_or_a_list(table: TrialTable, returned: Any) -> None:
    table.seat(Scripted(Schedule(2000, lambda ctx: returned)))

    table.wait(5)

    assert said(table) == [(2.0, "Later.")]


def test_a_callback_may_return_nothing(table: TrialTable) -> None:
    table.seat(Scripted(Schedule(2000, lambda ctx: None)))

    table.wait(4)

    assert table.kinds() == ["GAME_START", "NOTE"]


def test_an_action_may_stand_in_the_place_of_a_callback(table: TrialTable) -> None:
    table.seat(Scripted(Schedule(2000, SendMessage("Later.", delay_ms=300))))

    table.wait(5)

    assert said(table) == [(2.3, "Later.")]


def test_a_callback_may_schedule_another(table: TrialTable) -> None:
    def first(ctx: AgentContext) -> Action:
        return Schedule(1500, lambda ctx: SendMessage(f"Now it is {ctx.elapsed_time:g}."))

    table.seat(Scripted(Schedule(1000, first)))

    table.wait(5)

    assert said(table) == [(2.5, "Now it is 2.5.")]


def test_schedules_nest_in_each_others_place(table: TrialTable) -> None:
    table.seat(Scripted(Schedule(1000, Schedule(1500, SendMessage("Nested.")))))

    table.wait(5)

    assert said(table) == [(2.5, "Nested.")]


def test_every_call_is_a_note_with_its_number_and_time(table: TrialTable) -> None:
    table.seat(Scripted(Schedule(2000, lambda ctx: None), Schedule(1000, lambda ctx: None)))

    table.wait(4)

    notes = [event for event in table.events if event.type == EventType.NOTE]
    assert [note.payload.kind for note in notes] == [NoteKind.SCHEDULED_CALL] * 2
    assert [(note.t, note.payload.data["number"]) for note in notes] == [(1.0, 2), (2.0, 1)]


def test_an_accept_decided_in_a_callback_names_the_offer_that_it_saw(table: TrialTable) -> None:
    table.seat(Scripted(Schedule(3000, lambda ctx: FormalAccept(delay_ms=1000))))
    table.wait(1)
    first = table.human.offers(EVEN)
    table.wait(3.5)

    accepted = [event.payload.offer_id for event in table.events if event.type == EventType.FORMAL_ACCEPT]
    assert accepted == [first.seq]


# Flushable


@pytest.mark.parametrize(
    ("action", "flushable"),
    [
        (SendMessage("x"), False),
        (SendMessage("x", MessageSubtype.GENERIC_POS), True),
        (SendMessage("x", MessageSubtype.GENERIC_NEG), True),
        (SendMessage("x", MessageSubtype.GENERIC_POS, flushable=False), False),
        (SendMessage("x", MessageSubtype.OFFER_PROPOSE), False),
        (SendMessage("x", flushable=True), True),
        (SendOffer(Offer()), False),
        (SendExpression(Expression.SAD), True),
        (FormalAccept(), False),
        (FormalQuit(), False),
        (ShowTyping(), True),
        (Schedule(0, ShowTyping()), False),
    ],
)
def test_only_small_talk_faces_and_typing_are_flushable_unless_told(action: Action, flushable: bool) -> None:
    assert action.flushable is flushable


def test_no_other_kind_of_message_is_flushable() -> None:
    flushable = {subtype for subtype in MessageSubtype if SendMessage("x", subtype).flushable}

    assert flushable == {MessageSubtype.GENERIC_POS, MessageSubtype.GENERIC_NEG}


@pytest.mark.parametrize("act", ["message", "offer", "accept"])
def test_what_is_flushable_is_dropped_when_the_other_acts(table: TrialTable, act: str) -> None:
    table.seat(Scripted(SendMessage("Take your time.", MessageSubtype.GENERIC_POS, delay_ms=4000)))
    offer = table.human.offers(EVEN) if act == "accept" else None
    table.wait(2)
    match act:
        case "message":
            table.human.says("Listen.")
        case "offer":
            table.human.offers(EVEN)
        case _:
            table.human.accepts(offer)

    table.wait(10)

    assert said(table) == []


@pytest.mark.parametrize("act", ["expression", "typing", "draft", "tick"])
def test_what_is_flushable_stays_when_the_other_only_stirs(table: TrialTable, act: str) -> None:
    table.seat(Scripted(SendMessage("Take your time.", MessageSubtype.GENERIC_POS, delay_ms=6000)))
    table.wait(2)
    match act:
        case "expression":
            table.human.shows(Expression.SAD)
        case "typing":
            table.human.types()
        case "draft":
            table.human.drafts()
        case _:
            pass

    table.wait(10)

    assert said(table) == [(7.0, "Take your time.")]


def test_what_is_not_flushable_stays_when_the_other_acts(table: TrialTable) -> None:
    table.seat(Scripted(SendMessage("An important matter.", delay_ms=4000)))
    table.wait(2)
    table.human.says("Listen.")

    table.wait(10)

    assert said(table) == [(5.0, "An important matter.")]


def test_what_follows_a_dropped_action_keeps_its_time(table: TrialTable) -> None:
    table.seat(
        Scripted(
            SendMessage("Small talk.", MessageSubtype.GENERIC_NEG, delay_ms=2000),
            SendMessage("The point.", delay_ms=1500),
        )
    )
    table.wait(2)
    table.human.says("Well?")

    table.wait(10)

    assert said(table) == [(4.5, "The point.")]


def test_a_flushable_callback_is_dropped_too(table: TrialTable) -> None:
    table.seat(Scripted(Schedule(4000, SendMessage("Still there?"), flushable=True)))
    table.wait(2)
    table.human.says("I am here.")

    table.wait(10)

    assert said(table) == []


def test_an_agents_own_acts_drop_nothing_of_its_own(table: TrialTable) -> None:
    table.seat(Scripted(SendMessage("First."), SendExpression(Expression.HAPPY, delay_ms=1000)))

    table.wait(5)

    assert [kind for _, kind in acts(table)] == ["SEND_MESSAGE", "SEND_EXPRESSION"]


def test_what_one_seat_does_drops_what_every_other_seat_was_about_to_do() -> None:
    table = TrialTable(three_seats())
    small_talk = SendMessage("Nice weather.", MessageSubtype.GENERIC_POS, delay_ms=4000)
    table.seat(Scripted(small_talk), "green")
    table.seat(Scripted(small_talk), "blue")
    table.wait(2)
    table.participant("red").says("To business.")

    table.wait(10)

    assert [event.sender for event in table.events if event.get_text()] == ["red"]


# Outside the script: presence


def test_typing_is_shown_for_the_stated_time_and_ends_early_when_the_message_comes(table: TrialTable) -> None:
    table.seat(Scripted(ShowTyping(5000), SendMessage("There.", delay_ms=1000)))

    table.wait(1.5)
    while_typing = table.state.presence["agent"].typing_until
    table.wait(1)

    assert while_typing == 6.0
    assert table.state.presence["agent"].typing_until <= 2.0


def test_an_expression_is_shown_for_the_stated_time(table: TrialTable) -> None:
    table.seat(Scripted(SendExpression(Expression.ANGRY, 3000)))

    table.wait(2)

    shown = table.state.presence["agent"]
    assert (shown.expression, shown.expression_until) == (Expression.ANGRY, 4.0)
