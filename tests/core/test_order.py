"""Order in which one event is processed: check, stamp, write, update the state, publish."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, FormalAccept, SendMessage, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.bus import EventBus, PublishedEvent
from negoplatform.core.events import EndedBy, Event, EventType, Expression, Message
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.bargaining import Bargaining
from negoplatform.core.session import Session
from negoplatform.core.state import State
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.testing import Scripted, TrialTable
from tests.games import coins_only, three_seats


class BrokenLog:
    """Log whose disk is full for the types of events that a test sets."""

    def __init__(self) -> None:
        self.full_for: frozenset[str] = frozenset()

    def write(self, event: Event) -> None:
        if event.type in self.full_for:
            raise OSError("disk full")

    def close(self) -> None:
        pass


class Echo(NegotiationAgent):
    """Agent that answers every message."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage(f"You said: {event.get_text()}")]


def seqs(events: list[Event]) -> list[int]:
    return [event.seq for event in events]


# Refusals


def test_a_refusal_is_recorded_with_a_reason_that_a_person_can_read(table: TrialTable) -> None:
    table.start()

    with pytest.raises(Refused):
        table.human.accepts(1)

    refusal = table.events[-1]
    assert refusal.type == EventType.ACTION_REFUSED
    assert refusal.payload.action == EventType.FORMAL_ACCEPT
    assert refusal.payload.reason == "There’s no offer on the table yet."


def test_a_refusal_changes_nothing_on_the_table(table: TrialTable) -> None:
    table.human.offers(bananas=(2, 2))
    before = table.state

    with pytest.raises(Refused):
        table.agent.offers(Offer())

    after = table.state
    assert (after.mechanism_state, after.presence, after.phase) == (
        before.mechanism_state,
        before.presence,
        before.phase,
    )


def test_a_refusal_is_told_to_the_one_who_asked_and_to_nobody_else(game: GameSpec) -> None:
    table = TrialTable(game)
    asking, other = Scripted(FormalAccept()), Scripted()
    table.seat(asking, "agent")
    table.seat(other, "human")

    table.wait(2)

    assert EventType.ACTION_REFUSED in [event.type for event in asking.received_events]
    assert EventType.ACTION_REFUSED not in [event.type for event in other.received_events]


def test_a_refusal_stands_in_the_transcript_of_the_one_who_asked_alone(table: TrialTable) -> None:
    table.start()

    with pytest.raises(Refused):
        table.human.accepts(1)

    transcripts = {
        seat: [event.type for event in table.state.transcript_of(seat)] for seat in ("human", "agent")
    }
    assert transcripts["human"] == [EventType.GAME_START, EventType.ACTION_REFUSED]
    assert transcripts["agent"] == [EventType.GAME_START]


def test_nobody_acts_before_the_game_has_started(game: GameSpec) -> None:
    table = TrialTable(game)

    with pytest.raises(Refused, match="has not started"):
        table.session.send_message("human", Message("Hello?"))


def test_nobody_acts_who_does_not_sit_there(table: TrialTable) -> None:
    table.start()

    with pytest.raises(Refused, match="Nobody sits at 'ghost'"):
        table.session.send_message("ghost", Message("Boo."))


@pytest.mark.parametrize(("text", "reason"), [("  \n", "nothing to send"), ("x" * 4001, "too long")])
def test_a_message_is_neither_empty_nor_endless(table: TrialTable, text: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        table.human.says(text)


# Writing


def test_an_event_that_could_not_be_written_has_not_happened(game: GameSpec) -> None:
    log = BrokenLog()
    table = TrialTable(game, log=log)
    table.human.offers(bananas=(2, 2))
    before, told = table.state, len(table.events)
    log.full_for = frozenset({EventType.SEND_OFFER})

    with pytest.raises(OSError, match="disk full"):
        table.agent.offers(bananas=(1, 3))

    assert table.state is before
    assert len(table.events) == told


def test_nobody_hears_of_an_event_that_could_not_be_written(game: GameSpec) -> None:
    log = BrokenLog()
    table = TrialTable(game, log=log)
    listener = Scripted()
    table.seat(listener)
    table.start()
    log.full_for = frozenset({EventType.SEND_MESSAGE})

    with pytest.raises(OSError, match="disk full"):
        table.human.says("Can you hear me?")

    assert [event.type for event in listener.received_events] == [EventType.GAME_START]


def test_after_a_failed_write_the_numbers_go_on_without_a_gap(game: GameSpec) -> None:
    log = BrokenLog()
    table = TrialTable(game, log=log)
    table.human.says("One.")
    log.full_for = frozenset({EventType.SEND_MESSAGE})
    with pytest.raises(OSError, match="disk full"):
        table.human.says("Lost.")
    log.full_for = frozenset()

    table.human.says("Two.")

    assert seqs(table.events) == [1, 2, 3]


def test_an_event_is_written_before_it_is_the_state(game: GameSpec) -> None:
    versions = []
    table = TrialTable(game)

    class Watcher:
        def write(self, event: Event) -> None:
            versions.append((event.seq, table.state.version))

        def close(self) -> None:
            pass

    table = TrialTable(game, log=Watcher())
    table.human.says("Hello.")

    assert versions == [(1, 0), (2, 1)]


# Rules that fail


class Fragile(Bargaining):
    """Rules with a fault: every offer of the agent breaks them."""

    def apply(self, state: State, event: Event) -> Any:
        if event.type == EventType.SEND_OFFER and event.sender == "agent":
            raise ZeroDivisionError("a fault of ours")
        return super().apply(state, event)


def fragile_session(events: list[Event], reported: list[BaseException]) -> Session:
    session = Session(
        coins_only(),
        mechanism=Fragile(),
        clock=lambda: 0.0,
        log=events.append,
        publish=lambda happening: None,
        report=reported.append,
    )
    session.start()
    return session


def test_rules_that_fail_refuse_the_event_and_are_reported(game: GameSpec) -> None:
    events: list[Event] = []
    reported: list[BaseException] = []
    session = fragile_session(events, reported)
    offer = next(session.state.game.outcomes())

    with pytest.raises(Refused, match="nothing was changed"):
        session.send_offer("agent", offer)

    assert [event.type for event in events] == [EventType.GAME_START, EventType.ACTION_REFUSED]
    assert [type(error) for error in reported] == [ZeroDivisionError]


def test_after_rules_that_failed_the_session_goes_on(game: GameSpec) -> None:
    events: list[Event] = []
    session = fragile_session(events, [])
    offer = next(session.state.game.outcomes())
    with pytest.raises(Refused):
        session.send_offer("agent", offer)

    session.send_offer("human", offer)

    assert events[-1].type == EventType.SEND_OFFER


# The bus


def happening(seq: int, table: TrialTable) -> PublishedEvent:
    event = Event(seq, 0.0, EventType.NOTE, "platform", None)
    return PublishedEvent(event, event, table.state)


def test_what_a_subscriber_publishes_is_queued_behind(table: TrialTable) -> None:
    bus = EventBus()
    first: list[int] = []
    second: list[int] = []

    def answer(heard: PublishedEvent) -> None:
        first.append(heard.event.seq)
        if heard.event.seq == 1:
            bus.publish(happening(2, table))

    bus.subscribe(answer)
    bus.subscribe(lambda heard: second.append(heard.event.seq))
    bus.publish(happening(1, table))

    assert first == [1, 2]
    assert second == [1, 2]


def test_a_subscriber_that_fails_does_not_silence_the_bus_for_good(table: TrialTable) -> None:
    bus = EventBus()
    heard: list[int] = []

    def hear(told: PublishedEvent) -> None:
        if told.event.seq == 1:
            raise ValueError("not today")
        heard.append(told.event.seq)

    bus.subscribe(hear)
    with pytest.raises(ValueError, match="not today"):
        bus.publish(happening(1, table))
    bus.publish(happening(2, table))

    assert heard == [2]


class Jumpy(NegotiationAgent):
    """Agent that fails at all events but the start; others still get the event while that is recorded."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        if event.type == EventType.GAME_START:
            return []
        raise RuntimeError("boo")


def test_everybody_hears_the_events_in_the_order_of_the_log(game: GameSpec) -> None:
    table = TrialTable(game)
    listener = Scripted()
    table.seat(Jumpy(), "agent")
    table.seat(listener, "human")
    told: list[int] = []
    table.subscribe(lambda heard: told.append(heard.event.seq))
    offer = table.agent.offers(bananas=4, grain=5, wood=3, spices=3)
    table.agent.accepts(offer)

    table.human.accepts(offer)

    assert told == seqs(table.events)


def test_a_stimulus_is_logged_before_its_response(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(Echo())
    table.human.says("Ping.")

    table.wait(5)

    said = [
        (event.sender, event.get_text()) for event in table.events if event.type == EventType.SEND_MESSAGE
    ]
    assert said == [("human", "Ping."), ("agent", "You said: Ping.")]


def test_a_response_names_the_event_that_it_answers(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(Echo())
    ping = table.human.says("Ping.")

    table.wait(5)

    assert next(event.cause for event in table.events if event.sender == "agent") == ping.seq


def test_the_deal_is_in_the_log_before_anybody_hears_of_the_last_accept(game: GameSpec) -> None:
    table = TrialTable(game)
    in_the_log: list[list[str]] = []

    def look(heard: PublishedEvent) -> None:
        if heard.event.type == EventType.FORMAL_ACCEPT:
            in_the_log.append(table.kinds()[-2:])

    offer = table.agent.offers(bananas=4, grain=5, wood=3, spices=3)
    table.agent.accepts(offer)
    table.subscribe(look)
    table.human.accepts(offer)

    assert in_the_log == [["FORMAL_ACCEPT", "GAME_END"]]


def test_a_deal_whose_end_cannot_be_written_leaves_the_accept_and_no_end(game: GameSpec) -> None:
    log = BrokenLog()
    table = TrialTable(game, log=log)
    offer = table.agent.offers(bananas=4, grain=5, wood=3, spices=3)
    table.agent.accepts(offer)
    log.full_for = frozenset({EventType.GAME_END})

    with pytest.raises(OSError, match="disk full"):
        table.human.accepts(offer)

    assert table.kinds()[-1] == "FORMAL_ACCEPT"
    assert table.state.ending is None


# Stamps


def test_events_are_numbered_from_one_without_a_gap(table: TrialTable) -> None:
    table.human.says("Hello.")
    table.agent.shows(Expression.HAPPY)
    table.wait(11)

    assert seqs(table.events) == list(range(1, len(table.events) + 1))


def test_time_is_rounded_to_the_millisecond_when_it_is_stamped(game: GameSpec) -> None:
    now = 0.0
    events: list[Event] = []
    session = Session(
        game,
        mechanism=Bargaining(),
        clock=lambda: now,
        log=events.append,
        publish=lambda happening: None,
        report=lambda error: None,
    )
    session.start()
    now = 1.23456

    session.send_message("human", Message("Hello."))

    assert events[-1].t == 1.235


def test_time_never_goes_back_even_if_the_clock_does(game: GameSpec) -> None:
    times = iter([0.0, 0.0, 5.0, 5.0, 3.0, 3.0])
    events: list[Event] = []
    session = Session(
        game,
        mechanism=Bargaining(),
        clock=lambda: next(times, 3.0),
        log=events.append,
        publish=lambda happening: None,
        report=lambda error: None,
    )
    session.start()
    for text in ("a", "b", "c"):
        session.send_message("human", Message(text))

    stamps = [event.t for event in events]
    assert stamps == sorted(stamps)
    assert stamps[-1] == 5.0


def test_an_event_cannot_be_changed(table: TrialTable) -> None:
    event = table.human.says("Hello.")

    with pytest.raises(AttributeError):
        event.seq = 7  # type: ignore[misc]  # that it cannot be set is what is tested
    with pytest.raises(AttributeError):
        object.__setattr__(event, "seq", 7)


def test_the_experimenters_part_reaches_no_agent(game: GameSpec) -> None:
    table = TrialTable(game)
    listener = Scripted()
    table.seat(listener, "human")
    table.seat(Scripted(SendMessage("Hello."), SendOffer(next(game.outcomes()))), "agent")
    table.wait(3)
    table.session.note(NoteKind.WARNING_SHOWN, about="a test")

    assert all(event.cause is None and event.decided_by is None for event in listener.received_events)
    assert EventType.NOTE not in [event.type for event in listener.received_events]
    assert table.events[-2].decided_by == "agent"


def test_a_message_to_one_seat_is_heard_there_and_nowhere_else() -> None:
    table = TrialTable(three_seats())
    green, blue = Scripted(), Scripted()
    table.seat(green, "green")
    table.seat(blue, "blue")
    table.seat(Scripted(SendMessage("Between us.", to=("green",))), "red")

    table.wait(2)

    assert [event.get_text() for event in green.received_events if event.get_text()] == ["Between us."]
    assert [event.get_text() for event in blue.received_events if event.get_text()] == []
    assert table.context("blue").get_message_history() == []
    assert table.context("green").get_message_history()[0]["to"] == ["green"]


def test_a_game_ends_once(table: TrialTable) -> None:
    table.human.quits()

    assert table.session.end(EndedBy.ABORTED) is None
    assert table.kinds().count("GAME_END") == 1
